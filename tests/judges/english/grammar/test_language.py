"""Which language a text is in."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.language import guess


@pytest.mark.parametrize(
    ("text", "code"),
    [("Ich wohne in Berlin und arbeite bei der Bahn", "de"), ("I live in Rome", "en"), ("Я живу в Москве", "ru")],
)
def test_script_and_common_words_tell(text, code):
    assert guess(text) == code


def test_without_a_sign_of_another_language_it_is_english():
    assert guess("") == guess("Kowalski") == guess("42") == "en"
