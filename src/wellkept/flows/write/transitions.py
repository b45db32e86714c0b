"""How a memory is amended and how it ends: superseded, archived or expired, each here, with its ledger row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.policies.words import term_counts
from wellkept.store.contract import Change, Entry
from wellkept.types import Edge
from wellkept.values import changed
from wellkept.vocabulary import EdgeKind, State

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.flows.write.draft import Writer
    from wellkept.policies.writing.conflict import Conflict, Rule
    from wellkept.store.contract import Op
    from wellkept.types import Memory


def row(op: Op, memory: Memory, reason: str | None, **more: Any) -> Entry:  # noqa: ANN401 -- fields of Entry
    """The ledger row of a change of this memory."""
    return Entry(op=op, memory_id=memory.id, version=memory.version, category=memory.category, reason=reason, **more)


def entry(op: Op, memory: Memory, writer: Writer, reason: str | None = None, **payload: object) -> Entry:
    """The ledger row of a change made by this writer; it says in which phase the memory is."""
    return row(
        op,
        memory,
        reason,
        node=writer.node,
        payload=payload if memory.phase_id is None else {"phase": memory.phase_id, **payload},
        tick=memory.tick,
        thread=writer.viewpoint.thread,
        actor=writer.viewpoint.user,
        persona=writer.viewpoint.persona,
    )


def amend(memory: Memory, writer: Writer, reason: str, **changes: Any) -> Memory:  # noqa: ANN401 -- fields of Memory
    """Store a memory with these changes as its next version."""
    now = writer.view.now
    after = changed(memory, **changes, updated_at=now, version=memory.version + 1)
    is_reworded = "content" in changes
    terms = term_counts(f"{after.content} {after.quote or ''}") if is_reworded else None
    told = entry("update", after, writer, reason)
    writer.apply(Change(memory=after, entry=told, is_text_changed=is_reworded, terms=terms))
    return after


def superseded(old: Memory, by: Memory | None, *, now: datetime) -> Memory:
    """It no longer holds, because another stands in its place, or nothing does."""
    return changed(
        old,
        state=State.SUPERSEDED,
        superseded_at=now,
        superseded_by=None if by is None else by.id,
        valid_to=by.valid_from if by is not None and by.valid_from is not None else now,
        updated_at=now,
        version=old.version + 1,
    )


def lost(new: Memory, to: Memory, *, now: datetime) -> Memory:
    """The lesser of two statements as it arrives: on record, and never alive."""
    return changed(superseded(new, to, now=now), version=new.version, valid_to=now)


def archived(memory: Memory, reason: str, *, now: datetime | None = None, by: str | None = None) -> Memory:
    """Out of recall, kept and restorable. `now`: when somebody decided so; a sweep leaves the time of the last change.

    `by`: the memory that says it from now on.
    """
    return changed(
        memory,
        state=State.ARCHIVED,
        archive_reason=reason,
        superseded_by=by or memory.superseded_by,
        updated_at=now or memory.updated_at,
        version=memory.version + 1,
    )


def expired(memory: Memory, *, now: datetime) -> Memory:
    """Its time is over: the day that was set, or the lifetime of its type."""
    reason = "expired" if memory.expires_at is not None else "ephemeral_decay"
    return archived(memory, reason, now=now)


def supersedes(new: Memory, old: Memory) -> Edge:
    """The edge from what stands to what stood before."""
    return Edge(kind=EdgeKind.SUPERSEDES, src=new.id, dst=old.id)


def retire(
    old: Memory, writer: Writer, *, by: Memory | None = None, rule: Rule = "retracted", edges: tuple[Edge, ...] = ()
) -> None:
    """Take out what no longer holds. `by`: what has won over it by this rule; else nothing takes its place."""
    over = superseded(old, by, now=writer.view.now)
    told = {"rule": rule} if by is None else {"by": by.id, "rule": rule}
    change = Change(memory=over, entry=entry("update", over, writer, "superseded", **told), edges=edges)
    writer.apply(change)
    writer.rules.superseded(old, by, rule)


def retire_loser(settled: Conflict, writer: Writer) -> None:
    """Of two live memories that contradict each other the lesser is superseded."""
    edge = supersedes(settled.winner, settled.loser)
    retire(settled.loser, writer, by=settled.winner, rule=settled.rule, edges=(edge,))


def expire(memory: Memory, writer: Writer) -> None:
    """Let a memory go whose time is over."""
    gone = expired(memory, now=writer.view.now)
    writer.apply(Change(memory=gone, entry=entry("ttl", gone, writer, gone.archive_reason)))


def archive(memory: Memory, reason: str, by: str | None, writer: Writer) -> None:
    """Take a memory out of recall because another says it."""
    gone = archived(memory, reason, now=writer.view.now, by=by)
    writer.apply(Change(memory=gone, entry=entry("merge", gone, writer, reason, into=by)))


def swept(memories: Sequence[Memory], reason: str) -> list[Change]:
    """The changes of a sweep that archives memories: nobody in particular does it."""
    gone = [archived(memory, reason) for memory in memories]
    return [Change(memory=one, entry=row("ttl", one, reason, node="worker")) for one in gone]
