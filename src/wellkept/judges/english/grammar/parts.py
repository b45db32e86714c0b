"""The parts of a sentence between its commas: which state something, which ask, and whose statement goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.finite import locate
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.judges.english.grammar.tokens import Token

SIGNS = frozenset(("interjection", "emoji", "punctuation"))
OPENING = lexicon.words("and but so then yeah yes ok okay well oh ugh btw haha lol omg wow hi hey hello")
_LEADS = OPENING | lexicon.words("also just finally recently already still now")


@frozen
class Part:
    """A stretch of a sentence between commas."""

    tokens: Sequence[Token]
    first: int
    """Of the words that do not only lead in, as "also" and "finally" do."""
    comma: Token | None

    @property
    def head(self) -> Token | None:
        """The first word that tells something."""
        return self.tokens[self.first] if self.first < len(self.tokens) else None

    @property
    def after(self) -> Token | None:
        """The word behind the first one."""
        return self.tokens[self.first + 1] if self.first + 1 < len(self.tokens) else None

    @property
    def lead(self) -> Token:
        """Where a subject can be put in: behind "and", before "also"."""
        return next(
            (token for token in self.tokens if token.tag not in SIGNS and token.lower not in OPENING), self.tokens[0]
        )


@frozen
class Said:
    """What the parts before tell: whether they state or ask, and of whom."""

    is_told: bool = False
    is_asked: bool = False
    is_open: bool = True
    """A subject may be left out: after "my youngest, Bea," it may not."""
    subject: str | None = None
    is_name: bool = False
    """Who the speaker is: "I'm Ola"."""


def parts_of(tokens: Sequence[Token]) -> Iterator[Part]:
    """The parts of a sentence in their order."""
    begin, comma = 0, None
    for at, token in enumerate((*tokens, None)):
        if token is not None and token.text not in {",", ";"}:
            continue
        mine = tokens[begin:at]
        tells = (k for k, one in enumerate(mine) if one.tag not in SIGNS and one.lower not in _LEADS)
        if mine:
            yield Part(tokens=mine, first=next(tells, len(mine)), comma=comma)
        begin, comma = at + 1, token


def clause_of(part: Part) -> tuple[int, int] | None:
    """Where subject and verb of a part stand, if it has them at its beginning."""
    found = locate(part.tokens, part.first, len(part.tokens))
    head = part.head
    if found is None or head is None or _is_past(head, part.after):
        return None
    is_opening = found[0] == part.first or head.tag in {"preposition", "subordinator", "adverb"}
    return found if is_opening else None


def _is_past(head: Token, after: Token | None) -> bool:
    """For "got engaged", "lost his card": a verb, and no subject of what follows."""
    is_verb = head.tag == "word" or (head.tag == "adjective" and after is not None and after.tag in _OBJECTS)
    return head.form is not None and is_verb and "past" in head.form.forms and "base" not in head.form.forms


_OBJECTS = frozenset(("determiner", "possessive"))


SUBJECT_WORDS_MAX = 4
_NOBODY = lexicon.words("it this that there you")


def subject_of(part: Part, found: tuple[int, int]) -> str | None:
    """The words of the subject, where whoever is meant can be named again by them."""
    tokens = part.tokens[found[0] : found[1]]
    is_plain = not any(token.tag in {"punctuation", "coordinator", "wh"} for token in tokens)
    if not 0 < len(tokens) <= SUBJECT_WORDS_MAX or not is_plain or tokens[0].lower in _NOBODY:
        return None
    return " ".join(token.text for token in tokens)


_ASKED_OF = lexicon.words("i you he she it they we there this that these those")
_BEFORE_NOUNS = lexicon.words("the a an my our your his her their any")
_ASKED_FOR = lexicon.words(
    "idea ideas tip tips advice suggestion suggestions recommendation recommendations recs thoughts clue chance help"
)
_WITH_NOUNS = lexicon.words("is are does do did")


def asks(part: Part) -> bool:
    """Whether a part is a question by its own words: "how can I …", "is kale ok", "any ideas"."""
    head, after = part.head, part.after
    if head is None or after is None:
        return False
    if head.tag == "wh":
        return head.lower not in {"when", "who", "which"} or after.tag in {"auxiliary", "modal", "clitic"}
    is_inverted = head.tag in {"auxiliary", "modal"} and head.lower not in {"being", "having", "been"}
    if is_inverted and after.tag != "negation":
        is_marked = part.tokens[-1].text.startswith("?")
        is_noun = after.lower in _BEFORE_NOUNS or (after.tag in {"name", "word"} and head.lower in _WITH_NOUNS)
        return after.lower in _ASKED_OF or (is_marked and is_noun)
    return head.lower == "any" and after.lower in _ASKED_FOR
