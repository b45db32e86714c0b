"""The verbs of a viewpoint on people, and on what applications may call its user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept import flows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.flows.people.forget_person import Forgotten
    from wellkept.flows.people.people_by_hand import Merged, Reviewed
    from wellkept.flows.read.showing import Acquaintance
    from wellkept.policies.people.consent import State
    from wellkept.store.contract import Proposal
    from wellkept.types import Viewpoint as Place


class PeopleVerbs:
    """A part of `Viewpoint`."""

    place: Place
    _engine: Engine

    def people(self, *, limit: int = 50) -> tuple[Acquaintance, ...]:
        """Whom this viewpoint knows, latest first."""
        return flows.showing.acquaintances(self.place, self._engine, limit=limit)

    def person(self, reference: str, *, limit: int = 20) -> Acquaintance:
        """One person by id, name, handle or relation, with what may be seen of them."""
        return flows.showing.acquaintance(reference, self.place, self._engine, limit=limit)

    def alias_person(self, reference: str, alias: str) -> Acquaintance:
        """Also call a person so."""
        return flows.people_by_hand.alias(reference, alias, self.place, self._engine)

    def rename_person(self, reference: str, name: str) -> Acquaintance:
        """Another name; the earlier one stays as an alias."""
        return flows.people_by_hand.rename(reference, name, self.place, self._engine)

    def merge_people(self, primary: str, secondary: str) -> Merged:
        """Two people are one: the first stays."""
        return flows.people_by_hand.merge(primary, secondary, self.place, self._engine)

    def split_person(self, reference: str) -> tuple[Acquaintance, Acquaintance]:
        """Take back a merge: of the person with this id, or the last one into the person meant."""
        return flows.people_by_hand.split(reference, self.place, self._engine)

    def review_people(self, *, same: Sequence[str] = (), different: Sequence[str] = ()) -> Reviewed:
        """Pairs that may be one person; `same` and `different` each take two people and answer."""
        return flows.people_by_hand.review(same, different, self.place, self._engine)

    def forget_person(self, reference: str, *, delete_record: bool = False) -> Forgotten:
        """Archive everything about a person that this user may change; `delete_record` also removes the person."""
        return flows.forget_person.forget_person(reference, self.place, self._engine, delete_record=delete_record)

    def profile(self) -> Mapping[str, str | tuple[str, ...]]:
        """What applications address this user by: preferred_name, pronouns, city, language, tone, goals."""
        return flows.consent.profile(self.place, self._engine)

    def consents(self, *, state: State | None = "pending", limit: int = 100) -> tuple[Proposal, ...]:
        """Changes of this user's profile that wait for a yes, or were answered; oldest first."""
        return flows.consent.proposals(self.place, self._engine, state=state, limit=limit)

    def approve(self, proposal_id: str) -> Proposal:
        """Yes: the profile changes."""
        return flows.consent.approve(proposal_id, self.place, self._engine)

    def reject(self, proposal_id: str) -> Proposal:
        """No: the profile stays as it is."""
        return flows.consent.reject(proposal_id, self.place, self._engine)
