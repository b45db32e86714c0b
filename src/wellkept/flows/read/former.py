"""Who or what it was before: the answer to a question about a former holder, or that it is not known."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.judges.base import Answer, Fact
from wellkept.policies.visibility.memories import Facts, visible
from wellkept.policies.writing import keys
from wellkept.vocabulary import EdgeKind, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.flows.engine import Engine
    from wellkept.types import Memory, Viewpoint

UNKNOWN = "I don't know."
_ASKED = re.compile(
    r"^\W*(?:and |so )?(?:who|whom|whose|where|what|which|how)\b.*(?:\b(?:was|were|did|had)\b.*\b(?:before|earlier"
    r"|previously|formerly)\b(?= (?:that|this|now)\b|\W*$)|\b(?:previous|former)\b)",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = re.compile(
    r"\s*\b(?:(?:before|earlier|previously|formerly)(?: (?:that|this|now))?(?=\W*$)|previous\b|former\b)", re.IGNORECASE
)
_PAST = re.compile(r"\bused to\b|\b(?:was|were|had|did)\b|\bformer(?:ly)?\b|\bprevious(?:ly)?\b", re.IGNORECASE)


def is_asked(text: str) -> bool:
    """Whether a question wants what was so before, and not what is so now."""
    return _ASKED.search(text) is not None


def answer(text: str, facts: Sequence[Fact], viewpoint: Viewpoint, engine: Engine) -> Answer:
    """What is told of the past; else what the present answer took the place of."""
    question, now = engine.judge.question(_WORDS.sub("", text)), engine.clock()
    past = tuple(fact for fact in facts if _is_past(fact.memory))
    told = engine.judge.answer(question, past, now=now)
    if told.memory_ids:
        return told
    present = engine.judge.answer(question, tuple(fact for fact in facts if fact not in past), now=now)
    used = [fact for fact in facts if fact.memory.id in present.memory_ids]
    before = tuple(one for fact in used for one in _replaced(fact, viewpoint, engine))
    found = engine.judge.answer(question, before, now=now)
    return replace(found, text=f"You told me before: {found.text}") if found.memory_ids else Answer(text=UNKNOWN)


def _is_past(memory: Memory) -> bool:
    return keys.is_ended(memory.fact_key or "") or _PAST.search(memory.content) is not None


def _replaced(fact: Fact, viewpoint: Viewpoint, engine: Engine) -> list[Fact]:
    """What the asker told before, in the same place. What was only put right never was so."""
    memory = fact.memory
    if memory.is_correction or memory.stated_by is None:
        return []
    view = views.view_of(viewpoint, engine, engine.clock())
    edges = engine.store.edges(memory.tenant, memory.id, (EdgeKind.SUPERSEDES,))
    old = engine.store.memories(memory.tenant, [edge.dst for edge in edges if edge.src == memory.id]).values()
    alive = [
        replace(one, state=State.ACTIVE, valid_to=None, superseded_at=None)
        for one in old
        if one.state in (State.SUPERSEDED, State.ARCHIVED) and one.stated_by == memory.stated_by == view.person
    ]
    seen = [one for one in alive if visible(one, view, Facts()).verdict == "shown"]
    told = views.to_asker(seen, viewpoint, view, engine)
    return [replace(fact, memory=one, similarity=0.0, score=0.0) for one in told]
