"""Fingerprints find a text however it is written and wherever it stands, and hold nothing that can be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict

import pytest

from wellkept.flows.upkeep import erase
from wellkept.flows.upkeep.erase import CHANGED, Search, search
from wellkept.store.sqlite.file_reader import CHUNK

TEXT = 'Renée said "hello there" twice'


def looked_for(texts, *files):
    return search(erase.fingerprints(texts), lambda: files)


def test_a_text_is_found_however_it_is_written(tmp_path):
    for number, content in enumerate(
        (TEXT.encode(), TEXT.encode("utf-16-le"), TEXT.encode("utf-16-be"), json.dumps(TEXT).encode())
    ):
        path = tmp_path / str(number)
        path.write_bytes(b"\0" * (50 + number) + content)
        assert looked_for([TEXT, "something else"], path).found == {TEXT: False}


@pytest.mark.parametrize("before", [0, 1, 7, 100, CHUNK - 20, CHUNK - 8, CHUNK])
def test_a_text_is_found_wherever_it_stands(tmp_path, before):
    path = tmp_path / "file"
    path.write_bytes(b"x" * before + TEXT.encode())
    assert looked_for([TEXT], path) == Search(found={TEXT: False}, bytes=path.stat().st_size)
    path.write_bytes(b"x" * before + TEXT.encode()[:-1] + b"y")
    assert looked_for([TEXT], path).found == {}


def test_a_text_longer_than_what_is_read_at_once_is_found(tmp_path):
    text = " ".join(f"bee number {number}" for number in range(CHUNK // 12))
    assert len(text) > CHUNK
    path = tmp_path / "file"
    path.write_bytes(b"x" * (CHUNK - 3) + text.encode() + b"x" * 99)
    assert list(looked_for([text, TEXT], path).found) == [text]


def test_what_changed_is_read_again_and_at_last_left_unproved(tmp_path):
    path, late = tmp_path / "file", tmp_path / "late"
    path.write_bytes(TEXT.encode())
    lists = iter([[path, late], [path]])
    assert search(erase.fingerprints([TEXT]), lambda: next(lists)) == Search(
        found={TEXT: False}, bytes=path.stat().st_size
    )
    assert looked_for([TEXT], path, late).gap == CHANGED
    assert "could not be read" in looked_for([TEXT], path, tmp_path).gap


SCANNING = """
import sys
from pathlib import Path
from wellkept.flows.upkeep.erase import fingerprints, search
for _ in range(40):
    done = search(fingerprints(["The bees are well"]), lambda: [Path(sys.argv[1])])
    assert not done.found
"""


def test_whoever_scans_survives_that_somebody_else_cuts_the_file(tmp_path):
    path = tmp_path / "file"
    path.touch()
    with subprocess.Popen([sys.executable, "-c", SCANNING, path]) as scanning:
        while scanning.poll() is None:
            os.truncate(path, 3 * CHUNK)
            time.sleep(0.002)
            os.truncate(path, 0)
    assert scanning.returncode == 0


def test_what_was_said_to_the_user_is_told_apart(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"I will remember that. My bees are well.")
    prints = erase.fingerprints(["My bees are well"]) | erase.fingerprints(["I will remember that."], is_reply=True)
    assert search(prints, lambda: [path]).found == {"My bees are well": False, "I will remember that.": True}


def test_no_word_stands_in_a_fingerprint():
    noted = json.dumps([asdict(one) for one in erase.fingerprints([TEXT])])
    assert not any(word in noted for word in ("Ren", "said", "hello", "there", "twice"))
