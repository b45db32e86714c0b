"""Meters of daily budgets, kept in the store: a restart forgets nothing, and all processes share one budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.policies.upkeep import pace

if TYPE_CHECKING:
    from wellkept.judges.llm.meter import Account
    from wellkept.policies.upkeep.pace import TokenLimits
    from wellkept.store.contract import Store
    from wellkept.types import Decision

TOKENS = "tokens"
WRITES = "writes"
TENANT = ""
"""The owner under whom a tenant's own total stands."""


class StoreMeter:
    """See `judges.llm.meter.Meter`. What is counted are tokens, or writes of callers from outside."""

    def __init__(self, store: Store, kind: str = TOKENS) -> None:
        self._store = store
        self._kind = kind

    def reserve(self, account: Account, tokens: int, limits: TokenLimits) -> Decision:
        """Take so many tokens off the day's budget, or refuse and take nothing."""
        with self._store.transaction():
            # The tenant's row is written first: of two callers at once, the second waits here for the first.
            tenant = self._add(account, TENANT, 0)
            user = self._add(account, account.user, 0) if account.user else 0
            decision = pace.admit_tokens(tokens, pace.TokensSpent(user=user, tenant=tenant), limits)
            if decision.verdict == "pass":
                self._add_both(account, tokens)
        return decision

    def settle(self, account: Account, *, reserved: int, used: int) -> None:
        """Replace what was reserved for a call by what it took."""
        with self._store.transaction():
            self._add_both(account, used - reserved)

    def spent(self, account: Account) -> pace.TokensSpent:
        """Of this day so far."""
        user = self._store.tally(account.tenant, self._kind, account.user, day=account.day) if account.user else 0
        return pace.TokensSpent(
            user=user, tenant=self._store.tally(account.tenant, self._kind, TENANT, day=account.day)
        )

    def _add_both(self, account: Account, tokens: int) -> None:
        self._add(account, TENANT, tokens)
        if account.user:
            self._add(account, account.user, tokens)

    def _add(self, account: Account, owner: str | None, tokens: int) -> int:
        return self._store.tally(account.tenant, self._kind, owner or TENANT, day=account.day, add=tokens)
