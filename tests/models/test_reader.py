from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wellkept.errors import ReaderUnavailable
from wellkept.models import bundled
from wellkept.models.bundled import PAIR_TOKENS_MAX, TOKENS_MAX, Reader, Said, encode_pair, encode_sentence

SAID = [
    Said(text="we got the flat!!", speaker="Mara", turn="finally off shift. we got the flat!!", before=("Deb: Eat.",)),
    Said(text="lol ok", speaker="user", turn="lol ok"),
    Said(text="I'm allergic to peanuts", speaker="Noor", turn="I'm allergic to peanuts"),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def test_every_head_gives_shares_that_add_up(reader):
    for labels in reader.read(SAID):
        assert {"keep", "type", "holds", "about", "privacy", "stance", "todo", "quiet", "slot"} == set(labels.heads)
        assert all(sum(shares.values()) == pytest.approx(1, abs=1e-2) for shares in labels.heads.values())


def test_a_sentence_reads_the_same_alone_and_in_any_batch(reader):
    many = SAID * 7
    assert reader.read(many) == [one for said in many for one in reader.read([said])]


def test_pairs_read_the_same_alone_and_in_any_batch(reader):
    pairs = [("Mara lives in Leeds.", "i moved to Hull"), ("rent is 820", "rent's 870 now"), ("a", "b")]
    assert reader.relate(pairs * 3) == [reader.relate([pair])[0] for pair in pairs * 3]


def test_a_new_value_in_the_same_words_replaces_the_old_one(reader):
    [replaced, beside] = reader.relate(
        [("rent is 820 a month", "rent's gone up to 870"), ("rent is 820 a month", "my sister has a dog called Max")]
    )
    assert replaced["replaces"] > 0.5 > beside["replaces"]


def test_small_talk_is_not_worth_keeping(reader):
    fact, talk = reader.read([SAID[2], SAID[1]])
    assert fact.likelihood("keep", "yes") > reader.thresholds["keep"] > talk.likelihood("keep", "yes")


def test_nothing_gives_nothing(reader):
    assert reader.read([]) == []
    assert reader.relate([]) == []
    assert reader.answers([]) == []


def test_what_does_not_fit_is_cut_and_the_sentence_comes_first(reader):
    pieces = reader.tokenizer
    long = Said(text="I live in Oslo", speaker="Ann", turn="word " * 500, before=("more " * 500,) * 2)
    tokens, places = encode_sentence(pieces, long)
    assert len(tokens) <= TOKENS_MAX
    assert {long.text[start:stop] for start, stop in places.values()} == {"I", "live", "in", "Oslo"}
    assert len(encode_pair(pieces, "word " * 500, "other " * 500, is_question=True)) <= PAIR_TOKENS_MAX


def test_a_missing_file_is_said(tmp_path):
    copied = Path(shutil.copytree(bundled.DATA, tmp_path / "data"))
    (copied / "reader.onnx").unlink()
    with pytest.raises(ReaderUnavailable, match="missing"):
        Reader(data=copied).read(SAID)


def test_a_changed_byte_is_found(tmp_path):
    copied = Path(shutil.copytree(bundled.DATA, tmp_path / "data"))
    content = bytearray((copied / "reader.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (copied / "reader.onnx").write_bytes(content)
    with pytest.raises(ReaderUnavailable, match="has changed"):
        Reader(data=copied).verify()
