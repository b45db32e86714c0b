"""Conformance: writing memories, and reading them where no viewpoint asks."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta

import numpy as np

from wellkept.errors import KeyTaken, MemoryNotFound, StoreError, VersionConflict
from wellkept.store.contract import Change, Entry
from wellkept.testing.world import ALICE, BOB, MODEL, NOW, World, raises, search, vector, view
from wellkept.types import Edge, Memory, Subtype
from wellkept.vocabulary import Authority, EdgeKind, EventType, Kind, MemoryType, Sensitivity, Space, State


class MemoriesChecks:
    """Every promise of `contract.Memories`."""

    world: World

    def test_the_clock_of_a_scope_never_steps_back(self) -> None:
        store, own, other = self.world.store, (Space.USER, "alice"), (Space.CHAT, "c1")
        tick, early = timedelta(microseconds=1), NOW - timedelta(seconds=30)
        assert store.next_moment("t", [own], now=NOW) == NOW
        assert store.next_moment("t", [own], now=early) == NOW + tick
        assert store.next_moment("t", [other], now=early) == early
        with raises(RuntimeError), store.transaction():
            assert store.next_moment("t", [own], now=NOW + timedelta(days=1)) == NOW + timedelta(days=1)
            raise RuntimeError
        assert store.next_moment("t", [own, other, own], now=early) == NOW + 2 * tick
        assert store.next_moment("t", [other], now=early) == NOW + 3 * tick
        assert store.next_moment("t", [own], now=early) == NOW + 3 * tick
        assert store.next_moment("u", [own], now=early) == early

    def test_every_field_comes_back(self) -> None:
        full = self.world.draft(
            "Ana lives in Porto.",
            quote="my sister Ana lives in Porto",
            language="en",
            type=MemoryType.IDENTITY,
            event_type=EventType.CORRECTION,
            category="relationships",
            tags=("family", "città"),
            steps=("one", "two"),
            persona_id="coach",
            agent_id="planner",
            run_id="r1",
            actor_id="alice",
            role="user",
            subject_person_ids=(BOB, ALICE),
            stated_by=ALICE,
            learned_in="c1",
            learned_in_type="group",
            source="tool",
            origin="import",
            source_username="al",
            source_display_name="Alice",
            source_session_id="s1",
            source_message_id="m1",
            entity_refs=("person:ana", "place:porto"),
            entity_label="Ana",
            subtype=Subtype(entity_type="place", fact_type="habit"),
            fact_key="p_ana:city",
            value="porto",
            sensitivity=Sensitivity.PERSONAL,
            portable=False,
            confidential=True,
            importance=2.5,
            pinned=True,
            confidence=0.75,
            authority=Authority.TOOL_VERIFIED,
            authority_reason="source:tool",
            is_correction=True,
            mention_count=4,
            access_count=2,
            state=State.ACTIVE,
            archive_reason="none",
            last_accessed_at=NOW,
            event_at=NOW + timedelta(days=1, microseconds=1),
            expires_at=NOW + timedelta(days=2),
            purge_at=NOW + timedelta(days=3),
            valid_from=NOW - timedelta(days=4000),
            valid_to=NOW + timedelta(days=5),
            superseded_at=NOW,
            superseded_by="m_x",
            tick=7,
            phase_id="ph",
            meta={"a": [1, {"b": None}], "ü": "ß"},
        )
        defaults = {field.name for field in fields(Memory) if getattr(full, field.name) == field.default}
        assert defaults <= {"version", "kind", "state"}, "the check must set every field to something else"
        self.world.store.apply([self.world.change(full, is_new=True)], at=NOW)
        assert self.world.store.memory("t", full.id) == full

    def test_ids_are_deterministic_and_tell_nothing(self) -> None:
        store = self.world.store
        first = [store.next_id("t", Space.USER, "alice", Kind.SEMANTIC) for _ in range(3)]
        assert len(set(first)) == 3
        others = [
            store.next_id("u", Space.USER, "alice", Kind.SEMANTIC),
            store.next_id("t", Space.CHAT, "alice", Kind.SEMANTIC),
            store.next_id("t", Space.USER, "bob", Kind.SEMANTIC),
            store.next_id("t", Space.USER, "alice", Kind.EPISODIC),
        ]
        assert len({*first, *others}) == 7
        assert all(len(memory_id) == 18 and memory_id.startswith("m_") for memory_id in (*first, *others))
        assert store.next_id("t", Space.USER, "alice", "person").startswith("p_")

    def test_an_id_that_was_rolled_back_is_given_again(self) -> None:
        store = self.world.store
        with raises(ZeroDivisionError), store.transaction():
            lost = store.next_id("t", Space.USER, "alice", Kind.SEMANTIC)
            _ = 1 // 0
        assert store.next_id("t", Space.USER, "alice", Kind.SEMANTIC) == lost

    def test_a_transaction_is_all_or_nothing(self) -> None:
        store = self.world.store
        with raises(ZeroDivisionError), store.transaction():
            lost = self.world.tell()
            self.world.person(BOB, "Bob")
            _ = 1 // 0
        assert store.memory("t", lost.id) is None
        assert store.person("t", BOB) is None
        assert store.history("t", lost.id, limit=9) == ()
        assert store.candidates(search("tea")) == ()
        assert not list(store.verify("t"))

    def test_a_part_of_a_transaction_may_fail_alone(self) -> None:
        store = self.world.store
        with store.transaction():
            kept = self.world.tell("Alice likes tea.")
            with raises(ZeroDivisionError), store.transaction():
                lost = self.world.tell("Alice likes coffee.")
                _ = 1 // 0
        assert store.memory("t", kept.id) == kept
        assert store.memory("t", lost.id) is None
        assert not list(store.verify("t"))

    def test_what_was_rolled_back_is_in_no_cache(self) -> None:
        store = self.world.store
        self.world.tell("Alice likes tea.")
        with raises(ZeroDivisionError), store.transaction():
            self.world.tell("Alice likes coffee.")
            assert len(store.near("t", Space.USER, "alice", search("coffee"))) == 2
            assert len(store.candidates(search("coffee"))) == 2
            _ = 1 // 0
        self.world.tell("Alice likes juice.")
        for found in (store.candidates(search("coffee")), store.near("t", Space.USER, "alice", search("coffee"))):
            assert {item.memory.content for item in found} == {"Alice likes tea.", "Alice likes juice."}

    def test_one_live_memory_holds_a_key(self) -> None:
        store = self.world.store
        live = self.world.tell(discriminator="city")
        second = self.world.draft("Alice likes coffee.", discriminator="city")
        with raises(KeyTaken) as caught:
            store.apply([self.world.change(second, is_new=True)], at=NOW)
        assert getattr(caught[0], "live_id", None) == live.id
        assert store.memory("t", second.id) is None
        assert store.history("t", second.id, limit=1) == ()
        assert store.holder("t", Space.USER, "alice", live.memory_key, "city") == live
        self.world.tell(discriminator="city", scope=(Space.USER, "bob"))
        self.world.tell(discriminator="city", memory_key="another")

    def test_a_key_is_free_again_in_the_same_apply(self) -> None:
        store = self.world.store
        old = self.world.tell(discriminator="city")
        new = self.world.draft("Alice likes coffee.", discriminator="city")
        over = replace(old, version=2, state=State.SUPERSEDED, superseded_at=NOW, superseded_by=new.id)
        edge = Edge(kind=EdgeKind.SUPERSEDES, src=new.id, dst=old.id)
        changes = [self.world.change(new, is_new=True, edges=(edge,)), self.world.change(over, "update")]
        store.apply(changes, at=NOW)
        assert store.holder("t", Space.USER, "alice", new.memory_key, "city") == new
        assert [row.entry.op for row in store.rows("t")] == ["update", "create", "create"]

    def test_the_taken_key_leaves_the_rest_of_a_transaction_alone(self) -> None:
        store = self.world.store
        live = self.world.tell(discriminator="city")
        with store.transaction():
            other = self.world.tell("Alice sings.")
            with raises(KeyTaken):
                self.world.tell(discriminator="city")
            assert store.holder("t", Space.USER, "alice", live.memory_key, "city") == live
        assert store.memory("t", other.id) == other

    def test_a_taken_key_that_is_not_apart_takes_the_whole_transaction_along(self) -> None:
        store = self.world.store
        live = self.world.tell(discriminator="city")
        new = replace(live, id=store.next_id("t", Space.USER, "alice", Kind.SEMANTIC))
        with raises(KeyTaken), store.transaction():
            other = self.world.tell("Alice sings.")
            store.apply([self.world.change(new, is_new=True)], at=NOW, is_apart=False)
        assert store.memory("t", other.id) is store.memory("t", new.id) is None
        assert store.memory("t", live.id) == live

    def test_an_expired_memory_holds_its_key_until_it_is_archived(self) -> None:
        dead = self.world.tell(discriminator="city", expires_at=NOW - timedelta(days=1))
        assert self.world.store.holder("t", Space.USER, "alice", dead.memory_key, "city") == dead
        self.world.archive(dead, "expired")
        self.world.tell(discriminator="city")

    def test_restoring_onto_a_taken_key_is_refused(self) -> None:
        old = self.world.archive(self.world.tell(discriminator="city"))
        new = self.world.tell(discriminator="city")
        with raises(KeyTaken) as caught:
            self.world.amend(old, "restore", state=State.ACTIVE, archive_reason=None)
        assert getattr(caught[0], "live_id", None) == new.id
        assert self.world.store.memory("t", old.id) == old

    def test_a_change_decided_over_an_older_version_is_refused(self) -> None:
        first = self.world.tell()
        second = self.world.amend(first, importance=2.0)
        with raises(VersionConflict):
            self.world.amend(first, importance=3.0)
        assert self.world.store.memory("t", first.id) == second
        with raises(MemoryNotFound):
            self.world.amend(replace(first, id="m_none"))

    def test_archived_leaves_the_index_and_restored_returns(self) -> None:
        store = self.world.store
        memory = self.world.archive(self.world.tell("Alice likes tea."))
        everything = {"now": NOW, "include_expired": True}
        assert store.candidates(search("tea", **everything)) == ()
        back = self.world.amend(memory, "restore", state=State.ACTIVE, archive_reason=None)
        found = store.candidates(search("tea"))
        assert [item.memory for item in found] == [back]
        assert found[0].bm25 is not None
        assert found[0].cosine is None
        assert store.unembedded("t", MODEL, limit=5) == (back,)

    def test_superseded_memories_are_found_as_of_an_earlier_day(self) -> None:
        store = self.world.store
        day = timedelta(days=1)
        old = self.world.tell("Alice lives in Rome.", valid_from=NOW - 9 * day)
        for after in ({"state": State.SUPERSEDED}, {"state": State.ARCHIVED, "archive_reason": "superseded"}):
            old = self.world.amend(old, valid_to=NOW - day, superseded_at=NOW, **after)
            assert store.candidates(search("Rome")) == ()
            found = store.candidates(search("Rome", as_of=NOW - 2 * day))
            assert [item.memory for item in found] == [old]

    def test_versions_keep_every_text(self) -> None:
        store = self.world.store
        memory = self.world.tell("Alice likes tea.", quote="I like tea")
        memory = self.world.amend(memory, importance=2.0)
        memory = self.world.reword(memory, "Alice likes green tea.")
        kept = [(item.version, item.content, item.quote) for item in store.versions("t", memory.id)]
        assert kept == [(1, "Alice likes tea.", "I like tea"), (3, "Alice likes green tea.", "I like tea")]
        assert store.memory("t", memory.id) == memory
        assert [item.memory for item in store.candidates(search("green"))] == [memory]

    def test_slots_are_listed_newest_first(self) -> None:
        later = NOW + timedelta(hours=1)
        first = self.world.tell("Alice likes tea.", fact_key="likes", value="tea")
        last = self.world.tell("Alice likes juice.", fact_key="likes", value="juice", created_at=later)
        self.world.archive(self.world.tell("Alice likes milk.", fact_key="likes"))
        self.world.tell("Bob likes tea.", fact_key="likes", scope=(Space.USER, "bob"))
        assert self.world.store.in_slot("t", Space.USER, "alice", "likes") == (last, first)
        assert self.world.store.in_slot("t", Space.USER, "nobody", "likes") == ()
        assert self.world.store.in_slot("t", Space.USER, "alice", "likes", value=first.value) == (first,)

    def test_what_ended_without_a_successor_is_told_apart(self) -> None:
        store, later = self.world.store, NOW + timedelta(hours=1)
        first, second, replaced, live = (
            self.world.tell(f"Alice likes {what}.") for what in ("tea", "go", "milk", "ale")
        )
        for memory, at, by in ((first, NOW, None), (second, later, None), (replaced, later, live.id)):
            self.world.amend(memory, state=State.SUPERSEDED, superseded_at=at, superseded_by=by, valid_to=at)
        ended = store.retracted("t", Space.USER, "alice", limit=10)
        assert [memory.id for memory in ended] == [second.id, first.id]
        assert [memory.id for memory in store.retracted("t", Space.USER, "alice", limit=1)] == [second.id]
        assert store.retracted("t", Space.USER, "nobody", limit=10) == ()

    def test_near_sees_the_whole_scope_and_nothing_else(self) -> None:
        store = self.world.store
        hidden = self.world.tell("Alice likes tea.", persona_id="coach", confidential=True, learned_in="c9")
        self.world.tell("Bob likes tea.", scope=(Space.USER, "bob"))
        self.world.tell("Alice likes tea cakes.", expires_at=NOW)
        self.world.archive(self.world.tell("Alice likes tea rooms."))
        self.world.tell("Boil water for tea.", kind=Kind.PROCEDURAL)
        found = store.near("t", Space.USER, "alice", search("tea"))
        assert [item.memory for item in found] == [hidden]
        assert store.near("t", Space.USER, "nobody", search("tea")) == ()

    def test_said_about_crosses_owners(self) -> None:
        store = self.world.store
        own = self.world.tell("Bob sings.", subject_person_ids=(BOB,))
        other = self.world.tell("Bob dances.", subject_person_ids=(BOB, ALICE), scope=(Space.USER, "bob"))
        self.world.archive(self.world.tell("Bob paints.", subject_person_ids=(BOB,)))
        assert {memory.id for memory in store.said_about("t", BOB)} == {own.id, other.id}
        assert store.said_about("t", ALICE) == (other,)
        moved = self.world.amend(own, subject_person_ids=(ALICE,))
        assert {memory.id for memory in store.said_about("t", ALICE)} == {moved.id, other.id}
        assert store.said_about("u", ALICE) == ()
        heard = self.world.tell("Alice snores.", subject_person_ids=(ALICE,), stated_by=BOB)
        self.world.tell("Alice reads.", subject_person_ids=(ALICE,), stated_by=ALICE)
        self.world.tell("Alice runs.", subject_person_ids=(ALICE,), stated_by=None)
        assert heard in store.said_about("t", ALICE, by_others=True)
        assert {one.stated_by for one in store.said_about("t", ALICE, by_others=True)} == {BOB}

    def test_due_names_what_gc_archives(self) -> None:
        store = self.world.store
        gone = self.world.amend(self.world.tell(), state=State.SUPERSEDED, superseded_at=NOW)
        expired = self.world.tell(expires_at=NOW)
        decayed = self.world.tell(type=MemoryType.OBSERVATION, observed_at=NOW - timedelta(days=3))
        self.world.tell(type=MemoryType.OBSERVATION)
        self.world.tell()
        due = store.due("t", now=NOW, limit=9)
        assert [(item.memory.id, item.reason) for item in due[:1]] == [(gone.id, "superseded")]
        assert {(item.memory.id, item.reason) for item in due[1:]} == {
            (expired.id, "expired"),
            (decayed.id, "ephemeral_decay"),
        }
        assert store.due("t", now=NOW, limit=2) == due[:2]
        assert store.due("t", now=NOW - timedelta(days=9), limit=9) == due[:1]

    def test_a_memory_without_vectors_is_found_by_words_and_embedded_later(self) -> None:
        store = self.world.store
        memory = self.world.draft("Alice likes tea.")
        self.world.store.apply([replace(self.world.change(memory, is_new=True), vectors=None, model=None)], at=NOW)
        found = store.candidates(search("tea"))
        assert [(item.memory, item.cosine) for item in found] == [(memory, None)]
        assert store.unembedded("t", MODEL, limit=5) == (memory,)
        store.embed(memory, vector(memory.content)[None, :], model=MODEL)
        assert store.unembedded("t", MODEL, limit=5) == ()
        assert [item.cosine is not None for item in store.candidates(search("tea"))] == [True]
        assert store.unembedded("t", "a-model", limit=5) == (memory,)
        assert store.unembedded("t", "z-model", limit=5) == (memory,)
        assert store.memory("t", memory.id) == memory

    def test_embedding_a_text_that_has_changed_does_nothing(self) -> None:
        store = self.world.store
        old = self.world.tell("Alice likes tea.")
        self.world.reword(old, "Alice likes coffee.")
        store.embed(old, vector("Alice likes tea.")[None, :], model="late@1")
        assert store.unembedded("t", MODEL, limit=5) == ()

    def test_vectors_of_another_model_are_not_compared(self) -> None:
        self.world.tell("Alice likes tea.")
        found = self.world.store.candidates(search("tea", model="other@1"))
        assert [item.cosine for item in found] == [None]

    def test_the_best_piece_of_a_text_counts(self) -> None:
        store = self.world.store
        memory = self.world.tell("Alice likes tea.")
        pieces = [vector("trains"), vector("green tea"), vector("planes")]
        store.embed(memory, pieces[0][None, :], model=MODEL)
        low = store.candidates(search("green tea"))[0].cosine
        store.embed(memory, np.stack(pieces), model=MODEL)
        high = store.candidates(search("green tea"))[0].cosine
        assert low is not None
        assert high is not None
        assert low < 0.9 < high

    def test_purge_leaves_only_the_ledger(self) -> None:
        store = self.world.store
        other = self.world.tell("Alice likes cake.")
        edge = Edge(kind=EdgeKind.RELATED_TO, src=other.id, dst="m_placeholder", strength=0.5)
        memory = self.world.tell("Alice likes tea.", entity_refs=("org:tea",), subject_person_ids=(ALICE,))
        link = replace(edge, dst=memory.id)
        other = self.world.amend(other, importance=2.0)
        store.apply([Change(memory=replace(other, version=3), entry=Entry(op="link"), edges=(link,))], at=NOW)
        store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id, reason="purged"), at=NOW)
        assert store.memory("t", memory.id) is None
        assert store.versions("t", memory.id) == ()
        assert [item.memory.id for item in store.candidates(search("tea"))] == [other.id]
        assert store.linked(view(), [other.id], limit=5) == ()
        assert store.edges("t", memory.id, list(EdgeKind)) == ()
        assert [row.entry.op for row in store.history("t", memory.id, limit=9)] == ["delete", "create"]
        assert not list(store.verify("t"))
        with raises(MemoryNotFound):
            store.purge("t", memory.id, Entry(op="delete"), at=NOW)
        assert store.scrub()

    def test_counts_and_rebuilding_the_index(self) -> None:
        store = self.world.store
        self.world.tell("Alice likes tea.")
        self.world.archive(self.world.tell("Alice likes milk."))
        self.world.amend(self.world.tell("Alice likes juice."), state=State.SUPERSEDED)
        assert store.counts("t") == {State.ACTIVE: 1, State.ARCHIVED: 1, State.SUPERSEDED: 1}
        before = store.candidates(search("tea"))
        assert store.rebuild_index("t") == 2
        assert store.candidates(search("tea")) == before

    def test_supersedes_never_goes_in_a_circle(self) -> None:
        store = self.world.store
        one, two, three = (self.world.tell(f"Alice has {number} cats.") for number in (1, 2, 3))

        def above(new: Memory, old: Memory) -> None:
            current = store.memory("t", new.id)
            assert current is not None
            edge = Edge(kind=EdgeKind.SUPERSEDES, src=new.id, dst=old.id)
            changed = replace(current, version=current.version + 1)
            store.apply([self.world.change(changed, "update", edges=(edge,))], at=NOW)

        above(two, one)
        above(three, two)
        for new, old in ((one, three), (one, two), (two, two)):
            with raises(StoreError):
                above(new, old)
        assert len(store.edges("t", two.id, [EdgeKind.SUPERSEDES])) == 2
