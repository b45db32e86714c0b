"""Slots that "be" fills: attributes, favourites, relations, jobs, places and dates of things."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations, topics
from recollect.judges.rules.slot_values import MANY, Slot, after_verb, many, normal, noun_value, phrase
from recollect.policies.names import slug

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause, Phrase
    from recollect.judges.rules.phrases import Noun

ATTRIBUTES = _ATTRIBUTES = {
    "name": "name", "full name": "name", "first name": "name", "last name": "last_name", "surname": "last_name", "nickname": "nickname",
    "preferred name": "preferred_name", "pronouns": "pronouns", "birthday": "birthday", "birth date": "birthday", "date of birth": "birthday", "dob": "birthday", "bday": "birthday",
    "age": "age", "timezone": "timezone", "time zone": "timezone", "job": "job", "job title": "job", "title": "job", "occupation": "job",
    "profession": "job", "role": "job", "employer": "employer", "company": "employer", "workplace": "employer", "city": "city",
    "hometown": "hometown", "home town": "hometown", "country": "country", "address": "address", "home address": "address", "phone": "phone-model",
    "cell phone": "phone-model", "smartphone": "phone-model", "phone number": "phone", "number": "phone", "mobile number": "phone", "cell": "phone", "mobile": "phone", "email": "email", "email address": "email", "e-mail": "email",
    "car": "car", "editor": "editor", "text editor": "editor", "code editor": "editor", "ide": "editor", "units": "units", "shoe size": "shoe-size", "height": "height",
    "weight": "weight", "salary": "salary", "diet": "diet", "school": "school", "university": "school", "college": "school",
    "language": "language", "preferred language": "language", "native language": "native_language", "mother tongue": "native_language", "first language": "native_language",
    "goal": "goals", "main goal": "goals", "goals": "goals", "allergies": "allergies", "allergy": "allergies", "anniversary": "anniversary", "wedding anniversary": "anniversary",
    "hobby": "likes", "hobbies": "likes", "passion": "likes", "tone": "tone", "kids": "children", "children": "children", "gpa": "gpa",
}
# Nouns that are not one lasting attribute of their owner.
_NOT_ATTRIBUTES = lexicon.words(
    "day week weekend morning evening night life mood time trip vacation holiday point question guess idea opinion problem issue favorite "
    "thing plan bad pleasure turn fault understanding hope dream concern worry advice experience impression feeling head back stomach "
    "throat leg arm knee eye eyes body hair skin heart brain mind house home flat apartment room kitchen garden place code project app "
    "computer internet wifi work family friend friends people parents answer argument version one ones way comment suggestion "
    "message text file code script function favourite memory response feedback bike meeting class course coffee tea food dinner lunch "
    "headache pain commute neighborhood neighbourhood street town team boss manager weather game favorite-thing"
)
_TEMPORARY = lexicon.words(
    "tired exhausted hungry thirsty sick ill busy happy sad angry mad upset bored excited nervous anxious stressed sleepy cold hot fine good great ok "
    "okay well ready done late early here there back home away free available awake drunk hungover sore worried scared glad "
    "sorry sure confused lost stuck annoyed frustrated overwhelmed swamped jetlagged dizzy grumpy lonely proud jealous amused broken "
    "open closed empty full dirty clean wet dry down up out off on nice awesome amazing terrible horrible bad better worse new old big small tiny "
    "slow fast loud quiet long short expensive cheap important hard easy perfect beautiful wonderful different similar right wrong true false missing gone"
)
_JOB_HINTS = re.compile(
    r"(?i)(?:er|or|ist|ian|man|woman|ant|ent|eer|ess|chef|ceo|cto|cfo|coo|vp|nurse|doctor|lawyer|pilot|clerk|judge|cook|coach|intern|barista|guide|vet|gp|"
    r"analyst|architect|attorney|dev|sre|qa|pm|student|spouse|monk|priest|rabbi|imam|nanny|head|boss|medic|surgeon|agent|host|aide|mechanic|"
    r"dba|founder|scientist|technician|freelance|paramedic|barber|butcher|waitress|actress|housewife|poet|athlete|secretary|apprentice|au pair|handyman|plumber|fellow|lead|captain|soldier|sailor|model|tailor|carpenter|cashier|midwife|shepherd)$"
)
_NOT_JOBS = lexicon.words(
    "person owl lover drinker smoker eater fan believer member owner reader runner swimmer vegetarian vegan pescatarian libertarian "
    "brother sister mother father daughter partner neighbor neighbour friend winner loser beginner character scorpio aquarius capricorn gemini "
    "leo virgo libra taurus aries cancer pisces sagittarius christian parent patient resident citizen client customer killer monster genius idiot star"
    " number order matter letter winter summer dinner water weather computer never ever over under after other another lecturer-not introvert extrovert perfectionist"
    " minimalist optimist pessimist feminist atheist insomniac morning-person democrat republican student-not hamster volunteer-not man woman human teenager believer"
    " early-bird dreamer hoarder procrastinator survivor user supporter"
)


def be(clause: Clause) -> Slot | None:
    subject = clause.subject
    verb = clause.verb
    if verb is None or verb.modal in {"would", "could", "should", "might", "may"}:
        return None
    if subject is not None and subject.head and subject.relation is None:
        return _attribute(clause, subject)
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
    into = phrase(clause, "into")
    if into is not None:
        return many("likes", noun_value(into.noun))
    place = phrase(clause, "in")
    if place is not None and place.noun is not None and re.search(r"(?i)\b(?:time ?zone|pacific|eastern|central|mountain) time\b|time ?zone", place.text):
        return Slot(name="timezone", value=normal(re.sub(r"(?i)\b(?:time ?zone|time)\b", "", place.noun.text)))
    return None


def _attribute(clause: Clause, subject: Noun) -> Slot | None:
    """"My X is Y" and "the X of Y is Z"."""
    verb = clause.verb
    if verb is None or verb.is_negative or verb.tense == "past":
        return None
    label = " ".join(word for word in (*subject.modifiers, subject.head) if word not in {"new", "current", "own", "old", "actual", "real"})
    value = normal(after_verb(clause))
    if value is None:
        return None
    favorite = _favorite(subject, label)
    if favorite is not None:
        return Slot(name=favorite, value=value)
    project = _project(clause, subject)
    if project is not None:
        return Slot(name=project, value=value)
    pet = relations.PETS.get(subject.head)
    if pet is not None and subject.owner is not None:
        is_name = clause.complement is not None and clause.complement.noun is not None and clause.complement.noun.name is not None
        return Slot(name=f"pet:{pet}", value=value) if is_name and clause.complement and clause.complement.kind == "noun" else None
    if subject.owner is not None and subject.head == "name" and subject.owner.head in relations.PETS:
        return Slot(name=f"pet:{relations.PETS[subject.owner.head]}", value=value)
    if subject.owner is not None and subject.owner.relation is not None and subject.head == "name":
        return relation_slot(subject.owner.relation, value)
    if subject.head in {"name", "names"} and subject.owner is not None and subject.owner.pronoun is None and subject.owner.name is None:
        return None
    return _owned(clause, subject, label, value) if subject.owner is not None else _thing(clause, subject, label, value)


def relation_slot(relation: str, value: str) -> Slot:
    if relation in relations.CHILDREN:
        return many("children", value)
    if relation in {"wife", "husband", "spouse"}:
        return Slot(name="spouse", value=value)
    return Slot(name=f"relation:{relation}", value=value, cardinality="one" if relation in relations.SINGULAR else "many")


def _favorite(subject: Noun, label: str) -> str | None:
    match = re.match(r"(?:all-time )?(?:favou?rite|fave?|go-to|preferred)\s+(?:kind of |type of |sort of )?(.+)", label)
    if match is None and subject.head in {"favorite", "favourite", "fav", "fave"} and subject.of is not None:
        return f"favorite:{slug(subject.of.label)}"
    if match is None:
        return None
    thing = match.group(1)
    if thing in {"thing", "part", "name", "language", "editor"} and thing in {"name", "language", "editor"}:
        return "preferred_name" if thing == "name" else f"favorite:{thing}"
    if thing == "thing":
        return None
    return f"favorite:{slug(thing).replace('colour', 'color').replace('film', 'movie')}"


def _project(clause: Clause, subject: Noun) -> str | None:
    """"The deadline for project Aurora is …", "Aurora's deadline is …", "the status of the Helios project is …"."""
    if subject.head not in {"deadline", "status", "due date", "date"} and "deadline" not in subject.text.casefold() \
            and "status" not in subject.text.casefold():
        return None
    kind = "status" if "status" in subject.text.casefold() else "deadline"
    text = re.sub(r"(?i)\b(?:the|our|my|a|current|new|final)\b", " ", subject.text)
    match = re.search(r"(?i)(?:for|of|on)\s+(?:project\s+)?(.+?)(?:\s+project)?\s*$", text) or re.match(
        r"(?i)\s*(?:project\s+)?(.+?)(?:['’]s)?(?:\s+project(?:['’]s)?)?\s+(?:deadline|status|due date)", text)
    if match is None:
        return None
    name = slug(match.group(1))
    return f"project:{name}:{kind}" if name else None


def _owned(clause: Clause, subject: Noun, label: str, value: str) -> Slot | None:
    is_predicate = clause.complement is not None and clause.complement.kind == "adjective"
    known = _ATTRIBUTES.get(label) or (_ATTRIBUTES.get(subject.head) if subject.head not in {"number", "size", "type", "title", "name", "language", "company", "school"} else None)
    if known == "phone-model" and value[:1].isdigit():
        known = "phone"
    if known == "phone" and not any(sign.isdigit() for sign in value):
        return None
    if known == "employer" and is_predicate:
        return None
    if known == "job" and is_predicate:
        return None
    if known is not None:
        if is_predicate and value.split()[0] in _TEMPORARY:
            return None
        return Slot(name=known, value=value, cardinality="many" if known in MANY else "one")
    if label in {"wedding", "party", "appointment", "flight", "exam", "interview", "graduation", "due date", "surgery", "trip", "concert"} \
            or subject.head in _EVENTS:
        return Slot(name=f"date:{slug(label)}", value=value) if _is_dated(clause) else None
    if subject.head in _SCHEDULED and _is_timed(clause):
        return Slot(name=f"schedule:{slug(label).replace('all_hands', 'all-hands')}", value=value)
    place = _location(clause, label)
    if place is not None:
        return place
    if is_predicate or subject.head in _NOT_ATTRIBUTES or subject.is_plural or clause.complement is None:
        return None
    if clause.complement.noun is not None and clause.complement.noun.determiner in {"a", "an"} and subject.head not in _MACHINES:
        return None
    return Slot(name=slug(label), value=value)


_MACHINES = lexicon.words("laptop computer phone bike camera guitar keyboard monitor tablet watch printer router console")
_EVENTS = lexicon.words("launch release wedding party graduation flight exam appointment kickoff conference concert offsite election ceremony funeral "
                        "surgery interview deadline go-live demo trip workshop hackathon recital tournament premiere")
_SCHEDULED = lexicon.words("standup stand-up standups retro review sprint planning sync meeting all-hands class lesson practice practise rehearsal training "
                           "session call 1:1 one-on-one seminar yoga choir shift retrospective demo")


def _is_timed(clause: Clause) -> bool:
    return bool(re.search(r"(?i)\b(?:\d{1,2}(?::\d\d)?\s?(?:am|pm)?|noon|midnight|every|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|daily|weekly)\b", clause.rest))


def _is_dated(clause: Clause) -> bool:
    return bool(re.search(
        r"(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?"
        r"|oct|nov|dec|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|next|this|in \d+)\b", clause.rest))


def _thing(clause: Clause, subject: Noun, label: str, value: str) -> Slot | None:
    """Things that belong to nobody in particular: the launch, the standup, the spare key."""
    clean = re.sub(r"^(?:the|our|a) ", "", label)
    if subject.determiner is None and label in _ATTRIBUTES and not (label in {"number", "school", "company", "title", "language", "units", "car"}):
        # A note without "my": "Salary is $150k".
        known = _ATTRIBUTES[label]
        return Slot(name=known, value=value, cardinality="many" if known in MANY else "one")
    if subject.head in _SCHEDULED and _is_timed(clause) and not re.match(r"(?i)on \w+ \d", clause.rest):
        return Slot(name=f"schedule:{slug(clean)}", value=value)
    if (subject.head in _EVENTS or label.endswith("date")) and _is_dated(clause):
        return Slot(name=f"date:{slug(re.sub(' date$', '', clean))}", value=value)
    return _location(clause, clean)


def _location(clause: Clause, label: str) -> Slot | None:
    spot = phrase(clause, "in", "under", "on", "behind", "inside", "at", "above", "below", "near", "beside", "underneath", "next", "over")
    if spot is None or clause.complement is not None or spot.noun is None or spot.noun.head in lexicon.TIME_NOUNS or not label \
            or (spot.noun.name or "").casefold().split(" ")[0] in lexicon.WEEKDAYS_AND_MONTHS | {"march", "may"} or clause.verb is None or clause.verb.tense == "past":
        return None
    if any(sign.isdigit() for sign in spot.noun.text) and not re.search(r"(?i)floor|level|room|row|shelf|drawer", spot.text):
        return None
    return Slot(name=f"location:{slug(label)}", value=normal(clause.rest))


def adjective(clause: Clause, text: str) -> Slot | None:
    words = text.split()
    last = words[-1]
    if last == "allergic":
        to = phrase(clause, "to")
        return many("allergies", _list_value(clause, to)) if to is not None else None
    if last in {"vegan", "vegetarian", "pescatarian", "kosher", "halal"}:
        return Slot(name="diet", value=last)
    if last == "fluent":
        inn = phrase(clause, "in")
        return many("languages", noun_value(inn.noun)) if inn is not None else None
    if last in {"fond", "crazy", "passionate", "mad"}:
        of = phrase(clause, "of", "about")
        return many("likes", noun_value(of.noun)) if of is not None else None
    if last == "good" and (at := phrase(clause, "at")) is not None:
        return many("skills", noun_value(at.noun))
    if last == "old" and (match := re.search(r"\b(\d{1,3})\b", clause.rest)):
        return Slot(name="age", value=match.group(1))
    if last in {"tall", "cm"} and re.search(r"\d", clause.rest):
        return Slot(name="height", value=normal(clause.rest.replace("tall", "")))
    if last == "married" and (to := phrase(clause, "to")) is not None:
        return Slot(name="spouse", value=noun_value(to.noun))
    if last == "based" and (spot := phrase(clause, "in", "out")) is not None:
        return Slot(name="city", value=noun_value(spot.noun))
    if last == "born":
        return _born(clause)
    if text.startswith("from "):
        return Slot(name="hometown", value=normal(text))
    return None


def _born(clause: Clause) -> Slot | None:
    for item in clause.phrases:
        if item.preposition == "in" and item.noun is not None and item.noun.name and not any(sign.isdigit() for sign in item.noun.text):
            return Slot(name="hometown", value=normal(item.noun.name))
        if item.preposition in {"on", "in"} and item.noun is not None and re.search(r"\d", item.noun.text):
            return Slot(name="birthday", value=noun_value(item.noun))
    return None


def _list_value(clause: Clause, item: Phrase | None) -> str | None:
    return noun_value(item.noun) if item is not None else None


def _is_noun(clause: Clause, noun: Noun) -> Slot | None:
    subject = clause.subject
    if re.search(r"(?i)\b(?:tall|\d (?:cm|feet|foot|ft))\b", clause.rest) and re.search(r"\d", noun.text):
        return Slot(name="height", value=normal(re.sub(r"(?i)\btall\b", "", clause.rest)))
    is_other = subject is not None and subject.pronoun != "i"
    if noun.relation is not None and noun.owner is not None and subject is not None and subject.name is not None:
        return relation_slot(noun.relation, subject.name.casefold())
    if noun.head in relations.PETS and noun.owner is not None and subject is not None and subject.name is not None:
        return Slot(name=f"pet:{relations.PETS[noun.head]}", value=subject.name.casefold())
    names = [part.name.casefold() for part in noun.parts if part.name and not part.head]
    if subject is not None and subject.relation is not None and names and len(names) == len(noun.parts):
        return relation_slot(subject.relation, " and ".join(names))
    if subject is not None and subject.relation is not None and noun.name is not None and not noun.head and not noun.determiner:
        return relation_slot(subject.relation, noun.text.casefold())
    age = re.fullmatch(r"(\d{1,3})(?: years?(?: old)?| yo| y/o)?", noun.text.strip())
    if age is not None and (subject is None or subject.is_person or subject.name):
        return Slot(name="age", value=age.group(1))
    if noun.head in {"fan"} and noun.of is not None:
        is_not = clause.verb is not None and clause.verb.is_negative
        return many("dislikes" if is_not else "likes", noun_value(noun.of))
    if noun.head in {"lover"} and noun.modifiers:
        return many("likes", " ".join(noun.modifiers))
    if noun.text.casefold() in {"vegan", "vegetarian", "pescatarian"} or noun.head in {"vegan", "vegetarian", "pescatarian"}:
        return Slot(name="diet", value=noun.head or noun.text.casefold())
    if noun.name is not None and not noun.head and noun.determiner is None and not is_other and clause.verb is not None and clause.verb.tense == "present":
        return Slot(name="name", value=normal(noun.name)) if noun.name.split()[0].casefold() not in topics.PLACES | topics.LANGUAGES and not clause.verb.is_negative else None
    return _job(clause, noun)


def _job(clause: Clause, noun: Noun) -> Slot | None:
    title = noun.head or (noun.name.split()[-1].casefold() if noun.name and noun.determiner else "")
    last = title.split("-")[-1]
    if not last or last in _NOT_JOBS or noun.is_plural or noun.relation is not None or not _JOB_HINTS.search(last):
        return None
    if noun.determiner not in {"a", "an", "the", "our"} and not clause.adverbs and noun.determiner is not None:
        return None
    value = normal(re.split(r"(?i)\s+(?:at|for|in|from|with|by|who|since)\s+", noun.text)[0])
    return Slot(name="job", value=value)
