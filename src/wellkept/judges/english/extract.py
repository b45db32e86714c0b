"""Reads the facts out of a message: what is said, of whom, how private, and which slot it fills."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import impersonal, language, lexicon
from wellkept.judges.english.grammar.parser import Sentence, sentences
from wellkept.judges.english.grammar.tokens import tokenise
from wellkept.judges.english.grammar.units import Unit, is_ambient, is_deed, units
from wellkept.judges.english.messages import fronting, mending, openers, restated
from wellkept.judges.english.messages.remarks import is_understood_better, reaches_as_far
from wellkept.judges.english.messages.typed import as_meant
from wellkept.judges.english.people import secrecy
from wellkept.judges.english.people.discourse import Discourse
from wellkept.judges.english.people.given_names import somebody
from wellkept.judges.english.people.introductions import introduced
from wellkept.judges.english.people.looking_back import look_back
from wellkept.judges.english.people.mutual import paired, whose_wedding
from wellkept.judges.english.people.whose import with_owner
from wellkept.judges.english.slots import addressing, disposals, foreign
from wellkept.judges.english.slots.fact_keys import correction, slot_of
from wellkept.judges.english.wording import assemble
from wellkept.judges.english.wording.assemble import Draft, Setting
from wellkept.judges.english.wording.retelling import Shaped, Voice, inside
from wellkept.judges.english.wording.shape import shape
from wellkept.judges.english.wording.whole import is_whole, loses_words
from wellkept.judges.english.worth import durable, keeping, orders, requests, standing, topics, traits
from wellkept.judges.english.worth.telling import adds_nothing, is_cheer
from wellkept.judges.english.worth.vouching import vouches
from wellkept.patterns import deferred
from wellkept.types import Evidence
from wellkept.values import changed
from wellkept.vocabulary import EventType, MemoryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.judges.base import Reading
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.slots.addressing import Wish
    from wellkept.judges.english.worth.standing import Order
    from wellkept.types import Claim

_MATERIAL = deferred(
    r"(?is)^\s*(?:(?:hi|hello|hey)[,!]? |please |pls |can you |could you )*"
    r"(?:check|translate|rewrite|rephrase|proofread|summari[sz]e|paraphrase"
    r"|correct|fix|edit|explain|continue|complete|analy[sz]e|improve|review|format"
    r"|write|draft|generate|act as|roleplay|classify|extract|convert|say|how (?:do|would|can) (?:i"
    r"|you) say)\b[^.\n]{0,80}?[:\n]"
)
_STORY = deferred(r"(?i)^\s*(?:once upon a time|once there (?:was|were|lived)|it was a dark)")
_LOW_SIGNAL = deferred(
    r"(?i)^\W*(?:ok(?:ay)?|thanks?(?: you)?|thx|hi|hello|hey|please|pls|yes|no|sure|cool|great|bye"
    r"|good (?:morning|evening|day)|bonjour|salut|coucou|hola|hallo|ciao|olá|oi|servus|moin|hej|namaste|salaam)?\W*$"
)
# Only these words need the messages before.
_LOOKS_BACK = deferred(
    r"(?i)\b(?:he|she|they|him|her|hers|his|them|their|theirs|there|my|our|together"
    r"|(?:cancell?ed|sold|returned|quit|ended) it)\b"
)
OVERHEARD_MAX = 1
"""A list that is only overheard stays one fact: no more than three are written a turn, and no value is to be lost."""
VALUES_MAX = 12
"""Values of a list that are kept one by one when they were asked to be remembered."""


def extract(reading: Reading) -> tuple[Claim, ...]:
    """The facts in the last message of the reading."""
    if not reading.messages or reading.messages[-1].role != "user":
        return ()
    text = openers.unlabelled(reading.messages[-1].content, reading.speaker)
    request = requests.recognise(text)
    if traits.is_suspect(text):
        return _inert(text, request, reading)
    mended = _mended(text, reading)
    if mended is not None:
        return mended
    if request is None and not reading.is_explicit:
        meant, whole = as_meant(text, reading)
        return tuple(meant.restored(claim) for claim in _told(meant.text, None, whole))
    asked = _told(text, request, reading)
    is_by_nobody = impersonal.is_told(text)
    if request is not None or not (reading.is_remark or is_by_nobody):
        return asked
    overheard = extract(changed(reading, is_explicit=False, is_remark=False))
    is_filled = is_by_nobody and any(claim.slot for claim in overheard) and reaches_as_far(overheard, asked)
    is_meant = is_filled or (bool(overheard) and restated.is_restated(text))
    is_better = is_meant or (reading.is_remark and is_understood_better(overheard, asked))
    return overheard if is_better else asked


def _told(text: str, request: requests.Request | None, reading: Reading) -> tuple[Claim, ...]:
    if request is not None or traits.is_confidential(text):
        asked = standing.asked(request) if request is not None else ()
        return _ordered(text, asked, reading) if asked else _read(text, request, reading)
    wished = addressing.wishes(text)
    if wished:
        return _wished(text, wished, reading)
    ordered = standing.orders(text)
    return _ordered(text, ordered, reading) if ordered else _read(text, None, reading)


def _inert(text: str, request: requests.Request | None, reading: Reading) -> tuple[Claim, ...]:
    """Instructions to a model, kept when that was asked for: whole, word for word, and filling nothing."""
    if request is None and not reading.is_explicit:
        return ()
    body, start = (request.payload, request.start) if request is not None else (text, 0)
    told = assemble.own_words(setting_of(reading, text, body, start, request), None, 0, len(body))
    return (changed(told, type=MemoryType.KNOWLEDGE, event_type=EventType.CONTEXT, importance=0.0),)


def _read(text: str, request: requests.Request | None, reading: Reading) -> tuple[Claim, ...]:
    body, start = (request.payload, request.start) if request is not None else (text, 0)
    if request is not None and requests.TO_SELF.search(text) and is_deed(body):
        body, start = f"to {body}", start - len("to ")
    if request is not None and not request.is_procedure and requests.is_task(body):
        body, start = requests.as_task(body, start)
    if reading.is_explicit and request is None:
        body, start = requests.without_that(text)
    announced = openers.unopened(body) if request is None else openers.Announced(text=body)
    body = announced.text
    if request is None or request.persona is None:
        body, cut = requests.without_confidence(body)
        start += cut
    body = fronting.with_comma(fronting.named_one(fronting.named_next(fronting.with_stops(fronting.unannounced(body)))))
    if request is None and not reading.is_explicit:
        body = fronting.unhung(body)
    setting = setting_of(reading, text, body, start, request)
    if not body.strip():
        return ()
    if request is not None and request.is_procedure:
        return (assemble.procedure(setting),)
    if setting.language != "en":
        spans = foreign.sentences(body, setting.language)
        told = [assemble.own_words(setting, None, start, end) for start, end in spans]
        return tuple(claim for claim in told if reading.is_explicit or claim.slot is not None)
    claims = _explicit(setting) if reading.is_explicit or request is not None else _background(setting)
    return tuple(
        _corrected(claim, announced, setting) if _is_announced(claim, announced, start) else claim for claim in claims
    )


def _is_announced(claim: Claim, announced: openers.Announced, start: int) -> bool:
    """Whether the claim stands behind the words that announce a correction."""
    return announced.start is not None and claim.evidence.start >= announced.start + start


def _corrected(claim: Claim, announced: openers.Announced, setting: Setting) -> Claim:
    """A statement that is announced as a correction, with what it puts another value for where no slot says that."""
    fixed = _correcting(claim)
    if not announced.is_firm or claim.corrects or (claim.slot is not None and claim.cardinality == "one"):
        return fixed
    here = [one.text for one in reversed(sentences(announced.text[: announced.start]))]
    said = setting.text[claim.evidence.start : claim.evidence.end]
    return changed(fixed, corrects=mending.replaced(said, [*here, *mending.statements(setting.reading)]))


def _correcting(claim: Claim) -> Claim:
    return changed(claim, is_correction=True, event_type=EventType.CORRECTION)


def _mended(text: str, reading: Reading) -> tuple[Claim, ...] | None:
    """The statement that the message corrects with the right value in it; None when it corrects none that is known."""
    if not mending.TURNS.search(text):
        return None
    *earlier, last = reading.messages
    found = mending.meant(text, reading)
    mended = mending.within(text) if found is None else found.text
    if mended is None:
        return None
    evidence = Evidence(message_id=last.id, start=0, end=len(last.content))
    known = () if found is not None else reading.known
    whole = changed(reading, messages=(*earlier, changed(last, content=mended)), known=known)
    claims = tuple(changed(claim, evidence=evidence) for claim in extract(whole))
    return claims if found is None else tuple(changed(_correcting(claim), corrects=found.wrong) for claim in claims)


def _wished(text: str, wished: Sequence[Wish], reading: Reading) -> tuple[Claim, ...]:
    """How the speaker wants to be addressed, read from the plain words for it; and the rest of the message."""
    out: list[Claim] = []
    for wish in wished:
        evidence = Evidence(message_id=reading.messages[-1].id, start=wish.start, end=wish.end)
        quote = text[wish.start : wish.end].strip(" ,;:–—")
        out += (changed(claim, quote=quote, evidence=evidence) for claim in _read(wish.text, None, reading))
        text = f"{text[: wish.start]}{'.':{wish.end - wish.start}}{text[wish.end :]}"
    return (*(_told(text, None, reading) if _LEFT.sub("", text) else ()), *out)


def _ordered(text: str, ordered: Sequence[Order], reading: Reading) -> tuple[Claim, ...]:
    """How the speaker wants to be answered from now on; and the rest of the message."""
    setting, left = setting_of(reading, text, text, 0, None), standing.without(text, ordered)
    out = (standing.claim_of(order, setting) for order in ordered)
    return (*(_read(left, None, reading) if _LEFT.sub("", left) else ()), *out)


# What is left of a wish beside its words says nothing.
_LEFT = deferred(r"(?i)\b(?:from now on|going forward|in (?:the )?future|please|and|also)\b|[\s.,;:!]+")


def setting_of(reading: Reading, text: str, body: str, start: int, request: requests.Request | None) -> Setting:
    known = frozenset(name.casefold() for name in reading.people) | somebody(tokenise(body))
    discourse = Discourse(known=known, now=len(reading.messages))
    if len(reading.messages) > 1 and _LOOKS_BACK.search(body):
        discourse.look_back = lambda: look_back(reading.messages, correction(body).corrects, known)
    voice = Voice(speaker=reading.speaker, discourse=discourse, said=body)
    return Setting(
        reading=reading, text=text, body=body, start=start, voice=voice, request=request, language=language.guess(body)
    )


# Background


def _background(setting: Setting) -> tuple[Claim, ...]:
    body = setting.body
    if topics.JOKE.search(body) or _MATERIAL.match(body) or _STORY.match(body):
        return ()
    out: list[Claim] = []
    is_lost = False
    for unit in units(setting.body, values_max=OVERHEARD_MAX):
        clause = unit.clause
        is_blocked = (
            (clause.is_shared and is_lost and clause.verb is not None and clause.verb.tense == "past")
            or topics.FICTION.search(unit.sentence)
            or topics.PLACEHOLDER.search(unit.sentence)
            or secrecy.ASIDE.search(clause.text)
            or addressing.is_idiom(clause.text)
        )
        draft = None if is_blocked else _draft(setting, unit)
        # "She put a paw in it and resigned": what goes on from words that were not understood is not either.
        is_lost = draft is None and re.search(r"(?i)\bit\b", clause.text) is not None
        if draft is not None:
            out.append(assemble.claim(setting, draft))
        elif not is_blocked:
            out += _introduced(setting, clause)
        for said in (*unit.adjuncts, clause):
            setting.voice.discourse.noted.append(said)
    return tuple(out)


def _introduced(setting: Setting, clause: Clause) -> Iterator[Claim]:
    """Whom a statement that is not kept names as somebody of the speaker's."""
    known = frozenset(name.casefold() for name in setting.reading.people)
    for body in introduced(clause, known):
        tie = units(body, values_max=OVERHEARD_MAX)[0]
        draft = _draft(changed(setting, body=body), tie)
        if draft is not None:
            told = assemble.claim(changed(setting, body=body), draft)
            start, end = (max(setting.start + place, 0) for place in (clause.start, clause.end))
            evidence = changed(told.evidence, start=start, end=end)
            yield changed(told, quote=setting.text[start:end], evidence=evidence)


