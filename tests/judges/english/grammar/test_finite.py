"""Where the subject begins and the finite verb stands."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.finite import locate
from wellkept.judges.english.grammar.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "subject", "verb"),
    [
        ("I sing", "I", "sing"),
        ("The man who sings left early", "The", "left"),
        ("Yesterday my aunt Ines sang", "my", "sang"),
    ],
)
def test_the_verb_of_the_whole_clause_is_found(text, subject, verb):
    tokens = tokenise(text)
    found = locate(tokens, 0, len(tokens))
    assert found is not None
    assert (tokens[found[0]].text, tokens[found[1]].text) == (subject, verb)


@pytest.mark.parametrize("text", ["Hello there", "", "in Rome"])
def test_without_a_verb_there_is_no_clause(text):
    tokens = tokenise(text)
    assert locate(tokens, 0, len(tokens)) is None
