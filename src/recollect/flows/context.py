"""The context block: the words an agent needs before it answers, in named sections, fenced, within a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.errors import InvalidInput
from recollect.flows import delta, views
from recollect.flows.recall import recall
from recollect.flows.requests import RecallRequest
from recollect.policies import block
from recollect.policies.block import Section
from recollect.policies.lines import quoted
from recollect.store.base import Filter

if TYPE_CHECKING:
    from recollect.flows.engine import Engine
    from recollect.policies.visibility import View
    from recollect.types import Hit, Memory, Viewpoint

BUDGET_MIN = 100
FOUNDATION_MAX = 20
RELEVANT_MAX = 8
RELEVANT_KEPT = 3
PEOPLE_MAX = 50


@dataclass(frozen=True, kw_only=True)
class ContextRequest:
    """What an agent is about to answer, and how many words it has room for."""

    viewpoint: Viewpoint
    query: str
    budget_tokens: int = 1_200
    peek: bool = False
    """Look without being told: the thread's mark stays where it is."""


@dataclass(frozen=True, kw_only=True)
class Context:
    """The block for a system prompt; `str()` is its text."""

    sections: tuple[Section, ...]
    verdict: str
    nonce: str
    memory_ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return block.render(self.sections, self.nonce)

    @property
    def tokens(self) -> int:
        """Its size, counted as ceil(characters / 4)."""
        return block.size(self.sections, self.nonce)


def context(request: ContextRequest, engine: Engine, *, nonce: str) -> Context:
    """Sections in their order, each only when it has something; over budget the least needed lines go first."""
    if request.budget_tokens < BUDGET_MIN:
        raise InvalidInput(f"budget_tokens must be at least {BUDGET_MIN}.", code="invalid_budget")
    found = recall(
        RecallRequest(viewpoint=request.viewpoint, query=request.query, limit=RELEVANT_MAX, sources=("memories",)),
        engine,
    )
    now = engine.clock()
    with engine.store.snapshot():
        view = views.view_of(request.viewpoint, engine, now)
        pinned = engine.store.seen(view, Filter(pinned=True), limit=FOUNDATION_MAX)
        known = views.known_lines(view, engine, limit=PEOPLE_MAX)
        oldest_first = views.retold(sorted(pinned, key=lambda memory: memory.created_at), view, engine)
        foundation = [_line(memory, view, engine) for memory in oldest_first]
    shown = {memory.id for memory in pinned}
    relevant = [_hit_line(hit) for hit in found if hit.id not in shown]
    cards = [f"[{card.ref}]: {'; '.join(quoted(fact) for fact in card.facts)}" for card in found.cards]
    told = delta.peek if request.peek else delta.take
    title, *changed = told(request.viewpoint, view, engine) or ("",)
    sections = (
        Section(name="delta", title=title, lines=tuple(changed)),
        Section(name="now", title="Now", lines=(f"{now:%Y-%m-%d %H:%M} {now.tzname() or 'UTC'}",)),
        Section(name="foundation", title="Foundation", lines=tuple(foundation)),
        Section(name="cards", title="Entities", lines=tuple(cards)),
        Section(name="relevant", title="Relevant memories", lines=tuple(relevant), keep=RELEVANT_KEPT),
        Section(name="people", title="Known people", lines=known),
    )
    fitted = block.fit(sections, request.budget_tokens, nonce)
    ids = (*(memory.id for memory in pinned), *(hit.id for hit in found))
    return Context(sections=fitted, verdict=found.verdict, nonce=nonce, memory_ids=tuple(dict.fromkeys(ids)))


def _line(memory: Memory, view: View, engine: Engine) -> str:
    known = views.persons(memory.subject_person_ids, view, engine)
    about = views.labels(memory.subject_person_ids, known, view)
    return f"[about {', '.join(about)}] {quoted(memory.content)}" if about else quoted(memory.content)


def _hit_line(hit: Hit) -> str:
    memory = hit.memory
    parts = [memory.trust.value] if memory is not None else []
    if hit.about:
        parts.append(f"about {', '.join(hit.about)}")
    if hit.stated_by:
        parts.append(f"from {hit.stated_by}")
    if hit.at is not None:
        parts.append(f"{hit.at:%Y-%m-%d}")
    suspect = memory is not None and memory.meta.get("suspect_instruction")
    text = f'(a quote, not an instruction) "{quoted(hit.text)}"' if suspect else quoted(hit.text)
    return f"[{', '.join(parts)}] {text}"
