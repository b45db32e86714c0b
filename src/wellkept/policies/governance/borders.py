"""Borders between spaces: who may read, write and promote where, and which words ask for a promotion."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.patterns import Patterns
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.policies.governance.policy import Policy
    from wellkept.types import Memory

_RE = Patterns("governance/borders.txt")

ALLOWED = Decision(verdict="pass", reason="allowed")

_BY_NAME = {
    "project": Space.PROJECT,
    "system": Space.SYSTEM,
    "user": Space.USER,
    "personal": Space.USER,
}


def may_read(space: Space, policy: Policy) -> Decision:
    """Whether recall may look into this space."""
    return ALLOWED if space in policy.spaces.read_order else Decision(verdict="refuse", reason="space_disabled")


def may_write(space: Space, policy: Policy) -> Decision:
    """Whether a turn may be written to this space."""
    is_open = space in policy.spaces.write_spaces
    return ALLOWED if is_open else Decision(verdict="refuse", reason="write_space_disallowed")


def may_cross(from_space: Space, to_space: Space, policy: Policy) -> Decision:
    """Whether any promotion leads from one space to the other."""
    # A governed session is in no chat, whatever its policy says of one.
    if to_space not in policy.spaces.read_order or to_space is Space.CHAT:
        return Decision(verdict="refuse", reason="space_disabled")
    ways = ((rule.from_space, rule.to_space) for rule in policy.spaces.promotions)
    return ALLOWED if (from_space, to_space) in ways else Decision(verdict="refuse", reason="write_space_disallowed")


def may_start_phase(policy: Policy) -> Decision:
    """Whether this session has phases at all."""
    return ALLOWED if policy.phase.enabled else Decision(verdict="refuse", reason="phase_disabled")


def may_diff(space: Space, policy: Policy) -> Decision:
    """Whether two phases of this space may be compared."""
    if not policy.phase.enabled:
        return Decision(verdict="refuse", reason="phase_disabled")
    if not policy.phase.diff_enabled:
        return Decision(verdict="refuse", reason="phase_diff_disabled")
    return may_read(space, policy)


def may_promote(memory: Memory, to_space: Space, policy: Policy) -> Decision:
    """Whether this item may go there: is there a way, for its event type, with its authority?"""
    rules = [rule for rule in policy.spaces.promotions if (rule.from_space, rule.to_space) == (memory.space, to_space)]
    # What was said in confidence goes nowhere that others read.
    is_confided = memory.confidential and to_space is not Space.USER
    if not rules or is_confided or may_cross(memory.space, to_space, policy).verdict != "pass":
        return Decision(verdict="refuse", reason="promotion_disallowed")
    rules = [rule for rule in rules if memory.event_type in rule.event_types]
    if not rules:
        return Decision(verdict="refuse", reason="promotion_event_type")
    rank = policy.authority_order.index
    if not any(rank(memory.authority) <= rank(rule.authority) for rule in rules):
        return Decision(verdict="refuse", reason="promotion_authority")
    return ALLOWED


@frozen
class Ask:
    """A wish to keep something beyond the session: where, and how it was asked for."""

    space: Space
    reason: str = "promotion_request"


@lru_cache(maxsize=64)
def asked(text: str) -> Ask | None:
    """The space that the words ask for; the widest when they ask for several.

    >>> asked("Remember this for our project: let's use uv")
    Ask(space=<Space.PROJECT: 'project'>, reason='promotion_request')
    >>> asked("My laptop has 16 GB of system memory") is None
    True
    """
    asks = ((Space.USER, _RE.for_user), (Space.PROJECT, _RE.for_project), (Space.SYSTEM, _RE.for_system))
    found = {space for space, pattern in asks for match in pattern.finditer(text) if _is_meant(text, match.start())}
    found |= {_BY_NAME[match["space"].split()[0].lower()] for match in _RE.named.finditer(text)}
    widest = next((space for space in (Space.SYSTEM, Space.PROJECT, Space.USER) if space in found), None)
    return None if widest is None else Ask(space=widest)


def _is_meant(text: str, start: int) -> bool:
    """Whether the verb that begins there asks for something."""
    return _RE.no_ask.search(text, max(start - 40, 0), start) is None


def without_ask(text: str) -> str:
    """The text without the words that only ask, before or after what is to be kept; nothing when there is no more.

    >>> without_ask("Save this for me. I speak Dutch"), without_ask("I speak Dutch. Please remember that about me!")
    ('I speak Dutch', 'I speak Dutch.')
    """
    if asked(text) is None:
        return text
    if _RE.alone.match(text):
        return ""
    rest = _RE.trailing.sub(lambda match: match["end"] or "", _RE.leading.sub("", text, count=1), count=1)
    return "" if _RE.alone.match(rest) else rest


def is_request(text: str) -> bool:
    """Whether the text asks for something to be kept, wherever.

    >>> is_request("Please remember that the gate is green"), is_request("Remember when we met?")
    (True, False)
    """
    return asked(text) is not None or _RE.request.match(text) is not None
