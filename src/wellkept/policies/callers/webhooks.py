"""Webhooks: who is told of changes, which addresses may be called, and how a receiver knows who calls."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
from datetime import datetime
from urllib.parse import urlsplit

from wellkept.types import Decision
from wellkept.values import frozen

SECRET_PREFIX = "whsec_"  # noqa: S105 -- how every such secret begins
SECRET_BYTES_MIN = 24
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@frozen
class Hook:
    """Somebody who is told of the changes of a tenant."""

    name: str
    url: str
    secret: str
    """`whsec_` and at least 24 random bytes in base64, as the Standard Webhooks have it."""
    tenant: str = "default"
    is_private: bool = False
    """It stands in a network of one's own: other addresses than public ones may be called, and without TLS."""


def fault(hook: Hook) -> str | None:
    """What is wrong with a webhook as it is configured."""
    wrong = "url must be https://host/path, without a user in it"
    try:
        parts = urlsplit(hook.url)
        is_place = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or an address that is none
        return wrong
    if not is_place or parts.username or parts.password:
        return wrong
    if parts.scheme == "http" and not hook.is_private:
        return "url must be https, unless the webhook is private"
    try:
        secret = base64.b64decode(hook.secret.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error:
        secret = b""
    if not hook.secret.startswith(SECRET_PREFIX) or len(secret) < SECRET_BYTES_MIN:
        return f"secret must be {SECRET_PREFIX} and at least {SECRET_BYTES_MIN} random bytes in base64"
    return None


def signature(hook: Hook, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows that the body is ours and new."""
    stamp = str(int(at.timestamp()))
    key = base64.b64decode(hook.secret.removeprefix(SECRET_PREFIX))
    made = hmac.digest(key, f"{message_id}.{stamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{base64.b64encode(made).decode()}",
    }


def callable_at(address: str, *, is_private: bool) -> Decision:
    """Whether an address that a name was resolved to may be called.

    >>> callable_at("169.254.169.254", is_private=False).verdict, callable_at("8.8.8.8", is_private=False).verdict
    ('refuse', 'pass')
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        # Addresses in which another one is hidden lead to that one.
        if ip.sixtofour is not None or ip.teredo is not None or ip in _NAT64:
            return Decision(verdict="refuse", reason="hidden_address")
        ip = ip.ipv4_mapped or ip
    is_open = ip.is_global and not ip.is_multicast and not ip.is_reserved
    if is_open or (is_private and not ip.is_link_local and not ip.is_multicast and not ip.is_unspecified):
        return Decision(verdict="pass", reason="allowed")
    return Decision(verdict="refuse", reason="private_address")


def is_change(memory_id: str | None, status: str) -> bool:
    """Whether a row of the ledger tells of a memory that is other than it was."""
    return memory_id is not None and status == "ok"