def _draft(setting: Setting, unit: Unit) -> Draft | None:
    # "If you ever need it" is no condition of what is told.
    unit = changed(unit, adjuncts=tuple(one for one in unit.adjuncts if not _is_to_the_listener(one)))
    clause = disposals.with_thing(unit.clause, setting.voice.discourse)
    clause = with_owner(_with_thing(clause, setting))
    if vouches(clause):
        clause = changed(clause.inner[0], sentence=clause.sentence)
    known = setting.voice.discourse.known
    value = keeping.weigh(clause, known=known, sentence=unit.sentence)
    if value.confidence <= 0 or any(adjunct.conjunction in lexicon.CONDITIONALS for adjunct in unit.adjuncts):
        return None
    asks = _ASKS.search(setting.body) is not None
    if durable.fault(clause, slot_of(clause, known), adjuncts=unit.adjuncts, asks=asks) is not None:
        return None
    shaped = shape(setting.body, clause, setting.voice)
    if not shaped.is_certain:
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit)
    content, couple = whose_wedding(content, clause, setting.reading.messages, known)
    resolved += couple
    both = paired(content, clause, setting.voice)
    if both is None:
        return None
    if both != content:
        return Draft(
            clause=clause, content=both, resolved=resolved, confidence=value.confidence, sentence=unit.sentence
        )
    if not unit.is_one_of and not is_whole(content, clause, setting.voice.label):
        return None
    return Draft(clause=clause, content=content, resolved=resolved, confidence=value.confidence, sentence=unit.sentence)


