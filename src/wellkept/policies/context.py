"""The context block: its fence, its named sections, what leaves first when they are too long, and the delta header."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import deferred
from wellkept.policies.words import CHARACTERS_PER_TOKEN, clipped, quoted, token_count
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Kind, Space, State

if TYPE_CHECKING:
    from wellkept.types import Edge, Memory


# --- The fence: how memory marks its own words, and how it knows them again.


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


def outside_blocks(text: str) -> str:
    """The text without the blocks in it: what somebody said besides what memory said.

    >>> outside_blocks("Here: <<<memory a1>>> - likes tea <<<end a1>>> Thanks!")
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


# --- The sections in their order, and what leaves first.


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


def without_repeats(sections: Sequence[Section]) -> tuple[Section, ...]:
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


def render_block(sections: Sequence[Section], nonce: str) -> str:
    """The block as an agent gets it."""
    body = "\n".join(_head(section) + "\n" + "\n".join(_shown(section)) for section in sections)
    return fenced(body, nonce)


def _head(section: Section) -> str:
    return section.title if section.name == "delta" else f"## {section.title}"


def _shown(section: Section) -> list[str]:
    return [line if section.name == "delta" else f"- {line}" for line in section.lines]


def fit_sections(sections: Sequence[Section], budget_tokens: int, nonce: str) -> tuple[Section, ...]:
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


def block_tokens(sections: Sequence[Section], nonce: str) -> int:
    """Tokens of the block."""
    return token_count(render_block(sections, nonce))


# --- The delta header: which changes of memory a thread is told of, and the lines that say so.


ChangeEvent = Literal["created", "updated", "merged", "deleted", "soft_deleted", "restored"]

BULLETS_MAX = 3
DELTA_TEXT_MAX = 160
SIGNS: Mapping[ChangeEvent, str] = {
    "created": "+created",
    "updated": "↑updated",
    "merged": "↔merged",
    "deleted": "-deleted",
    "soft_deleted": "~soft_deleted",
    "restored": "^restored",
}
_TITLES: Mapping[str, str] = {"profile": "Personal"}
_SILENT_REASONS = frozenset({"superseded", "dedupe", "fold", "merged"})
"""Reasons of archiving of which the memory that took the place has told."""
_ENDED = frozenset({"deleted", "soft_deleted"})
_PLACES = frozenset({Space.USER, Space.CHAT, Space.PROJECT})


@frozen
class ToldChange:
    """One change as a reader may be told of it. Without a text the memory is no longer what it was then."""

    rev: int
    event: ChangeEvent
    memory_id: str
    category: str
    importance: float
    text: str | None = None
    topic: str | None = None
    """What it is about, in a word or two."""
    notes: int = 2
    """How many statements it was made from."""


def event_of(memory: Memory, op: str, edges: Sequence[Edge] = ()) -> ChangeEvent | None:
    """What a write means to whoever works with the memory; None: nothing they need to hear of."""
    if memory.kind is Kind.SHORT_TERM or memory.space not in _PLACES or op == "link":
        return None
    match memory.state:
        case State.SUPERSEDED:
            # The memory in its place tells of it; without one it has ended.
            return None if memory.superseded_by is not None else "deleted"
        case State.SOFT_DELETED:
            return "soft_deleted"
        case State.ARCHIVED:
            if memory.archive_reason in _SILENT_REASONS:
                return None
            return "soft_deleted" if op == "ttl" else "deleted"
        case State.ACTIVE:
            return _event_of_living(op, edges)


def _event_of_living(op: str, edges: Sequence[Edge]) -> ChangeEvent:
    if op == "restore":
        return "restored"
    if op == "merge":
        return "merged"
    is_new = op in ("create", "promote") and not any(edge.kind is EdgeKind.SUPERSEDES for edge in edges)
    return "created" if is_new else "updated"


def delta_header(since: int, changes: Sequence[ToldChange]) -> tuple[str, ...]:
    """The title and the three most important changes in their order; the last says how many more there are."""
    changes = _latest(changes)
    if not changes:
        return ()
    by_weight = sorted(changes, key=lambda one: (-one.importance, -one.rev))
    chosen = sorted(by_weight[:BULLETS_MAX], key=lambda one: one.rev)
    lines = [f"- {SIGNS[one.event]}: {_change_line(one)}" for one in chosen]
    left = len(changes) - len(chosen)
    if left:
        lines[-1] += f" (+{left} more)"
    return (delta_title(since), *lines)


def _latest(changes: Sequence[ToldChange]) -> tuple[ToldChange, ...]:
    """Each memory once, by its last change; what another has replaced is told by the other."""
    by_id: dict[str, ToldChange] = {}
    for one in changes:
        before = by_id.pop(one.memory_id, None)
        is_still_new = before is not None and before.event == "created" and one.event == "updated"
        by_id[one.memory_id] = replace(one, event="created") if is_still_new else one
    return tuple(one for one in by_id.values() if one.text is not None or one.event in _ENDED)


def delta_title(since: int) -> str:
    """The first line."""
    return f"Memory updates since rev {since}:"


def _change_line(one: ToldChange) -> str:
    label = _TITLES.get(one.category, one.category.replace("_", " ").capitalize())
    if one.event == "deleted" or one.text is None:
        return f"[{label}] a memory of this kind is gone"
    text = clipped(quoted(one.text), DELTA_TEXT_MAX)
    if one.event == "merged":
        return f"Combined {one.notes} notes about {clipped(quoted(one.topic or one.text), DELTA_TEXT_MAX)}"
    weight = f" (imp={one.importance:g})" if one.event == "created" and one.importance != 1 else ""
    return f"[{label}] {text}{weight}"
