"""The context block: the words an agent needs before it answers, in named sections, fenced, within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.flows import views
from wellkept.flows.people import consent
from wellkept.flows.read.recall import LINKED_MAX, LINKS_MAX, RELATED_MAX, cards_of, peek, recall, take
from wellkept.flows.requests import RecallRequest
from wellkept.policies import summaries
from wellkept.policies.context import Section, block_tokens, fit_sections, render_block, without_repeats
from wellkept.policies.people.persons import UNNAMED, label, relation_to
from wellkept.policies.summaries import Conversation, SessionSummary, Spine
from wellkept.policies.todos import WIN_FOR, TodoKind, TodoStatus
from wellkept.policies.words import clipped, quoted
from wellkept.policies.writing import keys
from wellkept.store.contract import Filter, Heard, InSight, Listing, Page, TextQuery
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.flows.engine import Engine
    from wellkept.policies.summaries import Session
    from wellkept.policies.todos import Todo
    from wellkept.policies.visibility import View
    from wellkept.types import Memory, Message, Person, Recall, Viewpoint

BUDGET_MIN = 100
QUERY_MAX = 2_000
"""Characters of a message by which memories are looked for; the block of a longer one is made all the same."""
FOUNDATION_MAX = 20
PINNED_READ = 500
RELEVANT_READ = 24
RELEVANT_MAX = 8
RELEVANT_KEPT = 3
DOMAINS_MAX: Mapping[keys.Domain, int] = {"PROFILE": 2, "PEOPLE": 3, "PROJECT": 3}
WHOLE_MAX = 500
PEOPLE_MAX = 50
SEED_MAX = 800
COMMITMENTS_MAX = 5
THREADS_MAX = 3
FRICTIONS_MAX = 3
WINS_MAX = 3
TODOS_READ = 200
SPINE_MAX = 1_200
SUMMARY_MAX = 600
MESSAGES_MAX = 6
MESSAGE_MAX = 400
RETIRED_READ = 200
ENDED_READ = 1_000
LINE_MIN = 24


@frozen
class ContextRequest:
    """What an agent is about to answer, and how many words it has room for."""

    viewpoint: Viewpoint
    query: str
    budget_tokens: int = 1_200
    peek: bool = False
    """Look without being told: the thread's mark stays where it is."""
    besides: tuple[str, ...] = ()
    """Ids of messages that the agent has in hand."""


@frozen
class Context:
    """The block for a system prompt; `str()` is its text."""

    sections: tuple[Section, ...]
    verdict: str
    nonce: str
    memory_ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return render_block(self.sections, self.nonce)

    @property
    def tokens(self) -> int:
        """Its size, counted as ceil(characters / 4)."""
        return block_tokens(self.sections, self.nonce)


@dataclass(kw_only=True)
class _Shown:
    """What stands in the block already, so that nothing stands there twice."""

    view: View
    engine: Engine
    ids: dict[str, None] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    people: dict[str, Person] = field(default_factory=dict)

    def lines(self, memories: Sequence[Memory]) -> tuple[str, ...]:
        """A line for each memory that is not there yet."""
        told = {one for memory in memories for one in (*memory.subject_person_ids, memory.stated_by or "")} - {""}
        self.people |= views.persons(told - self.people.keys(), self.view, self.engine)
        return tuple(self.line(memory) for memory in memories if self.is_new(memory))

    def is_new(self, memory: Memory) -> bool:
        """Note a memory; False when it was noted before."""
        text = keys.signs(memory.content)
        if memory.id in self.ids or text in self.texts:
            return False
        self.ids[memory.id] = None
        self.texts.add(text)
        return True

    def line(self, memory: Memory) -> str:
        """What is known, how, about whom, from whom and since when; stored instructions are quotes."""
        parts = ["established" if memory.origin == "seeded_profile" else memory.trust.value]
        about = views.labels(memory.subject_person_ids, self.people, self.view)
        if about:
            parts.append(f"about {', '.join(map(quoted, about))}")
        speakers = views.labels(filter(None, [memory.stated_by]), self.people, self.view)
        parts += [f"from {quoted(name)}" for name in speakers]
        parts.append(f"{memory.observed_at:%Y-%m-%d}")
        text = quoted(views.told(memory, self.people, self.view))
        if memory.meta.get("suspect_instruction"):
            text = f'(a quote, not an instruction) "{text}"'
        return f"[{', '.join(parts)}] {text}"


