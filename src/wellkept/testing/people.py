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
from wellkept.testing.world import ALICE, BOB, CAROL, NOW, Checks, view
from wellkept.types import Alias, Edge, Relationship
from wellkept.vocabulary import EdgeKind, Space, State


class PeopleChecks(Checks):
    """Every promise of `contract.Store`, sections "People" and "Merges"."""

    def test_a_person_comes_back_whole(self) -> None:
        wife = Relationship(relationship="wife", stated_by="bob", other_person_id=BOB)
        aliases = (Alias(value="@ali", added_by="bob"), Alias(value="Ali"))
        person = self.world.person(ALICE, "Alice", created_by="bob", aliases=aliases, relationships=(wife,))
        assert self.store.person("t", ALICE) == person
        assert self.store.person("u", ALICE) is None
        assert self.store.edges("t", ALICE, [EdgeKind.HAS_RELATIONSHIP]) == (
            Edge(kind=EdgeKind.HAS_RELATIONSHIP, src=ALICE, dst=BOB, stated_by="bob"),
        )
        plain = self.world.person(ALICE, "Alicia")
        assert self.store.person("t", ALICE) == plain
        assert self.store.edges("t", ALICE, [EdgeKind.HAS_RELATIONSHIP]) == ()
        assert self.store.persons("t", [ALICE, "p_nobody"]) == {ALICE: plain}

    def test_names_and_aliases_are_found_by_their_norm(self) -> None:
        alice = self.world.person(ALICE, "Alice  Müller", aliases=(Alias(value="@ALI"), Alias(value="my Queen")))
        bob = self.world.person(BOB, "ali")
        assert self.store.people(PeopleQuery(tenant="t", name="alice müller")) == (alice,)
        assert self.store.people(PeopleQuery(tenant="t", name="queen")) == (alice,)
        assert self.store.people(PeopleQuery(tenant="t", name="ali")) == (alice, bob)
        assert self.store.people(PeopleQuery(tenant="u", name="ali")) == ()
        self.world.person(BOB, "ali", merged_into=ALICE)
        assert self.store.people(PeopleQuery(tenant="t", name="ali")) == (alice,)

    def test_a_user_is_one_person(self) -> None:
        self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Bob")
        assert self.store.person("t", user="alice") is None
        self.store.keep(UserLink(tenant="t", user="alice", person_id=BOB, username="al"))
        self.store.keep(UserLink(tenant="t", user="alice", person_id=ALICE, display_name="Alice"))
        found = self.store.person("t", user="alice")
        assert found is not None
        assert (found.id, found.user_id) == (ALICE, "alice")
        edge = Edge(kind=EdgeKind.IS_PERSON, src="alice", dst=ALICE)
        assert self.store.edges("t", "alice", [EdgeKind.IS_PERSON]) == (edge,)
        assert self.store.person("u", user="alice") is None
        assert self.store.person("t", user="Alice") is None
        self.store.keep(UserLink(tenant="u", user="alice", person_id=None))
        assert self.store.person("t", user="alice") == found
        bare = self.store.person("t", user="alice", is_whole=False)
        assert bare is not None
        assert (bare.id, bare.name, bare.user_id) == (found.id, found.name, found.user_id)
        self.store.keep(UserLink(tenant="t", user="alice", person_id=None))
        assert self.store.person("t", user="alice") is None
        assert self.store.edges("t", "alice", [EdgeKind.IS_PERSON]) == ()

    def test_merged_persons_lead_to_the_one_they_became(self) -> None:
        alice = self.world.person(ALICE, "Alice")
        self.world.person(BOB, "Al", merged_into=CAROL)
        self.world.person(CAROL, "Ally", merged_into=ALICE)
        assert self.store.person("t", BOB) == alice
        assert self.store.persons("t", [BOB, CAROL, ALICE]) == {BOB: alice, CAROL: alice, ALICE: alice}
        self.world.person(ALICE, "Alice", merged_into=BOB)
        assert self.store.person("t", BOB) is not None, "a circle ends"

    def test_relations_belong_to_who_states_them(self) -> None:
        wife = Relationship(relationship="wife", stated_by="alice", other_person_id=ALICE)
        bob = self.world.person(BOB, "Bob", relationships=(wife,))
        assert self.store.people(PeopleQuery(tenant="t", related_to=("alice", "wife"))) == (bob,)
        assert self.store.people(PeopleQuery(tenant="t", related_to=("carol", "wife"))) == ()
        assert self.store.people(PeopleQuery(tenant="t", related_to=("alice", "boss"))) == ()

    def test_attendance_is_remembered(self) -> None:
        self.store.keep(Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(ALICE, BOB), at=NOW))
        self.store.keep(
            Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(BOB, CAROL), at=NOW + timedelta(days=1))
        )
        self.store.keep(Attendance(tenant="t", chat="c2", chat_type="private", person_ids=(ALICE,), at=NOW))
        assert self.store.attendance("t", ["c1", "c2", "c3"]) == {
            "c1": frozenset({ALICE, BOB, CAROL}),
            "c2": frozenset({ALICE}),
        }
        assert self.store.attendance("u", ["c1"]) == {}
        assert self.store.attendance("t", []) == {}
        edge = Edge(kind=EdgeKind.PARTICIPATES_IN, src=ALICE, dst="c1")
        assert edge in self.store.edges("t", "c1", [EdgeKind.PARTICIPATES_IN])

    def test_known_people_are_those_of_the_viewpoint(self) -> None:
        day = timedelta(days=1)
        self.world.person(ALICE, "Alice")
        self.world.person("p_created", "Cyd", created_by="alice", created_at=NOW + day)
        called, by_bob = (Alias(value="pal", added_by="alice"),), {"created_by": "bob"}
        self.world.person("p_alias", "Al", aliases=called, created_at=NOW + 2 * day, **by_bob)
        said = Relationship(relationship="boss", stated_by="alice")
        self.world.person("p_related", "Rel", relationships=(said,), created_at=NOW + 3 * day, **by_bob)
        self.world.person("p_met", "Met")
        self.store.keep(
            Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(ALICE, "p_met"), at=NOW + 4 * day)
        )
        self.world.person("p_subject", "Sub")
        self.world.tell("Sub sings.", subject_person_ids=("p_subject",), created_at=NOW + 5 * day)
        # Nobody's, and told to one persona: known to that one alone, whatever it is to whom.
        self.world.person("p_hidden", "Hid", relationships=(said,), aliases=called)
        self.world.tell("Hid sings.", subject_person_ids=("p_hidden",), persona_id="coach")
        self.world.person("p_past", "Past")
        self.world.tell("Past sang.", subject_person_ids=("p_past",), state=State.SUPERSEDED, valid_to=NOW + 2 * day)
        self.world.person("p_strange", "Strange", created_by="bob")
        self.world.person("p_gone", "Gone", created_by="alice", merged_into="p_created")
        known = [person.id for person in self.store.people(KnownTo(view=view(), limit=9))]
        assert set(known) == {ALICE, "p_created", "p_alias", "p_related", "p_met", "p_subject"}
        latest = ["p_subject", "p_met", "p_related", "p_alias", "p_created"]
        assert [person_id for person_id in known if person_id != ALICE] == latest
        assert [person.id for person in self.store.people(KnownTo(view=view(), limit=1))] == ["p_subject"]
        assert "p_hidden" in {person.id for person in self.store.people(KnownTo(view=view(persona="coach"), limit=9))}
        assert "p_past" in {person.id for person in self.store.people(KnownTo(view=view(as_of=NOW + day), limit=9))}
        assert self.store.people(KnownTo(view=view(tenant="u"), limit=9)) == ()
        assert {person.id for person in self.store.people(KnownTo(view=view(), limit=9, is_here=True))} == {
            ALICE,
            "p_subject",
        }

    def test_edges_follow_the_memory(self) -> None:
        memory = self.world.tell("Bob sings.", subject_person_ids=(BOB,), stated_by=ALICE, learned_in="c1")
        own = [EdgeKind.ABOUT, EdgeKind.STATED_BY, EdgeKind.LEARNED_IN]
        assert {(edge.kind, edge.dst) for edge in self.store.edges("t", memory.id, own)} == {
            (EdgeKind.ABOUT, BOB),
            (EdgeKind.STATED_BY, ALICE),
            (EdgeKind.LEARNED_IN, "c1"),
        }
        self.world.amend(memory, subject_person_ids=(CAROL,), stated_by=None)
        assert {(edge.kind, edge.dst) for edge in self.store.edges("t", memory.id, own)} == {
            (EdgeKind.ABOUT, CAROL),
            (EdgeKind.LEARNED_IN, "c1"),
        }

    def test_edges_can_be_dropped(self) -> None:
        one, two = self.world.tell("One."), self.world.tell("Two.")
        edge = Edge(kind=EdgeKind.FOLD_OF, src=one.id, dst=two.id, strength=1.0)
        one = self.world.amend(one)
        for version, change in ((3, {"edges": (edge,)}), (4, {"drop_edges": (edge,)})):
            changed = self.world.change(replace(one, version=version), "link", **change)
            self.store.apply([changed], at=NOW)
            assert (edge in self.store.edges("t", one.id, [EdgeKind.FOLD_OF])) == (version == 3)

    def test_a_merge_can_be_remembered_and_taken_back(self) -> None:
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
        self.store.keep(merge)
        assert self.store.merges("t", secondary=BOB) == (merge,)
        assert self.store.merges("t", primary=ALICE) == (merge,)
        assert self.store.merges("u", secondary=BOB) == ()
        assert self.store.drop(merge) == 1
        assert self.store.merges("t", secondary=BOB) == ()
        assert self.store.merges("t", primary=ALICE) == ()
        edge = Edge(kind=EdgeKind.PARTICIPATES_IN, src=ALICE, dst="c1")
        self.store.keep(Rewiring(tenant="t", add=(edge,), at=NOW))
        assert self.store.attendance("t", ["c1"]) == {"c1": frozenset({ALICE})}
        self.store.keep(Rewiring(tenant="t", drop=(edge,), at=NOW))
        assert self.store.attendance("t", ["c1"]) == {}

    def test_a_review_is_asked_until_it_is_answered(self) -> None:
        review = Review(tenant="t", asker="alice", one=BOB, other=ALICE, reason="phonetic", at=NOW)
        self.store.keep(review)
        waiting = self.store.reviews("t", "alice")
        assert [(item.one, item.other, item.decision) for item in waiting] == [(ALICE, BOB, None)]
        assert self.store.reviews("t", "bob") == ()
        self.store.keep(Review(**vars(waiting[0]) | {"decision": "apart"}))
        assert self.store.reviews("t", "alice") == ()
        self.store.keep(review)
        assert self.store.reviews("t", "alice") == (), "what was answered is not asked again"

    def test_a_removed_person_leaves_nothing_but_what_memories_say(self) -> None:
        sister = Relationship(relationship="sister", stated_by="alice", other_person_id=BOB)
        alice = self.world.person(ALICE, "Alice", relationships=(sister,))
        boss = Relationship(relationship="boss", stated_by="alice", other_person_id=ALICE)
        bob = self.world.person(BOB, "Bob", aliases=(Alias(value="@bob"),), relationships=(boss,))
        gone = self.world.person(CAROL, "Rob", merged_into=BOB)
        self.store.keep(UserLink(tenant="t", user="bob", person_id=BOB, username="bob"))
        self.store.keep(Attendance(tenant="t", chat="c1", chat_type="group", person_ids=(ALICE, BOB), at=NOW))
        self.store.keep(Merge(tenant="t", at=NOW, primary=bob, secondary=gone))
        self.store.keep(Review(tenant="t", asker="alice", one=ALICE, other=BOB, reason="phonetic", at=NOW))
        memory = self.world.archive(self.world.tell("Bob sings.", subject_person_ids=(BOB,), stated_by=ALICE))
        self.store.drop(PersonKey(tenant="u", person_id=BOB))
        assert self.store.person("t", BOB) == replace(bob, user_id="bob"), "another tenant's person is not touched"
        self.store.drop(PersonKey(tenant="t", person_id=BOB))
        assert self.store.persons("t", [BOB, CAROL]) == {}
        assert self.store.person("t", ALICE) == replace(alice, relationships=())
        assert self.store.person("t", user="bob") is None
        assert (
            self.store.people(PeopleQuery(tenant="t", name="bob"))
            == self.store.people(PeopleQuery(tenant="t", name="rob"))
            == ()
        )
        assert self.store.attendance("t", ["c1"]) == {"c1": frozenset({ALICE})}
        assert self.store.merges("t", secondary=CAROL) == ()
        assert self.store.reviews("t", "alice") == ()
        about = Edge(kind=EdgeKind.ABOUT, src=memory.id, dst=BOB)
        assert self.store.edges("t", BOB, tuple(EdgeKind)) == (about,)
        self.store.drop(PersonKey(tenant="t", person_id=BOB))

    def test_everybody_of_a_tenant(self) -> None:
        alice = self.world.person(ALICE, "Alice")
        bob = self.world.person(BOB, "Bob", created_at=NOW + timedelta(days=1))
        self.world.person(CAROL, "Al", merged_into=ALICE)
        assert self.store.people(PeopleQuery(tenant="t", limit=9)) == (bob, alice)
        assert self.store.people(PeopleQuery(tenant="t", limit=1)) == (bob,)
        assert self.store.people(PeopleQuery(tenant="u", limit=9)) == ()

    def test_tenants_share_nothing(self) -> None:
        memory = self.world.tell("Alice likes tea.", entity_refs=("org:tea",), fact_key="likes")
        assert self.store.memory("u", memory.id) is None
        assert self.store.memories(InSlot(scope=("u", Space.USER, "alice"), fact_keys=("likes",))) == ()
        assert self.store.versions("u", memory.id) == ()
        assert self.store.ledger(RowsAbout(tenant="u", memory_id=memory.id, limit=9)) == ()
        assert self.store.counts("u") == {}
        assert self.store.seen(view(tenant="u"), Listing(prefix=memory.id, limit=5)) == ()


