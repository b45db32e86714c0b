"""Rows without their owner, memories without their text, and what the database says of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.store.core import Core

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wellkept.store.contract import Damage

ORPHANS = {
    "orphan_versions": "orphan_versions_remove",
    "orphan_vectors": "orphan_vectors_remove",
    "orphan_words": "orphan_words_remove",
    "orphan_subjects": "orphan_subjects_remove",
    "orphan_refs": "orphan_refs_remove",
    "orphan_edges": "orphan_edges_remove",
    "orphan_aliases": "orphan_aliases_remove",
    "orphan_relationships": "orphan_relationships_remove",
}
"""Statements that count, and those that remove what they count."""


class IntegrityPart(Core):
    """See `contract.Store`, section "Soundness"."""

    def orphans(self, tenant: str) -> Mapping[str, int]:
        """Rows that belong to no memory or person."""
        found = {name: int(self._db.rows(name, {"tenant": tenant})[0][0]) for name in ORPHANS}
        return {name: count for name, count in found.items() if count}

    def remove_orphans(self, tenant: str, kind: str) -> int:
        """Remove the orphans of a kind; how many there were."""
        with self._within():
            return self._db.run(ORPHANS[kind], {"tenant": tenant})

    def textless(self, tenant: str) -> Iterator[str]:
        """Ids of memories whose present text is not there."""
        return (row[0] for row in self._db.stream("textless", {"tenant": tenant}))

    def fall_back(self, tenant: str, memory_id: str) -> bool:
        """Make the newest wording that is left the present one; False when none is."""
        with self._within():
            return self._db.run("text_fall_back", {"tenant": tenant, "id": memory_id}) > 0

    def lost_vectors(self, tenant: str) -> int:
        """How many live memories are said to have vectors, and have none."""
        return int(self._db.rows("lost_vectors", {"tenant": tenant})[0][0])

    def own_up(self, tenant: str) -> None:
        """Say of them that they have none, so that upkeep gives them some."""
        with self._within():
            self._db.run("lost_vectors_own_up", {"tenant": tenant})

    def damage(self) -> tuple[Damage, ...]:
        """What the database itself finds wrong with its files."""
        return self._db.driver.damage()

    def reindex(self) -> None:
        """Make the indexes of the database anew from their tables."""
        self._db.driver.reindex()
