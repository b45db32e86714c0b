"""How a message is retold: the labels of its people, agreeing verbs, and which pronouns are loose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations
from recollect.judges.rules.people import TEAMS, Discourse
from recollect.judges.rules.verbs import FORMS, third_person
from recollect.patterns import deferred
from recollect.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.judges.rules.nouns import Noun
    from recollect.judges.rules.tokens import Token
    from recollect.types import Reference


@frozen
class Voice:
    """How a message is retold: what the speaker is called, and whether "we" is a team at work."""

    speaker: str | None
    discourse: Discourse
    is_work: bool = False

    @property
    def label(self) -> str:
        """The speaker's name, or "the user"."""
        return self.speaker or "the user"

    @property
    def group(self) -> str:
        """What "we" becomes."""
        return "the team" if self.is_work else self.label


@frozen
class Shaped:
    """A retold clause. `is_certain` is False when a pronoun could not be resolved; the text is then not to be used."""

    text: str
    is_certain: bool
    resolved: tuple[Reference, ...] = ()
    """People that pronouns turned out to mean."""


TRAILERS = deferred(
    r"(?i)(?:[,\s]+(?:btw|by the way|lol|haha+|hehe|lmao|you know|right|though|tho|tbh|imo|please|pls|fyi|too|ok"
    r"|okay|anyway|i guess|i think"
    r"|thanks|thank you|so yeah|just so you know|just|in case you wondered|if you need it|if that helps|mate|man|bro"
    r"|dude)|[\s.!?,;:…\-–—]+)+$"
)


SINGULAR = {
    "am": "is",
    "'m": "is",
    "m": "is",
    "are": "is",
    "'re": "is",
    "were": "was",
    "have": "has",
    "'ve": "has",
    "do": "does",
}


CLITIC_WORDS = {"'ll": "will", "'re": "are", "'ve": "have"}


def possessive(label: str) -> str:
    """The label with its possessive ending."""
    return f"{label}'" if label.endswith("s") and label[:1].islower() and label != "the user's" else f"{label}'s"


THIRD = lexicon.words("he she they him her them his hers their theirs himself herself themselves")


OBJECTS = frozenset({"him", "her", "them"})
"""Forms that never mean the subject of their own clause: that takes "himself"."""


def may_be_subject(pronoun: str, subject: Noun | None, who: Reference | None) -> bool:
    """Whether he, she or they, said later in a clause, can mean the clause's own subject."""
    if subject is not None and (subject.is_plural or subject.pronoun == "they"):
        return pronoun == "they" and subject.pronoun is None
    if who is not None and not who.is_speaker and relations.gender_of(who.relation) in {"they", pronoun}:
        return True
    return (
        subject is not None
        and subject.relation is not None
        and (relations.gender_of(subject.relation) in {"they", pronoun})
    )


def is_loose(token: Token, following: Token | None) -> bool:
    """Whether a pronoun points at nothing in the text: "it", "this", "that one"."""
    if token.lower in {"it", "its", "itself"}:
        return True
    if token.lower not in lexicon.DEMONSTRATIVES:
        return False
    return not has_noun(following) or (following is not None and following.lower not in lexicon.TIME_NOUNS)


def has_noun(token: Token | None) -> bool:
    return token is not None and token.tag in {"word", "name", "adjective", "number"}


def stands_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word such as "Mom" is used like a name: nothing says whose, and no name follows."""
    before = tokens[index - 1] if index else None
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if before is not None and before.tag in {"possessive", "determiner", "clitic", "adjective", "number"}:
        return False
    return following is None or following.tag not in {"name", "word"} or following.form is not None


def steps(noun: Noun) -> list[Noun]:
    out = [noun]
    while out[-1].owner is not None:
        out.append(out[-1].owner)
    return out


def agree(token: Token, word: str) -> str:
    """The finite verb in the third person singular."""
    lower = token.lower
    if lower in SINGULAR:
        return SINGULAR[lower]
    if token.tag == "modal":
        return {"'ll": "will", "'d": "would"}.get(lower, word)
    if lower == "want" and word == "want":
        return "wants"
    if token.form is not None and "base" in token.form.forms and "past" not in token.form.forms:
        return third_person(token.form.lemma)
    if token.form is None and token.tag == "word" and lower not in FORMS and not lower.endswith(("s", "ed", "ing")):
        return third_person(lower)
    if lower in {"put", "cut", "set", "read", "quit", "hit", "let", "cost"}:
        return word
    return word


def is_team_ahead(tokens: Sequence[Token], index: int) -> bool:
    """Whether "our" stands before the team itself: it is the speaker's, not the team's."""
    while index < len(tokens) and tokens[index].tag in {"adjective", "name"}:
        index += 1
    return index < len(tokens) and tokens[index].lower in TEAMS
