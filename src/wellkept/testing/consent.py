"""Conformance: profiles, and changes of them that wait for a yes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.store.contract.consent import ProfileValue, Proposal
from wellkept.testing.world import NOW, World

if TYPE_CHECKING:
    from wellkept.policies.people.consent import Field


def value(field: Field, text: str, minutes: int = 0) -> ProfileValue:
    """A field as it was set so many minutes after the world began."""
    return ProfileValue(field=field, value=text, memory_id=None, at=NOW + timedelta(minutes=minutes))


class ConsentChecks:
    """Every promise of `contract.consent.Consents`."""

    world: World

    def proposal(self, user: str, new: str, minutes: int = 0) -> Proposal:
        """A stored question about a user's city."""
        store = self.world.store
        at = NOW + timedelta(minutes=minutes)
        made = Proposal(id=store.next_proposal_id("t", user), tenant="t", user_id=user, field="city", new=new, at=at)
        store.put_proposal(made)
        return made

    def test_a_field_has_one_value_and_a_list_several(self) -> None:
        store = self.world.store
        store.set_profile("t", "alice", value("city", "Paris"), adds=False)
        store.set_profile("t", "alice", value("city", "Lyon", 1), adds=False)
        store.set_profile("t", "alice", value("goals", "run", 2), adds=True)
        store.set_profile("t", "alice", value("goals", "read", 3), adds=True)
        store.set_profile("t", "bob", value("city", "Oslo"), adds=False)
        assert [(one.field, one.value) for one in store.profile("t", "alice")] == [
            ("city", "Lyon"),
            ("goals", "run"),
            ("goals", "read"),
        ]
        assert [one.value for one in store.profile("t", "bob")] == ["Oslo"]
        assert store.profile("u", "alice") == ()

    def test_proposals_are_kept_per_user_and_state(self) -> None:
        store = self.world.store
        first, second = self.proposal("alice", "Lyon"), self.proposal("alice", "Nice", 1)
        other = self.proposal("bob", "Oslo", 2)
        done = replace(first, state="approved", decided_at=NOW + timedelta(hours=1), signals=2, asked_in="dm")
        store.put_proposal(done)
        assert store.proposal("t", first.id) == done
        assert store.proposal("u", first.id) is None
        assert store.proposals("t", "alice", state="pending", limit=9) == (second,)
        assert store.proposals("t", "alice", state=None, limit=9) == (done, second)
        assert store.proposals("t", None, state="pending", limit=9) == (second, other)
        assert store.proposals("t", "alice", state=None, limit=1) == (done,)

    def test_overdue_proposals_are_the_pending_ones_of_before(self) -> None:
        store = self.world.store
        old, new = self.proposal("alice", "Lyon"), self.proposal("bob", "Oslo", 10)
        answered = self.proposal("eve", "Rome")
        store.put_proposal(replace(answered, state="rejected"))
        assert store.overdue_proposals("t", before=NOW, limit=9) == (old,)
        assert store.overdue_proposals("t", before=NOW + timedelta(hours=1), limit=9) == (old, new)

    def test_proposal_ids_are_the_same_for_the_same_order(self) -> None:
        store = self.world.store
        ids = [store.next_proposal_id("t", "alice") for _ in range(2)]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("c_") for one in ids)
