"""Filters: every key known, every value checked, nothing else let in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from wellkept.errors import InvalidInput
from wellkept.flows.read import show
from wellkept.store.contract import Filter

REQUEST = {
    "user_id": "ana",
    "agent_id": "planner",
    "run_id": "r1",
    "actor_id": "ana",
    "role": "assistant",
    "pinned": False,
    "importance_min": 1,
    "importance_max": 5,
    "updated_after": "2025-07-01",
    "updated_before": None,
    "category": "tasks",
    "type": ["task", "procedure"],
    "entity": "person:bo",
}


def test_every_key_has_its_place() -> None:
    parsed = show.parse_filter(REQUEST)
    assert parsed == Filter(
        user_id="ana",
        agent_id="planner",
        run_id="r1",
        actor_id="ana",
        role="assistant",
        pinned=False,
        importance_min=1.0,
        importance_max=5.0,
        updated_after=datetime(2025, 7, 1, tzinfo=UTC),
        categories=frozenset({"tasks"}),
        types=frozenset({"task", "procedural"}),
        entity="person:bo",
    )


def test_nothing_filters_nothing() -> None:
    assert show.parse_filter(None) == show.parse_filter({}) == show.parse_filter(dict.fromkeys(REQUEST)) == Filter()


@pytest.mark.parametrize(
    "bad",
    [
        {"owner": "bo"},
        {"state": "archived"},
        {"1=1; --": "x"},
        {"pinned": "yes"},
        {"importance_min": "high"},
        {"importance_min": True},
        {"user_id": 3},
        {"category": 3},
        {"category": [3]},
        {"type": "memo"},
        {"updated_after": 5},
        {"updated_after": "whenever"},
    ],
)
def test_the_unknown_is_named(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        show.parse_filter(bad)
    assert next(iter(bad)) in str(caught.value) or "memo" in str(caught.value)
