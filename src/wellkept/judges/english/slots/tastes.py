"""Tastes: what somebody likes or dislikes, in whatever words, and what they have grown tired of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from wellkept.judges.english.slots.values import Slot, many, normal, noun_value
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.verbgroup import Verb

LIKING = frozenset(("like", "love", "enjoy", "adore", "dig", "fancy", "relish"))
DISLIKING = frozenset(("hate", "dislike", "detest", "loathe", "despise", "abhor"))
BEARING = frozenset(("stand", "bear", "abide", "tolerate", "stomach"))
"""Verbs that say dislike with "can't" before them."""

_ALWAYS = deferred(r"(?i)\b(?:always|never|as a (?:kid|child|boy|girl))\b")
_NO_MORE = deferred(r"(?i)\b(?:no longer|any ?more|any longer)\b")
_ADVERB = (
    r"(?:(?:so|very|really|truly|totally|absolutely|completely|pretty|quite|just|also|still|now|no longer|such) )*"
)
_FOND = deferred(
    rf"(?i)^{_ADVERB}(?:fond of|into|(?:crazy|mad|nuts|wild|passionate|enthusiastic) about|keen on|big on|partial to"
    r"|obsessed with|hooked on|in love with) (?P<thing>.+)$"
)
_WEARY = deferred(
    rf"(?i)^{_ADVERB}(?:(?:sick(?: and tired)?|tired|weary|bored) of|bored with|(?:fed )?up with"
    r"|(?<=so )over|(?<=totally )over|(?<=completely )over) (?P<thing>.+)$"
)
_LOST = deferred(
    r"(?i)^(?:(?:my|his|her|their|all) )*(?:interest|taste|appetite|love|passion) (?:in|for) (?P<thing>.+)$"
)
_UNNAMED = frozenset(("it", "that", "this", "him", "her", "them", "you", "me"))
# Liking to eat something is liking it.
_TAKING = deferred(r"^(?:eating|drinking|having|to eat|to drink|to have) (?=\w)")


def find(clause: Clause, verb: Verb) -> Slot | None:
    """The taste that a clause tells of, or None."""
    if verb.modal in {"would", "could", "should", "might", "may"}:
        return None
    if verb.lemma in LIKING or verb.lemma in DISLIKING:
        return _felt(clause, verb)
    if verb.lemma in BEARING and verb.is_negative and verb.modal == "can":
        return _unbearable(clause)
    if verb.lemma in {"be", "get", "feed", "obsess"}:
        return _attitude(clause)
    rule = _BY_VERB.get(verb.lemma)
    return rule(clause, verb) if rule is not None else None


def is_lasting_dislike(slot: Slot | None, verb: Verb) -> bool:
    """Whether "any more" says when it began: "I can't stand it any more" takes nothing back."""
    return slot is not None and slot.name == "dislikes" and verb.modal == "can"


def _was_occasion(clause: Clause, verb: Verb) -> bool:
    """For "Dad loved the tickets": how something went down, no taste."""
    is_past = verb.tense == "past" and verb.modal is None and verb.aspect == "simple"
    return is_past and _ALWAYS.search(clause.text) is None


def _felt(clause: Clause, verb: Verb) -> Slot | None:
    if _was_occasion(clause, verb):
        return None
    if clause.complement is not None and clause.complement.kind in {"infinitive", "gerund"}:
        value = normal(clause.complement.text.removeprefix("to "))
    elif clause.object is not None and clause.object.pronoun is None:
        is_whole = clause.object.of is None and not clause.phrases
        value = normal(clause.rest) if is_whole else noun_value(clause.object)
    else:
        return None
    is_turned = verb.is_negative and _NO_MORE.search(clause.text) is None
    is_liked = (verb.lemma in LIKING) is not is_turned
    if verb.modal == "can" and verb.is_negative:
        is_liked = False
    return many("likes" if is_liked else "dislikes", _taken(value))


def _unbearable(clause: Clause) -> Slot | None:
    if clause.complement is not None and clause.complement.kind == "gerund":
        return many("dislikes", _taken(normal(clause.complement.text)))
    thing = clause.object
    return many("dislikes", noun_value(thing)) if thing is not None and thing.pronoun is None else None


def _attitude(clause: Clause) -> Slot | None:
    """For "is into", "is crazy about", "is sick of": an attitude of whoever is the subject."""
    for name, idiom in (("likes", _FOND), ("dislikes", _WEARY)):
        found = idiom.match(clause.rest)
        if found is not None:
            is_entry = clause.verb is not None and clause.verb.lemma == "get" and _ENTERED.search(found["thing"])
            return None if is_entry else _told(name, found["thing"])
    return None


_ENTERED = deferred(
    r"(?i)\b(?:school|university|uni|college|academy|conservatory|course|programme?|degree|team|squad|finals?|trouble"
    r"|debt|accident|fight|argument|bed|shape)\b"
)
"""Who got into medical school was taken, and into a fight had one; it is no taste."""


def _told(name: str, thing: str) -> Slot | None:
    """The taste for a thing that is named; "it" is none, and "over 40" no taste."""
    value = normal(thing)
    return many(name, _taken(value)) if value and not value[0].isdigit() and value not in _UNNAMED else None


def _gone_off(clause: Clause, verb: Verb) -> Slot | None:
    """For "has gone off coffee": nothing is liked any more."""
    is_off = verb.particle == "off" and not verb.is_negative
    return _told("dislikes", clause.rest) if is_off and (clause.object or clause.complement) is not None else None


def _lost(clause: Clause, verb: Verb) -> Slot | None:
    """For "lost interest in pottery", "lost my taste for rowing"."""
    found = _LOST.match(clause.rest)
    return _over(normal(found["thing"])) if found is not None and not verb.is_negative else None


def _care(clause: Clause, verb: Verb) -> Slot | None:
    """For "don't care for opera"."""
    is_cold = verb.is_negative and clause.rest.casefold().startswith("for ")
    return _told("dislikes", clause.rest[len("for ") :]) if is_cold else None


def _stopped(clause: Clause, verb: Verb) -> Slot | None:
    """For "stopped liking techno"."""
    inner = clause.complement
    if verb.is_negative or inner is None or inner.lemma not in LIKING:
        return None
    return _over(normal(re.sub(r"^\S+\s+", "", inner.text)))


def _over(value: str | None) -> Slot:
    return Slot(name="likes", value=_taken(value), cardinality="many", is_retracted=True)


def _taken(value: str | None) -> str | None:
    return _TAKING.sub("", value) if value is not None else None


_BY_VERB: dict[str, Callable[[Clause, Verb], Slot | None]] = {
    "go": _gone_off,
    "lose": _lost,
    "care": _care,
    "stop": _stopped,
    "quit": _stopped,
}
