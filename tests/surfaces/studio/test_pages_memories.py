"""Pages about what is remembered: what changed from one text to the next."""

from __future__ import annotations

from wellkept.surfaces.studio.pages_memories import difference


def test_a_difference_says_what_went_and_what_came():
    assert difference("a b c", "a x c") == [("same", "a "), ("gone", "b "), ("new", "x "), ("same", "c")]
    assert difference("", "new") == [("new", "new")]
