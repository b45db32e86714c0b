"""The rows that views see, kept between calls; right across processes, for revisions are read each time."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellkept.store.search.sight import Part, Sight, living, part_from, renewed, sight_from
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.store.driver import Database, Row

SIGHTS_MAX = 1_024
ROWS_MAX = 300_000
"""Views whose rows are kept, and their rows together, some 130 bytes each; the one not asked for longest goes first."""


_PEOPLE = -1
"""In the place of a scope: the revisions of the people watched."""


@frozen
class Reads:
    """The statements by which a kind of rows is looked at."""

    scopes: str = "scopes"
    """The parameter that holds the numbers of the scopes in sight."""
    own: str = "sight_own"
    changed: str = "sight_changed"
    across: str | None = "sight_across"
    """What scopes out of sight say of the people present; None: nothing is looked for there."""


@frozen
class _Kept:
    """A sight and the state of the store it was taken at."""

    sight: Sight
    own: Mapping[int, Part]
    across: tuple[Part, ...]
    revs: Mapping[int, tuple[int, int]]
    """Scope → revision, and revision of its last removal."""
    attendance: int
    told: int
    """Revisions of where the people watched take part, and of what scopes out of sight say about them."""
    since: int
    lifts: int
    """When a word that hides something may die."""


class Sights:
    """The sights of a store. Thread-safe."""

    def __init__(self, database: Database, reads: Reads = Reads()) -> None:  # noqa: B008 -- a frozen value
        self._db = database
        self._reads = reads
        # What changes from call to call, or with the first row of a scope, is compared by itself.
        self._passing = frozenset({"now", reads.scopes})
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Any, ...], _Kept] = OrderedDict()
        self._rows = 0
        self._models: dict[str, int] = {"": 0}

    def model(self, name: str | None) -> int:
        """The number that parts use for a model; one that nobody has when it is unknown."""
        return self._models.get(name or "", -1)

    def sight(self, parameters: dict[str, Any], *, only: int | None = None) -> Sight:
        """What a view sees now; with `only`, the live rows of that one scope, whoever may see them."""
        key = (only, *(value for name, value in parameters.items() if name not in self._passing))
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
        fresh = self._look(parameters, only, kept)
        # What is not committed may never have been: it stays with its transaction.
        if fresh is not kept and not self._db.driver.is_dirty:
            self._keep(key, fresh)
        return fresh.sight

    def _keep(self, key: tuple[Any, ...], fresh: _Kept) -> None:
        with self._lock:
            self._rows += len(fresh.sight.places) - self._drop(key)
            self._kept[key] = fresh
            while len(self._kept) > 1 and (len(self._kept) > SIGHTS_MAX or self._rows > ROWS_MAX):
                self._rows -= self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[Any, ...]) -> int:
        """Keep it no longer; how many rows it had."""
        gone = self._kept.pop(key, None)
        return 0 if gone is None else len(gone.sight.places)

    def _look(self, parameters: dict[str, Any], only: int | None, kept: _Kept | None) -> _Kept:
        scopes = json.loads(parameters[self._reads.scopes]) if only is None else [only]
        where = {"tenant": parameters["tenant"], "scopes": json.dumps(scopes), "watched": parameters["watched"]}
        rows = self._db.rows("sight_revs" if only is None else "scope_revs", where)
        revs = {scope: (rev, purge_rev) for scope, rev, purge_rev in sorted(rows)}
        attendance, told = revs.pop(_PEOPLE, (0, 0))
        told = 0 if self._reads.across is None else told
        now = parameters["now"]
        timeless = parameters["as_of"] is not None or parameters["include_expired"] == 1
        if kept is not None and (kept.attendance != attendance or not (timeless or kept.since <= now < kept.lifts)):
            kept = None
        nothing_died = kept is not None and (timeless or now < kept.sight.until)
        # A scope that came into sight was out of it before: then what is told elsewhere is another set of rows.
        is_told_same = kept is not None and kept.told == told and kept.revs.keys() == revs.keys()
        if kept is not None and is_told_same and kept.revs == revs and nothing_died:
            return kept
        own = {scope: self._own_part(scope, parameters, only, kept, revs[scope]) for scope in revs}
        across = kept.across if kept is not None and is_told_same else self._across(parameters, only)
        if kept is not None and not nothing_died:
            own = {scope: living(part, now) for scope, part in own.items()}
            across = tuple(living(part, now) for part in across)
        parts = (*own.values(), *across)
        return _Kept(
            sight=sight_from(parts),
            own=own,
            across=across,
            revs=revs,
            attendance=attendance,
            told=told,
            since=now,
            lifts=min((part.lifts for part in parts), default=2**62),
        )

    def _own_part(
        self, scope: int, parameters: dict[str, Any], only: int | None, kept: _Kept | None, rev: tuple[int, int]
    ) -> Part:
        """The scope's part: the kept one, renewed from what changed, or taken whole."""
        where = parameters | {"scope": scope}
        before = kept.revs.get(scope) if kept is not None else None
        if kept is not None and before is not None and scope in kept.own:
            if before == rev:
                return kept.own[scope]
            if before[1] == rev[1] and before[0] < rev[0]:
                name = self._reads.changed if only is None else "live_changed"
                changed = self._db.rows(name, where | {"since": before[0]})
                part = renewed(kept.own[scope], changed, self._models, rev)
                return self._finished(part, where | {"since": before[0]})
        rows = self._db.rows(self._reads.own if only is None else "live_own", where)
        place = self._db.rows("scope_place", where)[0]
        part = replace(part_from(scope, (place[0], place[1]), rows, self._models), rev=rev)
        return self._finished(part, where | {"since": 0})

    def _finished(self, part: Part, _where: dict[str, Any]) -> Part:
        """The rows that changed after `since`, as far as they may be seen."""
        return part

    def _across(self, parameters: dict[str, Any], only: int | None) -> tuple[Part, ...]:
        if only is not None or self._reads.across is None or parameters["present"] == "[]":
            return ()
        by_scope: dict[tuple[int, str, str], list[Row]] = {}
        for scope, space, owner, *rest in self._db.rows(self._reads.across, parameters):
            by_scope.setdefault((scope, space, owner), []).append(tuple(rest))
        return tuple(
            part_from(scope, (space, owner), rows, self._models) for (scope, space, owner), rows in by_scope.items()
        )

    def forget(self) -> None:
        """Drop everything that is kept."""
        with self._lock:
            self._kept.clear()
            self._rows = 0
