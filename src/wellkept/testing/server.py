"""Conformance: API keys, kept answers, and the ledger as events."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import StoreError
from wellkept.store.contract import Entry
from wellkept.store.contract.server import Answer, ApiKey, EventFilter, Position
from wellkept.store.driver import UniqueClash
from wellkept.testing.world import NOW, World, raises

if TYPE_CHECKING:
    from wellkept.store.contract import LedgerRow

KEY = ApiKey(tenant="t", id="k1", name="bot", hash="h", scopes=("user:alice", "agent:planner"), created_at=NOW)
ANSWER = Answer(tenant="t", caller="k1", key="once", request="r", user="alice", body="{}", at=NOW)


class ServingChecks:
    """Every promise of `contract.server.Serving`."""

    world: World

    def test_keys_are_kept_and_revoked(self) -> None:
        store = self.world.store
        assert not store.has_keys()
        store.add_key(replace(KEY, tenant="v", id="k0", hash=""))
        assert not store.has_keys()
        store.add_key(KEY)
        store.add_key(replace(KEY, tenant="u", id="k2", created_at=NOW + timedelta(days=1)))
        assert store.key("k1") == KEY
        assert store.key("k3") is None
        assert store.keys("t") == (KEY,)
        assert not store.revoke_key("u", "k1", at=NOW)
        assert store.revoke_key("t", "k1", at=NOW)
        assert store.revoke_key("t", "k1", at=NOW + timedelta(days=1))
        assert store.keys("t") == (replace(KEY, revoked_at=NOW),)
        assert store.has_keys()

    def test_an_answer_is_kept_once(self) -> None:
        store = self.world.store
        assert store.answered("t", "k1", "once") is None
        store.keep_answer(ANSWER, since=NOW)
        assert store.answered("t", "k1", "once") == ANSWER
        assert store.answered("u", "k1", "once") is None
        assert store.answered("t", "k2", "once") is None
        with raises(UniqueClash):
            store.keep_answer(replace(ANSWER, body="[]"), since=NOW)
        later = NOW + timedelta(days=2)
        store.keep_answer(replace(ANSWER, key="again", at=later), since=NOW + timedelta(days=1))
        assert store.answered("t", "k1", "once") is None

    def test_transactions_that_are_held_are_stored_together(self) -> None:
        store = self.world.store
        with store.held():
            first = self.world.tell("One.")
            second = self.world.tell("Two.")
            store.keep_answer(ANSWER, since=NOW)
        assert store.memory("t", first.id) is not None
        assert store.memory("t", second.id) is not None
        with raises(UniqueClash), store.held():
            third = self.world.tell("Three.")
            store.keep_answer(ANSWER, since=NOW)
        assert store.memory("t", third.id) is None
        assert not list(store.verify("t"))

    def test_what_is_held_inside_what_is_held_is_part_of_it(self) -> None:
        store = self.world.store
        with raises(RuntimeError), store.held():
            with store.held():
                self.world.tell("Alice likes tea.")
            self.world.tell("Alice likes rye bread.")
            raise RuntimeError
        assert store.counts("t") == {}

    def test_a_held_part_that_failed_is_left_out_alone(self) -> None:
        store = self.world.store
        with store.held():
            kept = self.world.tell("One.")
            with raises(StoreError), store.transaction():
                lost = self.world.tell("Two.")
                raise StoreError("broken")
        assert store.memory("t", kept.id) is not None
        assert store.memory("t", lost.id) is None

    def test_events_are_paged_newest_first(self) -> None:
        store = self.world.store
        for number in range(5):
            self.world.tell(f"Fact {number}.")
        whole = store.events("t", EventFilter(), limit=100)
        paged: list[LedgerRow] = []
        before = None
        while page := store.events("t", EventFilter(before=before), limit=2):
            paged += page
            last = page[-1]
            before = Position(at=last.at, space=str(last.space), owner=last.owner, seq=last.seq)
        assert tuple(paged) == whole
        assert [row.at for row in whole] == sorted((row.at for row in whole), reverse=True)
        assert store.events("u", EventFilter(), limit=9) == ()
        assert store.events("t", EventFilter(op="delete"), limit=9) == ()
        assert store.events("t", EventFilter(owner="nobody"), limit=9) == ()
        assert store.event_counts("t")["hotpath", "create", "ok"] == 5

    def test_searches_are_events_beside_the_chains(self) -> None:
        store, told = self.world.store, self.world.tell("One.")
        asked = Entry(op="search", node="context", sim=0.5, payload={"found": 1}, thread="th")
        store.searched("t", told.space, told.owner, [(NOW, asked), (NOW + timedelta(seconds=1), asked)])
        store.searched("t", told.space, "nobody", [(NOW, asked)])
        whole = store.events("t", EventFilter(), limit=9)
        assert [(row.entry.op, row.seq) for row in whole] == [("search", -2), ("create", 1), ("search", -1)]
        assert whole[0].entry == replace(asked, actor=told.owner)
        first = Position(at=whole[0].at, space=str(told.space), owner=told.owner, seq=whole[0].seq)
        assert store.events("t", EventFilter(before=first), limit=9) == whole[1:]
        assert store.events("t", EventFilter(op="search"), limit=9) == (whole[0], whole[2])
        assert store.event_counts("t") == {("hotpath", "create", "ok"): 1, ("context", "search", "ok"): 2}
        done = store.activity("t", since=NOW - timedelta(days=1), owner=told.owner)
        assert [(one.node, one.op, one.times) for one in done] == [("context", "search", 2), ("hotpath", "create", 1)]
        assert len(store.rows("t")) == 1, "in no chain"
        assert not store.is_known("t", "nobody"), "reading makes nobody known"

    def test_growth_counts_what_was_made_a_day(self) -> None:
        store, told = self.world.store, self.world.tell("One.")
        self.world.tell("Two.")
        store.record("t", told.space, told.owner, Entry(op="create", status="ok", reason="border"), at=NOW)
        ((day, made),) = store.growth("t").items()
        assert (made, day) == (2, store.events("t", EventFilter(), limit=9)[-1].at.date())
        assert store.growth("t", owner=told.owner) == {day: 2}
        assert store.growth("t", owner="nobody") == store.growth("u") == {}

    def test_activity_counts_what_was_done_a_day_and_where(self) -> None:
        store, told = self.world.store, self.world.tell("One.")
        self.world.tell("Two.")
        store.record("t", told.space, told.owner, Entry(op="delete", status="ok", node="worker"), at=NOW)
        since = NOW - timedelta(days=1)
        found = [(one.node, one.op, one.times) for one in store.activity("t", since=since)]
        assert found == [("hotpath", "create", 2), ("worker", "delete", 1)]
        assert store.activity("t", since=since, owner=told.owner) == store.activity("t", since=since)
        assert store.activity("t", since=NOW + timedelta(days=1)) == ()
        assert store.activity("t", since=since, owner="nobody") == store.activity("u", since=since) == ()

    def test_chains_say_how_long_they_are(self) -> None:
        told = self.world.tell("One.")
        (chain,) = (one for one in self.world.store.chains("t") if one.owner == told.owner)
        assert (chain.space, chain.length) == (told.space, 1)
