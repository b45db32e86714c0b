"""What callers give: one name where several may stand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

import wellkept
from wellkept.api import arguments
from wellkept.errors import InvalidInput
from wellkept.store.contract import Filter


def test_one_name_alone_is_a_name_and_not_its_letters(store_path):
    with wellkept.open(store_path, embedder="none") as memory:
        ana = memory.at(user="ana")
        ana.remember("My sister Lena lives in Oslo")
        ana.remember("I like tea")
        assert ana.add("She skis on Sundays", about="Lena").outcome == "created"
        told = {"She skis on Sundays", "Lena lives in Oslo"}
        assert {one.content for one in ana.list(about="Lena")} == told
        assert {hit.text for hit in ana.recall("Oslo Sundays", about="my sister")} == told
        assert len(ana.query("Oslo Sundays", about="Lena").bullets) == 2
        assert memory.at(user="ana", chat="team", participants="bob").place.participants == ("bob",)


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
    parsed = arguments.parse_filter(REQUEST)
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
    assert (
        arguments.parse_filter(None)
        == arguments.parse_filter({})
        == arguments.parse_filter(dict.fromkeys(REQUEST))
        == Filter()
    )


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
        arguments.parse_filter(bad)
    assert next(iter(bad)) in str(caught.value) or "memo" in str(caught.value)
