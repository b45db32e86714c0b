"""Answers from memory alone: which facts hold what is asked, said to the asker; else that it is not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.judges.base import Answer, Fact, Question
from recollect.judges.rules import concepts, lexicon, times
from recollect.judges.rules.bonds import ASKER, CONTRASTS, Bond, bonds, is_about, names_of, same_name
from recollect.judges.rules.calendar_grammar import CLOCK
from recollect.judges.rules.frames import Frame, frames, slot_keys
from recollect.judges.rules.questions import Asked, analyse
from recollect.judges.rules.voice import to_second_person

UNKNOWN = "I don't know."
FACTS_MAX = 20
_PLACE_PREPOSITIONS = lexicon.words(
    "in at on under from near to behind beside inside by next between above below with for around"
)
_OPPOSITES = {"like": "dislike", "dislike": "like"}
_NAMING = frozenset(("name", "call"))
_POSSESSING = lexicon.words("use own have get possess carry hold keep")


@dataclass(frozen=True, kw_only=True)
class _Match:
    """A statement that answers: how it ranks, and whether it says the opposite of what a yes would need."""

    fact: Fact
    text: str
    frame: Frame
    order: tuple[int, int, int]
    is_opposite: bool = False


@dataclass(frozen=True, kw_only=True)
class _Setting:
    asked: Asked
    known: tuple[Bond, ...]
    now: datetime
    asker: str | None
    slot: str | None


def answer(question: Question, facts: Sequence[Fact], *, now: datetime) -> Answer:
    """What the facts say to the question, in plain sentences to the asker; without memories when they do not."""
    asked = analyse(question.text)
    setting = _Setting(
        asked=asked, known=bonds(facts), now=now, asker=question.asker or _asker_name(facts), slot=question.slot
    )
    if asked.kind == "everything":
        return _everything(setting, facts)
    if asked.kind == "name":
        named = _name(setting, facts)
        if named is not None:
            return named
    if asked.kind == "identity":
        return _identity(setting, facts)
    return _matched(setting, facts)


def _asker_name(facts: Sequence[Fact]) -> str | None:
    """The name under which facts about the asker alone speak of them, if they agree on one."""
    found: set[str] = set()
    for fact in facts:
        if tuple(name.casefold() for name in fact.subjects) != (ASKER,):
            continue
        for _, frame in frames(fact.memory.content):
            holder = frame.holder
            if holder.kind == "person" and holder.relation is None and holder.name:
                found.add(holder.name)
            elif holder.kind == "asker":
                return None
    return next(iter(found)) if len(found) == 1 else None


def _say(setting: _Setting, text: str, fact: Fact) -> str:
    """A statement to the asker; a bare name gets the relation by which the question asked for it."""
    said = to_second_person(text, asker=setting.asker)
    relation = setting.asked.holder.relation
    if relation and setting.asked.holder.of is None and relation not in said.casefold():
        for bond in names_of(setting.asked.holder, setting.known):
            is_subject = said.startswith((f"{bond.name} ", f"{bond.name}'s "))
            if is_subject and (bond.fact is fact or not setting.asked.holder.name):
                return f"Your {bond.word} {said}"
    return said


def _joined(setting: _Setting, matches: Sequence[_Match]) -> Answer:
    sentences: list[str] = []
    ids: list[str] = []
    for match in matches:
        said = _say(setting, match.text, match.fact)
        if said not in sentences:
            sentences.append(said)
        if match.fact.memory.id not in ids:
            ids.append(match.fact.memory.id)
    return Answer(text=" ".join(sentences), memory_ids=tuple(ids))


def _everything(setting: _Setting, facts: Sequence[Fact]) -> Answer:
    asked = setting.asked
    found: list[_Match] = []
    for fact in facts:
        texts = [text for text, frame in frames(fact.memory.content) if _belongs(setting, frame, fact)]
        if texts:
            whole = fact.memory.content
            frame = frames(whole)[0][1]
            found.append(_Match(fact=fact, text=whole, frame=frame, order=(0, 0, 0)))
    if not found or (asked.holder.kind == "thing" and not asked.words):
        return Answer(text=UNKNOWN)
    return _joined(setting, found[:FACTS_MAX])


def _belongs(setting: _Setting, frame: Frame, fact: Fact) -> bool:
    asked = setting.asked
    if asked.holder.kind == "asker":
        is_own = ASKER in [name.casefold() for name in fact.subjects]
        return is_own or is_about(asked.holder, frame, fact, known=setting.known, asker=setting.asker)
    if asked.holder.kind == "thing":
        return all(_covers(frame.keys, word) for word in asked.words)
    known = (bond.name for bond in names_of(asked.holder, setting.known))
    names = [name for name in (asked.holder.name, *known) if name]
    if any(same_name(name, subject) for name in names for subject in fact.subjects):
        return True
    return is_about(asked.holder, frame, fact, known=setting.known, asker=setting.asker)


def _name(setting: _Setting, facts: Sequence[Fact]) -> Answer | None:
    """Who somebody is that the question knows by relation: said as the fact says it, or put together from it."""
    asked = setting.asked
    said = [match for match in _matches(setting, facts) if _states_name(match.frame)]
    if said:
        return _joined(setting, said[:1])
    found = [bond for bond in names_of(asked.holder, setting.known) if _has_words(bond, asked)]
    if not found:
        return Answer(text=UNKNOWN) if asked.holder.of is None else None
    is_name = any(concepts.lemma(word) in _NAMING for word in asked.words)
    sentences, ids, names = [], [], set()
    for bond in found:
        if bond.name.casefold() in names:
            continue
        names.add(bond.name.casefold())
        sentences.append(f"Your {bond.word}'s name is {bond.name}." if is_name else f"Your {bond.word} is {bond.name}.")
        ids.append(bond.fact.memory.id)
    return Answer(text=" ".join(sentences), memory_ids=tuple(dict.fromkeys(ids)))


def _has_words(bond: Bond, asked: Asked) -> bool:
    content = bond.fact.memory.content.casefold()
    return all(word in content for word in asked.holder.words)


def _states_name(frame: Frame) -> bool:
    """Whether the statement says who somebody is and nothing else."""
    verb = frame.clause.verb
    complement = frame.clause.complement.noun if frame.clause.complement else None
    bare = complement is not None and complement.name is not None and not complement.head
    if verb is None:
        return False
    return (verb.lemma == "be" and bare) or (verb.lemma in ("call", "name") and bool(frame.names))


def _identity(setting: _Setting, facts: Sequence[Fact]) -> Answer:
    """Who a named person is: what they are to the asker, else what a fact says they are."""
    asked = setting.asked
    equations: list[_Match] = []
    for fact in facts:
        for text, frame in frames(fact.memory.content):
            verb = frame.clause.verb
            is_theirs = is_about(asked.holder, frame, fact, known=setting.known, asker=setting.asker)
            if is_theirs and verb is not None and verb.lemma == "be" and not verb.is_negative and _is_whole(frame):
                equations.append(_Match(fact=fact, text=text, frame=frame, order=(0, 0, 0)))
    related = [one for one in equations if one.frame.holder.relation]
    if related:
        return _joined(setting, related[:1])
    bond = next((one for one in setting.known if same_name(one.name, asked.holder.name)), None)
    if bond is not None:
        return Answer(text=f"{bond.name} is your {bond.word}.", memory_ids=(bond.fact.memory.id,))
    return _joined(setting, equations[:1]) if equations else Answer(text=UNKNOWN)


def _is_whole(frame: Frame) -> bool:
    """Whether the subject is the person and not something of theirs."""
    subject = frame.clause.subject
    return subject is not None and (frame.holder.start, frame.holder.end) == (subject.start, subject.end)


def _matched(setting: _Setting, facts: Sequence[Fact]) -> Answer:
    asked = setting.asked
    found = _matches(setting, facts)
    if not found:
        return Answer(text=UNKNOWN)
    if asked.kind == "yes_no":
        best = found[0]
        said = _joined(setting, [best])
        if asked.choices:
            return said
        is_no = best.is_opposite != (best.frame.is_negative != asked.is_negative)
        return Answer(text=f"{'No' if is_no else 'Yes'}. {said.text}", memory_ids=said.memory_ids)
    return _joined(setting, found if asked.is_many else found[:1])


def _matches(setting: _Setting, facts: Sequence[Fact]) -> list[_Match]:
    found: list[_Match] = []
    for place, fact in enumerate(facts):
        for text, frame in frames(fact.memory.content):
            if not is_about(setting.asked.holder, frame, fact, known=setting.known, asker=setting.asker):
                continue
            keys = frame.keys | slot_keys(fact.memory.fact_key)
            is_opposite = False
            if not _answers(setting, frame, keys):
                opposite = {_OPPOSITES[key] for key in keys if key in _OPPOSITES}
                is_opposite = setting.asked.kind == "yes_no" and _answers(setting, frame, keys | opposite)
                if not is_opposite:
                    continue
            order = (_slot_rank(setting.slot, fact), _extra(setting.asked, frame), place)
            found.append(_Match(fact=fact, text=text, frame=frame, order=order, is_opposite=is_opposite))
    return sorted(found, key=lambda match: match.order)


def _slot_rank(slot: str | None, fact: Fact) -> int:
    key = fact.memory.fact_key
    if slot is None or key is None:
        return 1
    return 0 if key == slot or key.endswith(f":{slot}") else 2


def _extra(asked: Asked, frame: Frame) -> int:
    """How many words the statement has that the question did not ask for."""
    asked_keys: set[str] = set()
    for word in (*asked.words, *asked.type_words):
        asked_keys |= concepts.asked_by(word)
    return sum(1 for word in frame.words if not concepts.asked_by(word) & asked_keys)


def _covers(keys: frozenset[str], word: str) -> bool:
    return bool(concepts.asked_by(word) & keys)


def _answers(setting: _Setting, frame: Frame, keys: frozenset[str]) -> bool:
    """Whether a statement holds every word asked for, and a part of the kind that is wanted."""
    asked = setting.asked
    wanted = (*asked.words, *asked.type_words)
    missing = [word for word in wanted if not _covers(keys, word) and word not in frame.names]
    if missing and not (_is_named_by(asked, frame, missing) or _is_possessed(asked, frame, missing)):
        return False
    if asked.choices and not any(_covers(keys, word) for word in asked.choices):
        return False
    if not asked.words and not asked.type_words and not asked.choices and not _is_plain_being(asked, frame):
        return False
    if any(name not in frame.names for name in asked.names):
        return False
    if asked.kind != "yes_no" and frame.is_negative != asked.is_negative and "avoid" not in keys:
        return False
    return not _contrasts(asked, frame) and _gives(setting, frame)


def _is_plain_being(asked: Asked, frame: Frame) -> bool:
    """Whether nothing is asked but what somebody is, as in "What breed is Pepper?"."""
    verb = frame.clause.verb
    complement = frame.clause.complement
    is_noun = complement is not None and complement.kind == "noun" and verb is not None and verb.lemma == "be"
    return asked.verb == "be" and asked.wanted == "any" and is_noun and _is_whole(frame)


def _is_named_by(asked: Asked, frame: Frame, missing: list[str]) -> bool:
    """Whether only the word "name" is missing and the thing asked for stands there with its name."""
    if any(concepts.lemma(word) not in _NAMING for word in missing):
        return False
    clause = frame.clause
    complement = clause.complement.noun if clause.complement else None
    lemmas = {concepts.lemma(word) for word in asked.words}
    if clause.subject is not None and complement is not None and complement.name and not complement.head:
        label = {concepts.lemma(word) for word in (*clause.subject.modifiers, clause.subject.head) if word}
        return bool(label) and label <= lemmas
    nouns = (clause.subject, clause.object, complement)
    return any(noun is not None and noun.name and concepts.lemma(noun.head) in lemmas for noun in nouns)


def _is_possessed(asked: Asked, frame: Frame, missing: list[str]) -> bool:
    """Whether what is mine is what I use: "What phone do I use?" is answered by "my phone is …"."""
    verb = frame.clause.verb
    is_stated = verb is not None and verb.lemma in ("be", "have", "own") and not verb.is_negative
    return bool(asked.type_words) and is_stated and all(concepts.lemma(word) in _POSSESSING for word in missing)


def _contrasts(asked: Asked, frame: Frame) -> bool:
    """Whether the statement is about another one of the same kind: a first job, a middle name."""
    subject = frame.clause.subject
    if subject is None:
        return False
    words = {concepts.lemma(word) for word in (*asked.words, *asked.type_words)} | set(asked.words)
    contrasts = [word for word in subject.modifiers if word in CONTRASTS]
    return any(word not in words and concepts.lemma(word) not in words for word in contrasts)


def _gives(setting: _Setting, frame: Frame) -> bool:
    """Whether the statement has a part of the kind that the question word wants."""
    asked, clause = setting.asked, frame.clause
    if asked.kind == "yes_no":
        return True
    if asked.wanted == "time":
        return bool(times.mentions(clause.text, setting.now)) or CLOCK.search(clause.text) is not None
    if asked.wanted == "place":
        return _gives_place(setting, frame)
    if asked.wanted in ("number", "age"):
        return any(re.match(r"\W?\d", word) or word in lexicon.NUMBER_WORDS for word in frame.words)
    if asked.wanted == "person":
        own = {word for name in (asked.holder.name,) if name for word in name.casefold().split()}
        return bool(frame.names - own - set(asked.words)) or frame.holder.kind == "person"
    return _extra(asked, frame) > 0 or clause.complement is not None


def _gives_place(setting: _Setting, frame: Frame) -> bool:
    if {"city", "town", "country"} & frame.keys:
        return True
    for phrase in frame.clause.phrases:
        is_time = bool(times.mentions(phrase.text, setting.now))
        if phrase.preposition in _PLACE_PREPOSITIONS and not is_time:
            return True
    complement = frame.clause.complement
    return complement is not None and complement.preposition in _PLACE_PREPOSITIONS
