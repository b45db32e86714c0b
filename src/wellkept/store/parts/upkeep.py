"""What upkeep asks of the store: lives that end, places to tend, pairs that were judged, and faults to repair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, ClassVar

from wellkept.errors import StoreDamaged
from wellkept.policies.words import term_counts
from wellkept.store.contract import (
    Archived,
    Chain,
    ChatDay,
    ChecksSince,
    EverStored,
    Fault,
    FaultKind,
    FoldedInto,
    Idle,
    IdQuery,
    InSight,
    MemoriesOf,
    NeverEmbedded,
    PairChecks,
    Purgeable,
    Unembedded,
)
from wellkept.store.encoding import SUMMED, Row, columns, json_list, memory_from, micros, record_of, summed
from wellkept.store.parts.memories import indexed_text
from wellkept.store.parts.messages import MessagesPart
from wellkept.store.tables import tables
from wellkept.types import Memory
from wellkept.vocabulary import Space

PLACES_PAGE = 500
MEMORIES_PAGE = 200


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

_IDS: Mapping[type, str] = {
    Idle: "idle_ids",
    Purgeable: "purgeable_ids",
    Archived: "archived_ids",
    MemoriesOf: "memories_of_user",
    FoldedInto: "folded_into",
    NeverEmbedded: "never_embedded",
    InSight: "in_sight",
    ChatDay: "taught_by_chat_day",
}
"""What `memory_ids` is asked, and the statement that answers."""


class UpkeepPart(MessagesPart):
    """See `contract.Store`, sections "Lifetimes", "Upkeep" and "Soundness"."""

    def scopes(self, tenant: str, *, live: bool = False) -> Iterator[Chain]:
        last = ("", "")
        while True:
            where = {"tenant": tenant, "space": last[0], "owner": last[1], "live": int(live), "limit": PLACES_PAGE}
            rows = self._db.rows("scopes_after", where)
            yield from (record_of(Chain, row) for row in rows)
            if len(rows) < PLACES_PAGE:
                return
            last = rows[-1][0], rows[-1][1]

    def checked(self, tenant: str, fingerprints: Sequence[str], *, since: datetime) -> frozenset[str]:
        where = {"tenant": tenant, "fingerprints": json_list(list(fingerprints)), "since": micros(since)}
        return frozenset(row[0] for row in self._db.rows("pair_checked", where))

    def _keep_checks(self, checks: PairChecks) -> None:
        place = {"tenant": checks.tenant, "scope": self._scope_or_new(checks.tenant, checks.space, checks.owner)}
        rows = [{"fingerprint": pair, "verdict": said} for pair, said in sorted(checks.verdicts.items())]
        self._db.run_many("pair_check_put", [place | row | {"at": micros(checks.at)} for row in rows])

    def _checks_since(self, asked: ChecksSince) -> int:
        scope = self._scope(asked.tenant, asked.space, asked.owner)
        return self._db.number("pair_checks_since", columns(asked) | {"scope": scope})

    def _ever_stored(self, asked: EverStored) -> int:
        scope = self._scope(asked.tenant, asked.space, asked.owner)
        if scope is None:
            return 0
        stored = self._local.stored.get((asked.tenant, scope))
        return self._db.number("ever_stored", {"tenant": asked.tenant, "scope": scope}) if stored is None else stored

    def every(self, tenant: str, *, within: tuple[Space, str] | None = None) -> Iterator[Memory]:
        if within is None:
            return (memory_from(row[2:]) for row in self._every(tenant))
        scope = self._scope(tenant, *within)
        return iter(()) if scope is None else (memory_from(row[2:]) for row in self._every(tenant, scope))

    def _every(self, tenant: str, scope: int | None = None) -> Iterator[Row]:
        """Page by page; within a scope only of that."""
        last = (scope or 0, 0)
        while True:
            where = {"tenant": tenant, "scope": last[0], "num": last[1], "limit": MEMORIES_PAGE}
            rows = self._db.rows("every_after" if scope is None else "every_in_scope", where)
            yield from rows
            if len(rows) < MEMORIES_PAGE:
                return
            last = rows[-1][0], rows[-1][1]

    def _wrong_words(self, tenant: str) -> Iterator[Fault]:
        page: list[Row] = []
        for row in self._every(tenant):
            if page and (page[0][0] != row[0] or len(page) >= MEMORIES_PAGE):
                yield from self._wrong(tenant, page)
                page = []
            page.append(row)
        yield from self._wrong(tenant, page)

    def _wrong(self, tenant: str, page: Sequence[Row]) -> Iterator[Fault]:
        """Of neighbours in one scope."""
        if not page:
            return
        where = {"tenant": tenant, "scope": page[0][0], "first": page[0][1], "last": page[-1][1]}
        held: dict[int, dict[str, int]] = {row[1]: {} for row in page}
        for num, term, count in self._db.rows("words_of_places", where):
            held.setdefault(num, {})[term] = count
        for row in page:
            memory = memory_from(row[2:])
            if held[row[1]] != dict(term_counts(indexed_text(memory.content, memory.quote))):
                yield Fault(kind="wrong_words", code="wrong_words", id=memory.id)

    def memory_ids(self, wanted: IdQuery) -> tuple[str, ...]:
        match wanted:
            case InSight():
                parameters = self._parameters(wanted.view) | {"ids": json_list(sorted(set(wanted.memory_ids)))}
            case NeverEmbedded():
                parameters = {"tenant": wanted.tenant, "ids": json_list(list(wanted.memory_ids))}
            case ChatDay():
                midnight = datetime(wanted.day.year, wanted.day.month, wanted.day.day, tzinfo=UTC)
                bounds = {"since_at": micros(midnight), "until_at": micros(midnight + timedelta(days=1))}
                parameters = vars(wanted) | bounds
            case Idle():
                parameters = columns(wanted) | {"below": float(wanted.below)}
            case _:
                parameters = columns(wanted)
        return tuple(row[0] for row in self._db.rows(_IDS[type(wanted)], parameters))

    _HANDLES: ClassVar = {
        ("keep", PairChecks): _keep_checks,
        ("count", ChecksSince): _checks_since,
        ("count", Unembedded): "unembedded_count",
        ("count", EverStored): _ever_stored,
    }

    def faults(self, tenant: str, kind: FaultKind) -> Iterator[Fault]:
        key = {"tenant": tenant}
        match kind:
            case "orphans":
                counts = ((name, int(self._db.rows(name, key)[0][0])) for name in ORPHANS)
                return (Fault(kind=kind, code=name, count=count) for name, count in counts if count)
            case "lost_vectors":
                count = int(self._db.rows("lost_vectors", key)[0][0])
                return iter((Fault(kind=kind, code="no_vector", count=count),) if count else ())
            case "textless":
                return (Fault(kind=kind, code=kind, id=row[0]) for row in self._db.stream("textless", key))
            case "wrong_words":
                return self._wrong_words(tenant)
            case "rows":
                return self._damaged_rows(tenant)
            case "files":
                return iter(self._db.driver.damage())

    def repair(self, tenant: str, kind: FaultKind, *, which: str = "") -> int:
        if kind == "files":
            self._db.driver.reindex()
            return 1
        if kind == "wrong_words":
            return self._rebuild_index(tenant)
        if kind == "rows":
            return self._repair_rows(tenant)
        with self._within():
            match kind:
                case "orphans":
                    return self._db.run(ORPHANS[which], {"tenant": tenant})
                case "textless":
                    return self._db.run("text_fall_back", {"tenant": tenant, "id": which})
                case "lost_vectors":
                    return self._db.run("lost_vectors_own_up", {"tenant": tenant})

    def _damaged_rows(self, tenant: str) -> Iterator[Fault]:
        for table in SUMMED:
            try:
                for key, stored, sum_ in self._sums(tenant, table):
                    if stored is None:
                        yield Fault(kind="rows", code="unsummed", table=table, id=_named(key))
                    elif stored != sum_:
                        is_vector = table == "vectors"
                        yield Fault(kind="rows", code="damaged_row", table=table, id=_named(key), can_repair=is_vector)
            except StoreDamaged:  # not even its letters can be read
                yield Fault(kind="rows", code="damaged_row", table=table, can_repair=False)

    def _repair_rows(self, tenant: str) -> int:
        """Give rows of an earlier release their checksum, and remove damaged vectors."""
        done = 0
        for table in SUMMED:
            after: Mapping[str, Any] | None = None
            while batch := list(islice(self._sums(tenant, table, after), REPAIRED_AT_ONCE)):
                after = batch[-1][0]
                missing = [{**key, "checksum": sum_} for key, stored, sum_ in batch if stored is None]
                damaged = [key for key, stored, sum_ in batch if stored not in (None, sum_) and table == "vectors"]
                with self._within():
                    self._write_each(f"UPDATE {table} SET checksum = :checksum {_at(table)}", missing)  # noqa: S608 -- names of the schema
                    self._write_each(f"DELETE FROM {table} {_at(table)}", damaged)  # noqa: S608 -- names of the schema
                done += len(missing) + len(damaged)
        return done

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


def _at(table: str) -> str:
    """The condition that finds one row by its key."""
    return f"WHERE tenant = :tenant AND {' AND '.join(f'{name} = :{name}' for name in tables()[table].key)}"


def _named(key: Mapping[str, Any]) -> str:
    return "/".join(str(value) for name, value in key.items() if name != "tenant")
