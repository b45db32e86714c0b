"""Texts as words that are searched for, and how much of a text is shown or read."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from wellkept.patterns import deferred, word_lists, word_set
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


TERM_LENGTH_MAX = 64
QUERY_TERMS_MAX = 128

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "`": "'"})
_ASCII_TOKEN = deferred(
    r"\d{1,3}(?:,\d{3})+(?![\d,]|[a-z])"
    r"|\d+(?:\.\d+)+(?![a-z])"
    r"|[a-z](?:\+\+|#)"
    r"|[a-z0-9]+(?:'[a-z0-9]+)*"
)
_VOWELS = "aeiouy"

# Vowel points and accents that people leave out when they type: Latin, Greek and Cyrillic, Hebrew, Arabic.
_FOLDED = deferred("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
# Scripts written without spaces, and Korean, whose endings grow on the word: pairs of neighbours are their words.
_UNSPACED = deferred(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def terms(text: str) -> list[str]:
    """Every term of a text, in order, repeated as often as it stands there; for the index."""
    return list(_terms(text, is_query=False))


def term_counts(text: str) -> Mapping[str, int]:
    """Term → how often it stands in the text."""
    counts: dict[str, int] = {}
    for term in _terms(text, is_query=False):
        counts[term] = counts[term] + 1 if term in counts else 1
    return counts


def query_terms(text: str) -> list[str]:
    """The terms to look for, each once, in order. Stop words are dropped unless there is nothing else."""
    found = list(dict.fromkeys(_terms(text, is_query=True)))
    telling = [term for term in found if term not in _stop_terms()]
    return (telling or found)[:QUERY_TERMS_MAX]


def is_stop(term: str) -> bool:
    """Whether a term is one that queries leave out."""
    return term in _stop_terms()


def name_key(text: str) -> str:
    """A name or alias as it is compared: NFKC, casefolded, single spaces, without "my", "the" and "@" before it."""
    key = " ".join(unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold().split())
    while True:
        shorter = key.removeprefix("my ").removeprefix("the ").removeprefix("@").strip()
        if shorter == key:
            return key
        key = shorter


def _terms(text: str, *, is_query: bool) -> Iterable[str]:
    folded = text.casefold() if text.isascii() else _fold(text)
    return _ascii_terms(folded) if folded.isascii() else _script_terms(folded, is_query=is_query)


def _script_terms(folded: str, *, is_query: bool) -> Iterator[str]:
    for is_unspaced, run in _runs(folded):
        if is_unspaced:
            yield from _pairs(run, with_single=not is_query)
        elif run.isascii():
            yield from _ascii_terms(run)
        else:
            yield run.replace("'", "")[:TERM_LENGTH_MAX]


def _fold(text: str) -> str:
    """Compatible forms made equal, case and accents dropped; other scripts keep their marks."""
    plain = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()
    return unicodedata.normalize("NFC", _FOLDED.sub("", unicodedata.normalize("NFD", plain)))


def _ascii_terms(text: str) -> list[str]:
    tokens: list[str] = _ASCII_TOKEN.findall(text)
    return [_stem(token[:TERM_LENGTH_MAX]) if token.isalpha() else _signed(token) for token in tokens]


def _signed(token: str) -> str:
    """The term of a token with more than letters in it."""
    if "'" in token:
        return _stem(token.removesuffix("'s").replace("'", "")[:TERM_LENGTH_MAX])
    return token.replace(",", "")[:TERM_LENGTH_MAX]


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    """Stretches of one script (True: written without spaces), and single signs such as emoji."""
    run: list[str] = []
    was_unspaced = False
    for sign in text:
        category = unicodedata.category(sign)
        is_unspaced = _UNSPACED.match(sign) is not None and category[0] in "LMN"
        is_word = category[0] in "LMN" or sign in "'+#,."
        is_mark = category[0] == "M" and bool(run)
        if run and (not is_word or (is_unspaced != was_unspaced and not is_mark)):
            yield from _cut(was_unspaced, "".join(run))
            run = []
        if is_word:
            was_unspaced = was_unspaced if is_mark else is_unspaced
            run.append(sign)
        elif category == "So":
            yield False, sign
    if run:
        yield from _cut(was_unspaced, "".join(run))


def _cut(is_unspaced: bool, run: str) -> Iterator[tuple[bool, str]]:  # noqa: FBT001 -- the pair that _runs yields
    """Numbers keep the points inside them; a word of another script than Latin loses the signs around it."""
    if is_unspaced or run.isascii():
        yield is_unspaced, run
        return
    for part in re.split(r"[+#,.]+|^'+|'+$", run):
        if part:
            yield False, part


def _pairs(run: str, *, with_single: bool) -> Iterator[str]:
    if len(run) == 1:
        yield run
        return
    if with_single:
        # A word of one sign exists from Chinese to Korean; a lone letter of Thai says nothing.
        yield from (sign for sign in run if sign >= "\u3000")
    for first, second in pairwise(run):
        yield first + second


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    """English endings taken off lightly: plural, -ed, -ing, -ly stays. Other languages lose at most an s."""
    if len(word) <= 3:
        return word
    if word in _irregular():
        return _irregular()[word]
    stem = _without_tense(_without_plural(word))
    if len(stem) > 2 and stem[-1] == "y" and stem[-2] not in _VOWELS:
        return stem[:-1] + "i"
    if stem[-1] == "e" and len(stem) > 4 and not _is_short(stem[:-1]):
        return stem[:-1]
    return stem


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")) or not word.endswith("s"):
        return word
    return word[:-1] if any(letter in _VOWELS for letter in word[:-2]) else word


def _without_tense(word: str) -> str:
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if word.endswith("eed"):
                return word[:-1] if any(letter in _VOWELS for letter in word[:-3]) else word
            if not any(letter in _VOWELS for letter in rest):
                return word
            return _mended(rest)
    return word


def _mended(rest: str) -> str:
    """What stood before -ed or -ing: hop(p)ing, hop(e)ing, creat(e)ing."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 2 and rest[-1] == rest[-2] and rest[-1] in "bdfgmnprt":
        return rest[:-1]
    return rest + "e" if _is_short(rest) else rest


