"""Chat without a model: stores what it is told, answers what it is asked, and says when it does not know."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from wellkept.errors import Ambiguous, InvalidInput, PersonNotFound
from wellkept.flows import views
from wellkept.flows.people import consent
from wellkept.flows.read.recall import recall
from wellkept.flows.requests import RecallRequest, RememberRequest, Statement
from wellkept.flows.sessions import todos
from wellkept.flows.sessions.turn import arrive
from wellkept.flows.write import observe
from wellkept.flows.write.extract_messages import learn
from wellkept.flows.write.observe import ObserveRequest, clean_lines
from wellkept.flows.write.remember import remember
from wellkept.judges.base import Answer, Fact
from wellkept.judges.english.questions.voice import to_second_person
from wellkept.judges.english.slots.endings import as_it_was
from wellkept.judges.english.worth.requests import recognise
from wellkept.policies.people.names import Likeness, likeness, normalise
from wellkept.policies.people.persons import label, seen_by
from wellkept.policies.people.profile_fields import is_order
from wellkept.policies.people.references import parse
from wellkept.policies.ranking.rank import AnswerOptions, choose_answer
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.upkeep.extraction import WINDOW_MESSAGES
from wellkept.policies.visibility import Facts, visible
from wellkept.policies.writing import keys
from wellkept.policies.writing.gate import CONTENT_MAX as TEXT_MAX
from wellkept.policies.writing.gate import REFUSALS, is_low_signal
from wellkept.policies.writing.shape import clean
from wellkept.store.contract import OfChat, Retracted
from wellkept.types import Message
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.types import Hit, Memory, Outcome, Person, Recall, Role, Viewpoint


FACTS_MAX = 20
ENDED_MAX = 50
"""How many of the things that a user took back are looked at, the latest first."""
HOW_TO_FORGET = (
    "I take nothing out of memory on a word alone. `wellkept memory search` finds it, `wellkept memory delete ID` "
    "takes it out, and `wellkept people forget NAME` everything about a person."
)

_SPELLINGS = (Likeness.EQUAL, Likeness.SOUND)
UNKNOWN = "I don't know."
LEARNED = "shadow_extraction"
NO_LONGER = "No, not as far as I know."
NOTHING_TO_KEEP = "I found nothing to keep in that. What starts with “remember” I keep as you say it."

_FORGET = re.compile(
    r"\s*(?:please\s+|can you\s+|could you\s+)?(?:forget|delete|erase|remove)\b(?!\s+to\b)", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.,;:!?…。、，；：！？]\s*[^\W_]|\n")
_NEVER_MIND = re.compile(r"\W*(?:oh\W+)?(?:never ?mind|forget (?:about )?(?:it|that))\W*", re.IGNORECASE)
_ABOUT_THE_PAST = re.compile(r"\b(?:used to|did|was|were|ever|once|former(?:ly)?|before)\b", re.IGNORECASE)

_THANKS = (
    r"(?:many |ok |okay )?(?:thanks?|thx|ty|cheers|gracias|danke|merci|grazie|obrigad[oa]|tack|谢谢|ありがとう)"
    r"(?: (?:you|u|so|very|much|a lot|a bunch|again|mate|for (?:that|the help|your help|everything)))*"
)
_FAREWELL = (
    r"(?:ok |okay )?(?:good ?bye|bye(?: bye)?|see (?:you|ya)|cya|good night|take care|talk (?:to you )?(?:later|soon)"
    r"|adiós|tschüss|au revoir|ciao)(?: (?:later|soon|tomorrow|for now|all|everyone|then|now))*"
)
_GREETING = (
    r"(?:(?:hi|hey|hello|hiya|yo|howdy|greetings|hola|hallo|bonjour|salut|olá|你好|こんにちは"
    r"|good (?:morning|afternoon|evening|day))[ ,]*)+(?:there|again|all|everyone|friend|wellkept)?"
)
_PLEASANTRIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(_THANKS, re.IGNORECASE), "You're welcome."),
    (re.compile(_FAREWELL, re.IGNORECASE), "Goodbye."),
    (re.compile(_GREETING, re.IGNORECASE), "Hello! Tell me something to remember, or ask me about it."),
)
"""What is only polite, with what one says to it. It is never stored."""


@frozen
class Reply:
    """What was said back, and what it did or rests on."""

    text: str
    outcomes: tuple[Outcome, ...] = ()
    memory_ids: tuple[str, ...] = ()


def chat(text: str, viewpoint: Viewpoint, engine: Engine) -> Reply:
    """One turn of a conversation; a question about the user's profile that waits is asked after what is told.

    What is said goes into the transcript, and what was said before it tells who "he" is. What is said, what it teaches
    and the reply are stored together or not at all, so that a turn that failed can be taken again.
    """
    if not clean(text):
        raise InvalidInput("Say something: the text is empty.", code="empty_content")
    if len(text) > TEXT_MAX:
        raise InvalidInput(f"A text may have at most {TEXT_MAX} characters.", code="content_too_long")
    window = engine.store.messages(OfChat(place=views.place_of(viewpoint), limit=WINDOW_MESSAGES - 1))
    is_question = engine.judge.question(text).is_question
    # One clause: it tells nothing beside.
    only_asks = is_question and _CLAUSE_END.search(text) is None
    # What a question tells beside ("Ola turns 22 in March. What did she wish for?") is learned as what is overheard is,
    # and so is that the message before was a joke.
    is_learned = (is_question and not only_asks) or engine.judge.is_jest(text)
    asked = ObserveRequest(viewpoint=viewpoint, messages=_messages("user", text), is_idle=only_asks, extract=is_learned)
    prepared = _prepared(asked, engine)
    kept = cache(lambda: _heard(text, prepared, engine))
    message = prepared.fresh[0].message if prepared is not None and prepared.fresh else None
    with engine.store.transaction(is_lazy=True):
        if is_learned:
            kept()
            learn(viewpoint, engine)
        reply = _reply(Statement(text=text, message=message, window=window), viewpoint, engine, kept)
        said = kept()
        answer = _messages("assistant", reply.text, session=None if said is None else said.session_id)
        told = replace(asked, messages=answer, rests_on=reply.memory_ids, is_idle=True, extract=False)
        _kept(_prepared(told, engine), engine)
    return reply


def _messages(role: Role, text: str, *, session: str | None = None) -> tuple[Message, ...]:
    return (Message(role=role, content=clean_lines(text), session_id=session),)


def _prepared(request: ObserveRequest, engine: Engine) -> observe.Prepared | None:
    """None where nobody in particular speaks: that has no transcript."""
    is_owned = request.viewpoint.user is not None or request.viewpoint.chat is not None
    return observe.prepare(request, engine) if is_owned else None


def _heard(text: str, prepared: observe.Prepared | None, engine: Engine) -> Message | None:
    """The message, in the transcript and counted in its session; None where there is nobody and no chat to keep it."""
    conversation = None if prepared is None else views.conversation_of(prepared.request.viewpoint)
    if prepared is None or conversation is None:
        return None

    def take_in() -> Message | None:
        session, _ = arrive(text, conversation, engine, prepared.now)
        return next(iter(observe.keep(prepared, engine, session_id=session.id)), None)

    return views.write_in(prepared.request.viewpoint, engine, take_in)


def _kept(prepared: observe.Prepared | None, engine: Engine) -> None:
    if prepared is not None:
        views.write_in(prepared.request.viewpoint, engine, lambda: observe.keep(prepared, engine))


def _reply(statement: Statement, viewpoint: Viewpoint, engine: Engine, kept: Callable[[], Message | None]) -> Reply:
    settled = consent.answered(statement.text, viewpoint, engine)
    if settled is not None:
        return Reply(text="Noted." if settled.state == "approved" else "All right, I leave it as it is.")
    reply = _done(statement, viewpoint, engine, kept)
    if engine.judge.question(statement.text).is_question:
        return reply  # an answer holds what was asked for, and nothing else
    asked = consent.question(viewpoint, engine, is_fresh=True)
    return reply if asked is None else replace(reply, text=_joined([reply.text, asked]))


def _done(statement: Statement, viewpoint: Viewpoint, engine: Engine, kept: Callable[[], Message | None]) -> Reply:
    text = statement.text
    question = engine.judge.question(text)
    if question.is_question:
        return _answer(text, viewpoint, engine)
    if _NEVER_MIND.fullmatch(text) or engine.judge.is_jest(text):
        return Reply(text="All right.")
    if _FORGET.match(text):
        return Reply(text=HOW_TO_FORGET)
    pleasantry = _pleasantry(text)
    if pleasantry is not None or is_low_signal(text):
        return Reply(text=pleasantry or "All right.")
    text, listed = todos.taken(text, viewpoint, engine)
    is_talk = not engine.judge.is_repair(text) and engine.judge.is_talk(text) and not has_secret(text)
    if not text or is_talk:
        return Reply(text=listed or todos.not_listed(text, engine) or NOTHING_TO_KEEP)
    is_remark = recognise(text) is None and not is_order(text)
    told = replace(statement, text=text, is_remark=is_remark)
    outcomes = remember(RememberRequest(viewpoint=viewpoint, statements=(told,)), engine, kept=kept)
    first = outcomes[0]
    # What waits for a yes is asked for at the end of the reply.
    done = [one for one in (first, *first.others) if one.outcome != "queued_for_consent"]
    return Reply(
        text=_joined([*map(_said, done), *([listed] if listed else [])]),
        outcomes=(first, *first.others),
    )


def _is_past(memory: Memory) -> bool:
    return keys.is_ended(memory.fact_key or "") or "used to" in memory.content


def _pleasantry(text: str) -> str | None:
    """The reply to thanks, a greeting or a farewell that says nothing else."""
    said = " ".join(re.findall(r"[^\W_]+(?:['’]\w+)?", text))
    return next((reply for words, reply in _PLEASANTRIES if words.fullmatch(said)), None)


def _answer(text: str, viewpoint: Viewpoint, engine: Engine) -> Reply:
    meant = _meant(text, viewpoint, engine)
    if isinstance(meant, Reply):
        return meant
    wanted = RecallRequest(viewpoint=viewpoint, query=text, limit=FACTS_MAX, threshold=0.0, sources=("memories",))
    found = recall(wanted, engine)
    facts = _readable(text, found, meant, viewpoint, engine)
    ended = tuple(fact for fact in facts if _is_past(fact.memory))
    if not _ABOUT_THE_PAST.search(text):
        # What has ended is no answer to a question about now.
        facts = tuple(fact for fact in facts if fact not in ended)
    if asks_of_the_past(text):
        answer = answer_of_the_past(text, facts, viewpoint, engine)
        return Reply(text=answer.text, memory_ids=answer.memory_ids)
    name = views.own_name(viewpoint, views.view_of(viewpoint, engine, engine.clock()), engine)
    for asked, read in ((text, facts), _by_known_names(text, facts, meant, engine)):
        answer = engine.judge.answer(replace(engine.judge.question(asked), asker=name), read, now=engine.clock())
        if answer.memory_ids:
            break
    if not answer.memory_ids:
        answer = _is_over(text, ended, engine) or answer
    if answer.memory_ids:
        return Reply(text=answer.text, memory_ids=answer.memory_ids)
    told = answer_in_words_told(text, meant, viewpoint, engine)
    if told is not None:
        return Reply(text=told[0], memory_ids=told[1])
    listed = todos.asked(text, viewpoint, engine)
    if listed is not None:
        return Reply(text=listed)
    return Reply(text=NO_LONGER if _has_ended(text, viewpoint, engine) else UNKNOWN)


def _readable(
    text: str, found: Recall, meant: Sequence[Person], viewpoint: Viewpoint, engine: Engine
) -> tuple[Fact, ...]:
    """What rules may answer from. Of what was overheard and stands as it was said a reader tells whether it answers."""
    facts = (fact for fact in views.facts(found, viewpoint, engine) if not _is_of_a_namesake(fact, meant))
    if engine.judge.answering(text, ()) is None:
        return tuple(facts)
    return tuple(one for one in facts if not _is_quoted(one.memory))


def _is_quoted(memory: Memory) -> bool:
    """Whether it was overheard and stands as somebody said it of themself: "haven't had one in months"."""
    return memory.origin == LEARNED and memory.content == memory.quote and bool(memory.subject_person_ids)


def _is_over(text: str, ended: Sequence[Fact], engine: Engine) -> Answer | None:
    """No, when the answer would be yes if something that is said to be over were still so."""
    for fact in ended:
        before = as_it_was(fact.memory.content)
        if before is None:
            continue
        still = replace(fact, memory=replace(fact.memory, content=before))
        if engine.judge.answer(engine.judge.question(text), (still,), now=engine.clock()).text.startswith("Yes"):
            return Answer(text=f"No. {to_second_person(fact.memory.content)}", memory_ids=(fact.memory.id,))
    return None


def _has_ended(text: str, viewpoint: Viewpoint, engine: Engine) -> bool:
    """Whether the answer would be yes if what the user took back were still so."""
    if viewpoint.user is None:
        return False
    view = views.view_of(viewpoint, engine, engine.clock())
    ended = engine.store.memories(Retracted(scope=(view.tenant, Space.USER, viewpoint.user), limit=ENDED_MAX))
    alive = [replace(memory, state=State.ACTIVE, valid_to=None, superseded_at=None) for memory in ended]
    seen = [memory for memory in alive if visible(memory, view, Facts()).verdict == "shown"]
    own = views.to_asker(seen, viewpoint, view, engine)
    facts = tuple(Fact(memory=memory, similarity=0.0, score=0.0, subjects=(views.YOU,)) for memory in own)
    return engine.judge.answer(engine.judge.question(text), facts, now=view.now).text.startswith("Yes")


def _meant(text: str, viewpoint: Viewpoint, engine: Engine) -> tuple[Person, ...] | Reply:
    """Whom the question is about. A name that fits several people is asked back, never guessed."""
    view = views.view_of(viewpoint, engine, engine.clock())
    asked = engine.judge.question(text).about
    try:
        found = views.mentioned(asked, view, engine, strict=len(asked))
        return tuple(seen_by(person, view.user) for person in found)
    except PersonNotFound:
        return ()
    except Ambiguous as error:
        names = [candidate.rsplit(" (", 1)[0] for candidate in error.candidates]
        return Reply(text=f"I know more than one by that name: {'; '.join(names)}. Which one do you mean?")


def _by_known_names(
    text: str, facts: Sequence[Fact], meant: Sequence[Person], engine: Engine
) -> tuple[str, tuple[Fact, ...]]:
    """Question and facts with one name for each person meant, whatever spelling, alias or handle was used in either."""
    for said in engine.judge.question(text).about:
        alike = [label(person) for person in meant if likeness(said, label(person)) in _SPELLINGS]
        held = {*alike} if len(meant) > 1 else {label(person) for person in meant}
        if len(held) == 1 and said not in held and parse(said).relation is None:
            text = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", held.pop(), text)
    known = tuple(
        replace(one, memory=replace(one.memory, content=views.by_one_name(one.memory.content, meant)))
        if any(person.id in one.memory.subject_person_ids for person in meant)
        else one
        for one in facts
    )
    return views.by_one_name(text, meant), known


def _is_of_a_namesake(fact: Fact, meant: Sequence[Person]) -> bool:
    """Whether it tells of another John than the one who is asked about."""
    ids, names = {person.id for person in meant}, {normalise(person.name) for person in meant if person.name}
    is_of_them = not ids.isdisjoint(fact.memory.subject_person_ids)
    return bool(ids) and not is_of_them and any(normalise(name) in names for name in fact.subjects)


def _joined(sentences: Sequence[str]) -> str:
    """Sentences one after the other, each said once and each with its end."""
    told = dict.fromkeys(sentences)
    if len(told) == 1:
        return sentences[0]
    return " ".join(one if one.endswith((".", "!", "?")) else f"{one}." for one in told)


def _said(outcome: Outcome) -> str:
    """The outcome in a sentence."""
    match outcome.outcome:
        case "created" | "updated" | "merged":
            return "I'll remember that."
        case "duplicate":
            return "I know that already."
        case "superseded_old":
            return "I'll remember that, and no longer what you told me before."
        case _:
            return REFUSALS.get(outcome.reason or "", "I did not store that.")


READ_MAX = 8
"""Of what a recall finds, so much is asked whether it answers."""
OPTIONS = AnswerOptions()

_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i['’]\w+|me|my|mine|we|us|our)\b")


def answer_in_words_told(
    text: str, meant: Sequence[Person], viewpoint: Viewpoint, engine: Engine
) -> tuple[str, tuple[str, ...]] | None:
    """What is said to the question, and the memories it rests on; None when nothing surely answers it.

    `meant` are the people it is about, whom the question and what was told may call by different names.
    """
    found = recall(RecallRequest(viewpoint=viewpoint, query=text, limit=READ_MAX, threshold=0.0), engine)
    hits = [hit for hit in found.hits if hit.memory is not None or (hit.message and hit.message.role == "user")]
    shown = [views.by_one_name(_shown(hit), meant) for hit in hits]
    likely = engine.judge.answering(views.by_one_name(text, meant), shown) if hits else None
    if not likely:
        return None
    chosen = choose_answer([one.share for one in likely], OPTIONS)
    if not chosen:
        return None
    view = views.view_of(viewpoint, engine, engine.clock())
    best = [_to_asker(hits[one.row], viewpoint, view, engine) for one in chosen]
    # A fact that can be retold surely is the whole answer; of what was said, two messages may tell it.
    told = best if _is_verbatim(best[0]) else best[:1]
    word = likely[chosen[0].row].word
    said = " ".join(_in_words_told(hit, view.now) for hit in told)
    return f"{word}. {said}" if word else said, tuple(hit.id for hit in told if hit.memory is not None)


def _to_asker(hit: Hit, viewpoint: Viewpoint, view: View, engine: Engine) -> Hit:
    if hit.memory is None:
        return hit
    return replace(hit, memory=views.to_asker([hit.memory], viewpoint, view, engine)[0])


def _shown(hit: Hit) -> str:
    """A hit as the reader knows it from conversations: who said it, in their own words where they are kept."""
    quote = hit.memory.quote if hit.memory is not None else hit.text
    return hit.text if quote is None else f"{hit.stated_by or 'user'}: {quote}"


def _is_verbatim(hit: Hit) -> bool:
    """Whether it stands in somebody's own words, and is told as such."""
    memory = hit.memory
    return memory is None or memory.content == memory.quote or _FIRST_PERSON.search(memory.content) is not None


