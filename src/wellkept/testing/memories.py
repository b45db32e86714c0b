"""Conformance: memories: writing them, what a viewpoint reads of them, and when their life is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from wellkept.errors import KeyTaken, MemoryNotFound, StoreError, VersionConflict
from wellkept.store.contract import (
    Archived,
    Attendance,
    Change,
    Claim,
    Due,
    Embedded,
    Entry,
    EverStored,
    Filter,
    HeldKey,
    Idle,
    InSlot,
    Item,
    KnownUser,
    Listing,
    NeverEmbedded,
    NewestRows,
    NewJob,
    Purgeable,
    Reads,
    Retracted,
    RowsAbout,
    SaidAbout,
    Step,
    Unembedded,
)
from wellkept.testing.world import ALICE, BOB, CAROL, MODEL, NOW, Checks, raises, search, vector, view
from wellkept.types import Edge, Memory, Subtype
from wellkept.vocabulary import Authority, EdgeKind, EventType, Kind, MemoryType, Sensitivity, Space, State

_OTHERS: Mapping[str, Any] = {
    "str": "città ü",
    "int": 7,
    "float": 2.5,
    "datetime": NOW + timedelta(days=1, microseconds=1),
    "tuple[str, ...]": ("two", "città"),
    "Mapping[str, Any]": {"a": [1, {"b": None}], "ü": "ß"},
    "Subtype": Subtype(entity_type="place", fact_type="habit"),
    "ChatType": "group",
    "Source": "tool",
    "Origin": "import",
    **{kind.__name__: [*kind][-1] for kind in (Authority, EventType, Kind, MemoryType, Sensitivity, State)},
}
"""By the type of a field, a value that is not its default."""


def _another(one: Field[Any]) -> Any:  # noqa: ANN401 -- of any field
    return not one.default if one.type == "bool" else _OTHERS[str(one.type).removesuffix(" | None")]


class MemoriesChecks(Checks):
    """Every promise of `contract.Store`, section "Memories"."""

    def test_the_clock_of_a_scope_never_steps_back(self) -> None:
        own, other = (Space.USER, "alice"), (Space.CHAT, "c1")
        tick, early = timedelta(microseconds=1), NOW - timedelta(seconds=30)

        def told(*places: tuple[Space, str], now: datetime = early, tenant: str = "t") -> datetime:
            return self.store.next_moment(tenant, places, now=now)[0]

        assert told(own, now=NOW) == NOW
        assert told(own) == NOW + tick
        assert told(other) == early
        with raises(RuntimeError), self.store.transaction():
            assert told(own, now=NOW + timedelta(days=1)) == NOW + timedelta(days=1)
            raise RuntimeError
        assert told(own, other, own) == NOW + 2 * tick
        assert told(other) == told(own) == NOW + 3 * tick
        assert told(own, tenant="u") == early
        ticking = [self.store.next_moment("t", [own], now=early, is_ticking=True) for _ in range(2)]
        assert ticking == [(NOW + 4 * tick, 1), (NOW + 5 * tick, 2)]

    def test_every_field_comes_back(self) -> None:
        given: dict[str, Any] = {
            one.name: _another(one)
            for one in fields(Memory)
            if one.name not in ("id", "tenant", "content", "space", "owner")
        }
        full = self.world.draft(
            "Ana lives in Porto.", **given | {"version": 1, "kind": Kind.SEMANTIC, "state": State.ACTIVE}
        )
        defaults = {field.name for field in fields(Memory) if getattr(full, field.name) == field.default}
        assert defaults <= {"version", "kind", "state"}, "the check must set every field to something else"
        self.store.apply([self.world.change(full, is_new=True)], at=NOW)
        assert self.store.memory("t", full.id) == full

    def test_ids_are_deterministic_and_tell_nothing(self) -> None:
        first = [self.store.next_id("t", Space.USER, "alice", Kind.SEMANTIC) for _ in range(3)]
        assert len(set(first)) == 3
        others = [
            self.store.next_id("u", Space.USER, "alice", Kind.SEMANTIC),
            self.store.next_id("t", Space.CHAT, "alice", Kind.SEMANTIC),
            self.store.next_id("t", Space.USER, "bob", Kind.SEMANTIC),
            self.store.next_id("t", Space.USER, "alice", Kind.EPISODIC),
        ]
        assert len({*first, *others}) == 7
        assert all(len(memory_id) == 18 and memory_id.startswith("m_") for memory_id in (*first, *others))
        assert self.store.next_id("t", Space.USER, "alice", "person").startswith("p_")

    def test_an_id_that_was_rolled_back_is_given_again(self) -> None:
        with raises(ZeroDivisionError), self.store.transaction():
            lost = self.store.next_id("t", Space.USER, "alice", Kind.SEMANTIC)
            _ = 1 // 0
        assert self.store.next_id("t", Space.USER, "alice", Kind.SEMANTIC) == lost

    def test_a_transaction_is_all_or_nothing(self) -> None:
        with raises(ZeroDivisionError), self.store.transaction():
            lost = self.world.tell()
            self.world.person(BOB, "Bob")
            _ = 1 // 0
        assert self.store.memory("t", lost.id) is None
        assert self.store.person("t", BOB) is None
        assert self.store.ledger(RowsAbout(tenant="t", memory_id=lost.id, limit=9)) == ()
        assert self.store.candidates(search("tea")) == ()
        assert not list(self.store.verify("t"))

    def test_a_write_in_a_place_is_a_transaction(self) -> None:
        store, own = self.world.store, [(Space.USER, "alice")]

        def fail() -> None:
            self.world.tell("Alice likes coffee.")
            _ = 1 // 0

        kept = store.write_in("t", own, lambda: self.world.tell("Alice likes tea."))
        with raises(ZeroDivisionError):
            store.write_in("t", own, fail, chat="c1")
        elsewhere = store.write_in("t", own, lambda: self.world.tell("Tea is here.", scope=(Space.CHAT, "c1")))
        with raises(RuntimeError), store.transaction():
            store.write_in("t", own, lambda: self.world.tell("Alice likes juice."))
            raise RuntimeError
        assert {memory.id for memory in store.every("t")} == {kept.id, elsewhere.id}
        assert not list(store.verify("t"))

    def test_a_part_of_a_transaction_may_fail_alone(self) -> None:
        with self.store.transaction():
            kept = self.world.tell("Alice likes tea.")
            with raises(ZeroDivisionError), self.store.transaction():
                lost = self.world.tell("Alice likes coffee.")
                _ = 1 // 0
        assert self.store.memory("t", kept.id) == kept
        assert self.store.memory("t", lost.id) is None
        assert not list(self.store.verify("t"))

    def test_what_was_rolled_back_is_in_no_cache(self) -> None:
        self.world.tell("Alice likes tea.")
        with raises(ZeroDivisionError), self.store.transaction():
            self.world.tell("Alice likes coffee.")
            assert len(self.store.candidates(search("coffee"), within=(Space.USER, "alice"))) == 2
            assert len(self.store.candidates(search("coffee"))) == 2
            _ = 1 // 0
        self.world.tell("Alice likes juice.")
        for found in (
            self.store.candidates(search("coffee")),
            self.store.candidates(search("coffee"), within=(Space.USER, "alice")),
        ):
            assert {item.memory.content for item in found} == {"Alice likes tea.", "Alice likes juice."}

    def test_one_live_memory_holds_a_key(self) -> None:
        live = self.world.tell(discriminator="city")
        second = self.world.draft("Alice likes coffee.", discriminator="city")
        with raises(KeyTaken) as caught:
            self.store.apply([self.world.change(second, is_new=True)], at=NOW)
        assert getattr(caught[0], "live_id", None) == live.id
        assert self.store.memory("t", second.id) is None
        assert self.store.ledger(RowsAbout(tenant="t", memory_id=second.id, limit=1)) == ()
        assert self.store.memory("t", HeldKey.of(live)) == live
        self.world.tell(discriminator="city", scope=(Space.USER, "bob"))
        self.world.tell(discriminator="city", memory_key="another")

    def test_a_key_is_free_again_in_the_same_apply(self) -> None:
        old = self.world.tell(discriminator="city")
        new = self.world.draft("Alice likes coffee.", discriminator="city")
        over = replace(old, version=2, state=State.SUPERSEDED, superseded_at=NOW, superseded_by=new.id)
        edge = Edge(kind=EdgeKind.SUPERSEDES, src=new.id, dst=old.id)
        changes = [self.world.change(new, is_new=True, edges=(edge,)), self.world.change(over, "update")]
        self.store.apply(changes, at=NOW)
        assert self.store.memory("t", HeldKey.of(new)) == new
        assert [row.entry.op for row in self.store.ledger(NewestRows(tenant="t"))] == ["update", "create", "create"]

    def test_the_taken_key_leaves_the_rest_of_a_transaction_alone(self) -> None:
        live = self.world.tell(discriminator="city")
        with self.store.transaction():
            other = self.world.tell("Alice sings.")
            with raises(KeyTaken):
                self.world.tell(discriminator="city")
            assert self.store.memory("t", HeldKey.of(live)) == live
        assert self.store.memory("t", other.id) == other

    def test_a_taken_key_that_is_not_apart_takes_the_whole_transaction_along(self) -> None:
        live = self.world.tell(discriminator="city")
        new = replace(live, id=self.store.next_id("t", Space.USER, "alice", Kind.SEMANTIC))
        with raises(KeyTaken), self.store.transaction():
            other = self.world.tell("Alice sings.")
            self.store.apply([self.world.change(new, is_new=True)], at=NOW, is_apart=False)
        assert self.store.memory("t", other.id) is self.store.memory("t", new.id) is None
        assert self.store.memory("t", live.id) == live

    def test_an_expired_memory_holds_its_key_until_it_is_archived(self) -> None:
        dead = self.world.tell(discriminator="city", expires_at=NOW - timedelta(days=1))
        assert self.store.memory("t", HeldKey.of(dead)) == dead
        self.world.archive(dead, "expired")
        self.world.tell(discriminator="city")

    def test_restoring_onto_a_taken_key_is_refused(self) -> None:
        old = self.world.archive(self.world.tell(discriminator="city"))
        new = self.world.tell(discriminator="city")
        with raises(KeyTaken) as caught:
            self.world.amend(old, "restore", state=State.ACTIVE, archive_reason=None)
        assert getattr(caught[0], "live_id", None) == new.id
        assert self.store.memory("t", old.id) == old

    def test_a_change_decided_over_an_older_version_is_refused(self) -> None:
        first = self.world.tell()
        second = self.world.amend(first, importance=2.0)
        with raises(VersionConflict):
            self.world.amend(first, importance=3.0)
        assert self.store.memory("t", first.id) == second
        with raises(MemoryNotFound):
            self.world.amend(replace(first, id="m_none"))

    def test_archived_leaves_the_index_and_restored_returns(self) -> None:
        memory = self.world.archive(self.world.tell("Alice likes tea."))
        everything = {"now": NOW, "include_expired": True}
        assert self.store.candidates(search("tea", **everything)) == ()
        back = self.world.amend(memory, "restore", state=State.ACTIVE, archive_reason=None)
        found = self.store.candidates(search("tea"))
        assert [item.memory for item in found] == [back]
        assert found[0].bm25 is not None
        assert found[0].cosine is None
        assert self.store.memories(Unembedded(tenant="t", model=MODEL, limit=5)) == (back,)

    def test_superseded_memories_are_found_as_of_an_earlier_day(self) -> None:
        day = timedelta(days=1)
        old = self.world.tell("Alice lives in Rome.", valid_from=NOW - 9 * day)
        for after in ({"state": State.SUPERSEDED}, {"state": State.ARCHIVED, "archive_reason": "superseded"}):
            old = self.world.amend(old, valid_to=NOW - day, superseded_at=NOW, **after)
            assert self.store.candidates(search("Rome")) == ()
            found = self.store.candidates(search("Rome", as_of=NOW - 2 * day))
            assert [item.memory for item in found] == [old]

    def test_versions_keep_every_text(self) -> None:
        memory = self.world.tell("Alice likes tea.", quote="I like tea")
        memory = self.world.amend(memory, importance=2.0)
        memory = self.world.reword(memory, "Alice likes green tea.")
        kept = [(item.version, item.content, item.quote) for item in self.store.versions("t", memory.id)]
        assert kept == [(1, "Alice likes tea.", "I like tea"), (3, "Alice likes green tea.", "I like tea")]
        assert self.store.memory("t", memory.id) == memory
        assert [item.memory for item in self.store.candidates(search("green"))] == [memory]

    def test_slots_are_listed_newest_first(self) -> None:
        later = NOW + timedelta(hours=1)
        first = self.world.tell("Alice likes tea.", fact_key="likes", value="tea")
        last = self.world.tell("Alice likes juice.", fact_key="likes", value="juice", created_at=later)
        self.world.archive(self.world.tell("Alice likes milk.", fact_key="likes"))
        self.world.tell("Bob likes tea.", fact_key="likes", scope=(Space.USER, "bob"))
        assert self.store.memories(InSlot(scope=("t", Space.USER, "alice"), fact_keys=("likes",))) == (
            last,
            first,
        )
        assert self.store.memories(InSlot(scope=("t", Space.USER, "nobody"), fact_keys=("likes",))) == ()
        assert self.store.memories(
            InSlot(scope=("t", Space.USER, "alice"), fact_keys=("likes",), value=first.value)
        ) == (first,)

    def test_what_ended_without_a_successor_is_told_apart(self) -> None:
        store, later = self.world.store, NOW + timedelta(hours=1)
        first, second, replaced, live = (
            self.world.tell(f"Alice likes {what}.") for what in ("tea", "go", "milk", "ale")
        )
        for memory, at, by in ((first, NOW, None), (second, later, None), (replaced, later, live.id)):
            self.world.amend(memory, state=State.SUPERSEDED, superseded_at=at, superseded_by=by, valid_to=at)
        ended = store.memories(Retracted(scope=("t", Space.USER, "alice"), limit=10))
        assert [memory.id for memory in ended] == [second.id, first.id]
        assert [memory.id for memory in store.memories(Retracted(scope=("t", Space.USER, "alice"), limit=1))] == [
            second.id
        ]
        assert store.memories(Retracted(scope=("t", Space.USER, "nobody"), limit=10)) == ()

    def test_near_sees_the_whole_scope_and_nothing_else(self) -> None:
        hidden = self.world.tell("Alice likes tea.", persona_id="coach", confidential=True, learned_in="c9")
        self.world.tell("Bob likes tea.", scope=(Space.USER, "bob"))
        self.world.tell("Alice likes tea cakes.", expires_at=NOW)
        self.world.archive(self.world.tell("Alice likes tea rooms."))
        self.world.tell("Boil water for tea.", kind=Kind.PROCEDURAL)
        found = self.store.candidates(search("tea"), within=(Space.USER, "alice"))
        assert [item.memory for item in found] == [hidden]
        assert self.store.candidates(search("tea"), within=(Space.USER, "nobody")) == ()

    def test_said_about_crosses_owners(self) -> None:
        own = self.world.tell("Bob sings.", subject_person_ids=(BOB,))
        other = self.world.tell("Bob dances.", subject_person_ids=(BOB, ALICE), scope=(Space.USER, "bob"))
        self.world.archive(self.world.tell("Bob paints.", subject_person_ids=(BOB,)))
        assert {memory.id for memory in self.store.memories(SaidAbout(tenant="t", person_id=BOB))} == {own.id, other.id}
        assert self.store.memories(SaidAbout(tenant="t", person_id=ALICE)) == (other,)
        moved = self.world.amend(own, subject_person_ids=(ALICE,))
        assert {memory.id for memory in self.store.memories(SaidAbout(tenant="t", person_id=ALICE))} == {
            moved.id,
            other.id,
        }
        assert self.store.memories(SaidAbout(tenant="u", person_id=ALICE)) == ()
        heard = self.world.tell("Alice snores.", subject_person_ids=(ALICE,), stated_by=BOB)
        self.world.tell("Alice reads.", subject_person_ids=(ALICE,), stated_by=ALICE)
        self.world.tell("Alice runs.", subject_person_ids=(ALICE,), stated_by=None)
        assert heard in self.store.memories(SaidAbout(tenant="t", person_id=ALICE, by_others=True))
        assert {
            one.stated_by for one in self.store.memories(SaidAbout(tenant="t", person_id=ALICE, by_others=True))
        } == {BOB}

    def test_due_names_what_gc_archives(self) -> None:
        gone = self.world.amend(self.world.tell(), state=State.SUPERSEDED, superseded_at=NOW)
        expired = self.world.tell(expires_at=NOW)
        decayed = self.world.tell(type=MemoryType.OBSERVATION, observed_at=NOW - timedelta(days=3))
        self.world.tell(type=MemoryType.OBSERVATION)
        self.world.tell()
        due = self.store.memories(Due(tenant="t", now=NOW, limit=9))
        assert due[:1] == (gone,), "the superseded first"
        assert {memory.id for memory in due[1:]} == {
            expired.id,
            decayed.id,
        }
        assert self.store.memories(Due(tenant="t", now=NOW, limit=2)) == due[:2]
        assert self.store.memories(Due(tenant="t", now=NOW - timedelta(days=9), limit=9)) == due[:1]

    def test_a_memory_without_vectors_is_found_by_words_and_embedded_later(self) -> None:
        memory = self.world.draft("Alice likes tea.")
        self.store.apply([replace(self.world.change(memory, is_new=True), vectors=None, model=None)], at=NOW)
        found = self.store.candidates(search("tea"))
        assert [(item.memory, item.cosine) for item in found] == [(memory, None)]
        assert self.store.memories(Unembedded(tenant="t", model=MODEL, limit=5)) == (memory,)
        self.store.keep(Embedded(said=memory, vectors=vector(memory.content)[None, :], model=MODEL))
        assert self.store.memories(Unembedded(tenant="t", model=MODEL, limit=5)) == ()
        assert [item.cosine is not None for item in self.store.candidates(search("tea"))] == [True]
        assert self.store.memories(Unembedded(tenant="t", model="a-model", limit=5)) == (memory,)
        assert self.store.memories(Unembedded(tenant="t", model="z-model", limit=5)) == (memory,)
        assert self.store.memory("t", memory.id) == memory

    def test_embedding_a_text_that_has_changed_does_nothing(self) -> None:
        old = self.world.tell("Alice likes tea.")
        self.world.reword(old, "Alice likes coffee.")
        self.store.keep(Embedded(said=old, vectors=vector("Alice likes tea.")[None, :], model="late@1"))
        assert self.store.memories(Unembedded(tenant="t", model=MODEL, limit=5)) == ()

    def test_vectors_of_another_model_are_not_compared(self) -> None:
        self.world.tell("Alice likes tea.")
        found = self.store.candidates(search("tea", model="other@1"))
        assert [item.cosine for item in found] == [None]

    def test_the_best_piece_of_a_text_counts(self) -> None:
        memory = self.world.tell("Alice likes tea.")
        pieces = [vector("trains"), vector("green tea"), vector("planes")]
        self.store.keep(Embedded(said=memory, vectors=pieces[0][None, :], model=MODEL))
        low = self.store.candidates(search("green tea"))[0].cosine
        self.store.keep(Embedded(said=memory, vectors=np.stack(pieces), model=MODEL))
        high = self.store.candidates(search("green tea"))[0].cosine
        assert low is not None
        assert high is not None
        assert low < 0.9 < high

    def test_purge_leaves_only_the_ledger(self) -> None:
        other = self.world.tell("Alice likes cake.")
        edge = Edge(kind=EdgeKind.RELATED_TO, src=other.id, dst="m_placeholder", strength=0.5)
        memory = self.world.tell("Alice likes tea.", entity_refs=("org:tea",), subject_person_ids=(ALICE,))
        link = replace(edge, dst=memory.id)
        other = self.world.amend(other, importance=2.0)
        self.store.apply([Change(memory=replace(other, version=3), entry=Entry(op="link"), edges=(link,))], at=NOW)
        self.store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id, reason="purged"), at=NOW)
        assert self.store.memory("t", memory.id) is None
        assert self.store.versions("t", memory.id) == ()
        assert [item.memory.id for item in self.store.candidates(search("tea"))] == [other.id]
        assert self.store.linked(view(), [other.id], limit=5) == ()
        assert self.store.edges("t", memory.id, list(EdgeKind)) == ()
        assert [row.entry.op for row in self.store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=9))] == [
            "delete",
            "create",
        ]
        assert not list(self.store.verify("t"))
        with raises(MemoryNotFound):
            self.store.purge("t", memory.id, Entry(op="delete"), at=NOW)
        assert self.store.scrub()

    def test_counts_and_rebuilding_the_index(self) -> None:
        self.world.tell("Alice likes tea.")
        self.world.archive(self.world.tell("Alice likes milk."))
        self.world.amend(self.world.tell("Alice likes juice."), state=State.SUPERSEDED)
        assert self.store.counts("t") == {State.ACTIVE: 1, State.ARCHIVED: 1, State.SUPERSEDED: 1}
        before = self.store.candidates(search("tea"))
        assert self.store.repair("t", "wrong_words") == 2
        assert self.store.candidates(search("tea")) == before

    def test_supersedes_never_goes_in_a_circle(self) -> None:
        one, two, three = (self.world.tell(f"Alice has {number} cats.") for number in (1, 2, 3))

        def above(new: Memory, old: Memory) -> None:
            current = self.store.memory("t", new.id)
            assert current is not None
            edge = Edge(kind=EdgeKind.SUPERSEDES, src=new.id, dst=old.id)
            changed = replace(current, version=current.version + 1)
            self.store.apply([self.world.change(changed, "update", edges=(edge,))], at=NOW)

        above(two, one)
        above(three, two)
        for new, old in ((one, three), (one, two), (two, two)):
            with raises(StoreError):
                above(new, old)
        assert len(self.store.edges("t", two.id, [EdgeKind.SUPERSEDES])) == 2


PRESENT = frozenset({ALICE, BOB, CAROL})
GROUP = {"chat": "c1", "chat_type": "group", "present": PRESENT, "partners": frozenset()}
WEIRD = (
    "", " ", '"', "'", "*", "NEAR(", ")", "-", "a OR b", "tea*", "%", "_", "\\", "; DROP TABLE memories", "🎉", "茶",
    "شاي", "a" * 10_000, "tea " * 2_500, "\x00", "{alive}", ":tenant",
)  # fmt: skip


class SightsChecks(Checks):
    """Every promise of `contract.Store`, section "Viewpoints"."""

    def test_candidates_are_the_union_of_both_arms(self) -> None:
        tea = self.world.tell("Alice likes green tea.")
        trains = self.world.tell("Trains leave at noon.")
        by_vector = self.store.candidates(replace(search("green tea"), terms=()))
        assert [item.memory for item in by_vector] == [tea, trains]
        assert by_vector[0].cosine is not None
        assert by_vector[0].cosine > 0.5
        assert by_vector[0].bm25 is None
        by_words = self.store.candidates(replace(search("green tea"), vector=None))
        assert [item.memory for item in by_words] == [tea]
        assert by_words[0].bm25 is not None
        assert by_words[0].share is not None
        assert 0.0 < by_words[0].share <= 1.0
        both = self.store.candidates(search("noon", limit=1, vector=vector("green tea")))
        assert [item.memory for item in both] == [tea, trains]
        assert both[1].cosine is not None, "what one arm found has the other's score too"
        assert self.store.candidates(replace(search("tea"), vector=None, terms=())) == ()

    def test_what_is_far_and_has_no_word_of_the_query_is_not_read(self) -> None:
        for text in ("Alice likes green tea.", "Bob drives a van.", "Carol sings at noon."):
            self.world.tell(text)
        wanted = search("green tea", terms=search("sings").terms)
        near, *rest = self.store.candidates(wanted)
        found = self.store.candidates(replace(wanted, is_near=lambda _cosine: False))
        assert found == (near, *(one for one in rest if one.bm25 is not None))
        assert len(found) == 2
        least = min(one.cosine or 0.0 for one in rest if one.bm25 is None)
        assert self.store.candidates(replace(wanted, is_near=lambda cosine: cosine > least)) == found
        assert self.store.candidates(replace(wanted, is_near=lambda _cosine: True)) == (near, *rest)

    def test_any_text_is_a_safe_query(self) -> None:
        self.world.tell("Alice likes tea.")
        self.world.tell("爱丽丝喜欢喝茶")
        for text in WEIRD:
            found = self.store.candidates(search(text))
            assert len(found) <= 2
        found = self.store.candidates(search("茶", vector=None))
        assert [item.memory.content for item in found] == ["爱丽丝喜欢喝茶"]

    def test_limits_hold_for_each_arm_and_ties_go_to_the_newer(self) -> None:
        told = [
            self.world.tell("Alice likes tea.", created_at=NOW + timedelta(minutes=number % 3)) for number in range(9)
        ]
        newest = sorted(told, key=lambda memory: (memory.created_at, int(memory.discriminator)), reverse=True)
        for limit in (1, 4, 9):
            found = self.store.candidates(search("tea", limit=limit))
            assert [item.memory for item in found] == newest[:limit]
            by_words = self.store.candidates(search("tea", limit=limit, vector=None))
            assert [item.memory for item in by_words] == newest[:limit]
        assert self.store.candidates(search("tea", limit=0)) == ()

    def test_a_change_is_seen_by_the_next_read(self) -> None:
        memory = self.world.tell("Alice likes tea.")
        assert len(self.store.candidates(search("tea"))) == 1
        memory = self.world.reword(memory, "Alice likes coffee.")
        found = self.store.candidates(search("coffee"))
        assert [(item.memory, (item.cosine or 0) > 0.4) for item in found] == [(memory, True)]
        assert self.store.candidates(search("tea", vector=None)) == ()
        another = self.world.tell("Alice likes coffee cake.")
        assert {item.memory.id for item in self.store.candidates(search("coffee"))} == {memory.id, another.id}
        self.store.purge("t", another.id, self.world.change(another, "delete").entry, at=NOW)
        assert {item.memory.id for item in self.store.candidates(search("coffee"))} == {memory.id}
        self.world.archive(memory)
        assert self.store.candidates(search("coffee")) == ()

    def test_a_memory_dies_at_its_time_whether_or_not_gc_ran(self) -> None:
        lasting = self.world.tell("Alice likes tea.")
        for days in (1, 2, 3):
            self.world.tell("Alice drinks tea.", expires_at=NOW + timedelta(days=days))
        for days, count in ((0, 4), (1, 3), (2, 2), (0, 4), (3, 1), (1, 3)):
            now = NOW + timedelta(days=days)
            assert len(self.store.candidates(search("tea", now=now))) == count
            assert len(self.store.seen(view(now=now), Listing(limit=9))) == count
            assert self.store.counts(view(now=now).tenant, view=view(now=now)) == {"knowledge": count}
        assert self.store.candidates(search("tea", now=NOW + timedelta(days=9)))[0].memory == lasting

    def test_an_own_word_that_dies_uncovers_what_it_hid(self) -> None:
        told = self.world.tell("Bob is ill.", subject_person_ids=(BOB,), stated_by=ALICE)
        edge = Edge(kind=EdgeKind.SUPERSEDES, src="m_own", dst=told.id)
        day = timedelta(days=1)
        own = {"id": "m_own", "subject_person_ids": (BOB,), "stated_by": BOB, "scope": (Space.USER, "bob")}
        self.world.tell("Bob is well.", edges=(edge,), expires_at=NOW + day, **own)
        asking = {"present": frozenset({ALICE, BOB}), "partners": frozenset({BOB})}
        for now, text in ((NOW, "Bob is well."), (NOW + day, "Bob is ill."), (NOW, "Bob is well.")):
            found = self.store.candidates(search("Bob", now=now, **asking))
            assert [item.memory.content for item in found] == [text]

    def test_hearsay_is_hidden_only_from_those_who_hear_the_own_word(self) -> None:
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
            return {item.memory.content for item in self.store.candidates(search("Bob", **asking))}

        assert read(**together) == {"Bob is ill."}
        assert read(**as_bob) == {"Bob is ill."}
        self.store.apply([self.world.change(own, is_new=True, edges=(edge,))], at=NOW)
        assert read(**together) == {"Bob is ill."}, "a private word stays private"
        assert read(**as_bob) == {"Bob is well."}
        shared = self.world.amend(own, sensitivity=Sensitivity.PUBLIC)
        assert read(**together) == {"Bob is well."}
        self.world.archive(shared)
        assert read(**together) == {"Bob is ill."}

    def test_joining_a_chat_uncovers_what_was_said_there(self) -> None:
        self.world.tell("Carol sings.", subject_person_ids=(CAROL,), learned_in="c7", stated_by=ALICE)
        asking = {"chat": "c2", "present": frozenset({ALICE, BOB}), "partners": frozenset({BOB})}
        assert self.store.candidates(search("sings", **asking)) == ()
        self.store.keep(Attendance(tenant="t", chat="c7", chat_type="group", person_ids=(BOB,), at=NOW))
        assert len(self.store.candidates(search("sings", **asking))) == 1

    def test_what_others_say_about_those_present_is_found(self) -> None:
        elsewhere = (Space.USER, "bob")
        alice = {"subject_person_ids": (ALICE,), "scope": elsewhere}
        shown = self.world.tell("Alice plays chess.", entity_refs=("org:fide",), **alice)
        mine = self.world.tell("Alice is tired.", sensitivity=Sensitivity.PERSONAL, **alice)
        bob = {"subject_person_ids": (BOB,), "scope": elsewhere}
        self.world.tell("Bob plays chess.", sensitivity=Sensitivity.PERSONAL, **bob)
        self.world.tell("Carol plays chess.", subject_person_ids=(CAROL,), scope=elsewhere)
        self.world.tell("Somebody plays chess.", scope=elsewhere)
        assert {item.memory.id for item in self.store.candidates(search("plays chess tired"))} == {shown.id, mine.id}
        assert {memory.id for memory in self.store.seen(view(), Listing(limit=9))} == {shown.id, mine.id}
        assert self.store.seen(view(), Listing(filter=Filter(about=frozenset([CAROL, BOB])), limit=9)) == ()
        assert {
            memory.id for memory in self.store.seen(view(), Listing(filter=Filter(about=frozenset([ALICE])), limit=9))
        } == {shown.id, mine.id}
        assert self.store.seen(view(), Listing(refs=("org:fide",), importance_min=0, limit=9)) == (shown,)
        assert self.store.counts(view().tenant, view=view()) == {"knowledge": 2}
        assert self.store.seen(view(), Listing(prefix=shown.id, limit=5)) == (shown,)
        as_carol = {"user": "carol", "person": CAROL, "spaces": ((Space.USER, "carol"),), **GROUP}
        found = {item.memory.id for item in self.store.candidates(search("Alice plays chess tired", **as_carol))}
        assert shown.id in found
        assert mine.id not in found

    def test_how_far_a_memory_is_told_follows_what_becomes_of_it(self) -> None:
        alice = {"subject_person_ids": (ALICE,), "scope": (Space.USER, "bob"), "fact_key": "hobby"}
        told = self.world.tell("Alice plays chess.", **alice)
        as_carol = {"user": "carol", "person": CAROL, "spaces": ((Space.USER, "carol"),), **GROUP}

        def is_seen(memory: Memory, **fields: Any) -> bool:  # noqa: ANN401 -- fields of View
            slot, people = frozenset({"hobby"}), frozenset(memory.subject_person_ids)
            wanted = (Filter(), Filter(about=people), Filter(fact_keys=slot), Filter(about=people, fact_keys=slot))
            listed = [self.store.seen(view(**fields), Listing(filter=one, limit=9)) for one in wanted]
            found = tuple(item.memory for item in self.store.candidates(search("chess", **fields)))
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
        self.world.tell("Bob is tired.", subject_person_ids=(BOB,), sensitivity=Sensitivity.PERSONAL)
        in_project = {"spaces": ((Space.PROJECT, "x"),), **GROUP}
        assert len(self.store.seen(view(**in_project), Listing(limit=9))) == 1
        assert len(self.store.candidates(search("tired", **in_project))) == 1
        as_carol = in_project | {"user": "carol", "person": CAROL}
        assert self.store.seen(view(**as_carol), Listing(limit=9)) == ()

    def test_scores_are_the_same_in_whichever_scopes_the_rows_stand(self) -> None:
        texts = [f"Bob likes tea and number {number}." for number in range(12)]
        bob = {"subject_person_ids": (BOB,)}
        for number, text in enumerate(texts):
            self.world.tell(text, scope=(Space.USER, f"u{number}"), created_at=NOW + timedelta(minutes=number), **bob)
        scattered = self.store.candidates(search("tea number 3", **GROUP))
        for number, text in enumerate(texts):
            self.world.tell(text, tenant="u", created_at=NOW + timedelta(minutes=number), **bob)
        together = self.store.candidates(search("tea number 3", **GROUP, tenant="u"))
        assert len(scattered) == len(texts)
        figures = [
            [(item.memory.content, item.cosine, item.bm25, item.share) for item in found]
            for found in (scattered, together)
        ]
        assert figures[0] == figures[1]

    def test_results_do_not_depend_on_what_is_invisible(self) -> None:
        for number in range(12):
            words = "tea" if number % 3 else "tea and rain"
            self.world.tell(f"Alice likes {words} number {number}.", created_at=NOW + timedelta(minutes=number))
        asking = search("tea rain", limit=5)
        before = self.store.candidates(asking)
        for number in range(40):
            self.world.tell(f"Secret rain {number}.", persona_id="coach")
            self.world.tell(f"Rain rain rain {number}.", scope=(Space.USER, "bob"), subject_person_ids=(BOB,))
            self.world.tell(f"Rain {number}.", scope=(Space.USER, "alice"), tenant="u")
        assert self.store.candidates(asking) == before

    def test_seen_pages_newest_first(self) -> None:
        told = [
            self.world.tell(f"Fact {number}.", created_at=NOW + timedelta(minutes=number // 3)) for number in range(10)
        ]
        wanted = list(reversed(told))
        pages: list[Memory] = []
        before = None
        while page := self.store.seen(view(), Listing(limit=4, before=before)):
            pages += page
            before = page[-1].id
        assert pages == wanted
        assert self.store.seen(view(), Listing(limit=4, before="m_unknown")) == ()
        pages, before = [], None
        while page := self.store.seen(view(), Listing(limit=4, before=before, oldest_first=True)):
            pages += page
            before = page[-1].id
        assert [one.created_at for one in pages] == [one.created_at for one in told]
        assert {one.id for one in pages} == {one.id for one in told}

    def test_filters_narrow(self) -> None:
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
            sensitivity=Sensitivity.PERSONAL,
        )
        assert self.store.counts("t", by="privacy") == {"personal": 1}
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
            Filter(sensitivity="personal"),
            Filter(entity="org:tea"),
            Filter(about=frozenset({ALICE, BOB})),
        )
        for narrow in filters:
            assert self.store.seen(view(), Listing(filter=narrow, limit=9)) == (wanted,), narrow
            assert [item.memory for item in self.store.candidates(search("likes", filter=narrow))] == [wanted], narrow
            near = self.store.candidates(search("likes", filter=narrow), within=(Space.USER, "alice"))
            assert [item.memory for item in near] == [wanted], narrow
        assert len(self.store.seen(view(), Listing(filter=Filter(user_id="alice"), limit=9))) == 2
        for empty in (
            Filter(user_id="bob"),
            Filter(importance_max=0.5),
            Filter(updated_before=NOW - timedelta(days=30)),
            Filter(categories=frozenset()),
        ):
            assert self.store.seen(view(), Listing(filter=empty, limit=9)) == ()

    def test_somebody_elses_user_id_gives_nothing(self) -> None:
        self.world.tell("Alice plays chess.", subject_person_ids=(ALICE,), scope=(Space.USER, "bob"))
        assert len(self.store.seen(view(), Listing(limit=9))) == 1
        assert self.store.seen(view(), Listing(filter=Filter(user_id="bob"), limit=9)) == ()

    def test_find_by_prefix(self) -> None:
        told = [self.world.tell(f"Fact {number}.") for number in range(8)]
        assert len(self.store.seen(view(), Listing(prefix="m_", limit=5))) == 5
        assert self.store.seen(view(), Listing(prefix=told[0].id, limit=5)) == (told[0],)
        assert self.store.seen(view(), Listing(prefix=told[0].id[:9], limit=5)) == (told[0],)
        for odd in ("%", "m_%", "m_*", "M_", "m_\x00", "m_" + "a" * 10_000, "m\u200b_", "m_ｂ"):
            assert self.store.seen(view(), Listing(prefix=odd, limit=5)) == ()
        gone = self.world.archive(told[0])
        assert self.store.seen(view(), Listing(prefix=gone.id, limit=5)) == (gone,)
        secret = self.world.archive(self.world.tell("Secret.", persona_id="coach"))
        assert self.store.seen(view(), Listing(prefix=secret.id, limit=5)) == ()
        others = self.world.archive(self.world.tell("Other.", scope=(Space.USER, "bob"), subject_person_ids=(ALICE,)))
        assert self.store.seen(view(), Listing(prefix=others.id, limit=5)) == ()

    def test_what_is_no_longer_live_is_seen_by_its_state_in_the_own_spaces(self) -> None:
        first, second = self.world.tell("First."), self.world.tell("Second.")
        assert self.store.seen(view(), Listing(limit=9, state=State.ARCHIVED)) == ()
        gone = (self.world.archive(second), self.world.archive(first))
        self.world.archive(self.world.tell("Secret.", persona_id="coach"))
        self.world.archive(self.world.tell("Other.", scope=(Space.USER, "bob"), subject_person_ids=(ALICE,)))
        soft = self.world.amend(self.world.tell("Soft."), "ttl", state=State.SOFT_DELETED)
        assert self.store.seen(view(), Listing(limit=9, state=State.ARCHIVED)) == gone
        assert self.store.seen(view(), Listing(limit=9, before=second.id, state=State.ARCHIVED)) == gone[1:]
        assert self.store.seen(view(), Listing(filter=Filter(pinned=True), limit=9, state=State.ARCHIVED)) == ()
        assert self.store.seen(view(), Listing(limit=9, state=State.SOFT_DELETED)) == (soft,)
        assert self.store.seen(view(), Listing(limit=9)) == ()

    def test_linked_runs_both_ways_and_only_to_what_is_visible(self) -> None:
        centre = self.world.tell("Alice likes tea.")
        near = self.world.tell("Alice likes cake.")
        hidden = self.world.tell("Alice likes rum.", persona_id="coach")
        last = self.world.draft("Alice likes pie.")
        edges = [
            Edge(kind=EdgeKind.RELATED_TO, src=last.id, dst=other.id, strength=strength)
            for other, strength in ((centre, 0.4), (near, 0.9), (hidden, 0.8))
        ]
        again = Edge(kind=EdgeKind.RELATED_TO, src=centre.id, dst=last.id, strength=0.5)
        self.store.apply([self.world.change(last, is_new=True, edges=(*edges, again))], at=NOW)
        assert self.store.linked(view(), [last.id], limit=9) == ((last.id, near, 0.9), (last.id, centre, 0.5))
        assert self.store.linked(view(), [centre.id], limit=9) == ((centre.id, last, 0.5),)
        assert self.store.linked(view(), [last.id], limit=1) == ((last.id, near, 0.9),)
        assert self.store.linked(view(), [], limit=9) == ()
        assert len(self.store.edges("t", last.id, [EdgeKind.RELATED_TO])) == 3

    def test_cards_are_pinned_first_then_by_importance(self) -> None:
        low, high, pinned = (
            self.world.tell(f"Acme {number}.", entity_refs=("org:acme", "org:x"), importance=number, pinned=number == 0)
            for number in (1.0, 3.0, 0.0)
        )
        assert self.store.seen(view(), Listing(refs=("org:acme", "org:x"), importance_min=2, limit=9)) == (pinned, high)
        assert self.store.seen(view(), Listing(refs=("org:acme",), importance_min=0, limit=9)) == (pinned, high, low)
        changed = self.world.amend(high, entity_refs=("org:y",))
        assert self.store.seen(view(), Listing(refs=("org:y",), importance_min=0, limit=9)) == (changed,)
        assert self.store.seen(view(), Listing(refs=("org:acme",), importance_min=0, limit=9)) == (pinned, low)

    def test_counting_by_type(self) -> None:
        self.world.tell(type=MemoryType.IDENTITY)
        self.world.tell(type=MemoryType.IDENTITY)
        self.world.tell()
        self.world.tell(kind=Kind.PROCEDURAL)
        self.world.tell(state=State.ARCHIVED)
        assert self.store.counts(view().tenant, view=view()) == {"identity": 2, "knowledge": 1}

    def test_a_snapshot_sees_one_moment(self) -> None:
        self.world.tell("Alice likes tea.")
        with self.store.snapshot():
            assert len(self.store.candidates(search("likes"))) == 1
            assert self.store.counts(view().tenant, view=view()) == {"knowledge": 1}


DAY = timedelta(days=1)


class LifetimeChecks(Checks):
    """Every promise of `contract.Store`, section "Lifetimes"."""

    def test_idle_are_the_live_that_nobody_recalled(self) -> None:
        world, store = self.world, self.world.store
        old = NOW - 9 * DAY
        idle = {world.tell(created_at=old, importance=weight).id for weight in (0.0, 2.0, 2.9)}
        world.tell(created_at=old, importance=3.0)
        world.tell(created_at=old, pinned=True)
        world.archive(world.tell(created_at=old))
        world.tell(created_at=old, tenant="u")
        world.tell()
        used = world.tell(created_at=old)
        store.keep(Reads(tenant="t", times={used.id: 1}, at=NOW - 7 * DAY))

        def found(**options: object) -> list[str]:
            wanted: dict[str, Any] = {"since": NOW - 8 * DAY, "below": 3.0, "after": "", "limit": 9}
            return list(store.memory_ids(Idle(tenant="t", **wanted | options)))

        assert found() == sorted(idle)
        assert found(after=min(idle)) == sorted(idle)[1:]
        assert found(limit=1) == [min(idle)]
        assert used.id in found(since=NOW - 7 * DAY)
        assert len(found(below=2.0)) == 1

    def test_purgeable_are_the_soft_deleted_whose_time_has_come(self) -> None:
        world = self.world
        later, now, sooner = (
            world.amend(world.tell(), "ttl", state=State.SOFT_DELETED, purge_at=NOW + days * DAY) for days in (2, 1, 0)
        )
        world.amend(world.tell(), "delete", state=State.ARCHIVED, purge_at=NOW)
        assert world.store.memory_ids(Purgeable(tenant="t", now=NOW + DAY, limit=9)) == (sooner.id, now.id)
        assert world.store.memory_ids(Purgeable(tenant="t", now=NOW + 2 * DAY, limit=1)) == (sooner.id,)
        assert later.id in world.store.memory_ids(Purgeable(tenant="t", now=NOW + 2 * DAY, limit=9))
        assert world.store.memory_ids(Purgeable(tenant="u", now=NOW + 9 * DAY, limit=9)) == ()

    def test_archived_counts_from_when_it_was_archived(self) -> None:
        world, store = self.world, self.world.store
        one, other = world.tell(), world.tell()
        for memory, days in ((one, 1), (other, 3)):
            gone = world.draft(id=memory.id, state=State.ARCHIVED, archive_reason="user_deleted", version=2)
            store.apply([world.change(gone, "delete")], at=NOW + days * DAY)
        again = world.draft(id=one.id, state=State.ARCHIVED, archive_reason="forgotten", version=3)
        store.apply([world.change(again, "delete")], at=NOW + 5 * DAY)
        assert store.memory_ids(Archived(tenant="t", until=NOW, after="", limit=9)) == ()
        assert store.memory_ids(Archived(tenant="t", until=NOW + DAY, after="", limit=9)) == (one.id,)
        both = sorted((one.id, other.id))
        assert list(store.memory_ids(Archived(tenant="t", until=NOW + 3 * DAY, after="", limit=9))) == both
        assert list(store.memory_ids(Archived(tenant="t", until=NOW + 3 * DAY, after=both[0], limit=9))) == both[1:]

    def test_scopes_are_listed(self) -> None:
        self.world.tell()
        self.store.record("t", Space.CHAT, "c", Entry(op="admin"), at=NOW)
        self.world.tell(tenant="u", scope=(Space.USER, "zoe"))
        listed = [(one.space, one.owner) for one in self.store.scopes("t")]
        assert listed == [(Space.CHAT, "c"), (Space.USER, "alice")]
        assert list(self.store.scopes("x")) == []

    def test_erasing_leaves_no_name(self) -> None:
        world, store = self.world, self.world.store
        first = world.tell(scope=(Space.USER, "zoe-77"))
        for user in ("zoe-77", "alice"):
            place: dict[str, Any] = {"tenant": "t", "created_at": NOW, "updated_at": NOW}
            store.keep(Item(**place, namespace=("memories", user), key="k", value='"seat"'))
            step: dict[str, Any] = {"tenant": "t", "ns": "", "checkpoint_id": "1", "parent_id": None, "run_id": None}
            store.keep(Step(**step, thread_id=f"of {len(user)}", checkpoint="1", metadata=f'{{"user_id":"{user}"}}'))
        assert store.has(KnownUser(tenant="t", user="zoe-77"))
        assert not store.has(KnownUser(tenant="t", user="zoe-7"))
        store.purge("t", first.id, Entry(op="delete", memory_id=first.id, actor="zoe-77"), at=NOW)
        counts = store.erase("t", "zoe-77")
        assert (counts["graph_items"], counts["graph_threads"]) == (1, 1)
        assert [line for line in store.lines("t") if "zoe-77" in repr(line)] == []
        assert [item.namespace for item in store.items("t", ())] == [("memories", "alice")]
        assert not store.has(KnownUser(tenant="t", user="zoe-77"))
        assert not list(store.verify("t"))
        again = world.tell(scope=(Space.USER, "zoe-77"))
        assert again.id != first.id, "no id is given twice"
        assert not list(store.verify("t"))

    def test_a_held_job_can_be_rewritten(self) -> None:
        self.store.keep(NewJob(tenant="t", name="erase", key="k", payload={"user": "zoe"}, due_at=NOW))
        (job,) = self.store.claim(Claim(worker="w", names=("erase",), now=NOW, lease_seconds=60))
        self.store.hold(job, payload={"done": 1})
        assert [one.payload for one in self.store.jobs("t")] == [{"done": 1}]

    def test_what_never_had_a_vector_is_told_from_what_has(self) -> None:
        world, store = self.world, self.world.store
        told = world.tell()
        bare = world.draft("Bare.")
        store.apply([world.change(bare, is_new=True, vectors=None, model=None)], at=NOW)
        assert frozenset(store.memory_ids(NeverEmbedded(tenant="t", memory_ids=(told.id, bare.id)))) == {bare.id}
        assert (
            store.count(EverStored(tenant="t", space=Space.USER, owner="alice")),
            store.count(EverStored(tenant="t", space=Space.USER, owner="zoe")),
        ) == (2, 0)
