"""Reads the facts out of a message: what is said, of whom, how private, and which slot it fills."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recollect.judges.rules import assemble, language, lexicon, requests, topics, worth
from recollect.judges.rules.assemble import Draft, Setting
from recollect.judges.rules.grammar import Sentence, parse, sentences
from recollect.judges.rules.people import Discourse
from recollect.judges.rules.shape import Shaped, Voice, shape

if TYPE_CHECKING:
    from recollect.judges.base import Reading
    from recollect.judges.rules.clauses import Clause
    from recollect.types import Claim

# Clauses that only say when, where or how far the main clause holds; they stay with it.
_ADJUNCTS = frozenset(("when", "whenever", "while", "until", "till", "before", "after", "once", "as", "since", "where", "if", "unless"))
_MATERIAL = re.compile(
    r"(?is)^\s*(?:please |can you |could you )*(?:translate|rewrite|rephrase|proofread|summari[sz]e|paraphrase|correct|fix|edit|explain|continue|complete|analy[sz]e|improve|review|format"
    r"|write|draft|generate|act as|roleplay|classify|extract|convert|say|how (?:do|would|can) (?:i|you) say)\b[^.\n]{0,80}?[:\n]"
)
_STORY = re.compile(r"(?i)^\s*(?:once upon a time|once there (?:was|were|lived)|it was a dark)")
_LOW_SIGNAL = re.compile(r"(?i)^\W*(?:ok(?:ay)?|thanks?(?: you)?|thx|hi|hello|hey|please|pls|yes|no|sure|cool|great|bye)?\W*$")
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
    text = reading.messages[-1].content
    request = requests.recognise(text)
    body, start = (request.payload, request.start) if request is not None else (text, 0)
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


def _without_that(text: str) -> tuple[str, int]:
    match = re.match(r"(?i)\s*(?:that|to remember(?: that)?)\s+(?=\S)", text)
    cut = match.end() if match is not None and not re.match(r"(?i)\s*that(?:['’]s| (?:is|was)\b)", text) else 0
    return text[cut:], cut


def _setting(reading: Reading, text: str, body: str, start: int, request: requests.Request | None) -> Setting:
    known = frozenset(name.casefold() for name in reading.people)
    discourse = Discourse(known=known)
    for number, message in enumerate(reading.messages[:-1]):
        if message.role in {"user", "assistant"}:
            for clause in parse(message.content):
                discourse.note(clause, number)
    words = frozenset(re.findall(r"[\w-]+", body.casefold()))
    voice = Voice(speaker=reading.speaker, discourse=discourse, is_work=bool(words & (topics.WORK - {"report", "review", "support", "design"})))
    return Setting(reading=reading, text=text, body=body, start=start, voice=voice, request=request, language=language.guess(body))


# Background

def _background(setting: Setting) -> tuple[Claim, ...]:
    body = setting.body
    if topics.JOKE.search(body) or _MATERIAL.match(body) or _STORY.match(body) or topics.SUSPECT.search(body):
        return ()
    out: list[Claim] = []
    number = len(setting.reading.messages)
    for unit in _units(setting):
        clause = unit.clause
        is_blocked = topics.FICTION.search(unit.sentence) or topics.PLACEHOLDER.search(unit.sentence) or topics.CONFIDENTIAL.search(clause.text)
        draft = None if is_blocked else _draft(setting, unit)
        if draft is not None:
            out.append(assemble.claim(setting, draft))
        setting.voice.discourse.note(clause, number)
    return tuple(out)


def _draft(setting: Setting, unit: _Unit) -> Draft | None:
    clause = unit.clause
    if clause.inner and clause.verb is not None and clause.verb.lemma in FACTIVE and clause.subject is not None \
            and clause.subject.pronoun == "i" and not clause.verb.is_negative:
        clause = replace(clause.inner[0], sentence=clause.sentence)
    value = worth.weigh(clause, known=setting.voice.discourse.known, sentence=unit.sentence)
    if value.confidence <= 0 or any(adjunct.conjunction in lexicon.CONDITIONALS for adjunct in unit.adjuncts):
        return None
    shaped = shape(setting.body, clause, setting.voice)
    if not shaped.is_certain:
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit.adjuncts)
    return Draft(clause=clause, content=content, resolved=resolved, confidence=value.confidence, sentence=unit.sentence)


def _with_adjuncts(setting: Setting, shaped: Shaped, adjuncts: tuple[Clause, ...]) -> tuple[str, tuple[object, ...]]:
    content, resolved = shaped.text, shaped.resolved
    for adjunct in adjuncts:
        told = shape(setting.body, adjunct, setting.voice)
        if told.is_certain:
            first = told.text if told.text.split(" ")[0] == setting.voice.speaker else told.text[:1].lower() + told.text[1:]
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
            units.append(_Unit(clause=clause, adjuncts=mine, sentence=sentence))
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
    kept = [unit for unit in units if not topics.CONFIDENTIAL.search(unit.clause.text) or len(units) == 1]
    for unit in kept:
        draft = _explicit_draft(setting, unit)
        if draft is None:
            first = units[0].clause if units else None
            return [assemble.own_words(setting, first, sentence.start, sentence.end)]
        told.append(draft)
    if not told:
        return [assemble.own_words(setting, None, sentence.start, sentence.end)]
    return [assemble.claim(setting, draft) for draft in told]


def _explicit_draft(setting: Setting, unit: _Unit) -> Draft | None:
    clause = unit.clause
    is_told = clause.type == "declarative" and clause.verb is not None and not clause.is_elided
    is_asked_politely = clause.type == "question" and clause.subject is not None and clause.wh is None and clause.gap is None \
        and clause.verb is not None and clause.verb.start > clause.subject.start
    if not (is_told or is_asked_politely) or topics.SUSPECT.search(unit.sentence):
        return None
    if clause.subject is not None and clause.subject.pronoun in {"you", "it", "this", "that"}:
        return None
    shaped = shape(setting.body, clause, setting.voice)
    tellings = [shape(setting.body, adjunct, setting.voice) for adjunct in unit.adjuncts]
    if not shaped.is_certain or not all(told.is_certain for told in tellings):
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit.adjuncts)
    return Draft(clause=clause, content=content, resolved=resolved, confidence=1.0, sentence=unit.sentence)
