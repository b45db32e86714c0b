"""What the parts of the store share: the database, scopes by number, and ids made from counters."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from wellkept.errors import Interfering
from wellkept.store.contract import Attendance, Countable, Counters, Droppable, Holding, Opening, Record
from wellkept.store.driver import Database, Driver, Lock, LockKind, Locks
from wellkept.store.encoding import Halves, canonical, columns, json_list, micros, moment
from wellkept.types import Edge
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
ScopeKey = tuple[str, str, str]
"""Tenant, space and owner."""
Verb = Literal["keep", "drop", "has", "count"]
SCOPES_KEPT_MAX = 100_000
"""Scopes whose numbers are remembered; the rest are looked up."""
ID_BYTES = 10
"""Sixteen letters and digits in base 32."""
TRIES_MAX = 10
"""Times a write is begun again because another writer had what it turned out to need; then it has the whole tenant."""
_NUMBERING = Lock(kind="scope", name="0")
"""The count of a tenant's scopes."""
_OPEN = nullcontext()
"""Stands for the transaction that is open."""
ERASED = "erased:"
_ERASED_WITH_A_USER = frozenset({"session", "project"})
"""Spaces whose ids go with the one user who wrote there."""
ID_LETTERS = {"person": "p", "proposal": "c", "message": "t"}
"""What an id begins with, by kind; a memory's with m."""


@dataclass(kw_only=True)
class OpenScope:
    """A scope that is being written: its revision, and the end of its chain. Saved once, at the end."""

    tenant: str
    scope: int
    rev: int = 0
    last_num: int = 0
    last_actor: int = 0
    ledger_seq: int = 0
    ledger_head: str = ""
    actors: dict[str, int] = field(default_factory=dict)
    """Users whose numbers in this chain were looked up; 0 for one who has none yet."""


@dataclass(kw_only=True)
class _Needed:
    """What a write needs to itself."""

    places: set[tuple[str, str]] = field(default_factory=set)
    locks: set[Lock] = field(default_factory=set)


class _Own(threading.local):
    """What each thread has for itself."""

    def __init__(self) -> None:
        self.held: ExitStack | None = None
        """Of a lazy transaction: closed at its end."""
        self.needed: _Needed | None = None
        """What a write turned out to need, for when it is begun again."""
        self.moment: dict[tuple[str, ...], Any] | None = None
        """What was read of the moment of a snapshot and is asked for again and again; None outside of one."""
        self.numbers: dict[ScopeKey, int] = {}
        """Of scopes that the open transaction found after it had written, or made: others see them once it is over."""
        self.empty: set[tuple[str, int]] = set()
        """Scopes that the open transaction made and has stored nothing in, by tenant and number."""
        self.stored: dict[tuple[str, int], int] = {}
        """How many memories a scope has taken in, of those that the open transaction has written in."""


