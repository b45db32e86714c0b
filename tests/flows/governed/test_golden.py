"""Golden traces: every event type derived by hand from the specification, and every code of it at least once."""

from __future__ import annotations

from typing import Any

import pytest

import wellkept
from tests.golden import contract
from tests.golden.symbols import goldens, resolved
from wellkept import replay
from wellkept.config import Config

REQUIRED = contract.required()
BY_HAND = goldens("by_hand")
CODES = goldens("codes")


@pytest.fixture
def memory(store_url, clock):
    with wellkept.open(store_url, config=Config(), clock=clock, embedder="none") as opened:
        yield opened


def policy_of(golden: dict[str, Any], call: int) -> Any:
    return golden["calls"][call - 1].get("policy", golden.get("policy"))


@pytest.mark.parametrize("name", BY_HAND)
def test_derived_by_hand(name, memory):
    golden = BY_HAND[name]
    answers = replay.play(resolved(golden, None), memory)
    for expected in golden["expected"]:
        wanted = resolved(expected["events"], policy_of(golden, expected["call"]))
        told = [event for event in answers[expected["call"] - 1] if event["type"] == golden["event"]]
        assert told == wanted
    assert golden["derivation"]


def test_every_event_type_is_derived_by_hand():
    assert {golden["event"] for golden in BY_HAND.values()} == set(REQUIRED)
    assert set(BY_HAND) == set(REQUIRED)


@pytest.mark.parametrize("name", CODES)
def test_golden_of_a_code(name, memory):
    golden = CODES[name]
    answers = replay.play(resolved(golden, None), memory)
    wanted = [resolved(events, policy_of(golden, call)) for call, events in enumerate(golden["expected"], start=1)]
    assert answers == wanted


@pytest.mark.parametrize("name", goldens("conversations"))
def test_conversations_replay_byte_for_byte_on_postgres(name, new_database, clock):
    """As they were recorded on the embedded store."""
    recorded = goldens("conversations")[name]
    with wellkept.open(new_database(), config=Config(), clock=clock, embedder="none") as memory:
        told = replay.play(recorded, memory)
    assert replay.canonical(told) == replay.canonical(replay.told(recorded))


def golden_events() -> list[dict[str, Any]]:
    by_hand = [event for golden in BY_HAND.values() for call in golden["expected"] for event in call["events"]]
    return [*by_hand, *(event for golden in CODES.values() for answer in golden["expected"] for event in answer)]


def test_every_code_of_the_specification_has_a_golden():
    assert contract.missing(golden_events()) == set()
    # A phase that was trimmed can no longer be compared.
    assert [{"error": "unknown_phase"}] in CODES["phase_max"]["expected"]


def test_a_code_without_a_golden_is_named():
    events = golden_events()
    for code in contract.codes():
        assert code in contract.missing(event for event in events if code not in contract.codes_of(event))


def test_golden_events_have_the_required_keys_and_no_other_types():
    for event in golden_events():
        if "error" not in event:
            assert {"type", "ai_profile", "session"} | REQUIRED[event["type"]] <= set(event)
