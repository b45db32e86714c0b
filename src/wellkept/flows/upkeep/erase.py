"""Erase a user: everything they own or stated leaves tables, index and files, and a certificate says what was found."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from wellkept.errors import StoreBusy, StoreError, UnknownUser
from wellkept.flows import views
from wellkept.flows.upkeep.schedule import OWNER, Duty, digest
from wellkept.judges.english.questions.voice import to_second_person
from wellkept.policies.words import is_stop, terms
from wellkept.store.contract import (
    Entry,
    Failure,
    Fingerprint,
    Fingerprints,
    KnownUser,
    MemoriesOf,
    NewJob,
    PendingJob,
    PeopleQuery,
    PersonKey,
    Resting,
    Retold,
    SpokenOf,
    TextHeld,
    TextQuery,
    UserLink,
)
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.types import as_json
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Job, JobKey, LedgerRow
    from wellkept.types import Person


JOB = "erase"
BATCH = 100
GOES_ON_AFTER = timedelta(minutes=1)
"""When a worker goes on with an erasure that was cut short, or that could not be proved."""
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


def seal(certificate: Mapping[str, object]) -> str:
    """The hash over everything that a certificate says."""
    said = json.dumps({**certificate, "hash": ""}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()


def is_genuine(certificate: Mapping[str, object], engine: Engine) -> bool:
    """Is it as it was given, and does the ledger of its tenant know it?"""
    known = {row.entry.payload.get("certificate") for row in _records(str(certificate.get("tenant")), engine)}
    return seal(certificate) == certificate.get("hash") and certificate.get("hash") in known


def _records(tenant: str, engine: Engine) -> Iterable[LedgerRow]:
    """What the ledger has of the upkeep of a tenant."""
    end = engine.store.chain_end(tenant, Space.SYSTEM, OWNER).seq
    return engine.store.chain(tenant, Space.SYSTEM, OWNER, until=end)


@frozen
class EraseRequest:
    """Whom to erase; with `mentions` also what others said of them."""

    tenant: str = "default"
    user: str
    mentions: bool = False


def erase(
    request: EraseRequest,
    engine: Engine,
    *,
    taken_over: Callable[[JobKey], AbstractContextManager[Job]],
    progress: Callable[[int], None] = lambda _done: None,
) -> Certificate:
    """Erase now, or go on with an erasure that was cut short; a job brings to its end what this call cannot.

    Of a user there is one such job. `taken_over` gives it to the caller, whoever had it: a call that was killed must
    not keep the next one out, and one that is alive can write nothing more.
    """
    store, about = engine.store, (request.tenant, JOB, digest(request.user))
    with store.transaction():
        is_known = store.has(KnownUser(tenant=request.tenant, user=request.user))
        is_begun = store.has(PendingJob(about=about))
        was = _still_spoken_of(request, engine) if request.mentions and not is_known and not is_begun else None
        if not is_known and not is_begun and was is None:
            raise UnknownUser
        if was is not None:
            store.keep(UserLink(tenant=request.tenant, user=request.user, person_id=was.id))
        if not is_begun:
            payload = {"user": request.user, "mentions": request.mentions}
            due_at = engine.clock() + GOES_ON_AFTER
            store.keep(NewJob(tenant=request.tenant, name=JOB, key=about[2], payload=payload, due_at=due_at))
    with taken_over(about) as found:
        job = found
        if is_known and is_begun:
            # It does what this request asks for, too: mentions, and what the user has stored since all was removed.
            mentions = request.mentions or bool(job.payload["mentions"])
            payload = {**job.payload, "user": request.user, "mentions": mentions}
            store.hold(job, payload=payload)
            job = replace(job, payload=payload)
        return _perform(Duty(job, engine, progress))


def _still_spoken_of(request: EraseRequest, engine: Engine) -> Person | None:
    """Who a user was that is erased already, where others have spoken of them: the ledger knows it by a digest."""
    store, key = engine.store, digest(request.user)
    rows = _records(request.tenant, engine)
    ids = [row.entry.payload.get("person") for row in rows if row.entry.payload.get("user") == key]
    person = store.person(request.tenant, str(ids[-1])) if ids else None
    # Merged since, or somebody's again: then it is no longer only they who are spoken of.
    return person if person is not None and person.id == ids[-1] and person.user_id is None else None


def job(duty: Duty) -> None:
    """As a job: it puts itself off until the proof is complete."""
    _perform(duty)


def _perform(duty: Duty) -> Certificate:
    payload, engine = duty.job.payload, duty.engine
    user, mentions = str(payload.get("user", "")), bool(payload["mentions"])
    told = Retellings(user, engine.store.person(duty.tenant, user=user) if user else None)
    counts, person = dict(payload.get("counts", {})), payload.get("person")
    if user:
        # Without a user everything is removed already, and only the proof is missing.
        _note(told, duty, user, mentions=mentions)
        counts, person = _remove(duty, user, told, before=counts)
    sought = engine.store.fingerprints(duty.tenant, duty.job.key)
    retold = _remove_retold(told, duty, mentions=mentions)
    is_clean = engine.store.scrub()
    left, looked = _left(sought, duty)
    if left:
        again = Retellings()
        again.add_texts(left)
        if late := _remove_retold(again, duty, mentions=mentions):
            retold += late
            is_clean = engine.store.scrub()
            left, looked = _left(sought, duty)
    files = engine.store.files()
    certificate = Certificate(
        tenant=duty.tenant,
        user=duty.job.key,
        at=engine.clock(),
        status="complete" if is_clean and not left and not looked.gap else "incomplete",
        mentions=mentions,
        counts=dict(sorted((Counter(counts) + retold).items())),
        sentences=len({one.digest for one in sought if one.way == "utf-8"}),
        found=len(left),
        files=len(files),
        bytes=looked.bytes,
        not_covered=(*((OLDER_COPIES,) if files else NOT_OURS), *((looked.gap,) if looked.gap else ())),
    )
    return _sealed(certificate, person, duty)


def _sealed(certificate: Certificate, person: str | None, duty: Duty) -> Certificate:
    """On record, and the job at its end; or put off, when the proof is not complete.

    `person`: who the user was, where others still speak of them.
    """
    store, counts = duty.engine.store, certificate.counts
    certificate = replace(certificate, hash=seal(as_json(certificate)))
    left = {} if person is None else {"user": certificate.user, "person": person}
    payload = {"certificate": certificate.hash, **left, **counts}
    entry = Entry(node="admin", op="admin", reason="erased", payload=payload)
    with duty.transaction():
        store.record(duty.tenant, Space.SYSTEM, OWNER, entry, at=certificate.at)
        if certificate.status == "complete":
            store.drop(Fingerprints(tenant=duty.tenant, key=duty.job.key))
            duty.finish(counts)
        elif duty.status is None:
            retry_at = certificate.at + GOES_ON_AFTER
            store.finish(duty.job, Failure(error="incomplete", at=certificate.at, retry_at=retry_at))
            duty.status = "skipped"
    return certificate


def _left(sought: Sequence[Fingerprint], duty: Duty) -> tuple[set[str], Search]:
    """Texts that still stand in the files, though nobody else keeps the same words; and how they were looked for."""
    store = duty.engine.store
    looked = search(sought, store.files)
    left = {
        text
        for text, is_reply in looked.found.items()
        if not store.has(TextHeld(tenant=duty.tenant, text=text, replies=is_reply))
    }
    return left, looked


def _note(told: Retellings, duty: Duty, user: str, *, mentions: bool) -> None:
    """What may be left nowhere. It is noted before anything goes, so that whoever goes on knows it."""
    store, after = duty.engine.store, ""
    while ids := store.memory_ids(
        MemoriesOf(tenant=duty.tenant, user=user, mentions=mentions, after=after, limit=BATCH)
    ):
        for version in (version for memory_id in ids for version in store.versions(duty.tenant, memory_id)):
            told.add(version.content, version.quote)
        after = ids[-1]
    told.add_texts(store.texts(TextQuery(tenant=duty.tenant, user=user, kind="own")))
    replies = fingerprints(
        filter(is_sentence, store.texts(TextQuery(tenant=duty.tenant, user=user, kind="replies"))), is_reply=True
    )
    with duty.transaction():
        store.keep(
            Fingerprints(tenant=duty.tenant, key=duty.job.key, prints=frozenset(fingerprints(told.sentences) | replies))
        )


def _remove_retold(told: Retellings, duty: Duty, *, mentions: bool) -> Counter[str]:
    """What was made for others of what the user said."""
    store = duty.engine.store

    def is_retold(role: str, text: str) -> bool:
        if told.are_in(text):
            return True
        # Of what people said themselves only what is about the user goes, whoever said the same.
        quoted = told.quoted_in(text) if role != "user" else ()
        return any(not store.has(TextHeld(tenant=duty.tenant, text=one)) for one in quoted)

    return Counter(store.remove_retold(duty.tenant, Retold(is_retold=is_retold, mentions=mentions)).counts)


def _remove(duty: Duty, user: str, told: Retellings, *, before: Mapping[str, int]) -> tuple[dict[str, int], str | None]:
    """Memories in small batches with the replies that told them, then all the rest at once. `before`: gone already.

    What was removed, and the user's person where others still speak of them.
    """
    store, counts = duty.engine.store, Counter(before)
    mentions = bool(duty.job.payload["mentions"])
    while ids := store.memory_ids(MemoriesOf(tenant=duty.tenant, user=user, mentions=mentions, after="", limit=BATCH)):
        now = duty.engine.clock()
        with duty.transaction():
            retold = store.remove_retold(
                duty.tenant, Resting(memory_ids=tuple(ids), mentions=mentions, speakers=frozenset(told.names))
            ).texts
            for memory_id in ids:
                entry = Entry(node="admin", op="delete", memory_id=memory_id, reason="erased")
                store.purge(duty.tenant, memory_id, entry, at=now)
            store.keep(
                Fingerprints(
                    tenant=duty.tenant, key=duty.job.key, prints=frozenset(fingerprints(filter(is_sentence, retold)))
                )
            )
            counts.update(memories=len(ids), replies=len(retold))
            store.hold(duty.job, payload={**duty.job.payload, "counts": dict(counts)})
        duty.progress(counts["memories"])
    with duty.transaction():
        person = store.person(duty.tenant, user=user)
        named = [one.id for one in store.people(PeopleQuery(tenant=duty.tenant, made_by=user))]
        counts.update(store.erase(duty.tenant, user))
        own = None if person is None else person.id
        counts["persons"] += _people({*named, *([own] if own else [])}, own, user, duty)
        removed = {name: number for name, number in sorted(counts.items()) if number}
        # The job outlives what it removes, and is no place for a name or a word either.
        left = own if own is not None and store.person(duty.tenant, own) is not None else None
        store.hold(duty.job, payload={"mentions": mentions, "counts": removed, "person": left})
    return removed, left


def _people(person_ids: Iterable[str], own: str | None, user: str, duty: Duty) -> int:
    """Take out what the user said of people, and those whom nobody else knows. `own` is who the user was."""
    store, removed = duty.engine.store, 0
    for person_id in sorted(person_ids):
        person = store.person(duty.tenant, person_id)
        if person is None or person.id != person_id:
            continue
        if not store.has(SpokenOf(tenant=duty.tenant, person_id=person_id)):
            store.drop(PersonKey(tenant=duty.tenant, person_id=person_id))
            removed += 1
            continue
        store.keep(
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


SENTENCE_MIN = 8
"""Shorter texts stand in too many other words to be looked for."""
_OF_THE_USER = frozenset(terms("user users"))
_SOMEBODY = ("He", "She", "They")


def is_sentence(text: str) -> bool:
    """Whether a text is so long that it can be told from what others say."""
    return len(text) >= SENTENCE_MIN and any(letter.isspace() for letter in text)


class Retellings:
    """What the memories of a user say, in the first, second and third person."""

    def __init__(self, user: str = "", person: Person | None = None) -> None:
        aliases = () if person is None else (person.name or "", *(alias.value for alias in person.aliases))
        self._names = tuple(dict.fromkeys(name for name in (user, *aliases) if name))
        self._named = frozenset(_telling(name) for name in self._names) - {frozenset()}
        self._told: defaultdict[str, set[tuple[frozenset[str], bool]]] = defaultdict(set)
        self._sentences: defaultdict[str, set[str]] = defaultdict(set)

    @property
    def names(self) -> frozenset[str]:
        """What the user is called, for comparing."""
        return frozenset(name.casefold() for name in self._names)

    @property
    def sentences(self) -> frozenset[str]:
        """Everything that may stand nowhere word for word."""
        return frozenset(text for texts in self._sentences.values() for text in texts)

    def add(self, content: str, quote: str | None) -> None:
        """What a version of a memory says, and what it would be in a reply."""
        texts = [text for text in (content, quote) if text]
        self.add_texts(texts)
        self.add_texts(to_second_person(text) for text in texts)
        self.add_texts(views.named(text, name) for text in texts for name in (*self._names, *_SOMEBODY))
        said = frozenset(terms(content))
        words = _telling(content)
        if words:
            # A sentence about "the user" is theirs again only where it names them.
            self._told[_longest(words)].add((words, not said.isdisjoint(_OF_THE_USER)))

    def add_texts(self, texts: Iterable[str]) -> None:
        """Sentences that are the user's as they stand."""
        for text in texts:
            sentence = text.strip().removesuffix(".")
            if is_sentence(sentence):
                self._sentences[_longest(terms(sentence))].add(sentence)

    def are_in(self, text: str) -> bool:
        """Whether a text has all that one of the memories says, and whom it says it of."""
        said = frozenset(terms(text))
        is_named = any(name <= said for name in self._named)
        told = (one for term in said for one in self._told.get(term, ()))
        return any(words <= said and (is_named or not is_of_user) for words, is_of_user in told)

    def quoted_in(self, text: str) -> frozenset[str]:
        """Sentences of the user that stand in a text, whatever their capitals."""
        folded = text.casefold()
        likely = (one for term in {"", *terms(text)} for one in self._sentences.get(term, ()))
        return frozenset(one for one in likely if one.casefold() in folded)