class Core:
    """A driver and what every part of the store needs of it."""

    _handlers: ClassVar[Mapping[tuple[Verb, type], Callable[..., Any] | str]] = {}

    def __init_subclass__(cls) -> None:
        """All that the parts of a store handle."""
        parts = [vars(part).get("_HANDLES", {}) for part in reversed(cls.__mro__)]
        cls._handlers = {named: how for part in parts for named, how in part.items()}

    def keep(self, record: Record) -> None:
        # What is mostly known already is looked up first: then nobody has to wait for a transaction.
        with nullcontext() if isinstance(record, Attendance | Opening) else self._within():
            self._handled("keep", record, self._db.run)

    def drop(self, what: Droppable) -> int:
        with self._within():
            done: int = self._handled("drop", what, self._db.run)
        return done

    def has(self, what: Holding) -> bool:
        return bool(self._handled("has", what, self._db.rows))

    def count(self, what: Countable) -> int:
        found = self._handled("count", what, self._db.number)
        return int(found)

    def _handled(self, verb: Verb, what: object, ask: Callable[[str, Mapping[str, Any]], Any]) -> Any:  # noqa: ANN401 -- as the handler answers
        """By the statement of that kind of value, or by the method that a part has for it."""
        how = self._handlers[verb, type(what)]
        return ask(how, columns(what)) if isinstance(how, str) else how(self, what)

    def __init__(self, driver: Driver) -> None:
        self.url = driver.url
        self.is_near = driver.is_near
        self._db = Database(driver)
        self._numbers: dict[ScopeKey, int] = {}
        self._local = _Own()
        driver.when_replaced.append(self._forget_held)

    def _forget_held(self) -> None:
        """Another database is in the place of the one that was read: what was kept of that one is nothing here."""
        self._numbers.clear()

    @contextmanager
    def transaction(self, locks: Locks | None = None, *, is_lazy: bool = False) -> Iterator[None]:
        if is_lazy:
            with self._held():
                yield
            return
        own, driver, is_done = self._local, self._db.driver, False
        if own.held is not None and not driver.is_writing:
            own.held.enter_context(driver.transaction())
        is_outermost = not driver.is_in_transaction
        try:
            with driver.transaction(locks=locks):
                yield
            is_done = True
        finally:
            if is_done and is_outermost and len(self._numbers) < SCOPES_KEPT_MAX:
                self._numbers |= own.numbers
            if is_outermost or not is_done:
                self._forget_made()

    def _forget_made(self) -> None:
        self._local.numbers.clear()
        self._local.empty.clear()
        self._local.stored.clear()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """All transactions of this thread inside are one, which begins with the first of them."""
        if self._local.held is not None:
            yield
            return
        with ExitStack() as stack:
            self._local.held = stack
            try:
                yield
            finally:
                self._local.held = None
                self._forget_made()

    def write_in(
        self, tenant: str, places: Collection[tuple[Space, str]], work: Callable[[], T], *, chat: str | None = None
    ) -> T:
        is_part = self._db.driver.is_in_transaction or self._local.held is not None
        if is_part or self.is_near:  # a file has one writer at a time
            with self.transaction():
                return work()
        shared = () if chat is None else (Lock(kind="chat", name=chat),)
        needed = self._local.needed = _Needed(
            places={(str(space), owner) for space, owner in places}, locks=set(shared)
        )
        try:
            for _ in range(TRIES_MAX):
                locks = {Lock(kind="scope", name=str(self._settled(tenant, place))) for place in needed.places}
                with suppress(Interfering), self.transaction(Locks(tenant=tenant, locks=(*locks, *needed.locks))):
                    return work()
        finally:
            self._local.needed = None
        with self.transaction():
            return work()

    def _settled(self, tenant: str, place: tuple[str, str]) -> int:
        """The number of a scope. A new one is counted and named before the transaction that writes in it.

        The count is of the whole tenant, and is held no longer than that takes.
        """
        scope = self._scope(tenant, *place)
        if scope is not None:
            return scope
        with self.transaction(Locks(tenant=tenant, locks=(_NUMBERING,))):
            return self._scope_or_new(tenant, *place)

    def _lock_on(self, tenant: str, kind: LockKind, name: str) -> None:
        """The open transaction has this to itself from now on. `Interfering`: another writer has it."""
        lock = Lock(kind=kind, name=name)
        if self._db.driver.is_writing and not self._db.driver.has_lock(tenant, lock):
            if self._local.needed is not None:
                self._local.needed.locks.add(lock)
            raise Interfering

    def lock_times(self) -> Mapping[str, tuple[int, float]]:
        return self._db.driver.lock_times()

    def _within(self) -> AbstractContextManager[None]:
        """A transaction, or the one that is open: for statements of which none needs to fail alone."""
        return _OPEN if self._db.driver.is_writing else self.transaction()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        is_whole = not self._db.driver.is_in_transaction
        with self._db.driver.snapshot():
            if is_whole:
                self._local.moment = {}
            try:
                yield
            finally:
                if is_whole:
                    self._local.moment = None

    def _scope(self, tenant: str, space: str, owner: str) -> int | None:
        """The number of a scope; of a session or project also under the name it has since its user was erased.

        Whoever knows its id goes on with its phases and counters, and the first write names it again.
        """
        key = (tenant, str(space), owner)
        own = self._local
        # Only with a transaction is it seen whether a backup took the place of what the numbers are of.
        if key in self._numbers and (self._db.driver.is_in_transaction or not self.is_near):
            return self._numbers[key]
        if key in own.numbers:
            return own.numbers[key]
        if own.moment is not None and key in own.moment:
            return None
        number, is_erased = self._look_up(key)
        if is_erased and space not in _ERASED_WITH_A_USER:
            number = None
        if number is not None:
            # A scope keeps its number for ever, once it is committed.
            is_lasting = (is_erased or not self._db.driver.is_dirty) and len(self._numbers) < SCOPES_KEPT_MAX
            (self._numbers if is_lasting else own.numbers)[key] = number
        elif own.moment is not None:
            own.moment[key] = None
        return number

    def _look_up(self, key: ScopeKey) -> tuple[int | None, bool]:
        """The number of a scope, and whether it has the name of one whose owner was erased."""
        tenant, space, owner = key
        named = {"tenant": tenant, "space": space, "owner": owner, "erased": erased_owner(tenant, space, owner)}
        row = self._db.one("scope_of", named)
        return (None, False) if row is None else (int(row[0]), row[1] != owner)

    def _scope_or_new(self, tenant: str, space: str, owner: str) -> int:
        key, own = (tenant, str(space), owner), self._local
        known = self._numbers.get(key, own.numbers.get(key))
        number, is_erased = self._look_up(key) if known is None else (known, False)
        if number is not None:
            if is_erased:  # somebody who was erased is back: the same counters, so that no id is given twice
                self._db.run("scope_rename", {"tenant": tenant, "scope": number, "owner": owner})
            own.numbers[key] = number
            return number
        self._make_first(str(space), owner)
        number = self._count_up(tenant, 0, "scope")
        values = {"tenant": tenant, "scope": number, "space": str(space), "owner": owner}
        if self._db.run("scope_add", values) == 1:
            own.numbers[key] = number
            own.empty.add((tenant, number))
            return number
        found = self._scope(tenant, space, owner)
        assert found is not None, "a scope that was just added is there"
        return found

    def _filled(self, tenant: str, space: str, owner: str) -> int | None:
        """The number of a scope, unless it can hold nothing yet."""
        scope = self._scope(tenant, space, owner)
        return None if scope is None or (tenant, scope) in self._local.empty else scope

    def _make_first(self, space: str, owner: str) -> None:
        """A scope that a write turned out to need is made before that write begins again."""
        needed = self._local.needed
        if needed is not None and (space, owner) not in needed.places:
            needed.places.add((space, owner))
            raise Interfering

    def _remove_places(self, tenant: str, places: Sequence[tuple[int, int]]) -> None:
        """Messages with their words, vectors and spans."""
        for scope in sorted({scope for scope, _ in places}):
            rev = self._touch_scope(tenant, scope)
            self._db.run("scope_purged", {"tenant": tenant, "scope": scope, "rev": rev})
        keys = [{"tenant": tenant, "scope": scope, "num": num} for scope, num in places]
        for name in ("postings_remove", "vectors_remove", "evidence_remove", "message_remove"):
            self._db.run_many(name, keys)

    def _open_scope(self, tenant: str, scope: int, *, is_changing: bool, user: str | None = None) -> OpenScope:
        """Holds the scope's row, with a new revision when memories change, until it is saved. `user`: who writes."""
        self._lock_on(tenant, "scope", str(scope))
        if (tenant, scope) in self._local.empty:
            self._local.empty.discard((tenant, scope))
            return OpenScope(tenant=tenant, scope=scope, rev=int(is_changing), actors={} if user is None else {user: 0})
        found = self._db.held_rows("scope_open", {"tenant": tenant, "scope": scope, "user": user})
        assert found, "scopes are never removed"
        rev, last_num, last_actor, ledger_seq, ledger_head, owner, actor = found[0]
        if owner.startswith(ERASED):
            self._name_again(tenant, scope)
        return OpenScope(
            tenant=tenant,
            scope=scope,
            rev=rev + 1 if is_changing else rev,
            last_num=last_num,
            last_actor=last_actor,
            ledger_seq=ledger_seq,
            ledger_head=ledger_head,
            actors={} if user is None else {user: int(actor or 0)},
        )

    def _touch_scope(self, tenant: str, scope: int) -> int:
        """A new revision of a scope of which nothing else changes."""
        self._lock_on(tenant, "scope", str(scope))
        self._local.empty.discard((tenant, scope))
        row = self._db.one("scope_touch", {"tenant": tenant, "scope": scope})
        assert row is not None, "scopes are never removed"
        rev, owner = row
        if owner.startswith(ERASED):
            self._name_again(tenant, scope)
        return int(rev)

    def _name_again(self, tenant: str, scope: int) -> None:
        """Another process has erased the owner since the number was looked up; now somebody of that name writes."""
        known = self._numbers | self._local.numbers
        named = next((key for key, number in known.items() if (key[0], number) == (tenant, scope)), None)
        if named is not None:
            self._db.run("scope_rename", {"tenant": tenant, "scope": scope, "owner": named[2]})

    def _save_scope(self, scope: OpenScope) -> None:
        self._db.run("scope_save", vars(scope))
        self._local.stored[scope.tenant, scope.scope] = scope.last_num

    def _count_up(self, tenant: str, scope: int, kind: str) -> int:
        self._lock_on(tenant, "scope", str(scope))
        row = self._db.one("count_up", {"tenant": tenant, "scope": scope, "kind": kind})
        assert row is not None, "an upsert returns its row"
        return int(row[0])

    def _touch_persons(self, tenant: str, person_ids: Collection[str]) -> None:
        """Where these people take part has changed."""
        for person_id in person_ids:
            self._lock_on(tenant, "person", person_id)
        self._touch(tenant, [(person_id, 0) for person_id in person_ids])

    def _touch(self, tenant: str, said: Iterable[tuple[str, int]]) -> None:
        """What a scope says about a person has changed: (person, scope)."""
        # In one order everywhere, so that two writers never wait for each other in a circle.
        self._db.run_many(
            "person_touch",
            [{"tenant": tenant, "person": person, "scope": scope} for person, scope in sorted(set(said))],
        )

    def next_id(self, tenant: str, space: Space, owner: str, kind: str) -> str:
        return make_id(tenant, str(space), owner, str(kind), self.next_number(tenant, space, owner, str(kind)))

    def next_moment(
        self, tenant: str, places: Collection[tuple[Space, str]], *, now: datetime, is_ticking: bool = False
    ) -> tuple[datetime, int]:
        latest, tick = micros(now), 0
        with self._within():
            # In one order everywhere, so that two writers never wait for each other in a circle.
            scopes = sorted(self._scope_or_new(tenant, space, owner) for space, owner in set(places))
            for scope in scopes:
                self._lock_on(tenant, "scope", str(scope))
                name = "clock_and_tick_on" if is_ticking else "clock_on"
                counted: dict[str, int] = dict(self._db.rows(name, {"tenant": tenant, "scope": scope, "now": latest}))
                latest, tick = int(counted["clock"]), int(counted.get("tick", 0))
            seen = [{"tenant": tenant, "scope": scope, "kind": "clock", "number": latest} for scope in scopes[:-1]]
            self._db.run_many("counted", seen)
        return moment(latest), tick

    def next_number(self, tenant: str, space: Space, owner: str, kind: str) -> int:
        with self._within():
            return self._count_up(tenant, self._scope_or_new(tenant, space, owner), kind)

    def counters(self, tenant: str, space: Space, owner: str, *, hold: bool = True) -> Mapping[str, int]:
        scope = self._scope_or_new(tenant, space, owner) if hold else self._scope(tenant, space, owner)
        if scope is None:
            return {}
        if hold:
            self._lock_on(tenant, "scope", str(scope))
        key = {"tenant": tenant, "scope": scope}
        rows = self._db.held_rows("counters_of", key) if hold else self._db.rows("counters_of", key)
        return {kind: int(number) for kind, number in rows}

    def _keep_counters(self, counted: Counters) -> None:
        scope = self._scope_or_new(counted.tenant, counted.space, counted.owner)
        rows = [
            {"tenant": counted.tenant, "scope": scope, "kind": kind, "number": counted.numbers[kind]}
            for kind in sorted(counted.numbers)
        ]
        self._db.run_many("counter_raise", rows)

    _HANDLES: ClassVar[Mapping[tuple[Verb, type], Callable[..., Any] | str]] = {("keep", Counters): _keep_counters}
    """How a part keeps, drops, finds and counts the values that are its own: by a method, or by a statement alone."""


