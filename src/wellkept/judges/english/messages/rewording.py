"""A message put into other words, with the way back: which of the speaker's own words each stretch of it stands for."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellkept.types import Claim


@frozen
class Edit:
    """Words for a stretch of the text; what is only put in has a stretch of no length."""

    start: int
    end: int
    new: str


@frozen
class Reworded:
    """A text as it is read, and for every place in it the place in the text as it was said."""

    text: str
    said: str
    places: tuple[int, ...]

    def restored(self, claim: Claim) -> Claim:
        """The claim with the speaker's own words as its quotation and evidence."""
        start, end = self.places[claim.evidence.start], self.places[claim.evidence.end]
        quote = self.said[start:end].strip(" ,;:–—")
        return changed(claim, quote=quote, evidence=changed(claim.evidence, start=start, end=end))


def reword(said: str, edits: Iterable[Edit]) -> Reworded:
    """The text with the edits made, of those that overlap the first.

    >>> reword("got a dog", [Edit(start=0, end=0, new="I ")]).text
    'I got a dog'
    """
    text, places, at = "", [], 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if edit.start < at:
            continue
        text += said[at : edit.start] + edit.new
        places += [*range(at, edit.start), *itertools.repeat(edit.start, len(edit.new))]
        at = edit.end
    return Reworded(text=text + said[at:], said=said, places=(*places, *range(at, len(said) + 1)))
