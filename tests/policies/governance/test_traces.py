"""Trace events: required keys, items of an exact shape, hashes that repeat, and nothing that must not be shown."""

from __future__ import annotations

import hashlib
import inspect
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.make import memory
from wellkept.policies.governance import phases, traces
from wellkept.policies.governance.borders import ALLOWED
from wellkept.policies.governance.policy import GOVERNED
from wellkept.policies.secrets.detector import redact
from wellkept.vocabulary import EventType, Kind, Space

TRACER = traces.Tracer(ai_profile="assistant", session="s1", policy=GOVERNED)
PHASE = phases.Phase(space=Space.SESSION, owner="s1", number=1, started_at=1)
ITEM = memory(tick=2, phase_id="phase-1", space=Space.SESSION, owner="s1")

# What each event must have, beside its type, the profile and the session: written from the specification.
REQUIRED = {
    "memory_recall": frozenset(
        {"query", "recalled", "policy", "deterministic_hash", "spaces_consulted", "recall_counts", "current_phase"}
    ),
    "memory_write": frozenset({"written", "reason"}),
    "memory_denied": frozenset({"attempted", "reason", "policy_snapshot"}),
    "memory_conflict": frozenset({"winner_id", "loser_id", "rule", "dedup_key"}),
    "memory_forget": frozenset({"memory_id", "reason", "policy_snapshot"}),
    "memory_border_check": frozenset({"action", "from_space", "allowed", "reason", "policy_snapshot"}),
    "memory_promoted": frozenset(
        {"from_space", "to_space", "from_id", "to_id", "authority_used", "reason", "policy_snapshot"}
    ),
    "memory_promotion_denied": frozenset(
        {"from_space", "to_space", "memory_id", "allowed", "reason", "policy_snapshot"}
    ),
    "memory_phase_started": frozenset({"space", "owner", "phase_id", "reason", "policy_snapshot"}),
    "memory_deleted": frozenset({"space", "owner", "phase_id", "memory_id", "reason", "policy_snapshot"}),
    "memory_phase_diff": frozenset(
        {
            "space", "owner", "from_phase_id", "to_phase_id", "added_count", "deleted_count", "replaced_count",
            "top_changes", "summary_lines",
        }
    ),
}  # fmt: skip


def all_events():
    item = traces.item(ITEM, PHASE)
    return [
        TRACER.recall("tea", [item], consulted=(Space.SESSION,), phase=PHASE),
        TRACER.write([item]),
        TRACER.denied(item, "write_policy_none"),
        TRACER.conflict(ITEM, ITEM, "recency"),
        TRACER.forget(ITEM, "decay"),
        TRACER.deleted(ITEM, "expired"),
        TRACER.border("write", Space.SESSION, Space.USER, ALLOWED),
        TRACER.promoted(ITEM, ITEM, "promotion_request"),
        TRACER.promotion_denied(ITEM, Space.SYSTEM, "promotion_disallowed"),
        TRACER.phase_started(PHASE),
        TRACER.phase_diff(PHASE, PHASE, phases.diff({}, {})),
    ]


def test_every_type_has_a_constructor_that_gives_the_required_keys():
    events = all_events()
    assert {event["type"] for event in events} == set(REQUIRED)
    for event in events:
        assert {"type", "ai_profile", "session"} | REQUIRED[event["type"]] <= set(event)
        assert json.loads(json.dumps(event, allow_nan=False)) == event


def test_order_is_recall_borders_write_and_then_what_was_decided():
    kinds = ["memory_denied", "memory_write", "memory_border_check", "memory_deleted", "memory_recall"]
    assert sorted(kinds, key=traces.place) == [
        "memory_recall", "memory_border_check", "memory_write", "memory_denied", "memory_deleted",
    ]  # fmt: skip


def test_an_item_has_exactly_the_keys_of_the_contract():
    item = traces.recalled(ITEM, PHASE.as_json(), recall_reason=["recency"], score=4)
    assert tuple(item) == ("id", "kind", "text", "source", "created_at", "importance", "scope", "meta")
    assert set(item["meta"]) <= set(traces.META_KEYS)
    assert (item["created_at"], item["scope"], item["importance"]) == (2, "session", 1)
    assert isinstance(item["importance"], int)
    assert item["meta"]["phase_started_at"] == 1
    assert "phase_started_at" not in traces.item(ITEM, None)["meta"]


def test_there_is_no_clock_in_any_event():
    # The times of the record are those of `make.NOON`.
    assert "2026" not in json.dumps(all_events())
    assert "datetime" not in inspect.getsource(traces)