def _in_words_told(hit: Hit, now: datetime) -> str:
    """A memory in the second person; what stands in somebody's own words is quoted with its day."""
    memory = hit.memory
    if memory is None or _is_verbatim(hit):
        at = (memory.observed_at if memory is not None else hit.at) or now
        day = f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B %Y}"
        return f"On {day} {hit.stated_by or 'you'} said: “{hit.text}”"
    told = to_second_person(memory.content)
    return told if told.endswith((".", "!", "?")) else f"{told}."


_ASKED = re.compile(
    r"^\W*(?:and |so )?(?:who|whom|whose|where|what|which|how)\b.*(?:\b(?:was|were|did|had)\b.*\b(?:before|earlier"
    r"|previously|formerly)\b(?= (?:that|this|now)\b|\W*$)|\b(?:previous|former)\b)",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = re.compile(
    r"\s*\b(?:(?:before|earlier|previously|formerly)(?: (?:that|this|now))?(?=\W*$)|previous\b|former\b)", re.IGNORECASE
)
_PAST = re.compile(r"\bused to\b|\b(?:was|were|had|did)\b|\bformer(?:ly)?\b|\bprevious(?:ly)?\b", re.IGNORECASE)


def asks_of_the_past(text: str) -> bool:
    """Whether a question wants what was so before, and not what is so now."""
    return _ASKED.search(text) is not None


def answer_of_the_past(text: str, facts: Sequence[Fact], viewpoint: Viewpoint, engine: Engine) -> Answer:
    """What is told of the past; else what the present answer took the place of."""
    question, now = engine.judge.question(_WORDS.sub("", text)), engine.clock()
    past = tuple(fact for fact in facts if _tells_past(fact.memory))
    told = engine.judge.answer(question, past, now=now)
    if told.memory_ids:
        return told
    present = engine.judge.answer(question, tuple(fact for fact in facts if fact not in past), now=now)
    used = [fact for fact in facts if fact.memory.id in present.memory_ids]
    before = tuple(one for fact in used for one in _replaced(fact, viewpoint, engine))
    found = engine.judge.answer(question, before, now=now)
    return replace(found, text=f"You told me before: {found.text}") if found.memory_ids else Answer(text=UNKNOWN)


def _tells_past(memory: Memory) -> bool:
    return keys.is_ended(memory.fact_key or "") or _PAST.search(memory.content) is not None


def _replaced(fact: Fact, viewpoint: Viewpoint, engine: Engine) -> list[Fact]:
    """What the asker told before, in the same place. What was only put right never was so."""
    memory = fact.memory
    if memory.is_correction or memory.stated_by is None:
        return []
    view = views.view_of(viewpoint, engine, engine.clock())
    edges = engine.store.edges(memory.tenant, memory.id, (EdgeKind.SUPERSEDES,))
    old = engine.store.memories_by_id(memory.tenant, [edge.dst for edge in edges if edge.src == memory.id]).values()
    alive = [
        replace(one, state=State.ACTIVE, valid_to=None, superseded_at=None)
        for one in old
        if one.state in (State.SUPERSEDED, State.ARCHIVED) and one.stated_by == memory.stated_by == view.person
    ]
    seen = [one for one in alive if visible(one, view, Facts()).verdict == "shown"]
    told = views.to_asker(seen, viewpoint, view, engine)
    return [replace(fact, memory=one, similarity=0.0, score=0.0) for one in told]
