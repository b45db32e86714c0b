"""Token budgets: whether a model may be asked once more today, decided before it is asked."""

from __future__ import annotations

from wellkept.types import Decision
from wellkept.values import frozen

BYTES_PER_TOKEN = 3
"""Of UTF-8. English has four or five bytes to a token and Chinese about three, so this errs on the side of too many."""


@frozen
class Limits:
    """Tokens a day, prompt and answer together. None: no limit; 0: never ask."""

    user_day: int | None = None
    tenant_day: int | None = None


@frozen
class Spent:
    """Tokens of this day so far, those reserved for calls under way included."""

    user: int = 0
    tenant: int = 0


def estimate(*texts: str) -> int:
    """About how many tokens the texts take, rounded up.

    >>> estimate("abc", "abcd")
    3
    """
    return sum(-(-len(text.encode()) // BYTES_PER_TOKEN) for text in texts)


def admit(tokens: int, spent: Spent, limits: Limits) -> Decision:
    """Whether a call that may take so many tokens stays within both limits.

    >>> admit(100, Spent(user=950), Limits(user_day=1000)).reason
    'budget_user'
    """
    if limits.user_day is not None and spent.user + tokens > limits.user_day:
        return Decision(verdict="refuse", reason="budget_user")
    if limits.tenant_day is not None and spent.tenant + tokens > limits.tenant_day:
        return Decision(verdict="refuse", reason="budget_tenant")
    return Decision(verdict="pass", reason="within_budget")
