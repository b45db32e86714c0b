"""What somebody likes best of a kind, in either order: "My favorite tea is oolong", "Oolong is my favorite tea"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.slots.values import Slot, noun_value
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun


def turned(clause: Clause) -> Noun | None:
    """Whose favorite it is that stands last, in "Oolong is my favorite tea"."""
    subject, verb = clause.subject, clause.verb
    noun = clause.complement.noun if clause.complement is not None else None
    is_turned = verb is not None and verb.lemma == "be" and subject is not None and subject.pronoun is None
    if not is_turned or noun is None or noun.owner is None or noun.relation is not None:
        return None
    return noun if favorite(noun, label(noun)) is not None else None


def turned_slot(clause: Clause) -> Slot | None:
    noun, verb, value = turned(clause), clause.verb, noun_value(clause.subject)
    name = favorite(noun, label(noun)) if noun is not None else None
    if name is None or value is None or verb is None or verb.is_negative or verb.tense == "past":
        return None
    return Slot(name=name, value=value)


def label(noun: Noun) -> str:
    """What a noun is called, without words that only say that it is the one of now."""
    passing = {"new", "current", "own", "old", "actual", "real"}
    return " ".join(word for word in (*noun.modifiers, noun.head) if word not in passing)


_BEST = deferred(r"(?:all-time )?(?:favou?rite|fave?|go-to|preferred)\s+(?:kind of |type of |sort of )?(.+)")


def favorite(subject: Noun, said: str) -> str | None:
    """The slot of what somebody likes best of its kind."""
    match = _BEST.match(said)
    if match is None and subject.head in {"favorite", "favourite", "fav", "fave"} and subject.of is not None:
        return f"favorite:{slug(subject.of.label)}"
    if match is None:
        return None
    thing = match.group(1)
    if thing in {"thing", "part", "name", "language", "editor"} and thing in {"name", "language", "editor"}:
        return "preferred_name" if thing == "name" else f"favorite:{thing}"
    if thing == "thing":
        return None
    return f"favorite:{slug(_singular(thing)).replace('colour', 'color').replace('film', 'movie')}"


def _singular(thing: str) -> str:
    """The thing in the singular: "favorite books" is asked for as the favorite book."""
    if thing.endswith("ies") and len(thing) > 5 and not thing.endswith(("movies", "series")):
        return thing[:-3] + "y"
    if thing.endswith(("ches", "shes", "xes", "sses")):
        return thing[:-2]
    return thing[:-1] if thing.endswith("s") and not thing.endswith(("ss", "us", "is", "series", "news")) else thing
