"""API keys: made, shown once, kept as a hash, rotated, revoked."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from wellkept.errors import ConfigError, InvalidInput, KeyNotFound, MissingExtra, Unauthorized
from wellkept.policies.callers import Grant, of_scopes, scope_fault
from wellkept.store.contract import AnyKey, ApiKey
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.types import Viewpoint


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
    engine.store.keep(record)
    return NewKey(key=f"{PREFIX}_{key_id}_{secret}", record=record)


def add_first(tenant: str, engine: Engine, *, chance: Callable[[int], str]) -> NewKey | None:
    """A key for the operator of a store that never had one; of several servers that start at once, one makes it."""
    with engine.store.transaction():
        engine.store.keys(tenant)  # names the tenant: whoever asks at the same time waits here for the other
        if engine.store.has(AnyKey()):
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
        ends = now + timedelta(hours=grace_hours)
        engine.store.keep(replace(old, expires_at=ends if old.expires_at is None else min(ends, old.expires_at)))
        return made


def revoke_key(key_id: str, tenant: str, engine: Engine) -> ApiKey:
    """From now on it opens nothing."""
    with engine.store.transaction():
        found = next((one for one in engine.store.keys(tenant) if one.id == key_id), None)
        if found is None:
            raise KeyNotFound(key_id)
        revoked = replace(found, revoked_at=found.revoked_at or engine.clock())
        engine.store.keep(revoked)
    return revoked


def grant_of_key(text: str, engine: Engine) -> Grant:
    """What a key opens. Which part of it is wrong is not told."""
    prefix, _, rest = text.partition("_")
    key_id, _, secret = rest.partition("_")
    found = next(iter(engine.store.keys(key_id=key_id)), None) if prefix == PREFIX and secret.isascii() else None
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


CLAIMS = (
    "tenant", "user", "chat", "chat_type", "participants", "persona", "agent", "thread", "session", "project",
    "username", "display_name",
)  # fmt: skip
"""What a token settles; what it does not name is settled as empty."""
MINUTES_MAX = 60 * 24 * 30
ID_LENGTH_MAX = 200
SCOPE = "token"
"""What stands for the scope of a token in the list of keys."""
_ID_BYTES = 8
_LENGTH_MAX = 8_192

Algorithm = Literal["HS256", "EdDSA"]


class TokenKey:
    """What context tokens are signed or verified with: `hmac:<secret>` or `ed25519:<key in base64>`.

    For Ed25519 a server is given the public key; the private one stays with who makes tokens. The algorithm is that of
    the key, whatever a token says of itself.
    """

    def __init__(self, text: str) -> None:
        kind, _, value = text.partition(":")
        if kind not in ("hmac", "ed25519") or not value:
            raise ConfigError("server.token_key must be hmac:<secret> or ed25519:<key in base64>.")
        self.algorithm: Algorithm = "HS256" if kind == "hmac" else "EdDSA"
        if kind == "hmac" and len(value) < 16:  # noqa: PLR2004 -- 128 bits at the very least
            raise ConfigError("The secret of server.token_key needs at least 16 characters.")
        try:
            self._key = value.encode() if kind == "hmac" else base64.b64decode(value, validate=True)
        except binascii.Error:
            raise ConfigError("The key of server.token_key is not base64.") from None
        if kind == "ed25519" and len(self._key) != 32:  # noqa: PLR2004 -- of every Ed25519 key
            raise ConfigError("An Ed25519 key has 32 bytes.")

    def sign(self, message: bytes) -> bytes:
        """With the secret, or the private key."""
        if self.algorithm == "HS256":
            return hmac.digest(self._key, message, hashlib.sha256)
        return _ed25519().Ed25519PrivateKey.from_private_bytes(self._key).sign(message)  # type: ignore[no-any-return]  # the package is optional and has no types here

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """With the secret, or the public key."""
        if self.algorithm == "HS256":
            return hmac.compare_digest(self.sign(message), signature)
        from cryptography.exceptions import InvalidSignature

        try:
            _ed25519().Ed25519PublicKey.from_public_bytes(self._key).verify(signature, message)
        except InvalidSignature:
            return False
        return True


@frozen
class NewToken:
    """A token that was just made: it is kept nowhere."""

    token: str
    id: str
    """By which it is taken back."""
    claims: Mapping[str, Any]
    expires_at: datetime


@frozen
class TokenKeys:
    """With what tokens are verified, and with what they are made: the same secret, or the two halves of a key."""

    verifying: str | None = None
    signing: str | None = None

    def signer(self) -> TokenKey:
        """What makes tokens; an error that says what is missing."""
        given = self.signing or self.verifying
        if given is None:
            raise ConfigError(
                "There is no key to sign tokens with: set WELLKEPT_SERVER__TOKEN_KEY=hmac:<secret>, the same for the "
                "server."
            )
        if self.signing is None and given.startswith("ed25519:"):
            raise ConfigError(
                "server.token_key is the public half and cannot sign: set WELLKEPT_SERVER__TOKEN_SIGNING_KEY to "
                "ed25519:<private key in base64>."
            )
        return TokenKey(given)


def mint(
    place: Viewpoint, minutes: float, keys: TokenKeys, engine: Engine, *, chance: Callable[[int], str]
) -> NewToken:
    """A token that settles exactly this viewpoint for so long. `chance` gives so many random bytes in hexadecimal."""
    if place.user is None:
        raise InvalidInput("A token needs a user.", code="no_owner")
    if not 0 < minutes <= MINUTES_MAX:
        raise InvalidInput(f"minutes must be above 0 and at most {MINUTES_MAX:,}.", code="invalid_lifetime")
    signer = keys.signer()
    said = {name: getattr(place, name) for name in CLAIMS}
    claims = {name: list(value) if isinstance(value, tuple) else value for name, value in said.items() if value}
    expires = datetime.fromtimestamp(int((engine.clock() + timedelta(minutes=minutes)).timestamp()), UTC)
    token_id = chance(_ID_BYTES)
    text = make({**claims, "jti": token_id}, signer, expires=expires)
    if len(text) > _LENGTH_MAX:
        raise InvalidInput("The viewpoint is too large for a token.", code="too_large")
    if keys.verifying is not None:
        # A pair of keys that does not belong together is told now, not to the sandbox.
        try:
            _claims(text, TokenKey(keys.verifying))
        except Unauthorized:
            raise ConfigError("server.token_signing_key is not the other half of server.token_key.") from None
    return NewToken(token=text, id=token_id, claims=claims, expires_at=expires)


def revoke_token(token_id: str, tenant: str, engine: Engine) -> ApiKey:
    """From now on no token with this id opens anything; told twice it is the same."""
    if not 0 < len(token_id) <= ID_LENGTH_MAX or not token_id.isprintable():
        raise InvalidInput(f"An id of a token has 1 to {ID_LENGTH_MAX} printable characters.", code="invalid_name")
    with engine.store.transaction():
        found = next(iter(engine.store.keys(key_id=_kept_as(token_id))), None)
        if found is not None:
            return found
        now = engine.clock()
        # No secret has an empty hash: as an API key it opens nothing.
        taken = ApiKey(
            tenant=tenant,
            id=_kept_as(token_id),
            name=token_id,
            hash="",
            scopes=(SCOPE,),
            created_at=now,
            revoked_at=now,
        )
        engine.store.keep(taken)
        return taken


def _kept_as(token_id: str) -> str:
    return f"{SCOPE}:{token_id}"


def make(claims: Mapping[str, Any], key: TokenKey, *, expires: datetime) -> str:
    """A token that says this until then."""
    head = _part({"alg": key.algorithm, "typ": "JWT"})
    body = _part({**claims, "exp": int(expires.timestamp())})
    return f"{head}.{body}.{_base64(key.sign(f'{head}.{body}'.encode()))}"


def grant_of_token(text: str, key: TokenKey, engine: Engine) -> Grant:
    """What a token settles: everything. A token that is wrong in any way opens nothing."""
    claims = _claims(text, key)
    ends, token_id = claims.pop("exp", None), claims.pop("jti", None)
    for name in ("iat", "iss", "aud", "sub"):
        claims.pop(name, None)
    if not isinstance(ends, (int, float)) or isinstance(ends, bool) or ends <= engine.clock().timestamp():
        raise Unauthorized("The context token has expired.", code="token_expired")
    if token_id is not None and next(iter(engine.store.keys(key_id=_kept_as(str(token_id)))), None) is not None:
        raise Unauthorized("The context token was taken back.", code="token_revoked")
    if claims.get("user") is None or not all(_is_claim(name, value) for name, value in claims.items()):
        raise Unauthorized("The context token says something else than who asks.", code="invalid_token")
    settled = dict.fromkeys(CLAIMS, None) | {"tenant": "default", "chat_type": "private"} | claims
    settled["participants"] = list(claims.get("participants") or ())
    return Grant(caller=f"token:{settled['tenant']}:{settled['user']}", settled=settled)


def _is_claim(name: str, value: object) -> bool:
    """Whether a token may say this of who asks."""
    if name == "participants":
        return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))
    if name == "chat_type":
        return value in ("private", "group", None)
    return name in CLAIMS and (value is None or isinstance(value, str))


def _claims(text: str, key: TokenKey) -> dict[str, Any]:
    wrong = Unauthorized("The context token is not valid.", code="invalid_token")
    if len(text) > _LENGTH_MAX or text.count(".") != 2:  # noqa: PLR2004 -- head, body, signature
        raise wrong
    signed, _, signature = text.rpartition(".")
    head, _, body = signed.partition(".")
    try:
        if not key.verifies(signed.encode("ascii"), _bytes(signature)):
            raise wrong
        said, claims = json.loads(_bytes(head)), json.loads(_bytes(body))
    except (ValueError, RecursionError):
        raise wrong from None
    if not isinstance(said, dict) or said.get("alg") != key.algorithm or not isinstance(claims, dict):
        raise wrong
    return claims


def _part(value: Mapping[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _base64(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _ed25519() -> Any:  # noqa: ANN401 -- a module that may be missing
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise MissingExtra("Ed25519 tokens need `pip install 'wellkept[server]'`.") from None
    return ed25519
