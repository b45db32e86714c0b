"""The operations of a server: keys and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.operations.operation import Operation, Parameter
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.flows.read.events import Event
    from wellkept.flows.serving.keys import NewKey
    from wellkept.flows.serving.tokens import NewToken
    from wellkept.store.contract import ApiKey, Done

EVERYBODY = "*"
TOKEN_MINUTES = 60


def _of(viewpoint: Viewpoint, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters with whose memory is meant: the asker's own unless somebody else's is named, or everybody's."""
    of = given.get("of", viewpoint.place.user)
    if of is None:
        raise InvalidInput("Whose memory? Name a user.", code="no_owner")
    return dict(given) | {"tenant": viewpoint.place.tenant, "of": None if of == EVERYBODY else of}


def _events(viewpoint: Viewpoint, given: Mapping[str, Any]) -> tuple[Event, ...]:
    return viewpoint.memory.events.list(**_of(viewpoint, given))


def _growth(viewpoint: Viewpoint, given: Mapping[str, Any]) -> Mapping[date, int]:
    return viewpoint.memory.events.growth(**_of(viewpoint, given))


def _activity(viewpoint: Viewpoint, given: Mapping[str, Any]) -> tuple[Done, ...]:
    return viewpoint.memory.events.activity(**_of(viewpoint, given))


def _days(value: Mapping[date, int]) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return {day.isoformat(): count for day, count in value.items()}


def _done(value: Sequence[Done]) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return [vars(one) | {"day": one.day.isoformat()} for one in value]


def _new_token(value: NewToken) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return {"token": value.token, "id": value.id, "expires_at": as_json(value.expires_at), "viewpoint": value.claims}


def _key(value: ApiKey) -> Any:  # noqa: ANN401 -- JSON is what it gives
    shown = ("id", "name", "tenant", "scopes", "created_at", "revoked_at")
    return {name: as_json(getattr(value, name)) for name in shown}


def _new_key(value: NewKey) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return {"key": value.key} | _key(value.record)


def _keys(value: Sequence[ApiKey]) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return [_key(one) for one in value]


SERVER: tuple[Operation, ...] = (
    Operation(
        name="add_key",
        python="keys.add",
        cli=("keys", "add"),
        rpc="memory.add_key",
        http=("POST", "/v1/keys"),
        doc="Make a key for a program that calls the server. It is shown once.",
        parameters=(
            Parameter(name="name", doc="What the key is for.", is_required=True),
            Parameter(
                name="scope",
                kind="texts",
                doc="What it opens: operator, tenant, user:<id> or agent:<name>; several hold together.",
                default=(),
            ),
        ),
        answer=_new_key,
        is_admin=True,
        is_secret=True,
    ),
    Operation(
        name="keys",
        python="keys.list",
        cli=("keys", "list"),
        rpc="memory.keys",
        http=("GET", "/v1/keys"),
        doc="List the keys, revoked ones included.",
        answer=_keys,
        is_admin=True,
    ),
    Operation(
        name="revoke_key",
        python="keys.revoke",
        cli=("keys", "revoke"),
        rpc="memory.revoke_key",
        http=("DELETE", "/v1/keys/{key_id}"),
        doc="Take a key back: from now on it opens nothing.",
        parameters=(Parameter(name="key_id", doc="Id of the key.", is_required=True),),
        answer=_key,
        is_admin=True,
    ),
    Operation(
        name="make_token",
        python="token",
        cli=("token", "make"),
        rpc="memory.make_token",
        http=("POST", "/v1/tokens"),
        doc="Make a context token: a sandbox that shows it is this user in this chat, and nobody else.",
        parameters=(Parameter(name="minutes", kind="number", doc="For so long.", default=TOKEN_MINUTES),),
        answer=_new_token,
        is_admin=True,
        is_secret=True,
    ),
    Operation(
        name="revoke_token",
        python="keys.revoke_token",
        cli=("token", "revoke"),
        rpc="memory.revoke_token",
        http=("DELETE", "/v1/tokens/{token_id}"),
        doc="Take a context token back before its time: from now on it opens nothing.",
        parameters=(Parameter(name="token_id", doc="Id of the token.", is_required=True),),
        answer=_key,
        is_admin=True,
    ),
    Operation(
        name="events",
        python="events.list",
        cli=("events",),
        rpc="memory.events",
        http=("GET", "/v1/events"),
        doc="List what was decided and done in your memory, newest first.",
        parameters=(
            Parameter(name="of", doc="In whose memory; * is everybody's (operators only).", is_admin=True),
            Parameter(name="node", doc="Where.", choices=("hotpath", "context", "episodic", "worker", "admin")),
            Parameter(name="op", doc="What was done, such as create, update, merge, delete, link, restore."),
            Parameter(name="limit", kind="integer", doc="At most so many.", default=50),
            Parameter(name="before", doc="Id of the last event of the page before."),
        ),
        answer=as_json,
        call=_events,
        cursor="before",
    ),
    Operation(
        name="growth",
        python="events.growth",
        cli=("growth",),
        rpc="memory.growth",
        http=("GET", "/v1/growth"),
        doc="Count the memories that were made, by day.",
        parameters=(Parameter(name="of", doc="In whose memory; * is everybody's (operators only).", is_admin=True),),
        answer=_days,
        call=_growth,
    ),
    Operation(
        name="activity",
        python="events.activity",
        cli=("stats",),
        rpc="memory.activity",
        http=("GET", "/v1/activity"),
        doc="Count what was done in your memory, by day, place and kind.",
        parameters=(
            Parameter(name="of", doc="In whose memory; * is everybody's (operators only).", is_admin=True),
            Parameter(name="days", kind="integer", doc="So many days, today among them.", default=30),
        ),
        answer=_done,
        call=_activity,
    ),
    Operation(
        name="owners",
        python="events.owners",
        cli=("owners",),
        rpc="memory.owners",
        http=("GET", "/v1/owners"),
        doc="List the users and chats that something was decided for, those with most of it first.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=50),),
        answer=as_json,
        is_admin=True,
    ),
)
