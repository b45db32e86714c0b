"""Importance by rules and the integer score of governed recall, with figures derived from specification 4.3 and 4.6."""

from __future__ import annotations

import pytest

from tests.policies.make import memory
from wellkept.policies.governance.scores import Asked, Said, importance, match, rank
from wellkept.vocabulary import EventType


@pytest.mark.parametrize(
    ("event", "source", "text", "total", "reasons"),
    [
        ("preference", "user", "I prefer tea", 4, ["event:preference", "source:user"]),
        ("decision", "user", "We will use uv", 4, ["event:decision", "source:user"]),
        ("fact", "user", "I live in Rome", 5, ["event:fact", "source:user"]),
        ("correction", "user", "Actually, Rome", 6, ["event:correction", "source:user", "corrective"]),
        ("execution", "tool", "12 passed", 2, ["event:execution"]),
        ("context", "ai", "Noted.", 1, ["event:context"]),
        ("preference", "user", "ALWAYS use tabs", 5, ["event:preference", "source:user", "emphasis"]),
        ("fact", "tool", "Inputs must be valid", 5, ["event:fact", "emphasis"]),
        ("fact", "user", "I never knew and must avoid it", 6, ["event:fact", "source:user", "emphasis"]),
        ("fact", "user", "He is nevertheless here", 5, ["event:fact", "source:user"]),
        ("preference", "user", "I meant tea", 5, ["event:preference", "source:user", "corrective"]),
    ],
)
def test_importance(event, source, text, total, reasons):
    weight = importance(EventType(event), source, text, is_correction="corrective" in reasons)
    assert (weight.importance, list(weight.reasons)) == (total, reasons)


@pytest.mark.parametrize(
    ("query", "text", "points"),
    [
        ("concise updates", "The user prefers concise updates", 2),
        ("Concise,  UPDATES!", "The user prefers concise updates", 2),
        ("which updates", "The user prefers concise updates", 1),
        ("date", "The user prefers concise updates", 0),
        ("", "anything", 0),
        ("?!", "anything", 0),
        ("京都", "私は京都に住んでいます", 2),
        ("京都の猫", "私は京都に住んでいます", 1),
        ("大阪", "私は京都に住んでいます", 0),
        ("ça", "Ça va bien", 2),
        ("चाय", "मुझे चाय पसंद है", 2),
        ("🎉", "The party was 🎉", 2),
    ],
)
def test_match(query, text, points):
    assert match(Asked.of(query), Said.of(text)) == points


def item(number, tick, weight=4.0, text="nothing"):
    return memory(id=f"m_{number}", tick=tick, importance=weight, content=text)


def test_score_adds_match_recency_and_importance():
    found = rank([item(1, 10, 4.0, "green tea"), item(2, 6, 2.0, "tea"), item(3, 1, 1.0)], Asked.of("green tea"))
    assert [(one.memory.id, one.score, one.reasons) for one in found] == [
        ("m_1", 6, ("matches_query", "recency", "importance")),
        ("m_2", 3, ("matches_query", "recency", "importance")),
        ("m_3", 0, ()),
    ]


@pytest.mark.parametrize(("age", "points"), [(0, 2), (2, 2), (3, 1), (5, 1), (6, 0)])
def test_recency_is_counted_from_the_newest(age, points):
    found = {one.memory.id: one.score for one in rank([item(1, 100, 0.0), item(2, 100 - age, 0.0)], Asked.of("x"))}
    assert found["m_2"] == points


@pytest.mark.parametrize(("weight", "points"), [(5.0, 2), (4.0, 2), (3.9, 1), (2.0, 1), (1.9, 0)])
def test_importance_points(weight, points):
    assert rank([item(1, 1, weight)], Asked.of("x"))[0].score == 2 + points


def test_ties_go_to_the_newer_and_then_by_id():
    found = rank([item(3, 7), item(1, 8), item(2, 8)], Asked.of("x"))
    assert [one.memory.id for one in found] == ["m_1", "m_2", "m_3"]
    assert rank([item(3, 7), item(1, 8), item(2, 8)], Asked.of("x"), limit=2) == found[:2]
    assert rank([], Asked.of("x")) == []
