"""Conformance: persons, users, chats and merges; profiles, and changes of them that wait for a yes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.store.contract import Merge, ProfileValue, Proposal, Review, Told
from wellkept.testing.world import ALICE, BOB, CAROL, NOW, World, view
from wellkept.types import Alias, Edge, Relationship
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from wellkept.policies.people.profile_fields import Field


class PeopleChecks:
    """Every promise of `contract.Store`, sections "People" and "Merges"."""

    world: World

    def test_a_person_comes_back_whole(self) -> None:
        store = self.world.store
        wife = Relationship(relationship="wife", stated_by="bob", other_person_id=BOB)
        aliases = (Alias(value="@ali", added_by="bob"), Alias(value="Ali"))
        person = self.world.person(ALICE, "Alice", created_by="bob", aliases=aliases, relationships=(wife,))
        assert store.person("t", ALICE) == person
        assert store.person("u", ALICE) is None
        assert store.edges("t", ALICE, [EdgeKind.HAS_RELATIONSHIP]) == (
            Edge(kind=EdgeKind.HAS_RELATIONSHIP, src=ALICE, dst=BOB, stated_by="bob"),
        )
        plain = self.world.person(ALICE, "Alicia")
        assert store.person("t", ALICE) == plain
        assert store.edges("t", ALICE, [EdgeKind.HAS_RELATIONSHIP]) == ()
        assert store.persons("t", [ALICE, "p_nobody"]) == {ALICE: plain}

    def test_names_and_aliases_are_found_by_their_norm(self) -> None:
        store = self.world.store
        alice = self.world.person(ALICE, "Alice  Müller", aliases=(Alias(value="@ALI"), Alias(value="my Queen")))
        bob = self.world.person(BOB, "ali")
        assert store.holding_alias("t", "alice müller") == (alice,)
        assert store.holding_alias("t", "queen") == (alice,)
        assert store.holding_alias("t", "ali") == (alice, bob)
        assert store.holding_alias("u", "ali") == ()
        self.world.person(BOB, "ali", merged_into=ALICE)
        assert store.holding_alias("t", "ali") == (alice,)

    def test_a_user_is_one_person(self) -> None:
        store = self.world.store
        self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Bob")
        assert store.person_of("t", "alice") is None
        store.link_user("t", "alice", BOB, username="al", display_name=None)
        store.link_user("t", "alice", ALICE, username=None, display_name="Alice")
        found = store.person_of("t", "alice")
        assert found is not None
        assert (found.id, found.user_id) == (ALICE, "alice")
        edge = Edge(kind=EdgeKind.IS_PERSON, src="alice", dst=ALICE)
        assert store.edges("t", "alice", [EdgeKind.IS_PERSON]) == (edge,)
        assert store.person_of("u", "alice") is None
        assert store.person_of("t", "Alice") is None
        store.unlink_user("u", "alice")
        assert store.person_of("t", "alice") == found
        bare = store.person_of("t", "alice", is_whole=False)
        assert bare is not None
        assert (bare.id, bare.name, bare.user_id) == (found.id, found.name, found.user_id)
        store.unlink_user("t", "alice")
        assert store.person_of("t", "alice") is None
        assert store.edges("t", "alice", [EdgeKind.IS_PERSON]) == ()

    def test_merged_persons_lead_to_the_one_they_became(self) -> None:
        store = self.world.store
        alice = self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Al", merged_into=CAROL)
        self.world.person(CAROL, "Ally", merged_into=ALICE)
        assert store.person("t", BOB) == alice
        assert store.persons("t", [BOB, CAROL, ALICE]) == {BOB: alice, CAROL: alice, ALICE: alice}
        self.world.person(ALICE, "Alice", merged_into=BOB)
        assert store.person("t", BOB) is not None, "a circle ends"

    def test_relations_belong_to_who_states_them(self) -> None:
        store = self.world.store
        wife = Relationship(relationship="wife", stated_by="alice", other_person_id=ALICE)
        bob = self.world.person(BOB, "Bob", relationships=(wife,))
        assert store.related("t", "alice", "wife") == (bob,)
        assert store.related("t", "carol", "wife") == ()
        assert store.related("t", "alice", "boss") == ()

    def test_attendance_is_remembered(self) -> None:
        store = self.world.store
        store.attend("t", "c1", "group", [ALICE, BOB], at=NOW)
        store.attend("t", "c1", "group", [BOB, CAROL], at=NOW + timedelta(days=1))
        store.attend("t", "c2", "private", [ALICE], at=NOW)
        assert store.attendance("t", ["c1", "c2", "c3"]) == {
            "c1": frozenset({ALICE, BOB, CAROL}),
            "c2": frozenset({ALICE}),
        }
        assert store.attendance("u", ["c1"]) == {}
        assert store.attendance("t", []) == {}
        edge = Edge(kind=EdgeKind.PARTICIPATES_IN, src=ALICE, dst="c1")
        assert edge in store.edges("t", "c1", [EdgeKind.PARTICIPATES_IN])

    def test_known_people_are_those_of_the_viewpoint(self) -> None:
        store = self.world.store
        day = timedelta(days=1)
        self.world.person(ALICE, "Alice")
        self.world.person("p_created", "Cyd", created_by="alice", created_at=NOW + day)
        called, by_bob = (Alias(value="pal", added_by="alice"),), {"created_by": "bob"}
        self.world.person("p_alias", "Al", aliases=called, created_at=NOW + 2 * day, **by_bob)
        said = Relationship(relationship="boss", stated_by="alice")
        self.world.person("p_related", "Rel", relationships=(said,), created_at=NOW + 3 * day, **by_bob)
        self.world.person("p_met", "Met")
        store.attend("t", "c1", "group", [ALICE, "p_met"], at=NOW + 4 * day)
        self.world.person("p_subject", "Sub")
        self.world.tell("Sub sings.", subject_person_ids=("p_subject",), created_at=NOW + 5 * day)
        # Nobody's, and told to one persona: known to that one alone, whatever it is to whom.
        self.world.person("p_hidden", "Hid", relationships=(said,), aliases=called)
        self.world.tell("Hid sings.", subject_person_ids=("p_hidden",), persona_id="coach")
        self.world.person("p_past", "Past")
        self.world.tell("Past sang.", subject_person_ids=("p_past",), state=State.SUPERSEDED, valid_to=NOW + 2 * day)
        self.world.person("p_strange", "Strange", created_by="bob")
        self.world.person("p_gone", "Gone", created_by="alice", merged_into="p_created")
        known = [person.id for person in store.known(view(), limit=9)]
        assert set(known) == {ALICE, "p_created", "p_alias", "p_related", "p_met", "p_subject"}
        latest = ["p_subject", "p_met", "p_related", "p_alias", "p_created"]
        assert [person_id for person_id in known if person_id != ALICE] == latest
        assert [person.id for person in store.known(view(), limit=1)] == ["p_subject"]
        assert "p_hidden" in {person.id for person in store.known(view(persona="coach"), limit=9)}
        assert "p_past" in {person.id for person in store.known(view(as_of=NOW + day), limit=9)}
        assert store.known(view(tenant="u"), limit=9) == ()
        assert {person.id for person in store.known(view(), limit=9, is_here=True)} == {ALICE, "p_subject"}

    def test_edges_follow_the_memory(self) -> None:
        store = self.world.store
        memory = self.world.tell("Bob sings.", subject_person_ids=(BOB,), stated_by=ALICE, learned_in="c1")
        own = [EdgeKind.ABOUT, EdgeKind.STATED_BY, EdgeKind.LEARNED_IN]
        assert {(edge.kind, edge.dst) for edge in store.edges("t", memory.id, own)} == {
            (EdgeKind.ABOUT, BOB),
            (EdgeKind.STATED_BY, ALICE),
            (EdgeKind.LEARNED_IN, "c1"),
        }
        self.world.amend(memory, subject_person_ids=(CAROL,), stated_by=None)
        assert {(edge.kind, edge.dst) for edge in store.edges("t", memory.id, own)} == {
            (EdgeKind.ABOUT, CAROL),
            (EdgeKind.LEARNED_IN, "c1"),
        }

    def test_edges_can_be_dropped(self) -> None:
        store = self.world.store
        one, two = self.world.tell("One."), self.world.tell("Two.")
        edge = Edge(kind=EdgeKind.FOLD_OF, src=one.id, dst=two.id, strength=1.0)
        one = self.world.amend(one)
        for version, change in ((3, {"edges": (edge,)}), (4, {"drop_edges": (edge,)})):
            changed = self.world.change(replace(one, version=version), "link", **change)
            store.apply([changed], at=NOW)
            assert (edge in store.edges("t", one.id, [EdgeKind.FOLD_OF])) == (version == 3)

    def test_a_merge_can_be_remembered_and_taken_back(self) -> None:
        store = self.world.store
        alice, bob = self.world.person(ALICE, "Alice"), self.world.person(BOB, "Al")
        told = (Told(memory_id="m_x", subjects=(BOB, CAROL), stated_by=BOB),)
        merge = Merge(
            tenant="t",
            at=NOW,
            by="alice",
            primary=alice,
            secondary=bob,
            told=told,
            chats=("c1",),
            shared_chats=("c2",),
            users=("al",),
        )
        store.keep_merge(merge)
        assert store.merge_of("t", BOB) == merge
        assert store.merged_with("t", ALICE) == (merge,)
        assert store.merge_of("u", BOB) is None
        store.drop_merge("t", BOB)
        assert store.merge_of("t", BOB) is None
        assert store.merged_with("t", ALICE) == ()
        edge = Edge(kind=EdgeKind.PARTICIPATES_IN, src=ALICE, dst="c1")
        store.rewire("t", add=[edge], drop=[], at=NOW)
        assert store.attendance("t", ["c1"]) == {"c1": frozenset({ALICE})}
        store.rewire("t", add=[], drop=[edge], at=NOW)
        assert store.attendance("t", ["c1"]) == {}

    def test_a_review_is_asked_until_it_is_answered(self) -> None:
        store = self.world.store
        review = Review(tenant="t", asker="alice", one=BOB, other=ALICE, reason="phonetic", at=NOW)
        store.put_review(review)
        waiting = store.reviews("t", "alice")
        assert [(item.one, item.other, item.decision) for item in waiting] == [(ALICE, BOB, None)]
        assert store.reviews("t", "bob") == ()
        store.put_review(Review(**vars(waiting[0]) | {"decision": "apart"}))
        assert store.reviews("t", "alice") == ()
        store.put_review(review)
        assert store.reviews("t", "alice") == (), "what was answered is not asked again"

    def test_a_removed_person_leaves_nothing_but_what_memories_say(self) -> None:
        store = self.world.store
        sister = Relationship(relationship="sister", stated_by="alice", other_person_id=BOB)
        alice = self.world.person(ALICE, "Alice", relationships=(sister,))
        boss = Relationship(relationship="boss", stated_by="alice", other_person_id=ALICE)
        bob = self.world.person(BOB, "Bob", aliases=(Alias(value="@bob"),), relationships=(boss,))
        gone = self.world.person(CAROL, "Rob", merged_into=BOB)
        store.link_user("t", "bob", BOB, username="bob", display_name=None)
        store.attend("t", "c1", "group", [ALICE, BOB], at=NOW)
        store.keep_merge(Merge(tenant="t", at=NOW, primary=bob, secondary=gone))
        store.put_review(Review(tenant="t", asker="alice", one=ALICE, other=BOB, reason="phonetic", at=NOW))
        memory = self.world.archive(self.world.tell("Bob sings.", subject_person_ids=(BOB,), stated_by=ALICE))
        store.remove_person("u", BOB)
        assert store.person("t", BOB) == replace(bob, user_id="bob"), "another tenant's person is not touched"
        store.remove_person("t", BOB)
        assert store.persons("t", [BOB, CAROL]) == {}
        assert store.person("t", ALICE) == replace(alice, relationships=())
        assert store.person_of("t", "bob") is None
        assert store.holding_alias("t", "bob") == store.holding_alias("t", "rob") == ()
        assert store.attendance("t", ["c1"]) == {"c1": frozenset({ALICE})}
        assert store.merge_of("t", CAROL) is None
        assert store.reviews("t", "alice") == ()
        about = Edge(kind=EdgeKind.ABOUT, src=memory.id, dst=BOB)
        assert store.edges("t", BOB, tuple(EdgeKind)) == (about,)
        store.remove_person("t", BOB)

    def test_everybody_of_a_tenant(self) -> None:
        store = self.world.store
        alice = self.world.person(ALICE, "Alice")
        bob = self.world.person(BOB, "Bob", created_at=NOW + timedelta(days=1))
        self.world.person(CAROL, "Al", merged_into=ALICE)
        assert store.everybody("t", limit=9) == (bob, alice)
        assert store.everybody("t", limit=1) == (bob,)
        assert store.everybody("u", limit=9) == ()

    def test_tenants_share_nothing(self) -> None:
        store = self.world.store
        memory = self.world.tell("Alice likes tea.", entity_refs=("org:tea",), fact_key="likes")
        assert store.memory("u", memory.id) is None
        assert store.in_slot("u", Space.USER, "alice", "likes") == ()
        assert store.versions("u", memory.id) == ()
        assert store.history("u", memory.id, limit=9) == ()
        assert store.counts("u") == {}
        assert store.find(view(tenant="u"), memory.id) == ()


def value(field: Field, text: str, minutes: int = 0) -> ProfileValue:
    """A field as it was set so many minutes after the world began."""
    return ProfileValue(field=field, value=text, memory_id=None, at=NOW + timedelta(minutes=minutes))


class ConsentChecks:
    """Every promise of `contract.Store`, section "Consent"."""

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
