"""What the surfaces of one server share: the gateway on threads, figures, and the sign that the server is closing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from recollect.errors import EmbedderUnavailable, MissingExtra, RecollectError
from recollect.flows.tokens import TokenKey
from recollect.surfaces.credentials import Credentials
from recollect.surfaces.gateway import Call, Gateway

if TYPE_CHECKING:
    from recollect.app import Memory

HINT = "The server needs `pip install 'recollect[server]'`."


class Service:
    """A memory being served."""

    def __init__(self, memory: Memory) -> None:
        try:
            import anyio

            from recollect.surfaces.metrics import Metrics

            self.metrics = Metrics(memory)
        except ImportError:
            raise MissingExtra(HINT) from None
        self.memory = memory
        self.settings = memory.config.server
        key = self.settings.token_key
        self.credentials = Credentials(memory.engine, None if key is None else TokenKey(key))
        self.gateway = Gateway(memory)
        self.closing = threading.Event()
        self._limiter = anyio.CapacityLimiter(self.settings.threads)

    def load(self) -> None:
        """Read the bundled model now: whoever asks first should not wait for it."""
        load = getattr(self.memory.engine.embedder, "load", None)
        if load is not None:
            with suppress(EmbedderUnavailable):  # it is tried again, and then said
                load()

    async def in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 -- whatever it takes and gives
        """The core is synchronous: it runs on a thread, and so many calls at once."""
        from anyio import to_thread

        return await to_thread.run_sync(partial(function, *arguments), limiter=self._limiter)

    async def run(self, call: Call) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The answer of a call, counted."""
        started, code = perf_counter(), "failed"
        try:
            answer = await self.in_thread(self.gateway.run, call)
            code = "ok"
        except RecollectError as error:
            code = error.code
            raise
        finally:
            self.metrics.count(call.surface, call.operation.name, code, perf_counter() - started)
        return answer
