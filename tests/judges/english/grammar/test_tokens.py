"""Words with their places: clitics split off, quotes and code set apart."""

from __future__ import annotations

from wellkept.judges.english.grammar.tokens import lower_of, tokenise


def test_clitics_are_split_off_and_houses_are_not():
    assert [token.text for token in tokenise("I can't go to Ana's, ok?")] == [
        "I", "ca", "n't", "go", "to", "Ana's", ",", "ok", "?",
    ]  # fmt: skip


def test_places_are_counted_from_the_offset():
    text = "My name is Ana"
    for token in tokenise(text, offset=7):
        assert text[token.start - 7 : token.end - 7] == token.text


def test_names_and_classes_are_seen():
    tags = {token.text: token.tag for token in tokenise("My aunt Inês sings in Porto and I row")}
    assert (tags["My"], tags["in"], tags["and"], tags["I"]) == ("possessive", "preposition", "coordinator", "pronoun")
    assert tags["Inês"] == tags["Porto"] == "name"


def test_a_long_quotation_is_one_token():
    assert len(tokenise('"one two three four"')) == 1
    assert len(tokenise('"one"')) > 1


def test_typographic_apostrophes_compare_as_straight_ones():
    assert lower_of("Don’t") == "don't"
    assert tokenise("") == ()
