"""Looking again at what was stored: joining, retiring, linking, and never twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

import wellkept
from wellkept.config import Config
from wellkept.flows.upkeep.consolidate import consolidate, consolidate_place
from wellkept.judges.english import RulesJudge
from wellkept.judges.llm.notices import Fallback, note
from wellkept.policies.upkeep.consolidation import Consolidation
from wellkept.store.contract import NewestRows
from wellkept.vocabulary import Space


@pytest.fixture
def outage(store_path, clock, embedder):
    """Texts stored while there was no embedder, then the memory with it."""

    def tell(*texts: str, user: str = "ada") -> wellkept.Memory:
        with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
            for text in texts:
                memory.at(user=user).add(text)
                clock.advance(minutes=1)
        memory = wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off")
        memory.upkeep.embed()
        return memory

    return tell


def living(memory, user="ada"):
    return [one.content for one in memory.at(user=user).list(limit=100)]


def test_the_same_in_other_words_becomes_one(outage):
    with outage("Tane bought a green canoe", "Tane purchased a green canoe", "Tane bought a white canoe") as memory:
        report = memory.upkeep.consolidate()
        assert report.merged == 1
        assert sorted(living(memory)) == ["Tane bought a green canoe", "Tane bought a white canoe"]
        kept = next(one for one in memory.at(user="ada").list() if "green" in one.content)
        assert kept.mention_count == 2
        assert "MERGE" in [event.event for event in memory.at(user="ada").history(kept.id).events]


def test_what_contradicts_is_retired_by_the_rules_of_conflict(outage):
    with outage("Tane is afraid of moths", "Tane is not afraid of moths") as memory:
        assert memory.upkeep.consolidate().superseded == 1
        assert living(memory) == ["Tane is not afraid of moths"]


def test_a_pair_is_judged_once_in_two_weeks(outage, clock):
    with outage("Ravi studied law in Porto", "Ravi studied law in Lima", "Ravi studied law in Osaka") as memory:
        first = memory.upkeep.consolidate()
        assert first.pairs > 0
        assert memory.upkeep.consolidate().pairs == 0
        clock.advance(days=15)
        rule = Consolidation(fresh=timedelta(days=30))
        assert consolidate("default", memory.engine, rule=rule).pairs == first.pairs


class Unsure(RulesJudge):
    """A model that is not to be had until it is told to be."""

    def __init__(self) -> None:
        super().__init__()
        self.fault = "budget_tenant"
        self.batches = []

    def ahead(self, pairs):
        self.batches.append(len(pairs))
        if self.fault is not None:
            note(Fallback(operation="compare", reason=self.fault))
        return RulesJudge()


def test_a_pair_that_no_model_judged_is_open_still(store_url, clock, embedder):
    texts = [f"Leila lent the {thing} to Noor" for thing in ("canoe", "tent", "sofa", "kettle", "radio")]
    judge = Unsure()
    with wellkept.open(store_url, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        for text in texts:
            memory.at(user="ada").add(text)
    with wellkept.open(store_url, config=Config(), clock=clock, judge=judge, embedder=embedder, worker="off") as memory:
        memory.upkeep.embed()
        judge.batches.clear()
        for fault in ("budget_tenant", "model_unavailable"):
            judge.fault = fault
            assert memory.upkeep.consolidate().pairs == 0
        assert judge.batches == [8, 8], "no second batch is tried while nobody answers"
        judge.fault = "privacy_deny_sensitive"
        assert memory.upkeep.consolidate().pairs == 10, "what no model may be shown is settled by the rules"
        assert memory.upkeep.consolidate().pairs == 0


def test_the_day_s_limit_holds_exactly(outage, clock):
    texts = [f"Leila lent the {thing} to Noor" for thing in ("canoe", "tent", "sofa", "kettle", "radio")]
    with outage(*texts) as memory:
        rule = Consolidation(pairs_a_day=3)
        assert [consolidate("default", memory.engine, rule=rule).pairs for _ in range(2)] == [3, 0]
        clock.advance(days=1, seconds=1)
        assert consolidate("default", memory.engine, rule=rule).pairs == 3


def test_missing_links_are_added_and_told(outage):
    with outage("Farida cooks ramen for the family", "Farida cooks ceviche for the family") as memory:
        assert memory.upkeep.consolidate().linked == 1
        assert memory.upkeep.consolidate().linked == 0
        rows = [row.entry for row in memory.engine.store.ledger(NewestRows(tenant="default", limit=50))]
        assert [(row.node, row.reason) for row in rows if row.op == "link"] == [("worker", "consolidation")]


def test_other_people_s_memories_are_not_compared(outage):
    with outage("Tane bought a green canoe") as memory:
        memory.at(user="bo").add("Tane purchased a green canoe")
        assert memory.upkeep.consolidate().merged == 0


def test_the_old_and_the_unimportant_rest(outage, clock):
    with outage("Tane bought a green canoe", "Tane purchased a green canoe") as memory:
        clock.advance(days=10)
        assert consolidate_place("default", Space.USER, "ada", memory.engine).pool == 0
        rule = replace(Consolidation(), importance_min=0.0)
        assert consolidate_place("default", Space.USER, "ada", memory.engine, rule=rule).merged == 1


def test_without_an_embedder_nothing_is_judged(memory_without_vectors):
    memory_without_vectors.at(user="ada").add("Tane bought a green canoe")
    report = memory_without_vectors.upkeep.consolidate()
    assert (report.pool, report.pairs) == (1, 0)


def test_what_got_its_vectors_late_is_compared_as_a_write_would_have_been(outage, clock):
    with outage("Tane bought a green canoe", "Tane purchased a green canoe", "Tane bought a white canoe") as memory:
        clock.advance(days=200)
        assert memory.upkeep.consolidate().pairs == 0, "nothing is fresh any more"
        done = memory.upkeep.run(["reconcile"])
        assert [(one.status, one.counts["merged"]) for one in done] == [("ok", 1)]
        assert sorted(living(memory)) == ["Tane bought a green canoe", "Tane bought a white canoe"]
        assert memory.upkeep.run(["reconcile"]) == ()
