"""How much of a text a judge is handed: sentences of a bounded length, so many of them, and none over and over.

To read costs much more than to search, and for a long sentence more than its length. What nobody says in a
conversation, a sentence of half a page or the same one again and again, is not read; other texts are handed on whole.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from wellkept.patterns import deferred
from wellkept.values import frozen

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
