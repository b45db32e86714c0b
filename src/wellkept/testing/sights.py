"""Conformance: what a viewpoint reads. A matrix proves the rule itself; here stands what every read makes of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from wellkept.store.contract import Filter
from wellkept.testing.world import ALICE, BOB, CAROL, NOW, World, search, vector, view
from wellkept.types import Edge, Memory
from wellkept.vocabulary import EdgeKind, Kind, MemoryType, Sensitivity, Space, State

PRESENT = frozenset({ALICE, BOB, CAROL})
GROUP = {"chat": "c1", "chat_type": "group", "present": PRESENT, "partners": frozenset()}
WEIRD = (
    "", " ", '"', "'", "*", "NEAR(", ")", "-", "a OR b", "tea*", "%", "_", "\\", "; DROP TABLE memories", "🎉", "茶",
    "شاي", "a" * 10_000, "tea " * 2_500, "\x00", "{alive}", ":tenant",
)  # fmt: skip


class SightsChecks:
    """Every promise of `contract.Sights`."""

    world: World

    def test_candidates_are_the_union_of_both_arms(self) -> None:
        store = self.world.store
        tea = self.world.tell("Alice likes green tea.")
        trains = self.world.tell("Trains leave at noon.")
        by_vector = store.candidates(replace(search("green tea"), terms=()))
        assert [item.memory for item in by_vector] == [tea, trains]
        assert by_vector[0].cosine is not None
        assert by_vector[0].cosine > 0.5
        assert by_vector[0].bm25 is None
        by_words = store.candidates(replace(search("green tea"), vector=None))
        assert [item.memory for item in by_words] == [tea]
        assert by_words[0].bm25 is not None
        assert by_words[0].share is not None
        assert 0.0 < by_words[0].share <= 1.0
        both = store.candidates(search("noon", limit=1, vector=vector("green tea")))
        assert [item.memory for item in both] == [tea, trains]
        assert both[1].cosine is not None, "what one arm found has the other's score too"
        assert store.candidates(replace(search("tea"), vector=None, terms=())) == ()

    def test_what_is_far_and_has_no_word_of_the_query_is_not_read(self) -> None:
        for text in ("Alice likes green tea.", "Bob drives a van.", "Carol sings at noon."):
            self.world.tell(text)
        wanted = search("green tea", terms=search("sings").terms)
        near, *rest = self.world.store.candidates(wanted)
        found = self.world.store.candidates(replace(wanted, is_near=lambda _cosine: False))
        assert found == (near, *(one for one in rest if one.bm25 is not None))
        assert len(found) == 2
        least = min(one.cosine or 0.0 for one in rest if one.bm25 is None)
        assert self.world.store.candidates(replace(wanted, is_near=lambda cosine: cosine > least)) == found
        assert self.world.store.candidates(replace(wanted, is_near=lambda _cosine: True)) == (near, *rest)

    def test_any_text_is_a_safe_query(self) -> None:
        self.world.tell("Alice likes tea.")
        self.world.tell("爱丽丝喜欢喝茶")
        for text in WEIRD:
            found = self.world.store.candidates(search(text))
            assert len(found) <= 2
        found = self.world.store.candidates(search("茶", vector=None))
        assert [item.memory.content for item in found] == ["爱丽丝喜欢喝茶"]

    def test_limits_hold_for_each_arm_and_ties_go_to_the_newer(self) -> None:
        told = [
            self.world.tell("Alice likes tea.", created_at=NOW + timedelta(minutes=number % 3)) for number in range(9)
        ]
        newest = sorted(told, key=lambda memory: (memory.created_at, int(memory.discriminator)), reverse=True)
        for limit in (1, 4, 9):
            found = self.world.store.candidates(search("tea", limit=limit))
            assert [item.memory for item in found] == newest[:limit]
            by_words = self.world.store.candidates(search("tea", limit=limit, vector=None))
            assert [item.memory for item in by_words] == newest[:limit]
        assert self.world.store.candidates(search("tea", limit=0)) == ()

    def test_a_change_is_seen_by_the_next_read(self) -> None:
        store = self.world.store
        memory = self.world.tell("Alice likes tea.")
        assert len(store.candidates(search("tea"))) == 1
        memory = self.world.reword(memory, "Alice likes coffee.")
        found = store.candidates(search("coffee"))
        assert [(item.memory, (item.cosine or 0) > 0.4) for item in found] == [(memory, True)]
        assert store.candidates(search("tea", vector=None)) == ()
        another = self.world.tell("Alice likes coffee cake.")
        assert {item.memory.id for item in store.candidates(search("coffee"))} == {memory.id, another.id}
        store.purge("t", another.id, self.world.change(another, "delete").entry, at=NOW)
        assert {item.memory.id for item in store.candidates(search("coffee"))} == {memory.id}
        self.world.archive(memory)
        assert store.candidates(search("coffee")) == ()

    def test_a_memory_dies_at_its_time_whether_or_not_gc_ran(self) -> None:
        store = self.world.store
        lasting = self.world.tell("Alice likes tea.")
        for days in (1, 2, 3):
            self.world.tell("Alice drinks tea.", expires_at=NOW + timedelta(days=days))
        for days, count in ((0, 4), (1, 3), (2, 2), (0, 4), (3, 1), (1, 3)):
            now = NOW + timedelta(days=days)
            assert len(store.candidates(search("tea", now=now))) == count
            assert len(store.seen(view(now=now), Filter(), limit=9)) == count
            assert store.count(view(now=now)) == {"knowledge": count}
        assert store.candidates(search("tea", now=NOW + timedelta(days=9)))[0].memory == lasting

    def test_an_own_word_that_dies_uncovers_what_it_hid(self) -> None:
        store = self.world.store
        told = self.world.tell("Bob is ill.", subject_person_ids=(BOB,), stated_by=ALICE)
        edge = Edge(kind=EdgeKind.SUPERSEDES, src="m_own", dst=told.id)
        day = timedelta(days=1)
        own = {"id": "m_own", "subject_person_ids": (BOB,), "stated_by": BOB, "scope": (Space.USER, "bob")}
        self.world.tell("Bob is well.", edges=(edge,), expires_at=NOW + day, **own)
        asking = {"present": frozenset({ALICE, BOB}), "partners": frozenset({BOB})}
        for now, text in ((NOW, "Bob is well."), (NOW + day, "Bob is ill."), (NOW, "Bob is well.")):
            found = store.candidates(search("Bob", now=now, **asking))
            assert [item.memory.content for item in found] == [text]

    def test_hearsay_is_hidden_only_from_those_who_hear_the_own_word(self) -> None:
        store = self.world.store
        told = self.world.tell("Bob is ill.", subject_person_ids=(BOB,), stated_by=ALICE)
        own = self.world.draft(
            "Bob is well.",
            subject_person_ids=(BOB,),
            stated_by=BOB,
            scope=(Space.USER, "bob"),
            sensitivity=Sensitivity.PERSONAL,
        )
        edge = Edge(kind=EdgeKind.SUPERSEDES, src=own.id, dst=told.id)
        together = {"present": frozenset({ALICE, BOB}), "partners": frozenset({BOB})}
        as_bob = {"user": "bob", "person": BOB, "spaces": ((Space.USER, "bob"),), **together}

        def read(**asking: object) -> set[str]:
            return {item.memory.content for item in store.candidates(search("Bob", **asking))}

        assert read(**together) == {"Bob is ill."}
        assert read(**as_bob) == {"Bob is ill."}
        store.apply([self.world.change(own, is_new=True, edges=(edge,))], at=NOW)
        assert read(**together) == {"Bob is ill."}, "a private word stays private"
        assert read(**as_bob) == {"Bob is well."}
        shared = self.world.amend(own, sensitivity=Sensitivity.PUBLIC)
        assert read(**together) == {"Bob is well."}
        self.world.archive(shared)
        assert read(**together) == {"Bob is ill."}

    def test_joining_a_chat_uncovers_what_was_said_there(self) -> None:
        store = self.world.store
        self.world.tell("Carol sings.", subject_person_ids=(CAROL,), learned_in="c7", stated_by=ALICE)
        asking = {"chat": "c2", "present": frozenset({ALICE, BOB}), "partners": frozenset({BOB})}
        assert store.candidates(search("sings", **asking)) == ()
        store.attend("t", "c7", "group", [BOB], at=NOW)
        assert len(store.candidates(search("sings", **asking))) == 1

    def test_what_others_say_about_those_present_is_found(self) -> None:
        store = self.world.store
        elsewhere = (Space.USER, "bob")
        alice = {"subject_person_ids": (ALICE,), "scope": elsewhere}
        shown = self.world.tell("Alice plays chess.", entity_refs=("org:fide",), **alice)
        mine = self.world.tell("Alice is tired.", sensitivity=Sensitivity.PERSONAL, **alice)
        bob = {"subject_person_ids": (BOB,), "scope": elsewhere}
        self.world.tell("Bob plays chess.", sensitivity=Sensitivity.PERSONAL, **bob)
        self.world.tell("Carol plays chess.", subject_person_ids=(CAROL,), scope=elsewhere)
        self.world.tell("Somebody plays chess.", scope=elsewhere)
        assert {item.memory.id for item in store.candidates(search("plays chess tired"))} == {shown.id, mine.id}
        assert {memory.id for memory in store.seen(view(), Filter(), limit=9)} == {shown.id, mine.id}
        assert store.about(view(), [CAROL, BOB], limit=9) == ()
        assert {memory.id for memory in store.about(view(), [ALICE], limit=9)} == {shown.id, mine.id}
        assert store.with_refs(view(), ["org:fide"], importance_min=0, limit=9) == (shown,)
        assert store.count(view()) == {"knowledge": 2}
        assert store.find(view(), shown.id) == (shown,)
        as_carol = {"user": "carol", "person": CAROL, "spaces": ((Space.USER, "carol"),), **GROUP}
        found = {item.memory.id for item in store.candidates(search("Alice plays chess tired", **as_carol))}
        assert shown.id in found
        assert mine.id not in found

    def test_how_far_a_memory_is_told_follows_what_becomes_of_it(self) -> None:
        store = self.world.store
        alice = {"subject_person_ids": (ALICE,), "scope": (Space.USER, "bob"), "fact_key": "hobby"}
        told = self.world.tell("Alice plays chess.", **alice)
        as_carol = {"user": "carol", "person": CAROL, "spaces": ((Space.USER, "carol"),), **GROUP}

        def is_seen(memory: Memory, **fields: Any) -> bool:  # noqa: ANN401 -- fields of View
            slot, people = frozenset({"hobby"}), frozenset(memory.subject_person_ids)
            wanted = (Filter(), Filter(about=people), Filter(fact_keys=slot), Filter(about=people, fact_keys=slot))
            listed = [store.seen(view(**fields), one, limit=9) for one in wanted]
            found = tuple(item.memory for item in store.candidates(search("chess", **fields)))
            assert listed == [found] * len(wanted)
            return found == (memory,)

        for change, to_alice, to_carol in (
            ({}, True, True),
            ({"sensitivity": Sensitivity.PERSONAL}, True, False),
            ({"confidential": True}, False, False),
            ({"confidential": False, "sensitivity": None}, True, True),
            ({"portable": False}, False, False),
            ({"portable": True, "subject_person_ids": (BOB,)}, False, True),
            ({"subject_person_ids": (ALICE, BOB)}, True, True),
            ({"state": State.SUPERSEDED, "valid_to": NOW + timedelta(days=1)}, False, False),
        ):
            told = self.world.amend(told, **change)
            assert (is_seen(told), is_seen(told, **as_carol)) == (to_alice, to_carol), change
        assert is_seen(told, as_of=NOW + timedelta(hours=1)), "the past is reached too"

    def test_owners_hear_their_own_word_where_their_scope_is_not_in_sight(self) -> None:
        store = self.world.store
        self.world.tell("Bob is tired.", subject_person_ids=(BOB,), sensitivity=Sensitivity.PERSONAL)
        in_project = {"spaces": ((Space.PROJECT, "x"),), **GROUP}
        assert len(store.seen(view(**in_project), Filter(), limit=9)) == 1
        assert len(store.candidates(search("tired", **in_project))) == 1
        as_carol = in_project | {"user": "carol", "person": CAROL}
        assert store.seen(view(**as_carol), Filter(), limit=9) == ()

    def test_scores_are_the_same_in_whichever_scopes_the_rows_stand(self) -> None:
        texts = [f"Bob likes tea and number {number}." for number in range(12)]
        bob = {"subject_person_ids": (BOB,)}
        for number, text in enumerate(texts):
            self.world.tell(text, scope=(Space.USER, f"u{number}"), created_at=NOW + timedelta(minutes=number), **bob)
        scattered = self.world.store.candidates(search("tea number 3", **GROUP))
        for number, text in enumerate(texts):
            self.world.tell(text, tenant="u", created_at=NOW + timedelta(minutes=number), **bob)
        together = self.world.store.candidates(search("tea number 3", **GROUP, tenant="u"))
        assert len(scattered) == len(texts)
        figures = [
            [(item.memory.content, item.cosine, item.bm25, item.share) for item in found]
            for found in (scattered, together)
        ]
        assert figures[0] == figures[1]

    def test_results_do_not_depend_on_what_is_invisible(self) -> None:
        store = self.world.store
        for number in range(12):
            words = "tea" if number % 3 else "tea and rain"
            self.world.tell(f"Alice likes {words} number {number}.", created_at=NOW + timedelta(minutes=number))
        asking = search("tea rain", limit=5)
        before = store.candidates(asking)
        for number in range(40):
            self.world.tell(f"Secret rain {number}.", persona_id="coach")
            self.world.tell(f"Rain rain rain {number}.", scope=(Space.USER, "bob"), subject_person_ids=(BOB,))
            self.world.tell(f"Rain {number}.", scope=(Space.USER, "alice"), tenant="u")
        assert store.candidates(asking) == before

    def test_seen_pages_newest_first(self) -> None:
        store = self.world.store
        told = [
            self.world.tell(f"Fact {number}.", created_at=NOW + timedelta(minutes=number // 3)) for number in range(10)
        ]
        wanted = list(reversed(told))
        pages: list[Memory] = []
        before = None
        while page := store.seen(view(), Filter(), limit=4, before=before):
            pages += page
            before = page[-1].id
        assert pages == wanted
        assert store.seen(view(), Filter(), limit=4, before="m_unknown") == ()

    def test_filters_narrow(self) -> None:
        store = self.world.store
        wanted = self.world.tell(
            "Alice likes tea.",
            agent_id="a",
            run_id="r",
            learned_in="c",
            actor_id="x",
            role="user",
            pinned=True,
            importance=3.0,
            category="goals",
            type=MemoryType.IDENTITY,
            entity_refs=("org:tea",),
            subject_person_ids=(ALICE,),
        )
        self.world.tell("Alice likes teapots.", updated_at=NOW - timedelta(days=9))
        filters = (
            Filter(agent_id="a"),
            Filter(run_id="r"),
            Filter(learned_in="c"),
            Filter(actor_id="x"),
            Filter(role="user"),
            Filter(pinned=True),
            Filter(importance_min=2.0),
            Filter(updated_after=NOW),
            Filter(categories=frozenset({"goals", "other"})),
            Filter(types=frozenset({"identity"})),
            Filter(entity="org:tea"),
            Filter(about=frozenset({ALICE, BOB})),
        )
        for narrow in filters:
            assert store.seen(view(), narrow, limit=9) == (wanted,), narrow
            assert [item.memory for item in store.candidates(search("likes", filter=narrow))] == [wanted], narrow
            near = store.near("t", Space.USER, "alice", search("likes", filter=narrow))
            assert [item.memory for item in near] == [wanted], narrow
        assert len(store.seen(view(), Filter(user_id="alice"), limit=9)) == 2
        for empty in (
            Filter(user_id="bob"),
            Filter(importance_max=0.5),
            Filter(updated_before=NOW - timedelta(days=30)),
            Filter(categories=frozenset()),
        ):
            assert store.seen(view(), empty, limit=9) == ()

    def test_somebody_elses_user_id_gives_nothing(self) -> None:
        self.world.tell("Alice plays chess.", subject_person_ids=(ALICE,), scope=(Space.USER, "bob"))
        assert len(self.world.store.seen(view(), Filter(), limit=9)) == 1
        assert self.world.store.seen(view(), Filter(user_id="bob"), limit=9) == ()

    def test_find_by_prefix(self) -> None:
        store = self.world.store
        told = [self.world.tell(f"Fact {number}.") for number in range(8)]
        assert len(store.find(view(), "m_")) == 5
        assert store.find(view(), told[0].id) == (told[0],)
        assert store.find(view(), told[0].id[:9]) == (told[0],)
        for odd in ("%", "m_%", "m_*", "M_", "m_\x00", "m_" + "a" * 10_000, "m\u200b_", "m_ｂ"):
            assert store.find(view(), odd) == ()
        gone = self.world.archive(told[0])
        assert store.find(view(), gone.id) == (gone,)
        secret = self.world.archive(self.world.tell("Secret.", persona_id="coach"))
        assert store.find(view(), secret.id) == ()
        others = self.world.archive(self.world.tell("Other.", scope=(Space.USER, "bob"), subject_person_ids=(ALICE,)))
        assert store.find(view(), others.id) == ()

    def test_what_is_no_longer_live_is_seen_by_its_state_in_the_own_spaces(self) -> None:
        store = self.world.store
        first, second = self.world.tell("First."), self.world.tell("Second.")
        assert store.seen(view(), Filter(), limit=9, state=State.ARCHIVED) == ()
        gone = (self.world.archive(second), self.world.archive(first))
        self.world.archive(self.world.tell("Secret.", persona_id="coach"))
        self.world.archive(self.world.tell("Other.", scope=(Space.USER, "bob"), subject_person_ids=(ALICE,)))
        soft = self.world.amend(self.world.tell("Soft."), "ttl", state=State.SOFT_DELETED)
        assert store.seen(view(), Filter(), limit=9, state=State.ARCHIVED) == gone
        assert store.seen(view(), Filter(), limit=9, state=State.ARCHIVED, before=second.id) == gone[1:]
        assert store.seen(view(), Filter(pinned=True), limit=9, state=State.ARCHIVED) == ()
        assert store.seen(view(), Filter(), limit=9, state=State.SOFT_DELETED) == (soft,)
        assert store.seen(view(), Filter(), limit=9) == ()

    def test_linked_runs_both_ways_and_only_to_what_is_visible(self) -> None:
        store = self.world.store
        centre = self.world.tell("Alice likes tea.")
        near = self.world.tell("Alice likes cake.")
        hidden = self.world.tell("Alice likes rum.", persona_id="coach")
        last = self.world.draft("Alice likes pie.")
        edges = [
            Edge(kind=EdgeKind.RELATED_TO, src=last.id, dst=other.id, strength=strength)
            for other, strength in ((centre, 0.4), (near, 0.9), (hidden, 0.8))
        ]
        again = Edge(kind=EdgeKind.RELATED_TO, src=centre.id, dst=last.id, strength=0.5)
        store.apply([self.world.change(last, is_new=True, edges=(*edges, again))], at=NOW)
        assert store.linked(view(), [last.id], limit=9) == ((last.id, near, 0.9), (last.id, centre, 0.5))
        assert store.linked(view(), [centre.id], limit=9) == ((centre.id, last, 0.5),)
        assert store.linked(view(), [last.id], limit=1) == ((last.id, near, 0.9),)
        assert store.linked(view(), [], limit=9) == ()
        assert len(store.edges("t", last.id, [EdgeKind.RELATED_TO])) == 3

    def test_cards_are_pinned_first_then_by_importance(self) -> None:
        low, high, pinned = (
            self.world.tell(f"Acme {number}.", entity_refs=("org:acme", "org:x"), importance=number, pinned=number == 0)
            for number in (1.0, 3.0, 0.0)
        )
        store = self.world.store
        assert store.with_refs(view(), ["org:acme", "org:x"], importance_min=2, limit=9) == (pinned, high)
        assert store.with_refs(view(), ["org:acme"], importance_min=0, limit=9) == (pinned, high, low)
        changed = self.world.amend(high, entity_refs=("org:y",))
        assert store.with_refs(view(), ["org:y"], importance_min=0, limit=9) == (changed,)
        assert store.with_refs(view(), ["org:acme"], importance_min=0, limit=9) == (pinned, low)

    def test_counting_by_type(self) -> None:
        self.world.tell(type=MemoryType.IDENTITY)
        self.world.tell(type=MemoryType.IDENTITY)
        self.world.tell()
        self.world.tell(kind=Kind.PROCEDURAL)
        self.world.tell(state=State.ARCHIVED)
        assert self.world.store.count(view()) == {"identity": 2, "knowledge": 1}

    def test_a_snapshot_sees_one_moment(self) -> None:
        store = self.world.store
        self.world.tell("Alice likes tea.")
        with store.snapshot():
            assert len(store.candidates(search("likes"))) == 1
            assert store.count(view()) == {"knowledge": 1}
