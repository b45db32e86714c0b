"""Candidates: the two arms over what a view sees, or over one scope's live rows; nothing else is counted or scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.policies.visibility.memories import View
from wellkept.store.contract import Candidate
from wellkept.store.encoding import json_list, memory_from
from wellkept.store.search.views import ViewsPart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.store.contract import Search
    from wellkept.store.driver import Driver
    from wellkept.store.search.arms import Arms
    from wellkept.store.search.sight import Sight
    from wellkept.store.search.vectors import Matrices
    from wellkept.types import Memory
    from wellkept.vocabulary import Space


class CandidatesPart(ViewsPart):
    """What scores, of the sections "Viewpoints" and "Memories" of `contract.Store`."""

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

    def candidates(self, search: Search) -> tuple[Candidate, ...]:
        """The union of the arms over everything visible: nearest first, then by words."""
        with self.snapshot():
            sight = self._arms.sights.sight(self._parameters(search.view, search.filter))
            return self._searched(sight, search)

    def near(self, tenant: str, space: Space, owner: str, search: Search) -> tuple[Candidate, ...]:
        """The same over one scope's live rows of the view's kinds, whoever may see them."""
        with self.snapshot():
            sight = self._live(tenant, space, owner, search)
            return () if sight is None else self._searched(sight, search, tenant)

    def make_ready(self, tenant: str, space: Space, owner: str, search: Search) -> None:
        """Look at what `near` is going to compare."""
        with self.snapshot():
            sight = self._live(tenant, space, owner, search)
            if sight is not None:
                self._arms.make_ready(tenant, sight, search)

    def _live(self, tenant: str, space: Space, owner: str, search: Search) -> Sight | None:
        """One scope's live rows; None where nothing was ever stored."""
        scope = self._scope(tenant, space, owner)
        if scope is None:
            return None
        # Who asks does not matter here; without it equal searches share what is kept.
        asked = search.view
        view = View(
            tenant=tenant,
            now=asked.now,
            user=owner,
            spaces=((space, owner),),
            kinds=asked.kinds,
            categories=asked.categories,
            as_of=asked.as_of,
            include_expired=asked.include_expired,
        )
        return self._arms.sights.sight(self._parameters(view, search.filter), only=scope)

    def _searched(self, sight: Sight, search: Search, tenant: str | None = None) -> tuple[Candidate, ...]:
        tenant = tenant or search.view.tenant
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
