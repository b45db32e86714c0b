"""What callers may claim, bring and give, and the webhooks by which others are told of changes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote, urlsplit

from wellkept.errors import InvalidInput
from wellkept.types import Decision, Viewpoint
from wellkept.values import frozen

# --- Grants: a grant settles some names of the viewpoint, and binds others to its user.


PLACE_NAMES = (
    "tenant", "user", "chat", "chat_type", "participants", "persona", "agent", "thread", "session", "project", "run",
    "username", "display_name",
)  # fmt: skip
"""Everything that a viewpoint has."""

_PREFIXES: Mapping[str, str] = {"user": "user", "agent": "agent"}


@frozen
class Grant:
    """Who calls, and what is settled about them. A settled name may be claimed only with its own value."""

    caller: str
    """For limits and kept answers: a key's id, a token's user, or `local`."""
    is_operator: bool = False
    settled: Mapping[str, Any] = field(default_factory=dict)
    is_bound: bool = False
    """Of what it names, only what is its user's own or what somebody else vouched for counts."""


@frozen
class Vouched:
    """What is known of the places that a viewpoint names, from others than the caller."""

    opened: frozenset[str] = frozenset()
    """Which of `session` and `project` are open to the user."""
    present: frozenset[str] = frozenset()
    """Who of the user and the participants that are named is known to take part in the chat."""


def scope_fault(scope: str) -> str | None:
    """What is wrong with the text of a scope."""
    kind, has_name, name = scope.partition(":")
    is_plain = scope in ("operator", "tenant")
    is_named = kind in _PREFIXES and bool(has_name) and 0 < len(name) <= 512  # noqa: PLR2004 -- as long as an id
    return None if is_plain or is_named else f"{scope!r} is not operator, tenant, user:<id> or agent:<name>."


def of_scopes(scopes: Iterable[str], *, tenant: str, caller: str) -> Grant:
    """The grant of a key. Several scopes hold together: user:alice and agent:planner is alice through the planner.

    >>> of_scopes(["user:alice"], tenant="default", caller="k").settled["user"]
    'alice'
    """
    given = tuple(scopes)
    if "operator" in given:
        return Grant(caller=caller, is_operator=True)
    settled: dict[str, Any] = {"tenant": tenant}
    for scope in given:
        kind, _, name = scope.partition(":")
        if kind in _PREFIXES:
            settled[_PREFIXES[kind]] = name
    is_bound = "user" in settled or "tenant" not in given
    if is_bound:
        # By a handle a user is linked to a person, and by a name shown to others: nobody may take another's.
        settled |= {"username": None, "display_name": None}
    return Grant(caller=caller, settled=settled, is_bound=is_bound)


def contradiction(grant: Grant, asked: Mapping[str, Any]) -> str | None:
    """The first name that is claimed otherwise than it is settled."""
    for name, value in grant.settled.items():
        if asked.get(name) is not None and asked[name] != value:
            return name
    return None