def _is_to_the_listener(adjunct: Clause) -> bool:
    is_you = adjunct.subject is not None and adjunct.subject.pronoun == "you"
    return adjunct.conjunction in lexicon.CONDITIONALS and is_you


_ASKS = deferred(r"(?i)\?|\b(?:can|could|would) you\b|\bhelp me\b|\bplease\b")


def _with_thing(clause: Clause, setting: Setting) -> Clause:
    """The clause with the thing that its object "it" stands for, so that a slot can be read from it."""
    thing = setting.voice.discourse.thing if clause.object is not None and clause.object.pronoun == "it" else None
    if thing is None or clause.object is None:
        return clause
    noun = changed(clause.object, pronoun=None, head=thing.split()[-1].casefold(), text=thing)
    return changed(clause, object=noun, rest=thing if clause.rest.casefold() == "it" else clause.rest)


def _with_adjuncts(setting: Setting, shaped: Shaped, unit: Unit) -> tuple[str, tuple[object, ...]]:
    content, resolved = shaped.text, shaped.resolved
    if unit.is_one_of:
        content = f"One of {content[:1].lower()}{content[1:]}".replace(" are ", " is ", 1)
    for adjunct in unit.adjuncts:
        told = shape(setting.body, adjunct, setting.voice)
        if told.is_certain or is_ambient(adjunct):
            named = (token.text for token in adjunct.tokens if token.tag == "name")
            meant = (one.name for one in told.resolved)
            words = inside(told.text, (setting.voice.speaker, *named, *meant)) if told.is_certain else adjunct.text
            content = f"{content} {adjunct.conjunction} {words.removeprefix(f'{adjunct.conjunction} ')}"
            resolved += told.resolved if told.is_certain else ()
    return content, resolved


