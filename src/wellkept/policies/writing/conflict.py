"""Which of two contradicting statements stands: a total order, so that the order of arrival never matters."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal

from wellkept.values import frozen
from wellkept.vocabulary import Authority, Trust

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.types import Memory

Rule = Literal["authority", "correction", "recency", "importance"]

AUTHORITY_ORDER: tuple[Authority, ...] = (
    Authority.SYSTEM_IMPOSED,
    Authority.TOOL_VERIFIED,
    Authority.USER_ASSERTED,
    Authority.AI_INFERRED,
)

_RULES: tuple[Rule, ...] = (
    "authority",
    "authority",
    "correction",
    "recency",
    "recency",
    "importance",
    "importance",
    "importance",
)
_RANK = 1
"""Where the rank stands among the components."""


@frozen
class Conflict:
    """Who won, who lost, and the rule that told them apart."""

    winner: Memory
    loser: Memory
    rule: Rule


def settle(one: Memory, other: Memory, *, order: Sequence[Authority] = AUTHORITY_ORDER) -> Conflict:
    """The greater statement wins; `rule` names the first component in which they differ."""
    mine, theirs = _weight(one, order), _weight(other, order)
    winner, loser = (one, other) if mine >= theirs else (other, one)
    place = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b), len(_RULES) - 1)
    # A correction wins by the rank it lends; what it is called by is the correction.
    is_lent = place == _RANK and winner.is_correction and max(mine[1], theirs[1]) > len(order)
    return Conflict(winner=winner, loser=loser, rule="correction" if is_lent else _RULES[place])


def _weight(memory: Memory, order: Sequence[Authority]) -> tuple[int, int, int, datetime, int, float, int, str]:
    rank = plain = len(order) - order.index(memory.authority)
    asserted = len(order) - order.index(Authority.USER_ASSERTED)
    # A person's correction outweighs every authority, else nobody could put a wrong record right.
    if memory.is_correction and rank >= asserted:
        rank = len(order) + 1
    return (
        int(_is_first_hand(memory)),
        rank,
        int(memory.is_correction),
        memory.observed_at,
        memory.tick or 0,
        memory.importance,
        plain,
        hashlib.sha256(f"{memory.content}\x1f{memory.stated_by}".encode()).hexdigest(),
    )


def _is_first_hand(memory: Memory) -> bool:
    """Said by the person concerned, or by a tool or system: not by a third party, not guessed by a model."""
    if memory.source in ("tool", "system"):
        return True
    return memory.authority is not Authority.AI_INFERRED and memory.trust is not Trust.HEARSAY
