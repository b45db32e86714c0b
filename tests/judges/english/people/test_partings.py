"""Relations that a sentence ends."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.people.partings import partings


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("Ivo and I broke up", [("partner", "Ivo")]),
        ("I split up with Noor last month", [("partner", "Noor")]),
        ("We got divorced in June", [("partner", None)]),
        ("I left my husband", [("partner", None)]),
        ("Zanele and I called off the engagement", [("partner", "Zanele")]),
        ("He's not my boss any more", [("boss", None)]),
        ("Yusuf is no longer my flatmate", [("roommate", "Yusuf")]),
        ("My sister got divorced", []),
        ("We split the bill", []),
        ("Yusuf is not my boss", []),
        ("If we broke up I'd be sad", []),
        ("My car broke down", []),
    ],
)
def test_what_ends(said, ended):
    found = [one for clause in parse(said) for one in partings(clause)]
    assert [(one.relation, one.name) for one in found] == ended
