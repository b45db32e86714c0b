"""What changes a profile, and what counts as a yes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.people import profile_fields
from wellkept.policies.people.profile_fields import BENIGN, SENSITIVE, Signal, answer, decide, sameness, state_at

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@given(field=st.sampled_from(sorted(SENSITIVE)), confidence=st.floats(0, 1), signals=st.integers(1, 50))
@pytest.mark.parametrize("origin", ["shadow_extraction", "theory_of_mind", "import", "consolidation", "promotion"])
def test_no_number_of_hints_changes_a_sensitive_field(origin, field, confidence, signals):
    signal = Signal(field=field, origin=origin, confidence=confidence, signals=signals)
    assert decide(signal).verdict == "propose"


@pytest.mark.parametrize("field", sorted(SENSITIVE | BENIGN))
def test_the_user_s_own_request_changes_every_field(field):
    assert decide(Signal(field=field, origin="explicit")).verdict == "apply"


@pytest.mark.parametrize(
    ("origin", "confidence", "signals", "verdict"),
    [
        ("shadow_extraction", 1.0, 1, "propose"),
        ("shadow_extraction", 0.7, 2, "apply"),
        ("theory_of_mind", 0.89, 5, "propose"),
        ("theory_of_mind", 0.9, 1, "apply"),
    ],
)
def test_benign_fields_take_two_signals_or_one_certain_insight(origin, confidence, signals, verdict):
    signal = Signal(field="tone", origin=origin, confidence=confidence, signals=signals)
    assert decide(signal).verdict == verdict


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("yes", "yes"), ("Yes please!", "yes"), ("yep, go ahead", "yes"), ("sure", "yes"), ("OK, do it.", "yes"),
        ("of course", "yes"), ("Yes, thanks", "yes"), ("That’s right.", "yes"),
        ("no", "no"), ("Nope.", "no"), ("no, thanks", "no"), ("please don't", "no"), ("Not now", "no"),
        ("yes, and I also have a cat", None), ("yesterday was fun", None), ("thanks", None), ("please", None),
        ("do you like tea?", None), ("I said yes to the job", None), ("not sure", None), ("", None), ("?!", None),
        ("no way, really? tell me more", None), ("okra soup", None),
    ],
)  # fmt: skip
def test_a_plain_yes_or_no_and_nothing_else(text, meaning):
    assert answer(text) == meaning


def test_a_question_is_over_after_a_week():
    almost = NOW + timedelta(days=7) - timedelta(seconds=1)
    assert state_at("pending", NOW, almost) == "pending"
    assert state_at("pending", NOW, NOW + timedelta(days=7)) == "expired"
    assert state_at("approved", NOW, NOW + timedelta(days=70)) == "approved"


def test_the_bands_of_a_profile_are_stricter_than_those_of_memories():
    assert [sameness(value) for value in (0.92, 0.91, 0.75, 0.74)] == ["same", "unsure", "unsure", "different"]


def test_every_field_has_a_question():
    for field in SENSITIVE | BENIGN:
        assert "Abc" in profile_fields.question(field, "Abc", None)
        assert "Xyz" in profile_fields.question(field, "Abc", "Xyz")