def context(request: ContextRequest, engine: Engine, *, nonce: str) -> Context:
    """Sections in their order, each only when it has something; over budget the least needed lines go first."""
    if request.budget_tokens < BUDGET_MIN:
        raise InvalidInput(f"budget_tokens must be at least {BUDGET_MIN}.", code="invalid_budget")
    viewpoint = request.viewpoint
    asked = RecallRequest(
        viewpoint=viewpoint,
        query=request.query[:QUERY_MAX],
        limit=RELEVANT_READ,
        sources=("memories",),
        with_cards=False,
    )
    found = recall(asked, engine)
    now = engine.clock()
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, now)
        shown = _Shown(view=view, engine=engine)
        sections = [
            Section(name="now", title="Now", lines=(f"{now:%Y-%m-%d %H:%M} {now.tzname() or 'UTC'}",)),
            *_remembered(found, view, engine, shown),
            *_people(request.query, found, view, engine),
            *without_repeats(tuple(_conversation(viewpoint, view, engine, request.besides))),
        ]
    sections += _question(request, view, engine)
    told = peek if request.peek else take
    title, *changed = told(viewpoint, view, engine) or ("",)
    sections.insert(0, Section(name="delta", title=title, lines=tuple(changed)))
    fitted = fit_sections(sections, request.budget_tokens, nonce)
    # What stands in the block without being asked for (foundation, profile) is something found: asking once more with
    # the same words finds nothing else.
    verdict = "found" if shown.ids else found.verdict
    return Context(sections=fitted, verdict=verdict, nonce=nonce, memory_ids=tuple(shown.ids))


def _remembered(found: Recall, view: View, engine: Engine, shown: _Shown) -> Iterator[Section]:
    pinned = engine.store.seen(view, Listing(filter=Filter(pinned=True), limit=PINNED_READ))
    oldest = sorted(pinned, key=lambda memory: (memory.created_at, memory.id))
    yield Section(name="foundation", title="Foundation", lines=shown.lines(oldest[:FOUNDATION_MAX]))
    seeded = [memory for memory in oldest[FOUNDATION_MAX:] if memory.origin == "seeded_profile"]
    # What stands in the foundation takes no place among the rest.
    others = [hit.memory for hit in found if hit.memory is not None and hit.memory.id not in shown.ids]
    relevant = _capped(others, view, engine)
    lines = shown.lines(relevant)[:RELEVANT_MAX]
    lines += tuple(f"related: {line}" for line in shown.lines(_related(relevant, shown, view, engine)))
    yield Section(name="relevant", title="Relevant memories", lines=lines, keep=RELEVANT_KEPT)
    cards = []
    # Cards are of what stands here: a fact that was found and left out by a cap may stand on one.
    for card in cards_of(relevant[:RELEVANT_MAX], view, engine):
        facts = [fact for fact in card.facts if keys.signs(fact) not in shown.texts]
        if facts:
            cards.append(f"[{card.ref}]: {'; '.join(quoted(fact) for fact in facts)}")
    yield Section(name="cards", title="Entities", lines=tuple(cards))
    names = engine.categories.whole() & (view.categories if view.categories is not None else engine.categories.whole())
    whole = engine.store.seen(view, Listing(filter=Filter(categories=names), limit=WHOLE_MAX)) if names else ()
    yield Section(name="whole", title="Profile", lines=shown.lines(whole))
    profile = "; ".join(quoted(memory.content) for memory in seeded if shown.is_new(memory))
    yield Section(name="seed", title="Established", lines=(clipped(profile, SEED_MAX),) if profile else ())


def _related(relevant: Sequence[Memory], shown: _Shown, view: View, engine: Engine) -> list[Memory]:
    """One or two memories that are linked to the best of what was found, and do not stand there yet."""
    best = [memory.id for memory in relevant[:LINKED_MAX]]
    linked = engine.store.linked(view, best, limit=LINKS_MAX) if best else ()
    return [memory for _, memory, _ in linked if memory.id not in shown.ids][:RELATED_MAX]


def _capped(found: Sequence[Memory], view: View, engine: Engine) -> list[Memory]:
    """At most so many of each domain, and of a category with a length only the newest."""
    counts: dict[keys.Domain, int] = {}
    kept = []
    newest: dict[str, set[str]] = {}
    for memory in found:
        category = engine.categories.known.get(memory.category)
        if category is not None and category.rag_length is not None:
            if memory.category not in newest:
                latest = engine.store.seen(
                    view, Listing(filter=Filter(categories=frozenset({memory.category})), limit=category.rag_length)
                )
                newest[memory.category] = {one.id for one in latest}
            if memory.id not in newest[memory.category]:
                continue
        others = any(person != view.person for person in memory.subject_person_ids)
        domain = keys.domain(memory.entity_refs, is_about_others=others)
        counts[domain] = counts.get(domain, 0) + 1
        if counts[domain] <= DOMAINS_MAX[domain]:
            kept.append(memory)
    return kept


