"""What a memory holds besides viewpoints: upkeep and people, as the system works on them, asking nobody for leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from recollect import flows
from recollect.flows.embedding import embed_missing
from recollect.types import Viewpoint

if TYPE_CHECKING:
    from recollect.flows.engine import Engine
    from recollect.flows.forget_person import Forgotten
    from recollect.flows.people_by_hand import Merged
    from recollect.flows.showing import Acquaintance
    from recollect.policies.consent import State
    from recollect.store.base_consent import Proposal


class Upkeep:
    """Work outside the hot path, by hand."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def gc(self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None) -> Mapping[str, int]:
        """Archive what is superseded, expired or past its lifetime; how many, by reason."""
        return flows.gc.gc(tenant, self._engine, progress=progress)

    def embed(self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None) -> int:
        """Give vectors to the memories that have none of the present embedder."""
        return embed_missing(tenant, self._engine, progress=progress)

    def rebuild_index(self, *, tenant: str = "default") -> int:
        """Make the word index anew from the texts."""
        return self._engine.store.rebuild_index(tenant)

    def rebuild(
        self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None
    ) -> Mapping[str, int]:
        """The word index anew, and vectors for the memories that have none; how many of each."""
        return {"indexed": self.rebuild_index(tenant=tenant), "embedded": self.embed(tenant=tenant, progress=progress)}

    def stats(self, *, tenant: str = "default") -> Mapping[str, int]:
        """Memories by state, for operators."""
        return {state.value: number for state, number in self._engine.store.counts(tenant).items()}


class People:
    """The people of one tenant, named by id or handle. `at(user=…)` gives them as a user knows them."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._place = Viewpoint(tenant=tenant)

    def of(self, tenant: str) -> People:
        """The people of another tenant."""
        return People(self._engine, tenant)

    def list(self, *, limit: int = 50) -> tuple[Acquaintance, ...]:
        """Everybody, latest first."""
        return flows.showing.everybody(self._place.tenant, self._engine, limit=limit)

    def show(self, reference: str, *, limit: int = 20) -> Acquaintance:
        """One person; of memories only those of the system."""
        return flows.showing.acquaintance(reference, self._place, self._engine, limit=limit)

    def alias(self, reference: str, alias: str) -> Acquaintance:
        """Also call a person so, for everybody."""
        return flows.people_by_hand.alias(reference, alias, self._place, self._engine)

    def rename(self, reference: str, name: str) -> Acquaintance:
        """Another name; the earlier one stays as an alias."""
        return flows.people_by_hand.rename(reference, name, self._place, self._engine)

    def merge(self, primary: str, secondary: str) -> Merged:
        """Two people are one: the first stays."""
        return flows.people_by_hand.merge(primary, secondary, self._place, self._engine)

    def split(self, reference: str) -> tuple[Acquaintance, Acquaintance]:
        """Take a merge back."""
        return flows.people_by_hand.split(reference, self._place, self._engine)

    def forget(self, reference: str, *, delete_record: bool = False) -> Forgotten:
        """Archive everything about a person, whoever keeps it."""
        return flows.forget_person.forget_person(reference, self._place, self._engine, delete_record=delete_record)


class Consents:
    """Changes of the profiles of one tenant's users that wait for a yes, as an operator sees them."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._place = Viewpoint(tenant=tenant)

    def of(self, tenant: str) -> Consents:
        """Those of another tenant."""
        return Consents(self._engine, tenant)

    def list(self, *, state: State | None = "pending", limit: int = 100) -> tuple[Proposal, ...]:
        """Of everybody, oldest first."""
        return flows.consent.proposals(self._place, self._engine, state=state, limit=limit)

    def approve(self, proposal_id: str) -> Proposal:
        """Yes, in the user's name."""
        return flows.consent.approve(proposal_id, self._place, self._engine)

    def reject(self, proposal_id: str) -> Proposal:
        """No, in the user's name."""
        return flows.consent.reject(proposal_id, self._place, self._engine)

    def expire(self) -> int:
        """Close what nobody answered in time; how many."""
        return flows.consent.expire(self._place.tenant, self._engine)
