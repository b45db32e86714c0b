"""A model is asked before the transaction opens, and its verdict is used inside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wellkept
from tests.answering import Server, serving
from tests.judges.llm.server import facts, status
from wellkept.judges.english import RulesJudge
from wellkept.judges.llm.judge import LLMJudge, LLMOptions, SettledJudge
from wellkept.store.contract import NewestRows
from wellkept.types import Claim, Memory

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Slow(RulesJudge):
    """Says "same" to everything, and is never to be asked while the store is locked."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def compare(self, new: Claim, old: Memory) -> str:
        raise AssertionError("asked inside the transaction")

    def ahead(self, pairs: Sequence[tuple[Claim, Memory]]) -> SettledJudge:
        self.pairs += [(new.content, old.content) for new, old in pairs]
        return SettledJudge([(new, old, "same") for new, old in pairs])


def test_near_memories_are_compared_ahead_and_merged_by_that_verdict(tmp_path: Path):
    judge = Slow()
    with wellkept.open(tmp_path / "m.db", judge=judge, clock=lambda: NOW) as memory:
        alice = memory.at(user="u1", display_name="Alice")
        first = alice.remember("The office coffee machine was repaired by the technician")
        second = alice.remember("The technician repaired the coffee machine in the office")
        third = alice.remember("Walruses dive deeper than most seals")
    assert judge.pairs == [
        (
            "The technician repaired the coffee machine in the office",
            "The office coffee machine was repaired by the technician",
        )
    ]
    assert (second.outcome, second.id) == ("merged", first.id)
    assert third.outcome == "created"


def test_without_vectors_rules_decide(tmp_path: Path):
    judge = Slow()
    with wellkept.open(tmp_path / "m.db", judge=judge, clock=lambda: NOW, embedder="none") as memory:
        assert memory.at(user="u1").remember("The kettle is blue").outcome == "created"
    assert judge.pairs == []


def test_a_write_reads_of_its_scope_what_changed_since_the_last_one(memory, monkeypatch):
    """What is compared is looked at before the transaction: in it nothing could be kept for the next write."""
    ana = memory.at(user="ana")
    ana.remember("The kettle is blue")
    ana.remember("The ladder stands in the shed")
    database = memory.engine.store._db
    read, rows = [], database.rows
    monkeypatch.setattr(database, "rows", lambda name, given: read.append(name) or rows(name, given))
    ana.remember("The orchestra rehearses on Thursdays")
    assert {"live_changed", "vectors_changed"} <= {*read}
    assert not {"live_own", "vectors_after"} & {*read}


def test_what_the_model_could_not_do_is_on_record_without_a_word_of_the_text(tmp_path: Path):
    with serving(status(429)) as at:
        options = LLMOptions(model="openai:small", base_url=at.url)
        judge = LLMJudge(options, clock=lambda: NOW)
        with wellkept.open(tmp_path / "m.db", judge=judge, clock=lambda: NOW, embedder="none") as memory:
            assert memory.at(user="u1").remember("I live in Berlin").outcome == "created"
            rows = [row.entry for row in memory.engine.store.ledger(NewestRows(tenant="default"))]
        judge.close()
    assert [(row.op, row.status, row.reason) for row in rows if row.op == "classify"] == [
        ("classify", "error", "model_rate_limit")
    ]
    assert "Berlin" not in str(rows)


def heard(path: Path, at: Server, *, text: str) -> tuple[list[str], list[str], list[str]]:
    """One message through the background job, tried at most five times: what is kept, job states, codes of failures."""
    now = [NOW]
    judge = LLMJudge(LLMOptions(model="openai:small", base_url=at.url), clock=lambda: now[0])
    with wellkept.open(path, judge=judge, clock=lambda: now[0], embedder="none", worker="off") as memory:
        viewpoint = memory.at(user="u1", chat="c")
        viewpoint.observe([{"content": text}])
        states: list[str] = []
        while len(states) < 5 and "ok" not in states:
            now[0] += timedelta(minutes=2)
            states += [one.status for one in memory.upkeep.runner.run_due() if one.job == "extract"]
        rows = [row.entry for row in memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000))]
        kept = [item.content for item in viewpoint.list()]
    judge.close()
    assert text not in str(rows)
    return kept, states, [row.reason or "" for row in rows if row.status == "error"]


def test_a_model_that_is_busy_is_asked_again_by_the_queue(tmp_path: Path):
    told = {"content": "The user plays the oud", "quote": "I play the oud", "confidence": 0.9}
    with serving(status(429), status(429), facts(told)) as at:
        kept, states, codes = heard(tmp_path / "m.db", at, text="I play the oud in a café on Fridays.")
    assert states == ["retry", "retry", "ok"]
    assert codes == ["model_rate_limit", "model_rate_limit"]
    assert kept == ["The user plays the oud"]


def test_a_model_that_stays_away_leaves_the_reading_to_rules(tmp_path: Path):
    with serving(status(503)) as at:
        kept, states, codes = heard(tmp_path / "m.db", at, text="I play the oud in a café on Fridays.")
    assert states == ["retry", "retry", "ok"]
    assert codes == ["model_unavailable"] * 3
    assert kept == ["The user plays the oud in a café on Fridays"]


def test_a_failure_is_on_record_though_nothing_was_learned(tmp_path: Path):
    with serving(status(400)) as at:
        kept, states, codes = heard(tmp_path / "m.db", at, text="What is the weather like in Oslo?")
    assert (kept, states, codes) == ([], ["ok"], ["model_request_rejected"])