def granted_place(grant: Grant, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The viewpoint that is asked for, with what is settled in it."""
    given = {name: value for name, value in asked.items() if value is not None}
    return given | {name: value for name, value in grant.settled.items() if value is not None}


def place_of_filters(grant: Grant, asked: Mapping[str, Any], filters: object) -> Mapping[str, Any]:
    """The viewpoint that is asked for; where nothing else says whose memory is read, the user of the filters does.

    >>> place_of_filters(Grant(caller="k"), {}, {"user_id": "ann"})
    {'user': 'ann'}
    >>> place_of_filters(Grant(caller="k", settled={"user": "bob"}), {}, {"user_id": "ann"})
    {}
    """
    user = filters.get("user_id") if isinstance(filters, Mapping) else None
    is_open = "user" not in grant.settled and asked.get("user") is None and asked.get("chat") is None
    return {**asked, "user": user} if is_open and isinstance(user, str) and user else asked


def own_id(user: str, name: str) -> str:
    """What a user's key names and nobody vouched for is the user's own, whoever else uses the same name.

    >>> own_id("bob", "s1"), own_id("bob", own_id("bob", "s1")), own_id("a/b", "c"), own_id("a", "b/c")
    ('own:bob/s1', 'own:bob/s1', 'own:a%2Fb/c', 'own:a/b/c')
    """
    prefix = f"own:{quote(user, safe='')}/"
    return name if name.startswith(prefix) else prefix + name


REFUSALS: Mapping[str, str] = {
    "no_owner": "This key works for a user: name the user.",
    "not_participant": "This key opens only chats in which its user takes part, with the people who do.",
}


def refusal(place: Viewpoint, vouched: Vouched) -> str | None:
    """Why a bound key may not have this viewpoint: the code. It is the same whether the chat exists or not."""
    if place.user is None:
        # Without a user it would be the system's own work, which may change everything.
        return "no_owner"
    is_alone = place.chat_type == "private" and {*place.participants} <= {place.user}
    return None if is_alone or {place.user, *place.participants} <= vouched.present else "not_participant"


def bound_place(place: Viewpoint, vouched: Vouched) -> Viewpoint:
    """The viewpoint of a bound key that was not refused: what nobody vouched for is the user's own."""
    user = place.user
    assert user is not None, "refused"

    def mine(name: str | None, *, is_vouched: bool) -> str | None:
        return name if name is None or is_vouched else own_id(user, name)

    return replace(
        place,
        chat=mine(place.chat, is_vouched=user in vouched.present),
        session=mine(place.session, is_vouched="session" in vouched.opened),
        project=mine(place.project, is_vouched="project" in vouched.opened),
    )


def is_of_another(message: Mapping[str, Any], place: Viewpoint) -> bool:
    """Whether a message has another speaker than the user: nobody may put words into another's mouth."""
    return message.get("speaker") not in (None, "", place.user)


# --- Writes in hand. Reads have threads of their own; of the threads for writes one caller gets a share.


@frozen
class WriteShare:
    """What of the writing lane one caller may take."""

    working_max: int
    """Writes that are worked on at once."""
    waiting_max: int
    """Writes that wait for one of these to end."""


def admit_write(in_hand: int, share: WriteShare) -> Decision:
    """Whether a caller with so many writes in hand, worked on or waiting, may bring another.

    >>> [admit_write(number, WriteShare(working_max=1, waiting_max=1)).verdict for number in (0, 1, 2)]
    ['pass', 'pass', 'refuse']
    """
    if in_hand >= share.working_max + share.waiting_max:
        return Decision(verdict="refuse", reason="too_many_writes")
    return Decision(verdict="pass", reason="allowed")


# --- What callers give: whole numbers in their range, numbers, texts.


DAYS_MAX = 36_500
"""A century."""


def check_limit(value: object, most: int, *, name: str = "limit") -> None:
    """A whole number from 1 on.

    >>> check_limit(3, 10)
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be from 1 to {most}, a whole number.", code="invalid_limit")


def check_days(value: object, *, name: str) -> None:
    """A number of days that is not below zero."""
    if not is_number(value) or not 0 <= cast("float", value) <= DAYS_MAX:
        raise InvalidInput(f"{name} must be a number of days from 0 to {DAYS_MAX}.", code="invalid_parameter")


def check_number(value: object, *, name: str) -> None:
    """A number that can be compared."""
    if not is_number(value):
        raise InvalidInput(f"{name} must be a number.", code="invalid_parameter")


def check_text(value: object, *, name: str) -> None:
    """A text, empty or not."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text.", code="invalid_parameter")


def is_number(value: object) -> bool:
    """Whether something is a finite number; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)


# --- Webhooks: which addresses may be called, and how a receiver knows who calls.


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


def webhook_fault(hook: Hook) -> str | None:
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


def webhook_signature(hook: Hook, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows that the body is ours and new."""
    stamp = str(int(at.timestamp()))
    key = base64.b64decode(hook.secret.removeprefix(SECRET_PREFIX))
    made = hmac.digest(key, f"{message_id}.{stamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{base64.b64encode(made).decode()}",
    }


def may_call(address: str, *, is_private: bool) -> Decision:
    """Whether an address that a name was resolved to may be called.

    >>> may_call("169.254.169.254", is_private=False).verdict, may_call("8.8.8.8", is_private=False).verdict
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
