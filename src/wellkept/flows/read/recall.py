"""Recall: viewpoint + query → plan → candidates → visibility → rank → expand. Reads only, calls no chat model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from wellkept.errors import InvalidInput, NotAllowed
from wellkept.flows import views
from wellkept.flows.engine import NO_VECTORS, Engine
from wellkept.flows.requests import RecallRequest
from wellkept.policies import context, words
from wellkept.policies.callers import check_limit, check_number, check_text
from wellkept.policies.ranking import rank
from wellkept.policies.ranking.rank import AnswerOptions, Found, Joined, choose_answer, one_ranking
from wellkept.policies.ranking.rank_messages import Said, rank_messages, understand
from wellkept.policies.upkeep import lifecycle
from wellkept.policies.words import cut, quoted, token_count
from wellkept.policies.writing import keys, shape
from wellkept.store.contract import Filter, Listing, MessageCandidate, MessageSearch, Reader, Search, Taking, Transcript
from wellkept.types import Card, Hit, Message, Recall, Viewpoint
from wellkept.values import changed, frozen
from wellkept.vocabulary import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.judges.base import Question
    from wellkept.policies.ranking.rank import Placed
    from wellkept.policies.visibility import View
    from wellkept.store.contract import Changes
    from wellkept.types import Memory, Person


SOURCES = frozenset({"memories", "messages"})
QUERY_MAX = 10_000
LIMIT_MAX = 1_000
EMBEDDED_MAX = 2_000
"""Characters of a query that are embedded; more adds nothing a sentence vector could hold."""
KEYWORDS_MAX = 3
"""Words of a query that are no sentence yet."""
ARM_LIMIT = 50
SLOTTED_MAX = 10
LINKED_MAX = 5
"""Hits that bring related memories along."""
LINKS_MAX = 20
RELATED_MAX = 2
"""Related memories that are told with what was found."""
CARDS_MAX = 5
CARD_FACTS_MAX = 3
CARD_IMPORTANCE = 2.0


@frozen
class _Plan:
    """A request with everything resolved that needs no candidates yet."""

    request: RecallRequest
    question: Question
    view: View
    named: tuple[Person, ...]
    vector: NDArray[np.float32] | None


def recall(request: RecallRequest, engine: Engine) -> Recall:
    """Hits, best first, with the reasons; an explicit empty answer when nothing is good enough."""
    _check(request)
    question = engine.judge.question(request.query)
    embedded = request.query[:EMBEDDED_MAX]
    # Bare keywords as a question: as a statement a lone word lies as near to one text as to any other.
    vectors = engine.vectors([f"{embedded.rstrip()}?" if _is_bare(embedded) else embedded])
    now = request.now or engine.clock()
    with engine.store.snapshot():
        view = views.view_of(request.viewpoint, engine, now, as_of=request.as_of)
        texts = (*request.about, *question.about, *question.mentions)
        named = views.mentioned(texts, view, engine, strict=len(request.about))
        vector = None if vectors is None else vectors[0]
        plan = _Plan(request=request, question=question, view=view, named=named, vector=vector)
        found = _found(plan, engine) if "memories" in request.sources else ()
        asked = rank.Asked(query=request.query, options=_options(plan, engine), now=now)
        ranked = rank.rank(found, asked)
        messages = said(request, view, engine, vector=vector, is_question=question.is_question)
        # One message is ranked by those beside it, too: only all of them together can be noise.
        bearing = messages if any(not _is_noise(item, plan, engine) for item in messages) else ()
        placed = _placed(_above(ranked, plan, engine), bearing, plan, engine)[: request.limit]
        kept = [one.item for one in placed if isinstance(one.item, Found)]
        told = rank.explained(kept, found, asked)
        hits = with_messages(placed, _hits(told, view, engine), view, engine)
        changed = peek(request.viewpoint, view, engine)
        shown = [hit.memory for hit in hits if hit.memory is not None]
        cards = cards_of(shown, view, engine) if request.with_cards else ()
    notices = (NO_VECTORS,) if vector is None and engine.embedder is not None else ()
    verdict: Literal["found", "nothing", "below_threshold"]
    verdict = "found" if hits else "below_threshold" if ranked or messages else "nothing"
    return Recall(query=request.query, hits=hits, verdict=verdict, delta=changed, cards=cards, notices=notices)


def _is_bare(query: str) -> bool:
    return len(query.split()) <= KEYWORDS_MAX and query.rstrip()[-1:].isalnum()


def _check(request: RecallRequest) -> None:
    check_text(request.query, name="query")
    if request.threshold is not None:
        check_number(request.threshold, name="threshold")
    if not request.query.strip():
        raise InvalidInput("The query is empty; ask for something, or list the memories.", code="empty_query")
    if len(request.query) > QUERY_MAX:
        raise InvalidInput(f"A query may have at most {QUERY_MAX} characters.", code="query_too_long")
    check_limit(request.limit, LIMIT_MAX)
    if request.strategy is not None and request.strategy not in rank.STRATEGY_NAMES:
        raise InvalidInput(f"strategy must be one of {', '.join(rank.STRATEGY_NAMES)}.", code="invalid_strategy")
    if not request.sources or set(request.sources) - SOURCES:
        raise InvalidInput("sources must be of memories and messages.", code="invalid_sources")


def _options(plan: _Plan, engine: Engine) -> rank.RankOptions:
    strategy = plan.request.strategy
    return engine.rank if strategy is None else replace(engine.rank, strategy=strategy)


def _found(plan: _Plan, engine: Engine) -> tuple[Found, ...]:
    """The union of the arms: vectors and words, people named, relations."""
    found: dict[str, Found] = {}
    query_terms = tuple(words.query_terms(" ".join((plan.request.query, *plan.question.terms))))
    ids = tuple(person.id for person in plan.named)
    wanted = plan.request.filter
    if plan.request.about or (plan.question.asks_everything and ids):
        wanted = replace(wanted, about=frozenset(ids))
    limit = max(ARM_LIMIT, plan.request.limit)
    search = Search(
        view=plan.view,
        vector=plan.vector,
        model=engine.model,
        terms=query_terms,
        filter=wanted,
        limit=limit,
        is_near=_nearness(plan, engine),
    )
    for candidate in engine.store.candidates(search):
        found[candidate.memory.id] = Found(
            memory=candidate.memory,
            similarity=engine.similarity(candidate.cosine),
            words=candidate.share or 0.0,
        )
    about = replace(wanted, about=frozenset(ids))
    for memory in engine.store.seen(plan.view, Listing(filter=about, limit=limit)) if ids else ():
        base = found.get(memory.id, Found(memory=memory))
        why = tuple(f"about:{one.name or one.id}" for one in plan.named if one.id in memory.subject_person_ids)
        found[memory.id] = changed(base, people=rank.PEOPLE_NAMED, why=why)
    slotted = replace(wanted, fact_keys=_slot_keys(plan))
    for memory in engine.store.seen(plan.view, Listing(filter=slotted, limit=SLOTTED_MAX)) if slotted.fact_keys else ():
        base = found.get(memory.id, Found(memory=memory))
        found[memory.id] = changed(base, people=rank.SLOT_ASKED, why=(*base.why, "fills_slot"))
    return _related(found, plan, engine)


def _nearness(plan: _Plan, engine: Engine) -> Callable[[float], bool] | None:
    """What tells noise before it is read; None where it may be wanted, or weighs on how the others are ranked."""
    is_weighed = _options(plan, engine).strategy in ("blended", "governed")
    if is_weighed or plan.named or plan.question.slot is not None or not _leaves_noise_out(plan, engine):
        return None
    return lambda cosine: engine.similarity(cosine) >= engine.rank.noise


def _slot_keys(plan: _Plan) -> frozenset[str]:
    """The keys of the slot that is asked for: of the people named, else of the asker."""
    slot = plan.question.slot
    if slot is None:
        return frozenset()
    slots = keys.TOLD_TOGETHER.get(slot, (slot,))
    if plan.named:
        return frozenset(f"{person.id}:{one}" for person in plan.named for one in slots)
    return frozenset(key for one in slots for key in (one, f"{plan.view.person}:{one}"))


def _related(found: Mapping[str, Found], plan: _Plan, engine: Engine) -> tuple[Found, ...]:
    """A memory related to another one that answers the query gains a little."""
    lent: dict[str, tuple[float, str]] = {}
    ties = engine.store.edges(plan.view.tenant, tuple(found), (EdgeKind.RELATED_TO,)) if len(found) > 1 else ()
    for tie in ties:
        for near, far in ((tie.src, tie.dst), (tie.dst, tie.src)):
            weight = (tie.strength or 0.0) * max(found[near].similarity, found[near].words)
            lent[far] = max(lent.get(far, (0.0, "")), (weight, near))
    return tuple(
        changed(item, relation=lent[memory_id][0], why=(*item.why, f"related:{lent[memory_id][1]}"))
        if lent.get(memory_id, (0.0, ""))[0] > 0
        else item
        for memory_id, item in found.items()
    )


def _above(ranked: Sequence[Found], plan: _Plan, engine: Engine) -> tuple[Found, ...]:
    similar = plan.request.similarity_min or 0.0
    good = (item for item in ranked if item.score >= _least(plan, engine) and not _is_noise(item, plan, engine))
    return tuple(item for item in good if _likeness(item, plan) >= similar)


def _likeness(item: Found, plan: _Plan) -> float:
    """How like the query it is, by meaning or words, keywords by both; what fills the slot asked for is wholly so."""
    if item.people >= rank.SLOT_ASKED:
        return 1.0
    together = 0.0 if plan.question.is_question else 1 - (1 - item.similarity) * (1 - min(item.words, 1.0))
    return max(item.similarity, item.words, together)


def _placed(good: Sequence[Found], messages: Sequence[Said], plan: _Plan, engine: Engine) -> tuple[Placed, ...]:
    """Memories and messages in one order. Who stands for whom does not depend on how many are asked for."""
    memories = good[: max(ARM_LIMIT, plan.request.limit)]
    joined = Joined(
        memories=memories,
        messages=messages,
        sources=sources(memories, plan.view, engine) if messages else {},
        least=_least(plan, engine),
        is_faded=not plan.question.asks_everything,
    )
    placed = one_ranking(joined, engine.join)
    return _near(placed, plan, engine) if messages and _is_bare(plan.request.query) else placed


def _near(placed: Sequence[Placed], plan: _Plan, engine: Engine) -> tuple[Placed, ...]:
    """Without the messages that neither have nor mean the keywords: only an answer may stand beside what is asked."""
    if not placed or not _leaves_noise_out(plan, engine):
        return tuple(placed)
    least = engine.join.remote * placed[0].score

    def is_remote(item: Said, score: float) -> bool:
        return _is_noise(item, plan, engine) or not (score >= least or item.words or item.is_of_the_time)

    return tuple(one for one in placed if not isinstance(one.item, Said) or not is_remote(one.item, one.score))


def _is_noise(item: Found | Said, plan: _Plan, engine: Engine) -> bool:
    """Whether it is merely the nearest there is: it has no word of the query, and its meaning is far from it."""
    if item.words or not _leaves_noise_out(plan, engine):
        return False
    is_asked_for = item.people > 0 if isinstance(item, Found) else item.is_of_the_time
    return item.similarity < engine.rank.noise and not is_asked_for


def _leaves_noise_out(plan: _Plan, engine: Engine) -> bool:
    return plan.vector is not None and plan.request.threshold is None and _least(plan, engine) > 0


def _least(plan: _Plan, engine: Engine) -> float:
    """The score below which nothing is returned."""
    if plan.request.threshold is not None:
        return plan.request.threshold
    return 0.0 if plan.question.asks_everything and plan.named else engine.rank.threshold


def _hits(kept: Sequence[Found], view: View, engine: Engine) -> dict[str, Hit]:
    """By memory id."""
    person_ids = {person for item in kept for person in (*item.memory.subject_person_ids, item.memory.stated_by or "")}
    persons = views.persons(person_ids - {""}, view, engine)
    links: dict[str, list[str]] = {}
    shown = {item.memory.id for item in kept}
    linked = engine.store.linked(view, [item.memory.id for item in kept[:LINKED_MAX]], limit=LINKS_MAX)
    texts = {memory.id: memory.content for memory in views.retold([memory for _, memory, _ in linked], view, engine)}
    for source, memory, _ in linked:
        if memory.id not in shown and len(links.setdefault(source, [])) < RELATED_MAX:
            links[source].append(texts[memory.id])
    return {
        item.memory.id: Hit(
            id=item.memory.id,
            source="memory",
            text=_told(item.memory, views.told(item.memory, persons, view)),
            score=item.score,
            why=item.why,
            about=views.labels(item.memory.subject_person_ids, persons, view),
            stated_by=next(iter(views.labels(filter(None, [item.memory.stated_by]), persons, view)), None),
            at=item.memory.observed_at,
            parts=item.parts,
            arms=item.arms,
            memory=item.memory,
            related=tuple(links.get(item.memory.id, ())),
        )
        for item in kept
    }


def _told(memory: Memory, text: str) -> str:
    return shape.told_steps(text, memory.steps) if memory.steps else text


def cards_of(shown: Sequence[Memory], view: View, engine: Engine) -> tuple[Card, ...]:
    """What else is known of the entities that were found; nothing that is already shown."""
    refs = tuple(dict.fromkeys(ref for memory in shown for ref in memory.entity_refs))[:CARDS_MAX]
    if not refs:
        return ()
    ids = {memory.id for memory in shown}
    more = engine.store.seen(view, Listing(refs=tuple(refs), importance_min=0.0, limit=ARM_LIMIT))
    worthy = [
        one
        for one in more
        if one.id not in ids and (one.pinned or lifecycle.effective_importance(one, now=view.now) >= CARD_IMPORTANCE)
    ]
    told = views.retold(worthy, view, engine)
    facts = {ref: tuple(dict.fromkeys(one.content for one in told if ref in one.entity_refs)) for ref in refs}
    return tuple(Card(ref=ref, facts=found[:CARD_FACTS_MAX]) for ref, found in facts.items() if found)


SPARE = 10
"""Messages beyond the limit that take the place of those that memories are made from."""
_ALL = Filter()


def are_asked(request: RecallRequest) -> bool:
    """Filters narrow by what only memories have: with one, nothing of the transcript fits."""
    is_open = replace(request.filter, user_id=None) == _ALL and request.filter.user_id in (None, request.viewpoint.user)
    return "messages" in request.sources and is_open and not request.about


def said(
    request: RecallRequest, view: View, engine: Engine, *, vector: NDArray[np.float32] | None, is_question: bool
) -> tuple[Said, ...]:
    """Messages that bear on the query, best first. A question, asked before or just now, is no answer to itself."""
    if not are_asked(request) or not engine.store.has(Transcript(view=view)):
        return ()
    question = understand(request.query, engine.judge.asked_time(request.query, now=view.now))
    search = MessageSearch(
        view=view,
        question=question,
        weights=engine.rank_messages.weights,
        vector=vector,
        model=engine.model,
        session=request.viewpoint.session,
        include_stale=request.include_stale,
        limit=request.limit + SPARE,
    )
    found = [
        Said(
            message=one.message,
            relevance=one.relevance,
            cosine=one.cosine,
            similarity=engine.similarity(one.cosine),
            words=one.share,
            coverage=one.coverage,
            parts=one.parts,
            why=("stale",) if one.is_stale else (),
        )
        for one in _candidates(search, engine, besides=keys.signs(request.query) if is_question else None)
    ]
    return rank_messages(found, question, options=engine.rank_messages)


def _candidates(search: MessageSearch, engine: Engine, *, besides: str | None) -> list[MessageCandidate]:
    """Messages other than a text; when it was said so often that it takes all places, those further down."""
    found = engine.store.message_candidates(search)
    left = [one for one in found if keys.signs(one.message.content) != besides]
    if len(left) + SPARE < len(found) == search.limit:
        return _candidates(replace(search, limit=search.limit * 4), engine, besides=besides)
    return left


def sources(found: Sequence[Found], view: View, engine: Engine) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Memory id → places of the messages it rests on, and of those that tell it again."""
    places: dict[str, tuple[tuple[int, int], ...]] = {}
    for one in engine.store.citations(view.tenant, [item.memory.id for item in found]):
        places[one.memory_id] = tuple(dict.fromkeys((*places.get(one.memory_id, ()), one.place)))
    return places


