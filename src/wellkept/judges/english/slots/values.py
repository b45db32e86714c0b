"""What a slot is, and how its value is read and normalised."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.patterns import deferred, has_single_spaces
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause, Phrase
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.vocabulary import Cardinality


@frozen
class Slot:
    """One slot with its normalised value."""

    name: str
    value: str | None = None
    cardinality: Cardinality = "one"
    is_retracted: bool = False


MANY = frozenset(("likes", "dislikes", "allergies", "skills", "languages", "children", "goals", "school", "has"))
# A negated statement about these takes the value back ("I don't live in Rome"); elsewhere it is a fact of its own.
HELD = frozenset(
    (
        "city",
        "country",
        "employer",
        "job",
        "allergies",
        "likes",
        "skills",
        "languages",
        "car",
        "editor",
        "spouse",
        "school",
        "hometown",
        "birthplace",
        "phone-model",
        "smoking",
        "drinking",
    )
)
_ARTICLES = deferred(
    r"(?i)^(?:(?:a|an|the|my|our|his|her|their|some|called|named|currently|now|definitely|probably|actually|really"
    r"|still|just"
    r"|always|also|on|in|at|to|of|for|from|by) )+"
)
_TAIL = deferred(
    r"(?i)(?:,? (?:now|these days|nowadays|btw|by the way|too|as well|at the moment|right now|currently|so much"
    r"|a lot|very much|lol|haha"
    r"|anymore|any more|any longer|again|though|tho|yesterday|today|tomorrow|recently|lately|(?:since|as of"
    r"|starting) .+"
    r"|(?:in|since|last) (?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:19|20)\d\d)"
    r"|last (?:week|month|year|night|summer|winter|spring|fall)|this (?:week|month|year)|\d+ years? ago|ago)"
    r"|[.!?,;:]+)+$"
)


_GOES_ON = deferred(r",? (?:not|but|because|and (?:i|we|my|he|she|they)) ")
_OWN = deferred(r"\b(?:my|our) ")


def normal(text: str | None) -> str | None:
    """A value as it is compared: lower case, without articles, fillers and time words at its ends."""
    if text is None:
        return None
    value = (text if has_single_spaces(text) else re.sub(r"\s+", " ", text)).strip(" \"'“”‘’*_`").casefold()
    value = _GOES_ON.split(value, maxsplit=1)[0]
    value = re.sub(r", not .*$", "", value) if "," in value else value
    for _ in range(3):
        whole, value = value, _TAIL.sub("", value)
        if value == whole:
            break
    value = _ARTICLES.sub("", value).strip(" \"'.,;:!?")
    return _OWN.sub("", value) or None


def after_verb(clause: Clause) -> str:
    """The words that follow the verb, as a value is read from them."""
    return clause.rest


def phrase(clause: Clause, *prepositions: str) -> Phrase | None:
    """The first phrase with one of the prepositions."""
    return next((item for item in clause.phrases if item.preposition in prepositions and item.noun is not None), None)


def noun_value(noun: Noun | None) -> str | None:
    """The value that a noun is."""
    return normal(noun.text) if noun is not None else None


WORKPLACES = lexicon.words(
    "bank bakery hotel hostel hospital clinic school kindergarten nursery restaurant café cafe bar pub shop store "
    "supermarket pharmacy factory plant warehouse mill brewery winery farm garage library museum gallery theatre "
    "theater university college salon studio gym startup company firm agency office newspaper airport prison zoo lab "
    "laboratory center centre workshop bookshop bookstore shipyard quarry hospice charity ministry"
)


def is_workplace(noun: Noun) -> bool:
    """Whether somebody who works "at a bakery" works for it: one of a kind, and no name says which."""
    return noun.head in WORKPLACES and noun.name is None and noun.determiner in {"a", "an"} and noun.owner is None


def many(name: str, value: str | None) -> Slot:
    return Slot(name=name, value=value, cardinality="many")