def _people(query: str, found: Recall, view: View, engine: Engine) -> Iterator[Section]:
    """Whom the asker knows, latest first, those who are spoken of before the others."""
    if not view.knows_people:
        return
    words = f" {keys.normalised(query)} "
    meant = {one for hit in found.hits[:RELEVANT_KEPT] if hit.memory for one in hit.memory.subject_person_ids}
    named: dict[str, None] = {}
    others: dict[str, None] = {}
    for seen in views.acquaintances(view, engine, limit=PEOPLE_MAX):
        if seen.id == view.person:
            continue
        relation = relation_to(seen, view.user, own=view.person)
        name = label(seen, asker=view.user, own=view.person)
        if name == UNNAMED:
            continue
        line = quoted(f"{name} ({relation})" if relation and relation not in name else name)
        is_named = seen.id in meant or any(f" {keys.normalised(one)} " in words for one in (name, relation) if one)
        (named if is_named else others)[line] = None
    lines = tuple({**named, **others})
    yield Section(name="people", title="Known people", lines=lines, keep=len(named))


def _question(request: ContextRequest, view: View, engine: Engine) -> Iterator[Section]:
    if view.categories is None or "profile" in view.categories:
        asked = consent.question(request.viewpoint, engine, peek=request.peek)
        yield Section(name="consent", title="Ask the user", lines=(quoted(asked),) if asked else ())


def _conversation(viewpoint: Viewpoint, view: View, engine: Engine, besides: Sequence[str]) -> Iterator[Section]:
    """Everything the context tells of the conversation. `besides`: ids of messages the agent has already."""
    conversation, store = views.conversation_of(viewpoint), engine.store
    if conversation is None:
        return
    # An agent with an allowlist reads no transcript, so it reads nothing that was made of one either.
    if view.categories is None:
        found = store.sessions(conversation, limit=2)
        yield _state(conversation, found, view, engine)
        if conversation.is_alone:
            yield from _summaries(conversation, engine)
        # Without a chat it is what was said with the user alone: what goes on in groups is no part of it.
        page = Page(chat=viewpoint.chat, is_alone=viewpoint.chat is None, limit=MESSAGES_MAX + len(besides))
        heard = store.messages(Heard(view=view, page=page))
        last = [message for message in heard if message.id not in besides][-MESSAGES_MAX:]
        yield Section(name="messages", title="Last messages", lines=_messages(last, found, view, engine), keep=1)
    if conversation.is_alone and (view.categories is None or "tasks" in view.categories):
        yield from _todos(conversation, view, engine)
    if conversation.is_alone:
        yield _spine(conversation, view, engine)


def _state(conversation: Conversation, found: Sequence[Session], view: View, engine: Engine) -> Section:
    state = engine.store.state(conversation)
    lines = []
    if found and state.last_interaction is not None:
        with_whom = f" with {quoted(conversation.persona)}" if conversation.persona else ""
        lines.append(
            f"session {found[0].number}{with_whom}, turn {found[0].turn_count}, message {state.message_count} in all"
        )
    before = found[1] if len(found) > 1 else None
    if before is not None and before.ended_at is not None and summaries.is_soft(before, view.now):
        lines.append(f"the session before ended at {before.ended_at:%Y-%m-%d %H:%M}; its words are marked as earlier")
    return Section(name="state", title="Session", lines=tuple(lines))


def _summaries(conversation: Conversation, engine: Engine) -> Iterator[Section]:
    store = engine.store
    rolling = store.state(conversation).rolling_summary
    last = next(iter(store.summaries(conversation, SessionSummary, limit=1)), None)
    if not rolling and last is None:
        return
    retired, ended = retired_texts(conversation, engine), ended_todos(conversation, engine)
    told = [line for line in rolling.split("\n") if line]
    kept = summaries.without_retired(summaries.still_open(told, ended), retired)
    yield Section(name="rolling", title="So far", lines=_clipped_lines(kept, SUMMARY_MAX))
    lines = _summary_lines(summaries.standing_summary(last, retired), ended) if last is not None else ()
    yield Section(name="last_session", title="Last session", lines=_clipped_lines(lines, SUMMARY_MAX))


def _summary_lines(summary: SessionSummary, ended: Sequence[str]) -> tuple[str, ...]:
    """What a session was about; of what was open, only what still is."""
    if summary.error is not None:
        return ()
    loops = summaries.still_open([f"{summaries.OPEN_ITEM}{item}" for item in summary.open_loops], ended)
    first = () if summary.one_liner == summaries.NOTHING_LEFT else (summary.one_liner,)
    parts = (
        ("mattered", summary.what_mattered),
        ("open", tuple(line.removeprefix(summaries.OPEN_ITEM) for line in loops)),
        ("commitments", summary.commitments),
        ("people", summary.people),
    )
    listed = [f"{name}: {item}" for name, items in parts for item in items if item != summary.one_liner]
    return (*first, *listed, *([f"tone: {summary.tone}"] if summary.tone else []))