def erased_owner(tenant: str, space: str, owner: str) -> str:
    """What a scope is called once its owner is erased: its chain stays, and nothing tells whose it was."""
    said = canonical([tenant, str(space), owner]).encode("utf-8", "surrogatepass")
    return f"{ERASED}{hashlib.sha256(said).hexdigest()[:32]}"


def make_id(tenant: str, space: str, owner: str, kind: str, number: int) -> str:
    """The same inputs give the same id; it tells nothing about them."""
    said = canonical([tenant, space, owner, kind, number]).encode("utf-8", "surrogatepass")
    return f"{ID_LETTERS.get(kind, 'm')}_{id_text(said)}"


def id_text(said: bytes) -> str:
    """Sixteen letters and digits that stand for a text."""
    return base64.b32encode(hashlib.sha256(said).digest()[:ID_BYTES]).decode("ascii").lower()


def edge_columns(tenant: str, edge: Edge, at: int) -> Mapping[str, Any]:
    """The parameters of an edge. Of a pair that is related both ways, the lesser id stands first: one edge a pair."""
    src, dst = edge.src, edge.dst
    if edge.kind == "related_to" and dst < src:
        src, dst = dst, src
    return {
        "tenant": tenant,
        "kind": str(edge.kind),
        "src": src,
        "dst": dst,
        "strength": None if edge.strength is None else float(edge.strength),
        "stated_by": edge.stated_by,
        "at": at,
    }


def vector_rows(place: Mapping[str, Any], vectors: NDArray[np.float32]) -> list[Mapping[str, Any]]:
    """The parameters of the vectors of one text, a piece each."""
    # A half is precise to three digits: ten times finer than what tells two sentences apart.
    halves = vectors.astype("<f2")
    return [{**place, "piece": piece, "vector": Halves(row.tobytes())} for piece, row in enumerate(halves)]


def words_of(place: Mapping[str, Any], terms: Mapping[str, int]) -> list[Mapping[str, Any]]:
    """The parameters of the words of a text; none where it has no words."""
    words = [term for term, count in terms.items() for _ in range(count)]
    return [{**place, "terms": json_list(words)}] if words else []
