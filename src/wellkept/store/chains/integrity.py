"""Rows without their owner or with a wrong checksum, lost texts, and what the database says of its files."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from wellkept.errors import StoreDamaged
from wellkept.store.contract import BadRow
from wellkept.store.core import Core
from wellkept.store.encoding import SUMMED, summed
from wellkept.store.tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellkept.store.contract import Damage

REPAIRED_AT_ONCE = 1_000

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

    def damaged_rows(self, tenant: str) -> Iterator[BadRow]:
        """Rows whose checksum is missing or not that of what they hold."""
        for table in SUMMED:
            try:
                for key, stored, sum_ in self._sums(tenant, table):
                    if stored != sum_:
                        yield BadRow(table=table, id=_named(key), code="unsummed" if stored is None else "damaged_row")
            except StoreDamaged:  # not even its letters can be read
                yield BadRow(table=table, id="", code="damaged_row")

    def repair_rows(self, tenant: str) -> None:
        """Give rows of an earlier release their checksum, and remove damaged vectors, which upkeep makes anew."""
        for table in SUMMED:
            after: Mapping[str, Any] | None = None
            while batch := list(islice(self._sums(tenant, table, after), REPAIRED_AT_ONCE)):
                after = batch[-1][0]
                missing = [{**key, "checksum": sum_} for key, stored, sum_ in batch if stored is None]
                damaged = [key for key, stored, sum_ in batch if stored not in (None, sum_) and table == "vectors"]
                with self._within():
                    self._write_each(f"UPDATE {table} SET checksum = :checksum {_at(table)}", missing)  # noqa: S608 -- names of the schema
                    self._write_each(f"DELETE FROM {table} {_at(table)}", damaged)  # noqa: S608 -- names of the schema

    def _write_each(self, sql: str, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            self._db.driver.run_many(sql, rows)

    def _sums(
        self, tenant: str, table: str, after: Mapping[str, Any] | None = None
    ) -> Iterator[tuple[dict[str, Any], int | None, int]]:
        """The key of each row after a key, the checksum that it was stored with, and the one of what it holds."""
        key = tables()[table].key
        columns, order = ", ".join((*key, "checksum", *SUMMED[table])), ", ".join(key)
        bound = "" if after is None else f" AND ({order}) > ({', '.join(f':{name}' for name in key)})"
        sql = f"SELECT {columns} FROM {table} WHERE tenant = :tenant{bound} ORDER BY {order}"  # noqa: S608 -- names of the schema
        for row in self._db.driver.stream(sql, {"tenant": tenant} if after is None else after):
            values = row[len(key) + 1 :]
            named = {"tenant": tenant} | dict(zip(key, row, strict=False))
            yield named, row[len(key)], summed(values)

    def damage(self) -> tuple[Damage, ...]:
        """What the database itself finds wrong with its files."""
        return self._db.driver.damage()

    def reindex(self) -> None:
        """Make the indexes of the database anew from their tables."""
        self._db.driver.reindex()


def _at(table: str) -> str:
    """The condition that finds one row by its key."""
    return f"WHERE tenant = :tenant AND {' AND '.join(f'{name} = :{name}' for name in tables()[table].key)}"


def _named(key: Mapping[str, Any]) -> str:
    return "/".join(str(value) for name, value in key.items() if name != "tenant")
