"""Who is only called ("Thanks, John!") and who has no name ("a little girl"): no pronoun finds a person there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concepts
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.types import Reference

_GREETING = deferred(r"(?i)\W*(?:(?:hey|hi|hello|thanks|thank you|wow|yeah|yes|ok|dear|cool|sure|of course)[,! ]+)*")
_WORD = deferred(r"\w")
_LAST_WORD = deferred(r"\w+$")
_SOMEBODY = lexicon.words(
    "girl boy woman man lady guy kid child baby toddler student patient customer stranger fellow person one-year-old"
)


def is_addressed(name: str, text: str) -> bool:
    """Whether a clause only calls somebody by this name: whoever is called is no he or she.

    >>> is_addressed("John", "Thanks, John!"), is_addressed("Jean", "I met a woman, Jean, who sings")
    (True, False)
    >>> [is_addressed("Tim", text) for text in ("That's great Tim!", "Hey Tim, I moved", "Tim moved", "I saw Tim.")]
    [True, True, False, False]
    """
    if not name or name not in text:
        return False
    at = text.rindex(name)
    before = text[:at].rstrip()
    if not _WORD.search(text, at + len(name)):
        praise = _LAST_WORD.search(before) if len(before) < at else None  # "That's great Tim!"
        if before.endswith(",") or (praise is not None and praise[0].casefold() in lexicon.ADJECTIVES):
            return True
    at = text.index(name)
    while at >= 0:
        rest = text[at + len(name) :]
        if (rest in {"", "\n"} or rest[0] in ",.!?") and _GREETING.fullmatch(text, 0, at):
            return True
        at = text.find(name, at + 1)
    return False


def names_nobody(clause: Clause) -> bool:
    """Whether a clause speaks of somebody without a name: "I noticed a little girl sitting alone"."""
    words = [token.lower for token in clause.tokens]
    return not _SOMEBODY.isdisjoint(words) and any(
        word in _SOMEBODY
        and {"a", "an", "this", "some", "another"} & set(words[max(0, at - 3) : at])
        and not any(token.tag == "name" for token in clause.tokens[at + 1 : at + 3])
        for at, word in enumerate(words)
    )


_TRADES = lexicon.words(
    "apprentice nanny intern trainee assistant tenant lodger tutor coach trainer cleaner babysitter gardener therapist "
    "employee contractor client volunteer instructor cashier accountant secretary nurse teacher cook driver helper"
)


def is_introduced(noun: Noun) -> bool:
    """Somebody who gets a name at first mention: "a guy named Sunil", "an apprentice called Noor"."""
    if noun.name is None or noun.relation is not None or noun.determiner not in {"a", "an", "another"}:
        return False
    return noun.head in _SOMEBODY or noun.head in _TRADES or concepts.is_occupation(noun.head)


def is_stranger(noun: Noun) -> bool:
    """A pet with a name: it is a she or he that no name of a person stands for."""
    return noun.relation is None and noun.head in relations.PETS and noun.name is not None


def fits(pronoun: str, who: Reference, *, is_plural: bool) -> bool:
    """Whether he, she or they can mean somebody."""
    if pronoun == "they":
        return is_plural
    if is_plural:
        return False
    gender = relations.gender_of(who.relation)
    return gender in {"they", pronoun}


_OF_TITLES = {"mr": "he", "sir": "he", "mrs": "she", "ms": "she", "miss": "she", "madam": "she", "lola": "she"}


def gender_told(name: str, relation: str | None) -> str | None:
    """The pronoun of somebody by what they are to somebody, or by the title; None when neither is said.

    >>> gender_told("Mrs. Fujimoto", None), gender_told("Anneke", None)
    ('she', None)
    """
    title = _OF_TITLES.get(name.split(" ", maxsplit=1)[0].casefold().rstrip("."))
    told = relations.gender_of(relation) if relation is not None else None
    return title if told in {None, "they"} and title is not None else told
