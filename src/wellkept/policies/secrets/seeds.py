"""Finds wallet seed phrases: a row of twelve and more words that all stand in the BIP-39 list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.lexicon import is_predicate
from wellkept.policies.secrets.seed_words import SEED_WORDS
from wellkept.policies.secrets.shapes import Said, SecretSpan, known

PHRASE_WORDS_MIN: Final = 12
# Named as a seed phrase, fewer words in a row are enough.
_NAMED_WORDS_MIN: Final = 6
NAMED_STEMS: Final = known((
    "seed", "mnemonic", "recovery phrase", "wallet", "secret phrase", "backup phrase", "metamask", "ledger", "trezor",
))  # fmt: skip
_AROUND_WORD: Final = "0123456789.,;:|/()·•-=\"'!?"
_WORD: Final = deferred(r"[a-z]+")
# Between two words of a phrase: spaces, commas, numbering, line breaks.
_BETWEEN: Final = deferred(r"[\s,;|/·•-]{1,6}(?:\(?\d{1,2}[.):=-]?\s{0,3})?|\s*\d{1,2}[.):]\s{0,3}")
# A sentence has "the", "is" and "of"; of the list's own words only few are of that kind.
_GRAMMAR_SHARE_MAX: Final = 0.34
_COMPACT_LETTERS_MIN: Final = 40
_COMPACT_LETTERS_MAX: Final = 300
_WORD_LENGTHS: Final = range(3, 9)
WORD_ROOM: Final = _WORD_LENGTHS.start + 1
"""Characters that a word of a row takes at least, with the gap after it."""


@cache
def _words() -> frozenset[str]:
    return frozenset(SEED_WORDS.split())


def seed_spans(said: Said) -> Iterator[SecretSpan]:
    """Rows of list words; what is merely a sentence breaks the row at its first other word."""
    least = PHRASE_WORDS_MIN if NAMED_STEMS.isdisjoint(said.stems) else _NAMED_WORDS_MIN
    if len(said.low) < WORD_ROOM * least - 1 or not _has_row(said.low, least):
        return
    if said.low.count(" ") + said.low.count("\n") + said.low.count(",") < _NAMED_WORDS_MIN - 1:
        return
    row: list[re.Match[str]] = []
    for word in _WORD.finditer(said.low):
        if word.group() not in _words():
            yield from _judged(row, least)
            row = []
            continue
        if row and not _BETWEEN.fullmatch(said.low, row[-1].end(), word.start()):
            yield from _judged(row, least)
            row = []
        row.append(word)
    yield from _judged(row, least)


def _has_row(low: str, least: int) -> bool:
    """A quick look: enough list words after one another, whatever stands between them."""
    row, listed = 0, _words()
    if len([word for word in _WORD.findall(low) if word in listed]) < least:
        return False
    for token in low.replace(",", " ").split():
        word = token.strip(_AROUND_WORD)
        if word in listed:
            row += 1
            if row >= least:
                return True
        elif word:
            row = 0
    return False


def is_compact_phrase(letters: str) -> bool:
    """Whether letters without gaps can be cut into twelve or more list words."""
    if len(letters) < _COMPACT_LETTERS_MIN:
        return False
    letters = letters[:_COMPACT_LETTERS_MAX]
    for start in range(min(24, len(letters))):
        best = {start: 0}
        for position in range(start, len(letters)):
            if position not in best:
                continue
            for length in _WORD_LENGTHS:
                end = position + length
                if end <= len(letters) and letters[position:end] in _words():
                    best[end] = max(best.get(end, 0), best[position] + 1)
        if max(best.values()) >= PHRASE_WORDS_MIN:
            return True
    return False


def _judged(row: list[re.Match[str]], least: int) -> Iterator[SecretSpan]:
    if len(row) < least:
        return
    grammar = sum(is_predicate(word.group()) for word in row)
    if grammar <= _GRAMMAR_SHARE_MAX * len(row):
        yield SecretSpan(start=row[0].start(), end=row[-1].end(), kind="seed_phrase")
