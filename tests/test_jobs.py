"""The runner: due jobs are done once in effect, failures come again or end as dead letters, schedules catch up once."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.errors import EmbedderUnavailable, InvalidInput
from wellkept.flows.upkeep.schedule import OWNER, digest
from wellkept.jobs import JOBS, Runner, RunnerOptions, Work
from wellkept.policies.upkeep.pace import Retries, latest_slot
from wellkept.store.contract import Claim, Entry, NewestRows, NewJob
from wellkept.vocabulary import Space

QUIET = Config(memory=MemoryTable(auto_gc=False))


@pytest.fixture
def memory(store_url, clock):
    with wellkept.open(store_url, config=QUIET, clock=clock, embedder="none", worker="off") as memory:
        yield memory


class Notes:
    """Jobs that write a ledger row in the transaction that finishes them."""

    def __init__(self, memory):
        self.memory = memory
        self.store = memory.engine.store
        self.begun = []
        self.trouble = []

    def work(self, duty):
        self.begun.append(duty.job)
        if self.trouble:
            raise self.trouble.pop()
        with duty.transaction():
            entry = Entry(op="admin", reason="noted", payload={"job": duty.reference, **duty.job.payload})
            self.store.record("default", Space.SYSTEM, "notes", entry, at=duty.engine.clock())
            duty.finish({"noted": 1})

    def runner(self, worker="w", **options):
        jobs = {"note": Work(doc="Note.", run=self.work), "plain": Work(doc="Plain.", run=lambda _: {"n": 2})}
        return Runner(self.memory.engine, worker=worker, jobs=jobs, options=RunnerOptions(**options))

    def queue(self, key="", *, name="note", after=0.0, **payload):
        due_at = self.memory.engine.clock() + timedelta(seconds=after)
        self.store.keep(NewJob(tenant="default", name=name, key=key, payload=payload, due_at=due_at))

    @property
    def written(self):
        return [
            row.entry.payload for row in self.store.ledger(NewestRows(tenant="default")) if row.entry.reason == "noted"
        ][::-1]


@pytest.fixture
def notes(memory):
    return Notes(memory)


def job_rows(store):
    return [row.entry for row in store.ledger(NewestRows(tenant="default")) if row.owner == OWNER]


def test_due_jobs_are_done_and_counted_in_the_ledger(notes, clock):
    notes.queue("a", number=1)
    notes.queue("b", number=2, after=60)
    notes.queue(name="plain")
    runner = notes.runner()
    assert {(done.job, done.status, *done.counts.values()) for done in runner.run_due()} == {
        ("note", "ok"),
        ("plain", "ok", 2),
    }
    assert runner.run_due() == ()
    clock.advance(seconds=60)
    (second,) = runner.run_due()
    assert (second.key, second.status) == ("b", "ok")
    assert [payload["number"] for payload in notes.written] == [1, 2]
    rows = job_rows(notes.store)
    assert [row.payload["key"] for row in rows if row.payload["job"] == "note"] == [
        digest("default\nnote\nb"),
        digest("default\nnote\na"),
    ]
    assert {payload["job"] for payload in notes.written} <= {row.payload["run"] for row in rows}
    assert notes.store.jobs("default") == ()
    assert not list(notes.store.verify("default"))


def test_a_failure_comes_again_later_and_ends_as_a_dead_letter(notes, clock):
    runner = notes.runner(retries=Retries(attempts_max=2, first_seconds=10))
    notes.queue(number=1)
    notes.trouble = [ZeroDivisionError("some text"), EmbedderUnavailable("no answer")]
    assert [(done.status, done.error) for done in runner.run_due()] == [("retry", "embedder_unavailable")]
    assert runner.run_due() == ()
    clock.advance(seconds=10)
    assert [(done.status, done.error) for done in runner.run_due()] == [("dead", "ZeroDivisionError")]
    assert [(row.status, row.reason) for row in job_rows(notes.store)] == [
        ("error", "ZeroDivisionError"),
        ("error", "embedder_unavailable"),
    ]
    (dead,) = notes.memory.upkeep.jobs()["dead"]
    assert dead.error == "ZeroDivisionError"
    assert notes.memory.upkeep.retry() == 1
    assert [done.status for done in runner.run_due()] == ["ok"]
    assert [payload["number"] for payload in notes.written] == [1]


def test_an_effect_that_fails_halfway_is_not_there(notes):
    def halfway(duty):
        with duty.transaction():
            notes.store.record("default", Space.SYSTEM, "notes", Entry(op="admin", reason="noted"), at=duty.job.due_at)
            duty.finish()
            raise RuntimeError

    runner = Runner(notes.memory.engine, worker="w", jobs={"note": Work(doc="", run=halfway)})
    notes.queue()
    assert [done.status for done in runner.run_due()] == ["retry"]
    assert notes.written == []
    assert len(notes.store.jobs("default")) == 1


def test_a_worker_that_was_too_slow_stores_nothing(notes, clock):
    fast = notes.runner("fast")

    def slow(duty):
        clock.advance(seconds=61)
        assert [done.status for done in fast.run_due()] == ["ok"]
        notes.work(duty)

    runner = Runner(notes.memory.engine, worker="slow", jobs={"note": Work(doc="", run=slow)})
    notes.queue(number=1)
    assert [done.status for done in runner.run_due()] == ["lost"]
    assert [payload["number"] for payload in notes.written] == [1]
    assert len(notes.begun) == 2


def test_signs_of_life_keep_a_lease(notes, clock):
    beaten = threading.Event()
    hold = notes.store.hold

    def beat(job, **options):
        hold(job, **options)  # a last sign may come when the job is done and gone: then it raises
        if "until" in options:
            beaten.set()

    def slow(duty):
        clock.advance(seconds=0.2)
        assert beaten.wait(5)
        clock.advance(seconds=0.2)
        assert notes.runner("other").run_due() == ()
        notes.work(duty)

    notes.store.hold = beat
    options = RunnerOptions(lease_seconds=0.3)
    runner = Runner(notes.memory.engine, worker="w", jobs={"note": Work(doc="", run=slow)}, options=options)
    notes.queue(number=1)
    assert [done.status for done in runner.run_due()] == ["ok"]
    runner.stop()


def test_a_job_that_kills_its_worker_again_and_again_is_given_up(notes, clock):
    notes.queue()
    for number in range(3):
        assert notes.store.claim(Claim(worker=f"killed.{number}", names=("note",), now=clock(), lease_seconds=60))
        clock.advance(seconds=60)
    runner = notes.runner(retries=Retries(attempts_max=1, crashes_max=3))
    assert [(done.status, done.error) for done in runner.run_due()] == [("dead", "crashed")]
    assert notes.begun == []


def test_being_killed_is_not_held_against_a_job(notes, clock):
    notes.queue(number=1)
    for number in range(20):
        assert notes.store.claim(Claim(worker=f"killed.{number}", names=("note",), now=clock(), lease_seconds=60))
        clock.advance(seconds=60)
    assert [done.status for done in notes.runner().run_due()] == ["ok"]
    assert len(notes.written) == 1


def test_two_workers_do_not_double_the_work(notes):
    for number in range(40):
        notes.queue(str(number), number=number)
    runners = [notes.runner(worker) for worker in ("one", "two")]
    threads = [threading.Thread(target=runner.run_due) for runner in runners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for runner in runners:
        runner.stop()
    assert sorted(payload["number"] for payload in notes.written) == list(range(40))


def test_a_missed_tick_is_caught_up_once(notes, clock):
    notes.memory.at(user="ana").remember("I drive an old Saab")
    jobs = {"note": Work(doc="", run=notes.work, every=timedelta(days=1))}
    options = RunnerOptions(schedule_seconds=0)
    one, other = (Runner(notes.memory.engine, worker=name, jobs=jobs, options=options) for name in ("one", "other"))
    slot = latest_slot("default", timedelta(days=1), clock())
    clock.now = slot + timedelta(hours=1)
    assert one.run_due() == (), "whoever is new waits for the slot of their tenant"
    clock.now = slot + timedelta(days=1)
    assert len(one.run_due()) == 1
    clock.advance(days=10, hours=1)
    assert len(other.run_due()) == 1
    assert one.run_due() == ()
    clock.advance(hours=22)
    assert one.run_due() == ()
    clock.advance(hours=1)
    assert len(one.run_due()) == 1, "ticks keep their hour, whenever the worker came"


def test_a_fleet_does_not_begin_at_once(notes, clock):
    tenants = [f"tenant-{number}" for number in range(16)]
    for tenant in tenants:
        notes.store.record(tenant, Space.SYSTEM, "x", Entry(op="admin", reason="seen"), at=clock())
    begun = Counter()
    jobs = {"tidy": Work(doc="", run=lambda duty: begun.update([duty.tenant]), every=timedelta(days=1))}
    runner = Runner(notes.memory.engine, worker="one", jobs=jobs, options=RunnerOptions(schedule_seconds=0))
    hours = []
    for _ in range(9):
        hours.append(len(runner.run_due()))
        clock.advance(hours=3)
    assert set(begun.values()) == {1}
    assert set(begun) >= set(tenants)
    assert max(hours) <= 5, "spread over the day"


def test_run_now_does_what_waits_and_a_round(notes):
    notes.queue("later", after=3600, number=7)
    runner = notes.runner()
    assert [(done.job, done.key) for done in runner.run_now("default", ["plain", "note"])] == [
        ("plain", ""),
        ("note", ""),
        ("note", "later"),
    ]
    with pytest.raises(InvalidInput, match="note, plain") as refused:
        runner.run_now("default", ["nap"])
    assert refused.value.code == "unknown_job"
    assert notes.store.jobs("default") == ()


def test_finishing_waits_for_the_same_work_in_other_hands(notes, clock):
    notes.queue(number=1)
    (held,) = notes.store.claim(Claim(worker="other", names=("note",), now=clock(), lease_seconds=60))
    notes.queue(number=2)
    runner = notes.runner()
    timer = threading.Timer(0.2, lambda: notes.store.finish(held))
    timer.start()
    assert [done.status for done in runner.finish([held.about])] == ["ok"]
    timer.join()
    assert [payload["number"] for payload in notes.written] == [2]


def test_the_thread_starts_at_the_first_job_and_ends_with_the_memory(store_path, clock, monkeypatch):
    done = threading.Event()
    monkeypatch.setitem(JOBS, "note", Work(doc="", run=lambda _: done.set()))
    before = threading.active_count()
    with wellkept.open(store_path, config=QUIET, clock=clock, embedder="none") as memory:
        memory.at(user="ana").remember("I drive an old Saab")
        assert threading.active_count() == before
        memory.engine.store.keep(NewJob(tenant="default", name="note", due_at=clock()))
        assert done.wait(10)
    assert threading.active_count() == before


def test_jobs_of_a_process_that_died_are_done_by_the_next(store_url, clock, monkeypatch):
    done = threading.Event()
    monkeypatch.setitem(JOBS, "note", Work(doc="", run=lambda _: done.set()))
    with wellkept.open(store_url, config=QUIET, clock=clock, embedder="none", worker="off") as memory:
        memory.engine.store.keep(NewJob(tenant="default", name="note", due_at=clock()))
    with wellkept.open(store_url, config=QUIET, clock=clock, embedder="none"):
        assert done.wait(10)


def test_every_job_says_what_it_does():
    assert all(work.doc.endswith(".") for work in JOBS.values())
