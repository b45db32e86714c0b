"""Readings of a text: letters that hide no other, and long texts read again only around what is changed."""

from __future__ import annotations

import re

from wellkept.policies.secrets import disguise
from wellkept.policies.secrets.detector import find_secrets
from wellkept.policies.secrets.disguise import View, folded, latinised, views


def test_letters_that_are_kept_are_read_as_nothing_else() -> None:
    kept = [chr(code) for code in range(0x10000) if disguise._RE.kept.fullmatch(chr(code))]
    assert len(kept) > 30_000
    assert [letter for letter in kept for before in "aक" if disguise._plain(letter, [before]) != letter] == []


def test_letters_of_ordinary_words_hide_no_other() -> None:
    ranges = ("À-įĴ-ľŁ-ňŊ-žẠ-ỹ", "א-ת\u0621-\u064aぁ-ゖァ-ヾ㐀-䶿一-鿿가-힣")
    pairs = [pair for scripts in ranges for pair in re.findall("(.)-(.)", scripts)]
    letters = [chr(code) for first, last in pairs for code in range(ord(first), ord(last) + 1)]
    assert all(map(disguise._RE.kept.fullmatch, letters))
    assert latinised(View(text=" ".join(letters))) == []


def test_an_ordinary_text_has_one_reading() -> None:
    text = "I left the keys at home."
    assert list(views(folded(text))) == [View(text=text)]


def test_a_disguised_secret_is_found_far_inside_a_long_text() -> None:
    tale = "We walked along the river and talked about the garden. " * 100
    for hidden in ("my password is h u n t e r 2 2", "my p4ssw0rd is Tiger99", "ghp_ 1aB2 c3D4 e5F6 g7H8 i9J0 k1L2"):
        spans = find_secrets(f"{tale}{hidden}. {tale}")
        assert len(spans) == 1
        assert len(tale) <= spans[0].start < spans[0].end <= len(tale) + len(hidden)
