"""Conformance: ticks, phases and traces of governed sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from wellkept.errors import VersionConflict
from wellkept.policies.governance.phases import Phase
from wellkept.store.contract import (
    ChainEnd,
    Counters,
    Entry,
    Filter,
    HeldKey,
    Latest,
    Listing,
    Living,
    NewPhase,
    Opening,
    Trace,
    TracedUntil,
)
from wellkept.testing.world import NOW, Checks, raises, view
from wellkept.types import Edge
from wellkept.values import changed
from wellkept.vocabulary import EdgeKind, Kind, Space, State

S1 = ("t", Space.SESSION, "s1")
S2 = ("t", Space.SESSION, "s2")
POLICY = {"hash": "h1", "write_policy": "normal"}


def event(number: int, **fields: Any) -> Mapping[str, Any]:  # noqa: ANN401 -- JSON
    """A small event with a policy in it."""
    return {"type": "memory_deleted", "reason": f"r{number}", "policy_snapshot": POLICY, **fields}


class GovernedChecks(Checks):
    """Every promise of `contract.Store`, section "Governed sessions"."""

    def test_a_session_or_project_is_open_to_whom_it_was_opened_to(self) -> None:
        store, places = self.world.store, [(Space.SESSION, "s1"), (Space.PROJECT, "s1"), (Space.PROJECT, "p")]
        store.keep(Opening(tenant="t", user="alice", places=tuple(places[:1]), at=NOW))
        store.keep(Opening(tenant="t", user="alice", places=tuple(places[:2]), at=NOW))
        assert store.opened("t", "alice", places) == frozenset(places[:2])
        assert store.opened("t", "bob", places) == store.opened("u", "alice", places) == frozenset()
        assert store.opened("t", "alice", []) == frozenset()
        store.erase("t", "alice")
        assert store.opened("t", "alice", places) == frozenset()

    def test_ticks_are_counted_per_scope(self) -> None:
        assert self.store.counters(*S1, hold=False).get("tick", 0) == 0
        assert [self.store.next_number(*S1, "tick") for _ in range(3)] == [1, 2, 3]
        assert self.store.next_number(*S2, "tick") == 1
        assert (
            self.store.counters(*S1, hold=False).get("tick", 0),
            self.store.counters(*S2, hold=False).get("tick", 0),
            self.store.counters("u", Space.SESSION, "s1", hold=False).get("tick", 0),
        ) == (3, 1, 0)

    def test_a_counter_takes_what_a_transaction_counted_by_itself_and_never_goes_back(self) -> None:
        with self.store.transaction():
            assert self.store.next_number(*S1, "tick") == 1
            self.store.keep(Counters(tenant="t", space=Space.SESSION, owner=S1[2], numbers={"tick": 4}))
            self.store.keep(Counters(tenant="t", space=Space.SESSION, owner=S1[2], numbers={"tick": 3}))
            self.store.keep(Counters(tenant="t", space=Space.SESSION, owner=S2[2], numbers={"tick": 9}))
        assert (self.store.counters(*S1, hold=False).get("tick", 0), self.store.next_number(*S1, "tick")) == (4, 5)
        assert self.store.next_number(*S2, "tick") == 10
        first = self.store.next_id(*S1, Kind.SEMANTIC)
        with self.store.transaction():
            self.store.keep(Counters(tenant="t", space=Space.SESSION, owner=S1[2], numbers={"semantic": 7}))
        assert self.store.next_number(*S1, "semantic") == 8
        assert self.store.next_id(*S1, Kind.SEMANTIC) != first
        with self.store.transaction():
            assert self.store.counters(*S1) == {"tick": 5, "semantic": 9}
            assert self.store.counters("t", Space.SESSION, "nobody") == {}

    def test_what_leaves_changes_its_state_and_nothing_else(self) -> None:
        old, new, turn = (self.world.tell(f"Fact {number}.", tick=number, importance=0.5) for number in (1, 2, 3))
        over = {"state": State.SUPERSEDED, "superseded_at": NOW, "superseded_by": new.id, "valid_to": NOW}
        gone = [
            changed(old, version=2, updated_at=NOW, **over),
            changed(turn, version=2, updated_at=NOW, state=State.ARCHIVED, archive_reason="expired"),
        ]
        self.store.apply([self.world.change(one, "update", how="leave") for one in gone], at=NOW)
        assert [self.store.memory("t", one.id) for one in gone] == gone
        assert not list(self.store.faults("t", "rows"))
        with raises(VersionConflict):
            self.store.apply([self.world.change(gone[0], "update", how="leave")], at=NOW)

    def test_what_is_retold_changes_its_text_and_of_whom_and_when_it_tells(self) -> None:
        told = self.world.tell("One turn.", tick=1, kind=Kind.SHORT_TERM, category="knowledge")
        now = {"content": "Two turns.", "tick": 4, "phase_id": "phase-2", "meta": {"summary_of": ["m_1"]}}
        now |= {"updated_at": NOW, "subject_person_ids": ("p_ana",), "confidential": True, "version": 2}
        again = self.world.change(changed(told, **now), "update", how="retell", is_text_changed=True)
        self.store.apply([again], at=NOW)
        assert self.store.memory("t", told.id) == changed(told, **now)
        assert not list(self.store.faults("t", "rows"))
        with raises(VersionConflict):
            self.store.apply([again], at=NOW)

    def test_a_turn_has_no_rivals_and_is_found_by_its_category_where_turns_are_asked_for(self) -> None:
        world, store, kept = (
            self.world,
            self.world.store,
            {"memory_key": "k", "discriminator": "d", "category": "other"},
        )
        turns = [world.tell("Hello.", kind=Kind.SHORT_TERM, tick=tick, **kept) for tick in (1, 2)]
        fact = world.tell("Hello.", **kept)
        assert store.memory("t", HeldKey(space=Space.USER, owner="alice", memory_key="k", discriminator="d")) == fact
        wanted = Filter(categories=frozenset({"other"}))
        assert store.seen(view(), Listing(filter=wanted, limit=9)) == (fact,)
        both = view(kinds=frozenset({Kind.SHORT_TERM, Kind.SEMANTIC}))
        assert {one.id for one in store.seen(both, Listing(filter=wanted, limit=9))} == {
            fact.id,
            *(turn.id for turn in turns),
        }

    def test_live_gives_the_newest_of_a_scope_oldest_first(self) -> None:
        scope = (Space.SESSION, "s1")
        told = [self.world.tell(f"Fact {tick}.", scope=scope, tick=tick) for tick in (1, 2, 3, 4)]
        turn = self.world.tell("Hello.", scope=scope, tick=5, kind=Kind.SHORT_TERM)
        self.world.tell("Fact.", scope=(Space.SESSION, "s2"), tick=9)
        self.world.archive(told[1])
        assert [one.tick for one in self.store.memories(Latest(scope=S1, kinds=(Kind.SEMANTIC,), limit=9))] == [
            1,
            3,
            4,
        ]
        assert [one.tick for one in self.store.memories(Latest(scope=S1, kinds=(Kind.SEMANTIC,), limit=2))] == [
            3,
            4,
        ]
        assert self.store.memories(Latest(scope=S1, kinds=(Kind.SHORT_TERM,), limit=9)) == (turn,)
        assert self.store.memories(Latest(scope=("t", Space.SESSION, "nobody"), kinds=(Kind.SEMANTIC,), limit=9)) == ()

    def test_what_is_held_of_the_living_is_renewed_whatever_happened_to_it(self) -> None:
        world, store, kinds = self.world, self.world.store, (Kind.SHORT_TERM, Kind.SEMANTIC)
        scope, held = (Space.SESSION, "s1"), Living()
        told = [world.tell(f"Fact {tick}.", scope=scope, tick=tick) for tick in (1, 2, None, None)]
        turn = world.tell("Hello.", scope=scope, tick=2, kind=Kind.SHORT_TERM)
        again, weightier = changed(told[0], version=2, tick=7), changed(told[3], version=2, importance=0.9)
        own = world.tell("I am awake.", scope=(Space.USER, "bob"))
        word = Edge(kind=EdgeKind.SUPERSEDES, src=own.id, dst=told[1].id)
        for happens in (
            lambda: None,
            lambda: world.tell("New.", scope=scope, tick=5),
            lambda: world.reword(told[1], "Fact two."),
            lambda: store.apply([world.change(again, "update")], at=NOW),
            lambda: store.apply([world.change(weightier, "update")], at=NOW),
            lambda: store.apply([world.change(replace(own, version=2), "update", edges=(word,))], at=NOW),
            lambda: world.archive(turn),
            lambda: store.purge("t", told[2].id, world.change(told[2], "delete").entry, at=NOW),
            lambda: world.tell("Elsewhere.", scope=(Space.SESSION, "s2"), tick=6),
        ):
            happens()
            held = store.live_now(*S1, kinds, limit=9, held=held)
            assert held.memories == store.memories(Latest(scope=S1, kinds=kinds, limit=9))
        assert held.shadowed == {told[1].id}
        assert store.live_now(*S1, kinds, limit=2, held=held).memories == store.memories(
            Latest(scope=S1, kinds=kinds, limit=2)
        )
        assert store.live_now("t", Space.SESSION, "nobody", kinds, limit=9, held=Living()) == Living()

    def test_what_was_rolled_back_is_no_ground_for_what_is_held(self) -> None:
        store, scope, kinds = self.world.store, (Space.SESSION, "s1"), (Kind.SEMANTIC,)
        self.world.tell("Fact 1.", scope=scope, tick=1)
        held = Living()
        with raises(RuntimeError), store.transaction():
            self.world.tell("Never said.", scope=scope, tick=2)
            held = store.live_now(*S1, kinds, limit=9, held=held)
            assert [one.tick for one in held.memories] == [1, 2]
            raise RuntimeError
        # In the same place, with the same revision, at the same time.
        self.world.tell("Said.", scope=scope, tick=2)
        held = store.live_now(*S1, kinds, limit=9, held=held)
        assert [one.content for one in held.memories] == ["Fact 1.", "Said."]

    def test_several_memories_by_id(self) -> None:
        one, other = self.world.tell("One."), self.world.tell("Two.")
        gone = self.world.archive(other)
        assert self.store.memories_by_id("t", [one.id, other.id, "m_none"]) == {one.id: one, other.id: gone}
        assert self.store.memories_by_id("u", [one.id]) == {}
        assert self.store.memories_by_id("t", []) == {}

    def test_a_chain_is_read_in_its_order(self) -> None:
        assert self.store.chain_end(*S1) == ChainEnd()
        for number in range(4):
            self.store.record(*S1, Entry(op="create", status="denied", reason=f"r{number}"), at=NOW)
        self.store.record(*S2, Entry(op="create", status="denied", reason="other"), at=NOW)
        assert self.store.chain_end(*S1).seq == 4
        rows = list(self.store.chain(*S1, until=3))
        assert [(row.seq, row.entry.reason, row.owner) for row in rows] == [
            (1, "r0", "s1"),
            (2, "r1", "s1"),
            (3, "r2", "s1"),
        ]
        assert [row.seq for row in self.store.chain(*S1, after=2, until=9)] == [3, 4]

    def test_phases_come_back_whole_and_can_be_trimmed(self) -> None:
        phases = [
            Phase(space=Space.SESSION, owner="s1", number=number, name=name, reason="manual", started_at=number, seq=7)
            for number, name in ((1, None), (2, "Ωmega"), (3, "three"))
        ]
        for phase in phases:
            self.store.keep(NewPhase(tenant="t", phase=phase))
        assert self.store.phases(*S1) == tuple(phases)
        assert self.store.phases(*S2) == ()
        self.store.keep(NewPhase(tenant="t", phase=replace(phases[2], number=4), first=3))
        assert [one.number for one in self.store.phases(*S1)] == [3, 4]

    def test_traces_are_numbered_in_their_session_and_share_their_policy(self) -> None:
        self.store.keep_traces(*S1, [Trace(event=event(1)), Trace(event=event(2))], policy=POLICY)
        self.store.keep_traces(*S2, [Trace(event=event(9))], policy=POLICY)
        assert self.store.keep_traces(*S1, [Trace(event=event(3, text="Ω"))], policy=POLICY) == self.store.chain_end(
            *S1
        )
        assert self.store.keep_traces(*S1, [], policy=POLICY) == self.store.chain_end(*S1)
        kept = self.store.traces(*S1, after=0, limit=9)
        assert [(one.number, one.call, one.event["reason"]) for one in kept] == [
            (1, 1, "r1"),
            (2, 1, "r2"),
            (3, 2, "r3"),
        ]
        assert kept[2].event == event(3, text="Ω")
        assert [one.number for one in self.store.traces(*S1, after=1, limit=1)] == [2]
        assert self.store.traces("u", Space.SESSION, "s1", after=0, limit=9) == ()

    def test_a_trace_knows_the_ledger_row_that_its_call_ended_with(self) -> None:
        assert self.store.count(TracedUntil(scope=S1)) == 0
        self.store.record(*S1, Entry(op="create", status="denied", reason="r"), at=NOW)
        self.store.keep_traces(*S1, [Trace(event=event(1))], policy=POLICY)
        self.store.record(*S1, Entry(op="create", status="denied", reason="r"), at=NOW)
        assert self.store.count(TracedUntil(scope=S1)) == 1
        assert self.store.traces(*S1, after=0, limit=1)[0].seq == 1

    def test_sessions_are_listed_with_the_policy_they_live_by(self) -> None:
        assert self.store.governed_sessions("t", limit=9) == ()
        assert self.store.lived_by(*S1) is None
        for number, scope in enumerate((S1, S2, ("u", Space.SESSION, "s3"))):
            policy = POLICY | {"hash": f"h{number}"}
            self.store.record(*scope, Entry(op="create", status="denied", reason="r"), at=NOW + timedelta(days=number))
            told = [Trace(event={**event(1), "policy_snapshot": policy}), Trace(event={"type": "x"})]
            self.store.keep_traces(*scope, told, policy=policy)
        self.store.keep(NewPhase(tenant="t", phase=Phase(space=Space.SESSION, owner="s1", number=1, started_at=1)))
        first, second = self.store.governed_sessions("t", limit=9)
        assert (first.session, first.events, first.phases, first.last_at) == ("s2", 2, 0, NOW + timedelta(days=1))
        assert (second.session, second.events, second.phases, second.last_at) == ("s1", 2, 1, NOW)
        assert self.store.governed_sessions("t", limit=1) == (first,)
        assert self.store.lived_by(*S2) == POLICY | {"hash": "h1"}

    def test_erased_traces_keep_nothing_but_codes(self) -> None:
        item = {"id": "m_1", "kind": "semantic", "text": "Alice likes tea", "meta": {"owner": "alice"}}
        told = [Trace(event=event(1, written=[item], attempted=item, query="tea", owner="alice"))]
        self.store.keep_traces(*S1, told, policy=POLICY)
        self.store.keep_traces(*S2, [Trace(event=event(2, query="tea"))], policy=POLICY)
        self.store.keep(
            NewPhase(tenant="t", phase=Phase(space=Space.SESSION, owner="s1", number=1, name="tea", started_at=1))
        )
        self.store.record(*S1, Entry(op="create", status="denied", reason="r", actor="alice"), at=NOW)
        before = self.store.chain_end(*S1)
        self.store.erase("t", "alice")
        assert self.store.chain_end(*S1) != before, "whoever holds the name of a phase must see that it is gone"
        (left,) = self.store.traces(*S1, after=0, limit=9)
        said = json.dumps(dict(left.event))
        assert "tea" not in said
        assert "alice" not in said
        assert left.event["reason"] == "r1"
        assert left.event["written"] == [{"id": "m_1", "kind": "semantic", "text": "(erased)", "meta": "(erased)"}]
        assert self.store.phases(*S1)[0].name is None
        assert self.store.traces(*S2, after=0, limit=9)[0].event["query"] == "tea"

    def test_a_removed_memory_takes_its_words_along(self) -> None:
        memory, other = self.world.tell("Alice likes tea."), self.world.tell("Alice likes milk.")
        items = [{"id": one.id, "text": one.content, "meta": {"dedup_key": one.content}} for one in (memory, other)]
        self.store.keep_traces(
            *S1,
            [
                Trace(event=event(1, recalled=items), mentions=(memory.id, other.id)),
                Trace(event=event(2, winner_id=memory.id, dedup_key="tea"), mentions=(memory.id,)),
            ],
            policy=POLICY,
        )
        self.store.purge("t", memory.id, self.world.change(memory, "delete").entry, at=NOW)
        first, second = self.store.traces(*S1, after=0, limit=9)
        assert first.event["recalled"] == [
            {"id": memory.id, "text": "(erased)", "meta": {"dedup_key": "(erased)"}},
            items[1],
        ]
        assert second.event["dedup_key"] == "(erased)"