def with_messages(placed: Sequence[Placed], memories: Mapping[str, Hit], view: View, engine: Engine) -> tuple[Hit, ...]:
    """The one ranking as hits; `memories` are those of its memories, by id."""
    said = [one.item.message for one in placed if isinstance(one.item, Said)]
    others = [message for message in said if message.user_id != view.user]
    names = views.speakers(others, view, engine) if others else {}
    hits = [
        replace(_hit(one.item, view, names), score=one.score)
        if isinstance(one.item, Said)
        else _quoting(memories[one.item.memory.id], one)
        for one in placed
    ]
    # Numbers of scopes are given out as others come: they stay inside.
    return tuple(
        hit if hit.message is None else replace(hit, message=replace(hit.message, place=(0, 0)))
        for hit in _with_neighbours(hits, view, engine)
    )


def _quoting(hit: Hit, placed: Placed) -> Hit:
    if not placed.quotes:
        return hit if hit.score == placed.score else replace(hit, score=placed.score)
    ids = tuple(message.id or "" for message in placed.quotes)
    return replace(hit, score=placed.score, quote=placed.quotes[0].content, message_ids=ids)


def _with_neighbours(hits: Sequence[Hit], view: View, engine: Engine) -> tuple[Hit, ...]:
    messages = [hit.message for hit in hits if hit.message is not None]
    if not messages:
        return tuple(hits)
    beside = engine.store.neighbours(view, messages)
    return tuple(
        hit if hit.message is None else replace(hit, related=tuple(map(line, beside[hit.message.place])))
        for hit in hits
    )


