"""Where a sentence splits into clauses, and what is said to the listener."""

from __future__ import annotations

from wellkept.judges.english.grammar.clauses import read, split, turns_away
from wellkept.judges.english.grammar.tokens import tokenise


def test_a_sentence_splits_at_its_conjunctions():
    text = "I row and my sister sings because she likes it"
    tokens = tokenise(text)
    ranges = [text[tokens[start].start : tokens[end - 1].end] for start, end in split(tokens)]
    assert ranges == ["I row", "and my sister sings", "because she likes it"]


def test_one_statement_is_not_split():
    tokens = tokenise("I like tea and cake")
    assert split(tokens) == [(0, len(tokens))]


def test_what_is_said_to_the_listener_turns_away():
    tokens = tokenise("I am 30, please remind me")
    assert turns_away(tokens, 4)
    assert not turns_away(tokens, 1)


def test_signs_alone_are_no_clause():
    assert read("!?", tokenise("!?"), 0, is_question=False) is None
    found = read("I row", tokenise("I row"), 0, is_question=False)
    assert found is not None
    assert found.type == "declarative"
