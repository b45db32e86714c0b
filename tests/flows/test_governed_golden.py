"""Golden traces: every event type derived by hand from the specification, and every code of it at least once."""

from __future__ import annotations

from typing import Any

import pytest

import recollect
from recollect import replay
from recollect.config import Config
from recollect.policies.traces import REQUIRED
from tests.golden.symbols import goldens, resolved

BY_HAND = goldens("by_hand")
CODES = goldens("codes")


@pytest.fixture
def memory(store_url, clock):
    with recollect.open(store_url, config=Config(), clock=clock, embedder="none") as opened:
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
    with recollect.open(new_database(), config=Config(), clock=clock, embedder="none") as memory:
        told = replay.play(recorded, memory)
    assert replay.canonical(told) == replay.canonical(replay.told(recorded))


# Every reason code of specification 4, as (event type, the fields that make the code).
DENIED = (
    "privacy_deny_sensitive", "privacy_deny_pattern", "privacy_deny_profile_key", "write_space_disallowed",
    "write_policy_none", "write_policy_minimal", "write_policy_context", "policy_deny_event_type",
    "policy_deny_promotion", "policy_low_signal",
)  # fmt: skip
BORDERS = (
    ("read", "allowed"), ("read", "space_disabled"), ("read", "phase_disabled"), ("read", "phase_diff_disabled"),
    ("write", "allowed"), ("write", "write_space_disallowed"), ("write", "phase_disabled"),
    ("promote", "allowed"), ("promote", "space_disabled"), ("promote", "write_space_disallowed"),
)  # fmt: skip
PROMOTED = (
    ("session", "user", "user_asserted"), ("session", "project", "tool_verified"),
    ("session", "project", "user_asserted"), ("user", "project", "user_asserted"),
)  # fmt: skip
SPECIFIED = {
    *(("memory_denied", code) for code in DENIED),
    *(("memory_border_check", *code) for code in BORDERS),
    *(("memory_promoted", *code) for code in PROMOTED),
    *(
        ("memory_promotion_denied", code)
        for code in ("promotion_disallowed", "promotion_event_type", "promotion_authority")
    ),
    *(("memory_conflict", rule) for rule in ("authority", "correction", "recency", "importance")),
    *(("memory_forget", reason) for reason in ("ttl_expired", "decay")),
    *(("memory_deleted", reason) for reason in ("superseded", "expired", "promoted", "user_deleted", "forgotten")),
    *(("memory_phase_started", reason) for reason in ("auto", "manual")),
    *(("memory_phase_diff", change) for change in ("added", "deleted", "replaced")),
    ("memory_write", "interaction_recorded"),
    ("memory_recall", "current phase"),
    ("memory_recall", "several phases"),
}


def codes(event: dict[str, Any]) -> set[tuple[str, ...]]:
    kind = event.get("type", "")
    match kind:
        case "memory_border_check":
            return {(kind, event["action"], event["reason"])}
        case "memory_promoted":
            return {(kind, event["from_space"], event["to_space"], event["authority_used"])}
        case "memory_conflict":
            return {(kind, event["rule"])}
        case "memory_phase_diff":
            return {(kind, change["change"]) for change in event["top_changes"]}
        case "memory_recall":
            phases = {one["meta"]["phase_id"] for one in event["recalled"] if "phase_id" in one["meta"]}
            return {(kind, "several phases" if len(phases) > 1 else "current phase")} if phases else set()
        case "":
            return set()
    return {(kind, event["reason"])}


def golden_events() -> list[dict[str, Any]]:
    by_hand = [event for golden in BY_HAND.values() for call in golden["expected"] for event in call["events"]]
    return [*by_hand, *(event for golden in CODES.values() for answer in golden["expected"] for event in answer)]


def test_every_code_of_the_specification_has_a_golden():
    found = set().union(*(codes(event) for event in golden_events()))
    assert not SPECIFIED - found
    # A phase that was trimmed can no longer be compared.
    assert [{"error": "unknown_phase"}] in CODES["phase_max"]["expected"]


def test_golden_events_have_the_required_keys_and_no_other_types():
    for event in golden_events():
        if "error" not in event:
            assert {"type", "ai_profile", "session"} | REQUIRED[event["type"]] <= set(event)
