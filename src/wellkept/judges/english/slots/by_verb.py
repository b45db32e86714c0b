"""Slots by verb: what "have", "live", "like" and the others say about whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.tokens import COMMON_NOUNS
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.people import relations
from wellkept.judges.english.slots import amounts, dates, life, tastes, things, topics
from wellkept.judges.english.slots.addressing import is_no_name
from wellkept.judges.english.slots.copula import adjective, be, scheduled
from wellkept.judges.english.slots.ties import place_of, relation_slot
from wellkept.judges.english.slots.values import Slot, is_workplace, many, normal, noun_value, phrase
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun


def words_of(noun: Noun) -> tuple[str, ...]:
    """The words before a head: its determiner and modifiers."""
    return (*((noun.determiner,) if noun.determiner else ()), *noun.modifiers)


def _have(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None or clause.verb.modal in {"would", "could", "might"}:
        return None
    members = thing.parts or (thing,)
    head = members[0].head or thing.head
    pet = relations.PETS.get(head) or relations.PETS.get(head.rstrip("s"))
    if pet is not None and any(part.head and part.head not in (head, pet) for part in members[1:]):
        return None
    if pet is not None and head:
        names = [part.name for part in members if part.name]
        value = normal(" and ".join(names)) if names else normal(thing.text)
        # Whoever gets one may have others; whoever has one says which they are.
        is_more = (clause.verb.lemma in {"adopt", "get", "buy"} and clause.verb.tense == "past") or bool(
            {"another", "second", "new"} & {*words_of(thing)}
        )
        return Slot(name=f"pet:{pet}", value=value, cardinality="many" if is_more else "one")
    relation = thing.relation or relations.relation_of(thing.head)
    if relation in relations.CHILDREN:
        return many("children", (thing.name or "").casefold() or normal(thing.text))
    if relation is not None and thing.name is not None:
        return many(f"relation:{relation}", thing.name.casefold())
    text = thing.text.casefold()
    if re.search(r"\ballerg(?:y|ies)\b", text):
        to = phrase(clause, "to")
        return many("allergies", noun_value(to.noun) if to is not None else normal(text.replace("allergy", "")))
    planned = (amounts.saved(clause) or scheduled(clause, thing)) if clause.verb.lemma == "have" else None
    if planned is not None:
        return planned
    if thing.name is not None and (set(thing.name.casefold().split()) & topics.CARS or thing.head in topics.CARS):
        return Slot(name="car", value=noun_value(thing))
    if thing.name is not None and thing.name.casefold().split()[0] in topics.PHONES:
        return Slot(name="phone-model", value=noun_value(thing))
    return None


def _live(clause: Clause) -> Slot | None:
    is_placed = any(one.noun is not None and one.noun.name and one.preposition != "with" for one in clause.phrases)
    if clause.phrases and clause.phrases[0].preposition == "with" and not is_placed:
        return Slot(name="household", value=noun_value(clause.phrases[0].noun))
    where = phrase(clause, "in", "near", "outside")
    if where is not None and where.noun is not None and (where.noun.name or where.noun.text.islower()):
        if where.noun.name is None and (where.noun.determiner or where.noun.head in {"house", "apartment", "flat"}):
            return None
        return Slot(name="city", value=normal((where.noun.name or where.noun.text).split(",")[0]))
    at = phrase(clause, "at", "on")
    if at is not None and re.search(r"\d", at.text):
        return Slot(name="address", value=normal(clause.rest.removeprefix("at ").removeprefix("on ")))
    return None


def _move(clause: Clause) -> Slot | None:
    where = phrase(clause, "to")
    if where is None or where.noun is None or clause.verb is None or clause.verb.is_passive:
        return None
    place = where.noun.name or _lower_place(where.noun)
    if (
        place is None
        or place.split()[0].casefold() in lexicon.TIME_NOUNS
        or (clause.subject is not None and clause.subject.head and clause.subject.relation is None)
    ):
        return None
    if clause.verb.tense == "past" or (clause.verb.aspect == "perfect"):
        return Slot(name="city", value=normal(place))
    return None


def _lower_place(noun: Noun) -> str | None:
    """A place typed without its capital: one bare word that is nothing else the parser knows."""
    is_bare = noun.determiner is None and not noun.modifiers and noun.owner is None and noun.text.isalpha()
    is_known = noun.head in COMMON_NOUNS or verb_form(noun.head) is not None or noun.head.endswith(("ment", "ing", "s"))
    return noun.text if is_bare and not is_known else None


_LATER = deferred(r"(?i)\b(?:from|starting|as of|beginning) (?:next|tomorrow)\b")


def _work(clause: Clause) -> Slot | None:
    """For "I work at Volvo"; who will work elsewhere one day works where they did until then."""
    if clause.verb is not None and (clause.verb.tense == "future" or _LATER.search(clause.text)):
        return None
    role = phrase(clause, "as")
    if role is not None:
        return Slot(
            name="job", value=normal(re.split(r"(?i)\s+(?:at|for|in)\s+", role.noun.text)[0]) if role.noun else None
        )
    place = phrase(clause, "at", "for", "with")
    if (
        place is not None
        and place.noun is not None
        and place.noun.name is not None
        and place.noun.head in {"", *lexicon.ORG_SUFFIXES}
        and place.noun.relation is None
    ):
        return Slot(name="employer", value=normal(place.noun.text))
    if place is not None and place.noun is not None and is_workplace(place.noun):
        return Slot(name="employer", value=noun_value(place.noun))
    return None


def _speak(clause: Clause) -> Slot | None:
    told = re.split(r"\b(?:at|in|with|to|on|for|when|because|about)\b", clause.rest, maxsplit=1)[0]
    # What one speaks with a capital is a language, listed or not.
    spoken = [
        word.casefold()
        for word in re.findall(r"[^\W\d_]+", told)
        if word.casefold() in topics.LANGUAGES or (word[:1].isupper() and word.casefold() not in topics.PLACES)
    ]
    return many("languages", " and ".join(spoken)) if spoken else None


_PRONOUNS = deferred(r"(?i)((?:she|he|they|ze|xe|it|any)\s?/\s?\w+(?:\s?/\s?\w+)?)(?: pronouns)?")
_FOR = deferred(r"(?i)^for (?:the |our |all |its )?")
_PROJECT = deferred(r"(?i)\bproject\b")


def _use(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None:
        return None
    value = noun_value(thing)
    told = _PRONOUNS.match(clause.rest) if "/" in clause.rest else None
    if told is not None:
        return Slot(name="pronouns", value=told.group(1).casefold().replace(" ", ""))
    if value and ("/" in value or "pronouns" in value) and re.search(r"\b(?:she|he|they|ze|xe|it)\s?/", value):
        return Slot(name="pronouns", value=value.replace(" pronouns", "").replace(" ", ""))
    subject = clause.subject
    if (subject is not None and subject.pronoun == "i") or subject is None:
        if value and set(value.split()) & topics.TOOLS["editor"]:
            return Slot(name="editor", value=value, is_retracted=clause.verb.is_negative)
        if value and re.search(r"\b(?:metric|imperial)\b", value):
            return Slot(name="units", value="metric" if "metric" in value else "imperial")
    area = next((item for item in clause.phrases if item.preposition == "for"), None)
    if area is not None and subject is not None and subject.pronoun != "i":
        used_for = _FOR.sub("", area.text)
        bare = _PROJECT.sub("", used_for)
        is_project = bare != used_for
        name = slug(bare.strip() if is_project else used_for)
        return Slot(name=f"tool:{name}", value=value, cardinality="many" if is_project else "one")
    project = _PROJECT.sub("", subject.text).strip() if subject is not None and subject.name is not None else ""
    if project and subject is not None and "project" in subject.text.casefold():
        return many(f"tool:{slug(project)}", value)
    return None


def _decide(clause: Clause) -> Slot | None:
    """For "We decided to use Kotlin for the backend": what is used from then on."""
    chosen = clause.complement
    if chosen is None or chosen.lemma != "use" or chosen.noun is None or clause.verb is None or clause.verb.is_negative:
        return None
    return _use(changed(clause, object=chosen.noun, complement=None, rest=chosen.noun.text))


def _weigh(clause: Clause) -> Slot | None:
    is_told = clause.verb is not None and clause.verb.tense == "present" and clause.rest[:1].isdigit()
    return Slot(name="weight", value=normal(clause.rest)) if is_told else None


def _take(clause: Clause) -> Slot | None:
    """For "I take the 7:40 train to work": it ends with a move."""
    thing, to = clause.object, phrase(clause, "to")
    is_there = clause.complement is not None and clause.complement.lemma == "work"
    places = {"work", "school", "office", "uni", "campus"}
    is_there = is_there or (to is not None and to.noun is not None and to.noun.head in places)
    is_usual = clause.verb is not None and clause.verb.tense == "present" and clause.verb.aspect == "simple"
    is_ride = thing is not None and thing.head in {"train", "bus", "tram", "metro", "subway", "ferry", "bike", "car"}
    return Slot(name="commute", value=noun_value(thing)) if is_there and is_usual and is_ride else None


_WORKED = lexicon.words("taxi cab bus coach tram train ambulance lorry rickshaw matatu tuk-tuk forklift uber")
"""What people drive for a living, and own less often."""


def _drive(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None or clause.verb.tense != "present" or thing.head in _WORKED:
        return None
    return Slot(name="car", value=noun_value(thing))


def _wanted_name(name: str) -> Slot | None:
    return None if is_no_name(name) else Slot(name="preferred_name", value=normal(name))


def _call(clause: Clause) -> Slot | None:
    verb = clause.verb
    if verb is None or (verb.is_negative and clause.type == "imperative"):
        return None
    if clause.type == "imperative" or (clause.subject is not None and clause.subject.pronoun == "you"):
        if clause.indirect is not None and clause.indirect.pronoun == "i" and clause.object is not None:
            return _wanted_name(clause.object.name or clause.object.text)
        match = re.match(r"(?i)me\s+(.+)", clause.rest)
        is_own = clause.object is not None and clause.object.pronoun == "i"
        return _wanted_name(match.group(1)) if is_own and match else None
    if clause.indirect is not None and clause.indirect.pronoun == "i" and clause.object is not None:
        return Slot(name="nickname", value=normal(clause.object.name or clause.object.text))
    if verb.is_passive and clause.subject is not None and clause.object is not None:
        subject = clause.subject
        value = noun_value(clause.object)
        if subject.head in relations.PETS:
            return Slot(name=f"pet:{relations.PETS[subject.head]}", value=value)
        if subject.relation is not None and value is not None:
            return place_of(subject, value)
        if subject.pronoun == "i":
            return Slot(name="name", value=value)
    return None


def _name(clause: Clause) -> Slot | None:
    """For "We named our baby Zuri"."""
    thing = clause.object
    if thing is not None and thing.relation is not None and thing.name is not None:
        return relation_slot(thing.relation, thing.name.casefold())
    return _call(clause)


_RAISED = deferred(r"(?i)(?:hired|promoted)\s+(?:as|to)\s+(.+?)(?:\s+(?:at|by|in)\b.*|[.!,].*)?$")


def _get(clause: Clause) -> Slot | None:
    verb = clause.verb
    if verb is None:
        return None
    match = _RAISED.match(clause.rest)
    if match is not None:
        return Slot(name="job", value=normal(match.group(1)))
    place = phrase(clause, "at", "with")
    if clause.object is not None and clause.object.head == "job" and place is not None and verb.tense == "past":
        return Slot(name="employer", value=noun_value(place.noun))
    is_held = verb.aspect == "perfect" or verb.text.casefold().startswith(("'ve", "have", "'s", "has"))
    if is_held or (
        verb.tense == "past"
        and clause.object is not None
        and (clause.object.name or clause.object.head in relations.PETS)
    ):
        return _have(clause)
    return None


def _start(clause: Clause) -> Slot | None:
    """For "I started as a nurse at St. Mary's", "I began working for Bosch", "She started a new job at Grab"."""
    verb, thing, gerund = clause.verb, clause.object, clause.complement
    if verb is not None and verb.tense != "past" and clause.subject is not None and clause.subject.owner is not None:
        return scheduled(clause, clause.subject)
    if verb is None or (verb.tense != "past" and verb.aspect != "perfect") or verb.is_negative:
        return None
    is_work = gerund is not None and gerund.lemma == "work"
    is_job = thing is not None and thing.head in {"job", "position", "role", "gig"}
    has_role = thing is None and gerund is None and phrase(clause, "as") is not None
    return _work(clause) if is_work or is_job or has_role else None


RULES: dict[str, Callable[[Clause], Slot | None]] = {
    "be": be,
    "have": _have,
    "get": _get,
    "live": _live,
    "reside": _live,
    "move": _move,
    "relocate": _move,
    "work": _work,
    "start": _start,
    "begin": _start,
    "speak": _speak,
    "use": _use,
    "drive": _drive,
    "take": _take,
    "commute": _take,
    "weigh": _weigh,
    "call": _call,
    "name": _name,
    "go": life.go_by,
    "study": life.study,
    "graduate": life.graduate,
    "attend": life.study,
    "grow": life.grow,
    "play": life.play,
    "know": life.know,
    "want": life.want,
    "hope": life.want,
    "aim": life.want,
    "plan": life.want,
    "stop": life.stop,
    "smoke": life.habit,
    "vape": life.habit,
    "gamble": life.habit,
    "quit": life.stop,
    "give": life.give,
    "leave": life.leave,
    "join": life.join,
    "marry": life.marry,
    "promote": life.promote,
    "become": life.become,
    "base": life.adjective_like,
    "bear": life.adjective_like,
    "raise": life.raised,
    "come": life.come,
    "earn": life.earn,
    "make": life.make,
    "code": life.write,
    "write": life.write,
    "turn": life.turn,
    "switch": life.switch,
    "decide": _decide,
    "agree": _decide,
    "own": _have,
    "adopt": _get,
    "buy": _get,
}


def find(clause: Clause) -> Slot | None:
    """The slot of a clause, by its verb."""
    verb = clause.verb
    if verb is None:
        complement = clause.complement
        if complement is not None and complement.kind == "adjective":
            return adjective(clause, complement.text.casefold())
        return None
    if clause.inner:
        return None
    rule = RULES.get(verb.lemma)
    amount = things.changed_to(clause) if verb.lemma in things.CHANGING else None
    day = dates.told(clause) if verb.lemma in dates.VERBS else None
    personal = day or amount or tastes.find(clause, verb) or (rule(clause) if rule is not None else None)
    return personal or things.find(clause)
