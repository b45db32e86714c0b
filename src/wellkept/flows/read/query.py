"""Query: the one tool of an agent. Allowlist and filters bind in the database; the answer is bullets in a budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from datetime import datetime
from typing import Literal

from wellkept.errors import InvalidInput, NotAllowed
from wellkept.flows import views
from wellkept.flows.engine import Engine
from wellkept.flows.read.recall import RELATED_MAX, recall
from wellkept.flows.requests import RecallRequest
from wellkept.policies.callers import check_limit
from wellkept.policies.ranking.rank import AnswerOptions, choose_answer
from wellkept.policies.words import cut, quoted, token_count
from wellkept.store.contract import Filter
from wellkept.types import Hit, Recall, Viewpoint
from wellkept.values import frozen

Returns = Literal["bullets", "full"]

TOP_K_MAX = 1_000
READ_MAX = 10
"""Memories that are read for an answer where none is similar enough."""
CUT_MIN = 10
"""Tokens below which a text that does not fit is left out rather than cut."""


@frozen
class QueryRequest:
    """What an agent wants to know, and how much of it."""

    viewpoint: Viewpoint
    query: str
    agent: str | None = None
    categories: frozenset[str] = frozenset()
    """None named: everything that the agent may read."""
    filter: Filter = field(default_factory=Filter)
    about: tuple[str, ...] = ()
    top_k: int = 3
    threshold: float | None = None
    """Least calibrated similarity, 0..1."""
    returns: Returns = "bullets"
    budget_tokens: int = 512
    as_of: datetime | None = None


@frozen
class Bullet:
    """One memory on a line: `[category] text`."""

    id: str
    category: str
    text: str
    hit: Hit | None = None
    """Everything about it, when it was asked for in full."""
    related: tuple[str, ...] = ()
    """One or two memories that are linked to it, where the budget holds them."""


@frozen
class Answered:
    """The bullets, best first."""

    bullets: tuple[Bullet, ...] = ()
    verdict: str = "nothing"
    thread: str | None = None
    delta: tuple[str, ...] = ()
    """What changed for the thread, as the header of the context says it."""

    def __iter__(self) -> Iterator[Bullet]:
        return iter(self.bullets)

    def __len__(self) -> int:
        return len(self.bullets)


def query(request: QueryRequest, engine: Engine) -> Answered:
    """Ask for an agent. What it may not read is refused by name, and never looked at."""
    _check(request)
    agent = request.viewpoint.agent
    if agent is not None and request.agent not in (None, agent):
        raise NotAllowed(f"This viewpoint is agent {agent!r}; it cannot ask as another.", code="agent_mismatch")
    asker = replace(request.viewpoint, agent=request.agent or agent)
    requested = engine.categories.granted(asker.agent, request.categories)
    wanted = RecallRequest(
        viewpoint=asker,
        query=request.query,
        limit=request.top_k,
        sources=("memories",),
        filter=_narrowed(request.filter, requested),
        about=request.about,
        as_of=request.as_of,
        threshold=None if request.threshold is None else 0.0,
        similarity_min=request.threshold,
    )
    found = recall(wanted, engine)
    if found.verdict == "below_threshold" and request.threshold is not None:
        found = _answering(wanted, engine) or found
    bullets = tuple(_fitting(found.hits, request))
    return Answered(bullets=bullets, verdict=found.verdict, thread=asker.thread, delta=found.delta)


def _answering(wanted: RecallRequest, engine: Engine) -> Recall | None:
    """What plainly answers, however few words and how little wording it shares with the question."""
    question = engine.judge.question(wanted.query)
    if not question.is_question:
        return None
    found = recall(replace(wanted, limit=READ_MAX, similarity_min=None), engine)
    facts = views.facts(found, wanted.viewpoint, engine)
    ids = engine.judge.answer(question, facts, now=engine.clock()).memory_ids
    if not ids:
        likely = engine.judge.answering(wanted.query, [fact.memory.content for fact in facts]) or ()
        chosen = choose_answer([one.share for one in likely], AnswerOptions())
        ids = tuple(facts[one.row].memory.id for one in chosen)
    hits = tuple(hit for hit in found.hits if hit.id in ids)[: wanted.limit]
    return replace(found, hits=hits) if hits else None


def _check(request: QueryRequest) -> None:
    if request.agent is not None and not request.agent.strip():
        raise InvalidInput("agent must be a name.", code="invalid_agent")
    check_limit(request.top_k, TOP_K_MAX, name="top_k")
    if request.budget_tokens < 1:
        raise InvalidInput("budget_tokens must be at least 1.", code="invalid_budget")
    if request.threshold is not None and not 0 <= request.threshold <= 1:
        raise InvalidInput("threshold must be from 0 to 1.", code="invalid_threshold")
    if request.returns not in ("bullets", "full"):
        raise InvalidInput("return must be bullets or full.", code="invalid_return")


def _narrowed(wanted: Filter, requested: frozenset[str] | None) -> Filter:
    if requested is None:
        return wanted
    both = requested if wanted.categories is None else requested & wanted.categories
    return replace(wanted, categories=both)


def _fitting(hits: tuple[Hit, ...], request: QueryRequest) -> Iterator[Bullet]:
    """As many as the budget holds, best first; the first is cut rather than left out.

    What room is left then has one or two memories that are linked to them.
    """
    left = request.budget_tokens
    bullets: list[Bullet] = []
    for number, hit in enumerate(hits):
        category = hit.memory.category if hit.memory is not None else "message"
        text = quoted(f"[{category}] {hit.text}")
        if token_count(text) > left:
            if number > 0 or left < CUT_MIN:
                break
            text = cut(text, left)
        left -= token_count(text)
        bullets.append(Bullet(id=hit.id, category=category, text=text, hit=hit if request.returns == "full" else None))
    told: list[str] = []
    for bullet, hit in zip(bullets, hits, strict=False):
        first = len(told)
        for line in map(quoted, hit.related):
            if line not in told and len(told) < RELATED_MAX and token_count(line) <= left:
                left -= token_count(line)
                told.append(line)
        yield replace(bullet, related=tuple(told[first:]))