def _telling(text: str) -> frozenset[str]:
    """The words of a sentence that say something."""
    return frozenset(term for term in terms(text) if not is_stop(term)) - _OF_THE_USER


def _longest(words: Collection[str]) -> str:
    return max(words, key=lambda term: (len(term), term), default="")


WINDOW = 8
"""The last bytes of a text lead to the places where it may stand. Many texts begin alike, few end so."""
AGAIN_MAX = 2
"""How often files that change while they are read are read again."""
CHANGED = "files that changed while they were read"
_ODD = 0x9E3779B97F4A7C15
_TAG_BITS = 24
_WORD_BITS = 64
_CODES = ("utf-8", "utf-16-le", "utf-16-be")


def fingerprints(texts: Iterable[str], *, is_reply: bool = False) -> set[Fingerprint]:
    """Every way in which these texts can stand in a file; of those that are long enough."""
    return {
        Fingerprint(
            tag=_tag(int.from_bytes(written[-WINDOW:], "little")),
            length=len(written),
            digest=_digest(written),
            way=way,
            is_reply=is_reply,
        )
        for text in texts
        for written, way in _ways(text).items()
        if len(written) >= WINDOW
    }


@frozen
class Search:
    """What was found in files, and whether that is all there is to find."""

    found: Mapping[str, bool] = field(default_factory=dict)
    """Texts that stand in the files, each with `is_reply`."""
    bytes: int = 0
    """How many were looked through."""
    gap: str = ""
    """Why some bytes were not looked through; empty when all were."""


