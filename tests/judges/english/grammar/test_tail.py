"""What stands after the verb."""

from __future__ import annotations

from wellkept.judges.english.grammar.clauses import Clause
from wellkept.judges.english.grammar.parser import parse


def only(text: str) -> Clause:
    (clause,) = parse(text)
    return clause


def test_objects_and_phrases_are_told_apart():
    clause = only("I gave Ana a book in Rome last week")
    assert clause.object is not None
    assert clause.indirect is not None
    assert (clause.object.text, clause.indirect.text) == ("a book", "Ana")
    assert [phrase.text for phrase in clause.phrases] == ["in Rome", "last week"]
    assert [phrase.preposition for phrase in clause.phrases] == ["in", None]


def test_a_carried_clause_hangs_in_the_outer_one():
    (inner,) = only("He said that he sings").inner
    assert inner.text == "he sings"
    assert inner.verb is not None
    assert inner.verb.lemma == "sing"


def test_a_copula_has_a_complement():
    clause = only("My tea is hot")
    assert clause.object is None
    assert clause.complement is not None
    assert clause.complement.text == "hot"