def value(field: Field, text: str, minutes: int = 0) -> ProfileValue:
    """A field as it was set so many minutes after the world began."""
    return ProfileValue(field=field, value=text, memory_id=None, at=NOW + timedelta(minutes=minutes))


class ConsentChecks(Checks):
    """Every promise of `contract.Store`, section "Consent"."""

    def proposal(self, user: str, new: str, minutes: int = 0) -> Proposal:
        """A stored question about a user's city."""
        at = NOW + timedelta(minutes=minutes)
        made = Proposal(
            id=self.store.next_id("t", Space.USER, user, "proposal"),
            tenant="t",
            user_id=user,
            field="city",
            new=new,
            at=at,
        )
        self.store.keep(made)
        return made

    def test_a_field_has_one_value_and_a_list_several(self) -> None:
        self.store.keep(ProfileChange(tenant="t", user="alice", value=value("city", "Paris"), adds=False))
        self.store.keep(ProfileChange(tenant="t", user="alice", value=value("city", "Lyon", 1), adds=False))
        self.store.keep(ProfileChange(tenant="t", user="alice", value=value("goals", "run", 2), adds=True))
        self.store.keep(ProfileChange(tenant="t", user="alice", value=value("goals", "read", 3), adds=True))
        self.store.keep(ProfileChange(tenant="t", user="bob", value=value("city", "Oslo"), adds=False))
        assert [(one.field, one.value) for one in self.store.profile("t", "alice")] == [
            ("city", "Lyon"),
            ("goals", "run"),
            ("goals", "read"),
        ]
        assert [one.value for one in self.store.profile("t", "bob")] == ["Oslo"]
        assert self.store.profile("u", "alice") == ()

    def test_proposals_are_kept_per_user_and_state(self) -> None:
        first, second = self.proposal("alice", "Lyon"), self.proposal("alice", "Nice", 1)
        other = self.proposal("bob", "Oslo", 2)
        done = replace(first, state="approved", decided_at=NOW + timedelta(hours=1), signals=2, asked_in="dm")
        self.store.keep(done)
        assert self.store.proposals(ProposalQuery(tenant="t", id=first.id)) == (done,)
        assert self.store.proposals(ProposalQuery(tenant="u", id=first.id)) == ()
        assert self.store.proposals(ProposalQuery(tenant="t", user="alice", state="pending", limit=9)) == (second,)
        assert self.store.proposals(ProposalQuery(tenant="t", user="alice", limit=9)) == (done, second)
        assert self.store.proposals(ProposalQuery(tenant="t", state="pending", limit=9)) == (
            second,
            other,
        )
        assert self.store.proposals(ProposalQuery(tenant="t", user="alice", limit=1)) == (done,)

    def test_overdue_proposals_are_the_pending_ones_of_before(self) -> None:
        old, new = self.proposal("alice", "Lyon"), self.proposal("bob", "Oslo", 10)
        answered = self.proposal("eve", "Rome")
        self.store.keep(replace(answered, state="rejected"))
        assert self.store.proposals(ProposalQuery(tenant="t", until=NOW, limit=9)) == (old,)
        assert self.store.proposals(ProposalQuery(tenant="t", until=NOW + timedelta(hours=1), limit=9)) == (old, new)

    def test_proposal_ids_are_the_same_for_the_same_order(self) -> None:
        ids = [self.store.next_id("t", Space.USER, "alice", "proposal") for _ in range(2)]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("c_") for one in ids)