def line(message: Message) -> str:
    """A message as one speaks of it: who, and what."""
    return f"{message.speaker or message.role}: {message.content}"


def _hit(item: Said, view: View, names: Mapping[str, str]) -> Hit:
    message = item.message
    is_own = message.role == "user" and message.speaker is None and message.user_id == view.user
    name = names.get(message.user_id or "") if message.role == "user" else None
    return Hit(
        id=message.id or "",
        source="message",
        text=message.content,
        score=item.standing,
        why=item.why,
        stated_by="you" if is_own else message.speaker or name or message.role,
        at=message.at or message.arrived_at,
        parts=item.parts,
        arms=item.arms,
        message=message,
    )


def reader_of(viewpoint: Viewpoint) -> Reader | None:
    """Who is told; nobody without a thread or a user."""
    if viewpoint.thread is None or viewpoint.user is None:
        return None
    return Reader(
        tenant=viewpoint.tenant,
        user=viewpoint.user,
        thread=viewpoint.thread,
        agent=viewpoint.agent,
        persona=viewpoint.persona,
    )


def peek(viewpoint: Viewpoint, view: View, engine: Engine) -> tuple[str, ...]:
    """The header as it would be given now; it will be given again."""
    reader = reader_of(viewpoint)
    return () if reader is None else _lines(engine.store.changes(view, reader), view, engine)


