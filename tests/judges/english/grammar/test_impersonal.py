"""What nobody in particular did: the thing becomes the subject."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.impersonal import edits, is_told


def test_the_thing_becomes_the_subject():
    text = "They moved my surgery to the 12th"
    assert is_told(text)
    (edit,) = edits(text)
    assert text[: edit.start] + edit.new + text[edit.end :] == "My surgery was moved to the 12th"


@pytest.mark.parametrize("text", ["They are kind", "I moved it", ""])
def test_anything_else_stays(text):
    assert not is_told(text)
    assert list(edits(text)) == []
