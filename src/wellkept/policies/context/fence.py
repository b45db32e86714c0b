"""The fence around a context block: how memory marks its own words, and how it knows them again."""

from __future__ import annotations

import re
from collections import deque

from wellkept.patterns import deferred

_MARKER = deferred(r"<<<(memory|end) (\w+)>>>")
_OPEN_END = deferred(r"<<<memory \w+>>>.*\Z", re.DOTALL)
_OPEN_START = deferred(r"\A.*<<<end \w+>>>", re.DOTALL)
# As lines of a block are rendered: attributes in brackets, then the text.
_LINE = deferred(
    r"(?mi)^[ \t>]*(?:[-*•][ \t]*)?\[(?:(?:fact|hearsay|unknown)\b|about [^\]\n]{1,80}\]|\w+:[\w-]+\]:"
    r"|[^\]\n]{1,60}, \d{4}-\d\d-\d\d(?: \d\d:\d\d)?\])[^\n]*$"
)
TITLES = (
    "Now", "Session", "Foundation", "Entities", "Relevant memories", "Profile", "Known people", "Commitments",
    "Open threads", "Frictions", "Recent wins", "Established", "Long-term summary", "So far", "Last session",
    "Ask the user", "Last messages",
)  # fmt: skip
"""Of the sections of a block; a test holds them against what a block shows."""
# A section that lost its fence: its heading, and the bullets under it.
_SECTION = deferred(
    rf"(?m)^[ \t>]*(?:##[ \t]+(?:{'|'.join(TITLES)})|Memory updates since rev \d+:)[ \t]*$(?:\n[ \t>]*-[ \t][^\n]*)*"
)


def fenced(body: str, nonce: str) -> str:
    """The body between the markers of one call."""
    return f"<<<memory {nonce}>>>\n{body}\n<<<end {nonce}>>>"


def outside(text: str) -> str:
    """The text without the blocks in it: what somebody said besides what memory said.

    >>> outside("Here: <<<memory a1>>> - likes tea <<<end a1>>> Thanks!")
    'Here:  Thanks!'
    """
    return _without_blocks(text, "")


def _without_blocks(text: str, blank: str) -> str:
    """The text with `blank` for each character of a block, up to the first end of the same call."""
    markers = list(_MARKER.finditer(text))
    ends: dict[str, deque[int]] = {}
    for marker in markers:
        if marker[1] == "end":
            ends.setdefault(marker[2], deque()).append(marker.end())
    pieces, last = [], 0
    for marker in markers:
        of_call = ends.get(marker[2], deque())
        while of_call and of_call[0] <= max(marker.end(), last):
            of_call.popleft()
        if marker[1] == "memory" and marker.start() >= last and of_call:
            pieces += [text[last : marker.start()], blank * (of_call[0] - marker.start())]
            last = of_call[0]
    return "".join([*pieces, text[last:]])


def own_words(text: str) -> str:
    """What may be learned from: blocks, those that lost a marker, and lines as a block has them are blanked.

    >>> own_words("[fact, about you, 2026-03-01] likes tea").strip()
    ''
    """
    text = _without_blocks(text, " ")
    for echo in (_OPEN_END, _OPEN_START, _SECTION, _LINE):
        text = echo.sub(lambda found: " " * len(found[0]), text)
    return text
