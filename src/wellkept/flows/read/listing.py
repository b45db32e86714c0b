"""List, show and history: what a viewpoint holds, and how it came to be so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.flows import views
from wellkept.flows.read import find
from wellkept.policies.callers.limits import check_limit
from wellkept.values import frozen
from wellkept.vocabulary import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import ListRequest, MemoryRequest
    from wellkept.store.contract import LedgerRow
    from wellkept.types import Memory, Version

LIMIT_MAX = 1_000
HISTORY_MAX = 200

_EVENTS: Mapping[str, str] = {
    "create": "ADD",
    "update": "UPDATE",
    "merge": "MERGE",
    "delete": "DELETE",
    "link": "LINK",
    "ttl": "TTL",
    "restore": "RESTORE",
    "promote": "ADD",
}


@frozen
class HistoryEvent:
    """One change of a memory: what happened, by whom, when, by which rule, from which version to which."""

    id: str
    memory_id: str
    event: str
    old_ref: str | None
    new_ref: str | None
    actor: str | None
    meta: Mapping[str, object]
    ts: datetime


@frozen
class History:
    """A memory with every text it had and everything that was done to it, newest first."""

    memory: Memory
    events: tuple[HistoryEvent, ...]
    versions: tuple[Version, ...]


def listing(request: ListRequest, engine: Engine) -> tuple[Memory, ...]:
    """Memories of this viewpoint, newest first."""
    check_limit(request.limit, LIMIT_MAX)
    if request.state is not State.ACTIVE and (request.include_expired or request.as_of is not None):
        raise InvalidInput(
            "A state other than active goes with neither `as_of` nor `include_expired`.", code="invalid_parameter"
        )
    with engine.store.snapshot():
        view = views.view_of(request.viewpoint, engine, engine.clock(), as_of=request.as_of)
        view = replace(view, include_expired=request.include_expired)
        wanted = request.filter
        if request.about:
            named = views.mentioned(request.about, view, engine, strict=len(request.about))
            wanted = replace(wanted, about=frozenset(person.id for person in named))
        seen = engine.store.seen(
            view,
            wanted,
            limit=request.limit,
            before=request.before,
            state=request.state,
            oldest_first=request.oldest_first,
        )
        return views.retold(seen, view, engine)


def history(request: MemoryRequest, engine: Engine) -> History:
    """Events of one memory, newest first, with its versions oldest first."""
    with engine.store.snapshot():
        found, view = find.one(request, engine)
        rows = engine.store.history(found.tenant, found.id, limit=HISTORY_MAX)
        stored = engine.store.versions(found.tenant, found.id)
        texts = [replace(found, content=version.content) for version in stored]
        memory, *told = views.retold([found, *texts], view, engine)
        versions = tuple(replace(one, content=text.content) for one, text in zip(stored, told, strict=True))
    numbers = {version.version for version in versions}
    return History(memory=memory, events=tuple(_event(row, numbers) for row in rows), versions=versions)


def _event(row: LedgerRow, versions: set[int]) -> HistoryEvent:
    entry = row.entry
    new = entry.version
    old = max((number for number in versions if new is not None and number < new), default=None)
    meta = {"reason": entry.reason, "status": entry.status, **entry.payload}
    return HistoryEvent(
        # Not the number in the chain: that would tell whoever sees one memory how many others its owner has.
        id=f"{entry.memory_id}#{row.hash[:12]}",
        memory_id=entry.memory_id or "",
        event=_EVENTS.get(entry.op, entry.op.upper()) if entry.status == "ok" else entry.status.upper(),
        old_ref=f"{entry.memory_id}@{old}" if old is not None else None,
        new_ref=f"{entry.memory_id}@{new}" if new in versions else None,
        actor=entry.actor,
        meta={key: value for key, value in meta.items() if value is not None},
        ts=row.at,
    )
