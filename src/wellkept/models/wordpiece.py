"""WordPiece with BERT's basic tokenizer, equal to the reference token by token."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from wellkept.models.characters import IDEOGRAPHS, MARKS, PUNCTUATION, REMOVED
from wellkept.patterns import deferred

PAD, UNKNOWN, START, END, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"

WORD_CHARACTERS_MAX = 100
WORDS_CACHED_MAX = 1 << 16


def character_class(ranges: str) -> str:
    """The inside of a regular expression's [...] for hexadecimal ranges such as `AD 600-605`."""
    bounds = (item.partition("-") for item in ranges.split())
    return "".join(f"\\U{int(first, 16):08x}-\\U{int(last or first, 16):08x}" for first, _, last in bounds)


_ASCII_REMOVED = deferred(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_ASCII_WORDS = deferred(r"[a-z0-9]+|[^\sa-z0-9]")
# The reference takes these as they stand, whatever surrounds them.
_SPECIAL = deferred("(" + "|".join(map(re.escape, (PAD, UNKNOWN, START, END, MASK))) + ")")


@cache
def _beyond_ascii() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What is removed, which marks are dropped, what is a word. Compiled late, for it takes 15 ms."""
    single = character_class(PUNCTUATION) + character_class(IDEOGRAPHS)
    removed, marks = character_class(REMOVED), character_class(MARKS)
    return re.compile(f"[{removed}]+"), re.compile(f"[{marks}]+"), re.compile(rf"[{single}]|[^\s{single}]+")


def basic_words(text: str) -> list[str]:
    """Lower-case words without accents; punctuation marks and ideographs are words of their own."""
    if text.isascii():
        return _ASCII_WORDS.findall(_ASCII_REMOVED.sub("", text).lower())
    removed, marks, words = _beyond_ascii()
    text = marks.sub("", unicodedata.normalize("NFD", removed.sub("", text)))
    # The reference lowers each character alone; Python would write a final sigma in another way.
    return words.findall(text.replace("Σ", "σ").lower())


class WordPiece:
    """Token ids of texts for one vocabulary. Safe to share between threads."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._ids = {token: number for number, token in enumerate(vocabulary)}
        self._unknown = (self._ids[UNKNOWN],)
        self._start, self._end = self._ids[START], self._ids[END]
        self._token_characters_max = max(map(len, self._ids))
        # Words repeat: most texts consist of words that were split before.
        self._word_ids = lru_cache(maxsize=WORDS_CACHED_MAX)(self._split)

    def encode(self, text: str) -> list[int]:
        """The ids of a text between the start and end tokens, however long it is."""
        return [self._start, *self.ids(text), self._end]

    def ids(self, text: str) -> list[int]:
        if "[" not in text:
            return [number for word in basic_words(text) for number in self._word_ids(word)]
        numbers: list[int] = []
        for part in _SPECIAL.split(text):
            if _SPECIAL.fullmatch(part):
                numbers.append(self._ids[part])
            else:
                numbers.extend(number for word in basic_words(part) for number in self._word_ids(word))
        return numbers

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest known pieces from left to right; one unknown part makes the whole word unknown."""
        if len(word) > WORD_CHARACTERS_MAX:
            return self._unknown
        numbers: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            longest = min(len(word), start + self._token_characters_max)
            for end in range(longest, start, -1):
                number = self._ids.get(prefix + word[start:end])
                if number is not None:
                    break
            else:
                return self._unknown
            numbers.append(number)
            start = end
        return tuple(numbers)
