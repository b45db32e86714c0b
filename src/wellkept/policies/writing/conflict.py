"""Which of two contradicting statements stands: a total order, so that the order of arrival never matters."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal

from wellkept.values import frozen
from wellkept.vocabulary import Authority, Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wellkept.types import Memory

Rule = Literal["authority", "correction", "recency", "importance", "retracted"]
"""`retracted` ends a statement that nothing has won over; it settles no conflict."""

AUTHORITY_ORDER: tuple[Authority, ...] = (
    Authority.SYSTEM_IMPOSED,
    Authority.TOOL_VERIFIED,
    Authority.USER_ASSERTED,
    Authority.AI_INFERRED,
)
_AUTHORITY: Mapping[Authority, int] = {
    Authority.SYSTEM_IMPOSED: 3,
    Authority.TOOL_VERIFIED: 2,
    Authority.USER_ASSERTED: 2,
    Authority.AI_INFERRED: 1,
}
"""Outside governed sessions: what a tool found and what a person says are worth the same, so the later one wins."""

_Weight = tuple[tuple["Rule", object], ...]
"""What a statement is compared by, the first first, each with the rule that it stands for."""


@frozen
class Conflict:
    """Who won, who lost, and the rule that told them apart."""

    winner: Memory
    loser: Memory
    rule: Rule


def settle(one: Memory, other: Memory) -> Conflict:
    """The greater statement wins, and of two with the same authority the later one: a correction is the newest word.

    `rule` names the first component in which they differ. Of two by one speaker, whoever they are about, neither is
    hearsay to the other: "they put Kyle in charge" ends the speaker's own post.
    """
    is_by_one = one.stated_by == other.stated_by is not None
    return _settled(one, other, lambda memory: _weight(memory)[is_by_one:])


def settle_governed(one: Memory, other: Memory, *, order: Sequence[Authority] = AUTHORITY_ORDER) -> Conflict:
    """As the policy of a governed session has it: by its order of authorities, with a correction above all of them."""
    settled = _settled(one, other, lambda memory: _governed_weight(memory, order))
    # A correction wins by the rank it lends; what it is called by is the correction.
    is_lent = settled.rule == "authority" and _is_above_all(settled.winner, order)
    is_lent = is_lent and _is_first_hand(one) == _is_first_hand(other)
    return Conflict(winner=settled.winner, loser=settled.loser, rule="correction") if is_lent else settled


def _settled(one: Memory, other: Memory, weight: Callable[[Memory], _Weight]) -> Conflict:
    mine, theirs = weight(one), weight(other)
    winner, loser = (one, other) if mine >= theirs else (other, one)
    rule: Rule = next((name for (name, a), (_, b) in zip(mine, theirs, strict=True) if a != b), "importance")
    return Conflict(winner=winner, loser=loser, rule=rule)


def _weight(memory: Memory) -> _Weight:
    return (
        ("authority", int(_is_first_hand(memory))),
        ("authority", _AUTHORITY[memory.authority]),
        *_by_time(memory),
        ("importance", memory.importance),
        ("importance", _hash(memory)),
        # The same words at the same time: which row of them stands must not hang on which came first.
        ("importance", (memory.authority, memory.is_correction)),
    )


def _governed_weight(memory: Memory, order: Sequence[Authority]) -> _Weight:
    rank = len(order) - order.index(memory.authority)
    return (
        ("authority", int(_is_first_hand(memory))),
        ("authority", len(order) + 1 if _is_above_all(memory, order) else rank),
        ("correction", int(memory.is_correction)),
        *_by_time(memory),
        ("importance", memory.importance),
        ("importance", rank),
        ("importance", _hash(memory)),
    )


def _by_time(memory: Memory) -> _Weight:
    return ("recency", memory.observed_at), ("recency", memory.tick or 0)


def _hash(memory: Memory) -> str:
    return hashlib.sha256(f"{memory.content}\x1f{memory.stated_by}".encode()).hexdigest()


def _is_above_all(memory: Memory, order: Sequence[Authority]) -> bool:
    """A person's correction outweighs every authority, else nobody could put a wrong record right."""
    return memory.is_correction and order.index(memory.authority) <= order.index(Authority.USER_ASSERTED)


def _is_first_hand(memory: Memory) -> bool:
    """Said by the person concerned, or by a tool or system: not by a third party, not guessed by a model."""
    if memory.source in ("tool", "system"):
        return True
    return memory.authority is not Authority.AI_INFERRED and memory.trust is not Trust.HEARSAY