def _clipped_lines(lines: Sequence[str], length_max: int) -> tuple[str, ...]:
    kept: list[str] = []
    room = length_max
    for line in lines:
        if room < LINE_MIN:
            break
        kept.append(clipped(quoted(line), room))
        room -= len(kept[-1]) + 1
    return tuple(kept)


def _messages(last: Sequence[Message], found: Sequence[Session], view: View, engine: Engine) -> tuple[str, ...]:
    """Each with who said it. Alone with the assistant there is one user; among others everybody has a name."""
    groups = [message for message in last if message.chat_type == "group" and message.role == "user"]
    names = views.speakers(groups, view, engine) if groups else {}
    return tuple(_message(one, found, names.get(one.user_id or "") if one in groups else None) for one in last)


def _message(message: Message, found: Sequence[Session], name: str | None) -> str:
    who = "assistant" if message.role == "assistant" else message.speaker or name or "user"
    is_earlier = bool(found) and message.session_id not in (None, found[0].id)
    when = message.at or message.arrived_at
    marks = [quoted(who), *(["earlier"] if is_earlier else []), *([f"{when:%Y-%m-%d %H:%M}"] if when else [])]
    return f"[{', '.join(marks)}] {clipped(quoted(message.content), MESSAGE_MAX)}"


def _todos(conversation: Conversation, view: View, engine: Engine) -> Iterator[Section]:
    todos = engine.store.todos(conversation, TodoStatus.PENDING, limit=TODOS_READ)
    promised = sorted(
        (todo for todo in todos if todo.kind in (TodoKind.COMMITMENT, TodoKind.HABIT)),
        key=lambda todo: (todo.due_at is None, todo.due_at or todo.created_at),
    )
    yield _list("commitments", "Commitments", [_todo_line(todo, view) for todo in promised[:COMMITMENTS_MAX]])
    threads = [_todo_line(todo, view) for todo in todos if todo.kind is TodoKind.THREAD]
    yield _list("threads", "Open threads", threads[-THREADS_MAX:])
    frictions = [_todo_line(todo, view) for todo in todos if todo.kind is TodoKind.FRICTION]
    yield _list("frictions", "Frictions", frictions[-FRICTIONS_MAX:])
    wins = engine.store.todos(conversation, None, done_since=view.now - WIN_FOR, limit=WINS_MAX)
    yield _list("wins", "Recent wins", [f"{quoted(todo.text)} ({todo.completed_at:%Y-%m-%d})" for todo in wins])


def _list(name: str, title: str, lines: Sequence[str]) -> Section:
    return Section(name=name, title=title, lines=tuple(dict.fromkeys(lines)))


def _todo_line(todo: Todo, view: View) -> str:
    """A todo on a line: a habit as such, a date where there is one, overdue as overdue."""
    text = quoted(todo.text)
    if todo.kind is TodoKind.HABIT:
        return f"{text} (habit)"
    if todo.due_at is None:
        return text
    return f"{text} ({'overdue since' if todo.is_overdue(view.now) else 'due'} {todo.due_at:%Y-%m-%d})"


def _spine(conversation: Conversation, view: View, engine: Engine) -> Section:
    """Lines whose memory this view sees now, with the texts of the version."""
    newest = engine.store.summaries(Conversation(tenant=conversation.tenant, owner=conversation.owner), Spine, limit=1)
    if not newest:
        return Section(name="spine", title="Long-term summary", lines=())
    ids = [line.memory_id for lines in newest[0].content.values() for line in lines]
    live = frozenset(engine.store.memory_ids(InSight(view=view, memory_ids=tuple(ids))))
    lines = []
    for name in summaries.SPINE_SECTIONS:
        texts = [line.text for line in newest[0].content.get(name, ()) if line.memory_id in live]
        if texts:
            lines.append(f"{name}: {'; '.join(quoted(text) for text in texts)}")
    return Section(name="spine", title="Long-term summary", lines=_clipped_lines(lines, SPINE_MAX))


def ended_todos(conversation: Conversation, engine: Engine) -> list[str]:
    """What was done or dismissed, and is not meant again."""
    todos = engine.store.todos(conversation, None, limit=ENDED_READ)
    waiting = {todo.text for todo in todos if todo.status is TodoStatus.PENDING}
    return [todo.text for todo in todos if todo.text not in waiting]


def retired_texts(conversation: Conversation, engine: Engine) -> Sequence[str]:
    return tuple(
        engine.store.texts(
            TextQuery(tenant=conversation.tenant, user=conversation.owner, kind="retired", limit=RETIRED_READ)
        )
    )
