"""When a failed job is tried again: each pause twice as long as the one before, until it is given up."""

from __future__ import annotations

from datetime import datetime, timedelta

from wellkept.values import frozen


@frozen
class Retries:
    """How patient the runner is."""

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
