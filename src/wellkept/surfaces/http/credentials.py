"""Who calls: an API key, a context token, or somebody on this machine while no key was ever made."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from wellkept import flows
from wellkept.errors import NotAllowed, Unauthorized
from wellkept.policies.callers.grants import Grant
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.flows.engine import Engine
    from wellkept.flows.serving.api_keys import TokenKey

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
        """On this machine."""
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
        return self._token_key is None and not self._engine.store.has_keys()

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
