"""Reads the facts out of a message: what is said, of whom, how private, and which slot it fills."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recollect.judges.rules import assemble, language, lexicon, orders, privacy, requests, topics, worth
from recollect.judges.rules.assemble import Draft, Setting
from recollect.judges.rules.grammar import Sentence, parse, sentences
from recollect.judges.rules.people import Discourse, nouns_of
from recollect.judges.rules.retelling import Shaped, Voice
from recollect.judges.rules.shape import shape

if TYPE_CHECKING:
    from recollect.judges.base import Reading
    from recollect.judges.rules.clauses import Clause
    from recollect.types import Claim

# Clauses that only say when, where or how far the main clause holds; they stay with it.
_ADJUNCTS = frozenset(
    ("when", "whenever", "while", "until", "till", "before", "after", "once", "as", "since", "where", "if", "unless")
)
_MATERIAL = re.compile(
    r"(?is)^\s*(?:please |can you |could you )*(?:translate|rewrite|rephrase|proofread|summari[sz]e|paraphrase"
    r"|correct|fix|edit|explain|continue|complete|analy[sz]e|improve|review|format"
    r"|write|draft|generate|act as|roleplay|classify|extract|convert|say|how (?:do|would|can) (?:i"
    r"|you) say)\b[^.\n]{0,80}?[:\n]"
)
_STORY = re.compile(r"(?i)^\s*(?:once upon a time|once there (?:was|were|lived)|it was a dark)")
_LOW_SIGNAL = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|thanks?(?: you)?|thx|hi|hello|hey|please|pls|yes|no|sure|cool|great|bye)?\W*$"
)
# Only these words need the messages before.
_LOOKS_BACK = re.compile(r"(?i)\b(?:he|she|they|him|her|hers|his|them|their|theirs|there|my|our)\b")
_TO_DO = re.compile(r"(?i)to (?:always |never )?[a-z]+\b")
_NEED = "I need"
FACTIVE = lexicon.words("know learn find discover realize realise confirm notice remember mention")


@dataclass(frozen=True, kw_only=True)
class _Unit:
    """A main clause with the adjuncts that hang on it, and the sentence it stands in."""

    clause: Clause
    adjuncts: tuple[Clause, ...]
    sentence: str


def extract(reading: Reading) -> tuple[Claim, ...]:
    """The facts in the last message of the reading."""
    if not reading.messages or reading.messages[-1].role != "user":
        return ()
    text = _unlabelled(reading.messages[-1].content, reading.speaker)
    request = requests.recognise(text)
    body, start = (request.payload, request.start) if request is not None else (text, 0)
    if request is not None and not request.is_procedure and _TO_DO.match(body):
        body, start = _as_task(body, start)
    if reading.is_explicit and request is None:
        body, start = _without_that(text)
    if request is None or request.persona is None:
        body, cut = requests.without_confidence(body)
        start += cut
    setting = _setting(reading, text, body, start, request)
    if not body.strip():
        return ()
    if request is not None and request.is_procedure:
        return (assemble.procedure(setting),)
    if setting.language != "en":
        return (assemble.own_words(setting, None, 0, len(body)),) if reading.is_explicit else ()
    return _explicit(setting) if reading.is_explicit else _background(setting)


def _as_task(body: str, start: int) -> tuple[str, int]:
    """For "Remember to buy milk" is a task of the speaker; "remember to call me Bob" an order."""
    if re.match(r"(?i)to (?:always |never )?(?:call me|use|write|answer|speak|reply|respond|avoid)\b", body):
        return body[3:], start + 3
    return f"{_NEED} {body}", start - len(_NEED) - 1


def _unlabelled(text: str, speaker: str | None) -> str:
    """The message with a leading "Name:" of the speaker blanked, so that places stay the same."""
    if speaker is None or not text.startswith(f"{speaker}:"):
        return text
    return " " * (len(speaker) + 1) + text[len(speaker) + 1 :]


def _without_that(text: str) -> tuple[str, int]:
    match = re.match(r"(?i)\s*(?:that|to remember(?: that)?)\s+(?=\S)", text)
    cut = match.end() if match is not None and not re.match(r"(?i)\s*that(?:['’]s| (?:is|was)\b)", text) else 0
    return text[cut:], cut


def _setting(reading: Reading, text: str, body: str, start: int, request: requests.Request | None) -> Setting:
    known = frozenset(name.casefold() for name in reading.people)
    discourse = Discourse(known=known)
    for number, message in enumerate(reading.messages[:-1] if _LOOKS_BACK.search(body) else ()):
        if message.role in {"user", "assistant"}:
            for clause in parse(message.content):
                discourse.note(clause, number)
    words = frozenset(re.findall(r"[\w-]+", body.casefold()))
    voice = Voice(
        speaker=reading.speaker,
        discourse=discourse,
        is_work=bool(words & (topics.WORK - {"report", "review", "support", "design"})),
    )
    return Setting(
        reading=reading, text=text, body=body, start=start, voice=voice, request=request, language=language.guess(body)
    )


# Background


def _background(setting: Setting) -> tuple[Claim, ...]:
    body = setting.body
    if topics.JOKE.search(body) or _MATERIAL.match(body) or _STORY.match(body) or privacy.SUSPECT.search(body):
        return ()
    out: list[Claim] = []
    number = len(setting.reading.messages)
    for unit in _units(setting):
        clause = unit.clause
        is_blocked = (
            topics.FICTION.search(unit.sentence)
            or topics.PLACEHOLDER.search(unit.sentence)
            or privacy.CONFIDENTIAL.search(clause.text)
        )
        draft = None if is_blocked else _draft(setting, unit)
        if draft is not None:
            out.append(assemble.claim(setting, draft))
        setting.voice.discourse.note(clause, number)
    return tuple(out)


def _split_lists(unit: _Unit) -> list[_Unit]:
    """For "I have two kids and a dog called Rex" tells two facts; "I have two cats, Miso and Tofu" one."""
    clause = unit.clause
    verb, thing = clause.verb, clause.object
    if (
        verb is None
        or verb.lemma not in {"have", "get", "own"}
        or thing is None
        or len(thing.parts) < 2
        or clause.complement is not None
    ):
        return [unit]
    if not all(
        part.determiner in {"a", "an"}
        or (part.modifiers and part.head)
        or (part.relation is not None and part.text[:1].isdigit())
        for part in thing.parts
    ):
        return [unit]
    out: list[_Unit] = []
    for part in thing.parts:
        tokens = tuple(
            token for token in clause.tokens if token.start < verb.end or part.start <= token.start < part.end
        )
        lone = replace(
            clause, object=part, rest=part.text, rest_start=part.start, end=part.end, phrases=(), tokens=tokens
        )
        out.append(replace(unit, clause=lone))
    return out


def _draft(setting: Setting, unit: _Unit) -> Draft | None:
    clause = _with_thing(unit.clause, setting)
    if (
        clause.inner
        and clause.verb is not None
        and clause.verb.lemma in FACTIVE
        and clause.subject is not None
        and clause.subject.pronoun == "i"
        and not clause.verb.is_negative
    ):
        clause = replace(clause.inner[0], sentence=clause.sentence)
    value = worth.weigh(clause, known=setting.voice.discourse.known, sentence=unit.sentence)
    if value.confidence <= 0 or any(adjunct.conjunction in lexicon.CONDITIONALS for adjunct in unit.adjuncts):
        return None
    shaped = shape(setting.body, clause, setting.voice)
    if not shaped.is_certain:
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit.adjuncts)
    return Draft(clause=clause, content=content, resolved=resolved, confidence=value.confidence, sentence=unit.sentence)


def _with_thing(clause: Clause, setting: Setting) -> Clause:
    """The clause with the thing that its object "it" stands for, so that a slot can be read from it."""
    thing = setting.voice.discourse.thing
    if thing is None or clause.object is None or clause.object.pronoun != "it":
        return clause
    noun = replace(clause.object, pronoun=None, head=thing.split()[-1].casefold(), text=thing)
    return replace(clause, object=noun, rest=thing if clause.rest.casefold() == "it" else clause.rest)


def _with_adjuncts(setting: Setting, shaped: Shaped, adjuncts: tuple[Clause, ...]) -> tuple[str, tuple[object, ...]]:
    content, resolved = shaped.text, shaped.resolved
    for adjunct in adjuncts:
        told = shape(setting.body, adjunct, setting.voice)
        if told.is_certain:
            first = (
                told.text if told.text.split(" ")[0] == setting.voice.speaker else told.text[:1].lower() + told.text[1:]
            )
            content = f"{content} {adjunct.conjunction} {first}"
            resolved += told.resolved
    return content, resolved


def _units(setting: Setting) -> list[_Unit]:
    parts = sentences(setting.body)
    units: list[_Unit] = []
    waiting: list[Clause] = []
    for clause in parse(setting.body):
        if clause.type in {"code", "quote"}:
            continue
        sentence = parts[clause.sentence].text
        is_adjunct = clause.conjunction in _ADJUNCTS and clause.subject is not None and clause.type == "declarative"
        if is_adjunct and units and units[-1].clause.sentence == clause.sentence:
            units[-1] = replace(units[-1], adjuncts=(*units[-1].adjuncts, clause))
        elif is_adjunct:
            waiting.append(clause)
        else:
            mine = tuple(item for item in waiting if item.sentence == clause.sentence)
            waiting.clear()
            units.extend(_split_lists(_Unit(clause=clause, adjuncts=mine, sentence=sentence)))
    return units


# Explicit requests


def _explicit(setting: Setting) -> tuple[Claim, ...]:
    """Everything that was asked to be kept: retold where that is certain, else in the speaker's own words."""
    out: list[Claim] = []
    number = len(setting.reading.messages)
    parts = sentences(setting.body)
    units = _units(setting)
    for at, sentence in enumerate(parts):
        mine = [unit for unit in units if unit.clause.sentence == at]
        if _LOW_SIGNAL.match(sentence.text) and len(parts) > 1:
            continue
        out.extend(_sentence_claims(setting, sentence, mine))
        for unit in mine:
            setting.voice.discourse.note(unit.clause, number)
    return tuple(out)


