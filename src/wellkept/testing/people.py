"""Conformance: persons, users, chats and merges; profiles, and changes of them that wait for a yes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from wellkept.policies.people.profile_fields import Field
from wellkept.store.contract import (
    Attendance,
    InSlot,
    KnownTo,
    Listing,
    Merge,
    PeopleQuery,
    PersonKey,
    ProfileChange,
    ProfileValue,
    Proposal,
    ProposalQuery,
    Review,
    Rewiring,
    RowsAbout,
    Told,
    UserLink,
)
from wellkept.testing.world import ALICE, BOB, CAROL, NOW, World, view
from wellkept.types import Alias, Edge, Relationship
from wellkept.vocabulary import EdgeKind, Space, State


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
        assert store.people(PeopleQuery(tenant="t", name="alice müller")) == (alice,)
        assert store.people(PeopleQuery(tenant="t", name="queen")) == (alice,)
        assert store.people(PeopleQuery(tenant="t", name="ali")) == (alice, bob)
        assert store.people(PeopleQuery(tenant="u", name="ali")) == ()
        self.world.person(BOB, "ali", merged_into=ALICE)
        assert store.people(PeopleQuery(tenant="t", name="ali")) == (alice,)

    def test_a_user_is_one_person(self) -> None:
        store = self.world.store
        self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Bob")
        assert store.person("t", user="alice") is None
        store.keep(UserLink(tenant="t", user="alice", person_id=BOB, username="al"))
        store.keep(UserLink(tenant="t", user="alice", person_id=ALICE, display_name="Alice"))
        found = store.person("t", user="alice")
        assert found is not None
        assert (found.id, found.user_id) == (ALICE, "alice")
        edge = Edge(kind=EdgeKind.IS_PERSON, src="alice", dst=ALICE)
        assert store.edges("t", "alice", [EdgeKind.IS_PERSON]) == (edge,)
        assert store.person("u", user="alice") is None
        assert store.person("t", user="Alice") is None
        store.keep(UserLink(tenant="u", user="alice", person_id=None))
        assert store.person("t", user="alice") == found
        bare = store.person("t", user="alice", is_whole=False)
        assert bare is not None
        assert (bare.id, bare.name, bare.user_id) == (found.id, found.name, found.user_id)
        store.keep(UserLink(tenant="t", user="alice", person_id=None))
        assert store.person("t", user="alice") is None
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
        assert store.people(PeopleQuery(tenant="t", related_to=("alice", "wife"))) == (bob,)
        assert store.people(PeopleQuery(tenant="t", related_to=("carol", "wife"))) == ()
        assert store.people(PeopleQuery(tenant="t", related_to=("alice", "boss"))) == ()

    def test_attendance_is_remembered(self) -> None:
        store = self.world.store
        store.keep(Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(ALICE, BOB), at=NOW))
        store.keep(
            Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(BOB, CAROL), at=NOW + timedelta(days=1))
        )
        store.keep(Attendance(tenant="t", chat="c2", chat_type="private", person_ids=(ALICE,), at=NOW))
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
        store.keep(Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(ALICE, "p_met"), at=NOW + 4 * day))
        self.world.person("p_subject", "Sub")
        self.world.tell("Sub sings.", subject_person_ids=("p_subject",), created_at=NOW + 5 * day)
        # Nobody's, and told to one persona: known to that one alone, whatever it is to whom.
        self.world.person("p_hidden", "Hid", relationships=(said,), aliases=called)
        self.world.tell("Hid sings.", subject_person_ids=("p_hidden",), persona_id="coach")
        self.world.person("p_past", "Past")
        self.world.tell("Past sang.", subject_person_ids=("p_past",), state=State.SUPERSEDED, valid_to=NOW + 2 * day)
        self.world.person("p_strange", "Strange", created_by="bob")
        self.world.person("p_gone", "Gone", created_by="alice", merged_into="p_created")
        known = [person.id for person in store.people(KnownTo(view=view(), limit=9))]
        assert set(known) == {ALICE, "p_created", "p_alias", "p_related", "p_met", "p_subject"}
        latest = ["p_subject", "p_met", "p_related", "p_alias", "p_created"]
        assert [person_id for person_id in known if person_id != ALICE] == latest
        assert [person.id for person in store.people(KnownTo(view=view(), limit=1))] == ["p_subject"]
        assert "p_hidden" in {person.id for person in store.people(KnownTo(view=view(persona="coach"), limit=9))}
        assert "p_past" in {person.id for person in store.people(KnownTo(view=view(as_of=NOW + day), limit=9))}
        assert store.people(KnownTo(view=view(tenant="u"), limit=9)) == ()
        assert {person.id for person in store.people(KnownTo(view=view(), limit=9, is_here=True))} == {
            ALICE,
            "p_subject",
        }

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
        store.keep(merge)
        assert next(iter(store.merges("t", secondary=BOB)), None) == merge
        assert store.merges("t", primary=ALICE) == (merge,)
        assert next(iter(store.merges("u", secondary=BOB)), None) is None
        assert store.drop(merge) == 1
        assert next(iter(store.merges("t", secondary=BOB)), None) is None
        assert store.merges("t", primary=ALICE) == ()
        edge = Edge(kind=EdgeKind.PARTICIPATES_IN, src=ALICE, dst="c1")
        store.keep(Rewiring(tenant="t", add=(edge,), at=NOW))
        assert store.attendance("t", ["c1"]) == {"c1": frozenset({ALICE})}
        store.keep(Rewiring(tenant="t", drop=(edge,), at=NOW))
        assert store.attendance("t", ["c1"]) == {}

    def test_a_review_is_asked_until_it_is_answered(self) -> None:
        store = self.world.store
        review = Review(tenant="t", asker="alice", one=BOB, other=ALICE, reason="phonetic", at=NOW)
        store.keep(review)
        waiting = store.reviews("t", "alice")
        assert [(item.one, item.other, item.decision) for item in waiting] == [(ALICE, BOB, None)]
        assert store.reviews("t", "bob") == ()
        store.keep(Review(**vars(waiting[0]) | {"decision": "apart"}))
        assert store.reviews("t", "alice") == ()
        store.keep(review)
        assert store.reviews("t", "alice") == (), "what was answered is not asked again"

    def test_a_removed_person_leaves_nothing_but_what_memories_say(self) -> None:
        store = self.world.store
        sister = Relationship(relationship="sister", stated_by="alice", other_person_id=BOB)
        alice = self.world.person(ALICE, "Alice", relationships=(sister,))
        boss = Relationship(relationship="boss", stated_by="alice", other_person_id=ALICE)
        bob = self.world.person(BOB, "Bob", aliases=(Alias(value="@bob"),), relationships=(boss,))
        gone = self.world.person(CAROL, "Rob", merged_into=BOB)
        store.keep(UserLink(tenant="t", user="bob", person_id=BOB, username="bob"))
        store.keep(Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(ALICE, BOB), at=NOW))
        store.keep(Merge(tenant="t", at=NOW, primary=bob, secondary=gone))
        store.keep(Review(tenant="t", asker="alice", one=ALICE, other=BOB, reason="phonetic", at=NOW))
        memory = self.world.archive(self.world.tell("Bob sings.", subject_person_ids=(BOB,), stated_by=ALICE))
        store.drop(PersonKey(tenant="u", person_id=BOB))
        assert store.person("t", BOB) == replace(bob, user_id="bob"), "another tenant's person is not touched"
        store.drop(PersonKey(tenant="t", person_id=BOB))
        assert store.persons("t", [BOB, CAROL]) == {}
        assert store.person("t", ALICE) == replace(alice, relationships=())
        assert store.person("t", user="bob") is None
        assert (
            store.people(PeopleQuery(tenant="t", name="bob")) == store.people(PeopleQuery(tenant="t", name="rob")) == ()
        )
        assert store.attendance("t", ["c1"]) == {"c1": frozenset({ALICE})}
        assert next(iter(store.merges("t", secondary=CAROL)), None) is None
        assert store.reviews("t", "alice") == ()
        about = Edge(kind=EdgeKind.ABOUT, src=memory.id, dst=BOB)
        assert store.edges("t", BOB, tuple(EdgeKind)) == (about,)
        store.drop(PersonKey(tenant="t", person_id=BOB))

    def test_everybody_of_a_tenant(self) -> None:
        store = self.world.store
        alice = self.world.person(ALICE, "Alice")
        bob = self.world.person(BOB, "Bob", created_at=NOW + timedelta(days=1))
        self.world.person(CAROL, "Al", merged_into=ALICE)
        assert store.people(PeopleQuery(tenant="t", limit=9)) == (bob, alice)
        assert store.people(PeopleQuery(tenant="t", limit=1)) == (bob,)
        assert store.people(PeopleQuery(tenant="u", limit=9)) == ()

    def test_tenants_share_nothing(self) -> None:
        store = self.world.store
        memory = self.world.tell("Alice likes tea.", entity_refs=("org:tea",), fact_key="likes")
        assert store.memory("u", memory.id) is None
        assert store.memories(InSlot(scope=("u", Space.USER, "alice"), fact_keys=("likes",))) == ()
        assert store.versions("u", memory.id) == ()
        assert store.ledger(RowsAbout(tenant="u", memory_id=memory.id, limit=9)) == ()
        assert store.counts("u") == {}
        assert store.seen(view(tenant="u"), Listing(prefix=memory.id, limit=5)) == ()


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
        made = Proposal(
            id=store.next_id("t", Space.USER, user, "proposal"), tenant="t", user_id=user, field="city", new=new, at=at
        )
        store.keep(made)
        return made

    def test_a_field_has_one_value_and_a_list_several(self) -> None:
        store = self.world.store
        store.keep(ProfileChange(tenant="t", user="alice", value=value("city", "Paris"), adds=False))
        store.keep(ProfileChange(tenant="t", user="alice", value=value("city", "Lyon", 1), adds=False))
        store.keep(ProfileChange(tenant="t", user="alice", value=value("goals", "run", 2), adds=True))
        store.keep(ProfileChange(tenant="t", user="alice", value=value("goals", "read", 3), adds=True))
        store.keep(ProfileChange(tenant="t", user="bob", value=value("city", "Oslo"), adds=False))
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
        store.keep(done)
        assert next(iter(store.proposals(ProposalQuery(tenant="t", id=first.id))), None) == done
        assert next(iter(store.proposals(ProposalQuery(tenant="u", id=first.id))), None) is None
        assert store.proposals(ProposalQuery(tenant="t", user="alice", state="pending", limit=9)) == (second,)
        assert store.proposals(ProposalQuery(tenant="t", user="alice", limit=9)) == (done, second)
        assert store.proposals(ProposalQuery(tenant="t", state="pending", limit=9)) == (
            second,
            other,
        )
        assert store.proposals(ProposalQuery(tenant="t", user="alice", limit=1)) == (done,)

    def test_overdue_proposals_are_the_pending_ones_of_before(self) -> None:
        store = self.world.store
        old, new = self.proposal("alice", "Lyon"), self.proposal("bob", "Oslo", 10)
        answered = self.proposal("eve", "Rome")
        store.keep(replace(answered, state="rejected"))
        assert store.proposals(ProposalQuery(tenant="t", until=NOW, limit=9)) == (old,)
        assert store.proposals(ProposalQuery(tenant="t", until=NOW + timedelta(hours=1), limit=9)) == (old, new)

    def test_proposal_ids_are_the_same_for_the_same_order(self) -> None:
        store = self.world.store
        ids = [store.next_id("t", Space.USER, "alice", "proposal") for _ in range(2)]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("c_") for one in ids)
