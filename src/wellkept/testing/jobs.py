"""Conformance: jobs with their leases, what servers keep (keys, answers, events), and checkpoints of agents."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from wellkept.errors import CheckpointConflict, InvalidInput, LeaseLost, StoreError
from wellkept.store.contract import (
    Answer,
    AnswersBefore,
    AnyKey,
    ApiKey,
    Checkpoint,
    CheckpointKey,
    Claim,
    Entry,
    EventFilter,
    Events,
    Failure,
    Feed,
    FeedMark,
    Item,
    ItemKey,
    Job,
    KnownUser,
    LedgerRow,
    NewestRows,
    NewJob,
    PendingJob,
    Position,
    Searches,
    Step,
    StepQuery,
    Store,
    Write,
    Writes,
)
from wellkept.store.driver import UniqueClash
from wellkept.testing.world import NOW, Checks, raises
from wellkept.vocabulary import Space

MINUTE = 60.0
WORK = ("embed", "gc")


def after(seconds: float) -> datetime:
    """So much later."""
    return NOW + timedelta(seconds=seconds)


def claim(store: Store, worker: str, *, at: float = 0, **fields: Any) -> tuple[Job, ...]:  # noqa: ANN401 -- of `claim`
    """Take what is due, for a minute."""
    given: dict[str, Any] = {"worker": worker, "names": WORK, "now": after(at), "lease_seconds": MINUTE, "limit": 9}
    return store.claim(Claim(**given | fields))


def new(name: str = "gc", key: str = "", *, due: float = 0, **fields: Any) -> NewJob:  # noqa: ANN401 -- of `NewJob`
    """A job that is due so many seconds from now."""
    defaults: dict[str, Any] = {"tenant": "t", "name": name, "key": key, "due_at": after(due)}
    return NewJob(**defaults | fields)


class JobsChecks(Checks):
    """Every promise of `contract.Store`, section "Jobs"."""

    def test_a_job_is_written_with_its_cause_or_not_at_all(self) -> None:
        with raises(RuntimeError), self.store.transaction():
            self.world.tell("Alice likes tea.")
            self.store.keep(new())
            raise RuntimeError
        assert self.store.jobs("t") == ()
        with self.store.transaction():
            self.world.tell("Alice likes tea.")
            self.store.keep(new(key="chat 1", payload={"chat": "chat 1", "from": 3}))
        (job,) = self.store.jobs("t")
        assert (job.about, job.state, job.due_at) == (("t", "gc", "chat 1"), "queued", NOW)
        assert job.payload == {"chat": "chat 1", "from": 3}
        assert self.store.jobs("u") == ()

    def test_a_job_that_waits_is_moved_not_doubled(self) -> None:
        self.store.keep(new(payload={"n": 1}))
        self.store.keep(new(due=30, payload={"n": 2}))
        self.store.keep(new(due=20))
        self.store.keep(new(key="other"))
        self.store.keep(new(tenant="u"))
        assert [(job.key, job.due_at, job.payload) for job in self.store.jobs("t")] == [
            ("other", NOW, {}),
            ("", after(20), {"n": 2}),
        ]

    def test_only_due_jobs_of_the_names_are_claimed_earliest_first(self) -> None:
        for key, due in (("late", 50), ("second", 2), ("first", 1)):
            self.store.keep(new(key=key, due=due))
        self.store.keep(new("embed", tenant="u", due=1.5))
        self.store.keep(new("other"))
        assert [job.key for job in claim(self.store, "w1", at=10, limit=1)] == ["first"]
        assert [job.about for job in claim(self.store, "w2", at=10)] == [("u", "embed", ""), ("t", "gc", "second")]
        assert claim(self.store, "w3", at=10) == ()
        assert next((job.due_at for job in self.store.jobs(None, names=WORK, limit=1)), None) == after(50)
        assert next((job.due_at for job in self.store.jobs(None, names=("nothing",), limit=1)), None) is None

    def test_what_comes_meanwhile_waits_behind(self) -> None:
        self.store.keep(new(payload={"n": 1}))
        (job,) = claim(self.store, "w1")
        self.store.keep(new(payload={"n": 2}))
        self.store.keep(new(payload={"n": 3}))
        assert claim(self.store, "w2", at=1) == ()
        assert self.store.claim(Claim(worker="w2", about=job.about, now=NOW, lease_seconds=MINUTE)) == ()
        assert job.payload == {"n": 1}
        self.store.finish(job)
        (newer,) = claim(self.store, "w2", at=1)
        assert (newer.payload, newer.attempts) == ({"n": 3}, 1)
        assert newer.run != job.run

    def test_a_lease_that_is_over_is_taken_over(self) -> None:
        self.store.keep(new())
        (first,) = claim(self.store, "w1")
        self.store.hold(first, until=after(90))
        assert claim(self.store, "w2", at=89) == ()
        (second,) = claim(self.store, "w2", at=90)
        assert self.store.has(PendingJob(about=second.about))
        assert (second.run, second.attempts, second.crashes, second.lease) == (first.run, 2, 1, "w2")
        with raises(LeaseLost):
            self.store.hold(first, until=after(151))
        for late in (self.store.hold, self.store.finish):
            with raises(LeaseLost):
                late(first)
        with raises(LeaseLost):
            self.store.finish(first, Failure(error="late", at=after(91), retry_at=None))
        self.store.finish(second)
        assert self.store.jobs("t") == ()
        assert not self.store.has(PendingJob(about=second.about))
        with raises(LeaseLost):
            self.store.finish(second)

    def test_who_lost_the_lease_cannot_store_the_effect(self) -> None:
        self.store.keep(new())
        (first,) = claim(self.store, "w1")
        (second,) = claim(self.store, "w2", at=60)
        for job in (first, second):
            with raises(LeaseLost) as lost, self.store.transaction():
                self.store.record("t", Space.SYSTEM, "x", Entry(op="admin", reason=job.lease), at=NOW)
                self.store.finish(job)
                if job is second:
                    raise LeaseLost(job.name)
            assert len(lost) == 1
        assert self.store.ledger(NewestRows(tenant="t")) == ()
        with self.store.transaction():
            self.store.hold(second)
            self.store.record("t", Space.SYSTEM, "x", Entry(op="admin", reason="w2"), at=NOW)
            self.store.finish(second)
        assert [row.entry.reason for row in self.store.ledger(NewestRows(tenant="t"))] == ["w2"]

    def test_one_of_several_workers_gets_it(self) -> None:
        stores = [self.world.store, *(self.open_again(self.world.store) for _ in range(3))]
        for key in range(20):
            stores[0].keep(new(key=str(key)))
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

    def test_a_failed_job_comes_again_before_newer_ones(self) -> None:
        self.store.keep(new(payload={"n": 1}))
        (job,) = claim(self.store, "w1")
        self.store.keep(new(payload={"n": 2}))
        self.store.finish(job, Failure(error="embedder_unavailable", at=after(1), retry_at=after(10)))
        assert claim(self.store, "w2", at=9) == ()
        (again,) = claim(self.store, "w2", at=10)
        assert (again.payload, again.attempts, again.crashes) == ({"n": 1}, 2, 0)
        assert again.error == "embedder_unavailable"
        assert again.run == job.run

    def test_dead_letters_can_be_seen_and_put_back(self) -> None:
        self.store.keep(new(payload={"n": 1}))
        (job,) = claim(self.store, "w1")
        self.store.finish(job, Failure(error="broken", at=after(5), retry_at=None))
        assert (
            self.store.jobs("t"),
            next((job.due_at for job in self.store.jobs(None, names=WORK, limit=1)), None),
            self.store.jobs("u", dead=True),
        ) == ((), None, ())
        (dead,) = self.store.jobs("t", dead=True)
        assert (dead.state, dead.error, dead.due_at, dead.run) == ("dead", "broken", after(5), job.run)
        self.store.keep(new(payload={"n": 2}))
        assert self.store.retry(dead, at=after(6))
        assert not self.store.retry(dead, at=after(6))
        (again,) = claim(self.store, "w2", at=6)
        assert (again.payload, again.attempts) == ({"n": 1}, 1)
        self.store.finish(again, Failure(error="broken", at=after(7), retry_at=None))
        (newer,) = claim(self.store, "w3", at=8)
        assert newer.payload == {"n": 2}
        assert not self.store.retry(dead, at=after(9)), "the same work is being done"
        assert [one.run for one in self.store.jobs("t", dead=True)] == [dead.run]

    def test_a_job_can_be_taken_before_it_is_due(self) -> None:
        self.store.keep(new(due=500, payload={"n": 1}))
        about = ("t", "gc", "")
        assert self.store.claim(Claim(worker="w1", about=("t", "gc", "other"), now=NOW, lease_seconds=MINUTE)) == ()
        (job,) = self.store.claim(Claim(worker="w1", about=about, now=NOW, lease_seconds=MINUTE))
        assert job.payload == {"n": 1}
        assert self.store.claim(Claim(worker="w2", about=about, now=NOW, lease_seconds=MINUTE)) == ()
        assert self.store.claim(Claim(worker="w2", about=about, now=after(61), lease_seconds=MINUTE)) != ()

    def test_a_job_can_be_taken_over_from_a_worker_whose_lease_is_not_over(self) -> None:
        store, about = self.world.store, ("t", "gc", "")
        assert store.claim(Claim(worker="w1", about=about, now=NOW, lease_seconds=MINUTE, takes_over=True)) == ()
        store.keep(new())
        (first,) = claim(store, "w1")
        (second,) = store.claim(Claim(worker="w2", about=about, now=after(1), lease_seconds=MINUTE, takes_over=True))
        assert (second.run, second.attempts, second.crashes) == (first.run, 2, 1)
        with raises(LeaseLost):
            store.hold(first)
        store.finish(second)
        assert store.jobs("t") == ()

    def test_listeners_hear_of_jobs_that_were_committed(self) -> None:
        heard: list[tuple[str, str, str]] = []
        self.store.job_listeners.append(heard.append)
        with self.store.transaction():
            self.store.keep(new())
            with self.store.transaction():
                self.store.keep(new(key="a"))
            assert heard == []
        assert heard == [("t", "gc", ""), ("t", "gc", "a")]
        self.store.keep(new(key="b"))
        assert heard[2:] == [("t", "gc", "b")]

    def test_a_payload_is_no_place_for_text(self) -> None:
        with raises(InvalidInput):
            self.store.keep(new(payload={"said": ["word " * 200]}))
        with raises(InvalidInput):
            self.store.keep(new(payload={str(number): "x" * 500 for number in range(40)}))
        assert self.store.jobs("t") == ()

    def test_a_tick_belongs_to_whoever_moved_the_watermark(self) -> None:
        assert self.store.watermark("t", "gc") is None
        assert self.store.advance("t", "gc", since=None, to=NOW)
        assert not self.store.advance("t", "gc", since=None, to=after(1))
        assert self.store.advance("t", "gc", since=NOW, to=after(2))
        assert not self.store.advance("t", "gc", since=NOW, to=after(3))
        assert self.store.watermark("t", "gc") == after(2)
        assert (self.store.watermark("t", "embed"), self.store.watermark("u", "gc")) == (None, None)

    def test_tenants_are_those_who_stored_something(self) -> None:
        assert self.store.tenants() == ()
        for tenant in ("u", "t", "u"):
            self.world.tell(tenant=tenant)
        assert self.store.tenants() == ("t", "u")


KEY = ApiKey(tenant="t", id="k1", name="bot", hash="h", scopes=("user:alice", "agent:planner"), created_at=NOW)
ANSWER = Answer(tenant="t", caller="k1", key="once", request="r", user="alice", body="{}", at=NOW)


class ServingChecks(Checks):
    """Every promise of `contract.Store`, section "Servers"."""

    def test_keys_are_kept_and_revoked(self) -> None:
        assert not self.store.has(AnyKey())
        self.store.keep(replace(KEY, tenant="v", id="k0", hash=""))
        assert not self.store.has(AnyKey())
        self.store.keep(KEY)
        self.store.keep(replace(KEY, tenant="u", id="k2", created_at=NOW + timedelta(days=1)))
        assert self.store.keys(key_id="k1") == (KEY,)
        assert self.store.keys(key_id="k3") == ()
        assert self.store.keys("t") == (KEY,)
        self.store.keep(replace(KEY, revoked_at=NOW, expires_at=NOW))
        assert self.store.keys("t") == (replace(KEY, revoked_at=NOW, expires_at=NOW),)
        assert self.store.has(AnyKey())

    def test_a_feed_has_every_row_after_its_beginning_once(self) -> None:
        self.world.tell("One.")
        self.store.keep(FeedMark(tenant="t", hook="crm", rows=None))
        assert self.store.ledger(Feed(tenant="t", hook="crm", limit=9)) == ()
        assert len(self.store.ledger(Feed(tenant="t", hook="log", limit=9))) == 1, "each has marks of its own"
        memory = self.world.archive(self.world.tell("Two."))
        self.world.tell("Elsewhere.", tenant="u")
        rows = self.store.ledger(Feed(tenant="t", hook="crm", limit=9))
        assert [(row.entry.op, row.entry.memory_id) for row in rows] == [("create", memory.id), ("delete", memory.id)]
        first = self.store.ledger(Feed(tenant="t", hook="crm", limit=1))
        assert first == rows[:1]
        with raises(ZeroDivisionError), self.store.transaction():
            self.store.keep(FeedMark(tenant="t", hook="crm", rows=rows))
            _ = 1 / 0
        with self.store.transaction():
            self.store.keep(FeedMark(tenant="t", hook="crm", rows=first))
        assert self.store.ledger(Feed(tenant="t", hook="crm", limit=9)) == rows[1:]

    def test_an_answer_is_kept_once(self) -> None:
        assert self.store.answered("t", "k1", "once") is None
        self.store.keep(ANSWER)
        assert self.store.answered("t", "k1", "once") == ANSWER
        assert self.store.answered("u", "k1", "once") is None
        assert self.store.answered("t", "k2", "once") is None
        with raises(UniqueClash):
            self.store.keep(replace(ANSWER, body="[]"))
        later = NOW + timedelta(days=2)
        self.store.keep(replace(ANSWER, key="again", at=later))
        assert self.store.drop(AnswersBefore(tenant="t", since=NOW + timedelta(days=1))) == 1
        assert self.store.answered("t", "k1", "once") is None

    def test_transactions_that_are_held_are_stored_together(self) -> None:
        with self.store.transaction(is_lazy=True):
            first = self.world.tell("One.")
            second = self.world.tell("Two.")
            self.store.keep(ANSWER)
        assert self.store.memory("t", first.id) is not None
        assert self.store.memory("t", second.id) is not None
        with raises(UniqueClash), self.store.transaction(is_lazy=True):
            third = self.world.tell("Three.")
            self.store.keep(ANSWER)
        assert self.store.memory("t", third.id) is None
        assert not list(self.store.verify("t"))

    def test_what_is_held_inside_what_is_held_is_part_of_it(self) -> None:
        with raises(RuntimeError), self.store.transaction(is_lazy=True):
            with self.store.transaction(is_lazy=True):
                self.world.tell("Alice likes tea.")
            self.world.tell("Alice likes rye bread.")
            raise RuntimeError
        assert self.store.counts("t") == {}

    def test_a_held_part_that_failed_is_left_out_alone(self) -> None:
        with self.store.transaction(is_lazy=True):
            kept = self.world.tell("One.")
            with raises(StoreError), self.store.transaction():
                lost = self.world.tell("Two.")
                raise StoreError("broken")
        assert self.store.memory("t", kept.id) is not None
        assert self.store.memory("t", lost.id) is None

    def test_events_are_paged_newest_first(self) -> None:
        for number in range(5):
            self.world.tell(f"Fact {number}.")
        whole = self.store.ledger(Events(tenant="t", wanted=EventFilter(), limit=100))
        paged: list[LedgerRow] = []
        before = None
        while page := self.store.ledger(Events(tenant="t", wanted=EventFilter(before=before), limit=2)):
            paged += page
            last = page[-1]
            before = Position(at=last.at, space=str(last.space), owner=last.owner, seq=last.seq)
        assert tuple(paged) == whole
        assert [row.at for row in whole] == sorted((row.at for row in whole), reverse=True)
        assert self.store.ledger(Events(tenant="u", wanted=EventFilter(), limit=9)) == ()
        assert self.store.ledger(Events(tenant="t", wanted=EventFilter(op="delete"), limit=9)) == ()
        assert self.store.ledger(Events(tenant="t", wanted=EventFilter(owner="nobody"), limit=9)) == ()
        assert self.store.counts("t", by="event")["hotpath create ok"] == 5

    def test_events_without_housekeeping_are_what_people_did(self) -> None:
        store, told = self.world.store, self.world.tell("One.")
        place = (told.space, told.owner)
        asked = ((NOW, Entry(op="search", node="context")),)
        store.keep(Searches(tenant="t", space=told.space, owner=told.owner, searches=asked))
        for entry in (Entry(op="classify"), Entry(op="admin", node="worker"), Entry(op="delete", node="worker")):
            store.record("t", *place, entry, at=NOW)
        store.record("t", *place, Entry(op="admin", node="admin", reason="revealed"), at=NOW)
        assert len(store.ledger(Events(tenant="t", wanted=EventFilter(), limit=9))) == 6
        news = store.ledger(Events(tenant="t", wanted=EventFilter(housekeeping=False), limit=9))
        assert {row.entry.op for row in news} == {"create", "admin"}

    def test_searches_are_events_beside_the_chains(self) -> None:
        store, told = self.world.store, self.world.tell("One.")
        asked = Entry(op="search", node="context", sim=0.5, payload={"found": 1}, thread="th")
        store.keep(
            Searches(
                tenant="t",
                space=told.space,
                owner=told.owner,
                searches=((NOW, asked), (NOW + timedelta(seconds=1), asked)),
            )
        )
        store.keep(Searches(tenant="t", space=told.space, owner="nobody", searches=((NOW, asked),)))
        whole = store.ledger(Events(tenant="t", wanted=EventFilter(), limit=9))
        assert [(row.entry.op, row.seq) for row in whole] == [("search", -2), ("create", 1), ("search", -1)]
        assert whole[0].entry == replace(asked, actor=told.owner)
        first = Position(at=whole[0].at, space=str(told.space), owner=told.owner, seq=whole[0].seq)
        assert store.ledger(Events(tenant="t", wanted=EventFilter(before=first), limit=9)) == whole[1:]
        assert store.ledger(Events(tenant="t", wanted=EventFilter(op="search"), limit=9)) == (whole[0], whole[2])
        assert store.counts("t", by="event") == {"hotpath create ok": 1, "context search ok": 2}
        done = store.activity("t", since=NOW - timedelta(days=1), owner=told.owner)
        assert [(one.node, one.op, one.times) for one in done] == [("context", "search", 2), ("hotpath", "create", 1)]
        assert len(store.ledger(NewestRows(tenant="t"))) == 1, "in no chain"
        assert not store.has(KnownUser(tenant="t", user="nobody")), "reading makes nobody known"

    def test_growth_counts_what_was_made_a_day(self) -> None:
        store, told = self.world.store, self.world.tell("One.")
        self.world.tell("Two.")
        store.record("t", told.space, told.owner, Entry(op="create", status="ok", reason="border"), at=NOW)
        ((day, made),) = store.counts("t", by="day").items()
        assert (made, day) == (
            2,
            store.ledger(Events(tenant="t", wanted=EventFilter(), limit=9))[-1].at.date().isoformat(),
        )
        assert store.counts("t", by="day", owner=told.owner) == {day: 2}
        assert store.counts("t", by="day", owner="nobody") == store.counts("u", by="day") == {}

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
        (chain,) = (one for one in self.store.scopes("t") if one.owner == told.owner)
        assert (chain.space, chain.length) == (told.space, 1)


SAID = {"state": {"next": ["plan"]}, "history": [1, 2.5, "tea", None, True]}


def checkpoint(version: int = 1, **fields: str) -> Checkpoint:
    """A state of alice's thread."""
    given = {"tenant": "t", "id": "c1", "user_id": "alice", "thread_id": "th", "data": json.dumps(SAID)} | fields
    return Checkpoint(**given, version=version, created_at=NOW, updated_at=NOW + timedelta(seconds=version))


