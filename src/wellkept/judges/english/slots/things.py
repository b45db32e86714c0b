"""Slots of things: the value that an attribute of one has, who has charge of it, and what it does or uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import ATTRIBUTES, PRICED
from wellkept.judges.english.people import relations
from wellkept.judges.english.slots import favorites
from wellkept.judges.english.slots.values import Slot, normal
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

VALUES, HOLDERS, DOINGS = "value:", "held:", "does:"
OF_THINGS = (VALUES, HOLDERS, DOINGS)
CHANGING = lexicon.words(
    "go rise increase jump climb drop fall decrease sink raise lower cut reduce hike change set bump extend shorten "
    "double halve switch rename reset shrink grow"
)
"""What is done to a value."""
BILLS = lexicon.words("rent mortgage")
"""Amounts that are the speaker's own when nobody says whose they are."""
_NAMING = lexicon.words("change switch rename set reset")
_HELPING = frozenset(("be", "get", "have"))
_CHANGED = (
    r"(?:raised|lowered|increased|decreased|cut|reduced|changed|set|bumped|extended|shortened|dropped|switched|renamed"
    r"|upped|hiked|reset)"
)
_FIGURE = r"[$€£¥₱₹]?\d[\d.,:]*(?:k|m|gb|mb|ms|%)?(?: [a-z%]+){0,2}(?: (?:a|per) (?:month|year|week|hour|day|person))?"
_IS_FIGURE = deferred(rf"(?i){_FIGURE}(?: now| instead)?\W*$")
_TO_FIGURE = deferred(
    rf"(?i)(?:^|.*?\b)(?P<changed>{_CHANGED} )?(?:up |down |back )?to (?P<value>{_FIGURE})(?=\W*$|[,;.]| )"
)
_TO_NAME = deferred(
    r"(?:^|.*?\b)(?:[a-z]+ )?to (?P<value>(?:the )?[^\W\d_a-z][\w'’.-]*(?: [^\W_a-z][\w'’.-]*){0,2})\W*$"
)
_SMALL = frozenset(
    ("the", "a", "an", "my", "our", "of", "for", "on", "in", "at", "to", "per", "with", "by", "new", "current")
)
_PASSING = lexicon.words(
    "answer total sum result point question problem difference score temperature weather time probability chance "
    "option choice key trick issue idea thing word reason one rest goal winner truth bottom top capital population "
    "distance solution odds balance count number value output input bill check cost change error code"
)
"""What an answer, a bill or the day says, and no setting of anything."""


def thing_words(noun: Noun) -> list[str]:
    """The words that a thing is known by, its head last: "the budget for the kitchen" is the kitchen budget."""
    words = [word.casefold() for word in re.findall(r"[^\W_][\w'-]*", noun.text)]
    told = [word.removesuffix("'s") for word in words if word not in _SMALL]
    return [*(word for word in told if word != noun.head), *([noun.head] if noun.head in told else [])]


def is_same_thing(new: str, old: str) -> bool:
    """Whether two slots tell the same of one thing, which one of them may call by a shorter name.

    >>> is_same_thing("held:own:billing", "held:own:billing_service"), is_same_thing("value:port", "value:default_port")
    (True, True)
    >>> is_same_thing("value:team", "value:team_size"), is_same_thing("held:own:billing", "held:lead:billing")
    (False, False)
    """
    kind = next((one for one in OF_THINGS if new.startswith(one)), None)
    if kind is None or not old.startswith(kind):
        return False
    (*new_role, new_name), (*old_role, old_name) = new.split(":"), old.split(":")
    is_any = kind == HOLDERS and ANY in (new_role[-1], old_role[-1])
    if new_role != old_role and not is_any:
        return False
    shorter, longer = sorted((new_name.split("_"), old_name.split("_")), key=len)
    is_head = kind == HOLDERS or shorter[-1] == longer[-1]
    return is_head and set(shorter) <= set(longer)


# Values


def value(clause: Clause, thing: Noun) -> Slot | None:
    """For "the rate limit is 600", "the on-call engineer is Aroha": one thing has one at a time."""
    verb, told = clause.verb, clause.complement
    if verb is None or verb.is_negative or verb.modal is not None or not is_setting(thing):
        return None
    noun = told.noun if told is not None and told.kind == "noun" else None
    is_name = noun is not None and noun.name is not None and not noun.head and noun.determiner is None
    if not is_figure(clause) and not (is_name and not _is_of_everybody(thing)):
        return None
    return _valued(thing, clause.rest)


