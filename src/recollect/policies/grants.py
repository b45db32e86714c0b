"""What a caller may claim to be: a grant settles some names of the viewpoint and leaves others open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from recollect.values import frozen

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
    must_take_part: bool = False
    """Only chats in which the user is known to take part, and only the people known to be there."""


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
    is_of_user = "user" in settled
    if is_of_user:
        # By a handle a user is linked to a person: nobody may take another's.
        settled["username"] = None
    return Grant(caller=caller, settled=settled, must_take_part=is_of_user)


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
