"""Fingerprints find a text however it is written and wherever it stands, and hold nothing that can be read."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from recollect.flows import fingerprints
from recollect.flows.fingerprints import search

TEXT = 'Renée said "hello there" twice'


def test_a_text_is_found_however_it_is_written(tmp_path):
    for number, content in enumerate(
        (TEXT.encode(), TEXT.encode("utf-16-le"), TEXT.encode("utf-16-be"), json.dumps(TEXT).encode())
    ):
        path = tmp_path / str(number)
        path.write_bytes(b"\0" * (50 + number) + content)
        assert search(fingerprints.fingerprints([TEXT, "something else"]), [path])[0] == {TEXT: False}
    assert search(fingerprints.fingerprints([TEXT]), [tmp_path / "missing"]) == ({}, 0)


@pytest.mark.parametrize("before", [0, 1, 7, 100, fingerprints.CHUNK - 20, fingerprints.CHUNK - 8, fingerprints.CHUNK])
def test_a_text_is_found_wherever_it_stands(tmp_path, before):
    path = tmp_path / "file"
    path.write_bytes(b"x" * before + TEXT.encode())
    assert list(search(fingerprints.fingerprints([TEXT]), [path])[0]) == [TEXT]
    path.write_bytes(b"x" * before + TEXT.encode()[:-1] + b"y")
    assert search(fingerprints.fingerprints([TEXT]), [path])[0] == {}


def test_what_was_said_to_the_user_is_told_apart(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"I will remember that. My bees are well.")
    prints = fingerprints.fingerprints(["My bees are well"]) | fingerprints.fingerprints(
        ["I will remember that."], is_reply=True
    )
    assert search(prints, [path])[0] == {"My bees are well": False, "I will remember that.": True}


def test_no_word_stands_in_a_fingerprint():
    noted = json.dumps([asdict(one) for one in fingerprints.fingerprints([TEXT])])
    assert not any(word in noted for word in ("Ren", "said", "hello", "there", "twice"))