def is_figure(clause: Clause) -> bool:
    """Whether a clause tells a number and nothing else."""
    return _IS_FIGURE.match(clause.rest) is not None


def changed_to(clause: Clause) -> Slot | None:
    """For "my rent went up to 900", "they raised my salary to 50k", "the rate limit was lowered to 600"."""
    verb, found = clause.verb, _TO_FIGURE.match(clause.rest)
    if found is None or verb is None or not _is_done(clause) or (verb.lemma in _HELPING and found["changed"] is None):
        return None
    return _of(clause, found["value"])


def renamed(clause: Clause) -> Slot | None:
    """For "we renamed the repo to Kestrel", "the wifi name was changed to Mistral"."""
    verb = clause.verb
    if verb is None or verb.lemma not in _NAMING or not _is_done(clause):
        return None
    found = _TO_NAME.match(clause.rest)
    return _of(clause, found["value"]) if found is not None else None


def _is_done(clause: Clause) -> bool:
    verb = clause.verb
    is_ahead = verb is None or verb.tense == "future" or verb.modal not in {None, "have to"}
    return not is_ahead and verb is not None and not verb.is_negative


def _of(clause: Clause, told: str) -> Slot | None:
    """The slot of the thing that was changed: somebody's own attribute by its name, like when it is said to be so."""
    nouns = (noun for noun in (clause.object, clause.subject) if noun is not None)
    thing = next((noun for noun in nouns if _is_owned(noun) or is_setting(noun)), None)
    if thing is None:
        return None
    if not _is_owned(thing):
        return _valued(thing, told)
    label = favorites.label(thing)
    return Slot(name=ATTRIBUTES.get(label) or slug(label), value=told.casefold())


def _is_owned(noun: Noun) -> bool:
    is_bill = noun.head in BILLS and noun.determiner in {"the", None}
    is_thing = bool(noun.head) and noun.relation is None and noun.name is None and not noun.is_plural
    return is_thing and (noun.owner is not None or is_bill)


def is_setting(noun: Noun) -> bool:
    """Whether it is the one thing of its name, and not what the talk is about."""
    if not noun.head or noun.relation is not None or noun.pronoun is not None or noun.parts or noun.is_plural:
        return False
    is_passing = noun.head in _PASSING and len(thing_words(noun)) < 2
    is_owned = noun.owner is None or noun.owner.pronoun in {"i", "we"}
    return noun.determiner in {"the", "our", "my"} and is_owned and not is_passing and not _is_of_everybody(noun)


def _is_of_everybody(noun: Noun) -> bool:
    """For "the capital of France": the world's, and not the speaker's."""
    return noun.of is not None and noun.of.name is not None and noun.of.determiner is None and noun.of.owner is None


def _valued(thing: Noun, said: str) -> Slot | None:
    told, label = normal(said), slug(" ".join(thing_words(thing)))
    return Slot(name=f"{VALUES}{label}", value=told) if told and label else None


# Who has charge of it


ANY = "any"
"""The role of whoever took a thing over: whatever the one before did with it."""
HOLDING = lexicon.words("own lead run manage head maintain coach chair direct supervise captain oversee")
_CHARGE = deferred(
    r"(?i)(?:now )?(?:in charge of|responsible for|the (?:owner|lead|head|maintainer|manager|chair) of) "
    r"(?P<thing>[^,.;]+)"
)
_BY = deferred(
    r"\b(?i:(?P<done>owned|led|run|managed|headed|maintained|coached|chaired|directed|supervised|overseen) by) "
    r"(?P<who>[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)?)"
)
_ROLES = {"led": "lead", "run": "run", "overseen": "oversee"}


