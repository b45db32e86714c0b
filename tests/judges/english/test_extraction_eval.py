"""The labelled messages: the test half is frozen, and the judge stays above the bars on both halves."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXTRACTION = ROOT / "evals" / "extraction"
FROZEN = "e5942aa889140577c8c547b788caeb03ff4958780fcbdcf06be264bd0b5717cc"
FRESH = "c9869c645713953133de319e8de3b84f667592a5748bff972780ed51b8d3f9be"
pytestmark = pytest.mark.reader


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("extraction_run", EXTRACTION / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_test_half_is_as_it_was_before_the_rules():
    assert hashlib.sha256((EXTRACTION / "test.jsonl").read_bytes()).hexdigest() == FROZEN
    assert hashlib.sha256((EXTRACTION / "fresh.jsonl").read_bytes()).hexdigest() == FRESH


@pytest.mark.parametrize("half", ["train", "test"])
def test_facts_are_found_and_labelled(half):
    run = load()
    table = run.evaluate(EXTRACTION / f"{half}.jsonl")
    assert table.wanted >= 200
    assert table.precision >= run.TARGETS["precision"]
    assert table.recall >= run.TARGETS["recall"]
    assert table.leaks == 0
    bars = {name: run.TARGETS[name] for name in ("type", "portable", "slot", "subjects", "confidential")}
    assert {name: table.share(name) >= bar for name, bar in bars.items()} == dict.fromkeys(bars, True)


def test_the_same_message_gives_the_same_claims():
    run = load()
    case = {"message": "My sister Ana lives in Porto, she loves fado and I owe her 200 euros."}
    judge = run.ReaderJudge()
    assert judge.extract(run.reading_of(case)) == judge.extract(run.reading_of(case))
