"""Reads the facts out of a message: what is said, of whom, how private, and which slot it fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.gated import gated
from wellkept.judges.english import privacy
from wellkept.judges.english.grammar import language, lexicon
from wellkept.judges.english.grammar.parser import Sentence, sentences
from wellkept.judges.english.grammar.tokens import tokenise
from wellkept.judges.english.grammar.units import Unit, is_ambient, is_deed, units
from wellkept.judges.english.messages import fronting, mending, openers, requests
from wellkept.judges.english.people import secrecy
from wellkept.judges.english.people.discourse import Discourse
from wellkept.judges.english.people.given_names import somebody
from wellkept.judges.english.people.looking_back import look_back
from wellkept.judges.english.slots import addressing, foreign
from wellkept.judges.english.slots.fact_keys import correction, slot_of
from wellkept.judges.english.wording import assemble
from wellkept.judges.english.wording.assemble import Draft, Setting
from wellkept.judges.english.wording.retelling import Shaped, Voice, inside, loses_words
from wellkept.judges.english.wording.shape import shape
from wellkept.patterns import deferred
from wellkept.types import Evidence
from wellkept.values import changed
from wellkept.vocabulary import EventType, MemoryType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.base import Reading
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.slots.addressing import Wish
    from wellkept.types import Claim

_LOW_SIGNAL = deferred(
    r"(?i)^\W*(?:ok(?:ay)?|thanks?(?: you)?|thx|hi|hello|hey|please|pls|yes|no|sure|cool|great|bye"
    r"|good (?:morning|evening|day)|bonjour|salut|coucou|hola|hallo|ciao|olá|oi|servus|moin|hej|namaste|salaam)?\W*$"
)
# Only these words need the messages before.
_LOOKS_BACK = gated(
    r"(?i)\b(?:he|she|they|him|her|hers|his|them|their|theirs|there|my|our|together"
    r"|(?:cancell?ed|sold|returned|quit|ended) it)\b"
)
VALUES_MAX = 12
"""Values of a list that are kept one by one when they were asked to be remembered."""


def extract(reading: Reading) -> tuple[Claim, ...]:
    """The statements of the last message of the reading.

    What was asked to be kept is kept whole, retold where that is certain and else as it was said. Of what is
    overheard only statements that can be retold are told: rules do not know what is worth keeping.
    """
    if not reading.messages or reading.messages[-1].role != "user":
        return ()
    text = openers.unlabelled(reading.messages[-1].content, reading.speaker)
    request = requests.recognise(text)
    if privacy.is_suspect(text):
        return _inert(text, request, reading)
    mended = _mended(text, reading)
    if mended is not None:
        return mended
    if request is not None or privacy.is_confidential(text):
        return _read(text, request, reading)
    wished = addressing.wishes(text)
    return _wished(text, wished, reading) if wished else _read(text, None, reading)


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
    setting = setting_of(reading, text, body, start, request)
    if not body.strip():
        return ()
    if request is not None and request.is_procedure:
        return (assemble.procedure(setting),)
    if setting.language != "en":
        spans = foreign.sentences(body, setting.language)
        told = [assemble.own_words(setting, None, start, end) for start, end in spans]
        return tuple(claim for claim in told if setting.is_asked or claim.slot is not None)
    claims = _statements(setting)
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
    return (*(_read(text, None, reading) if _LEFT.sub("", text) else ()), *out)


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


def _statements(setting: Setting) -> tuple[Claim, ...]:
    """The claims of each sentence in turn, each knowing whom those before it speak of."""
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
    return tuple(out)


def _sentence_claims(setting: Setting, sentence: Sentence, units: list[Unit]) -> list[Claim]:
    told: list[Draft] = []
    for unit in (unit for unit in units if len(units) == 1 or not _adds_nothing(unit.clause)):
        draft = _draft(setting, unit)
        if draft is None and not setting.is_asked:
            return [assemble.claim(setting, one) for one in told]
        if draft is None:
            first = units[0].clause if units else None
            return [assemble.own_words(setting, first, sentence.start, sentence.end)]
        told.append(draft)
        setting.voice.discourse.noted.append(unit.clause)
    if not told and setting.is_asked:
        return [assemble.own_words(setting, None, sentence.start, sentence.end)]
    return [assemble.claim(setting, draft) for draft in told]


def _adds_nothing(clause: Clause) -> bool:
    """For "between us" and the "but I stopped" after "I used to play": said of the statement beside it."""
    verb = clause.verb
    is_echo = verb is not None and verb.lemma in {"stop", "quit"} and not clause.rest.strip() and not verb.is_negative
    return is_echo or secrecy.ASIDE.search(clause.text) is not None


_WISHED = frozenset({"name", "preferred_name", "nickname", "pronouns", "language", "tone"})


def _draft(setting: Setting, unit: Unit) -> Draft | None:
    """The statement in the third person; None where that is not certain."""
    clause = _with_thing(unit.clause, setting)
    if not _states(clause, is_asked=setting.is_asked):
        return None
    if any(one.conjunction in lexicon.CONDITIONALS for one in unit.adjuncts) and not setting.is_asked:
        return None
    shaped = shape(setting.body, clause, setting.voice)
    tellings = [shape(setting.body, adjunct, setting.voice) for adjunct in unit.adjuncts]
    are_certain = (told.is_certain or is_ambient(one) for told, one in zip(tellings, unit.adjuncts, strict=True))
    if not shaped.is_certain or not all(are_certain):
        return None
    content, resolved = _with_adjuncts(setting, shaped, unit)
    if loses_words(clause, content):
        return None
    return Draft(clause=clause, content=content, resolved=resolved, confidence=1.0, sentence=unit.sentence)


_LIGHT = frozenset({"be", "do", "have"})
_AMONG = deferred(r"(?i)\b(?:each other|one another|apart|together)\b")


def _is_of_several(clause: Clause) -> bool:
    """For "we've been together for years", "we're forty people": told of one of them it is wrong."""
    if clause.subject is None or clause.subject.pronoun != "we" or clause.verb is None:
        return False
    noun = clause.complement.noun if clause.complement is not None else None
    is_counted = any(token.tag == "number" for token in clause.tokens if token.start >= clause.verb.end)
    is_plural = clause.verb.lemma == "be" and ((noun is not None and noun.is_plural) or is_counted)
    return is_plural or _AMONG.search(clause.text) is not None


def _states(clause: Clause, *, is_asked: bool) -> bool:
    """Whether a clause states something of somebody or of a thing that it names."""
    verb, subject = clause.verb, clause.subject
    if verb is None or (subject is not None and subject.pronoun in {"you", "it", "this", "that"}):
        return False
    if (verb.lemma in _LIGHT and not clause.rest.strip(" .!")) or _is_of_several(clause):
        return False
    if clause.type == "imperative":
        wished = slot_of(clause)
        return wished is not None and wished.name in _WISHED
    is_asked_politely = (
        clause.type == "question"
        and subject is not None
        and clause.wh is None
        and clause.gap is None
        and verb.start > subject.start
    )
    return clause.type == "declarative" or (is_asked and is_asked_politely)
