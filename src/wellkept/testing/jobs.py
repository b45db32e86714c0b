"""Conformance: durable jobs, their leases, and schedules."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, LeaseLost
from wellkept.store.contract import Entry
from wellkept.store.contract.jobs import Job, NewJob
from wellkept.testing.world import NOW, World, raises
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.store.contract import Store

MINUTE = 60.0
WORK = ("embed", "gc")


def after(seconds: float) -> datetime:
    """So much later."""
    return NOW + timedelta(seconds=seconds)


def claim(store: Store, worker: str, *, at: float = 0, **fields: Any) -> tuple[Job, ...]:  # noqa: ANN401 -- of `claim`
    """Take what is due, for a minute."""
    return store.claim(worker, WORK, now=after(at), **{"lease_seconds": MINUTE, "limit": 9} | fields)


def new(name: str = "gc", key: str = "", *, due: float = 0, **fields: Any) -> NewJob:  # noqa: ANN401 -- of `NewJob`
    """A job that is due so many seconds from now."""
    defaults: dict[str, Any] = {"tenant": "t", "name": name, "key": key, "due_at": after(due)}
    return NewJob(**defaults | fields)


class JobsChecks:
    """Every promise of `contract.jobs.Jobs`."""

    world: World

    def test_a_job_is_written_with_its_cause_or_not_at_all(self) -> None:
        store = self.world.store
        with raises(RuntimeError), store.transaction():
            self.world.tell("Alice likes tea.")
            store.enqueue(new())
            raise RuntimeError
        assert store.pending("t") == ()
        with store.transaction():
            self.world.tell("Alice likes tea.")
            store.enqueue(new(key="chat 1", payload={"chat": "chat 1", "from": 3}))
        (job,) = store.pending("t")
        assert (job.about, job.state, job.due_at) == (("t", "gc", "chat 1"), "queued", NOW)
        assert job.payload == {"chat": "chat 1", "from": 3}
        assert store.pending("u") == ()

    def test_a_job_that_waits_is_moved_not_doubled(self) -> None:
        store = self.world.store
        store.enqueue(new(payload={"n": 1}))
        store.enqueue(new(due=30, payload={"n": 2}))
        store.enqueue(new(due=20))
        store.enqueue(new(key="other"))
        store.enqueue(new(tenant="u"))
        assert [(job.key, job.due_at, job.payload) for job in store.pending("t")] == [
            ("other", NOW, {}),
            ("", after(20), {"n": 2}),
        ]

    def test_only_due_jobs_of_the_names_are_claimed_earliest_first(self) -> None:
        store = self.world.store
        for key, due in (("late", 50), ("second", 2), ("first", 1)):
            store.enqueue(new(key=key, due=due))
        store.enqueue(new("embed", tenant="u", due=1.5))
        store.enqueue(new("other"))
        assert [job.key for job in claim(store, "w1", at=10, limit=1)] == ["first"]
        assert [job.about for job in claim(store, "w2", at=10)] == [("u", "embed", ""), ("t", "gc", "second")]
        assert claim(store, "w3", at=10) == ()
        assert store.next_due(WORK) == after(50)
        assert store.next_due(("nothing",)) is None

    def test_what_comes_meanwhile_waits_behind(self) -> None:
        store = self.world.store
        store.enqueue(new(payload={"n": 1}))
        (job,) = claim(store, "w1")
        store.enqueue(new(payload={"n": 2}))
        store.enqueue(new(payload={"n": 3}))
        assert claim(store, "w2", at=1) == ()
        assert store.claim_now("w2", job.about, now=NOW, lease_seconds=MINUTE) is None
        assert job.payload == {"n": 1}
        store.finish(job)
        (newer,) = claim(store, "w2", at=1)
        assert (newer.payload, newer.attempts) == ({"n": 3}, 1)
        assert newer.run != job.run

    def test_a_lease_that_is_over_is_taken_over(self) -> None:
        store = self.world.store
        store.enqueue(new())
        (first,) = claim(store, "w1")
        assert store.heartbeat(first, now=after(30), lease_seconds=MINUTE)
        assert claim(store, "w2", at=89) == ()
        (second,) = claim(store, "w2", at=90)
        assert store.is_pending(second.about)
        assert (second.run, second.attempts, second.crashes, second.lease) == (first.run, 2, 1, "w2")
        assert not store.heartbeat(first, now=after(91), lease_seconds=MINUTE)
        for late in (store.hold, store.finish):
            with raises(LeaseLost):
                late(first)
        with raises(LeaseLost):
            store.fail(first, error="late", at=after(91), retry_at=None)
        store.finish(second)
        assert store.pending("t") == ()
        assert not store.is_pending(second.about)
        with raises(LeaseLost):
            store.finish(second)

    def test_who_lost_the_lease_cannot_store_the_effect(self) -> None:
        store = self.world.store
        store.enqueue(new())
        (first,) = claim(store, "w1")
        (second,) = claim(store, "w2", at=60)
        for job in (first, second):
            with raises(LeaseLost) as lost, store.transaction():
                store.record("t", Space.SYSTEM, "x", Entry(op="admin", reason=job.lease), at=NOW)
                store.finish(job)
                if job is second:
                    raise LeaseLost(job.name)
            assert len(lost) == 1
        assert store.rows("t") == ()
        with store.transaction():
            store.hold(second)
            store.record("t", Space.SYSTEM, "x", Entry(op="admin", reason="w2"), at=NOW)
            store.finish(second)
        assert [row.entry.reason for row in store.rows("t")] == ["w2"]

    def test_one_of_several_workers_gets_it(self) -> None:
        stores = [self.world.store, *(self.open_again(self.world.store) for _ in range(3))]
        for key in range(20):
            stores[0].enqueue(new(key=str(key)))
        taken: list[Job] = []

        def work(number: int) -> None:
            while found := claim(stores[number], f"w{number}.{len(taken)}", limit=1):
                taken.extend(found)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(len(stores))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for store in stores[1:]:
            store.close()
        assert sorted(int(job.key) for job in taken) == list(range(20))

    def open_again(self, store: Store) -> Store:
        """Given by the suite."""
        raise NotImplementedError

    def test_a_failed_job_comes_again_before_newer_ones(self) -> None:
        store = self.world.store
        store.enqueue(new(payload={"n": 1}))
        (job,) = claim(store, "w1")
        store.enqueue(new(payload={"n": 2}))
        store.fail(job, error="embedder_unavailable", at=after(1), retry_at=after(10))
        assert claim(store, "w2", at=9) == ()
        (again,) = claim(store, "w2", at=10)
        assert (again.payload, again.attempts, again.crashes) == ({"n": 1}, 2, 0)
        assert again.error == "embedder_unavailable"
        assert again.run == job.run

    def test_dead_letters_can_be_seen_put_back_or_thrown_away(self) -> None:
        store = self.world.store
        store.enqueue(new(payload={"n": 1}))
        (job,) = claim(store, "w1")
        store.fail(job, error="broken", at=after(5), retry_at=None)
        assert (store.pending("t"), store.next_due(WORK), store.dead_letters("u")) == ((), None, ())
        (dead,) = store.dead_letters("t")
        assert (dead.state, dead.error, dead.due_at, dead.run) == ("dead", "broken", after(5), job.run)
        store.enqueue(new(payload={"n": 2}))
        assert store.retry(dead, at=after(6))
        assert not store.retry(dead, at=after(6))
        (again,) = claim(store, "w2", at=6)
        assert (again.payload, again.attempts) == ({"n": 1}, 1)
        store.fail(again, error="broken", at=after(7), retry_at=None)
        (newer,) = claim(store, "w3", at=8)
        assert newer.payload == {"n": 2}
        assert not store.retry(dead, at=after(9)), "the same work is being done"
        assert store.discard(dead)
        assert not store.discard(dead)
        assert store.dead_letters("t") == ()

    def test_a_job_can_be_taken_before_it_is_due(self) -> None:
        store = self.world.store
        store.enqueue(new(due=500, payload={"n": 1}))
        about = ("t", "gc", "")
        assert store.claim_now("w1", ("t", "gc", "other"), now=NOW, lease_seconds=MINUTE) is None
        job = store.claim_now("w1", about, now=NOW, lease_seconds=MINUTE)
        assert job is not None
        assert job.payload == {"n": 1}
        assert store.claim_now("w2", about, now=NOW, lease_seconds=MINUTE) is None
        assert store.claim_now("w2", about, now=after(61), lease_seconds=MINUTE) is not None

    def test_a_job_can_be_taken_over_from_a_worker_whose_lease_is_not_over(self) -> None:
        store, about = self.world.store, ("t", "gc", "")
        assert store.claim_now("w1", about, now=NOW, lease_seconds=MINUTE, takes_over=True) is None
        store.enqueue(new())
        (first,) = claim(store, "w1")
        second = store.claim_now("w2", about, now=after(1), lease_seconds=MINUTE, takes_over=True)
        assert second is not None
        assert (second.run, second.attempts, second.crashes) == (first.run, 2, 1)
        with raises(LeaseLost):
            store.hold(first)
        store.finish(second)
        assert store.pending("t") == ()

    def test_listeners_hear_of_jobs_that_were_committed(self) -> None:
        store = self.world.store
        heard: list[tuple[str, str, str]] = []
        store.watch_jobs(heard.append)
        with store.transaction():
            store.enqueue(new())
            with store.transaction():
                store.enqueue(new(key="a"))
            assert heard == []
        assert heard == [("t", "gc", ""), ("t", "gc", "a")]
        store.enqueue(new(key="b"))
        assert heard[2:] == [("t", "gc", "b")]

    def test_a_payload_is_no_place_for_text(self) -> None:
        with raises(InvalidInput):
            self.world.store.enqueue(new(payload={"said": ["word " * 200]}))
        with raises(InvalidInput):
            self.world.store.enqueue(new(payload={str(number): "x" * 500 for number in range(40)}))
        assert self.world.store.pending("t") == ()

    def test_a_tick_belongs_to_whoever_moved_the_watermark(self) -> None:
        store = self.world.store
        assert store.watermark("t", "gc") is None
        assert store.advance("t", "gc", since=None, to=NOW)
        assert not store.advance("t", "gc", since=None, to=after(1))
        assert store.advance("t", "gc", since=NOW, to=after(2))
        assert not store.advance("t", "gc", since=NOW, to=after(3))
        assert store.watermark("t", "gc") == after(2)
        assert (store.watermark("t", "embed"), store.watermark("u", "gc")) == (None, None)

    def test_tenants_are_those_who_stored_something(self) -> None:
        assert self.world.store.tenants() == ()
        for tenant in ("u", "t", "u"):
            self.world.tell(tenant=tenant)
        assert self.world.store.tenants() == ("t", "u")
