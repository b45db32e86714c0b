"""Reading for a viewpoint: the visibility rule's parameters, the reads that need no scores, and those that do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from wellkept.policies.visibility import View
from wellkept.store.contract import Candidate, CountedBy, Filter, Listing, Search
from wellkept.store.core import Core
from wellkept.store.driver import Driver
from wellkept.store.encoding import EPOCH, columns, json_list, memory_from, micros
from wellkept.types import Memory
from wellkept.vocabulary import Kind, Space, State

if TYPE_CHECKING:
    from wellkept.store.search.arms import Arms
    from wellkept.store.search.sights import Sight
    from wellkept.store.search.vectors import Matrices

FOUND_MAX = 5
_PREFIX = re.compile(r"m_[a-z2-7]{0,16}|m?")
_NO_FILTER = Filter()
_NO_PAGE: dict[str, Any] = {"b_at": None, "b_space": None, "b_owner": None, "b_num": None}


class ViewsPart(Core):
    """See `contract.Store`, section "Viewpoints", and what scores of section "Memories"."""

    def _parameters(self, view: View, wanted: Filter = _NO_FILTER) -> dict[str, Any]:
        """Everything that `visible` and `filtered` ask for."""
        numbers = (self._scope(view.tenant, space, owner) for space, owner in view.spaces)
        scopes = sorted({number for number in numbers if number is not None})
        given = columns(view)
        del given["spaces"]
        return given | {
            "is_live_min": int(view.as_of is None and not view.include_expired),
            "scopes": json_list(scopes),
            "watched": json_list({*view.present, *view.partners, *filter(None, [view.person])}),
            **_narrowing(wanted),
        }

    def seen(self, view: View, wanted: Listing) -> tuple[Memory, ...]:
        if wanted.prefix is not None:
            return self._found(view, wanted.prefix)
        if wanted.refs is not None:
            best = vars(wanted) | {"refs": json_list(wanted.refs)}
            return tuple(memory_from(row) for row in self._db.rows("with_refs", self._parameters(view) | best))
        page: dict[str, Any] | None = _NO_PAGE
        if wanted.before is not None:
            is_id = _PREFIX.fullmatch(wanted.before) is not None
            row = self._db.one("page_end", self._parameters(view) | {"id": wanted.before}) if is_id else None
            page = None if row is None else dict(zip(_NO_PAGE, row, strict=True))
        return () if page is None else self._listed(view, wanted, page)

    def _listed(self, view: View, wanted: Listing, page: dict[str, Any]) -> tuple[Memory, ...]:
        turn = -1 if wanted.oldest_first else 1
        parameters = self._parameters(view, wanted.filter) | page | {"limit": wanted.limit, "turn": turn}
        if wanted.state is State.ACTIVE:
            with self.snapshot():
                rows = self._db.rows(_seen_own(parameters), parameters) + self._db.rows("seen_elsewhere", parameters)
        else:
            rows = self._db.rows("seen_gone", parameters | {"state": str(wanted.state)})
        memories = [(row[0], memory_from(row[1:])) for row in rows]
        return tuple(memory for _, memory in sorted(memories, key=partial(_in_order, turn))[: wanted.limit])

    def _found(self, view: View, prefix: str) -> tuple[Memory, ...]:
        """Visible memories whose id starts so, at most 5; those no longer live too, when they would be in sight."""
        if _PREFIX.fullmatch(prefix) is None:
            return ()
        bounds = {"prefix": prefix, "prefix_end": f"{prefix}~", "limit": FOUND_MAX}
        return tuple(memory_from(row) for row in self._db.rows("find", self._parameters(view) | bounds))

    def linked(self, view: View, memory_ids: Sequence[str], *, limit: int) -> tuple[tuple[str, Memory, float], ...]:
        if not memory_ids:
            return ()
        key = {"ids": json_list(memory_ids), "limit": limit}
        rows = self._db.rows("linked", self._parameters(view) | key)
        return tuple((row[0], memory_from(row[2:]), row[1] or 0.0) for row in rows)

    def counts(
        self, tenant: str, *, by: CountedBy = "state", owner: str | None = None, view: View | None = None
    ) -> Mapping[str, int]:
        if view is None:
            name = {"state": "counts", "privacy": "privacy_counts", "day": "growth", "event": "event_counts"}[by]
            rows = self._db.rows(name, {"tenant": tenant, "owner": owner})
            if by == "day":
                return {(EPOCH + timedelta(days=int(day))).date().isoformat(): number for day, number in rows}
            return {" ".join(names): number for *names, number in rows}
        parameters = self._parameters(view)
        counts: Counter[str] = Counter()
        with self.snapshot():
            for name in ("count_own", "count_elsewhere"):
                counts.update(dict(self._db.rows(name, parameters)))
        return dict(sorted(counts.items()))

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._arms_once: Arms | None = None
        self._matrices_once: Matrices | None = None

    def _forget_held(self) -> None:
        super()._forget_held()
        self._arms_once = self._matrices_once = None

    @property
    def _matrices(self) -> Matrices:
        """One for memories and messages: what they take together is bounded."""
        found = self._matrices_once
        if found is None:
            from wellkept.store.search.vectors import Matrices

            found = self._matrices_once = Matrices(self._db)
        return found

    @property
    def _arms(self) -> Arms:
        """NumPy is loaded when something is scored for the first time."""
        found = self._arms_once
        if found is None:
            from wellkept.store.search.arms import Arms
            from wellkept.store.search.sights import Sights

            found = self._arms_once = Arms(self._db, Sights(self._db), self._matrices)
        return found

    def candidates(
        self, search: Search, *, within: tuple[Space, str] | None = None, is_ahead: bool = False
    ) -> tuple[Candidate, ...]:
        with self.snapshot():
            if within is None:
                sight: Sight | None = self._arms.sights.sight(self._parameters(search.view, search.filter))
            else:
                sight = self._live(search, within)
            if sight is None:
                return ()
            if is_ahead:
                self._arms.make_ready(search.view.tenant, sight, search)
                return ()
            return self._searched(sight, search)

    def _live(self, search: Search, within: tuple[Space, str]) -> Sight | None:
        """One scope's live rows; None where nothing was ever stored."""
        asked = search.view
        scope = self._scope(asked.tenant, *within)
        if scope is None:
            return None
        # Who asks does not matter here; without it equal searches share what is kept.
        view = View(
            tenant=asked.tenant,
            now=asked.now,
            user=within[1],
            spaces=(within,),
            kinds=asked.kinds,
            categories=asked.categories,
            as_of=asked.as_of,
            include_expired=asked.include_expired,
        )
        return self._arms.sights.sight(self._parameters(view, search.filter), only=scope)

    def _searched(self, sight: Sight, search: Search) -> tuple[Candidate, ...]:
        tenant = search.view.tenant
        scores = self._arms.scores(tenant, sight, search)
        memories = self._by_place(tenant, [score.place for score in scores])
        return tuple(
            Candidate(memory=memories[score.place], cosine=score.cosine, bm25=score.bm25, share=score.share)
            for score in scores
            if score.place in memories  # a row that lost its text is the doctor's: nobody can be shown it
        )

    def _by_place(self, tenant: str, places: Sequence[int]) -> Mapping[int, Memory]:
        rows = self._db.rows("memories_of_places", {"tenant": tenant, "places": json_list(places)}) if places else ()
        return {row[0]: memory_from(row[1:]) for row in rows}


@lru_cache(maxsize=256)
def _narrowing(wanted: Filter) -> Mapping[str, Any]:
    """The parameters of `filtered`."""
    return {f"f_{name}": value for name, value in columns(wanted).items()}


def _seen_own(parameters: Mapping[str, Any]) -> str:
    """The statement that reads least: all of them give the same rows."""
    if parameters["f_fact_keys"] is not None and parameters["is_live_min"] == 1:
        return "seen_own_slot"
    if parameters["f_pinned"] == 1 and parameters["is_live_min"] == 1:
        return "seen_own_pinned"
    is_by_category = parameters["f_categories"] is not None and parameters["f_about"] is None
    if is_by_category and parameters["is_live_min"] == 1 and Kind.SHORT_TERM not in parameters["kinds"]:
        return "seen_own_category"
    return "seen_own" if parameters["f_about"] is None else "seen_own_about"


def _in_order(turn: int, numbered: tuple[int, Memory]) -> tuple[int, str, str, int]:
    """The order of the block `in_order`."""
    number, memory = numbered
    return -turn * micros(memory.created_at), memory.space, memory.owner, -number
