"""Borders between spaces: who may read, write and promote where, and which words ask for a promotion."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from recollect.gated import gated
from recollect.types import Decision
from recollect.values import frozen
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from recollect.policies.policy import Policy
    from recollect.types import Memory

ALLOWED = Decision(verdict="pass", reason="allowed")

_KEEP = (
    r"(?:remember|memori[sz]e|save|store|keep|note|record|log|file|add|put|don['’]?t forget|do not forget"
    r"|never forget|make a note|take a note)"
)
_THING = (
    r"(?:\s+(?:this|that|it|these|those|the following|all (?:this|that|of this)|down|away|please|too|also|in mind))*"
)
_TARGETS: tuple[tuple[Space, str], ...] = (
    (Space.USER, r"(?:me|myself)\b(?!\s+to\b)"),
    (Space.PROJECT, r"(?:the|my|our|this)\s+(?:[\w-]+\s+)?project\b"),
    (Space.SYSTEM, r"(?:everyone|everybody|anyone|all (?:users|of us)|the (?:whole |entire )?system)\b"),
)
_ASKS = tuple((space, gated(rf"(?i)\b{_KEEP}{_THING}\s+(?:for|about)\s+{target}")) for space, target in _TARGETS)
_NAMED = gated(
    r"(?i)(?:\b(?:to|in|into|for|as|update|use|extend)\s+(?:(?:the|our|my|this)\s+)?|^\W*)"
    r"(?P<space>project|system|user|personal)\s+memory\b(?!\s+(?:is|was|has|had|are|were)\b)"
)
_BY_NAME = {
    "project": Space.PROJECT,
    "system": Space.SYSTEM,
    "user": Space.USER,
    "personal": Space.USER,
}
_LEADING = gated(
    r"(?is)^\s*(?:please\s+)?(?:(?:add|save|put|write|store|note|keep|remember|update)(?:\s+(?:this|that|it))?\s+)?"
    r"(?:(?:to|in|into|for|as)\s+)?(?:(?:the|our|my|this)\s+)?(?:project|system|user|personal)\s+memory\s*"
    r"(?:with\s*)?[:,;–—-]\s*(?:that\s+)?"
)


_REQUEST = gated(
    r"(?i)^\W*(?:(?:please|ok(?:ay)?|hey|and|also|so)[\s,]+)*(?:remember|memori[sz]e|note|save|store|keep in mind"
    r"|don['’]?t forget|do not forget)\b(?![^.!]*\?)"
)
# "Remember this for everyone in the company: …": what follows the colon is what to keep.
_ADDRESSED = gated(
    rf"(?is)^\s*(?:please[\s,]+)?{_KEEP}{_THING}\s+(?:for|about)\s+"
    rf"(?:{'|'.join(target for _, target in _TARGETS)})[^:\n]{{1,40}}:\s*(?=\S)"
)


def may_read(space: Space, policy: Policy) -> Decision:
    """Whether recall may look into this space."""
    return ALLOWED if space in policy.spaces.read_order else Decision(verdict="refuse", reason="space_disabled")


def may_write(space: Space, policy: Policy) -> Decision:
    """Whether a turn may be written to this space."""
    is_open = space in policy.spaces.write_spaces
    return ALLOWED if is_open else Decision(verdict="refuse", reason="write_space_disallowed")


def may_cross(from_space: Space, to_space: Space, policy: Policy) -> Decision:
    """Whether any promotion leads from one space to the other."""
    if to_space not in policy.spaces.read_order:
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
    if not rules or may_cross(memory.space, to_space, policy).verdict != "pass":
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
    found = {space for space, pattern in _ASKS if pattern.search(text)}
    found |= {_BY_NAME[match["space"].lower()] for match in _NAMED.finditer(text)}
    widest = next((space for space in (Space.SYSTEM, Space.PROJECT, Space.USER) if space in found), None)
    return None if widest is None else Ask(space=widest)


def without_ask(text: str) -> str:
    """The text without an opening such as "Add to project memory:" that no judge reads as a request."""
    rest = _ADDRESSED.sub("", _LEADING.sub("", text, count=1), count=1)
    return rest if rest.strip() else text


def is_request(text: str) -> bool:
    """Whether the text asks for something to be kept, wherever.

    >>> is_request("Please remember that the gate is green"), is_request("Remember when we met?")
    (True, False)
    """
    return asked(text) is not None or _REQUEST.match(text) is not None
