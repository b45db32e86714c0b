"""The short-term window: beyond its length the oldest turns leave, into a summary that is made by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows.governed.counts import TICK
from wellkept.flows.governed.settle import created, discriminator, entry, forget
from wellkept.policies.governance import traces
from wellkept.store.contract import Change
from wellkept.types import Memory
from wellkept.values import changed
from wellkept.vocabulary import Authority, EventType, Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.flows.governed.run import Run, Window
    from wellkept.policies.governance.traces import Segment


def is_summary(memory: Memory) -> bool:
    """Stands for turns that left."""
    return "summary_of" in memory.meta


def close_window(run: Run) -> Window:
    """Let the oldest turns leave, and renew the summary when some did; the window after that."""
    live = run.turns
    turns = [memory for memory in live if "summary_of" not in memory.meta]
    gone = turns[: max(len(turns) - run.policy.short_term_max_turns, 0)]
    if not gone:
        return changed(run.window, turns=tuple(live))
    forget(run, gone, lambda _memory: "decay")
    summaries = [memory for memory in live if "summary_of" in memory.meta]
    old = summaries[0] if summaries else None
    text, left = traces.summary([*_left(run, old), *traces.segments(gone)])
    summary = _summarise(run, old, gone[-1], text, [one.turn for one in left])
    return changed(run.window, turns=(*turns[len(gone) :], summary), left=left)


def _left(run: Run, summary: Memory | None) -> Sequence[Segment]:
    """The turns that a summary tells of; one that was erased meanwhile is not among them."""
    ids = [] if summary is None else summary.meta["summary_of"]
    if [one.turn.id for one in run.window.left] == ids:
        return run.window.left
    known = run.session.engine.store.memories(run.session.tenant, ids)
    return traces.segments([known[one] for one in ids if one in known])


def _summarise(run: Run, old: Memory | None, last: Memory, text: str, told_of: Sequence[Memory]) -> Memory:
    """Store the summary, which is renewed where there was one. `last`: of the turns that left."""
    now = {
        "content": text,
        "phase_id": run.phase_for_write(Space.SESSION),
        "tick": run.counts.next(Space.SESSION, TICK),
        "meta": {"importance_reason": ["event:context", "summary"], "summary_of": [turn.id for turn in told_of]},
        "updated_at": run.now,
        # It tells of everybody its turns tell of: whoever is forgotten takes it along.
        "subject_person_ids": tuple(dict.fromkeys([one for turn in told_of for one in turn.subject_person_ids])),
        "confidential": True in [turn.confidential for turn in told_of],
    }
    if old is None:
        return created(run, _drafted(run, changed(last, **now)))
    renewed = changed(old, **now, version=old.version + 1)
    change = Change(
        memory=renewed,
        entry=entry("update", renewed, run, "summary"),
        is_text_changed=True,
        how="retell",
        terms={},
    )
    run.apply(change)
    run.written[renewed.id] = renewed
    return renewed


def _drafted(run: Run, turn: Memory) -> Memory:
    """A turn with the words of a summary, as the first summary of its session."""
    memory = changed(
        turn,
        id="",
        version=1,
        quote=None,
        source="system",
        role="system",
        stated_by=None,
        event_type=EventType.CONTEXT,
        authority=Authority.AI_INFERRED,
        authority_reason="composed:summary",
        is_correction=False,
        importance=1.0,
        created_at=run.now,
    )
    key = discriminator(memory, memory.fact_key, tick=memory.tick or 0, dedupes=True)
    return changed(memory, discriminator=key)