def held(clause: Clause) -> Slot | None:
    """For "Tomás owns billing", "Mei is in charge of logistics", "the club is run by Inés", "Jo took over the shop"."""
    verb, who = clause.verb, clause.subject
    if verb is None or verb.is_negative or who is None or verb.modal is not None or verb.aspect == "progressive":
        return None
    if verb.tense == "future" or (verb.tense == "past" and verb.lemma != "take"):
        return None
    if verb.lemma in HOLDING and clause.object is not None and not verb.is_passive:
        return _holding(who, verb.lemma, clause.object)
    if verb.lemma == "take" and clause.rest.casefold().startswith("over ") and clause.phrases:
        return _holding(who, ANY, clause.phrases[0].noun)
    charge = _CHARGE.match(clause.rest) if verb.lemma == "be" else None
    if charge is not None and clause.phrases and _is_holder(who):
        return _held(who.text, "charge", re.findall(r"[^\W_][\w'-]*", charge["thing"].casefold()))
    by = _BY.search(clause.text)
    if by is None or not is_setting(who):
        return None
    done = by["done"].casefold()
    role = _ROLES.get(done) or next(one for one in (done[:-1], done[:-2]) if one in HOLDING)
    return _held(by["who"], role, thing_words(who))


def _holding(who: Noun, role: str, thing: Noun | None) -> Slot | None:
    is_one = thing is not None and thing.head and not thing.parts and thing.determiner in {None, "the", "our"}
    if thing is None or not is_one or thing.relation is not None or thing.pronoun is not None or not _is_holder(who):
        return None
    # Many people run track, and each of them their own.
    is_any = thing.determiner is None and (thing.is_plural or thing.name is not None or role == "run")
    return None if is_any else _held(who.text, role, thing_words(thing))


def _is_holder(who: Noun) -> bool:
    return (who.name is not None and not who.head) or who.relation is not None or who.pronoun == "i"


def _held(who: str, role: str, words: list[str]) -> Slot | None:
    label = slug(" ".join(word for word in words if word not in _SMALL | {"now"}))
    name = "user" if who.casefold() == "i" else who.casefold()
    return Slot(name=f"{HOLDERS}{role}:{label}", value=name) if label else None


# What it does


DOING = lexicon.words("use run require cost need live sit host support")
"""What a thing does for as long as nobody changes it."""
_MEASURED = frozenset(("cost", "require", "need"))


def does(clause: Clause) -> Slot | None:
    """For "the staging database runs Postgres 16", "our line costs 30 euros a month"."""
    verb, thing = clause.verb, clause.subject
    if verb is None or verb.is_negative or verb.modal is not None or verb.tense != "present" or thing is None:
        return None
    is_named = thing.name is not None and not thing.head and thing.owner is not None and thing.relation is None
    if not (is_named or is_setting(thing)) or thing.head in relations.PETS or clause.complement is not None:
        return None
    told, label = normal(clause.rest), slug(" ".join(thing_words(thing)))
    if told is None or not label:
        return None
    if verb.lemma in _MEASURED and is_figure(clause):
        return Slot(name=f"{VALUES}{label}_{verb.lemma}", value=told)
    return Slot(name=f"{DOINGS}{verb.lemma}:{label}", value=told, cardinality="many")


VERBS = CHANGING | HOLDING | DOING | {"take", "move", "be", "get", "have"}
_PLACED = deferred(
    r"(?i)to (?P<place>(?:the |a |our )?(?:(?:\w+ )?(?:floor|room|building|shelf|level|drawer|wing|hall)\b|\d+ [a-z])"
    r"[^,.;]*)"
)


def find(clause: Clause) -> Slot | None:
    """The slot of a thing that a clause fills, when no slot of a person is."""
    verb = clause.verb
    if verb is None or verb.lemma not in VERBS:
        return None
    is_priced = verb.lemma == "move" and clause.subject is not None and clause.subject.head in PRICED
    found = changed_to(clause) if is_priced or verb.lemma in _HELPING else renamed(clause)
    if found is None and verb.lemma in HOLDING | {"take", "be"}:
        found = held(clause)
    if found is None and verb.lemma in DOING:
        found = does(clause)
    return found if found is not None or is_priced or verb.lemma != "move" else _placed(clause)


def _placed(clause: Clause) -> Slot | None:
    """For "the meeting room has moved to floor 5"."""
    thing, found = clause.subject, _PLACED.match(clause.rest)
    if thing is None or found is None or not is_setting(thing):
        return None
    return Slot(name=f"location:{slug(' '.join(thing_words(thing)))}", value=normal(found["place"]))
