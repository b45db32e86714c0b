"""What was mentioned so far: worked out when something points back to it, and not before."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.people.discourse import Discourse, Earlier
from wellkept.types import Reference

SISTER = Reference(text="my sister", relation="sister")


def test_messages_before_are_read_only_where_something_points_back():
    read: list[str] = []

    def look_back() -> Earlier:
        read.append("before")
        return Earlier(clauses=[(0, clause) for clause in parse("My sister Ines sings")])

    discourse = Discourse(now=1, look_back=look_back)
    discourse.noted += parse("I bought a kayak")
    assert discourse.thing == "a kayak"
    assert discourse.named(Reference(text="Olu", name="Olu")).name == "Olu"
    assert read == []
    assert discourse.named(SISTER).name == "Ines"
    assert discourse.mentions.person("she") is not None
    assert read == ["before"]


def test_the_message_counts_after_those_before_it():
    discourse = Discourse(now=1, look_back=lambda: Earlier(clauses=[(0, parse("My sister Ines sings")[0])]))
    assert discourse.named(SISTER).name == "Ines"
    discourse.noted += parse("My sister Bea paints")
    assert discourse.named(SISTER).name == "Bea"
    found = discourse.mentions.person("she")
    assert found is not None
    assert found.name == "Bea"


@pytest.mark.parametrize(("number", "who"), [(3, None), (0, "sister")])
def test_other_peoples_people_make_a_pronoun_unsure_where_they_come_later(number: int, who: str | None):
    before = Earlier(clauses=[(1, parse("My sister sings")[0]), (number, None)])
    found = Discourse(now=4, look_back=lambda: before).mentions.person("she")
    assert (found and found.relation) == who
