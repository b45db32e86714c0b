"""The context block: named sections in their order, what leaves first when they are too long, and the fence around."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from wellkept.patterns import deferred
from wellkept.policies.context.fence import fenced
from wellkept.policies.text.tokens import CHARACTERS_PER_TOKEN, clipped, tokens
from wellkept.values import frozen

ORDER = (
    "delta", "now", "state", "foundation", "cards", "relevant", "whole", "people", "commitments", "threads",
    "frictions", "wins", "seed", "spine", "rolling", "last_session", "consent", "messages",
)  # fmt: skip
"""The sections as they stand in the block."""
DROPS: tuple[tuple[str, bool], ...] = (
    ("relevant", True), ("last_session", False), ("threads", False), ("cards", False), ("wins", False),
    ("frictions", False), ("messages", True), ("spine", False), ("seed", False), ("rolling", False),
    ("people", True), ("commitments", False), ("relevant", False), ("whole", False), ("people", False),
    ("messages", False), ("state", False), ("consent", False), ("now", False),
)  # fmt: skip
"""What leaves first, a line at a time, and whether the lines a section keeps longest are spared."""
LASTING = ("foundation", "delta")
"""These shrink, foundation first, and never vanish."""
LINE_MIN = 24
_TODOS = ("commitments", "threads", "frictions", "wins")
_BEFORE = deferred(r"^(?:Open|mattered|open|commitments): ")
_AFTER = deferred(r" \((?:habit|due [\d-]+|overdue since [\d-]+|[\d-]{10})\)$")
_MORE = deferred(r" \(\+(\d+) more\)$")


@frozen
class Section:
    """A named part of the block."""

    name: str
    title: str
    lines: tuple[str, ...]
    keep: int = 0
    """Lines that are spared at the first pass: the first ones, of messages the last ones."""


def once(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections with what is told of todos and in summaries told once.

    A todo stands with the todos, a habit that was done also with the wins. What the last session was about stays
    there, the rest of it in the running summary. What was said last stays whole: who reads on needs the words in order.
    """
    by_name = {section.name: section for section in sections}
    told = {_bare(line) for name in _TODOS if name in by_name for line in by_name[name].lines}
    about = {_bare(line) for line in by_name["last_session"].lines[:1]} if "last_session" in by_name else set()
    running = {_bare(line) for line in by_name["rolling"].lines} if "rolling" in by_name else set()
    # A running summary that tells nothing else still tells what it is about.
    told |= _keep_new(by_name, "rolling", told | about if running - told - about else told) - about
    _keep_new(by_name, "last_session", told)
    return tuple(by_name[section.name] for section in sections)


def _keep_new(by_name: dict[str, Section], name: str, told: AbstractSet[str]) -> AbstractSet[str]:
    """Leave out of a section what was told before; what it tells itself."""
    if name not in by_name:
        return frozenset()
    lines: dict[str, str] = {}
    for line in by_name[name].lines:
        lines.setdefault(_bare(line), line)
    kept = tuple(line for bare, line in lines.items() if bare not in told)
    by_name[name] = replace(by_name[name], lines=kept)
    return lines.keys()


def _bare(line: str) -> str:
    """What a line tells, without its heading, its date and how it ends."""
    return _AFTER.sub("", _BEFORE.sub("", line)).strip(" .!").casefold()


def render(sections: Sequence[Section], nonce: str) -> str:
    """The block as an agent gets it."""
    body = "\n".join(_head(section) + "\n" + "\n".join(_shown(section)) for section in sections)
    return fenced(body, nonce)


def _head(section: Section) -> str:
    return section.title if section.name == "delta" else f"## {section.title}"


def _shown(section: Section) -> list[str]:
    return [line if section.name == "delta" else f"- {line}" for line in section.lines]


def fit(sections: Sequence[Section], budget_tokens: int, nonce: str) -> tuple[Section, ...]:
    """The sections that have something, in order, within the budget; the least needed lines go first."""
    kept = {section.name: section for section in sections if section.lines}
    room = budget_tokens * CHARACTERS_PER_TOKEN
    for name, is_sparing in DROPS:
        while name in kept and _size(kept, nonce) > room:
            section = kept[name]
            if len(section.lines) <= (section.keep if is_sparing else 0):
                break
            kept[name] = _shorter(section)
            if not kept[name].lines:
                del kept[name]
    for name in LASTING:
        while name in kept and len(kept[name].lines) > 1 and _size(kept, nonce) > room:
            kept[name] = _shortened(kept[name])
    for name in LASTING:
        over = _size(kept, nonce) - room
        if name in kept and over > 0:
            (line,) = kept[name].lines
            kept[name] = replace(kept[name], lines=(_narrower(line, over),))
    return tuple(kept[name] for name in ORDER if name in kept)


def _size(kept: dict[str, Section], nonce: str) -> int:
    # Each line has its newline, the last fence has none; a block without sections still has an empty line.
    fences = len(fenced("", nonce)) - 1
    marks = sum(len(_head(one)) + 1 + sum(len(line) + 1 for line in _shown(one)) for one in kept.values())
    return fences + (marks or 1)


def _shorter(section: Section) -> Section:
    """One line less: the oldest of the messages, the last of the others."""
    is_oldest_first = section.name == "messages"
    return replace(section, lines=section.lines[1:] if is_oldest_first else section.lines[:-1])


def _shortened(section: Section) -> Section:
    """One line less, and the last one says how many are missing."""
    *left, last = section.lines
    told = _MORE.search(last)
    missing = 1 + (int(told[1]) if told is not None else 0)
    left[-1] = f"{left[-1]} (+{missing} more)"
    return replace(section, lines=tuple(left))


def _narrower(line: str, over: int) -> str:
    """The line with its text cut, and what it says of others kept."""
    told = _MORE.search(line)
    tail = told[0] if told is not None else ""
    body = line.removesuffix(tail)
    return clipped(body, max(len(body) - over, LINE_MIN)) + tail


def size(sections: Sequence[Section], nonce: str) -> int:
    """Tokens of the block."""
    return tokens(render(sections, nonce))
