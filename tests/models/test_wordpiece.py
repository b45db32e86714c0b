from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.models import bundled
from wellkept.models.bundled import WordPiece, basic_words, character_class

REFERENCE = Path(__file__).parent / "data" / "tokens.json.gz"
VOCABULARY = (bundled.DATA / bundled.VOCABULARY_FILE).read_text(encoding="utf-8").rstrip("\n").split("\n")
TOKENIZER = WordPiece(VOCABULARY)


def test_tokens_equal_the_reference_on_5000_texts():
    reference = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    assert len(set(reference["texts"])) == len(reference["ids"]) == 5000
    wrong = [
        text for text, ids in zip(reference["texts"], reference["ids"], strict=True) if TOKENIZER.encode(text) != ids
    ]
    assert not wrong


def test_reference_texts_are_varied():
    texts = json.loads(gzip.decompress(REFERENCE.read_bytes()))["texts"]
    letters = set("".join(texts))
    assert "" in texts
    assert any(len(word) > 100 for text in texts for word in text.split())
    assert set("éßΣЖשعहก中カ서🎉\u0301\u200b\x00\ufffd") <= letters


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n", []),
        ("Héllo, WORLD!", ["hello", ",", "world", "!"]),
        ("e\u0301te\u0301", ["ete"]),
        ("don't", ["don", "'", "t"]),
        ("東京tower", ["東", "京", "tower"]),
        ("a\u200bb\x00c", ["abc"]),
        ("a\u00a0b\u3000c", ["a", "b", "c"]),
        ("ΌΣΟΣ", ["οσοσ"]),
        ("lone \ud800 half", ["lone", "half"]),
    ],
)
def test_basic_words(text, words):
    assert basic_words(text) == words


def test_words_split_into_the_longest_pieces():
    tokenizer = WordPiece(["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "##a", "una"])
    assert tokenizer.ids("unaffable") == [0]
    assert tokenizer.ids("unaffa") == [0]
    tokenizer = WordPiece(["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "##a"])
    assert tokenizer.ids("unaffable") == [3, 4, 5]
    assert tokenizer.ids("unaffa unx un") == [3, 4, 6, 0, 3]
    assert tokenizer.encode("un") == [1, 3, 2]


def test_words_are_split_alike_from_many_threads():
    texts = ["Alice is allergic to peanuts", "Где живёт Ольга?", "我妹妹在臺北", "x" * 120] * 50
    expected = [WordPiece(VOCABULARY).encode(text) for text in texts[:4]] * 50
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(TOKENIZER.encode, texts)) == expected


def test_character_class_reads_ranges():
    assert character_class(["41", "61-7A"]) == "\\U00000041-\\U00000041\\U00000061-\\U0000007a"


@given(st.text())
def test_any_text_has_tokens_between_start_and_end(text):
    ids = TOKENIZER.encode(text)
    assert (ids[0], ids[-1]) == (101, 102)
    assert all(0 <= number < len(VOCABULARY) for number in ids)


@given(st.text(), st.text())
def test_tokens_add_up_at_a_space(left, right):
    assert TOKENIZER.ids(f"{left} {right}") == TOKENIZER.ids(left) + TOKENIZER.ids(right)
