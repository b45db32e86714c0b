"""Which statement a correction means: one of the same message, of the messages before, or of what is held."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.parser import parse, sentences
from wellkept.judges.english.messages import openers, repairs
from wellkept.judges.english.questions.voice import to_first_person
from wellkept.patterns import deferred
from wellkept.values import changed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.judges.base import Reading
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

# Only where one of these stands a message can correct itself.
TURNS = deferred(
    r"(?i)\b(?:no|nope|not|wait|sorry|mean|meant|correction|edit|typo|scratch|strike|oops|whoops|actually|rather"
    r"|mistake|bad|misspoke|make (?:that|it)|should (?:be|have|read|say))\b"
)
# Inside a sentence only words that can be nothing else turn it: "…, no wait, Milan", "… – I mean Milan".
_JOINT = deferred(
    r"(?i)(?:\s*[,;…]|\s+-+|\s*[–—])\s*(?=(?:(?:oh|ah|er+|uh|um|oops|sorry)[\s,]+)*(?:no,? wait|wait,? no"
    r"|wait,? (?:sorry|actually)|scratch that|strike that|i mean|i meant|correction|or rather|make that|sorry|no,|oops"
    r"|actually|my (?:bad|mistake))\b)"
)
_ADDING = deferred(r"(?i)\b(?:also|too|as well|another|on top|besides|in addition)\b")
_ANYBODY = frozenset({"he", "she", "they"})


def within(text: str) -> str | None:
    """A message that corrects itself, with the right value where the wrong one stood; None when it does not.

    >>> within("My dentist is in Turin. Sorry, it's Milan, not Turin.")
    'My dentist is in Milan.'
    >>> within("My dentist is in Turin, no wait, Milan")
    'My dentist is in Milan'
    """
    if not TURNS.search(text):
        return None
    parts = list(_parts(text))
    said: list[str] = []
    is_mended = False
    for part in parts:
        found = _fitting(part, said[::-1]) if said else None
        if found is None:
            said.append(part)
            continue
        said[said.index(found.statement)] = found.text
        is_mended = True
    return " ".join(said) if is_mended else None


def _parts(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        joints = list(_JOINT.finditer(sentence.text)) if sentence.kind == "prose" else []
        at = 0
        for joint in joints:
            if repairs.recognise(sentence.text[joint.end() :]) is not None:
                yield sentence.text[at : joint.start()]
                at = joint.end()
        yield sentence.text[at:]


def meant(text: str, reading: Reading) -> repairs.Mended | None:
    """The statement before that the whole message corrects, with the right value in it."""
    return _fitting(text, statements(reading)) if TURNS.search(text) else None


def _fitting(text: str, before: list[str]) -> repairs.Mended | None:
    repair = repairs.recognise(text)
    if repair is not None:
        return repairs.mend(repair, before if repair.wrong is not None else [one for one in before if _tells(one)])
    announced = openers.unopened(text)
    told = [one for one in before if _tells(one)]
    if announced.start is None:
        return None
    return redescribed(announced.text, told) or (restated(announced.text, told) if announced.is_firm else None)


def statements(reading: Reading) -> list[str]:
    """What a correction may mean, newest first, as the speaker says it: of the messages before, then what is held."""
    *earlier, _ = reading.messages
    said = [sentence.text for one in earlier if one.role == "user" for sentence in sentences(one.content)]
    held = (to_first_person(one, speaker=reading.speaker) for one in reading.known)
    return list(dict.fromkeys((*reversed(said), *held)))


def _tells(text: str) -> bool:
    """A question states nothing that could be wrong."""
    return not text.rstrip().endswith("?")


def replaced(said: str, before: list[str]) -> str | None:
    """What a whole statement that corrects puts another value for: of the same subject, done in the same way.

    >>> replaced("Rosa teaches physics", ["I like fish", "My cousin Rosa teaches chemistry at a school"])
    'chemistry'
    >>> replaced("Rosa teaches physics, too", ["Rosa teaches chemistry"]) is None
    True
    """
    if _ADDING.search(said):
        return None
    told = next((one for one in parse(said) if one.verb is not None and one.subject is not None), None)
    if told is None or told.verb is None or told.verb.is_negative:
        return None
    for statement in before:
        for old in parse(statement):
            wrong = _other_value(told, old)
            if wrong is not None:
                return wrong
    return None


def restated(said: str, before: list[str]) -> repairs.Mended | None:
    """The statement that "it costs 45" puts right, with the right value in it: a thing that costs something."""
    told = next((one for one in parse(said) if one.verb is not None and one.subject is not None), None)
    if told is None or told.subject is None or told.subject.pronoun != "it":
        return None
    for statement in before:
        for old in parse(statement):
            is_thing = old.subject is not None and old.subject.pronoun is None and not old.subject.is_person
            wrong = _other_value(told, changed(old, subject=told.subject)) if is_thing else None
            if wrong is not None:
                right = next(value for role, value in _values(told) if dict(_values(old)).get(role, value) != value)
                return repairs.mend(repairs.Repair(right=right, wrong=wrong), [statement])
    return None


def redescribed(said: str, before: list[str]) -> repairs.Mended | None:
    """The statement in which "the twins are a boy and a girl" puts other words for what stood behind the twins.

    >>> found = redescribed("the twins are a boy and a girl", ["Ana expects twins, two boys"])
    >>> found.text if found else None
    'Ana expects twins, a boy and a girl'
    """
    told = next((one for one in parse(said) if one.verb is not None and one.subject is not None), None)
    if told is None or told.subject is None or told.verb is None or told.verb.lemma != "be" or told.verb.is_negative:
        return None
    if told.subject.determiner != "the" or not told.subject.head or told.complement is None:
        return None
    hung = re.compile(rf"(?i)\b{re.escape(told.subject.head)}(?:,\s+|\s+\()(?P<wrong>[^,.!?();]{{2,40}})")
    for statement in before:
        found = hung.search(statement)
        if found is not None and found["wrong"].strip().casefold() != told.rest.casefold().strip(" .!"):
            right = told.rest.strip(" .!")
            text = f"{statement[: found.start('wrong')]}{right}{statement[found.end('wrong') :]}"
            return repairs.Mended(text=text, wrong=found["wrong"].strip(), statement=statement)
    return None


def _other_value(new: Clause, old: Clause) -> str | None:
    if new.verb is None or old.verb is None or old.type != "declarative" or new.verb.lemma != old.verb.lemma:
        return None
    if old.verb.is_negative or new.subject is None or old.subject is None or not _is_same(new.subject, old.subject):
        return None
    held = dict(_values(old))
    for role, value in _values(new):
        wrong = held.get(role)
        if wrong is not None and wrong.casefold() != value.casefold():
            return re.sub(r"(?i)^(?:an?|the|my|our)\s+", "", wrong)
    return None


def _is_same(new: Noun, old: Noun) -> bool:
    """Whether two subjects may be the same; a name and a relation may be, and the people they are known as decide."""
    if new.pronoun in _ANYBODY:
        return old.name is not None or old.relation is not None
    if new.pronoun is not None or old.pronoun is not None:
        return new.pronoun == old.pronoun
    if new.name is not None and old.name is not None:
        return new.name.casefold() == old.name.casefold()
    if new.relation is not None and old.relation is not None:
        return new.relation == old.relation
    is_somebody = [noun.name is not None or noun.relation is not None for noun in (new, old)]
    return all(is_somebody) if any(is_somebody) else new.label == old.label


def _values(clause: Clause) -> Iterator[tuple[str, str]]:
    """Role and words of what the verb says of its subject."""
    if clause.object is not None:
        yield "object", clause.object.text
    if clause.complement is not None:
        yield "object", clause.complement.text
    for phrase in clause.phrases:
        if phrase.preposition is not None and phrase.noun is not None:
            yield phrase.preposition, phrase.noun.text
