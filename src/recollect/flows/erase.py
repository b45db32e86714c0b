"""Erase a user: everything they own or stated leaves tables, index and files, and a certificate says what was found."""

from __future__ import annotations

import hashlib
import json
import mmap
from collections import Counter
from dataclasses import field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from recollect.errors import StoreBusy, UnknownUser
from recollect.flows.duty import OWNER, Duty, digest
from recollect.store.base import Entry
from recollect.store.base_jobs import NewJob
from recollect.types import as_json
from recollect.values import frozen
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

    from recollect.flows.engine import Engine

JOB = "erase"
BATCH = 100
LEASE_SECONDS = 600.0
SENTENCE_MIN = 8
"""Shorter texts stand in too many other words to be looked for."""
OLDER_COPIES = "exports and backups made before"
NOT_OURS = ("write-ahead log archive", "standbys", OLDER_COPIES)


@frozen
class Certificate:
    """What was erased, and what was looked for and found afterwards. It names the user by a digest only."""

    tenant: str
    user: str
    at: datetime
    status: Literal["complete", "incomplete"]
    mentions: bool
    counts: Mapping[str, int] = field(default_factory=dict)
    sentences: int = 0
    """Texts that were looked for: plain, in UTF-16 and escaped as JSON does."""
    found: int = 0
    """How many of them still stand in the files, though nobody else keeps the same words."""
    files: int = 0
    bytes: int = 0
    not_covered: tuple[str, ...] = ()
    hash: str = ""


