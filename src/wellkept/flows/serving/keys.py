"""API keys: made, shown once, kept as a hash, revoked."""

from __future__ import annotations

import hashlib
import hmac
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


@frozen
class NewKey:
    """A key that was just made. `key` is told now and never again."""

    key: str
    record: ApiKey


def add(name: str, scopes: Sequence[str], tenant: str, engine: Engine, *, chance: Callable[[int], str]) -> NewKey:
    """Make a key. `chance` gives so many random bytes in hexadecimal."""
    if not name.strip() or len(name) > NAME_LENGTH_MAX or not name.isprintable():
        raise InvalidInput(f"A key needs a name of 1 to {NAME_LENGTH_MAX} printable characters.", code="invalid_name")
    if not scopes:
        raise InvalidInput(
            "Give at least one scope: operator, tenant, user:<id> or agent:<name>.", code="invalid_scope"
        )
    for scope in scopes:
        if fault := scope_fault(scope):
            raise InvalidInput(fault, code="invalid_scope")
    key_id, secret = chance(ID_BYTES), chance(SECRET_BYTES)
    record = ApiKey(
        tenant=tenant,
        id=key_id,
        name=name,
        hash=_hash(secret),
        scopes=tuple(dict.fromkeys(scopes)),
        created_at=engine.clock(),
    )
    engine.store.add_key(record)
    return NewKey(key=f"{PREFIX}_{key_id}_{secret}", record=record)


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
    return of_scopes(found.scopes, tenant=found.tenant, caller=found.id)


def _hash(secret: str) -> str:
    """The secret has 192 random bits: one round is enough, nothing can be guessed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
