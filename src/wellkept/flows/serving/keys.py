"""API keys: made, shown once, kept as a hash, rotated, revoked."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, KeyNotFound, Unauthorized
from wellkept.policies.callers.grants import Grant, of_scopes, scope_fault
from wellkept.store.contract import ApiKey
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellkept.flows.engine import Engine

PREFIX = "rk"
ID_BYTES = 6
SECRET_BYTES = 24
NAME_LENGTH_MAX = 200
LIFETIME_DAYS_MAX = 3_650
GRACE_HOURS_MAX = 24 * 30
FIRST_NAME = "first key"


@frozen
class NewKey:
    """A key that was just made. `key` is told now and never again."""

    key: str
    record: ApiKey


@frozen
class KeyRequest:
    """What a new key is for, and what it opens."""

    tenant: str
    name: str
    scopes: Sequence[str]
    expires_in_days: float | None = None
    """None: it has no end."""


def add(request: KeyRequest, engine: Engine, *, chance: Callable[[int], str]) -> NewKey:
    """Make a key. `chance` gives so many random bytes in hexadecimal."""
    name, scopes, days = request.name, request.scopes, request.expires_in_days
    if not name.strip() or len(name) > NAME_LENGTH_MAX or not name.isprintable():
        raise InvalidInput(f"A key needs a name of 1 to {NAME_LENGTH_MAX} printable characters.", code="invalid_name")
    if not scopes:
        raise InvalidInput(
            "Give at least one scope: operator, tenant, user:<id> or agent:<name>.", code="invalid_scope"
        )
    for scope in scopes:
        if fault := scope_fault(scope):
            raise InvalidInput(fault, code="invalid_scope")
    if days is not None and not 0 < days <= LIFETIME_DAYS_MAX:
        raise InvalidInput(
            f"expires_in_days must be above 0 and at most {LIFETIME_DAYS_MAX:,}.", code="invalid_lifetime"
        )
    now = engine.clock()
    key_id, secret = chance(ID_BYTES), chance(SECRET_BYTES)
    record = ApiKey(
        tenant=request.tenant,
        id=key_id,
        name=name,
        hash=_hash(secret),
        scopes=tuple(dict.fromkeys(scopes)),
        created_at=now,
        expires_at=None if days is None else now + timedelta(days=days),
    )
    engine.store.add_key(record)
    return NewKey(key=f"{PREFIX}_{key_id}_{secret}", record=record)


def add_first(tenant: str, engine: Engine, *, chance: Callable[[int], str]) -> NewKey | None:
    """A key for the operator of a store that never had one; of several servers that start at once, one makes it."""
    with engine.store.transaction():
        engine.store.keys(tenant)  # names the tenant: whoever asks at the same time waits here for the other
        if engine.store.has_keys():
            return None
        return add(KeyRequest(tenant=tenant, name=FIRST_NAME, scopes=("operator",)), engine, chance=chance)


def rotate(key_id: str, tenant: str, engine: Engine, *, grace_hours: float, chance: Callable[[int], str]) -> NewKey:
    """Another key with the same name, scopes and lifetime; the old one ends after the grace."""
    if not 0 <= grace_hours <= GRACE_HOURS_MAX:
        raise InvalidInput(f"grace_hours must be from 0 to {GRACE_HOURS_MAX}.", code="invalid_lifetime")
    with engine.store.transaction():
        old = next((one for one in engine.store.keys(tenant) if one.id == key_id and one.hash), None)
        if old is None:
            raise KeyNotFound(key_id)
        now = engine.clock()
        if old.revoked_at is not None or (old.expires_at is not None and old.expires_at <= now):
            raise InvalidInput(f"Key {key_id} is over; make a new one with `wellkept keys add`.", code="key_over")
        days = None if old.expires_at is None else (old.expires_at - old.created_at) / timedelta(days=1)
        request = KeyRequest(tenant=tenant, name=old.name, scopes=old.scopes, expires_in_days=days)
        made = add(request, engine, chance=chance)
        engine.store.expire_key(tenant, key_id, at=now + timedelta(hours=grace_hours))
        return made


def revoke(key_id: str, tenant: str, engine: Engine) -> ApiKey:
    """From now on it opens nothing."""
    if not engine.store.revoke_key(tenant, key_id, at=engine.clock()):
        raise KeyNotFound(key_id)
    found = engine.store.key(key_id)
    assert found is not None, "keys are never removed"
    return found


def grant(text: str, engine: Engine) -> Grant:
    """What a key opens. Which part of it is wrong is not told."""
    prefix, _, rest = text.partition("_")
    key_id, _, secret = rest.partition("_")
    found = engine.store.key(key_id) if prefix == PREFIX and secret.isascii() else None
    # Compared also when there is no such key, so that both take the same time.
    is_right = hmac.compare_digest(_hash(secret), found.hash if found is not None else _hash(""))
    if found is None or not is_right or found.revoked_at is not None:
        raise Unauthorized("The key is not known or was revoked.", code="invalid_key")
    if found.expires_at is not None and found.expires_at <= engine.clock():
        raise Unauthorized("The key has expired; `wellkept keys add` makes another.", code="key_expired")
    return of_scopes(found.scopes, tenant=found.tenant, caller=found.id)


def _hash(secret: str) -> str:
    """The secret has 192 random bits: one round is enough, nothing can be guessed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