def _is_short(word: str) -> bool:
    """One syllable that ends in consonant, vowel, consonant: lik(e), nam(e), mov(e)."""
    if len(word) < 2:
        return False
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    ends_so = word[-1] not in _VOWELS + "wx" and word[-2] in _VOWELS and word[-3] not in _VOWELS
    return ends_so and not any(letter in _VOWELS for letter in word[:-2])


def stop_words() -> frozenset[str]:
    """Dropped from queries, kept in the index: "who" alone is still a query, and a band of that name can be found."""
    return word_set("words.txt", "stop words")


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(_stem(word) for word in stop_words()) | stop_words()


@cache
def _irregular() -> Mapping[str, str]:
    return dict(line.split(": ") for line in word_lists("words.txt")["irregular"])


# --- How much of a text is shown.


CHARACTERS_PER_TOKEN = 4
ELLIPSIS = "…"


def token_count(text: str) -> int:
    """How many tokens a text takes.

    >>> token_count("abcd"), token_count("abcde"), token_count("")
    (1, 2, 0)
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def cut(text: str, budget_tokens: int) -> str:
    """The beginning of a text that fits, marked where it was cut.

    >>> cut("one two three", 2)
    'one two…'
    """
    return clipped(text, budget_tokens * CHARACTERS_PER_TOKEN)


def clipped(text: str, length_max: int) -> str:
    """The beginning of a text of at most so many characters, ended at a word where one is near."""
    if len(text) <= length_max:
        return text
    head = text[: max(length_max - len(ELLIPSIS), 0)]
    at_word = head.rsplit(" ", 1)[0]
    is_near = len(at_word) * 2 > len(head) and not text[len(head)].isspace()
    return (at_word if is_near else head).rstrip() + ELLIPSIS


_CONTROL = deferred("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def quoted(text: str) -> str:
    """One line, no control characters, and nothing that could close the fence.

    >>> quoted("a" + chr(10) + "<<<end>>>")
    'a ‹‹‹end›››'
    """
    return _CONTROL.sub(" ", text).replace("<<<", "‹‹‹").replace(">>>", "›››")


# --- How much of a text a judge is handed: to read costs much more than to search.


SENTENCE_MAX = 600
"""Characters of a sentence that is read."""
SENTENCES_MAX = 120
"""Sentences of a text that are read."""
CHARACTERS_MAX = 8_000
"""Of a text that are read."""
REPEATS_MAX = 8
"""Times that the same sentence is read."""

_SHORT = 400
"""Characters of a text that is always read whole."""
# An abbreviation makes two pieces of one sentence, which changes nothing but their count.
_END = deferred(r"[.!?…]+[\"'”’)\]]*\s+|\n\s*|[。！？]+")


@frozen
class Legible:
    """A text as it is read."""

    text: str
    """What is read of it, in a row."""
    kept: tuple[tuple[int, int], ...] = ()
    """Where what is read stands in what was said; empty: it is all of it."""
    unread: tuple[tuple[int, int], ...] = ()
    """From where to where it was too much to be read; what was only said again is not among it."""

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where something that was read stands in what was said.

        >>> Legible(text="abef", kept=((0, 2), (4, 6))).place(1, 3)
        (1, 5)
        """
        if not self.kept or not 0 <= start < end:
            return start, end
        passed, places = 0, []
        for said_start, said_end in self.kept:
            here = range(passed, passed + said_end - said_start)
            places += [said_start + one - passed for one in (start, end - 1) if one in here]
            passed = here.stop
        return places[0], places[-1] + 1


def legible(text: str) -> Legible:
    """What of a text is read.

    >>> legible("I like tea. Ana likes jam.").unread
    ()
    >>> legible("tea " * 300).unread
    ((0, 1200),)
    """
    if len(text) <= _SHORT:
        return Legible(text=text)
    kept: list[tuple[int, int]] = []
    unread: list[tuple[int, int]] = []
    seen: Counter[str] = Counter()
    characters = 0
    for start, end in pairwise([0, *(found.end() for found in _END.finditer(text)), len(text)]):
        said = " ".join(text[start:end].split())
        seen[said] += 1
        if seen[said] > REPEATS_MAX:
            continue
        characters += len(said)
        if len(said) > SENTENCE_MAX or len(kept) >= SENTENCES_MAX or characters > CHARACTERS_MAX:
            joined = unread.pop()[0] if unread and unread[-1][1] == start else start
            unread.append((joined, end))
        else:
            kept.append((start, end))
    read = "".join([text[start:end] for start, end in kept])
    return Legible(text=text) if read == text else Legible(text=read, kept=tuple(kept), unread=tuple(unread))
