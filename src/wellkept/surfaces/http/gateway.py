"""The one way in for callers from outside: who they are is settled, what they may do is checked, then it runs.

A `Service` is what the surfaces of one server share: the gateway on threads, figures, and the sign that it is closing.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, timedelta
from functools import partial
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter, to_thread

from wellkept import flows
from wellkept.errors import EmbedderUnavailable, IdentityMismatch, InvalidInput, NotAllowed, TooMany, WellkeptError
from wellkept.flows.serving.api_keys import TokenKey
from wellkept.flows.serving.once import OnceRequest
from wellkept.flows.upkeep.schedule import WRITES, StoreMeter
from wellkept.judges.llm.meter import Account
from wellkept.policies.callers import (
    PLACE_NAMES,
    REFUSALS,
    Grant,
    Vouched,
    WriteShare,
    admit_write,
    bound_place,
    contradiction,
    granted_place,
    is_of_another,
    place_of_filters,
    refusal,
)
from wellkept.policies.upkeep.pace import TokenLimits
from wellkept.surfaces.http.guard import Credentials
from wellkept.surfaces.http.metrics import Metrics
from wellkept.surfaces.telemetry import span
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.api import Memory, Viewpoint
    from wellkept.config import ServerTable
    from wellkept.operations.operation import Operation
    from wellkept.types import Viewpoint as Place


@frozen
class Call:
    """An operation with its arguments, as a caller asks for it."""

    operation: Operation
    arguments: Mapping[str, Any]
    place: Mapping[str, Any]
    """The viewpoint that the caller claims."""
    grant: Grant
    surface: str
    key: str | None = None
    """Idempotency key of a write."""


class Gateway:
    """A memory for callers from outside."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def run(self, call: Call) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The answer of a call as JSON."""
        filters = call.arguments.get("filters")
        viewpoint = self.viewpoint(call.grant, place_of_filters(call.grant, call.place, filters))
        arguments = call.operation.given(call.arguments)
        call.operation.permit(arguments, is_operator=call.grant.is_operator)
        brought = [arguments.get(one.name, ()) for one in call.operation.parameters if one.kind == "messages"]
        said = [message for messages in brought for message in messages if isinstance(message, Mapping)]
        if call.grant.is_bound and any(is_of_another(message, viewpoint.place) for message in said):
            raise IdentityMismatch("speaker")  # a bound key brings its user's own words, or replies
        self._meter(call.operation, arguments, viewpoint.place)

        work = partial(call.operation.run, viewpoint, arguments)
        with span(call.operation, viewpoint.place, surface=call.surface):
            if call.key is None or not call.operation.is_write or call.operation.is_secret:
                answer = work()
            else:
                # Tokens of one user are one caller: what they settle is part of the request, or one gets the answer
                # of another.
                asked = [call.operation.name, dict(call.arguments), granted_place(call.grant, call.place)]
                place, caller = viewpoint.place, call.grant.caller
                request = OnceRequest(viewpoint=place, caller=caller, key=call.key, asked=asked)
                answer = flows.once.once(request, work, self.memory.engine)
        if call.operation.is_write and self.memory.engine.webhooks:
            flows.webhooks.later(viewpoint.place.tenant, self.memory.engine)
        return answer

    def _meter(self, operation: Operation, arguments: Mapping[str, Any], place: Place) -> None:
        """Take a write off the day's quota of its user and tenant, or refuse it before anything is read."""
        settings, now = self.memory.config.server, self.memory.engine.clock().astimezone(UTC)
        limits = TokenLimits(user_day=settings.writes_per_user_day, tenant_day=settings.writes_per_tenant_day)
        if not operation.is_write or operation.is_admin or limits == TokenLimits():
            return
        brought = [arguments.get(one.name) for one in operation.parameters if one.kind in ("facts", "messages")]
        amount = max([1, *(len(one) for one in brought if isinstance(one, (list, tuple)))])
        account = Account(tenant=place.tenant, user=place.user, day=now.date())
        decision = StoreMeter(self.memory.engine.store, WRITES).reserve(account, amount, limits)
        if decision.verdict != "pass":
            whose = "user" if decision.reason == "budget_user" else "tenant"
            tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
            raise TooMany(
                f"The {whose} has used up today's writes; the next day begins at midnight UTC.",
                code=f"quota_{whose}",
                retry_seconds=ceil((tomorrow - now).total_seconds()),
            )

    def viewpoint(self, grant: Grant, asked: Mapping[str, Any]) -> Viewpoint:
        """The memory as this caller may see it."""
        unknown = sorted(set(asked) - set(PLACE_NAMES))
        if unknown:
            known = ", ".join(PLACE_NAMES)
            raise InvalidInput(
                f"Unknown part of a viewpoint: {unknown[0]!r}. Known: {known}.", code="invalid_viewpoint"
            )
        for name, value in asked.items():
            is_list = isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
            if value is not None and not (is_list if name == "participants" else isinstance(value, str)):
                kind = "a list of texts" if name == "participants" else "a text"
                raise InvalidInput(f"{name} of a viewpoint must be {kind}.", code="invalid_viewpoint")
        claimed = contradiction(grant, asked)
        if claimed is not None:
            raise IdentityMismatch(claimed)
        viewpoint = self.memory.at(**granted_place(grant, asked))
        if not grant.is_bound:
            return viewpoint
        vouched = self._vouched(viewpoint.place)
        code = refusal(viewpoint.place, vouched)
        if code is not None:
            error = InvalidInput if code == "no_owner" else NotAllowed
            raise error(REFUSALS[code], code=code)
        return self.memory.at(**vars(bound_place(viewpoint.place, vouched)))

    def _vouched(self, place: Place) -> Vouched:
        """What the store knows of the places that a viewpoint names, and who of those named takes part in the chat.

        Only who is not bound adds to it.
        """
        if place.user is None:
            return Vouched()
        store = self.memory.engine.store
        named = ((Space.SESSION, place.session), (Space.PROJECT, place.project))
        opened = store.opened(place.tenant, place.user, [(space, owner) for space, owner in named if owner is not None])
        present: frozenset[str] = frozenset()
        if place.chat is not None:
            attending = store.attendance(place.tenant, [place.chat]).get(place.chat, frozenset())
            people = store.persons(place.tenant, users=[place.user, *place.participants])
            present = frozenset(user for user, person in people.items() if person.id in attending)
        return Vouched(opened=frozenset(str(space) for space, _ in opened), present=present)


