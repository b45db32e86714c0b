"""What `jobs_kill.py` kills besides jobs: work that somebody asked for, and asks for again when it was cut off."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import wellkept
from bench.jobs_kill_world import NOW, SIZE, Bag, Case, once, raw, tell, told, whole
from wellkept.api import Memory
from wellkept.config import Config
from wellkept.errors import InvalidInput, NotEmpty
from wellkept.store.contract import NewestRows, PeopleQuery, Proposal
from wellkept.testing.world import World
from wellkept.types import Person

NOTES, BOATS = 30, 110


def _questions(memory: Memory) -> None:
    with memory.engine.store.transaction():
        for number in range(SIZE):
            user, town = f"user{number}", f"Town {number}"
            memory.engine.store.keep(
                Proposal(id=f"c_{number}", tenant="default", user_id=user, field="city", new=town, at=NOW)
            )


def _approve(memory: Memory) -> None:
    for proposal in memory.consents.list(limit=SIZE):
        with contextlib.suppress(InvalidInput):  # the other one has said yes to it
            memory.consents.approve(proposal.id)


def _approved(memory: Memory) -> Iterator[str]:
    rows = memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000_000))
    counts = Counter(row.entry.payload.get("proposal") for row in rows if row.entry.reason == "approved:user")
    if len(counts) != SIZE or set(counts.values()) != {1}:
        yield f"{len(counts)} of {SIZE} questions approved, at most {max(counts.values(), default=0)} times"
    wrong = [
        number for number in range(SIZE) if memory.at(user=f"user{number}").profile() != {"city": f"Town {number}"}
    ]
    if wrong:
        yield f"{len(wrong)} profiles do not say what was approved"
    yield from whole(memory)


def _untidy(memory: Memory) -> None:
    world, store = World(memory.engine.store), memory.engine.store
    with store.transaction():
        for number in range(NOTES):
            world.tell(f"Loose  spaces \t {number}.", tenant="default")
            world.tell(f"A line {number} that stands twice.", tenant="default")
            world.tell(f"A line {number} that stands twice.", tenant="default")
            store.keep(Person(id=f"p_{number}", tenant="default", name=f"Marek  {number} ", created_at=NOW))
        wordless = world.tell("A line that the index has lost.", tenant="default")
    driver = store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose
    driver.run("DELETE FROM postings WHERE num = (SELECT num FROM memories WHERE id = :id)", {"id": wordless.id})
    driver.run("DELETE FROM vectors", {})
    driver.run("UPDATE memories SET embedded_model = ''", {})


def _tidied(memory: Memory) -> Iterator[str]:
    diagnosis = memory.upkeep.doctor()
    if not diagnosis.is_well:
        yield f"still wrong: {dict(diagnosis.counts)}"
    yield from once(memory, "dedupe", NOTES)
    fixed = told(memory, "doctor")
    if len(fixed) != NOTES or set(fixed.values()) != {1}:
        yield f"{len(fixed)} of {NOTES} texts were mended, at most {max(fixed.values(), default=0)} times"


_EXPORT = tempfile.NamedTemporaryFile(prefix="wellkept-", suffix=".jsonl")  # noqa: SIM115 -- goes with the process
"""An export of another store."""


def _exported(_memory: Memory) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        wellkept.open(Path(folder, "other.db"), config=Config(), clock=lambda: NOW, embedder="none") as other,
        Path(_EXPORT.name).open("w") as file,
    ):
        tell(other, "knowledge")
        other.at(user="bob").remember("I drive an old Saab")
        other.upkeep.export(file)


def import_case(*, merge: bool) -> Case:
    """An export taken in: all of it or nothing, and once."""

    def run(memory: Memory) -> object:
        with Path(_EXPORT.name).open() as file:
            try:
                return memory.upkeep.import_(file, merge=merge)
            except NotEmpty:  # the other one, or an attempt before, has done it
                return None

    def prepare(memory: Memory) -> None:
        _exported(memory)
        if merge:
            memory.at(user="carol").remember("I keep bees on the roof")

    def faults(memory: Memory) -> Iterator[str]:
        if merge:
            rows = raw(memory, "SELECT owner, COUNT(*) FROM memories WHERE state = 'active' GROUP BY owner")
            if dict(rows) != {"alice": SIZE, "bob": 1, "carol": 1}:
                yield f"memories by owner: {rows}"
        else:
            file = io.StringIO()
            memory.upkeep.export(file)
            if file.getvalue() != Path(_EXPORT.name).read_text():
                yield "the export is another one"
        yield from whole(memory)

    return Case(prepare=prepare, faults=faults, run=run)


def _about_bob(memory: Memory) -> None:
    alice = memory.at(user="alice")
    alice.add("Bob has a boat", about=["Bob"])
    (bob,) = (
        person.id
        for person in memory.engine.store.people(PeopleQuery(tenant="default", limit=9))
        if person.name == "Bob"
    )
    world = World(memory.engine.store)
    with memory.engine.store.transaction():
        for number in range(BOATS - 1):
            world.tell(f"Bob has a boat with the number {number}.", tenant="default", subject_person_ids=(bob,))


def _forgotten(memory: Memory) -> Iterator[str]:
    yield from once(memory, "forgotten", BOATS)
    if memory.at(user="alice").list(limit=10):
        yield "something about Bob is left"


BY_HAND: Mapping[str, Case] = {
    "approve": Case(prepare=_questions, faults=_approved, run=_approve),
    "doctor": Case(prepare=_untidy, faults=_tidied, run=lambda memory: memory.upkeep.doctor(fix=True), embedder=Bag()),
    "import": import_case(merge=False),
    "merge": import_case(merge=True),
    "forget": Case(
        prepare=_about_bob, faults=_forgotten, run=lambda memory: memory.at(user="alice").forget_person("Bob")
    ),
}