def seal(certificate: Certificate) -> str:
    """The hash over everything that a certificate says."""
    said = json.dumps(as_json(replace(certificate, hash="")), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()


def is_genuine(certificate: Mapping[str, object], engine: Engine) -> bool:
    """Is it as it was given, and does the ledger of its tenant know it?"""
    said = json.dumps({**certificate, "hash": ""}, sort_keys=True, separators=(",", ":"))
    seal_now, tenant = hashlib.sha256(said.encode()).hexdigest(), str(certificate.get("tenant"))
    end = engine.store.chain_end(tenant, Space.SYSTEM, OWNER).seq
    known = (row.entry.payload.get("certificate") for row in engine.store.chain(tenant, Space.SYSTEM, OWNER, until=end))
    return seal_now == certificate.get("hash") and seal_now in known


@frozen
class EraseRequest:
    """Whom to erase; with `mentions` also what others said of them."""

    tenant: str = "default"
    user: str
    mentions: bool = False


def erase(
    request: EraseRequest, engine: Engine, *, worker: str, progress: Callable[[int], None] = lambda _done: None
) -> Certificate:
    """Erase now. What is cut short, or cannot be proved because somebody uses the files, a job brings to its end."""
    store, now = engine.store, engine.clock()
    about = (request.tenant, JOB, digest(request.user))
    is_known = store.is_known(request.tenant, request.user)
    if not is_known and not store.is_pending(about):
        raise UnknownUser
    if is_known:
        due_at = now + timedelta(seconds=LEASE_SECONDS)
        payload = {"user": request.user, "mentions": request.mentions}
        with store.transaction():
            store.enqueue(NewJob(tenant=request.tenant, name=JOB, key=about[2], payload=payload, due_at=due_at))
    job = store.claim_now(worker, about, now=now, lease_seconds=LEASE_SECONDS)
    if job is None:
        raise StoreBusy("This user is being erased already.")
    return _perform(Duty(job, engine, progress))


def job(duty: Duty) -> None:
    """As a job: until the proof is complete."""
    if _perform(duty).status == "incomplete":
        raise StoreBusy("Somebody uses the files; the proof is made later.")


def _perform(duty: Duty) -> Certificate:
    payload, engine = duty.job.payload, duty.engine
    user, mentions = str(payload.get("user", "")), bool(payload["mentions"])
    sentences = {text for text in engine.store.texts_of(duty.tenant, user) if _is_sentence(text)} if user else set()
    # Without a user everything is removed already, and only the proof is missing.
    counts = _remove(duty, user, mentions=mentions, sentences=sentences) if user else dict(payload["counts"])
    is_clean = engine.store.scrub()
    files = engine.store.files()
    found, looked = search(sentences, files)
    others = {text for text in found if engine.store.still_holds(duty.tenant, text)}
    left = len(found - others)
    certificate = Certificate(
        tenant=duty.tenant,
        user=duty.job.key,
        at=engine.clock(),
        status="complete" if is_clean and not left else "incomplete",
        mentions=mentions,
        counts=counts,
        sentences=len(sentences),
        found=left,
        files=len(files),
        bytes=looked,
        not_covered=(OLDER_COPIES,) if files else NOT_OURS,
    )
    certificate = replace(certificate, hash=seal(certificate))
    entry = Entry(node="admin", op="admin", reason="erased", payload={"certificate": certificate.hash, **counts})
    with duty.transaction():
        engine.store.record(duty.tenant, Space.SYSTEM, OWNER, entry, at=certificate.at)
        if certificate.status == "complete":
            duty.finish(counts)
        elif duty.status is None:
            retry_at = certificate.at + timedelta(minutes=1)
            engine.store.fail(duty.job, error="incomplete", at=certificate.at, retry_at=retry_at)
    return certificate


def _is_sentence(text: str) -> bool:
    return len(text) >= SENTENCE_MIN and any(letter.isspace() for letter in text)


def _remove(duty: Duty, user: str, *, mentions: bool, sentences: set[str]) -> dict[str, int]:
    """Memories in small batches, then all the rest at once; what was read of them joins the sentences."""
    store, counts = duty.engine.store, Counter[str]()
    while True:
        now = duty.engine.clock()
        ids = store.memories_of(duty.tenant, user, mentions=mentions, after="", limit=BATCH)
        if not ids:
            break
        with duty.transaction():
            for memory_id in ids:
                texts = [(one.content, one.quote or "") for one in store.versions(duty.tenant, memory_id)]
                sentences |= {text for pair in texts for text in pair if _is_sentence(text)}
                entry = Entry(node="admin", op="delete", memory_id=memory_id, reason="erased")
                store.purge(duty.tenant, memory_id, entry, at=now)
        counts["memories"] += len(ids)
        duty.progress(counts["memories"])
    with duty.transaction():
        person = store.person_of(duty.tenant, user)
        named = store.persons_by(duty.tenant, user)
        counts["messages"] += store.remove_messages(duty.tenant, user)
        counts.update(store.erase_conversations(duty.tenant, user))
        counts.update(store.erase_rows(duty.tenant, user))
        own = None if person is None else person.id
        counts["persons"] += _people({*named, *([own] if own else [])}, own, user, duty)
        removed = {name: number for name, number in sorted(counts.items()) if number}
        # The job outlives what it removes, and is no place for a name either.
        store.rewrite(duty.job, {"mentions": mentions, "counts": removed})
    return removed


def _people(person_ids: Iterable[str], own: str | None, user: str, duty: Duty) -> int:
    """Take out what the user said of people, and those whom nobody else knows. `own` is who the user was."""
    store, removed = duty.engine.store, 0
    for person_id in sorted(person_ids):
        person = store.person(duty.tenant, person_id)
        if person is None or person.id != person_id:
            continue
        if not store.is_spoken_of(duty.tenant, person_id):
            store.remove_person(duty.tenant, person_id)
            removed += 1
            continue
        store.save_person(
            replace(
                person,
                # The name by which a user was known is their own; what others call them stays with those.
                name=None if person_id == own else person.name,
                aliases=tuple(alias for alias in person.aliases if alias.added_by != user),
                relationships=tuple(one for one in person.relationships if one.stated_by != user),
                created_by=None if person.created_by == user else person.created_by,
            )
        )
    return removed


def search(sentences: Iterable[str], files: Iterable[Path]) -> tuple[set[str], int]:
    """Which of these texts stand in the files, in any way in which a text can stand there; and the bytes read."""
    found: set[str] = set()
    wanted = [(text, written) for text in sentences for written in _ways(text)]
    looked = 0
    for path in files:
        size = path.stat().st_size if path.is_file() else 0
        if not size:
            continue
        looked += size
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            found |= {text for text, written in wanted if content.find(written) >= 0}
    return found, looked


def _ways(text: str) -> set[bytes]:
    escaped = json.dumps(text, ensure_ascii=True)[1:-1]
    whole = (text.encode(code, "surrogatepass") for code in ("utf-8", "utf-16-le", "utf-16-be"))
    return {
        *whole,
        escaped.encode("ascii"),
        json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass"),
    }
