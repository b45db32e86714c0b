"""How much background work is done, and when: budgets of tokens, pauses after a failure, slots of tenants."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from wellkept.types import Decision
from wellkept.values import frozen

BYTES_PER_TOKEN = 3
"""Of UTF-8. English has four or five bytes to a token and Chinese about three, so this errs on the side of too many."""


@frozen
class TokenLimits:
    """Tokens a day, prompt and answer together. None: no limit; 0: never ask."""

    user_day: int | None = None
    tenant_day: int | None = None


@frozen
class TokensSpent:
    """Tokens of this day so far, those reserved for calls under way included."""

    user: int = 0
    tenant: int = 0


def estimate_tokens(*texts: str) -> int:
    """About how many tokens the texts take, rounded up.

    >>> estimate_tokens("abc", "abcd")
    3
    """
    return sum(-(-len(text.encode()) // BYTES_PER_TOKEN) for text in texts)


def admit_tokens(tokens: int, spent: TokensSpent, limits: TokenLimits) -> Decision:
    """Whether a call that may take so many tokens stays within both limits.

    >>> admit_tokens(100, TokensSpent(user=950), TokenLimits(user_day=1000)).reason
    'budget_user'
    """
    if limits.user_day is not None and spent.user + tokens > limits.user_day:
        return Decision(verdict="refuse", reason="budget_user")
    if limits.tenant_day is not None and spent.tenant + tokens > limits.tenant_day:
        return Decision(verdict="refuse", reason="budget_tenant")
    return Decision(verdict="pass", reason="within_budget")


@frozen
class Retries:
    """How often, and after which pauses, a failed job is tried again."""

    attempts_max: int = 8
    """Of one job that fails each time; those that were cut short by a crash do not count."""
    crashes_max: int = 1_000
    """A job that kills its worker so often is given up, too."""
    first_seconds: float = 5.0
    pause_max_seconds: float = 3_600.0


def again_at(attempts: int, *, now: datetime, rule: Retries) -> datetime | None:
    """When to try again after so many attempts; None: never."""
    if attempts >= rule.attempts_max:
        return None
    pause = min(rule.first_seconds * 2.0 ** (attempts - 1), rule.pause_max_seconds)
    return now + timedelta(seconds=pause)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SHARES = 2**64


def slot_offset(tenant: str, every: timedelta) -> timedelta:
    """How far into the span a tenant's slot is: the same on every machine, and spread evenly over tenants."""
    digest = hashlib.sha256(tenant.encode("utf-8", "surrogatepass")).digest()
    return every * (int.from_bytes(digest[:8], "big") / _SHARES)


def latest_slot(tenant: str, every: timedelta, now: datetime) -> datetime:
    """The last moment up to now at which scheduled work of this tenant should have begun."""
    first = _EPOCH + slot_offset(tenant, every)
    return first + (now - first) // every * every
