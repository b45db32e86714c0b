"""A value told after the word that it has changed: "my number changed, it's 555 0199 now" says what my number is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.messages.rewording import Edit
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHANGED = deferred(
    r"(?i)\b(?:my|our|his|her|the|[a-z]+['’]s)(?: [a-z][\w-]*){1,3}"
    r"(?P<said>(?:['’]s| has| have)?(?: just| recently)? changed\s*[,;:.–—-]+\s*"
    r"(?:and |so )?(?:now )?it(?:['’]s| is)(?: now)?)(?= \S)"
)
_NOW = deferred(r"(?i)[^.!?;\n]*\bnow\b")
_NEW = deferred(
    r"(?i)\bi(?:['’]ve got|['’]ve| have| got| have got) a new (?P<what>(?:phone |mobile |cell |home |work |email "
    r"|e-mail |postal )?(?:number|address|email|e-mail|mobile|extension))\s*[,:;–—-]+\s*"
    r"(?:it(?:['’]s| is) |which is )?(?=\S)"
)


def is_restated(text: str) -> bool:
    """Whether a text tells a value so."""
    return next(edits(text), None) is not None


def edits(text: str) -> Iterator[Edit]:
    """The plain "is" for it.

    >>> [edit.new for edit in edits("My number changed, it's 555 0199 now")]
    [' is']
    >>> [edit.new for edit in edits("I have a new email: bo@example.org")]
    ['my email is now ']
    """
    for found in _CHANGED.finditer(text):
        is_said = _NOW.match(text, found.end("said")) is not None
        yield Edit(start=found.start("said"), end=found.end("said"), new=" is" if is_said else " is now")
    for found in _NEW.finditer(text):
        yield Edit(start=found.start(), end=found.end(), new=f"my {found['what']} is now ")
