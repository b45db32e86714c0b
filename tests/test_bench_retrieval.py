"""The retrieval bench, end to end on two small files: its own form, and that of the public LoCoMo file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

TURNS = [
    ("a1", "1", "March-01-2024", "user", "My weekly target is 10 pages of the novel."),
    ("a2", "1", "", "assistant", "A weekly target of 10 pages is a good start for a novel."),
    ("a3", "2", "March-08-2024", "user", "The baker on the corner sells rye bread."),
    ("a4", "3", "March-15-2024", "user", "My weekly target has now changed to 12 pages."),
]
QUESTIONS: list[dict[str, Any]] = [
    {"text": "What bread does the baker sell?", "category": "plain", "evidence": ["a3"]},
    {"text": "What did we discuss in our second session?", "category": "time", "evidence": ["a3"]},
    {
        "text": "What is my weekly target?",
        "category": "update",
        "evidence": ["a1", "a4"],
        "extra": {"old": ["a1"], "new": ["a4"]},
    },
    {"text": "What was the agenda of the conference in Oslo?", "category": "abstention", "evidence": []},
]


def small(folder: Path) -> None:
    names = ("id", "session", "date", "speaker", "text")
    turns = [dict(zip(names, turn, strict=True)) | {"text": f"{turn[3]}: {turn[4]}"} for turn in TURNS]
    questions = [{"id": f"q{number}"} | question for number, question in enumerate(QUESTIONS)]
    content = {"name": "small", "conversations": [{"id": "c1", "turns": turns, "questions": questions}]}
    (folder / "small.json").write_text(json.dumps(content), encoding="utf-8")


def public(folder: Path) -> None:
    talk = {
        "speaker_a": "Ana",
        "speaker_b": "Bob",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a beagle.", "blip_caption": "a small dog"},
            {"speaker": "Bob", "dia_id": "D1:2", "text": "I went to the opera."},
        ],
    }
    asked = [{"question": "Who went to the opera?", "answer": "Bob", "evidence": ["D1:2"], "category": 4}]
    content = [{"sample_id": "conv-1", "conversation": talk, "qa": asked}]
    (folder / "public.json").write_text(json.dumps(content), encoding="utf-8")


def test_both_forms_are_told_and_measured(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    small(data)
    public(data)
    command = [sys.executable, str(ROOT / "bench" / "retrieval.py"), "--data", str(data)]
    command += ["--json", str(tmp_path / "figures.json"), "--plot", str(tmp_path / "plot.svg")]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    found = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert set(found) == {"small", "public"}
    assert set(found["small"]) == {"wellkept", "messages", "bm25", "dense", "rrf"}
    own = found["small"]["wellkept"]
    assert own["categories"]["plain"]["ndcg@10"] == 1.0
    assert own["categories"]["time"]["ndcg@10"] == 1.0
    assert found["small"]["bm25"]["categories"]["time"]["ndcg@10"] < 1.0
    assert own["newest_above_stale"] == 1.0
    assert own["abstention_auroc"] == 1.0
    assert found["public"]["wellkept"]["categories"]["4-single_hop"]["recall@5"] == 1.0
    assert "within 1000 tokens" in done.stdout
    assert own["categories"]["macro"]["recall@10"] >= found["small"]["messages"]["categories"]["macro"]["recall@10"]
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").startswith("<svg")
