"""Codes in words: everything that a page may have to say has words, and nothing is lost on the way."""

from __future__ import annotations

import re
from pathlib import Path

from wellkept.policies import visibility
from wellkept.surfaces import words
from wellkept.vocabulary import DOCTOR_CHECKS


def event(**fields):
    usual = {"op": "create", "status": "ok", "reason": None, "memory_id": None, "user_id": "alice", "node": "hotpath"}
    return usual | {"space": "user", "owner": "alice", "id": "1"} | fields


def test_every_rule_of_visibility_and_every_check_has_words():
    source = Path(visibility.__file__).read_text(encoding="utf-8")
    rules = set(re.findall(r"_(?:hidden|shown)\(\"(\w+)\"\)", source))
    assert len(rules) > 15
    assert rules <= words.tables()["rules"].keys()
    assert words.tables()["checks"].keys() == set(DOCTOR_CHECKS)
    assert words.rule("a_new_rule") == "a new rule"


def test_events_are_told_in_words():
    told = words.event(event(reason="superseded_old:recency"))
    assert (told["words"], told["detail"]) == ("learned", "in place of an older one (recency)")
    assert words.event(event(op="update", reason="superseded"))["words"] == "replaced by a newer one"
    assert words.event(event(status="denied", reason="secret_token"))["words"] == "not kept"
    assert words.event(event(op="new_op", reason="odd_code"))["detail"] == "odd code"
    assert words.why("about:Sarah") == "about Sarah"


def test_the_same_thing_in_a_row_is_one_line_unless_it_is_about_a_memory():
    done = event(op="admin", reason="job_done", node="worker")
    kept = event(memory_id="m_1")
    lines = words.folded([done, done, done, kept, kept, done])
    assert [(line["words"], line["count"]) for line in lines] == [
        ("upkeep done", 3),
        ("learned", 1),
        ("learned", 1),
        ("upkeep done", 1),
    ]


def test_what_counts_as_learned_replaced_and_refused():
    assert words.kind(event(memory_id="m_1")) == "learned"
    assert words.kind(event(op="update", reason="superseded", memory_id="m_1")) == "replaced"
    assert words.kind(event(status="denied", reason="secret_token")) == "refused"
    assert words.kind(event(status="denied", reason="is_todo")) is None
    assert words.kind(event(op="update", reason="pinned", memory_id="m_1")) is None


def test_what_became_of_a_fact_is_told_in_words():
    told = {"outcome": "denied", "reason": "privacy_deny_sensitive"}
    assert words.outcome(told)["said"] == "not kept"
    assert "secret" in words.outcome(told)["detail"]
    assert words.outcome({"outcome": "created", "reason": None})["said"] == "kept"
    assert words.outcome({"outcome": "denied", "reason": "is_todo"})["said"] == "kept as a todo"
    assert [words.strength(score) for score in (0.9, 0.4, 0.1)] == ["strong", "fair", "weak"]


def test_the_life_of_a_memory_is_told_from_its_first_day():
    def done(kind, reason=None, day=1):
        return {"event": kind, "meta": {"reason": reason}, "ts": f"2026-03-0{day}T09:00:00+00:00"}

    events = [done("RESTORE", "restored", 4), done("DELETE", "user_deleted", 3), done("MERGE", "same_fact", 2)]
    events += [done("MERGE", "same_fact", 2), done("LINK"), done("ADD")]
    steps = words.life(events, {"state": "active"})
    told = [(one["said"], one["count"]) for one in steps]
    assert told == [("said", 1), ("said again", 2), ("forgotten", 1), ("brought back", 1), ("known now", 1)]
    assert words.life([], {"state": "superseded"})[-1]["said"] == "no longer told"
