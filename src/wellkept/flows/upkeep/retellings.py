"""Who is erased was told of to others: which texts that memory made for somebody else tell it again."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.judges.english.questions.voice import to_second_person
from wellkept.policies.text.words import is_stop, terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from wellkept.types import Person

SENTENCE_MIN = 8
"""Shorter texts stand in too many other words to be looked for."""
_OF_THE_USER = frozenset(terms("user users"))
_SOMEBODY = ("He", "She", "They")


def is_sentence(text: str) -> bool:
    """Whether a text is so long that it can be told from what others say."""
    return len(text) >= SENTENCE_MIN and any(letter.isspace() for letter in text)


class Retellings:
    """What the memories of a user say, in the first, second and third person."""

    def __init__(self, user: str = "", person: Person | None = None) -> None:
        aliases = () if person is None else (person.name or "", *(alias.value for alias in person.aliases))
        self._names = tuple(dict.fromkeys(name for name in (user, *aliases) if name))
        self._named = frozenset(_telling(name) for name in self._names) - {frozenset()}
        self._told: defaultdict[str, set[tuple[frozenset[str], bool]]] = defaultdict(set)
        self._sentences: defaultdict[str, set[str]] = defaultdict(set)

    @property
    def names(self) -> frozenset[str]:
        """What the user is called, for comparing."""
        return frozenset(name.casefold() for name in self._names)

    @property
    def sentences(self) -> frozenset[str]:
        """Everything that may stand nowhere word for word."""
        return frozenset(text for texts in self._sentences.values() for text in texts)

    def add(self, content: str, quote: str | None) -> None:
        """What a version of a memory says, and what it would be in a reply."""
        texts = [text for text in (content, quote) if text]
        self.add_texts(texts)
        self.add_texts(to_second_person(text) for text in texts)
        self.add_texts(views.named(text, name) for text in texts for name in (*self._names, *_SOMEBODY))
        said = frozenset(terms(content))
        words = _telling(content)
        if words:
            # A sentence about "the user" is theirs again only where it names them.
            self._told[_longest(words)].add((words, not said.isdisjoint(_OF_THE_USER)))

    def add_texts(self, texts: Iterable[str]) -> None:
        """Sentences that are the user's as they stand."""
        for text in texts:
            sentence = text.strip().removesuffix(".")
            if is_sentence(sentence):
                self._sentences[_longest(terms(sentence))].add(sentence)

    def are_in(self, text: str) -> bool:
        """Whether a text has all that one of the memories says, and whom it says it of."""
        said = frozenset(terms(text))
        is_named = any(name <= said for name in self._named)
        told = (one for term in said for one in self._told.get(term, ()))
        return any(words <= said and (is_named or not is_of_user) for words, is_of_user in told)

    def quoted_in(self, text: str) -> frozenset[str]:
        """Sentences of the user that stand in a text, whatever their capitals."""
        folded = text.casefold()
        likely = (one for term in {"", *terms(text)} for one in self._sentences.get(term, ()))
        return frozenset(one for one in likely if one.casefold() in folded)


def _telling(text: str) -> frozenset[str]:
    """The words of a sentence that say something."""
    return frozenset(term for term in terms(text) if not is_stop(term)) - _OF_THE_USER


def _longest(words: Collection[str]) -> str:
    return max(words, key=lambda term: (len(term), term), default="")
