"""What the store does for upkeep: places to tend, and pairs that were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.types import Memory
    from wellkept.vocabulary import Space


class Tending(Protocol):
    """Consolidation's own books."""

    def places(self, tenant: str) -> Iterator[tuple[Space, str]]:
        """Every scope that holds live memories, in a stable order, in bounded memory."""

    def checked(self, tenant: str, fingerprints: Sequence[str], *, since: datetime) -> frozenset[str]:
        """Those of the pairs that were judged after that moment."""

    def note_checks(self, tenant: str, space: Space, owner: str, verdicts: Mapping[str, str], *, at: datetime) -> None:
        """Pairs that were judged now: fingerprint → verdict."""

    def checks_since(self, tenant: str, space: Space, owner: str, since: datetime) -> int:
        """How many pairs of a scope were judged after that moment."""

    def forget_checks(self, tenant: str, space: Space, owner: str, before: datetime) -> None:
        """Drop the books of a scope up to that moment."""

    def every(self, tenant: str) -> Iterator[Memory]:
        """Every live memory of a tenant but turns, in a stable order, in bounded memory, whoever may see it."""

    def living_texts(self, tenant: str, space: Space, owner: str, *, now: datetime) -> Iterator[tuple[str, str, bool]]:
        """(id, text, whether it has entity refs and no slot) of a scope's live, unexpired memories, oldest first."""

    def badly_indexed(self, tenant: str) -> Iterator[str]:
        """Ids of live memories whose words in the index are not those of their text."""

    def unembedded_count(self, tenant: str, model: str) -> int:
        """How many live memories have no vector of this model."""

    def never_embedded(self, tenant: str, memory_ids: Sequence[str]) -> frozenset[str]:
        """Those of these live memories that never had a vector of any model."""

    def ever_stored(self, tenant: str, space: Space, owner: str) -> int:
        """How many memories a scope has taken in, those that are gone included."""

    def folded_into(self, tenant: str, memory_id: str) -> tuple[str, ...]:
        """Ids of the memories that were folded into this one."""