def take(viewpoint: Viewpoint, view: View, engine: Engine) -> tuple[str, ...]:
    """The header, once: whoever asks next is told of what comes after."""
    reader = reader_of(viewpoint)
    if reader is None:
        return ()
    changes = engine.store.changes(view, reader, taken=Taking(at=view.now, keep_turns=engine.keep_turns))
    return _lines(changes, view, engine)


def _lines(changes: Changes, view: View, engine: Engine) -> tuple[str, ...]:
    live = sorted({one.memory_id for one in changes.changes if one.is_live})
    memories = engine.store.memories_by_id(view.tenant, live) if live else {}
    speakers = {memory.stated_by for memory in memories.values() if memory.stated_by is not None}
    known = views.persons(speakers, view, engine)
    texts = {memory_id: views.told(memory, known, view) for memory_id, memory in memories.items()}
    told = [
        context.ToldChange(
            rev=one.rev,
            event=one.event,
            memory_id=one.memory_id,
            category=one.category,
            importance=one.importance,
            text=texts.get(one.memory_id),
            topic=memories[one.memory_id].value if one.memory_id in memories else None,
            notes=max(memories[one.memory_id].mention_count, 2) if one.memory_id in memories else 2,
        )
        for one in changes.changes
    ]
    return context.delta_header(changes.since, told)


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
    _check_query(request)
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


def _check_query(request: QueryRequest) -> None:
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
