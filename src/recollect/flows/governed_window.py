"""The short-term window: beyond its length the oldest turns leave, into a summary that is made by rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recollect.flows.governed_settle import discriminator, entry, forget, settle
from recollect.policies import traces
from recollect.store.base import Change
from recollect.types import Claim, Memory
from recollect.vocabulary import Authority, EventType, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.flows.governed_run import Run


def is_summary(memory: Memory) -> bool:
    """Stands for turns that left."""
    return "summary_of" in memory.meta


def close_window(run: Run) -> None:
    """Let the oldest turns leave, and renew the summary when some did."""
    live = run.turns
    turns = [memory for memory in live if not is_summary(memory)]
    gone = turns[: max(len(turns) - run.policy.short_term_max_turns, 0)]
    if gone:
        forget(run, gone, lambda _memory: "decay")
        _summarise(run, next((memory for memory in live if is_summary(memory)), None), gone)


def _summarise(run: Run, old: Memory | None, gone: Sequence[Memory]) -> None:
    """The latest of all turns that left, as far as they fit; a turn that was erased meanwhile is not among them."""
    ids = old.meta["summary_of"] if old is not None else ()
    known = run.session.engine.store.memories(run.session.tenant, ids) if ids else {}
    text, kept = traces.summary([*(known[one] for one in ids if one in known), *gone])
    phase = run.phase_for_write(Space.SESSION)
    tick = run.next_tick(Space.SESSION)
    meta = {"importance_reason": ["event:context", "summary"], "summary_of": [memory.id for memory in kept]}
    phase_id = None if phase is None else phase.id
    if old is None:
        settle(run, _drafted(run, kept[-1], text, tick=tick, phase_id=phase_id, meta=meta), Claim(content=text))
        return
    renewed = replace(
        old, content=text, tick=tick, phase_id=phase_id, meta=meta, version=old.version + 1, updated_at=run.now
    )
    change = Change(
        memory=renewed,
        entry=entry("update", renewed, run, "summary"),
        is_text_changed=True,
        terms={},
    )
    run.apply(change)
    run.written[renewed.id] = renewed


def _drafted(
    run: Run, turn: Memory, text: str, *, tick: int, phase_id: str | None, meta: Mapping[str, object]
) -> Memory:
    memory = replace(
        turn,
        id="",
        version=1,
        content=text,
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
        updated_at=run.now,
        tick=tick,
        phase_id=phase_id,
        meta=meta,
    )
    return replace(memory, discriminator=discriminator(memory, dedupes=True))
