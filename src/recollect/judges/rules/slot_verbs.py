"""Slots by verb: what "have", "live", "like" and the others say about whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations, topics
from recollect.judges.rules.slot_attributes import adjective, be, relation_slot
from recollect.judges.rules.slot_values import Slot, many, normal, noun_value, phrase
from recollect.policies.names import slug

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause

def _have(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None or clause.verb.modal in {"would", "could", "might"}:
        return None
    members = thing.parts or (thing,)
    head = members[0].head or thing.head
    pet = relations.PETS.get(head) or relations.PETS.get(head.rstrip("s"))
    if pet is not None and head:
        names = [part.name for part in members if part.name]
        return Slot(name=f"pet:{pet}", value=normal(" and ".join(names)) if names else normal(thing.text))
    relation = thing.relation or relations.relation_of(thing.head)
    if relation in relations.CHILDREN:
        return many("children", (thing.name or "").casefold() or normal(thing.text))
    if relation is not None and thing.name is not None:
        return many(f"relation:{relation}", thing.name.casefold())
    text = thing.text.casefold()
    if re.search(r"\ballerg(?:y|ies)\b", text):
        to = phrase(clause, "to")
        return many("allergies", noun_value(to.noun) if to is not None else normal(text.replace("allergy", "")))
    if thing.name is not None and (set(thing.name.casefold().split()) & topics.CARS or thing.head in topics.CARS):
        return Slot(name="car", value=noun_value(thing))
    if thing.name is not None and thing.name.casefold().split()[0] in topics.PHONES:
        return Slot(name="phone-model", value=noun_value(thing))
    return None


def _live(clause: Clause) -> Slot | None:
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
    if where is None or where.noun is None or where.noun.name is None or clause.verb is None or clause.verb.is_passive:
        return None
    if where.noun.name.split()[0].casefold() in lexicon.TIME_NOUNS or (clause.subject is not None and clause.subject.head and clause.subject.relation is None):
        return None
    if clause.verb.tense == "past" or (clause.verb.aspect == "perfect"):
        return Slot(name="city", value=normal(where.noun.name))
    return None


def _work(clause: Clause) -> Slot | None:
    role = phrase(clause, "as")
    if role is not None:
        return Slot(name="job", value=normal(re.split(r"(?i)\s+(?:at|for|in)\s+", role.noun.text)[0]) if role.noun else None)
    place = phrase(clause, "at", "for", "with")
    if place is not None and place.noun is not None and place.noun.name is not None and place.noun.head in {"", *lexicon.ORG_SUFFIXES} \
            and place.noun.relation is None:
        return Slot(name="employer", value=normal(place.noun.text))
    return None


def _liking(name: str) -> Callable[[Clause], Slot | None]:
    def rule(clause: Clause) -> Slot | None:
        verb = clause.verb
        if verb is None or verb.modal in {"would", "could", "might", "may"}:
            return None
        if clause.complement is not None and clause.complement.kind in {"infinitive", "gerund"}:
            value = normal(clause.complement.text.removeprefix("to "))
        elif clause.object is not None and clause.object.pronoun is None:
            value = normal(clause.rest) if clause.object.of is None and not clause.phrases else noun_value(clause.object)
        else:
            return None
        wanted = ("dislikes" if name == "likes" else "likes") if verb.is_negative and not re.search(r"(?i)any ?more|no longer|any longer", clause.text) else name
        if verb.modal in {"can"} and verb.is_negative:
            wanted = "dislikes"
        return many(wanted, value)

    return rule


def _speak(clause: Clause) -> Slot | None:
    text = clause.rest.casefold()
    spoken = [word for word in re.findall(r"[a-z]+", text) if word in topics.LANGUAGES]
    return many("languages", " and ".join(spoken)) if spoken else None


def _use(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None:
        return None
    value = noun_value(thing)
    told = re.match(r"(?i)((?:she|he|they|ze|xe|it|any)\s?/\s?\w+(?:\s?/\s?\w+)?)(?: pronouns)?", clause.rest)
    if told is not None:
        return Slot(name="pronouns", value=told.group(1).casefold().replace(" ", ""))
    if value and ("/" in value or "pronouns" in value) and re.search(r"\b(?:she|he|they|ze|xe|it)\s?/", value):
        return Slot(name="pronouns", value=value.replace(" pronouns", "").replace(" ", ""))
    subject = clause.subject
    if subject is not None and subject.pronoun == "i" or subject is None:
        if value and set(value.split()) & topics.TOOLS["editor"]:
            return Slot(name="editor", value=value, is_retracted=clause.verb.is_negative)
        if value and re.search(r"\b(?:metric|imperial)\b", value):
            return Slot(name="units", value="metric" if "metric" in value else "imperial")
    area = phrase(clause, "for")
    if area is not None and area.noun is not None and subject is not None and subject.pronoun != "i":
        return Slot(name=f"tool:{slug(area.noun.label or area.noun.text)}", value=value)
    project = re.sub(r"(?i)\bproject\b", "", subject.text).strip() if subject is not None and subject.name is not None else ""
    if project and subject is not None and "project" in subject.text.casefold():
        return many(f"tool:{slug(project)}", value)
    return None


def _drive(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None or clause.verb.tense != "present":
        return None
    return Slot(name="car", value=noun_value(thing))


def _call(clause: Clause) -> Slot | None:
    verb = clause.verb
    if verb is None:
        return None
    if clause.type == "imperative" or (clause.subject is not None and clause.subject.pronoun == "you"):
        if clause.indirect is not None and clause.indirect.pronoun == "i" and clause.object is not None:
            return Slot(name="preferred_name", value=normal(clause.object.name or clause.object.text))
        if clause.object is not None and clause.object.pronoun == "i":
            match = re.match(r"(?i)me\s+(.+)", clause.rest)
            return Slot(name="preferred_name", value=normal(match.group(1))) if match else None
        return None
    if clause.indirect is not None and clause.indirect.pronoun == "i" and clause.object is not None:
        return Slot(name="nickname", value=normal(clause.object.name or clause.object.text))
    if verb.is_passive and clause.subject is not None and clause.object is not None:
        subject = clause.subject
        value = noun_value(clause.object)
        if subject.head in relations.PETS:
            return Slot(name=f"pet:{relations.PETS[subject.head]}", value=value)
        if subject.relation is not None and value is not None:
            return relation_slot(subject.relation, value)
        if subject.pronoun == "i":
            return Slot(name="name", value=value)
    return None


def _go_by(clause: Clause) -> Slot | None:
    by = phrase(clause, "by")
    return Slot(name="preferred_name", value=noun_value(by.noun)) if by is not None else None


def _study(clause: Clause) -> Slot | None:
    at = phrase(clause, "at")
    if at is None or at.noun is None or at.noun.name is None:
        return None
    return many("school", normal(at.noun.text))


def _graduate(clause: Clause) -> Slot | None:
    place = phrase(clause, "from")
    return many("school", noun_value(place.noun)) if place is not None else None


def _grow(clause: Clause) -> Slot | None:
    where = phrase(clause, "in", "near")
    return Slot(name="hometown", value=noun_value(where.noun)) if where is not None and clause.verb and clause.verb.particle == "up" else None


def _play(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or clause.verb is None or clause.verb.tense == "past" or clause.verb.modal not in {None, "can"}:
        return None
    if clause.verb.modal == "can" or thing.determiner == "the":
        return many("skills", normal(f"play {thing.text}"))
    return None


def _know(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or thing.pronoun is not None or thing.relation is not None or clause.verb is None or clause.verb.is_negative:
        return None
    words = [word for word in re.findall(r"[\w+#.]+", thing.text) if word[:1].isupper() or word.casefold() in topics.LANGUAGES]
    if not words:
        return None
    if all(word.casefold() in topics.LANGUAGES for word in words):
        return many("languages", normal(thing.text))
    return many("skills", normal(thing.text))


def _want(clause: Clause) -> Slot | None:
    verb = clause.verb
    if verb is None or clause.complement is None or clause.complement.kind != "infinitive" or clause.object is not None or verb.is_negative:
        return None
    if clause.complement.lemma in {"know", "ask", "see", "say", "make", "use", "be", "have", "hear", "thank", "check", "add", "talk", "quit", "leave"} \
            and verb.lemma != "aim":
        return None
    return many("goals", normal(clause.complement.text.removeprefix("to ")))


def _stop(clause: Clause) -> Slot | None:
    if clause.verb is not None and clause.verb.is_negative:
        return None
    thing = clause.complement.text if clause.complement is not None else (clause.object.text if clause.object is not None else None)
    if thing is None:
        return None
    value = normal(thing)
    inner = clause.complement.lemma if clause.complement is not None else None
    if inner in {"work"} and (place := phrase(clause, "at", "for")) is not None:
        return Slot(name="employer", value=noun_value(place.noun), is_retracted=True)
    if inner in {"use"} and clause.complement is not None and clause.complement.noun is not None:
        return Slot(name="likes", value=noun_value(clause.complement.noun), cardinality="many", is_retracted=True)
    return Slot(name="habits", value=value, cardinality="many", is_retracted=True)


def _give(clause: Clause) -> Slot | None:
    return _stop(clause) if clause.verb is not None and clause.verb.particle == "up" else None


def _marry(clause: Clause) -> Slot | None:
    thing = clause.object
    if thing is None or thing.name is None:
        return None
    return Slot(name="spouse", value=normal(thing.name))


def _promote(clause: Clause) -> Slot | None:
    to = phrase(clause, "to", "as")
    return Slot(name="job", value=noun_value(to.noun)) if to is not None and to.noun is not None and clause.verb and clause.verb.tense != "future" else None


def _get(clause: Clause) -> Slot | None:
    verb = clause.verb
    if verb is None:
        return None
    match = re.match(r"(?i)(?:hired|promoted)\s+(?:as|to)\s+(.+?)(?:\s+(?:at|by|in)\b.*|[.!,].*)?$", clause.rest)
    if match is not None:
        return Slot(name="job", value=normal(match.group(1)))
    is_held = verb.aspect == "perfect" or verb.text.casefold().startswith(("'ve", "have", "'s", "has"))
    if is_held or (verb.tense == "past" and clause.object is not None and (clause.object.name or clause.object.head in relations.PETS)):
        return _have(clause)
    return None


def _become(clause: Clause) -> Slot | None:
    noun = clause.complement.noun if clause.complement is not None else None
    return be(clause) if noun is not None else None


def _stand(clause: Clause) -> Slot | None:
    verb = clause.verb
    if verb is None or not verb.is_negative or verb.modal != "can" or clause.object is None or clause.object.pronoun is not None:
        return None
    return many("dislikes", noun_value(clause.object))


def _adjective_like(clause: Clause) -> Slot | None:
    """Participles that work like adjectives: "I'm based in Nairobi", "I was born in Tbilisi"."""
    verb = clause.verb
    if verb is None or not verb.is_passive:
        return None
    return adjective(clause, verb.form)


def _raise(clause: Clause) -> Slot | None:
    where = phrase(clause, "in")
    is_own = clause.verb is not None and clause.verb.is_passive
    return Slot(name="hometown", value=noun_value(where.noun)) if where is not None and is_own else None


def _come(clause: Clause) -> Slot | None:
    origin = phrase(clause, "from")
    is_lasting = clause.verb is not None and clause.verb.tense == "present" and clause.verb.aspect == "simple"
    named = origin is not None and origin.noun is not None and origin.noun.name is not None
    return Slot(name="hometown", value=noun_value(origin.noun)) if is_lasting and named and origin is not None else None


def _earn(clause: Clause) -> Slot | None:
    if clause.object is None or not re.search(r"\d", clause.object.text) or clause.verb is None or clause.verb.tense == "past":
        return None
    is_pay = clause.verb.lemma == "earn" or re.search(r"(?i)\b(?:a|per) (?:year|month|hour)\b", clause.rest)
    return Slot(name="salary", value=normal(clause.rest)) if is_pay else None


def _write(clause: Clause) -> Slot | None:
    """"I code in VS Code"."""
    tool = phrase(clause, "in", "with", "on")
    value = noun_value(tool.noun) if tool is not None else None
    is_own = clause.subject is None or clause.subject.pronoun == "i"
    return Slot(name="editor", value=value) if is_own and value and set(value.split()) & topics.TOOLS["editor"] else None


def _turn(clause: Clause) -> Slot | None:
    match = re.match(r"(\d{1,3})\b", clause.rest)
    return Slot(name="age", value=match.group(1)) if match is not None else None


RULES: dict[str, Callable[[Clause], Slot | None]] = {
    "be": be, "have": _have, "get": _get, "live": _live, "reside": _live, "move": _move, "relocate": _move, "work": _work, "speak": _speak,
    "use": _use, "drive": _drive, "call": _call, "name": _call, "go": _go_by, "study": _study, "graduate": _graduate, "attend": _study,
    "grow": _grow, "play": _play, "know": _know, "want": _want, "hope": _want, "aim": _want, "plan": _want, "stop": _stop, "quit": _stop,
    "give": _give, "marry": _marry, "promote": _promote, "become": _become, "stand": _stand, "base": _adjective_like, "bear": _adjective_like,
    "raise": _raise, "come": _come, "earn": _earn, "make": _earn, "code": _write, "write": _write, "turn": _turn, "own": _have, "adopt": _get,
    "like": _liking("likes"), "love": _liking("likes"), "enjoy": _liking("likes"), "adore": _liking("likes"),
    "hate": _liking("dislikes"), "dislike": _liking("dislikes"), "detest": _liking("dislikes"), "loathe": _liking("dislikes"),
    "despise": _liking("dislikes"), "buy": _get, "obsess": _adjective_like,
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
    return rule(clause) if rule is not None else None
