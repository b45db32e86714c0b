"""Ranking of messages: what the arms say of each in, scores that stand beside those of memories out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.types import Message


@dataclass(frozen=True, kw_only=True)
class MessageRankOptions:
    """Weights: those of `hybrid` for memories, so that a message and a memory that fit alike score alike."""

    similarity: float = 0.55
    words: float = 0.30


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message with what each arm says of it, 0..1, and what ranking makes of that."""

    message: Message
    similarity: float = 0.0
    words: float = 0.0
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    why: tuple[str, ...] = ()

    @property
    def arms(self) -> Mapping[str, float]:
        """The arms that found it, each with what it says."""
        said = {"vector": self.similarity, "words": self.words}
        return {arm: round(value, 6) for arm, value in said.items() if value > 0}


def rank_messages(said: Sequence[Said], *, options: MessageRankOptions) -> tuple[Said, ...]:
    """Best first; equal scores: the one that arrived later."""
    ranked = [_scored(item, options) for item in said]
    return tuple(sorted(ranked, key=lambda item: (-item.score, *(-number for number in item.message.place))))


def _scored(item: Said, options: MessageRankOptions) -> Said:
    parts = {"similarity": options.similarity * item.similarity, "words": options.words * item.words}
    score = round(sum(parts.values()), 6)
    rounded = {name: round(value, 6) for name, value in parts.items()}
    return replace(item, score=score, parts=rounded, why=(*item.why, "matches_query"))
