"""What upkeep asks of the store: places to tend, and pairs that were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.policies.text.words import term_counts
from wellkept.store.core import Core
from wellkept.store.encoding import json_list, memory_from, micros, word
from wellkept.store.parts.writing import indexed_text
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.store.driver import Row
    from wellkept.types import Memory

PLACES_PAGE = 500
MEMORIES_PAGE = 200


class TendingPart(Core):
    """See `contract.Store`, section "Upkeep"."""

    def places(self, tenant: str) -> Iterator[tuple[Space, str]]:
        """Every scope that holds live memories, in a stable order."""
        last = ("", "")
        while True:
            where = {"tenant": tenant, "space": last[0], "owner": last[1], "limit": PLACES_PAGE}
            rows = self._db.rows("places_after", where)
            yield from ((word(Space, space), owner) for space, owner in rows)
            if len(rows) < PLACES_PAGE:
                return
            last = rows[-1][0], rows[-1][1]

    def checked(self, tenant: str, fingerprints: Sequence[str], *, since: datetime) -> frozenset[str]:
        """Those of the pairs that were judged after that moment."""
        where = {"tenant": tenant, "fingerprints": json_list(list(fingerprints)), "since": micros(since)}
        return frozenset(row[0] for row in self._db.rows("pair_checked", where))

    def note_checks(self, tenant: str, space: Space, owner: str, verdicts: Mapping[str, str], *, at: datetime) -> None:
        """Pairs that were judged now."""
        with self._within():
            scope = self._scope_or_new(tenant, space, owner)
            self._db.run_many(
                "pair_check_put",
                [
                    {"tenant": tenant, "fingerprint": pair, "scope": scope, "verdict": verdict, "at": micros(at)}
                    for pair, verdict in sorted(verdicts.items())
                ],
            )

    def checks_since(self, tenant: str, space: Space, owner: str, since: datetime) -> int:
        """How many pairs of a scope were judged after that moment."""
        scope = self._scope(tenant, space, owner)
        row = self._db.one("pair_checks_since", {"tenant": tenant, "scope": scope, "since": micros(since)})
        return 0 if row is None else int(row[0])

    def every(self, tenant: str) -> Iterator[Memory]:
        """Every live memory of a tenant, in a stable order."""
        return (memory_from(row[2:]) for row in self._every(tenant))

    def _every(self, tenant: str) -> Iterator[Row]:
        last = (0, 0)
        while True:
            where = {"tenant": tenant, "scope": last[0], "num": last[1], "limit": MEMORIES_PAGE}
            rows = self._db.rows("every_after", where)
            yield from rows
            if len(rows) < MEMORIES_PAGE:
                return
            last = rows[-1][0], rows[-1][1]

    def living_texts(self, tenant: str, space: Space, owner: str, *, now: datetime) -> Iterator[tuple[str, str, bool]]:
        """(id, text, whether it has entity refs and no slot) of a scope's live, unexpired memories, oldest first."""
        where = {"tenant": tenant, "scope": self._scope(tenant, space, owner), "now": micros(now), "num": 0}
        while where["scope"] is not None:
            rows = self._db.rows("living_texts", where | {"limit": MEMORIES_PAGE})
            yield from ((memory_id, text, bool(is_loose)) for _, memory_id, text, is_loose in rows)
            if len(rows) < MEMORIES_PAGE:
                return
            where["num"] = rows[-1][0]

    def badly_indexed(self, tenant: str) -> Iterator[str]:
        """Ids of live memories whose words in the index are not those of their text."""
        page: list[Row] = []
        for row in self._every(tenant):
            if page and (page[0][0] != row[0] or len(page) >= MEMORIES_PAGE):
                yield from self._wrong(tenant, page)
                page = []
            page.append(row)
        yield from self._wrong(tenant, page)

    def _wrong(self, tenant: str, page: Sequence[Row]) -> Iterator[str]:
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
                yield memory.id

    def unembedded_count(self, tenant: str, model: str) -> int:
        """How many live memories have no vector of this model."""
        return int(self._db.rows("unembedded_count", {"tenant": tenant, "model": model})[0][0])

    def never_embedded(self, tenant: str, memory_ids: Sequence[str]) -> frozenset[str]:
        """Those of these live memories that never had a vector of any model."""
        where = {"tenant": tenant, "ids": json_list(list(memory_ids))}
        return frozenset(row[0] for row in self._db.rows("never_embedded", where))

    def ever_stored(self, tenant: str, space: Space, owner: str) -> int:
        """How many memories a scope has taken in, those that are gone included."""
        row = self._db.one("ever_stored", {"tenant": tenant, "space": str(space), "owner": owner})
        return 0 if row is None else int(row[0])

    def folded_into(self, tenant: str, memory_id: str) -> tuple[str, ...]:
        """Ids of the memories that were folded into this one."""
        return tuple(row[0] for row in self._db.rows("folded_into", {"tenant": tenant, "id": memory_id}))
