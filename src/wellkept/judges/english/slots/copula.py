"""Slots that "be" fills: attributes, favourites, relations, jobs, places and dates of things."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.dates.days import WEEKLY
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import (
    ATTRIBUTES,
    EVENTS,
    JOB_HINTS,
    MACHINES,
    NOT_ATTRIBUTES,
    NOT_JOBS,
    SCHEDULED,
    TEMPORARY,
)
from wellkept.judges.english.people import relations
from wellkept.judges.english.slots import dates, favorites, things, topics
from wellkept.judges.english.slots.ties import place_of, relation_slot
from wellkept.judges.english.slots.values import MANY, Slot, after_verb, many, normal, noun_value, phrase
from wellkept.judges.english.slots.visits import visited
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun


def be(clause: Clause) -> Slot | None:
    subject = clause.subject
    verb = clause.verb
    if verb is None or verb.modal in {"would", "could", "should", "might", "may"}:
        return None
    if favorites.turned(clause) is not None:
        return favorites.turned_slot(clause)
    if subject is not None and subject.head and subject.relation is None:
        return _attribute(clause, subject)
    is_named = subject is not None and subject.name is not None and subject.relation is None
    is_named = is_named and subject is not None and subject.determiner is not None
    day = dates.told(clause) if is_named or visited(subject) else None
    if day is not None:
        return day  # "the Nikah is on 6 June"
    complement = clause.complement
    if complement is not None and complement.kind == "adjective":
        return adjective(clause, complement.text.casefold())
    if complement is not None and complement.noun is not None:
        return _is_noun(clause, complement.noun)
    return _be_phrase(clause)


def _be_phrase(clause: Clause) -> Slot | None:
    origin = phrase(clause, "from")
    if origin is not None and clause.phrases[0].preposition == "from":
        return Slot(name="hometown", value=noun_value(origin.noun))
    place = phrase(clause, "in")
    if (
        place is not None
        and place.noun is not None
        and re.search(r"(?i)\b(?:time ?zone|pacific|eastern|central|mountain) time\b|time ?zone", place.text)
    ):
        return Slot(name="timezone", value=normal(re.sub(r"(?i)\b(?:time ?zone|time)\b", "", place.noun.text)))
    return _whereabouts(clause, place.noun) if place is not None and clause.phrases[0] is place else None


def _whereabouts(clause: Clause, place: Noun | None) -> Slot | None:
    """For "my brother Babu is in Muscat": where somebody else is for now, or for years."""
    who, verb = clause.subject, clause.verb
    is_other = who is not None and who.pronoun is None and (who.relation is not None or who.name is not None)
    is_city = place is not None and place.name is not None and not place.head and place.determiner is None
    if (
        not is_other
        or not is_city
        or verb is None
        or verb.tense != "present"
        or verb.is_negative
        or len(clause.phrases) > 1
    ):
        return None
    return Slot(name="whereabouts", value=noun_value(place))


def _attribute(clause: Clause, subject: Noun) -> Slot | None:
    """For "My X is Y" and "the X of Y is Z"."""
    verb = clause.verb
    if verb is None:
        return None
    if verb.is_negative or verb.tense == "past":
        return dates.told(clause)  # "isn't until May", "had to be put off until May"
    label = favorites.label(subject)
    value = normal(after_verb(clause))
    if value is None:
        return None
    favorite = favorites.favorite(subject, label)
    if favorite is not None:
        return Slot(name=favorite, value=value)
    project = _project(subject)
    if project is not None:
        return Slot(name=project, value=after_verb(clause).strip(" .!").casefold() if "status" in project else value)
    pet = relations.PETS.get(subject.head)
    if pet is not None and subject.owner is not None:
        is_name = (
            clause.complement is not None
            and clause.complement.noun is not None
            and clause.complement.noun.name is not None
        )
        return (
            Slot(name=f"pet:{pet}", value=value)
            if is_name and clause.complement and clause.complement.kind == "noun"
            else None
        )
    if subject.owner is not None and subject.head == "name" and subject.owner.head in relations.PETS:
        return Slot(name=f"pet:{relations.PETS[subject.owner.head]}", value=value)
    if subject.owner is not None and subject.owner.relation is not None and subject.head == "name":
        return relation_slot(subject.owner.relation, value)
    if (
        subject.head in {"name", "names"}
        and subject.owner is not None
        and subject.owner.pronoun is None
        and subject.owner.name is None
    ):
        return None
    return _owned(clause, subject, label, value) if subject.owner is not None else _thing(clause, subject, label, value)


def _project(subject: Noun) -> str | None:
    """For "The deadline for project Aurora is …", "Aurora's deadline is …", "the status of the Helios project is …"."""
    if (
        subject.head not in {"deadline", "status", "due date", "date"}
        and "deadline" not in subject.text.casefold()
        and "status" not in subject.text.casefold()
    ):
        return None
    kind = "status" if "status" in subject.text.casefold() else "deadline"
    text = re.sub(r"(?i)\b(?:the|our|my|a|current|new|final)\b", " ", subject.text)
    match = re.search(r"(?i)(?:for|of|on)\s+(?:project\s+)?(.+?)(?:\s+project)?\s*$", text) or re.match(
        r"(?i)\s*(?:project\s+)?(.+?)(?:['’]s)?(?:\s+project(?:['’]s)?)?\s+(?:deadline|status|due date)", text
    )
    if match is None:
        return None
    name = slug(match.group(1))
    return f"project:{name}:{kind}" if name else None


def _owned(clause: Clause, subject: Noun, label: str, value: str) -> Slot | None:
    is_predicate = clause.complement is not None and clause.complement.kind == "adjective"
    known = _known(label, subject.head, value)
    if known is not None:
        is_passing = is_predicate and (known in {"employer", "job"} or value.split(maxsplit=1)[0] in TEMPORARY)
        is_wrong = known in _THINGS and (clause.complement is None or clause.complement.kind != "noun")
        is_wrong = is_wrong or (known == "phone" and not any(sign.isdigit() for sign in value))
        return (
            None
            if is_passing or is_wrong
            else Slot(name=known, value=value, cardinality="many" if known in MANY else "one")
        )
    day = dates.told(clause)
    if day is not None or subject.head in EVENTS:
        return day
    place = _location(clause, label)
    if place is not None:
        return place
    return Slot(name=slug(label), value=value) if _is_attribute(clause, subject) and not is_predicate else None


_THINGS = frozenset(("car", "phone-model", "editor", "school", "employer"))
"""What a slot names by what it is; where it stands or how it is fills nothing ("my car is in the shop")."""


def _known(label: str, head: str, value: str) -> str | None:
    """The slot of a noun that names one by itself ("blood type" is not a "type")."""
    known = ATTRIBUTES.get(label) or (ATTRIBUTES.get(head) if head not in _TOO_GENERAL else None)
    return "phone" if known == "phone-model" and value[:1].isdigit() else known


def _is_attribute(clause: Clause, subject: Noun) -> bool:
    """Whether any noun with an owner names one lasting value: "my locker number is 44", not "my friend is a fool"."""
    complement = clause.complement
    if complement is None or subject.head in NOT_ATTRIBUTES or subject.is_plural:
        return False
    is_kind = complement.noun is not None and complement.noun.determiner in {"a", "an"}
    return not is_kind or subject.head in MACHINES


_TOO_GENERAL = lexicon.words("number size type title name language company school")


def scheduled(clause: Clause, thing: Noun | None) -> Slot | None:
    """For "I have Dutch class every Thursday", "my Dutch class starts again, Tuesdays at 7"."""
    if thing is None or thing.head not in SCHEDULED or thing.name is not None or not thing.modifiers:
        return None
    label = " ".join(word for word in (*thing.modifiers, thing.head) if word not in {"new", "next", "first", "weekly"})
    when = WEEKLY.search(clause.rest)
    if when is None or clause.verb is None or clause.verb.is_negative or " " not in label:
        return None
    return Slot(name=f"schedule:{label.replace(' ', '_')}", value=normal(clause.rest[when.start() :]))


_ARTICLE = deferred(r"^(?:the|our|a) ")


def _thing(clause: Clause, subject: Noun, label: str, value: str) -> Slot | None:
    """Things that belong to nobody in particular: the launch, the standup, the spare key."""
    clean = _ARTICLE.sub("", label)
    if (
        subject.determiner is None
        and label in ATTRIBUTES
        and label not in {"number", "school", "company", "title", "language", "units", "car"}
    ):
        # A note without "my": "Salary is $150k".
        known = ATTRIBUTES[label]
        return Slot(name=known, value=value, cardinality="many" if known in MANY else "one")
    return dates.told(clause) or _location(clause, clean) or things.value(clause, subject)


def _location(clause: Clause, label: str) -> Slot | None:
    spot = phrase(
        clause,
        "in",
        "under",
        "on",
        "behind",
        "inside",
        "at",
        "above",
        "below",
        "near",
        "beside",
        "underneath",
        "next",
        "over",
    )
    if (
        spot is None
        or clause.complement is not None
        or spot.noun is None
        or spot.noun.head in lexicon.TIME_NOUNS
        or not label
        or (spot.noun.name or "").casefold().split(" ")[0] in lexicon.WEEKDAYS_AND_MONTHS | {"march", "may"}
        or clause.verb is None
        or clause.verb.tense == "past"
    ):
        return None
    if any(sign.isdigit() for sign in spot.noun.text) and not re.search(
        r"(?i)floor|level|room|row|shelf|drawer", spot.text
    ):
        return None
    return Slot(name=f"location:{slug(label)}", value=normal(clause.rest))


def adjective(clause: Clause, text: str) -> Slot | None:
    """The slot of "is <adjective> …"."""
    last = text.rsplit(maxsplit=1)[-1]
    if last in _DIETS | {"kosher", "halal"}:
        return Slot(name="diet", value=last)
    if last == "born":
        return _born(clause)
    if last == "old" and (match := re.search(r"\b(\d{1,3})\b", clause.rest)):
        return Slot(name="age", value=match.group(1))
    if last in {"tall", "cm"} and re.search(r"\d", clause.rest):
        return Slot(name="height", value=normal(clause.rest.replace("tall", "")))
    rule = _WITH_PHRASE.get(last)
    found = phrase(clause, *rule[1]) if rule is not None else None
    if rule is None or found is None:
        return None
    return Slot(name=rule[0], value=noun_value(found.noun), cardinality="many" if rule[0] in MANY else "one")


_DIETS = frozenset(("vegan", "vegetarian", "pescatarian"))
_WITH_PHRASE = {
    "allergic": ("allergies", ("to",)),
    "fluent": ("languages", ("in",)),
    "good": ("skills", ("at",)),
    "married": ("spouse", ("to",)),
    "based": ("city", ("in", "out")),
}


def _born(clause: Clause) -> Slot | None:
    for item in clause.phrases:
        if (
            item.preposition == "in"
            and item.noun is not None
            and item.noun.name
            and not any(sign.isdigit() for sign in item.noun.text)
        ):
            return Slot(name="birthplace", value=normal(item.noun.name))
        if item.preposition in {"on", "in"} and item.noun is not None and re.search(r"\d", item.noun.text):
            return Slot(name="birthday", value=noun_value(item.noun))
    return None


_TALL = deferred(r"(?i)\b(?:tall|\d (?:cm|feet|foot|ft))\b")
_AGE = deferred(r"(\d{1,3})(?: years?(?: old)?| yo| y/o)?")


def _is_noun(clause: Clause, noun: Noun) -> Slot | None:
    """The slot of "is <noun>"."""
    tie = _tie(clause.subject, noun)
    if tie is not None:
        return tie
    if _TALL.search(clause.rest) and re.search(r"\d", noun.text):
        return Slot(name="height", value=normal(re.sub(r"(?i)\btall\b", "", clause.rest)))
    subject = clause.subject
    age = _AGE.fullmatch(noun.text.strip())
    if age is not None and (subject is None or subject.is_person or subject.name):
        return Slot(name="age", value=age.group(1))
    is_not = clause.verb is not None and clause.verb.is_negative
    if noun.head == "fan" and noun.of is not None:
        return many("dislikes" if is_not else "likes", noun_value(noun.of))
    if noun.head == "lover" and noun.modifiers:
        return many("likes", " ".join(noun.modifiers))
    plain = noun.head or noun.text.casefold()
    if plain in _DIETS:
        return Slot(name="diet", value=plain)
    if _is_own_name(clause, noun):
        return Slot(name="name", value=normal(noun.name))
    return _job(clause, noun)


def _tie(subject: Noun | None, noun: Noun) -> Slot | None:
    """Ties: "Sarah is my wife", "Max is my dog", "my kids are Noor and Sami"."""
    if subject is None:
        return None
    if noun.owner is not None and subject.name is not None:
        if noun.relation is not None:
            return relation_slot(noun.relation, subject.name.casefold())
        if noun.head in relations.PETS:
            return Slot(name=f"pet:{relations.PETS[noun.head]}", value=subject.name.casefold())
    if subject.relation is None:
        return None
    names = [part.name.casefold() for part in noun.parts if part.name and not part.head]
    if names and len(names) == len(noun.parts):
        return relation_slot(subject.relation, " and ".join(names))
    is_bare = noun.name is not None and not noun.head and not noun.determiner
    return place_of(subject, noun.text.casefold()) if is_bare else None


def _is_own_name(clause: Clause, noun: Noun) -> bool:
    """Whether "I'm Ulla" gives the speaker's name."""
    verb, subject = clause.verb, clause.subject
    if noun.name is None or noun.head or noun.determiner is not None or verb is None:
        return False
    is_speaker = subject is None or subject.pronoun == "i"
    first = noun.name.split()[0].casefold()
    is_plain = first in lexicon.FIRST_NAMES or not (
        first in topics.PLACES | topics.LANGUAGES | topics.PEOPLES
        or first.endswith(("ian", "ean", "ese", "ish", "ist"))
    )
    return is_speaker and is_plain and verb.tense == "present" and not verb.is_negative


def _job(clause: Clause, noun: Noun) -> Slot | None:
    title = noun.head or (noun.name.split()[-1].casefold() if noun.name and noun.determiner else "")
    last = title.split("-")[-1]
    is_post = "now" in clause.adverbs and noun.determiner is None and phrase(clause, "at", "for") is not None
    is_job = JOB_HINTS.search(last) is not None or is_post
    is_tie = noun.relation is not None and not (noun.relation in _TRADES and noun.determiner in {"a", "an"})
    if not last or last in NOT_JOBS or noun.is_plural or is_tie or not is_job:
        return None
    if noun.determiner not in {"a", "an", "the", "our"} and not clause.adverbs and noun.determiner is not None:
        return None
    value = normal(re.split(r"(?i)\s+(?:at|for|in|from|with|by|who|since)\s+", noun.text)[0])
    return Slot(name="job", value=value)


_TRADES = lexicon.words("dentist lawyer accountant vet therapist professor barber pastor nurse midwife nanny doctor")
"""Relations that are trades as well: "she is a dentist" is what she is, "she is my dentist" whose."""
