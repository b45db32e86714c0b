"""The context block: the words an agent needs before it answers, in named sections, fenced, within a budget."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.errors import InvalidInput
from recollect.flows import views
from recollect.flows.recall import recall
from recollect.flows.requests import RecallRequest
from recollect.policies.lines import quoted
from recollect.store.base import Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.engine import Engine
    from recollect.policies.visibility import View
    from recollect.types import Hit, Memory, Viewpoint

BUDGET_MIN = 100
FOUNDATION_MAX = 20
RELEVANT_MAX = 8
PEOPLE_MAX = 50


@dataclass(frozen=True, kw_only=True)
class ContextRequest:
    """What an agent is about to answer, and how many words it has room for."""

    viewpoint: Viewpoint
    query: str
    budget_tokens: int = 1_200


@dataclass(frozen=True, kw_only=True)
class Section:
    """A named part of the block; `keep` says how many of its lines never vanish."""

    name: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Context:
    """The block for a system prompt; `str()` is its text."""

    sections: tuple[Section, ...]
    verdict: str
    nonce: str
    memory_ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _render(self.sections, self.nonce)

    @property
    def tokens(self) -> int:
        """Its size, counted as ceil(characters / 4)."""
        return _tokens(str(self))


def context(request: ContextRequest, engine: Engine, *, nonce: str) -> Context:
    """Sections in their order, each only when it has something; over budget the least needed lines go first."""
    if request.budget_tokens < BUDGET_MIN:
        raise InvalidInput(f"budget_tokens must be at least {BUDGET_MIN}.", code="invalid_budget")
    found = recall(RecallRequest(viewpoint=request.viewpoint, query=request.query, limit=RELEVANT_MAX), engine)
    now = engine.clock()
    with engine.store.snapshot():
        view = views.view_of(request.viewpoint, engine, now)
        pinned = engine.store.seen(view, Filter(pinned=True), limit=FOUNDATION_MAX)
        known = views.known_lines(view, engine, limit=PEOPLE_MAX)
        foundation = [_line(memory, view, engine) for memory in sorted(pinned, key=lambda memory: memory.created_at)]
    shown = {memory.id for memory in pinned}
    relevant = [_hit_line(hit) for hit in found if hit.id not in shown]
    cards = [f"[{card.ref}]: {'; '.join(quoted(fact) for fact in card.facts)}" for card in found.cards]
    sections = (
        Section(name="now", title="Now", lines=(f"{now:%Y-%m-%d %H:%M} {now.tzname() or 'UTC'}",)),
        Section(name="foundation", title="Foundation", lines=tuple(foundation)),
        Section(name="cards", title="Entities", lines=tuple(cards)),
        Section(name="relevant", title="Relevant memories", lines=tuple(relevant)),
        Section(name="people", title="Known people", lines=known),
    )
    fitted = _fitted([section for section in sections if section.lines], request.budget_tokens, nonce)
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


# What leaves first when the block is too long; the foundation only shrinks.
_DROP_ORDER = (("relevant", 3), ("cards", 0), ("people", 0), ("relevant", 0), ("foundation", 1), ("now", 0))


def _fitted(sections: Sequence[Section], budget: int, nonce: str) -> tuple[Section, ...]:
    kept = list(sections)
    for name, at_least in _DROP_ORDER:
        while _tokens(_render(kept, nonce)) > budget:
            place = next((n for n, section in enumerate(kept) if section.name == name), None)
            if place is None or len(kept[place].lines) <= at_least:
                break
            kept[place] = _shorter(kept[place])
            if not kept[place].lines:
                del kept[place]
    return tuple(kept)


def _shorter(section: Section) -> Section:
    marked = section.lines[-1].startswith("(+")
    left = section.lines[:-1] if marked else section.lines
    gone = int(section.lines[-1][2:].split(" ")[0]) + 1 if marked else 1
    shorter = left[:-1]
    if section.name == "foundation" and shorter:
        shorter = (*shorter, f"(+{gone} more)")
    return Section(name=section.name, title=section.title, lines=shorter)


def _render(sections: Sequence[Section], nonce: str) -> str:
    body = "\n".join(f"## {section.title}\n" + "\n".join(f"- {line}" for line in section.lines) for section in sections)
    return f"<<<memory {nonce}>>>\n{body}\n<<<end {nonce}>>>"


def _tokens(text: str) -> int:
    return math.ceil(len(text) / 4)