def step(number: int, thread: str = "th", ns: str = "", run: str | None = None) -> Step:
    """A step of a thread, numbered."""
    parent = f"{number - 1:03}" if number > 1 else None
    return Step(
        tenant="t",
        thread_id=thread,
        ns=ns,
        checkpoint_id=f"{number:03}",
        parent_id=parent,
        run_id=run,
        checkpoint=f'{{"n":{number}}}',
        metadata="{}",
    )


def write(idx: int, value: str = "1", task: str = "task", path: str = "") -> Write:
    """A write after a step."""
    return Write(checkpoint_id="001", task_id=task, idx=idx, channel="c", task_path=path, value=value)


def writes(*taken: Write) -> Writes:
    """Writes after the first step."""
    return Writes(tenant="t", thread_id="th", ns="", checkpoint_id="001", writes=taken)


class CheckpointsChecks(Checks):
    """See `contract.Store`, section "Checkpoints"."""

    def test_a_checkpoint_is_saved_over_the_version_that_was_read(self) -> None:
        assert self.store.checkpoints("t", user="alice", thread="th") == ()
        self.store.keep(checkpoint())
        (found,) = self.store.checkpoints("t", user="alice", thread="th")
        assert json.loads(found.data) == SAID
        assert replace(found, data="") == replace(checkpoint(), data="")
        self.store.keep(checkpoint(2, data='{"state": 2}'))
        for late in (checkpoint(1), checkpoint(2), checkpoint(4)):
            with raises(CheckpointConflict):
                self.store.keep(late)
        (found,) = self.store.checkpoints("t", user="alice", thread="th")
        assert (found.version, json.loads(found.data)) == (2, {"state": 2})
        assert self.store.checkpoints("other", user="alice", thread="th") == ()

    def test_checkpoints_are_listed_latest_first_and_dropped(self) -> None:
        for number, (user, thread) in enumerate((("alice", "a"), ("bob", "b"), ("alice", "c")), start=1):
            one = checkpoint(user_id=user, thread_id=thread, id=f"c{number}")
            self.store.keep(replace(one, updated_at=NOW + timedelta(seconds=number)))
        assert [one.thread_id for one in self.store.checkpoints("t")] == ["c", "b", "a"]
        assert [one.thread_id for one in self.store.checkpoints("t", user="alice", limit=1)] == ["c"]
        assert self.store.drop(CheckpointKey(tenant="t", user="alice", thread="a"))
        assert not self.store.drop(CheckpointKey(tenant="t", user="alice", thread="a"))
        assert [one.thread_id for one in self.store.checkpoints("t", user="alice")] == ["c"]

    def test_steps_come_latest_first(self) -> None:
        for thread, ns in (("th", ""), ("th", "child"), ("other", "")):
            for number in (1, 2, 3):
                self.store.keep(step(number, thread, ns, run=f"r{number}"))
        found = self.store.steps(StepQuery(tenant="t", thread="th", ns=""))
        assert [one.checkpoint_id for one in found] == ["003", "002", "001"]
        assert found[0] == step(3, run="r3")
        assert [
            one.checkpoint_id
            for one in self.store.steps(StepQuery(tenant="t", thread="th", ns="", before="003", limit=1))
        ] == ["002"]
        assert len(self.store.steps(StepQuery(tenant="t", thread="th"))) == 6
        assert len(self.store.steps(StepQuery(tenant="t"))) == 9
        assert len(self.store.steps(StepQuery(tenant="t", limit=4))) == 4
        assert self.store.steps(StepQuery(tenant="u")) == ()
        assert [one.ns for one in self.store.steps(StepQuery(tenant="t", thread="th", checkpoint_id="002"))] == [
            "",
            "child",
        ]
        self.store.keep(replace(step(3), checkpoint="{}"))
        assert self.store.steps(StepQuery(tenant="t", thread="th", ns="", limit=1))[0].checkpoint == "{}"

    def test_writes_keep_their_order_and_their_first_value(self) -> None:
        self.store.keep(step(1))
        self.store.keep(writes(write(0, "1", "b", "2"), write(1, "2", "b", "2"), write(0, "3", "a", "1")))
        self.store.keep(writes(write(0, "9", "b", "2"), write(-1, "4", "b", "2")))
        self.store.keep(writes(write(-1, "5", "b", "2")))
        (found,) = self.store.steps(StepQuery(tenant="t", with_writes=True))
        assert [one.value for one in found.writes] == ["3", "5", "1", "2"]

    def test_steps_are_removed_and_copied_with_their_writes(self) -> None:
        for number in (1, 2):
            self.store.keep(replace(step(number, run=f"r{number}"), writes=(write(0),)))
        every = StepQuery(tenant="t", with_writes=True)
        for one in self.store.steps(every):
            self.store.keep(replace(one, thread_id="copy"))
        assert [(one.thread_id, one.checkpoint_id, len(one.writes)) for one in self.store.steps(every)] == [
            ("copy", "002", 1), ("copy", "001", 1), ("th", "002", 1), ("th", "001", 1)
        ]  # fmt: skip
        assert self.store.drop(StepQuery(tenant="t", runs=("r1", "no such"))) == 2
        assert [one.checkpoint_id for one in self.store.steps(every)] == ["002", "002"]
        self.store.keep(step(1))
        assert self.store.steps(replace(every, checkpoint_id="001"))[0].writes == (), "its writes went with it"
        assert self.store.drop(StepQuery(tenant="t", thread="copy")) == 1
        assert {one.thread_id for one in self.store.steps(every)} == {"th"}
        self.store.keep(step(2, "copy"))
        assert self.store.steps(replace(every, thread="copy"))[0].writes == ()

    def test_items_are_found_below_a_namespace(self) -> None:
        names = (("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("b",))
        for number, namespace in enumerate(names):
            at = NOW + timedelta(seconds=number)
            self.store.keep(
                Item(tenant="t", namespace=namespace, key="k", value=str(number), created_at=at, updated_at=at)
            )
        assert [one.namespace for one in self.store.items("t", ("a",))] == [("a",), ("a", "b"), ("a", "b", "c")]
        assert len(self.store.items("t", ())) == 5
        assert self.store.items("u", ()) == ()
        later = NOW + timedelta(days=1)
        self.store.keep(Item(tenant="t", namespace=("a",), key="k", value="9", created_at=later, updated_at=later))
        (found,) = self.store.items("t", ("a",), key="k")
        assert (found.value, found.created_at, found.updated_at) == ("9", NOW, later)
        self.store.drop(ItemKey(tenant="t", namespace=("a",), key="k"))
        assert self.store.items("t", ("a",), key="k") == ()