def search(prints: Collection[Fingerprint], files: Callable[[], Iterable[Path]]) -> Search:
    """Look for these texts in the files. When one of them shrinks or vanishes meanwhile, all are read again."""
    for _ in range(AGAIN_MAX + 1):
        done = _search_once(prints, files())
        if done.gap != CHANGED:
            break
    return done


def _search_once(prints: Collection[Fingerprint], files: Iterable[Path]) -> Search:
    if not prints:
        return Search()
    import numpy as np

    wanted: dict[int, dict[int, dict[str, Fingerprint]]] = defaultdict(lambda: defaultdict(dict))
    for one in prints:
        wanted[one.tag][one.length][one.digest] = one
    is_wanted = np.zeros(1 << _TAG_BITS, dtype=bool)
    is_wanted[list(wanted)] = True
    reach = max(one.length for one in prints) - 1
    found: dict[str, bool] = {}
    looked = 0
    try:
        for path in files:
            for content, seen in _with_overlap(chunks(path), reach):
                looked += len(content) - seen
                for end, tag in _places(content, seen, is_wanted):
                    for text, is_reply in _standing(content, end, wanted[tag]):
                        found[text] = found.get(text, True) and is_reply
    except StoreBusy:
        return Search(found=found, bytes=looked, gap=CHANGED)
    except StoreError as error:
        return Search(found=found, bytes=looked, gap=f"files that could not be read ({error})")
    return Search(found=found, bytes=looked)