def _sentence_claims(setting: Setting, sentence: Sentence, units: list[_Unit]) -> list[Claim]:
    told: list[Draft] = []
    kept = [unit for unit in units if not privacy.CONFIDENTIAL.search(unit.clause.text) or len(units) == 1]
    for unit in kept:
        draft = _explicit_draft(setting, unit)
        if draft is None:
            first = units[0].clause if units else None
            return [assemble.own_words(setting, first, sentence.start, sentence.end)]
        told.append(draft)
        setting.voice.discourse.note(unit.clause, len(setting.reading.messages))
    if not told:
        return [assemble.own_words(setting, None, sentence.start, sentence.end)]
    return [assemble.claim(setting, draft) for draft in told]


def _explicit_draft(setting: Setting, unit: _Unit) -> Draft | None:
    clause = _with_thing(unit.clause, setting)
    is_told = clause.type == "declarative" and clause.verb is not None
    is_asked_politely = (
        clause.type == "question"
        and clause.subject is not None
        and clause.wh is None
        and clause.gap is None
        and clause.verb is not None
        and clause.verb.start > clause.subject.start
    )
    is_standing = clause.type == "imperative" and orders.is_standing_order(clause)
    if not (is_told or is_asked_politely or is_standing) or privacy.SUSPECT.search(unit.sentence):
        return None
    if clause.subject is not None and clause.subject.pronoun in {"you", "it", "this", "that"}:
        return None
    shaped = shape(setting.body, clause, setting.voice)
    tellings = [shape(setting.body, adjunct, setting.voice) for adjunct in unit.adjuncts]
    if not shaped.is_certain or not all(told.is_certain for told in tellings):
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit.adjuncts)
    if _loses_words(clause, content):
        return None
    return Draft(clause=clause, content=content, resolved=resolved, confidence=1.0, sentence=unit.sentence)


def _loses_words(clause: Clause, content: str) -> bool:
    """Whether a word that was asked to be kept is not in the retelling; people and verbs are retold in other words."""
    folded = content.casefold()
    exempt = [
        (noun.start, noun.end) for noun in nouns_of(clause) if noun.relation is not None or noun.pronoun is not None
    ]
    if clause.verb is not None:
        exempt.append((clause.verb.start, clause.verb.end))
    return any(
        token.tag in {"word", "name", "number"}
        and token.lower[:4] not in folded
        and token.lower not in lexicon.INTERJECTIONS
        and not any(start <= token.start < end for start, end in exempt)
        for token in clause.tokens
    )
