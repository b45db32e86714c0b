"""What every request passes before anything reads it: host, origin, key, rate, size and time; and who calls."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse

from wellkept import flows
from wellkept.errors import InvalidInput, NotAllowed, TooLarge, TooMany, Unauthorized, WellkeptError
from wellkept.policies.callers import Grant
from wellkept.store.contract import AnyKey
from wellkept.surfaces.http import wire
from wellkept.surfaces.http.wire import App, Message, Receive, Scope, Send
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.config import ServerTable
    from wellkept.flows.engine import Engine
    from wellkept.flows.serving.api_keys import TokenKey

COOKIE = "wellkept_key"
"""Where a browser keeps the key: HttpOnly and SameSite=Strict."""
SIGN_IN = "/sign-in"
"""The page that takes a key, where there are pages."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_CALLERS_MAX = 10_000
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
)


LOCAL = Grant(caller="local", is_operator=True)
_SCHEMES = ("bearer ", "token ")
_FORWARDING = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
"""Headers by which a proxy says for whom it asks."""


@frozen
class Peer:
    """The other end of a connection."""

    headers: Mapping[str, str]
    """Names in lower case."""
    address: str | None
    """None on a Unix socket, whose file says who may use it."""

    @property
    def is_local(self) -> bool:
        return self.address is None or is_loopback(self.address)

    @property
    def is_forwarded(self) -> bool:
        """A proxy asks for somebody who may be anywhere."""
        return any(name in self.headers for name in _FORWARDING)

    @property
    def credential(self) -> str | None:
        """The key or token that came along."""
        given = self.headers.get("authorization", "")
        for scheme in _SCHEMES:
            if given.lower().startswith(scheme):
                return given[len(scheme) :].strip()
        return given.strip() or self.headers.get("x-api-key")


class Credentials:
    """Turns what a caller shows into what it may do."""

    def __init__(self, engine: Engine, token_key: TokenKey | None = None) -> None:
        self._engine = engine
        self._token_key = token_key

    @property
    def is_open(self) -> bool:
        """Nobody has made a key, and none is configured: this machine is trusted."""
        return self._token_key is None and not self._engine.store.has(AnyKey())

    @property
    def is_near(self) -> bool:
        """The keys are looked up without a journey."""
        return self._engine.store.is_near

    def grant(self, peer: Peer) -> Grant:
        """What the caller may do; `Unauthorized` when that is nothing."""
        given = peer.credential
        if given is not None and "." in given and self._token_key is not None:
            return flows.api_keys.grant_of_token(given, self._token_key, self._engine)
        if self.is_open and peer.is_local:
            if peer.is_forwarded:
                raise NotAllowed(
                    "This request came through a proxy, and there is no key: whoever reaches the proxy could read "
                    "everything. Make one with `wellkept keys add NAME --scope operator`.",
                    code="keyless_proxy",
                )
            # A client that insists on sending some key, such as mem0's, is let in as it would be without.
            return LOCAL
        if given is None:
            raise Unauthorized(
                "Send a key: `Authorization: Bearer rk_…`. `wellkept keys add` makes one.", code="no_key"
            )
        return flows.api_keys.grant_of_key(given, self._engine)