def test_dedup_keys():
    assert traces.dedup_key(memory(event_type=EventType.PREFERENCE)) == "preference:the user likes tea"
    assert traces.dedup_key(memory(fact_key="city")) == "fact:city"
    assert traces.dedup_key(memory(fact_key="likes", meta={"is_many": True})) == "fact:the user likes tea"


def test_the_key_of_a_redacted_text_is_a_hash_that_holds_no_secret():
    one, other = (
        memory(content=f"My password is {value}", event_type=EventType.FACT)
        for value in ("Quince-Harbor-51", "Walnut-Ladder-88")
    )
    assert traces.dedup_key(one).startswith("sha256:")
    # Nothing of the value is in the hash: two secrets in one sentence cannot be told apart.
    assert traces.dedup_key(one) == traces.dedup_key(other)
    item = traces.item(one, None)
    assert (item["text"], item["meta"]["dedup_key"]) == ("(redacted)", traces.dedup_key(one))
    hidden = traces.item(memory(), None, hidden=True)
    assert hidden["text"] == "(redacted)"
    assert "tea" not in json.dumps(hidden)


def test_redaction_cuts_at_200():
    assert redact("x" * 200) == "x" * 200
    assert redact("x" * 201) == "x" * 200 + "... (truncated)"
    assert redact("The monkey ate my keyboard") == "The monkey ate my keyboard"


def test_deterministic_hash_is_over_kind_and_id_in_order():
    items = [{"kind": "short_term", "id": "a"}, {"kind": "semantic", "id": "b"}]
    expected = hashlib.sha256(b"short_term:a|semantic:b").hexdigest()
    assert traces.deterministic_hash(items) == expected
    assert traces.deterministic_hash(items[::-1]) != expected
    assert traces.deterministic_hash([]) == hashlib.sha256(b"").hexdigest()


def turn(number, text, source="user"):
    return memory(id=f"t{number}", content=text, source=source, kind=Kind.SHORT_TERM)


def summary(turns):
    text, kept = traces.summary(traces.segments(turns))
    return text, [one.turn for one in kept]


def test_summary_is_segments_of_the_latest_turns_that_fit():
    text, kept = summary([turn(1, "I like  tea"), turn(2, "Noted.", "ai")])
    assert text == "Earlier: user: I like tea | ai: Noted."
    assert [one.id for one in kept] == ["t1", "t2"]


def test_summary_cuts_long_turns_and_drops_the_oldest():
    text, kept = summary([turn(number, f"{number} " + "and so we went on " * 10) for number in range(5)])
    segments = text.removeprefix("Earlier: ").split(" | ")
    assert len(text) <= 240
    assert [len(segment) <= 80 and segment.endswith("...") for segment in segments] == [True, True]
    assert [one.id for one in kept] == ["t3", "t4"]


@given(st.lists(st.text(max_size=120), max_size=12))
def test_summary_is_never_too_long(said):
    turns = [turn(number, text) for number, text in enumerate(said)]
    text, kept = summary(turns)
    assert len(text) <= 240
    shown = [one for one in turns if redact(one.content) != "(redacted)"]
    assert kept == shown[len(shown) - len(kept) :]


def test_what_a_trace_would_not_show_is_in_no_summary():
    text, kept = summary([turn(1, "I like tea"), turn(2, "My password is tangerine-77-Bicycle"), turn(3, "Ok")])
    assert text == "Earlier: user: I like tea | user: Ok"
    assert [one.id for one in kept] == ["t1", "t3"]


def test_no_field_carries_what_another_redacts():
    secrets = traces.secret_values(["My password is Quince-Harbor-51", "no secret here"])
    assert secrets == {"Quince-Harbor-51"}
    event = {
        "session": "s1",
        "query": "x QUINCE-harbor-51 y",
        "recalled": [{"text": "Quince-Harbor-51", "meta": {}}, 3],
    }
    assert traces.scrubbed(event, secrets) == {
        "session": "s1",
        "query": "x (redacted) y",
        "recalled": [{"text": "(redacted)", "meta": {}}, 3],
    }
    assert traces.scrubbed(event, frozenset()) is event


@pytest.mark.parametrize("missing", ["query", "recalled", "policy", "deterministic_hash", "recall_counts"])
def test_required_keys_are_those_of_the_specification(missing):
    assert missing in REQUIRED["memory_recall"]


def test_counts_are_per_space_and_phase():
    items = [traces.item(ITEM, PHASE), traces.item(memory(tick=1, phase_id="phase-2"), None)]
    event = TRACER.recall("x", items, consulted=(Space.SESSION, Space.USER, Space.SYSTEM), phase=None)
    assert event["recall_counts"] == {"session": 1, "user": 1, "system": 0}
    assert event["phase_counts"] == {"session": {"phase-1": 1}, "user": {"phase-2": 1}}
    assert event["current_phase"] is None
