"""What follows from a memory's own fields, and values as JSON."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.policies.make import memory
from wellkept.types import Hit, Recall, Subtype, as_json
from wellkept.vocabulary import MemoryType, Space, Trust

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stated_by", "subjects", "trust"),
    [
        (None, ("p_a",), Trust.UNKNOWN),
        ("p_a", (), Trust.FACT),
        ("p_a", ("p_a", "p_b"), Trust.FACT),
        ("p_a", ("p_b",), Trust.HEARSAY),
    ],
)
def test_trust_is_whether_somebody_speaks_of_themself(
    stated_by: str | None, subjects: tuple[str, ...], trust: Trust
) -> None:
    assert replace(memory(), stated_by=stated_by, subject_person_ids=subjects).trust is trust


def test_a_memory_dies_at_its_own_time_or_by_its_type() -> None:
    told = replace(memory(), type=MemoryType.EVENT, observed_at=NOW, updated_at=NOW, expires_at=None)
    assert told.dies_at == NOW + timedelta(days=30)
    assert replace(told, expires_at=NOW).dies_at == NOW
    assert replace(told, type=MemoryType.PREFERENCE).dies_at is None


def test_a_lifetime_is_counted_from_the_wall_clock_where_that_stepped_back() -> None:
    told = replace(memory(), type=MemoryType.EVENT, observed_at=NOW + timedelta(days=9), updated_at=NOW)
    assert told.dies_at == NOW + timedelta(days=30)


def test_the_owner_is_a_user_or_a_chat() -> None:
    personal, shared = (replace(memory(), owner="x", space=space) for space in (Space.USER, Space.CHAT))
    assert (personal.owner_user_id, personal.chat_id) == ("x", None)
    assert (shared.owner_user_id, shared.chat_id) == (None, "x")


def test_a_recall_is_a_row_of_its_hits() -> None:
    hits = tuple(Hit(id=name, source="memory", text=name, score=1.0) for name in "ab")
    found = Recall(query="q", hits=hits)
    assert [hit.id for hit in found] == ["a", "b"]
    assert len(found) == 2


def test_values_as_json() -> None:
    assert as_json(Subtype(entity_type="org", fact_type="habit")) == {"entityType": "org", "factType": "habit"}
    hit = as_json(Hit(id="a", source="memory", text="t", score=0.5, at=NOW, why=("x",), parts={"words": 1.0}))
    assert (hit["at"], hit["why"], hit["parts"]) == ("2026-03-02T00:00:00+00:00", ["x"], {"words": 1.0})
    assert as_json({1: {"a"}}) == {"1": ["a"]}
