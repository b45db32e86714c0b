"""Another process reads the files of a database: every byte or an error, and no lock of this process is lost."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from wellkept.errors import StoreBusy, StoreError
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.store.sqlite.file_reader import CHANGED, CHUNK, WHOLE, copy


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "-a file"
    path.write_bytes(os.urandom(4 * CHUNK + 5))
    return path


def test_every_byte_is_read(path):
    pieces = list(chunks(path))
    assert b"".join(pieces) == path.read_bytes()
    assert {len(piece) for piece in pieces[:-1]} == {CHUNK}
    path.write_bytes(b"")
    assert list(chunks(path)) == []


CHANGES = {
    "cut": lambda path: os.truncate(path, 10),
    "removed": Path.unlink,
    "replaced": lambda path: (
        path.with_name("new").write_bytes(b"x" * 9 * CHUNK) and path.with_name("new").replace(path)
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_while_it_is_read_is_not_read_to_its_end(path, change):
    reading = chunks(path)
    next(reading)
    CHANGES[change](path)
    with pytest.raises(StoreBusy):
        list(reading)


class Meanwhile(io.BytesIO):
    """What somebody does to the file after the first piece."""

    def __init__(self, change):
        super().__init__()
        self._changes = [change]

    def write(self, piece):
        if self._changes:
            self._changes.pop()()
        return super().write(piece)


def test_the_status_says_whether_all_was_read(path):
    written = io.BytesIO()
    assert copy(path, written) == WHOLE
    assert written.getvalue() == path.read_bytes()
    with path.open("ab") as file:
        assert copy(path, Meanwhile(lambda: file.write(b"more") and file.flush())) == WHOLE
    for change in ("cut", "removed"):
        assert copy(path, Meanwhile(lambda change=change: CHANGES[change](path))) == CHANGED
    assert copy(path, io.BytesIO()) == CHANGED


def test_what_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(StoreBusy):
        list(chunks(tmp_path / "missing"))
    with pytest.raises(StoreError, match="status 1"):
        list(chunks(tmp_path))


@pytest.mark.parametrize("program", ["/bin/true", "/bin/false", "/bin/echo", "/no/such/program", ""])
def test_another_program_in_the_place_of_the_interpreter_proves_nothing(path, monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    with pytest.raises(StoreError):
        list(chunks(path))


def test_who_stops_reading_leaves_no_process_behind(path):
    reading = chunks(path)
    next(reading)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    before = children.read_text().split()
    reading.close()
    assert len(children.read_text().split()) == len(before) - 1
