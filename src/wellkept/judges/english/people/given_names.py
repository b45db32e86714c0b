"""Names that are words as well: "Rose works at the bakery" is about somebody, "Rose is my favorite color" is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.values import changed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.tokens import Token

NAMES = lexicon.NAME_OR_WORD | lexicon.words(
    "ally amity an asia bear beauty beverly bishop blessing blossom blue buddy can champ charity chelsea cherry clay "
    "clementine comfort cook cooper crystal davies destiny dolly duke earl ebony fern fortune friday garnet gift "
    "gillies ginger goodness gray happy harmony haven hazel heather holly honey hunter india innocent israel jasmine "
    "jolly jordan jun junior juniper justice kenya king kitty liberty london long love lovely lucky mason melody "
    "mercedes mercy merry misty modesty nature noble opal paris patience peace poppy precious prince princess promise "
    "prudence queen rain raven red river robin rusty sage sandy serenity shadow son star sterling storm sunday sydney "
    "tiger trinity unity van verity virtue wednesday willow winter wisdom wolf woody"
)
# What is also a time, a color, a plant or a place is somebody only where nothing but somebody can stand.
_THINGS = lexicon.TIME_NOUNS | lexicon.words(
    "amber asia blossom blue cherry chelsea clay crystal ebony fern garnet ginger hazel heather holly honey india iris "
    "israel ivy jade jasmine jordan juniper kenya lily london love mercedes nature olive opal paris peace pearl poppy "
    "rain red river rose ruby sage sandy star storm sydney violet willow winter sky summer autumn art faith hope "
    "patience comfort fortune justice liberty harmony unity wisdom charity long happy sunny rich lucky king queen van "
    "son dean grant page guy bear wolf tiger"
)
_TIMES_AND_PLACES = lexicon.TIME_NOUNS | lexicon.words(
    "asia chelsea india israel jordan kenya london mercedes nature paris river sydney winter summer autumn love peace"
)
_OF_PEOPLE = lexicon.words(
    "work live like love hate adore enjoy prefer dislike drive teach study want own speak collect drink eat cook "
    "read write know think sing dance smoke snore travel marry retire move say tell quit volunteer hike swim jog"
)
"""What only somebody does."""
_SO = lexicon.words(
    "allergic vegan vegetarian pescatarian married engaged divorced widowed pregnant retired afraid scared lactose "
    "left-handed colorblind diabetic asthmatic autistic dyslexic intolerant gay single years from"
)
"""What only somebody is."""
_OWNED = lexicon.words(
    "dog cat pet puppy kitten rabbit parrot birthday bday name nickname job wedding car bike phone surgery flight exam "
    "apartment flat house room mother-in-law dress size address email allergy recital graduation interview laptop"
)
"""What only somebody has."""
_ENDS = frozenset((".", "!", "?", ";", ":"))


def named_first(tokens: list[Token]) -> list[Token]:
    """Reads the first word of a sentence as a name where no other word could stand."""
    for at in _first(tokens):
        if tokens[at].tag != "name" and _is_somebody(tokens, at):
            tokens[at] = changed(tokens[at], tag="name", form=None)
    return tokens


def somebody(tokens: Sequence[Token]) -> frozenset[str]:
    """The names, folded, of those who begin a sentence as only somebody can."""
    return frozenset(tokens[at].lower for at in _first(tokens) if _is_somebody(tokens, at))


def _first(tokens: Sequence[Token]) -> list[int]:
    """Where a sentence or a part of one begins, and goes on, with a word that may be somebody's name."""
    return [
        at
        for at, token in enumerate(tokens[:-1])
        if (token.lower in NAMES or token.tag == "modal" or token.lower[-2:] == "ly")
        and (at == 0 or tokens[at - 1].text[:1] in _ENDS or tokens[at - 1].tag == "coordinator")
        and _is_written_so(token)
    ]


def _is_written_so(token: Token) -> bool:
    return len(token.text) > 1 and token.text[0].isupper() and token.text[1:].islower()


def _is_somebody(tokens: Sequence[Token], at: int) -> bool:
    first, after = tokens[at], at + 1
    while after < len(tokens) and tokens[after].tag in {"adverb", "negation"}:
        after += 1
    if after >= len(tokens):
        return False
    verb, rest = tokens[after], tokens[after + 1 :]
    is_called, is_thing = first.lower in NAMES, first.lower in _THINGS
    if verb.tag == "clitic" and verb.lower == "'s":
        is_own = bool(rest) and (relations.relation_of(rest[0].lower) is not None or rest[0].lower in _OWNED)
        is_own = is_own or _is_said_of_people(rest)
        is_had = len(rest) > 1 and rest[0].tag in {"word", "name"} and first.lower not in _TIMES_AND_PLACES
        return is_called and (is_own or is_had or (not is_thing and bool(rest)))
    if verb.tag == "auxiliary" and verb.lower in {"is", "was", "has", "had", "does", "did"}:
        is_clear = verb.lower in {"is", "was"} and _is_said_of_people(rest)
        return (is_called and (is_clear or not is_thing)) or (first.tag == "modal" and not _asks(rest))
    if verb.form is None or verb.tag not in {"word", "preposition"} or not verb.form.forms & {"s", "past"}:
        return False
    is_doing = verb.form.lemma in _OF_PEOPLE
    if not is_called:
        return is_doing and (first.tag == "modal" or first.lower.endswith("ly"))  # no adverb does anything
    return is_doing or not is_thing


def _asks(rest: Sequence[Token]) -> bool:
    return any(token.text == "?" for token in rest)


def _is_said_of_people(rest: Sequence[Token]) -> bool:
    """Whether what follows "is" can be said of somebody alone: "my neighbor", "allergic to nuts"."""
    if not rest:
        return False
    if rest[0].tag == "possessive":
        return any(relations.relation_of(token.lower) is not None for token in rest[1:3])
    return rest[0].lower in _SO or (len(rest) > 1 and rest[1].lower in _SO)


_PREFIXES = ("Mc", "Mac", "De", "Di", "La", "Le", "Van", "Fitz")
"""Of names that go on with a capital: "McKenzie", "DeShawn", "LaToya"."""


def is_camel(word: str) -> bool:
    """Whether it has a capital inside, as "PyTorch" and few names have; "O'Brien" has an apostrophe."""
    word = next((word.removeprefix(one) for one in _PREFIXES if word.startswith(one)), word)
    return "'" not in word and "’" not in word and any(map(str.isupper, word[1:]))
