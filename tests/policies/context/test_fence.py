"""What memory said is known again by its markers, however many there are."""

from __future__ import annotations

import pytest

from wellkept.policies.context import fence


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <<<memory x>>> b <<<end x>>> c", "a  c"),
        ("a <<<memory x>>> <<<memory y>>> b <<<end x>>> c <<<end y>>>", "a  c <<<end y>>>"),
        ("<<<memory x>>> a <<<memory y>>> b <<<end y>>> c", "<<<memory x>>> a  c"),
        ("<<<end x>>> a <<<memory x>>> b <<<end x>>> c <<<end x>>>", "<<<end x>>> a  c <<<end x>>>"),
        ("<<<memory x>>> a", "<<<memory x>>> a"),
        ("no marker", "no marker"),
    ],
)
def test_a_block_ends_at_the_first_end_of_its_own_call(text, left):
    assert fence.outside(text) == left


def test_blanked_words_leave_the_others_in_their_places():
    text = "a <<<memory x>>> b <<<end x>>> c"
    assert len(fence.own_words(text)) == len(text)
    assert fence.own_words(text).split() == ["a", "c"]
