"""What a model concludes once a day, and that nothing is concluded without one."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config
from wellkept.judges.english import RulesJudge
from wellkept.judges.llm.notices import Fallback, note
from wellkept.store.contract import NewestRows
from wellkept.types import Claim
from wellkept.vocabulary import Authority, Kind, MemoryType, Sensitivity


class Thinking(RulesJudge):
    """The rules, and one conclusion about whatever it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = []

    def insights(self, activity):
        self.shown.append(activity)
        return (
            Claim(
                content="Noor seems to look for calm after busy days",
                type=MemoryType.INSIGHT,
                kind=Kind.INSIGHT,
                category="relationship_dynamic",
                importance=2.0,
                sensitivity=Sensitivity.PERSONAL,
            ),
        )


@pytest.fixture
def judge():
    return Thinking()


@pytest.fixture
def memory(store_path, clock, judge):
    with wellkept.open(store_path, config=Config(), clock=clock, judge=judge, embedder="none", worker="off") as opened:
        yield opened


def stored(memory):
    return [one for one in memory.at(user="noor").list(limit=50) if one.kind is Kind.INSIGHT]


def test_an_insight_is_an_inference_and_no_more(memory):
    memory.at(user="noor", display_name="Noor").remember("I went swimming at the lake yesterday")
    memory.upkeep.run(["insights"])
    (insight,) = stored(memory)
    assert (insight.type, insight.category) == (MemoryType.INSIGHT, "relationship_dynamic")
    assert (insight.authority, insight.source, insight.origin) == (Authority.AI_INFERRED, "ai", "theory_of_mind")
    assert (insight.importance, insight.pinned) == (2.0, False)


def test_once_a_day_is_enough(memory, clock, judge):
    memory.at(user="noor").remember("I went swimming at the lake yesterday")
    memory.upkeep.run(["insights"])
    memory.upkeep.run(["insights"])
    assert len(judge.shown) == 1
    clock.advance(hours=25)
    memory.upkeep.run(["insights"])
    assert len(judge.shown) == 2


@pytest.mark.parametrize(("fails", "asked"), [(False, 1), (True, 2)], ids=["empty", "outage"])
def test_an_empty_answer_is_an_answer_and_an_outage_is_none(store_url, clock, fails, asked):
    class Silent(Thinking):
        def insights(self, activity):
            super().insights(activity)
            if fails:
                note(Fallback(operation="insights", reason="model_unavailable", is_transient=True))
            return ()

    judge = Silent()
    with wellkept.open(store_url, config=Config(), clock=clock, judge=judge, embedder="none", worker="off") as memory:
        memory.at(user="noor").remember("I went swimming at the lake yesterday")
        memory.upkeep.run(["insights"])
        clock.advance(hours=23)
        memory.upkeep.run(["insights"])
        assert len(judge.shown) == asked
        clock.advance(hours=2)
        memory.upkeep.run(["insights"])
        assert len(judge.shown) == asked + 1
        assert stored(memory) == []


def test_the_model_sees_little_and_nothing_told_in_confidence(memory, judge):
    noor = memory.at(user="noor", chat="dm")
    for number in range(9):
        noor.remember(f"I read book number {number} about tides")
    noor.remember("Between us: I am going to leave Halden")
    private = memory.at(user="noor", chat="talk")
    private.observe([{"content": "The tide was high today. " * 60}], extract=False)
    private.observe([{"content": "Between us, the surgeon called."}], extract=False)
    memory.upkeep.run(["insights"])
    (shown,) = judge.shown
    assert len(shown.facts) <= 3
    assert len(shown.activities) <= 5
    assert "Halden" not in str(shown)
    assert "The tide was high today." in shown.conversation
    assert len(shown.conversation) <= 1_000
    assert "surgeon" not in shown.conversation


def test_who_said_nothing_is_not_thought_about(memory, clock, judge):
    memory.at(user="noor").remember("I like tea")
    clock.advance(days=30)
    memory.upkeep.run(["insights"])
    assert judge.shown == []


def test_without_a_model_the_job_says_so(store_path, clock):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        memory.at(user="noor").remember("I went swimming at the lake yesterday")
        (done,) = [one for one in memory.upkeep.run(["insights"]) if one.job == "insights"]
        assert done.status == "skipped"
        assert stored(memory) == []
        reasons = [row.entry.reason for row in memory.engine.store.ledger(NewestRows(tenant="default", limit=20))]
        assert "no_model" in reasons
