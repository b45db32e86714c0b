"""Connections that are given up when the head of a request does not arrive: nobody may hold one by saying nothing."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0


class Watched(H11Protocol):
    """uvicorn's protocol, looked at from time to time: a head that was begun at one look is there by the next."""

    _look: TimerHandle | None = None
    _is_late = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._look = self.loop.call_later(HEAD_SECONDS, self._looked)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _looked(self) -> None:
        # `cycle` is the request in hand or the last one; there is none before the first.
        is_new = getattr(self, "cycle", None) is None
        is_waiting = self.conn.their_state is h11.IDLE and (is_new or bool(self.conn.trailing_data[0]))
        if is_waiting and (is_new or self._is_late):
            self.transport.close()
            return
        self._is_late = is_waiting
        self._look = self.loop.call_later(HEAD_SECONDS, self._looked)
