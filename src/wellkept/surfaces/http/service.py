"""What the surfaces of one server share: the gateway on threads, figures, and the sign that the server is closing."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from wellkept.errors import EmbedderUnavailable, MissingExtra, TooMany, WellkeptError
from wellkept.flows.serving.api_keys import TokenKey
from wellkept.policies.callers.lanes import WriteShare, admit
from wellkept.surfaces.http.credentials import Credentials
from wellkept.surfaces.http.gateway import Call, Gateway

if TYPE_CHECKING:
    from anyio import CapacityLimiter

    from wellkept.api import Memory
    from wellkept.config import ServerTable

HINT = "The server needs `pip install 'wellkept[server]'`."


class WritingLane:
    """Threads for writes, shared out among callers. It is used on the event loop alone."""

    def __init__(self, settings: ServerTable) -> None:
        from anyio import CapacityLimiter

        # Of no thread, or none for a caller, nothing would ever be written.
        self._share = WriteShare(
            working_max=max(1, settings.writes_per_caller), waiting_max=settings.waiting_per_caller
        )
        self._threads = CapacityLimiter(max(1, settings.threads))
        self._in_hand: Counter[str] = Counter()
        self._turns: dict[str, CapacityLimiter] = {}

    async def run(self, caller: str, work: Callable[[], Any]) -> Any:  # noqa: ANN401 -- whatever it gives
        """What the work gives, on a thread, once it is the caller's turn; `TooMany` when too much of it waits."""
        from anyio import CapacityLimiter, to_thread

        if admit(self._in_hand[caller], self._share).verdict == "refuse":
            raise TooMany("Too many writes of this key wait; let some end first.", code="too_many_writes")
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
        try:
            import anyio

            from wellkept.surfaces.http.metrics import Metrics

            self.metrics = Metrics(memory)
        except ImportError:
            raise MissingExtra(HINT) from None
        self.memory = memory
        self.settings = memory.config.server
        key = self.settings.token_key
        self.credentials = Credentials(memory.engine, None if key is None else TokenKey(key))
        self.gateway = Gateway(memory)
        self.closing = threading.Event()
        self._reading = anyio.CapacityLimiter(self.settings.threads)
        self._writing = WritingLane(self.settings)

    def load(self) -> None:
        """Read the bundled model now: whoever asks first should not wait for it."""
        load = getattr(self.memory.engine.embedder, "load", None)
        if load is not None:
            with suppress(EmbedderUnavailable):  # it is tried again, and then said
                load()

    async def in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 -- whatever it takes and gives
        """The core is synchronous: it runs on a thread, and so many reads at once."""
        from anyio import to_thread

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
