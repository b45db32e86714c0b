"""Slots of verbs about a life: studies, skills, goals, habits given up, marriages, pay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import JOB_HINTS
from wellkept.judges.english.slots import topics
from wellkept.judges.english.slots.copula import adjective, be
from wellkept.judges.english.slots.values import Slot, many, normal, noun_value, phrase
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause


def go_by(clause: Clause) -> Slot | None:
    by = phrase(clause, "by")
    if by is not None and "/" in by.text:
        return Slot(name="pronouns", value=normal(by.text.removeprefix("by ")))
    return Slot(name="preferred_name", value=noun_value(by.noun)) if by is not None else None


def study(clause: Clause) -> Slot | None:
    at = phrase(clause, "at")
    if at is None or at.noun is None or at.noun.name is None:
        return None
    return many("school", normal(at.noun.text))


def graduate(clause: Clause) -> Slot | None:
    place = phrase(clause, "from")
    return many("school", noun_value(place.noun)) if place is not None else None


def grow(clause: Clause) -> Slot | None:
    where = phrase(clause, "in", "near")
    return (
        Slot(name="hometown", value=noun_value(where.noun))
        if where is not None and clause.verb and clause.verb.particle == "up"
        else None
    )


def play(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None or clause.verb.tense == "past" or clause.verb.modal not in {None, "can"}:
        return None
    if clause.verb.modal == "can" or thing.determiner == "the":
        return many("skills", normal(f"play {thing.text}"))
    return None


def know(clause: Clause) -> Slot | None:
    thing = clause.object
    if (
        thing is None
        or thing.pronoun is not None
        or thing.relation is not None
        or clause.verb is None
        or clause.verb.is_negative
    ):
        return None
    words = [
        word
        for word in re.findall(r"[\w+#.]+", thing.text)
        if word[:1].isupper() or word.casefold() in topics.LANGUAGES
    ]
    if not words:
        return None
    if all(word.casefold() in topics.LANGUAGES for word in words):
        return many("languages", normal(thing.text))
    return many("skills", normal(thing.text))


def want(clause: Clause) -> Slot | None:
    verb = clause.verb
    if (
        verb is None
        or clause.complement is None
        or clause.complement.kind != "infinitive"
        or (clause.object is not None and clause.object.start < clause.complement.start)
        or verb.is_negative
    ):
        return None
    if (
        clause.complement.lemma
        in {
            "know",
            "ask",
            "see",
            "say",
            "make",
            "use",
            "be",
            "have",
            "hear",
            "thank",
            "check",
            "add",
            "talk",
            "quit",
            "leave",
        }
        and verb.lemma != "aim"
    ):
        return None
    return many("goals", normal(clause.complement.text.removeprefix("to ")))


def habit(clause: Clause) -> Slot | None:
    """For "I smoke": what "I quit smoking" ends."""
    verb = clause.verb
    is_habit = verb is not None and verb.tense == "present" and verb.aspect == "simple" and verb.modal is None
    if verb is None or not is_habit or clause.object is not None or verb.is_negative:
        return None
    return Slot(name="habits", value=f"{verb.lemma.removesuffix('e')}ing", cardinality="many")


_AGO = deferred(r"(?i)\s+(?:(?:\w+ ){1,3}ago|(?:last|this) \w+|in \d{4}|yesterday|today|for good|recently)\b.*$")


def stop(clause: Clause) -> Slot | None:
    if clause.verb is not None and clause.verb.is_negative:
        return None
    thing = (
        clause.complement.text
        if clause.complement is not None
        else (clause.object.text if clause.object is not None else None)
    )
    if thing is None:
        return None
    value = normal(_AGO.sub("", thing))
    if clause.object is not None and clause.object.head in {"job", "position", "role"}:
        place = phrase(clause, "at", "with")
        return Slot(name="employer", value=noun_value(place.noun), is_retracted=True) if place is not None else None
    if clause.object is not None and clause.object.name is not None and not clause.object.head:
        return Slot(name="employer", value=noun_value(clause.object), is_retracted=True)
    if clause.object is not None and clause.object.determiner in {"the", "my", "our"} and clause.complement is None:
        return None
    inner = clause.complement.lemma if clause.complement is not None else None
    if inner == "work" and (place := phrase(clause, "at", "for")) is not None:
        return Slot(name="employer", value=noun_value(place.noun), is_retracted=True)
    if inner == "use" and clause.complement is not None and clause.complement.noun is not None:
        return Slot(name="likes", value=noun_value(clause.complement.noun), cardinality="many", is_retracted=True)
    return Slot(name="habits", value=value, cardinality="many", is_retracted=True)


def leave(clause: Clause) -> Slot | None:
    """For "I left Shell"; who leaves a city or a person leaves no employer."""
    verb, thing = clause.verb, clause.object
    if verb is None or thing is None or thing.name is None or thing.head or verb.tense != "past" or thing.parts:
        return None
    first = thing.name.split()[0].casefold()
    is_other = first in topics.PLACES or first in lexicon.FIRST_NAMES
    return None if is_other else Slot(name="employer", value=noun_value(thing), is_retracted=True)


def join(clause: Clause) -> Slot | None:
    """For "I joined Monzo as a designer"."""
    role = phrase(clause, "as")
    is_done = clause.verb is not None and (clause.verb.tense == "past" or clause.verb.aspect == "perfect")
    is_post = is_done and clause.object is not None and clause.object.name is not None and role is not None
    return Slot(name="job", value=noun_value(role.noun)) if is_post and role is not None else None


def give(clause: Clause) -> Slot | None:
    return stop(clause) if clause.verb is not None and clause.verb.particle == "up" else None


def marry(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or thing.name is None:
        return None
    return Slot(name="spouse", value=normal(thing.name))


def promote(clause: Clause) -> Slot | None:
    to = phrase(clause, "to", "as")
    return (
        Slot(name="job", value=noun_value(to.noun))
        if to is not None and to.noun is not None and clause.verb and clause.verb.tense != "future"
        else None
    )


def become(clause: Clause) -> Slot | None:
    noun = clause.complement.noun if clause.complement is not None else None
    return be(clause) if noun is not None else None


def adjective_like(clause: Clause) -> Slot | None:
    """Participles that work like adjectives: "I'm based in Nairobi", "I was born in Tbilisi"."""
    verb = clause.verb
    if verb is None or not verb.is_passive:
        return None
    return adjective(clause, verb.form)


def raised(clause: Clause) -> Slot | None:
    where = phrase(clause, "in")
    is_own = clause.verb is not None and clause.verb.is_passive
    return Slot(name="hometown", value=noun_value(where.noun)) if where is not None and is_own else None


def come(clause: Clause) -> Slot | None:
    origin = phrase(clause, "from")
    is_lasting = clause.verb is not None and clause.verb.tense == "present" and clause.verb.aspect == "simple"
    named = origin is not None and origin.noun is not None and origin.noun.name is not None
    return Slot(name="hometown", value=noun_value(origin.noun)) if is_lasting and named and origin is not None else None


def earn(clause: Clause) -> Slot | None:
    if (
        clause.object is None
        or not re.search(r"\d", clause.object.text)
        or clause.verb is None
        or clause.verb.tense == "past"
    ):
        return None
    is_pay = clause.verb.lemma == "earn" or re.search(r"(?i)\b(?:a|per) (?:year|month|hour)\b", clause.rest)
    return Slot(name="salary", value=normal(clause.rest)) if is_pay else None


_MADE = deferred(r"(?i)me (?:the |an? |their )?(.+?)(?:\s+(?:for|of|at|in)\b.*|[.!,].*)?$")


def make(clause: Clause) -> Slot | None:
    """For "They made me team lead"; else what one makes a year."""
    made = _MADE.match(clause.rest) if clause.verb is not None and clause.verb.tense == "past" else None
    if made is not None and JOB_HINTS.search(made[1].split()[-1].casefold()):
        return Slot(name="job", value=normal(made[1]))
    return earn(clause)


def write(clause: Clause) -> Slot | None:
    """For "I code in VS Code"."""
    tool = phrase(clause, "in", "with", "on")
    value = noun_value(tool.noun) if tool is not None else None
    is_own = clause.subject is None or clause.subject.pronoun == "i"
    return (
        Slot(name="editor", value=value) if is_own and value and set(value.split()) & topics.TOOLS["editor"] else None
    )


def switch(clause: Clause) -> Slot | None:
    """For "I switched from VS Code to Neovim"."""
    to = phrase(clause, "to")
    value = noun_value(to.noun) if to is not None else None
    is_done = clause.verb is not None and clause.verb.tense == "past" and not clause.verb.is_negative
    is_own = clause.subject is None or clause.subject.pronoun == "i"
    is_editor = bool(value) and bool(set((value or "").split()) & topics.TOOLS["editor"])
    return Slot(name="editor", value=value) if is_done and is_own and is_editor else None


def turn(clause: Clause) -> Slot | None:
    match = re.match(r"(\d{1,3})\b", clause.rest)
    return Slot(name="age", value=match.group(1)) if match is not None else None
