"""Events: the ledger as a table of what was done when, for a page or for a live stream."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, get_args

from wellkept.errors import InvalidInput
from wellkept.policies.callers import check_limit
from wellkept.store.contract import EventFilter, Events, Node, Position
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Chain, Done, LedgerRow

LIMIT_MAX = 1_000
DAYS_MAX = 3_660
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@frozen
class Event:
    """One decision, in the names of the `events` view."""

    id: str
    user_id: str | None
    """Who caused it."""
    thread_id: str | None
    node: str
    op: str
    status: str
    memory_id: str | None
    category: str | None
    sim: float | None
    ts: datetime
    reason: str | None
    space: str
    owner: str


@frozen
class EventsRequest:
    """Which events: of one owner, or of everybody."""

    tenant: str
    owner: str | None = None
    node: str | None = None
    op: str | None = None
    housekeeping: bool = True
    limit: int = 50
    before: str | None = None


def events(request: EventsRequest, engine: Engine) -> tuple[Event, ...]:
    """Newest first."""
    check_limit(request.limit, LIMIT_MAX)
    if request.node is not None and request.node not in get_args(Node):
        raise InvalidInput(f"node must be one of {', '.join(get_args(Node))}.", code="invalid_parameter")
    wanted = EventFilter(
        owner=request.owner,
        node=request.node,
        op=request.op,
        housekeeping=request.housekeeping,
        before=None if request.before is None else _position(request.before),
    )
    return tuple(map(event, engine.store.ledger(Events(tenant=request.tenant, wanted=wanted, limit=request.limit))))


def activity(tenant: str, engine: Engine, *, owner: str | None, days: int) -> tuple[Done, ...]:
    """What was done in the last days, today among them."""
    check_limit(days, DAYS_MAX, name="days")
    midnight = engine.clock().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return engine.store.activity(tenant, since=midnight - timedelta(days=days - 1), owner=owner)


def owners(tenant: str, engine: Engine, *, limit: int) -> tuple[Chain, ...]:
    """Users and chats that something was decided for, the longest chain first."""
    check_limit(limit, LIMIT_MAX)
    found = [chain for chain in engine.store.scopes(tenant) if chain.space in (Space.USER, Space.CHAT)]
    return tuple(sorted(found, key=lambda chain: (-chain.length, chain.space, chain.owner))[:limit])


def event(row: LedgerRow) -> Event:
    """A ledger row as an event."""
    entry = row.entry
    place = [(row.at - _EPOCH) // _MICROSECOND, str(row.space), row.owner, row.seq]
    return Event(
        id=base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("="),
        user_id=entry.actor,
        thread_id=entry.thread,
        node=entry.node,
        op=entry.op,
        status=entry.status,
        memory_id=entry.memory_id,
        category=entry.category,
        sim=entry.sim,
        ts=row.at,
        reason=entry.reason,
        space=str(row.space),
        owner=row.owner,
    )


def _position(text: str) -> Position:
    try:
        at, space, owner, seq = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        return Position(at=_EPOCH + at * _MICROSECOND, space=str(space), owner=str(owner), seq=int(seq))
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise InvalidInput("before is not the id of an event.", code="invalid_cursor") from None


class Tail:
    """What was written since the last look, chain by chain: nothing is missed or told twice."""

    def __init__(self, tenant: str, engine: Engine, *, owner: str | None = None) -> None:
        self._tenant, self._engine, self._owner = tenant, engine, owner
        self._seen = dict(self._lengths())

    def _lengths(self) -> Iterator[tuple[tuple[str, str], int]]:
        for chain in self._engine.store.scopes(self._tenant):
            if self._owner is None or (str(chain.space), chain.owner) == ("user", self._owner):
                yield (str(chain.space), chain.owner), chain.length

    def look(self) -> Sequence[Event]:
        """The events since the last look, in the order of their time."""
        found: list[LedgerRow] = []
        for place, length in self._lengths():
            seen = self._seen.get(place, 0)
            if length > seen:
                space, owner = place
                store = self._engine.store
                found += store.chain(self._tenant, Space(space), owner, after=seen, until=length)
                self._seen[place] = length
        return [event(row) for row in sorted(found, key=lambda row: row.at)]
