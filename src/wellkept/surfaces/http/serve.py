"""Running the server: its sockets, the refusal to listen where nobody is known, and a graceful end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import stat
import sys
from asyncio import TimerHandle, Transport
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from wellkept.errors import MissingExtra, NotAllowed, WellkeptError
from wellkept.values import frozen

try:
    import anyio
    import h11
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from wellkept.surfaces import telemetry
    from wellkept.surfaces.http.application import guarded
    from wellkept.surfaces.http.gateway import Service
    from wellkept.surfaces.http.guard import is_loopback
    from wellkept.surfaces.mcp import over_stdio
except ImportError as error:
    raise MissingExtra("The server needs `pip install 'wellkept[server]'`.") from error


if TYPE_CHECKING:
    from types import FrameType

    from wellkept.api import Memory

DRAIN_SECONDS = 30
HEAD_SECONDS = 10.0
_SOCKET_MODE = stat.S_IRUSR | stat.S_IWUSR


@frozen
class Listening:
    """Where to listen. Without `unix` only on the port; the port is 0 for any that is free."""

    host: str = "127.0.0.1"
    port: int = 8765
    unix: Path | None = None


def serve(memory: Memory, where: Listening, *, told: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; what was begun is finished. `told` gets the address once it listens."""
    service = Service(memory)
    if not is_loopback(where.host) and service.credentials.is_open:
        raise NotAllowed(
            f"{where.host} can be reached from other machines, and there is no key: anybody could read everything. "
            "Make one with `wellkept keys add NAME --scope operator`, or listen on 127.0.0.1.",
            code="no_key",
        )

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 -- uvicorn's signature
            """Streams end and /readyz says so; once all is done the process ends by itself, not by the signal."""
            service.closing.set()
            self.force_exit = self.should_exit and sig == signal.SIGINT
            self.should_exit = True

    config = uvicorn.Config(
        telemetry.AccessLog(app=guarded(service, hosts=[where.host]), chance=token_hex),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws="none",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        limit_concurrency=1_000,
        http=Watched,
        h11_max_incomplete_event_size=262_144,
    )
    service.load()
    with telemetry.logging_configured(service.settings), telemetry.exporting(os.environ), _sockets(where) as sockets:
        for one in sockets:
            told(_address(one))
        Server(config).run(sockets=sockets)


def serve_stdio(memory: Memory, place: Mapping[str, Any]) -> None:
    """Serve one MCP client until it closes standard input; what it asked before that is answered."""
    try:
        anyio.run(over_stdio, Service(memory), place)
    except* BrokenPipeError:
        pass  # The client went away; nobody is left to answer.


def _address(one: socket.socket) -> str:
    if one.family == getattr(socket, "AF_UNIX", None):
        return f"unix:{one.getsockname()}"
    host, port = one.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextlib.contextmanager
def _sockets(where: Listening) -> Iterator[list[socket.socket]]:
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    with contextlib.ExitStack() as stack:
        # Named as TCP: of sockets that do not say so, asyncio does not turn the delay of small packets off.
        made = [stack.enter_context(socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP))]
        if sys.platform != "win32":  # there it would let another process listen on the same port
            made[0].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made[0].bind((where.host, where.port))
        except (OSError, OverflowError) as error:
            raise WellkeptError(f"Cannot listen on {where.host}:{where.port}: {error}.", code="cannot_listen") from None
        if where.unix is not None:
            made.append(stack.enter_context(_unix_socket(where.unix)))
            stack.callback(where.unix.unlink, missing_ok=True)
        yield made


def _unix_socket(path: Path) -> socket.socket:
    """Only its owner may use it. What a server that died left behind is replaced, nothing else is."""
    if not hasattr(socket, "AF_UNIX"):
        raise WellkeptError("This system has no Unix sockets; leave --unix out.", code="unsupported")
    if path.is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(str(path)) == 0:
                raise WellkeptError(f"Another server listens on {path}.", code="cannot_listen")
        path.unlink()
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        made.bind(str(path))
    except OSError as error:
        made.close()
        raise WellkeptError(f"Cannot listen on {path}: {error}.", code="cannot_listen") from None
    finally:
        os.umask(before)
    path.chmod(_SOCKET_MODE)
    return made


class Watched(H11Protocol):
    """uvicorn's protocol, given up when the head of a request does not arrive: nobody may hold one by saying nothing.

    It is looked at from time to time: a head that was begun at one look is there by the next.
    """

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
