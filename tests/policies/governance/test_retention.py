"""Retention counts ticks: ttl ends at a tick, decay after an age, never not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.policies.make import memory
from wellkept.policies.governance.policy import GOVERNED
from wellkept.policies.governance.policy_loader import load_policy
from wellkept.policies.governance.retention import expires_at, retain, rule_for
from wellkept.vocabulary import EventType, Kind

TTL = load_policy({"forget_policy": "ttl"})


def item(tick=10, **fields):
    return replace(memory(), **{"tick": tick, "kind": Kind.SEMANTIC, "event_type": EventType.CONTEXT} | fields)


@pytest.mark.parametrize(
    ("policy", "tick", "verdict", "reason"),
    [
        (GOVERNED, 10, "keep", "kept_by:retention_rule"),
        (GOVERNED, 22, "keep", "kept_by:retention_rule"),
        (GOVERNED, 23, "forget", "decay"),
        (TTL, 34, "keep", "kept_by:retention_rule"),
        (TTL, 35, "forget", "ttl_expired"),
        (TTL, 99, "forget", "ttl_expired"),
    ],
)
def test_context_lives_12_ticks_by_decay_and_25_by_ttl(policy, tick, verdict, reason):
    decision = retain(item(), policy, tick=tick)
    assert (decision.verdict, decision.reason) == (verdict, reason)


@pytest.mark.parametrize(
    ("event", "ticks"), [("execution", 18), ("decision", 40), ("preference", 40), ("correction", 45), ("fact", 60)]
)
def test_each_event_type_has_its_own_age(event, ticks):
    one = item(event_type=EventType(event))
    assert retain(one, GOVERNED, tick=10 + ticks).verdict == "keep"
    assert retain(one, GOVERNED, tick=11 + ticks).verdict == "forget"


@pytest.mark.parametrize("kind", [Kind.SHORT_TERM, Kind.PROFILE])
def test_turns_and_profile_stay(kind):
    assert retain(item(kind=kind), TTL, tick=10_000).reason == "never"


def test_what_has_no_tick_stays():
    assert retain(item(tick=None), TTL, tick=10_000).reason == "never"


def test_an_expiry_that_was_set_outlives_a_change_of_the_policy():
    one = item(meta={"expires_at": 12})
    assert retain(one, TTL, tick=11).verdict == "keep"
    assert retain(one, TTL, tick=12).reason == "ttl_expired"


def test_only_ttl_says_beforehand_when():
    assert expires_at(rule_for(item(), TTL), 10) == 35
    assert expires_at(rule_for(item(), GOVERNED), 10) is None