# Explicit requests


def _explicit(setting: Setting) -> tuple[Claim, ...]:
    """Everything that was asked to be kept: retold where that is certain, else in the speaker's own words."""
    out: list[Claim] = []
    discourse = setting.voice.discourse
    parts = sentences(setting.body)
    told = units(setting.body, values_max=VALUES_MAX)
    for at, sentence in enumerate(parts):
        mine = [unit for unit in told if unit.clause.sentence == at]
        if len(parts) > 1 and (_LOW_SIGNAL.match(sentence.text) or secrecy.is_aside(sentence.text)):
            continue
        noted = len(discourse.noted)
        out.extend(_sentence_claims(setting, sentence, mine))
        if len(discourse.noted) - noted != len(mine):
            discourse.noted += [unit.clause for unit in mine]
    if setting.reading.is_explicit:
        return tuple(out)
    return tuple(claim for at, claim in enumerate(out) if not is_cheer(claim.content, is_first=at == 0))


def _sentence_claims(setting: Setting, sentence: Sentence, units: list[Unit]) -> list[Claim]:
    told: list[Draft] = []
    if setting.request is None and topics.JOKE.search(sentence.text):
        # What is not meant is kept as it was said, and fills nothing.
        return [assemble.own_words(setting, None, sentence.start, sentence.end)]
    kept = [unit for unit in units if len(units) == 1 or not adds_nothing(unit.clause)]
    for unit in kept:
        draft = _explicit_draft(setting, unit)
        if draft is None:
            first = units[0].clause if units else None
            return [assemble.own_words(setting, first, sentence.start, sentence.end)]
        told.append(draft)
        setting.voice.discourse.noted.append(unit.clause)
    if not told:
        return [assemble.own_words(setting, None, sentence.start, sentence.end)]
    return [assemble.claim(setting, draft) for draft in told]


def _explicit_draft(setting: Setting, unit: Unit) -> Draft | None:
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
    if not (is_told or is_asked_politely or is_standing):
        return None
    if clause.subject is not None and clause.subject.pronoun in {"you", "it", "this", "that"}:
        return None
    shaped = shape(setting.body, clause, setting.voice)
    tellings = [shape(setting.body, adjunct, setting.voice) for adjunct in unit.adjuncts]
    if not shaped.is_certain or not all(told.is_certain for told in tellings):
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit)
    if loses_words(clause, content):
        return None
    return Draft(clause=clause, content=content, resolved=resolved, confidence=1.0, sentence=unit.sentence)
