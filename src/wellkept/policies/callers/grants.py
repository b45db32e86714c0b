"""What a caller may claim to be: a grant settles some names of the viewpoint, and binds others to its user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any
from urllib.parse import quote

from wellkept.types import Viewpoint
from wellkept.values import frozen

PLACE_NAMES = (
    "tenant", "user", "chat", "chat_type", "participants", "persona", "agent", "thread", "session", "project", "run",
    "username", "display_name",
)  # fmt: skip
"""Everything that a viewpoint has."""

_PREFIXES: Mapping[str, str] = {"user": "user", "agent": "agent"}


@frozen
class Grant:
    """Who calls, and what is settled about them. A settled name may be claimed only with its own value."""

    caller: str
    """For limits and kept answers: a key's id, a token's user, or `local`."""
    is_operator: bool = False
    settled: Mapping[str, Any] = field(default_factory=dict)
    is_bound: bool = False
    """Of what it names, only what is its user's own or what somebody else vouched for counts."""


@frozen
class Vouched:
    """What is known of the places that a viewpoint names, from others than the caller."""

    opened: frozenset[str] = frozenset()
    """Which of `session` and `project` are open to the user."""
    present: frozenset[str] = frozenset()
    """Who of the user and the participants that are named is known to take part in the chat."""


def scope_fault(scope: str) -> str | None:
    """What is wrong with the text of a scope."""
    kind, has_name, name = scope.partition(":")
    is_plain = scope in ("operator", "tenant")
    is_named = kind in _PREFIXES and bool(has_name) and 0 < len(name) <= 512  # noqa: PLR2004 -- as long as an id
    return None if is_plain or is_named else f"{scope!r} is not operator, tenant, user:<id> or agent:<name>."


def of_scopes(scopes: Iterable[str], *, tenant: str, caller: str) -> Grant:
    """The grant of a key. Several scopes hold together: user:alice and agent:planner is alice through the planner.

    >>> of_scopes(["user:alice"], tenant="default", caller="k").settled["user"]
    'alice'
    """
    given = tuple(scopes)
    if "operator" in given:
        return Grant(caller=caller, is_operator=True)
    settled: dict[str, Any] = {"tenant": tenant}
    for scope in given:
        kind, _, name = scope.partition(":")
        if kind in _PREFIXES:
            settled[_PREFIXES[kind]] = name
    is_bound = "user" in settled or "tenant" not in given
    if is_bound:
        # By a handle a user is linked to a person, and by a name shown to others: nobody may take another's.
        settled |= {"username": None, "display_name": None}
    return Grant(caller=caller, settled=settled, is_bound=is_bound)


def contradiction(grant: Grant, asked: Mapping[str, Any]) -> str | None:
    """The first name that is claimed otherwise than it is settled."""
    for name, value in grant.settled.items():
        if asked.get(name) is not None and asked[name] != value:
            return name
    return None


def placed(grant: Grant, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The viewpoint that is asked for, with what is settled in it."""
    given = {name: value for name, value in asked.items() if value is not None}
    return given | {name: value for name, value in grant.settled.items() if value is not None}


def own_id(user: str, name: str) -> str:
    """What a user's key names and nobody vouched for is the user's own, whoever else uses the same name.

    >>> own_id("bob", "s1"), own_id("bob", own_id("bob", "s1")), own_id("a/b", "c"), own_id("a", "b/c")
    ('own:bob/s1', 'own:bob/s1', 'own:a%2Fb/c', 'own:a/b/c')
    """
    prefix = f"own:{quote(user, safe='')}/"
    return name if name.startswith(prefix) else prefix + name


REFUSALS: Mapping[str, str] = {
    "no_owner": "This key works for a user: name the user.",
    "not_participant": "This key opens only chats in which its user takes part, with the people who do.",
}


def refusal(place: Viewpoint, vouched: Vouched) -> str | None:
    """Why a bound key may not have this viewpoint: the code. It is the same whether the chat exists or not."""
    if place.user is None:
        # Without a user it would be the system's own work, which may change everything.
        return "no_owner"
    is_alone = place.chat_type == "private" and {*place.participants} <= {place.user}
    return None if is_alone or {place.user, *place.participants} <= vouched.present else "not_participant"


def bound(place: Viewpoint, vouched: Vouched) -> Viewpoint:
    """The viewpoint of a bound key that was not refused: what nobody vouched for is the user's own."""
    user = place.user
    assert user is not None, "refused"

    def mine(name: str | None, *, is_vouched: bool) -> str | None:
        return name if name is None or is_vouched else own_id(user, name)

    return replace(
        place,
        chat=mine(place.chat, is_vouched=user in vouched.present),
        session=mine(place.session, is_vouched="session" in vouched.opened),
        project=mine(place.project, is_vouched="project" in vouched.opened),
    )


def is_of_another(message: Mapping[str, Any], place: Viewpoint) -> bool:
    """Whether a message has another speaker than the user: nobody may put words into another's mouth."""
    return message.get("speaker") not in (None, "", place.user)
