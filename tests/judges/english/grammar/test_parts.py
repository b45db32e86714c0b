"""The parts of a sentence between its commas."""

from __future__ import annotations

from wellkept.judges.english.grammar.parts import asks, clause_of, parts_of, subject_of
from wellkept.judges.english.grammar.tokens import tokenise

TEXT = "I moved to Rome, how can I find a dentist, also my knee hurts"


def test_parts_are_told_by_their_first_words():
    parts = list(parts_of(tokenise(TEXT)))
    assert [part.head.text for part in parts if part.head] == ["I", "how", "my"]
    assert [part.comma.text if part.comma else None for part in parts] == [None, ",", ","]


def test_a_part_states_or_asks():
    parts = list(parts_of(tokenise(TEXT)))
    assert [asks(part) for part in parts] == [False, True, False]
    found = [(part, clause_of(part)) for part in parts]
    assert [place and subject_of(part, place) for part, place in found] == ["I", None, "my knee"]
