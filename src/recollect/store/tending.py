"""What upkeep asks of the store: places to tend, and pairs that were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.store.core import Core
from recollect.store.encoding import json_list, micros
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

PLACES_PAGE = 500


class TendingPart(Core):
    """See `base_tending.Tending`."""

    def places(self, tenant: str) -> Iterator[tuple[Space, str]]:
        """Every scope that holds live memories, in a stable order."""
        last = ("", "")
        while True:
            where = {"tenant": tenant, "space": last[0], "owner": last[1], "limit": PLACES_PAGE}
            rows = self._db.rows("places_after", where)
            yield from ((Space(space), owner) for space, owner in rows)
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

    def forget_checks(self, tenant: str, space: Space, owner: str, before: datetime) -> None:
        """Drop the books of a scope up to that moment."""
        scope = self._scope(tenant, space, owner)
        self._db.run("pair_checks_forget", {"tenant": tenant, "scope": scope, "before": micros(before)})

    def folded_into(self, tenant: str, memory_id: str) -> tuple[str, ...]:
        """Ids of the memories that were folded into this one."""
        return tuple(row[0] for row in self._db.rows("folded_into", {"tenant": tenant, "id": memory_id}))
