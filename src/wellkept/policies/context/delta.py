"""The delta header: which changes of memory a thread is told of, and the lines that say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wellkept.policies.text.lines import quoted
from wellkept.policies.text.tokens import clipped
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Kind, Space, State

if TYPE_CHECKING:
    from wellkept.types import Edge, Memory

Event = Literal["created", "updated", "merged", "deleted", "soft_deleted", "restored"]

BULLETS_MAX = 3
TEXT_MAX = 160
SIGNS: Mapping[Event, str] = {
    "created": "+created",
    "updated": "↑updated",
    "merged": "↔merged",
    "deleted": "-deleted",
    "soft_deleted": "~soft_deleted",
    "restored": "^restored",
}
_TITLES: Mapping[str, str] = {"profile": "Personal"}
_SILENT = frozenset({"superseded", "dedupe", "fold", "merged"})
"""Reasons of archiving of which the memory that took the place has told."""
_ENDED = frozenset({"deleted", "soft_deleted"})
_PLACES = frozenset({Space.USER, Space.CHAT, Space.PROJECT})


@frozen
class Told:
    """One change as a reader may be told of it. Without a text the memory is no longer what it was then."""

    rev: int
    event: Event
    memory_id: str
    category: str
    importance: float
    text: str | None = None
    topic: str | None = None
    """What it is about, in a word or two."""
    notes: int = 2
    """How many statements it was made from."""


def event_of(memory: Memory, op: str, edges: Sequence[Edge] = ()) -> Event | None:
    """What a write means to whoever works with the memory; None: nothing they need to hear of."""
    if memory.kind is Kind.SHORT_TERM or memory.space not in _PLACES or op == "link":
        return None
    match memory.state:
        case State.SUPERSEDED:
            # The memory in its place tells of it; without one it has ended.
            return None if memory.superseded_by is not None else "deleted"
        case State.SOFT_DELETED:
            return "soft_deleted"
        case State.ARCHIVED:
            if memory.archive_reason in _SILENT:
                return None
            return "soft_deleted" if op == "ttl" else "deleted"
        case State.ACTIVE:
            return _event_of_living(op, edges)


def _event_of_living(op: str, edges: Sequence[Edge]) -> Event:
    if op == "restore":
        return "restored"
    if op == "merge":
        return "merged"
    is_new = op in ("create", "promote") and not any(edge.kind is EdgeKind.SUPERSEDES for edge in edges)
    return "created" if is_new else "updated"


def header(since: int, changes: Sequence[Told]) -> tuple[str, ...]:
    """The title and the three most important changes in their order; the last says how many more there are."""
    changes = _latest(changes)
    if not changes:
        return ()
    by_weight = sorted(changes, key=lambda one: (-one.importance, -one.rev))
    chosen = sorted(by_weight[:BULLETS_MAX], key=lambda one: one.rev)
    lines = [f"- {SIGNS[one.event]}: {_said(one)}" for one in chosen]
    left = len(changes) - len(chosen)
    if left:
        lines[-1] += f" (+{left} more)"
    return (title(since), *lines)


def _latest(changes: Sequence[Told]) -> tuple[Told, ...]:
    """Each memory once, by its last change; what another has replaced is told by the other."""
    by_id: dict[str, Told] = {}
    for one in changes:
        before = by_id.pop(one.memory_id, None)
        is_still_new = before is not None and before.event == "created" and one.event == "updated"
        by_id[one.memory_id] = replace(one, event="created") if is_still_new else one
    return tuple(one for one in by_id.values() if one.text is not None or one.event in _ENDED)


def title(since: int) -> str:
    """The first line."""
    return f"Memory updates since rev {since}:"


def _said(one: Told) -> str:
    label = _TITLES.get(one.category, one.category.replace("_", " ").capitalize())
    if one.event == "deleted" or one.text is None:
        return f"[{label}] a memory of this kind is gone"
    text = clipped(quoted(one.text), TEXT_MAX)
    if one.event == "merged":
        return f"Combined {one.notes} notes about {clipped(quoted(one.topic or one.text), TEXT_MAX)}"
    weight = f" (imp={one.importance:g})" if one.event == "created" and one.importance != 1 else ""
    return f"[{label}] {text}{weight}"
