"""Doctor: finds what is wrong in a store, says what it would do, and does it when it is told to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, StoreDamaged, StoreError
from wellkept.flows.upkeep.consolidate import embed_missing
from wellkept.flows.upkeep.schedule import OWNER, Sweep
from wellkept.flows.write import draft, transitions
from wellkept.judges.base import Reading
from wellkept.policies import words
from wellkept.policies.upkeep import consolidation, diagnosis
from wellkept.policies.upkeep.diagnosis import Known, Mend
from wellkept.policies.writing import conflict, keys
from wellkept.policies.writing.shape import clean
from wellkept.store.contract import Change, Entry, NewJob, PeopleQuery, Unembedded
from wellkept.types import Claim, Message
from wellkept.values import frozen
from wellkept.vocabulary import DOCTOR_CHECKS, MemoryType, Space, State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.flows.write.draft import Writer
    from wellkept.types import Memory, Person


FOUND_MAX = 1_000
"""Findings that are told one by one; the rest are counted."""
PERSONS_PAGE = 500
SHOWN = 100
"""Memories without a vector that are named."""


@frozen
class Finding:
    """One thing that is wrong. Ids and codes only."""

    check: str
    code: str
    id: str
    """Of the memory, the person or the chain."""
    can_fix: bool = True


@frozen
class Diagnosis:
    """What was found, and what was done about it."""

    findings: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    """Check → how many, the ones that were not told one by one included."""
    fixed: int = 0
    sealed: tuple[Finding, ...] = ()
    """Breaks of the ledger that were sealed before: they stay true, and there is nothing to be done."""
    dead_letters: int = 0
    """Jobs that were given up; `wellkept upkeep retry` queues them again."""

    @property
    def is_well(self) -> bool:
        """Whether nothing is left to be done."""
        return sum(self.counts.values()) <= self.fixed


class Examination(Sweep):
    """What every check is handed, and what was found so far."""

    def __init__(self, tenant: str, engine: Engine, progress: Callable[[int], None], *, is_fixing: bool) -> None:
        super().__init__(tenant, engine, progress)
        self.is_fixing = is_fixing
        self.looked = 0
        """Rows that were looked at by all checks so far."""
        self.findings: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.fixed = 0
        self.sealed: list[Finding] = []
        """Breaks of chains that are known."""

    def look(self) -> None:
        """One row more was looked at."""
        self.looked += 1
        self.progress(self.looked)

    def note(self, finding: Finding, *, is_fixed: bool) -> None:
        """Something is wrong, or was."""
        self.counts[finding.check] += 1
        self.fixed += is_fixed
        if len(self.findings) < FOUND_MAX:
            self.findings.append(finding)

    def living(self) -> Iterator[Memory]:
        """Live, unexpired memories scope by scope, in bounded memory."""
        now = self.engine.clock()
        for memory in self.engine.store.every(self.tenant):
            self.look()
            if memory.dies_at is None or memory.dies_at > now:
                yield memory

    def fresh(self, memory_ids: Sequence[str], is_so: Callable[[Memory], bool]) -> list[Memory]:
        """Those of these that live and are still so, read in the open transaction: others mend at the same time."""
        found = self.engine.store.memories_by_id(self.tenant, memory_ids)
        fresh = [found[one] for one in memory_ids if one in found]
        return [one for one in fresh if one.state is State.ACTIVE and is_so(one)]

    def writer(self, memory: Memory) -> Writer:
        """Who mends it."""
        return draft.upkeep_writer(self.tenant, memory.space, memory.owner, self.engine, node="admin")


OF_MEMORY: Mapping[str, Callable[[Memory, Known], Mend | None]] = {
    "normalize": diagnosis.normalize,
    "provenance": diagnosis.provenance,
    "self-facts": diagnosis.self_facts,
    "subjects": diagnosis.subjects,
    "attribution": diagnosis.attribution,
    "quality": diagnosis.quality,
    "entities": diagnosis.entities,
}


def doctor(
    tenant: str,
    engine: Engine,
    checks: Sequence[str] = (),
    *,
    fix: bool = False,
    progress: Callable[[int], None] = lambda _done: None,
) -> Diagnosis:
    """Run checks, all of them by default. Read-only unless it is to fix."""
    wanted = chosen(checks)
    exam = Examination(tenant, engine, progress, is_fixing=fix)
    try:
        of_memory = [name for name in (*OF_MEMORY, "reclassify") if name in wanted]
        if of_memory:
            _each_memory(exam, of_memory)
    except StoreDamaged as error:
        exam.note(_cut_short("normalize", error), is_fixed=False)
    for name in wanted:
        if name not in OF_STORE:
            continue
        try:
            for finding in OF_STORE[name](exam):
                exam.note(finding, is_fixed=fix and finding.can_fix)
        except StoreDamaged as error:
            exam.note(_cut_short(name, error), is_fixed=False)
    return Diagnosis(
        findings=tuple(exam.findings),
        counts=dict(exam.counts),
        fixed=exam.fixed,
        sealed=tuple(exam.sealed),
        dead_letters=len(engine.store.jobs(tenant, dead=True, limit=FOUND_MAX)),
    )


def _cut_short(name: str, error: StoreDamaged) -> Finding:
    """A row that a check cannot read ends it, and is one of its findings."""
    return Finding(check=name, code=error.code, id="", can_fix=False)


def chosen(checks: Sequence[str]) -> tuple[str, ...]:
    """The names of the checks, in their order; `all` and nothing mean all."""
    unknown = [name for name in checks if name not in (*DOCTOR_CHECKS, "all")]
    if unknown:
        known = ", ".join(DOCTOR_CHECKS)
        raise InvalidInput(f"There is no check {unknown[0]!r}. Known: {known}, all.", code="unknown_check")
    return DOCTOR_CHECKS if not checks or "all" in checks else tuple(name for name in DOCTOR_CHECKS if name in checks)


def _each_memory(exam: Examination, checks: Sequence[str]) -> None:
    """One pass over all live memories; each is mended in a transaction of its own, so that nobody waits for long."""
    engine = exam.engine
    for memory in engine.store.every(exam.tenant):
        known = _known(memory, engine)
        mended, found = memory, []
        for name in checks:
            mend = OF_MEMORY[name](mended, known) if name in OF_MEMORY else _reclassified(mended, engine)
            if mend is not None:
                mended = mend.memory
                found.append(Finding(check=name, code=mend.code, id=memory.id))
        is_fixed = bool(found) and exam.is_fixing and _mend(memory, mended, found, exam)
        for finding in found:
            exam.note(finding, is_fixed=is_fixed)
        exam.look()


def _known(memory: Memory, engine: Engine) -> Known:
    told = {*memory.subject_person_ids, *((memory.stated_by,) if memory.stated_by else ())}
    persons = engine.store.persons(memory.tenant, sorted(told))
    is_said = memory.source == "user" and memory.stated_by not in persons and memory.actor_id is not None
    speaker = engine.store.person(memory.tenant, user=memory.actor_id or "") if is_said else None
    return Known(
        persons={asked: person.id for asked, person in persons.items()},
        speaker=speaker.id if speaker is not None else None,
    )


def _reclassified(memory: Memory, engine: Engine) -> Mend | None:
    """What was extracted as mere knowledge, though the judge reads a type of its own in it."""
    is_extracted = memory.state is State.ACTIVE and memory.origin == "shadow_extraction"
    if not is_extracted or memory.type is not MemoryType.KNOWLEDGE:
        return None
    reading = Reading(messages=(Message(content=memory.content),), is_explicit=True, tenant=memory.tenant)
    claims = engine.judge.extract(reading)
    if len(claims) != 1 or claims[0].type in (MemoryType.KNOWLEDGE, MemoryType.INSIGHT, MemoryType.PROCEDURAL):
        return None
    category = claims[0].category or keys.category(
        claims[0].type, keys.domain(memory.entity_refs, is_about_others=memory.trust == "hearsay")
    )
    return Mend(code=f"is_{claims[0].type}", memory=replace(memory, type=claims[0].type, category=category))


def _mend(memory: Memory, mended: Memory, found: Sequence[Finding], exam: Examination) -> bool:
    engine, writer = exam.engine, exam.writer(memory)
    is_text_changed = mended.content != memory.content
    vectors = engine.vectors([mended.content]) if is_text_changed else None
    with engine.store.transaction():
        fresh = engine.store.memory(memory.tenant, memory.id)
        if fresh != memory:
            return False
        amended = replace(mended, version=memory.version + 1, updated_at=writer.view.now)
        entry = transitions.entry("update", amended, writer, "doctor", checks=[finding.check for finding in found])
        change = Change(
            memory=amended,
            entry=entry,
            is_text_changed=is_text_changed,
            terms=words.term_counts(f"{amended.content} {amended.quote or ''}") if is_text_changed else None,
            vectors=vectors,
            model=engine.model if vectors is not None else None,
        )
        engine.store.apply([change], at=writer.view.now)
    return True


def _embed_missing(exam: Examination) -> Iterator[Finding]:
    engine = exam.engine
    if engine.model is None:
        return
    store, tenant = engine.store, exam.tenant
    lost = sum(fault.count for fault in store.faults(tenant, "lost_vectors"))
    if lost and exam.is_fixing:
        store.repair(tenant, "lost_vectors")
    before = store.count(Unembedded(tenant=tenant, model=engine.model)) + (0 if exam.is_fixing else lost)
    shown = [one.id for one in store.memories(Unembedded(tenant=tenant, model=engine.model, limit=SHOWN))]
    if before and exam.is_fixing:
        already = exam.looked
        embed_missing(Sweep(tenant, engine, lambda done: exam.progress(already + done)))
    left = store.count(Unembedded(tenant=tenant, model=engine.model)) if exam.is_fixing else 0
    for number in range(before):
        memory_id = shown[number] if number < len(shown) else ""
        # What is left had no answer from the embedder.
        yield Finding(check="embed-missing", code="no_vector", id=memory_id, can_fix=number >= left)


def _names(exam: Examination) -> Iterator[Finding]:
    """People whose name is blank or not written as names are."""
    store = exam.engine.store
    for person in _everybody(exam):
        exam.look()
        if not _is_badly_named(person):
            continue
        if exam.is_fixing:
            with store.transaction():
                # Others write of people at the same time.
                fresh = store.person(exam.tenant, person.id)
                if fresh is None or fresh.id != person.id or not _is_badly_named(fresh):
                    continue
                store.keep(replace(fresh, name=clean(fresh.name or "") or None))
        yield Finding(check="names", code="bad_name", id=person.id)


def _everybody(exam: Examination) -> Iterator[Person]:
    """In bounded memory."""
    last: str | None = ""
    while last is not None:
        found = exam.engine.store.people(PeopleQuery(tenant=exam.tenant, after=last, limit=PERSONS_PAGE))
        yield from found
        last = found[-1].id if found else None


def _is_badly_named(person: Person) -> bool:
    return person.name is not None and (person.name == "" or clean(person.name) != person.name)


def _duplicates(exam: Examination) -> Iterator[Finding]:
    """Twice over the memories: first which texts stand twice, then who says them. Little of each is held."""
    repeated = _repeated(_said(one) for one in exam.living())
    groups: dict[int, list[consolidation.Twin]] = {}
    for memory in exam.living() if repeated else ():
        key = _short(_said(memory))
        if key in repeated:
            groups.setdefault(key, []).append(consolidation.twin(memory))
    for key, (stays, goes) in ((key, pair) for key, group in groups.items() for pair in consolidation.going(group)):
        if not exam.is_fixing or _dropped(stays, goes, key, exam):
            yield Finding(check="duplicates", code="same_text", id=goes)


def _dropped(stays: str, goes: str, key: int, exam: Examination) -> bool:
    """Archive a double, unless somebody was faster or one of the two says something else by now."""
    with exam.engine.store.transaction():
        fresh = exam.fresh((stays, goes), lambda one: _short(_said(one)) == key)
        if len(fresh) < 2:  # noqa: PLR2004 -- it takes two
            return False
        transitions.archive(fresh[1], "dedupe", stays, exam.writer(fresh[1]))
    return True


def _contradictions(exam: Examination) -> Iterator[Finding]:
    """Two live values of a slot that has one; found as duplicates are."""
    repeated = _repeated(_slot(one) for one in exam.living() if _is_single(one))
    slots: dict[int, Memory] = {}
    for memory in exam.living() if repeated else ():
        key = _short(_slot(memory))
        if key not in repeated or not _is_single(memory):
            continue
        slots[key], loser = _settled(memory, slots.get(key), exam)
        if loser is not None:
            yield Finding(check="contradictions", code="two_values", id=loser.id)


def _settled(memory: Memory, rival: Memory | None, exam: Examination) -> tuple[Memory, Memory | None]:
    """Whose slot it is, and who loses it: nobody when they agree, or when somebody else has settled it meanwhile."""
    if rival is None:
        return memory, None
    if not exam.is_fixing or rival.value == memory.value:
        settled = conflict.settle(memory, rival)
        return settled.winner, settled.loser if rival.value != memory.value else None
    with exam.engine.store.transaction():
        fresh = exam.fresh((memory.id, rival.id), lambda one: _is_single(one) and _slot(one) == _slot(memory))
        if len({one.value for one in fresh}) < 2:  # noqa: PLR2004 -- it takes two
            return (fresh[0] if fresh else memory), None
        settled = conflict.settle(*fresh)
        transitions.retire_loser(settled, exam.writer(memory))
    return settled.winner, settled.loser


def _said(memory: Memory) -> tuple[object, ...]:
    return (memory.space, memory.owner, *consolidation.saying(memory))


def _slot(memory: Memory) -> tuple[object, ...]:
    told_in = memory.learned_in if memory.confidential else None
    # Several users may speak in a session, each with slots of their own.
    about = memory.subject_person_ids if memory.space == "session" else None
    return (memory.space, memory.owner, memory.fact_key, memory.persona_id, told_in, about)


def _repeated(said: Iterable[tuple[object, ...]]) -> set[int]:
    """Short forms of what comes more than once."""
    once: set[int] = set()
    more: set[int] = set()
    for one in said:
        key = _short(one)
        (more if key in once else once).add(key)
    return more


def _short(said: tuple[object, ...]) -> int:
    """A number that stands for a value; two values have the same one as good as never."""
    return int.from_bytes(hashlib.blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=12).digest(), "big")


def _is_single(memory: Memory) -> bool:
    """Whether its key says that there is one value at a time."""
    if memory.fact_key is None or memory.value is None or memory.kind != "semantic" or keys.is_ended(memory.fact_key):
        return False
    alone = Claim(content=memory.content, value=memory.value, cardinality="one")
    return memory.discriminator == keys.discriminator(alone, memory.fact_key)


def _index(exam: Examination) -> Iterator[Finding]:
    wrong = 0
    for fault in exam.engine.store.faults(exam.tenant, "wrong_words"):
        wrong += 1
        yield Finding(check="index", code=fault.code, id=fault.id)
    if wrong and exam.is_fixing:
        exam.engine.store.repair(exam.tenant, "wrong_words")


def ledger(exam: Examination) -> Iterator[Finding]:
    """Chains that do not hold. A break stays a break: to fix it is to seal it, so that it is known from now on."""
    engine = exam.engine
    for broken in engine.store.verify(exam.tenant):
        where = f"{broken.space}:{broken.owner}/{broken.seq}"
        finding = Finding(check="ledger", code=f"chain_{broken.fault}", id=where)
        if broken.seal is not None:
            exam.sealed.append(replace(finding, can_fix=False))
            continue
        sealing = Entry(node="admin", op="admin", payload={"by": "doctor"})
        if not exam.is_fixing or engine.store.seal(exam.tenant, broken, sealing, at=engine.clock()):
            yield finding


def integrity(exam: Examination) -> Iterator[Finding]:
    """Orphans are removed, lost texts replaced by an earlier wording, indexes of the database made anew."""
    yield from _orphans(exam)
    yield from _textless(exam)
    yield from _bad_rows(exam)
    yield from _damage(exam)


def _orphans(exam: Examination) -> Iterator[Finding]:
    store, tenant, now = exam.engine.store, exam.tenant, exam.engine.clock()
    for fault in store.faults(tenant, "orphans"):
        found = fault.count
        if exam.is_fixing:
            with store.transaction():
                found = store.repair(tenant, "orphans", which=fault.code)
                said = Entry(node="admin", op="admin", reason="doctor", payload={"removed": fault.code, "rows": found})
                store.record(tenant, Space.SYSTEM, OWNER, said, at=now)
                store.keep(NewJob(tenant=tenant, name="scrub", due_at=now))
        if found:
            yield Finding(check="integrity", code=fault.code, id=str(found))


def _textless(exam: Examination) -> Iterator[Finding]:
    """What an earlier wording is left of is archived with it, for a person to judge: it may be long untrue."""
    store, tenant = exam.engine.store, exam.tenant
    for fault in list(store.faults(tenant, "textless")):
        exam.look()
        if exam.is_fixing:
            with store.transaction():
                _take_out(fault.id, exam)
        yield Finding(check="integrity", code=fault.code, id=fault.id)


def _take_out(memory_id: str, exam: Examination) -> None:
    store, tenant, now = exam.engine.store, exam.tenant, exam.engine.clock()
    if not store.repair(tenant, "textless", which=memory_id):
        store.purge(
            tenant, memory_id, Entry(node="admin", op="delete", memory_id=memory_id, reason="text_lost"), at=now
        )
        return
    memory = store.memory(tenant, memory_id)
    if memory is not None:
        gone = transitions.archived(memory, "text_lost", now=now)
        if memory.state is not State.ACTIVE:
            gone = replace(memory, updated_at=now, version=memory.version + 1)
        entry = transitions.entry("update", gone, exam.writer(gone), "text_lost")
        store.apply([Change(memory=gone, entry=entry)], at=now)


def _bad_rows(exam: Examination) -> Iterator[Finding]:
    """Rows whose bytes changed on the disk, and rows of an earlier release without a checksum."""
    store, is_any = exam.engine.store, False
    for row in store.faults(exam.tenant, "rows"):
        is_any = is_any or row.can_repair
        yield Finding(check="integrity", code=row.code, id=f"{row.table}/{row.id}", can_fix=row.can_repair)
    if is_any and exam.is_fixing:
        store.repair(exam.tenant, "rows")
        store.repair(exam.tenant, "lost_vectors")


def _damage(exam: Examination) -> Iterator[Finding]:
    store, tenant = exam.engine.store, exam.tenant
    found = tuple(store.faults(tenant, "files"))
    left = {one.id for one in found if not one.can_repair}
    if found and exam.is_fixing:
        # Rows that clash and pages that cannot be read stop it; they are told again below.
        with suppress(StoreError):
            store.repair(tenant, "files")
        left = {one.id for one in store.faults(tenant, "files")}
    for one in found:
        yield Finding(check="integrity", code=one.code, id=one.id, can_fix=one.id not in left)


SEALED_AT_ONCE = 500
"""Chains that are sealed in one transaction: writers wait no longer than that."""


def seal_job(duty: Duty) -> Mapping[str, int]:
    """Once over the chains that have grown; how many were sealed."""
    store, after, sealed = duty.engine.store, 0, 0
    while True:
        with duty.transaction():
            scopes = store.seal_heads(duty.tenant, after=after, limit=SEALED_AT_ONCE, at=duty.engine.clock())
        sealed += len(scopes)
        duty.progress(sealed)
        if len(scopes) < SEALED_AT_ONCE:
            return {"sealed": sealed} if sealed else {}
        after = scopes[-1]


OF_STORE: Mapping[str, Callable[[Examination], Iterator[Finding]]] = {
    "embed-missing": _embed_missing,
    "names": _names,
    "duplicates": _duplicates,
    "contradictions": _contradictions,
    "index": _index,
    "ledger": ledger,
    "integrity": integrity,
}
