"""Tokens that belong together: names in capitals, and houses named by whose they are."""

from __future__ import annotations

from wellkept.judges.english.grammar.tokens import tokenise


def words(text: str) -> list[tuple[str, str]]:
    return [(token.text, token.tag) for token in tokenise(text)]


def test_an_article_with_a_capital_goes_on_with_the_name():
    assert words("Nguyen Van An sings")[:3] == [("Nguyen", "name"), ("Van", "name"), ("An", "name")]
    assert words("I ate an apple")[2] == ("an", "determiner")


def test_a_house_is_one_word_and_an_owner_is_two():
    assert [word for word, _ in words("I stay at my brother's")][-1] == "brother's"
    assert [word for word, _ in words("I like my brother's dog")][-3:] == ["brother", "'s", "dog"]