def is_loopback(address: str) -> bool:
    """Whether an address or name is of this machine alone."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


@dataclass(kw_only=True)
class Rates:
    """A bucket a caller, refilled all the time; the callers of longest ago are forgotten."""

    per_minute: int
    clock: Callable[[], float] = monotonic
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, caller: str) -> None:
        """One request; `TooMany` when there were too many."""
        if self.per_minute <= 0:
            return
        now = self.clock()
        left, at = self._buckets.pop(caller, (float(self.per_minute), now))
        left = min(self.per_minute, left + (now - at) * self.per_minute / 60)
        self._buckets[caller] = (max(left - 1, 0.0), now)
        if len(self._buckets) > _CALLERS_MAX:
            self._buckets.popitem(last=False)
        if left < 1:
            raise TooMany(f"At most {self.per_minute} requests a minute; wait a moment.")


@frozen
class Guard:
    """An ASGI application around another: lets through what may pass, with `grant` and the whole body."""

    app: App
    credentials: Credentials
    limits: ServerTable
    hosts: frozenset[str]
    """Names by which the server may be called."""
    rates: Rates
    open_paths: Collection[str]
    """What needs no key."""
    in_thread: Callable[..., Awaitable[Any]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        scope["path"] = wire.routed(scope)
        try:
            await self._admit(scope)
            body = await self._body(scope, receive)
        except WellkeptError as error:
            accepted = next((value for name, value in scope["headers"] if name.lower() == b"accept"), b"")
            is_page = scope["method"] == "GET" and b"text/html" in accepted and SIGN_IN in self.open_paths
            # A person who asks for a page without a key is shown where to give it; programs are told.
            is_asked = is_page and isinstance(error, Unauthorized)
            answer = RedirectResponse(SIGN_IN, status_code=303) if is_asked else wire.refusal(error)
            await answer(scope, receive, _with_headers(send))
            return
        await self.app(scope, _replayed(body, receive), _with_headers(send))

    async def _admit(self, scope: Scope) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        address = (scope.get("client") or ("", 0))[0] or None
        peer = Peer(headers=_with_cookie(headers), address=address)
        if address is not None and _name(headers.get("host", "")) not in self.hosts:
            message = "This server does not answer to that host name; add it to server.allowed_hosts."
            raise NotAllowed(message, code="forbidden_host")
        self._check_origin(headers, scope["method"])
        state = scope.setdefault("state", {})
        state["grant"] = None
        if scope["path"] in self.open_paths:
            return
        try:
            # Where the keys are near, to take a thread takes longer than to look.
            is_near = self.credentials.is_near
            grant: Grant = (
                self.credentials.grant(peer) if is_near else await self.in_thread(self.credentials.grant, peer)
            )
        except WellkeptError:
            self.rates.take(f"address:{peer.address}")
            raise
        self.rates.take(grant.caller)
        state["grant"] = grant
        state["take"] = partial(self.rates.take, grant.caller)

    def _check_origin(self, headers: MutableMapping[str, str], method: str) -> None:
        """A browser says which page asks. Only the server's own pages and those that are allowed may."""
        origin = headers.get("origin")
        by_cookie = "authorization" not in headers and COOKIE in headers.get("cookie", "")
        if origin is None:
            if by_cookie and method not in SAFE and headers.get("sec-fetch-site", "same-origin") != "same-origin":
                raise NotAllowed("Another page may not use your key.", code="forbidden_origin")
            return
        parts = urlsplit(origin) if origin.isascii() else urlsplit("")
        is_own = (
            parts.scheme in ("http", "https")
            and parts.netloc == headers.get("host")
            and _name(parts.netloc) in self.hosts
        )
        if not is_own and origin not in self.limits.allowed_origins:
            message = "Pages of that origin may not call this server; add it to server.allowed_origins."
            raise NotAllowed(message, code="forbidden_origin")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body within the limits of size and time."""
        most = self.limits.body_bytes_max
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if announced.isdigit() and int(announced[:20]) > most:
            raise TooLarge(f"A body may have at most {most:,} bytes.")
        found = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_seconds_max):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        break
                    found += message.get("body", b"")
                    if len(found) > most:
                        raise TooLarge(f"A body may have at most {most:,} bytes.")
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            raise InvalidInput("The body took too long to arrive.", code="body_timeout") from None
        return bytes(found)


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _with_cookie(headers: dict[str, str]) -> dict[str, str]:
    """A browser's key as if it were sent by a program."""
    if "authorization" in headers or COOKIE not in headers.get("cookie", ""):
        return headers
    try:
        morsel = SimpleCookie(headers["cookie"]).get(COOKIE)
    except CookieError:
        return headers
    return headers if morsel is None else {**headers, "authorization": f"Bearer {morsel.value}"}


def _replayed(body: bytes, receive: Receive) -> Receive:
    is_given = False

    async def replay() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message.get("headers", ())}
            more = [(name, value) for name, value in _HEADERS if name not in present]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sent
