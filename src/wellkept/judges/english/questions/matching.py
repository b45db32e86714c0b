"""Which statements of the facts hold what a question asks: the right person, every word, a part of the wanted kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from wellkept.judges.base import Fact
from wellkept.judges.english.dates import times
from wellkept.judges.english.dates.calendar_grammar import CLOCK
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concepts, roles
from wellkept.judges.english.questions.asked import Asked
from wellkept.judges.english.questions.bonds import CONTRASTS, Bond, is_about
from wellkept.judges.english.questions.frames import LIGHT, Frame, frames, slot_keys
from wellkept.patterns import deferred
from wellkept.values import frozen

_PLACE_PREPOSITIONS = lexicon.words(
    "in at on under from near to behind beside inside by next between above below with for around"
)
_OPPOSITES = {
    "like": "dislike", "dislike": "like", "retire": "work",
    "left-handed": "right-handed", "right-handed": "left-handed",
}  # fmt: skip
_HABITUAL = deferred(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|every \w+|daily|weekly|weekends?)\b", re.IGNORECASE
)
_WISHING = lexicon.words("want need plan hope wish dream consider intend try refuse")
_UNREAL = frozenset(("would", "might", "may", "could", "should", "need to", "have to"))
NAMING = frozenset(("name", "call"))
_POSSESSING = lexicon.words("use own have get possess carry hold keep wear")


@frozen
class Match:
    """A statement that answers: how it ranks, and whether it says the opposite of what a yes would need."""

    fact: Fact
    text: str
    frame: Frame
    order: tuple[int, int, int]
    is_opposite: bool = False


@frozen
class Setting:
    """A question with what is known about who is who."""

    asked: Asked
    known: tuple[Bond, ...]
    now: datetime
    slot: str | None


def is_noun(frame: Frame) -> bool:
    complement = frame.clause.complement
    return complement is not None and complement.kind == "noun"


def is_whole(frame: Frame) -> bool:
    """Whether the subject is the person and not something of theirs."""
    subject = frame.clause.subject
    return subject is not None and (frame.holder.start, frame.holder.end) == (subject.start, subject.end)


def matches(setting: Setting, facts: Sequence[Fact]) -> list[Match]:
    found: list[Match] = []
    for place, fact in enumerate(facts):
        for text, frame in frames(fact.memory.content):
            if not is_about(setting.asked.holder, frame, fact, known=setting.known):
                continue
            if not roles.is_done_to(setting.asked.toward, text, frame):
                continue
            wanted = (*setting.asked.words, *setting.asked.type_words)
            keys = roles.credited(wanted, frame) | slot_keys(fact.memory.fact_key)
            keys |= _known_as(frame, setting.known)
            if setting.slot == "employer" and _tells_workplace(fact, frame):
                keys |= _WORKPLACE
            is_opposite = False
            slot_rank = _slot_rank(setting.slot, fact, frame)
            if not _answers(setting, frame, keys, is_slot=slot_rank == 0):
                opposite = {_OPPOSITES[key] for key in keys if key in _OPPOSITES}
                is_opposite = setting.asked.kind == "yes_no" and _answers(
                    setting, frame, keys | opposite, is_slot=False
                )
                if not is_opposite:
                    continue
            order = (slot_rank, _extra(setting.asked, frame), place)
            found.append(Match(fact=fact, text=text, frame=frame, order=order, is_opposite=is_opposite))
    return sorted(found, key=lambda match: match.order)


def _known_as(frame: Frame, known: Sequence[Bond]) -> frozenset[str]:
    """What those whom a statement names are to the asker: "sees Dr. Bello" tells of the therapist."""
    met = (bond for bond in known if frame.holder.kind == "asker" and set(bond.name.casefold().split()) <= frame.names)
    return frozenset().union(*(concepts.asked_by(bond.relation) for bond in met))


_WORKPLACE = frozenset(("work", "employer", "employ"))


def _tells_workplace(fact: Fact, frame: Frame) -> bool:
    """For "The user started as a nurse at St. Mary's": what somebody is there says where they work."""
    key = fact.memory.fact_key or ""
    is_job = key == "job" or key.endswith(":job")
    verb = frame.clause.verb
    is_joined = verb is not None and verb.lemma == "join" and frame.clause.object is not None
    return is_job and (is_joined or any(item.preposition in {"at", "for", "with"} for item in frame.clause.phrases))


def _slot_rank(slot: str | None, fact: Fact, frame: Frame) -> int:
    key = fact.memory.fact_key
    if slot == "employer" and ("employer" in frame.keys or _tells_workplace(fact, frame)):
        return 0
    if slot is None or key is None:
        return 1
    return 0 if key == slot or key.endswith(f":{slot}") else 2


def _extra(asked: Asked, frame: Frame) -> int:
    """How many words the statement has that the question did not ask for."""
    asked_keys: set[str] = set()
    for word in (*asked.words, *asked.type_words):
        asked_keys |= concepts.asked_by(word)
    return sum(1 for word in frame.words if not concepts.asked_by(word) & asked_keys)


def covers(keys: frozenset[str], word: str) -> bool:
    return bool(concepts.asked_by(word) & keys)


def _answers(setting: Setting, frame: Frame, keys: frozenset[str], *, is_slot: bool) -> bool:
    """Whether a statement holds every word asked for, and a part of the kind that is wanted."""
    asked = setting.asked
    wanted = (*asked.words, *asked.type_words)
    if "favorite" in keys and len(wanted) > 1:
        keys |= {"like"}
    missing = [word for word in wanted if not covers(keys, word) and word not in frame.names]
    if missing and not (_is_named_by(asked, frame, missing) or _is_possessed(asked, frame, missing)):
        return False
    if asked.choices and not any(covers(keys, word) for word in asked.choices):
        return False
    if not wanted and not asked.choices and not _is_plain_being(asked, frame):
        return False
    if any(name not in frame.names for name in asked.names):
        return False
    if asked.kind != "yes_no" and frame.is_negative != asked.is_negative and "avoid" not in keys:
        return False
    if asked.holder.kind == "asker" and {concepts.lemma(word) for word in wanted} == {"name"}:
        return _is_own_name(frame, keys)
    if not is_slot and (contrasts(asked, frame) or not _is_on_topic(asked, frame)):
        return False
    return gives(setting, frame)


def _is_on_topic(asked: Asked, frame: Frame) -> bool:
    """Whether the statement's own verb, and the thing of the asker's that it speaks of, are what is asked about.

    "My dog was born in 2018" does not tell when I was born, nor "my car is parked here" which car I drive.
    """
    verb, subject = frame.clause.verb, frame.clause.subject
    asked_keys: set[str] = set()
    for word in (*asked.words, *asked.type_words, *asked.choices):
        asked_keys |= concepts.asked_by(word) | concepts.offered_by(word)
    if asked.kind == "yes_no":
        asked_keys |= {_OPPOSITES[key] for key in asked_keys if key in _OPPOSITES}
    said = (concepts.offered_by(verb.lemma) | {(verb.modal or "").split(" ")[0]}) if verb is not None else frozenset()
    said |= _decided(frame) | (frame.keys & {"visit", "attend", "avoid"})
    said |= {_OPPOSITES[key] for key in said if key in _OPPOSITES}
    is_said = bool(said & asked_keys)
    light = LIGHT | NAMING
    is_light = verb is None or verb.lemma in light or asked.verb is None or asked.verb in light
    is_wish = verb is not None and (verb.lemma in _WISHING or verb.modal in _UNREAL)
    if not is_said and (is_wish or not is_light or (_is_trade(frame) and asked.verb not in light)):
        return False
    is_thing_of_theirs = asked.holder.kind == "asker" and subject is not None and not is_whole(frame)
    is_pet = subject is not None and (subject.head in relations.PETS or subject.head in _BODIES)
    if is_said and is_thing_of_theirs and is_pet and asked.is_whole:
        # "My dog loves cheese" does not tell what I love.
        return False
    if is_said or not is_thing_of_theirs or subject is None:
        return True
    label = [
        word for noun in (subject, subject.of) if noun is not None for word in (*noun.modifiers, noun.head) if word
    ]
    return not label or any((concepts.asked_by(word) | concepts.offered_by(word)) & asked_keys for word in label)


def _is_trade(frame: Frame) -> bool:
    """For "Kwame is a bus mechanic": what somebody is by trade tells of no bus."""
    verb, complement = frame.clause.verb, frame.clause.complement
    noun = complement.noun if complement is not None else None
    return verb is not None and verb.lemma == "be" and noun is not None and concepts.is_occupation(noun.head)


_BODIES = lexicon.words("family company team office firm employer department startup school club band")
_DECIDING = lexicon.words("decide agree choose opt start begin")


def _decided(frame: Frame) -> frozenset[str]:
    """What somebody does who decided or began to do it."""
    verb, complement = frame.clause.verb, frame.clause.complement
    if verb is None or verb.lemma not in _DECIDING or complement is None or complement.lemma is None:
        return frozenset()
    return concepts.offered_by(complement.lemma) if verb.tense == "past" and not verb.is_negative else frozenset()


def _is_own_name(frame: Frame, keys: frozenset[str]) -> bool:
    """Whether the statement says what the asker is called, and not something of theirs."""
    subject = frame.clause.subject
    is_stated = (
        subject is not None and subject.head == "name" and not set(subject.modifiers) - {"full", "real", "first"}
    )
    is_called = (
        "call" in keys or re.search(r"\b(?:is|be) called\b|\bgoes by\b", frame.clause.text.casefold()) is not None
    )
    return is_stated or (frame.holder.kind == "asker" and is_called)


def _is_plain_being(asked: Asked, frame: Frame) -> bool:
    """Whether nothing is asked but what somebody is, as in "What breed is Pepper?"."""
    verb = frame.clause.verb
    complement = frame.clause.complement
    is_noun = complement is not None and complement.kind == "noun" and verb is not None and verb.lemma == "be"
    is_somebody = asked.holder.kind != "thing" and asked.wanted in ("any", "person")
    return asked.verb == "be" and is_somebody and is_noun and is_whole(frame)


def _is_named_by(asked: Asked, frame: Frame, missing: list[str]) -> bool:
    """Whether only the word "name" is missing and the thing asked for stands there with its name."""
    if any(concepts.lemma(word) not in NAMING for word in missing):
        return False
    clause = frame.clause
    complement = clause.complement.noun if clause.complement else None
    lemmas = {concepts.lemma(word) for word in asked.words}
    if clause.subject is not None and complement is not None and complement.name and not complement.head:
        if is_whole(frame) and asked.holder.kind == "person":
            return True
        label = {concepts.lemma(word) for word in (*clause.subject.modifiers, clause.subject.head) if word}
        return bool(label) and label <= lemmas
    nouns = (clause.subject, clause.object, complement)
    return any(noun is not None and noun.name and concepts.lemma(noun.head) in lemmas for noun in nouns)


def _is_possessed(asked: Asked, frame: Frame, missing: list[str]) -> bool:
    """Whether what is mine is what I use: "What phone do I use?" is answered by "my phone is …"."""
    verb = frame.clause.verb
    is_stated = verb is not None and verb.lemma in ("be", "have", "own") and not verb.is_negative
    return bool(asked.type_words) and is_stated and all(concepts.lemma(word) in _POSSESSING for word in missing)


def contrasts(asked: Asked, frame: Frame) -> bool:
    """Whether the statement is about another one of the same kind: a first job, a middle name."""
    subject = frame.clause.subject
    if subject is None:
        return False
    words = {concepts.lemma(word) for word in (*asked.words, *asked.type_words)} | set(asked.words)
    # What is liked best is liked.
    words |= {"favorite"} if {"like", "love", "enjoy"} & words else set()
    contrasts = [word for word in subject.modifiers if word in CONTRASTS]
    return any(word not in words and concepts.lemma(word) not in words for word in contrasts)


def gives(setting: Setting, frame: Frame) -> bool:
    """Whether the statement has a part of the kind that the question word wants."""
    asked, clause = setting.asked, frame.clause
    if asked.kind == "yes_no":
        return True
    if asked.wanted == "time":
        text = clause.text
        return bool(times.mentions(text, setting.now)) or bool(CLOCK.search(text)) or bool(_HABITUAL.search(text))
    if asked.wanted == "place":
        return _gives_place(setting, frame)
    if asked.wanted in ("number", "age"):
        return any(re.match(r"\W?\d", word) or word.split("-")[0] in lexicon.NUMBER_WORDS for word in frame.words)
    if asked.wanted == "person":
        own = {word for name in (asked.holder.name,) if name for word in name.casefold().split()}
        is_role = any(concepts.is_occupation(word) or relations.relation_of(word) for word in frame.words)
        return bool(frame.names - own - set(asked.words)) or frame.holder.kind == "person" or is_role
    return _extra(asked, frame) > 0 or clause.complement is not None


def _gives_place(setting: Setting, frame: Frame) -> bool:
    verb = frame.clause.verb
    if {"city", "town", "country", "address"} & frame.keys or (verb is not None and verb.lemma == "join"):
        return True
    for phrase in frame.clause.phrases:
        is_time = bool(times.mentions(phrase.text, setting.now)) or CLOCK.search(phrase.text) is not None
        if phrase.preposition in _PLACE_PREPOSITIONS and not is_time:
            return True
    complement = frame.clause.complement
    is_seen = bool(frame.names) and bool({"travel", "visit"} & frame.keys)
    is_there = complement is not None and complement.preposition in _PLACE_PREPOSITIONS
    return is_seen or (is_there and complement is not None and not CLOCK.search(complement.text))
