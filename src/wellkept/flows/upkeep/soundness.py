"""The doctor on what lies under the memories: hash chains, rows without an owner, lost texts, the database itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import StoreError
from wellkept.flows.upkeep.duty import OWNER
from wellkept.flows.upkeep.patient import Finding
from wellkept.flows.write import reconcile
from wellkept.store.contract import Change, Entry, NewJob
from wellkept.vocabulary import Space, State

if TYPE_CHECKING:
    from wellkept.flows.upkeep.patient import Patient
    from wellkept.types import Memory


def ledger(patient: Patient) -> Iterator[Finding]:
    """Chains that do not hold. A break stays a break: to fix it is to seal it, so that it is known from now on."""
    engine = patient.engine
    for broken in engine.store.verify(patient.tenant):
        where = f"{broken.space}:{broken.owner}/{broken.seq}"
        finding = Finding(check="ledger", code=f"chain_{broken.fault}", id=where)
        if broken.seal is not None:
            patient.sealed.append(replace(finding, can_fix=False))
            continue
        sealing = Entry(node="admin", op="admin", payload={"by": "doctor"})
        if not patient.is_fixing or engine.store.seal(patient.tenant, broken, sealing, at=engine.clock()):
            yield finding


def integrity(patient: Patient) -> Iterator[Finding]:
    """Orphans are removed, lost texts replaced by an earlier wording, indexes of the database made anew."""
    yield from _orphans(patient)
    yield from _textless(patient)
    yield from _bad_rows(patient)
    yield from _damage(patient)


def _orphans(patient: Patient) -> Iterator[Finding]:
    store, tenant, now = patient.engine.store, patient.tenant, patient.engine.clock()
    for kind, count in store.orphans(tenant).items():
        found = count
        if patient.is_fixing:
            with store.transaction():
                found = store.remove_orphans(tenant, kind)
                said = Entry(node="admin", op="admin", reason="doctor", payload={"removed": kind, "rows": found})
                store.record(tenant, Space.SYSTEM, OWNER, said, at=now)
                store.enqueue(NewJob(tenant=tenant, name="scrub", due_at=now))
        if found:
            yield Finding(check="integrity", code=kind, id=str(found))


def _textless(patient: Patient) -> Iterator[Finding]:
    """What an earlier wording is left of is archived with it, for a person to judge: it may be long untrue."""
    store, tenant = patient.engine.store, patient.tenant
    for memory_id in list(store.textless(tenant)):
        patient.look()
        if patient.is_fixing:
            with store.transaction():
                _take_out(memory_id, patient)
        yield Finding(check="integrity", code="textless", id=memory_id)


def _take_out(memory_id: str, patient: Patient) -> None:
    store, tenant, now = patient.engine.store, patient.tenant, patient.engine.clock()
    if not store.fall_back(tenant, memory_id):
        gone = Entry(node="admin", op="delete", memory_id=memory_id, reason="text_lost")
        store.purge(tenant, memory_id, gone, at=now)
        return
    memory = store.memory(tenant, memory_id)
    if memory is not None:
        store.apply([_archived(memory, patient)], at=now)


def _archived(memory: Memory, patient: Patient) -> Change:
    is_live = memory.state is State.ACTIVE
    kept = replace(
        memory,
        state=State.ARCHIVED if is_live else memory.state,
        archive_reason="text_lost" if is_live else memory.archive_reason,
        updated_at=patient.engine.clock(),
        version=memory.version + 1,
    )
    return Change(memory=kept, entry=reconcile.entry("update", kept, patient.writer(kept), "text_lost"))


def _bad_rows(patient: Patient) -> Iterator[Finding]:
    """Rows whose bytes changed on the disk, and rows of an earlier release without a checksum."""
    store, is_any = patient.engine.store, False
    for row in store.damaged_rows(patient.tenant):
        is_any = is_any or row.can_repair
        yield Finding(check="integrity", code=row.code, id=f"{row.table}/{row.id}", can_fix=row.can_repair)
    if is_any and patient.is_fixing:
        store.repair_rows(patient.tenant)
        store.own_up(patient.tenant)


def _damage(patient: Patient) -> Iterator[Finding]:
    store = patient.engine.store
    found = store.damage()
    left = {one.what for one in found if not one.is_index}
    if found and patient.is_fixing:
        left = _damage_after_reindexing(patient)
    for one in found:
        yield Finding(check="integrity", code="damaged", id=one.what, can_fix=one.what not in left)


def _damage_after_reindexing(patient: Patient) -> set[str]:
    store = patient.engine.store
    # Rows that clash and pages that cannot be read stop it; they are told again below.
    with suppress(StoreError):
        store.reindex()
    return {one.what for one in store.damage()}
