"""What a noun phrase is, and how one is built from its words."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.tokens import COMMON_NOUNS
from wellkept.judges.english.people import relations
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.tokens import Token


@frozen
class Noun:
    """A noun phrase. `head` is its lower-case head noun; a pronoun has `pronoun` ("i", "she", "it"…) and no head."""

    text: str
    start: int
    end: int
    head: str = ""
    determiner: str | None = None
    modifiers: tuple[str, ...] = ()
    """Adjectives and nouns before the head, lower case: "favorite", "blood"."""
    name: str | None = None
    """The proper name in it: "Sarah", "Acme Corp", "van der Berg"."""
    relation: str | None = None
    """Canonical relation word: "my hubby" has "husband"."""
    handle: str | None = None
    pronoun: str | None = None
    owner: Noun | None = None
    """Whose it is: "my" has the pronoun "i", "Sarah's" the name."""
    of: Noun | None = None
    """The noun after "of": "capital of France"."""
    parts: tuple[Noun, ...] = ()
    """The members of a coordination; the noun itself then stands for all of them."""
    is_plural: bool = False

    @property
    def is_speaker(self) -> bool:
        """Whether it is I or me."""
        return self.pronoun == "i"

    @property
    def is_person(self) -> bool:
        """Whether it is sure to be a person: a relation, a handle or a personal pronoun."""
        return self.relation is not None or self.handle is not None or self.pronoun in {"i", "he", "she", "we", "you"}

    @property
    def label(self) -> str:
        """Head with its modifiers, lower case: "favorite color"."""
        return " ".join((*self.modifiers, self.head)).strip()


_PLURAL_HEADS = lexicon.words("people children men women kids parents folks police feet teeth mice in-laws")


def is_plural_word(word: str) -> bool:
    """Whether a noun looks plural."""
    return (
        word in _PLURAL_HEADS
        or word in relations.PLURALS
        or (word[-1:] == "s" and len(word) > 3 and not word.endswith(("ss", "us", "is", "news")))
    )


def _name_in(tokens: Sequence[Token], text: str) -> str | None:
    """The first run of name tokens, particles included."""
    run: list[Token] = []
    for at, token in enumerate(tokens):
        is_particle = token.lower in lexicon.NAME_PARTICLES and bool(run)
        if (
            token.tag == "name"
            or is_particle
            or (
                run
                and token.tag == "number"
                and token.text.isdigit()
                and not run[-1].text.islower()
                and len(token.text) <= 2
            )
        ):
            run.append(token)
        elif run:
            if token.is_capital and (token.lower in lexicon.ORG_SUFFIXES or token.tag in {"word", "adjective"}):
                run.append(token)
                continue
            break
        elif token.lower in lexicon.TITLES and (token.is_capital or _leads_name(tokens, at)):
            run.append(token)
    while run and run[-1].lower in lexicon.NAME_PARTICLES and run[-1].text.islower():
        run.pop()
    if not run or all(token.lower in lexicon.TITLES for token in run):
        return None
    name = text[run[0].start : run[-1].end]
    return titled(name) if name.islower() else name


def _leads_name(tokens: Sequence[Token], at: int) -> bool:
    """For "ms Grace": a title typed small is one before a name."""
    return tokens[at].lower in _SHORT_TITLES and at + 1 < len(tokens) and tokens[at + 1].tag == "name"


_SHORT_TITLES = frozenset(("dr", "mr", "mrs", "ms", "sir", "prof"))


def titled(name: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in name.split(" "))


def _relation_in(tokens: Sequence[Token], text: str, *, is_owned: bool) -> tuple[str, int] | None:
    """The relation word among the tokens, with its place."""
    last = len(tokens) - 1
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at < last else None
        if is_owned and following is not None and (pair := (token.lower, following.lower)) in relations.MULTI_WORD:
            return relations.MULTI_WORD[pair], at + 1
        if token.lower not in relations.NAMING and token.lower[-4:] != "-old":
            continue
        relation = relations.relation_of(token.lower)
        if relation is None:
            continue
        if relation == "partner" and at and relations.is_pastime(tokens[at - 1].lower):
            relation = "friend"
        if not is_owned and (token.lower in relations.WEAK or token.lower.endswith("-old")):
            continue
        if following is not None and relations.relation_of(following.lower) is not None:
            # "My twin sister", "my baby brother": the last word says who it is.
            continue
        # "my boss fight", "my father figure": a relation word before a plain noun only modifies it.
        if following is not None and following.tag == "word" and not _is_lower_name(following, text):
            return None
        return relation, at
    return None


_CAPITAL_INSIDE = deferred(r"[a-z,;:] [A-Z][^\W\d_]+")
_COMPOUNDED = lexicon.words(
    "tongue figure nature ship board hood shower bump monitor sitter fever teeth formula clothes stroller crib tooth "
    "album side drama issue lane bear land law material role status unit hub dynamic community circle network zone"
)
"""Nouns that a relation word only describes: "mother tongue", "father figure", "baby shower"."""


def _is_lower_name(token: Token, text: str) -> bool:
    """A name typed without its capital: a word that is nothing else the parser knows, by one who writes none."""
    return token.lower in lexicon.FIRST_NAMES or (
        token.form is None
        and token.lower not in COMMON_NOUNS
        and token.lower not in _COMPOUNDED
        and _CAPITAL_INSIDE.search(text) is None
        and not token.lower.endswith(("ly", "s", "ing", "ed"))
        and token.lower.isalpha()
        and len(token.lower) > 2
        and relations.relation_of(token.lower) is None
    )


def build(text: str, inside: Sequence[Token], first: Token, determiner: str | None, owner: Noun | None) -> Noun:
    found = _relation_in(inside, text, is_owned=owner is not None)
    relation = found[0] if found else None
    name = _name_in(inside, text)
    head_at = len(inside) - 1
    if found is not None:
        head_at = found[1]
        if name is not None and relations.relation_of(name.casefold()) == relation:
            name = None  # "my GP" is no name
        if name is None and head_at + 1 < len(inside) and _is_lower_name(inside[head_at + 1], text):
            name = titled(inside[head_at + 1].text)
    elif name is not None:
        plain = [at for at, token in enumerate(inside) if token.tag == "word" and token.lower not in name.casefold()]
        head_at = plain[-1] if plain else -1
    if (
        relation is None
        and name is None
        and owner is None
        and determiner is None
        and len(inside) == 1
        and inside[0].lower in relations.KIN_NAMES
    ):
        relation = relations.relation_of(inside[0].lower)
    if relation is not None and owner is None and inside[head_at].lower in relations.KIN_NAMES and determiner is None:
        owner = Noun(text="", start=first.start, end=first.start, pronoun="i")
    head = inside[head_at].lower if head_at >= 0 else ""
    if owner is not None and name is not None and name.isupper() and relation is None and not head:
        head, name = name.casefold(), None
    before = inside[:head_at] if head_at > 0 else ()
    modifiers = tuple([token.lower for token in before if token.tag != "name" or relation is None]) if before else ()
    return Noun(
        text=text[first.start : inside[-1].end],
        start=first.start,
        end=inside[-1].end,
        head=head,
        determiner=determiner,
        modifiers=modifiers,
        name=name,
        relation=relation,
        owner=owner,
        is_plural=bool(head) and is_plural_word(head) and name is None,
    )


def members(noun: Noun) -> Iterator[Noun]:
    """The nouns of a coordination one by one, each with the one that hangs on it: "the sister of Ana"."""
    if noun.parts:
        for part in noun.parts:
            yield from members(part)
        return
    yield noun
    if noun.of is not None:
        yield from members(noun.of)


_START = attrgetter("start")


def nouns_of(clause: Clause) -> Sequence[Noun]:
    """The nouns of a clause, which keeps them as its `nouns`."""
    found = [clause.subject, clause.indirect, clause.object, clause.complement.noun if clause.complement else None]
    found += [phrase.noun for phrase in clause.phrases]
    every: list[Noun] = []
    for noun in sorted([noun for noun in found if noun is not None], key=_START):
        if noun.parts or noun.of is not None:
            every.extend(members(noun))
        else:
            every.append(noun)
    for inner in clause.inner:
        every.extend(inner.nouns)
    return every
