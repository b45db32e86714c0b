"""Who did it is nobody in particular: "they moved my surgery to the 12th" says that it was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.nouns import is_plural_word
from wellkept.judges.english.grammar.verbs import past_of
from wellkept.judges.english.messages.rewording import Edit
from wellkept.patterns import deferred

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_DONE = (
    r"moved|pushed|postponed|rescheduled|delayed|shifted|brought|put|changed|raised|lowered|cut|increased|reduced"
    r"|extended|bumped|upped|dropped|doubled|halved|cancell?ed|scheduled|booked"
)
_DO = r"move|push|postpone|reschedule|delay|shift|change|raise|lower|cut|increase|reduce|extend|drop|cancel|put|bring"
_PARTICIPLES = {"put": "put", "cut": "cut", "bring": "brought", "cancel": "cancelled"}
_THING = (
    r"(?P<thing>(?:my|our|the|his|her|[a-z]+['’]s) [^,.;:!?]{2,60}?)"
    r"(?= (?:back |forward |up |down |off |out )?(?:to|until|till|for|from|by|on|again|today|yesterday)\b|[,.;:!?]|$)"
)
_THEY_HAD_TO = deferred(rf"(?i)\bthey (?P<will>had to|have to|will|are going to|['’]ll) (?P<do>{_DO}) {_THING}")
_THEY = deferred(
    rf"(?i)\bthey(?:['’]ve| have| had)?(?: (?:just|actually|now|already|finally|also))? (?P<done>{_DONE}) "
    rf"{_THING}"
)


def is_told(text: str) -> bool:
    """Whether it says what nobody in particular did to something."""
    return next(edits(text), None) is not None


def edits(text: str) -> Iterator[Edit]:
    """The thing as the subject of what was done to it.

    >>> [edit.new for edit in edits("They moved my surgery to the 12th.")]
    ['My surgery was moved']
    """
    for found in _THEY.finditer(text):
        were = "were" if is_plural_word(found["thing"].rsplit(maxsplit=1)[-1].casefold()) else "was"
        yield Edit(start=found.start(), end=found.end(), new=f"{_named(found)} {were} {found['done'].casefold()}")
    for found in _THEY_HAD_TO.finditer(text):
        done = _PARTICIPLES.get(found["do"].casefold()) or past_of(found["do"].casefold())
        had = "had to be" if found["will"].casefold() in {"had to", "have to"} else "will be"
        yield Edit(start=found.start(), end=found.end(), new=f"{_named(found)} {had} {done}")


def _named(found: re.Match[str]) -> str:
    thing = found["thing"]
    return f"{thing[:1].upper() if found[0][:1] == 'T' else thing[:1]}{thing[1:]}"
