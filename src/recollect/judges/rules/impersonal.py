"""Who did it is nobody in particular: "they moved my surgery to the 12th" says that it was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.gated import gated
from recollect.judges.rules.nouns import is_plural_word
from recollect.judges.rules.rewording import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

_DONE = (
    r"moved|pushed|postponed|rescheduled|delayed|shifted|brought|put|changed|raised|lowered|cut|increased|reduced"
    r"|extended|bumped|upped|dropped|doubled|halved|cancell?ed|scheduled|booked"
)
_THEY = gated(
    rf"(?i)\bthey(?:['’]ve| have| had)?(?: (?:just|actually|now|already|finally|also))? (?P<done>{_DONE}) "
    r"(?P<thing>(?:my|our|the|his|her|[a-z]+['’]s) [^,.;:!?]{2,60}?)"
    r"(?= (?:back |forward |up |down |off |out )?(?:to|until|till|for|from|by|on|again|today|yesterday)\b|[,.;:!?]|$)"
)


def edits(text: str) -> Iterator[Edit]:
    """The thing as the subject of what was done to it.

    >>> [edit.new for edit in edits("They moved my surgery to the 12th.")]
    ['My surgery was moved']
    """
    for found in _THEY.finditer(text):
        thing, done = found["thing"], found["done"]
        first = thing[:1].upper() if found[0][:1] == "T" else thing[:1]
        were = "were" if is_plural_word(thing.rsplit(maxsplit=1)[-1].casefold()) else "was"
        yield Edit(start=found.start(), end=found.end(), new=f"{first}{thing[1:]} {were} {done.casefold()}")
