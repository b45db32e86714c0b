"""What is killed in `jobs_kill.py`: every kind of job and what else changes much, and what must be true at its end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping

from bench.jobs_kill_by_hand import BY_HAND
from bench.jobs_kill_world import NOW, SIZE, WORD, Bag, Case, later, once, raw, tell, whole
from wellkept.api import Memory
from wellkept.flows.sessions import summarise
from wellkept.flows.upkeep import doctor, lifetime
from wellkept.flows.upkeep.schedule import Duty, digest
from wellkept.jobs import Runner, Work
from wellkept.judges.english import RulesJudge
from wellkept.judges.llm.insights import Activity
from wellkept.policies.summaries import Conversation
from wellkept.store.contract import Entry, NewestRows, NewJob, Proposal, Unembedded
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.store.tables import tables
from wellkept.testing.world import World
from wellkept.types import Claim
from wellkept.vocabulary import Kind, MemoryType, Sensitivity, Space

NOTES, CAP, USERS, PAIRS, TALKS = 30, 40, 6, 24, 16
FOLDS_MAX, PAIRS_A_DAY = 5, 50
NAMES = (
    "Ottilie", "Ingrid", "Mateus", "Yuki", "Farida", "Siobhan", "Ravi", "Tane", "Leila", "Bjorn", "Oksana", "Dmitri",
    "Chidi", "Amara", "Henrik", "Paloma", "Gaspar", "Zeynep", "Callum", "Noor", "Sigrid", "Tomasz", "Ayesha", "Marcel",
)  # fmt: skip
"""One a pair."""


class Thinking(RulesJudge):
    """The rules, and one conclusion about whoever it is shown."""

    def insights(self, activity: Activity) -> tuple[Claim, ...]:
        """About this user."""
        text = f"{activity.user} seems to look for calm after busy days"
        what = {"type": MemoryType.INSIGHT, "kind": Kind.INSIGHT, "sensitivity": Sensitivity.PERSONAL}
        return (Claim(content=text, category="relationship_dynamic", importance=2.0, **what),)  # type: ignore[arg-type]  # fields of a claim


def _without_vectors(memory: Memory) -> None:
    tell(memory, "knowledge")
    driver = memory.engine.store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose
    driver.run("DELETE FROM vectors", {})
    driver.run("UPDATE memories SET embedded_model = ''", {})


def _embedded(memory: Memory) -> Iterator[str]:
    rows = raw(memory, "SELECT num, COUNT(*) FROM vectors GROUP BY num")
    if len(rows) != SIZE or {times for _, times in rows} != {1}:
        yield f"{len(rows)} memories have vectors, not {SIZE}"
    if memory.engine.store.memories(Unembedded(tenant="default", model=memory.engine.model or "", limit=1)):
        yield "some memories have no vector"


def _alice(memory: Memory) -> None:
    tell(memory, "knowledge")
    memory.at(user="alice").remember(f"I live near {WORD} with my brother Rufus")
    payload = {"user": "alice", "mentions": False}
    key = digest("alice")
    memory.engine.store.keep(NewJob(tenant="default", name="erase", key=key, payload=payload, due_at=NOW))


def _gone(memory: Memory) -> Iterator[str]:
    for path in memory.engine.store.files():
        if WORD.encode() in b"".join(chunks(path)):
            yield f"{path.name} still has the words"
    for table in tables():
        if WORD in repr(raw(memory, f"SELECT * FROM {table}")):  # noqa: S608 -- a name of the schema
            yield f"{table} still has the words"


def _erased(memory: Memory) -> Iterator[str]:
    yield from _gone(memory)
    yield from once(memory, "erased", SIZE + 1)


def _removed(memory: Memory) -> None:
    tell(memory, "knowledge")
    store = memory.engine.store
    with store.transaction():
        lifetime.remove(list(store.every("default")), memory.engine, reason="purged", now=NOW)
        World(store).tell("Something else.", tenant="default")


def _exchanges(memory: Memory) -> None:
    for number in range(TALKS):
        said = f"My cousin {NAMES[number % len(NAMES)]}{number} works as a baker."
        memory.at(user="ana", chat=f"c{number % 4}").observe([{"content": said, "id": f"u{number}"}])


def _learned(memory: Memory) -> Iterator[str]:
    rows = memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000_000))
    read = sum(int(row.entry.payload["messages"]) for row in rows if row.entry.reason == "extracted")
    if read != TALKS:
        yield f"{TALKS} messages were read {read} times"
    kept = [one for one in memory.at(user="ana").list(limit=1_000) if "episode" not in one.tags]
    if len(kept) != TALKS:
        yield f"{TALKS} exchanges left {len(kept)} memories"
    yield from (f"{one.id} was told {one.mention_count} times" for one in kept if one.mention_count != 1)
    yield from whole(memory)


def _twins(memory: Memory, *, by: str) -> None:
    """Facts of two users, each in two wordings; not yet compared."""
    world = World(memory.engine.store)
    fields = {"tenant": "default", "category": "knowledge", "importance": 1.0}
    with memory.engine.store.transaction():
        for number in range(PAIRS):
            scope = (Space.USER, f"user{number % 2}")
            who = NAMES[number]
            person = {"subject_person_ids": (f"p_{number}",)}
            world.tell(f"{who} runs {number + 11} kilometres every week.", scope=scope, **person, **fields)
            world.tell(f"Every week {who} runs {number + 11} kilometres.", scope=scope, **person, **fields)
    if by == "reconcile":
        driver = memory.engine.store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose
        driver.run("DELETE FROM vectors", {})
        driver.run("UPDATE memories SET embedded_model = ''", {})
        memory.upkeep.embed()


def _joined(memory: Memory) -> Iterator[str]:
    yield from once(memory, "merged", PAIRS)
    counts = Counter(row[0] for row in raw(memory, "SELECT mention_count FROM memories WHERE state = 'active'"))
    if counts != {2: PAIRS}:
        yield f"mentions of live memories: {dict(counts)}"


def _consolidated(memory: Memory) -> Iterator[str]:
    yield from _joined(memory)
    checks = raw(memory, "SELECT scope, COUNT(*) FROM pair_checks GROUP BY scope")
    yield from (f"{count} pairs of a scope in a day" for _, count in checks if count > PAIRS_A_DAY)


def _notes(memory: Memory) -> None:
    """Equal texts, and more entities to fold than one run may."""
    world = World(memory.engine.store)
    with memory.engine.store.transaction():
        for number in range(NOTES):
            world.tell(f"The same line {number // 2}.", tenant="default")
        for number in range(3 * (FOLDS_MAX + 3)):
            heron = f"heron{number // 3}"
            world.tell(f"Note {number} on {heron}.", tenant="default", entity_refs=(f"project:{heron}",))
        memory.engine.store.keep(NewJob(tenant="default", name="curate", due_at=NOW))


def _curated(memory: Memory) -> Iterator[str]:
    yield from once(memory, "dedupe", NOTES // 2)
    folds = raw(memory, "SELECT COUNT(*) FROM memories WHERE origin = 'curated_fold' AND state = 'active'")[0][0]
    parts = raw(memory, "SELECT COUNT(*) FROM memories WHERE archive_reason = 'fold'")[0][0]
    if (folds, parts) != (FOLDS_MAX, 3 * FOLDS_MAX):
        yield f"{folds} folds of {parts} parts in one run, not {FOLDS_MAX}"


def _read_and_count(memory: Memory) -> object:
    memory.engine.access.add(memory.at(user="alice").place, [one.id for one in _every(memory)], memory.engine)
    return memory.upkeep.run(["importance"])


def _every(memory: Memory) -> list:  # type: ignore[type-arg]  # rows of any table
    return list(memory.engine.store.every("default"))


def _counted(memory: Memory) -> Iterator[str]:
    counts = {one.access_count for one in _every(memory)}
    if len(counts) != 1 or not counts <= set(range(1, 10_000)):
        yield f"one reader's recalls are written in part: {sorted(counts)}"
    yield from whole(memory)


def _told_by_many(memory: Memory) -> None:
    for number in range(USERS):
        memory.at(user=f"user{number}").remember("I went swimming at the lake yesterday")


def _concluded(memory: Memory) -> Iterator[str]:
    rows = raw(memory, "SELECT owner, COUNT(*) FROM memories WHERE kind = 'insight' GROUP BY owner")
    if len(rows) != USERS or any(count != 1 for _, count in rows):
        yield f"insights by user: {rows}"
    yield from whole(memory)


def _talked(memory: Memory) -> None:
    for number in range(USERS):
        ana = memory.at(user=f"user{number}", persona="Coach", chat="dm")
        for text in ("My sister Ida lives in Porto.", "I will call the bank.", "It rains.", "The garden grows."):
            ana.turn(text).finish("Go on.")


def _summed_up(memory: Memory) -> Iterator[str]:
    for table in ("rolling_summaries", "session_summaries"):
        count = raw(memory, f"SELECT COUNT(*) FROM {table}")[0][0]  # noqa: S608 -- two names of ours
        if count != USERS:
            yield f"{count} rows of {table}, not {USERS}"
    if raw(memory, "SELECT 1 FROM sessions WHERE ended_at IS NULL"):
        yield "a silent session is still open"
    yield from whole(memory)


def _long_talks(memory: Memory) -> None:
    for number in range(USERS):
        memory.at(user=f"user{number}").remember("I live in Porto")
        talk = Conversation(tenant="default", owner=f"user{number}", persona=None)
        for total in (20, 40):
            memory.engine.store.keep(summarise.later("spine", talk, due_at=NOW, total=total))


def _spines(memory: Memory) -> Iterator[str]:
    rows = raw(memory, "SELECT owner, COUNT(*), MAX(total) FROM spines GROUP BY owner")
    # A later one may come first: then the earlier is made already.
    if len(rows) != USERS or any(count > 2 or total != 40 for _, count, total in rows):
        yield f"spines by user: {rows}"
    yield from whole(memory)


def _asked(memory: Memory) -> None:
    store = memory.engine.store
    with store.transaction():
        for number in range(SIZE):
            store.keep(
                Proposal(
                    id=f"c_{number}", tenant="default", user_id=f"user{number % 9}", field="city", new="Lyon", at=NOW
                )
            )


def _expired(memory: Memory) -> Iterator[str]:
    rows = memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000_000))
    counts = Counter(row.entry.payload.get("proposal") for row in rows if row.entry.reason == "expired")
    if len(counts) != SIZE or set(counts.values()) != {1}:
        yield f"{len(counts)} of {SIZE} questions expired, at most {max(counts.values(), default=0)} times"
    if raw(memory, "SELECT 1 FROM proposals WHERE state <> 'expired'"):
        yield "a question is still open"
    yield from whole(memory)


def note_case(*, is_broken: bool) -> Case:
    """Many small jobs, each with one row as its effect. Broken: the row and the end of the job are stored apart."""

    def note(duty: Duty) -> Mapping[str, int]:
        entry = Entry(op="admin", reason="noted", payload={"key": duty.job.key})
        store = duty.engine.store
        if is_broken:
            store.record("default", Space.SYSTEM, "notes", entry, at=NOW)
            return {}
        with duty.transaction():
            store.record("default", Space.SYSTEM, "notes", entry, at=NOW)
            duty.finish({})
        return {}

    def prepare(memory: Memory) -> None:
        with memory.engine.store.transaction():
            for number in range(NOTES):
                memory.engine.store.keep(NewJob(tenant="default", name="note", key=str(number), due_at=NOW))

    def run(memory: Memory) -> object:
        worker = f"{os.getpid()}.{memory.engine.clock().timestamp()}"
        return Runner(memory.engine, worker=worker, jobs={"note": Work(doc="", run=note)}).run_due()

    def faults(memory: Memory) -> Iterator[str]:
        rows = memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000_000))
        made = Counter(row.entry.payload["key"] for row in rows if row.entry.reason == "noted")
        if len(made) != NOTES:
            yield f"{len(made)} of {NOTES} notes were made"
        yield from (f"note {key} was made {times} times" for key, times in made.items() if times != 1)
        yield from whole(memory)

    broken = (lambda _memory: None) if is_broken else None
    return Case(prepare=prepare, faults=faults, run=run, broken=broken)


def _many_chains(memory: Memory) -> None:
    """More than one batch of them."""
    world = World(memory.engine.store)
    with memory.engine.store.transaction():
        for number in range(doctor.SEALED_AT_ONCE + SIZE):
            world.tell("A note.", tenant="default", scope=(Space.USER, f"user{number}"))


def _sealed(memory: Memory) -> Iterator[str]:
    heads = raw(memory, "SELECT scope, COUNT(*) FROM sealed_heads WHERE seq = 1 GROUP BY scope")
    if len(heads) < doctor.SEALED_AT_ONCE + SIZE:
        yield f"{len(heads)} chains are sealed"
    yield from (f"the end of chain {scope} is sealed {times} times" for scope, times in heads if times != 1)
    yield from whole(memory)


def _old_messages(memory: Memory) -> None:
    said = [{"content": f"Word {number}", "id": f"m{number}"} for number in range(SIZE)]
    memory.at(user="user", chat="dm").observe(said, extract=False)


def _messages_gone(memory: Memory) -> Iterator[str]:
    left = raw(memory, "SELECT id FROM messages")
    if left:
        yield f"{len(left)} messages are left"
    yield from whole(memory)


CASES: Mapping[str, Case] = {
    "note": note_case(is_broken=False),
    "gc": Case(
        prepare=lambda memory: tell(memory, "observation"),
        days=10,
        faults=lambda memory: once(memory, "ephemeral_decay", SIZE),
    ),
    "soft-delete": Case(
        prepare=lambda memory: tell(memory, "insight"),
        days=61,
        faults=lambda memory: once(memory, "soft_deleted", SIZE),
    ),
    "purge": Case(
        prepare=lambda memory: (tell(memory, "insight"), later(memory, 61, "soft-delete"))[1],
        days=92,
        faults=lambda memory: once(memory, "purged", SIZE),
    ),
    "compact": Case(
        prepare=lambda memory: (tell(memory, "observation"), later(memory, 10, "gc"))[1],
        days=101,
        faults=lambda memory: once(memory, "compacted", SIZE),
    ),
    "transcript": Case(prepare=_old_messages, days=100, faults=_messages_gone),
    "evict": Case(
        prepare=lambda memory: tell(memory, "knowledge"),
        days=8,
        faults=lambda memory: once(memory, "evicted", SIZE - CAP),
        cap=CAP,
    ),
    "extract": Case(prepare=_exchanges, faults=_learned),
    "scrub": Case(prepare=_removed, faults=lambda memory: (*_gone(memory), *whole(memory)).__iter__()),
    "erase": Case(prepare=_alice, faults=_erased),
    "embed": Case(prepare=_without_vectors, faults=_embedded, embedder=Bag()),
    "reconcile": Case(prepare=lambda memory: _twins(memory, by="reconcile"), faults=_joined, embedder=Bag()),
    "consolidate": Case(prepare=lambda memory: _twins(memory, by="consolidate"), faults=_consolidated, embedder=Bag()),
    "curate": Case(prepare=_notes, faults=_curated, run=lambda memory: memory.upkeep.runner.run_due()),
    "importance": Case(prepare=lambda memory: tell(memory, "knowledge"), faults=_counted, run=_read_and_count),
    "insights": Case(prepare=_told_by_many, faults=_concluded, judge=Thinking()),
    "summarise": Case(prepare=_talked, faults=_summed_up),
    "spine": Case(prepare=_long_talks, faults=_spines),
    "seal": Case(prepare=_many_chains, faults=_sealed),
    "consent": Case(prepare=_asked, days=8, faults=_expired),
    # No jobs, but as much work: run again by whoever asked for it.
    **BY_HAND,
}
