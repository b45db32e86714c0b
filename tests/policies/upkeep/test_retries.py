"""Pauses double up to a limit, and a job is given up after the last attempt."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from wellkept.policies.upkeep.retries import Retries, again_at

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def test_each_pause_is_twice_the_one_before_up_to_the_longest():
    rule = Retries(attempts_max=5, first_seconds=3, pause_max_seconds=10)
    pauses = [again_at(attempts, now=NOW, rule=rule) for attempts in (1, 2, 3, 4)]
    assert [(at - NOW) / timedelta(seconds=1) for at in pauses if at] == [3, 6, 10, 10]


def test_after_the_last_attempt_it_is_given_up():
    rule = Retries(attempts_max=2)
    assert again_at(1, now=NOW, rule=rule) == NOW + timedelta(seconds=rule.first_seconds)
    assert again_at(2, now=NOW, rule=rule) is None
    assert again_at(9, now=NOW, rule=rule) is None
