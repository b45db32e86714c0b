"""The write gate: what is refused, by which code, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policies.make import claim
from wellkept.policies.writing import gate
from wellkept.policies.writing.gate import Attempt, GateOptions, admit, admit_text
from wellkept.types import Reference
from wellkept.vocabulary import EventType, Kind, Space

PROFILE = GateOptions(profile_keys=frozenset({"city"}))
FOCUSED = GateOptions(keeps_context=False)


def decide(options: GateOptions | None = None, *, is_explicit: bool = True, **changes: Any) -> str:
    place = changes.pop("space", Space.USER)
    source = changes.pop("source", "user")
    about, is_turn = changes.pop("about", 0), changes.pop("is_turn", False)
    attempt = Attempt(
        claim=claim(**changes), space=place, source=source, is_explicit=is_explicit, about=about, is_turn=is_turn
    )
    decision = admit(attempt, options or GateOptions())
    assert decision.verdict == ("pass" if decision.reason == "allowed" else "refuse")
    return decision.reason


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_nothing_is_not_remembered(text: str) -> None:
    assert admit_text(text).reason == "empty_content"


def test_size_is_bounded() -> None:
    assert admit_text("a" * gate.CONTENT_MAX).verdict == "pass"
    assert admit_text("a" * (gate.CONTENT_MAX + 1)).reason == "content_too_long"
    assert admit_text("🙂").verdict == "pass"


def test_secrets_come_before_everything() -> None:
    assert admit_text("my password is xK9#vv2Lq").reason == "privacy_deny_sensitive"
    assert admit_text("my password is xK9#vv2Lq" + " and so on" * 1_000).reason == "privacy_deny_sensitive"
    everything = GateOptions(write_policy="none", deny_patterns=("password",))
    assert decide(everything, content="my password is xK9#vv2Lq") == "privacy_deny_sensitive"
    assert decide(quote="the api key: sk-abcdefghijklmnopqrstuvwx123456") == "privacy_deny_sensitive"
    assert decide(value="sk-abcdefghijklmnopqrstuvwx123456") == "privacy_deny_sensitive"
    assert decide(steps=("log in", "my password is xK9#vv2Lq")) == "privacy_deny_sensitive"
    assert decide(quote="I like tea", value="tea", steps=("boil water",)) == "allowed"


def test_a_secret_is_looked_for_in_the_beginning_of_what_is_too_long_anyway() -> None:
    secret = " my password is xK9#vv2Lq"
    within, beyond = "a " * (gate.SEARCHED_MAX // 2 - 20), "a " * (gate.SEARCHED_MAX // 2)
    assert admit_text(within + secret).reason == "privacy_deny_sensitive"
    assert admit_text(beyond + secret).reason == "content_too_long"


@pytest.mark.parametrize(
    ("options", "changes", "code"),
    [
        (GateOptions(deny_patterns=(r"project\s+x",)), {"content": "Project X ships in May"}, "privacy_deny_pattern"),
        (GateOptions(deny_patterns=("nothing", "x{3}")), {"quote": "It is XXX"}, "privacy_deny_pattern"),
        (GateOptions(deny_patterns=("nothing",)), {}, "allowed"),
        (PROFILE, {"kind": Kind.PROFILE, "slot": "age"}, "privacy_deny_profile_key"),
        (PROFILE, {"kind": Kind.PROFILE}, "privacy_deny_profile_key"),
        (PROFILE, {"kind": Kind.PROFILE, "slot": "city"}, "allowed"),
        (PROFILE, {"slot": "age"}, "allowed"),
        (GateOptions(), {"kind": Kind.PROFILE, "slot": "age"}, "allowed"),
        (GateOptions(), {"is_suspect": True, "source": "tool"}, "suspect_instruction"),
        (GateOptions(), {"source": "tool"}, "allowed"),
        (GateOptions(), {"is_suspect": True, "source": "ai"}, "suspect_instruction"),
        (GateOptions(), {"space": Space.SYSTEM}, "write_space_disallowed"),
        (GateOptions(write_policy="none"), {}, "write_policy_none"),
        (GateOptions(write_policy="minimal"), {"event_type": EventType.CONTEXT}, "write_policy_minimal"),
        (GateOptions(write_policy="minimal"), {"event_type": EventType.EXECUTION}, "write_policy_minimal"),
        (GateOptions(write_policy="minimal"), {}, "allowed"),
        (GateOptions(write_policy="minimal"), {"event_type": EventType.CONTEXT, "kind": Kind.SHORT_TERM}, "allowed"),
        (GateOptions(), {"event_type": EventType.EXECUTION}, "allowed"),
        (GateOptions(), {"event_type": EventType.CONTEXT}, "allowed"),
        (FOCUSED, {"event_type": EventType.CONTEXT}, "write_policy_context"),
        (FOCUSED, {"event_type": EventType.CONTEXT, "kind": Kind.SHORT_TERM}, "allowed"),
        (FOCUSED, {"event_type": EventType.CONTEXT, "content": "ok thanks", "is_turn": True}, "policy_low_signal"),
        (FOCUSED, {}, "allowed"),
        (
            GateOptions(write_policy="aggressive", keeps_context=False),
            {"event_type": EventType.CONTEXT},
            "allowed",
        ),
        (GateOptions(promotion={Kind.SEMANTIC: (EventType.DECISION,)}), {}, "policy_deny_promotion"),
        (GateOptions(promotion={Kind.SEMANTIC: (EventType.FACT,)}), {}, "allowed"),
        (GateOptions(promotion={Kind.PROFILE: (EventType.DECISION,)}), {}, "allowed"),
        (GateOptions(deny_event_types=frozenset({EventType.FACT})), {}, "policy_deny_event_type"),
        (GateOptions(allow_event_types=frozenset({EventType.FACT})), {}, "allowed"),
        (GateOptions(allow_event_types=frozenset({EventType.DECISION})), {}, "policy_deny_event_type"),
        (GateOptions(), {"subjects": (Reference(text="x"),) * 11}, "too_many_subjects"),
        (GateOptions(), {"subjects": (Reference(text="x"),) * 10}, "allowed"),
        (GateOptions(), {"content": ""}, "empty_content"),
        (GateOptions(), {"content": " \n"}, "empty_content"),
        (GateOptions(), {"content": "a" * gate.CONTENT_MAX, "quote": "a" * gate.CONTENT_MAX}, "allowed"),
        (GateOptions(), {"content": "a" * (gate.CONTENT_MAX + 1)}, "content_too_long"),
        (GateOptions(), {"quote": "a" * (gate.CONTENT_MAX + 1)}, "content_too_long"),
        (GateOptions(), {"content": "ok thanks", "is_turn": True}, "policy_low_signal"),
        (GateOptions(), {"content": "ok thanks", "is_turn": True, "kind": Kind.SHORT_TERM}, "allowed"),
        (GateOptions(), {"about": 11}, "too_many_subjects"),
        (GateOptions(), {"about": 10}, "allowed"),
        (GateOptions(), {"is_suspect": True}, "allowed"),
        (GateOptions(), {}, "allowed"),
    ],
)
def test_each_refusal_has_its_code(options: GateOptions, changes: dict[str, Any], code: str) -> None:
    assert decide(options, **changes) == code
    assert code == "allowed" or code in gate.REFUSALS


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"content": "ok thanks"}, "policy_low_signal"),
        ({"confidence": 0.69}, "quality_confidence"),
        ({"confidence": 0.7}, "allowed"),
        ({"content": "Likes x"}, "quality_length"),
        ({"content": "Likes xy"}, "allowed"),
        ({"content": "Likes x", "kind": Kind.PROCEDURAL, "confidence": 0.1}, "allowed"),
    ],
)
def test_quality_is_asked_of_extraction_only(changes: dict[str, Any], code: str) -> None:
    assert decide(is_explicit=False, **changes) == code
    assert decide(is_explicit=True, **changes) == "allowed"