def _with_overlap(pieces: Iterable[bytes], reach: int) -> Iterator[tuple[bytes, int]]:
    """Each piece behind the last bytes before it, and how many those are: a text may begin in an earlier piece."""
    before = b""
    for piece in pieces:
        content = before + piece
        yield content, len(before)
        before = content[-reach:]


def _standing(content: bytes, end: int, wanted: Mapping[int, dict[str, Fingerprint]]) -> Iterator[tuple[str, bool]]:
    """The texts that end here. What was found once is looked for no more."""
    for length, own in wanted.items():
        if not own or end < length:
            continue
        piece = content[end - length : end]
        one = own.pop(_digest(piece), None)
        if one is not None:
            yield _read(piece, one.way), one.is_reply


def _places(content: bytes, seen: int, is_wanted: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where, behind the bytes seen before, one of the texts may end, each place with the tag of its last bytes."""
    import numpy as np

    first = max(seen - WINDOW + 1, 0)
    for offset in range(first, min(first + WINDOW, len(content) - WINDOW + 1)):
        numbers = np.frombuffer(content, dtype="<u8", offset=offset, count=(len(content) - offset) // WINDOW)
        own = (numbers * np.uint64(_ODD)) >> np.uint64(_WORD_BITS - _TAG_BITS)  # as in `_tag`
        for hit in np.flatnonzero(is_wanted[own]):
            yield offset + WINDOW * (int(hit) + 1), int(own[hit])


def _tag(number: int) -> int:
    return (number * _ODD) % (1 << _WORD_BITS) >> (_WORD_BITS - _TAG_BITS)


def _digest(written: bytes) -> str:
    return hashlib.sha256(written).hexdigest()[:32]


def _ways(text: str) -> dict[bytes, str]:
    """Everything that a text can look like in a file: plain, in UTF-16, and escaped as JSON does."""
    escaped = (json.dumps(text, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False))
    ways = {one.encode("utf-8", "surrogatepass"): "json" for one in escaped}
    return ways | {text.encode(code, "surrogatepass"): code for code in _CODES}


def _read(piece: bytes, way: str) -> str:
    if way != "json":
        return piece.decode(way, "surrogatepass")
    return str(json.loads('"' + piece.decode("utf-8", "surrogatepass") + '"'))
