"""What a row of the table adds to a plain call: how some operations are called, and how some answers become JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from wellkept import flows
from wellkept.errors import InvalidInput
from wellkept.flows import answers
from wellkept.flows.answers import JSON
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.flows.read.show import MemoryWhy, Shown
    from wellkept.flows.read.transcript import ConversationShown
    from wellkept.flows.serving.api_keys import NewKey, NewToken
    from wellkept.flows.sessions.checkpoints import Saved
    from wellkept.flows.upkeep.transfer import Held
    from wellkept.store.contract import Done

EVERYBODY = "*"


def recall(viewpoint: Viewpoint, given: Mapping[str, Any]) -> answers.Recalled:
    wishes = {name: given.get(name, False) for name in ("why", "left_out", "this_chat")}
    asked = {name: value for name, value in given.items() if name not in wishes}
    if wishes.pop("this_chat"):
        if viewpoint.place.chat is None:
            raise InvalidInput("this_chat needs a chat.", code="no_chat")
        asked["filters"] = {**(asked.get("filters") or {}), "learned_in": viewpoint.place.chat}
    found = viewpoint.recall(**asked)
    why = viewpoint.why(found, left_out=wishes["left_out"]) if any(wishes.values()) else None
    return answers.Recalled(found=found, why=why)


def listed(viewpoint: Viewpoint, given: Mapping[str, Any]) -> tuple[Shown, ...]:
    return flows.show.shown(viewpoint.list(**given), viewpoint.place, viewpoint.memory.engine)


def why(viewpoint: Viewpoint, given: Mapping[str, Any]) -> MemoryWhy:
    memory_id: str = given["memory_id"]
    return viewpoint.why(memory_id)


def save(viewpoint: Viewpoint, given: Mapping[str, Any]) -> Saved:
    """Tags are read as `whole` writes them, so that what was loaded can be saved again."""
    return viewpoint.save_checkpoint(**{**given, "data": flows.checkpoints.untagged(given["data"])})


def stats(viewpoint: Viewpoint, _given: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    tenant, store = viewpoint.place.tenant, viewpoint.memory.engine.store
    return {
        "visible": viewpoint.stats(),
        "states": viewpoint.memory.upkeep.stats(tenant=tenant),
        "privacy": store.counts(tenant, by="privacy"),
        "bytes": {path.name: path.stat().st_size for path in store.files() if path.is_file()},
    }


def of_owner(name: str) -> Callable[[Viewpoint, Mapping[str, Any]], Any]:
    """A verb of `memory.events`, in the asker's own memory unless somebody else's is named, or everybody's."""

    def call(viewpoint: Viewpoint, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- each verb has its own
        of = given.get("of", viewpoint.place.user)
        if of is None:
            raise InvalidInput("Whose memory? Name a user.", code="no_owner")
        whose = {"tenant": viewpoint.place.tenant, "of": None if of == EVERYBODY else of}
        return getattr(viewpoint.memory.events, name)(**{**given, **whose})

    return call


# --- Answers as JSON, where it is not the value field by field.


def each(one: Callable[[Any], JSON]) -> Callable[[Sequence[Any]], JSON]:
    """A list of such answers."""
    return lambda found: [one(item) for item in found]


def fields(*names: str) -> Callable[[Any], JSON]:
    """These fields of a value."""
    return lambda value: {name: as_json(getattr(value, name)) for name in names}


head = fields("id", "user_id", "thread_id", "version", "created_at", "updated_at")
key = fields("id", "name", "tenant", "scopes", "created_at", "expires_at", "revoked_at")


def whole(value: Saved) -> JSON:
    """With the data as it is stored: JSON, and tags for what JSON has no word for."""
    return head(value) | {"data": flows.checkpoints.tagged(value.data)}


def with_day(value: ConversationShown | Done) -> JSON:
    return as_json(value) | {"day": value.day.isoformat()}


def days(value: Mapping[date, int]) -> JSON:
    return {day.isoformat(): count for day, count in value.items()}


def new_token(value: NewToken) -> JSON:
    return {"token": value.token, "id": value.id, "expires_at": as_json(value.expires_at), "viewpoint": value.claims}


def new_key(value: NewKey) -> JSON:
    return {"key": value.key} | key(value.record)


def held(value: Held) -> JSON:
    return answers.plain_json(value) | {"text": value.text}
