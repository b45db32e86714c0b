"""Context tokens: a signed statement who a sandboxed program works for, as a compact JWS (HS256 or EdDSA)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from recollect.errors import ConfigError, MissingExtra, Unauthorized
from recollect.policies.grants import Grant

CLAIMS = (
    "tenant", "user", "chat", "chat_type", "participants", "persona", "agent", "thread", "session", "project",
    "username", "display_name",
)  # fmt: skip
"""What a token settles; what it does not name is settled as empty."""
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
        return _ed25519().Ed25519PrivateKey.from_private_bytes(self._key).sign(message)  # type: ignore[no-any-return]

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


def make(claims: Mapping[str, Any], key: TokenKey, *, expires: datetime) -> str:
    """A token that says this until then."""
    head = _part({"alg": key.algorithm, "typ": "JWT"})
    body = _part({**claims, "exp": int(expires.timestamp())})
    return f"{head}.{body}.{_base64(key.sign(f'{head}.{body}'.encode()))}"


def grant(text: str, key: TokenKey, *, now: datetime) -> Grant:
    """What a token settles: everything. A token that is wrong in any way opens nothing."""
    claims = _claims(text, key)
    ends = claims.pop("exp", None)
    for name in ("iat", "iss", "aud", "jti", "sub"):
        claims.pop(name, None)
    if not isinstance(ends, (int, float)) or isinstance(ends, bool) or ends <= now.timestamp():
        raise Unauthorized("The context token has expired.", code="token_expired")
    if not isinstance(claims.get("user"), str) or set(claims) - set(CLAIMS):
        raise Unauthorized("The context token says something else than who asks.", code="invalid_token")
    settled = dict.fromkeys(CLAIMS, None) | {"tenant": "default", "chat_type": "private"} | claims
    settled["participants"] = list(claims.get("participants") or ())
    return Grant(caller=f"token:{settled['tenant']}:{settled['user']}", settled=settled)


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
        raise MissingExtra("Ed25519 tokens need `pip install 'recollect[server]'`.") from None
    return ed25519
