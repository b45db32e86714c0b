"""Fuzz in small: only typed errors come out of what reads others' input, and a parser that trusts it is found out."""

from __future__ import annotations

from bench import fuzz


def test_only_typed_errors_come_out():
    counts, faults = fuzz.run(60, seed=5)
    assert faults == []
    assert sum(counts.values()) == 60 * len(fuzz.TARGETS)
    assert counts["operations accepted"] > 0 < counts["operations refused"]


def test_a_parser_that_trusts_its_input_is_found_out():
    assert fuzz.run(60, seed=5, is_broken=True)[1]
