"""Vectors compared by pgvector: an exact scan of the rows that are seen, inside their scopes, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wellkept.store.driver import Scan
from wellkept.store.encoding import SCOPE_STEP
from wellkept.store.postgres.session import NumberList

ROUNDED = 0.0011
"""Two cosines of a query that was rounded to halves differ by less than this from the exact ones' difference."""
# A scope in sight is read along its key, and a bit says of each row whether it may be compared; of other scopes only
# the rows named are touched. A vector of no length has no direction: it is as far away as one at a right angle. A text
# is as near as its nearest piece; so many first pieces as are wanted tell how near that must be at least.
_DISTANCE = "COALESCE(NULLIF(v.vector <=> :query, 'NaN'), 1)"
SCAN = f"""
WITH seen AS MATERIALIZED (
  SELECT v.scope, v.num, v.piece, {_DISTANCE} AS distance
  FROM unnest(CAST(:scopes AS BIGINT[]), CAST(:bits AS BYTEA[])) AS p (scope, bits) CROSS JOIN vectors AS v
  WHERE v.tenant = :tenant AND v.scope = p.scope AND v.model = :model
    AND CASE WHEN v.num < 8 * length(p.bits) THEN get_bit(p.bits, v.num) = 1 ELSE FALSE END
  UNION ALL
  SELECT v.scope, v.num, v.piece, {_DISTANCE}
  FROM unnest(CAST(:place_scopes AS BIGINT[]), CAST(:place_nums AS BIGINT[])) AS p (scope, num)
    CROSS JOIN vectors AS v
  WHERE v.tenant = :tenant AND v.scope = p.scope AND v.num = p.num AND v.model = :model
), near AS (
  SELECT s.scope, s.num FROM seen AS s
  WHERE s.distance <= {ROUNDED} + COALESCE(
    (SELECT e.distance FROM seen AS e WHERE e.piece = 0 ORDER BY e.distance OFFSET :limit - 1 LIMIT 1), 2)
  UNION
  SELECT * FROM unnest(CAST(:also_scopes AS BIGINT[]), CAST(:also_nums AS BIGINT[]))
)
SELECT v.scope * {SCOPE_STEP} + v.num, v.vector FROM near AS n CROSS JOIN vectors AS v
WHERE v.tenant = :tenant AND v.scope = n.scope AND v.num = n.num AND v.model = :model
"""  # noqa: S608 -- two numbers of ours


def parameters(scan: Scan) -> Mapping[str, Any]:
    """What `SCAN` is given."""
    return {
        "tenant": scan.tenant,
        "model": scan.model,
        "query": scan.query,
        "limit": scan.limit,
        "scopes": _numbers(scan.seen),
        "bits": list(scan.seen.values()),
        **_split("place", scan.places),
        **_split("also", scan.also),
    }


def _split(name: str, places: Iterable[int]) -> Mapping[str, NumberList]:
    pairs = [divmod(place, SCOPE_STEP) for place in places]
    return {f"{name}_scopes": _numbers(scope for scope, _ in pairs), f"{name}_nums": _numbers(num for _, num in pairs)}


def _numbers(values: Iterable[int]) -> NumberList:
    return NumberList(f"{{{','.join(map(str, values))}}}")
