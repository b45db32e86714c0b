"""One clause: statement, question, order, code; and which part a question asks for."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.parser import parse


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My tea is hot", "declarative"),
        ("Is my tea hot?", "question"),
        ("Call me Max", "imperative"),
        ("```x = 1```", "code"),
        ("Good morning", "fragment"),
    ],
)
def test_the_kind_of_a_clause(text, kind):
    assert [clause.type for clause in parse(text)] == [kind]


@pytest.mark.parametrize(
    ("text", "wh", "gap"),
    [
        ("What did Ana buy?", "what", "object"),
        ("Who sings?", "who", "subject"),
        ("Where does Ana live?", "where", "adverb"),
    ],
)
def test_a_question_has_a_gap(text, wh, gap):
    (clause,) = parse(text)
    assert (clause.wh, clause.gap) == (wh, gap)