class WritingLane:
    """Threads for writes, shared out among callers. It is used on the event loop alone."""

    def __init__(self, settings: ServerTable) -> None:
        # Of no thread, or none for a caller, nothing would ever be written.
        self._share = WriteShare(
            working_max=max(1, settings.writes_per_caller), waiting_max=settings.waiting_per_caller
        )
        self._threads = CapacityLimiter(max(1, settings.threads))
        self._in_hand: Counter[str] = Counter()
        self._turns: dict[str, CapacityLimiter] = {}

    async def run(self, caller: str, work: Callable[[], Any]) -> Any:  # noqa: ANN401 -- whatever it gives
        """What the work gives, on a thread, once it is the caller's turn; `TooMany` when too much of it waits."""
        if admit_write(self._in_hand[caller], self._share).verdict == "refuse":
            raise TooMany("Too many writes with this key are waiting; let some finish first.", code="too_many_writes")
        turn = self._turns.setdefault(caller, CapacityLimiter(self._share.working_max))
        self._in_hand[caller] += 1
        try:
            async with turn:
                return await to_thread.run_sync(work, limiter=self._threads)
        finally:
            self._in_hand[caller] -= 1
            if not self._in_hand[caller]:
                del self._in_hand[caller], self._turns[caller]


class Service:
    """A memory being served."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.metrics = Metrics(memory)
        self.settings = memory.config.server
        key = self.settings.token_key
        self.credentials = Credentials(memory.engine, None if key is None else TokenKey(key))
        self.gateway = Gateway(memory)
        self.closing = threading.Event()
        self._reading = CapacityLimiter(self.settings.threads)
        self._writing = WritingLane(self.settings)

    def load(self) -> None:
        """Read the bundled model now: whoever asks first should not wait for it."""
        load = getattr(self.memory.engine.embedder, "load", None)
        if load is not None:
            with suppress(EmbedderUnavailable):  # it is tried again, and then said
                load()

    async def in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 -- whatever it takes and gives
        """The core is synchronous: it runs on a thread, as many reads at once as `server.threads` allows."""
        return await to_thread.run_sync(partial(function, *arguments), limiter=self._reading)

    async def run(self, call: Call) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The answer of a call, counted."""
        started, code = perf_counter(), "failed"
        try:
            if call.operation.is_write:
                answer = await self._writing.run(call.grant.caller, partial(self.gateway.run, call))
            else:
                answer = await self.in_thread(self.gateway.run, call)
            code = "ok"
        except WellkeptError as error:
            code = error.code
            raise
        finally:
            self.metrics.count(call.surface, call.operation.name, code, perf_counter() - started)
        return answer
