"""Where the tokens of a day are counted, so that a budget can be kept before a model is asked."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from wellkept.policies.upkeep import pace
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from wellkept.policies.upkeep.pace import TokenLimits
    from wellkept.types import Decision


@frozen
class Account:
    """Who pays for a call. The day is UTC's."""

    tenant: str
    user: str | None
    """None: nobody in particular; counts for the tenant alone."""
    day: date


@dataclass(kw_only=True)
class Spending:
    """Tokens of the calls made while it was watched."""

    tokens: int = 0


_watched: ContextVar[Spending | None] = ContextVar("wellkept_spending", default=None)


@contextmanager
def spending() -> Iterator[Spending]:
    """Count what the calls made inside take, in this thread.

    >>> with spending() as spent:
    ...     count(12)
    >>> spent.tokens
    12
    """
    watched = Spending()
    before = _watched.set(watched)
    try:
        yield watched
    finally:
        _watched.reset(before)


def count(tokens: int) -> None:
    """A call took so many tokens."""
    watched = _watched.get()
    if watched is not None:
        watched.tokens += tokens


class Meter(Protocol):
    """Counts tokens. Two callers at once never both get the last of a budget."""

    def reserve(self, account: Account, tokens: int, limits: TokenLimits) -> Decision:
        """Take so many tokens off the day's budget, or refuse and take nothing."""

    def settle(self, account: Account, *, reserved: int, used: int) -> None:
        """Replace what was reserved for a call by what it took."""


class ProcessMeter:
    """Counts in the memory of this process: a restart begins anew, and every process has a budget of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day: date | None = None
        self._users: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._tenants: defaultdict[str, int] = defaultdict(int)

    def reserve(self, account: Account, tokens: int, limits: TokenLimits) -> Decision:
        with self._lock:
            self._turn(account.day)
            decision = pace.admit_tokens(tokens, self._spent(account), limits)
            if decision.verdict == "pass":
                self._add(account, tokens)
            return decision

    def settle(self, account: Account, *, reserved: int, used: int) -> None:
        with self._lock:
            # A call that began yesterday is yesterday's.
            if account.day == self._day:
                self._add(account, used - reserved)

    def spent(self, account: Account) -> pace.TokensSpent:
        """Of this day so far."""
        with self._lock:
            return self._spent(account) if account.day == self._day else pace.TokensSpent()

    def _turn(self, day: date) -> None:
        if day != self._day:
            self._day = day
            self._users.clear()
            self._tenants.clear()

    def _spent(self, account: Account) -> pace.TokensSpent:
        user = self._users[account.tenant, account.user] if account.user is not None else 0
        return pace.TokensSpent(user=user, tenant=self._tenants[account.tenant])

    def _add(self, account: Account, tokens: int) -> None:
        self._tenants[account.tenant] += tokens
        if account.user is not None:
            self._users[account.tenant, account.user] += tokens
