"""The bytes of a database file as they lie on the disk, read by another process.

Closing any descriptor of a file releases all POSIX locks that the process holds on it, whoever took them. So nothing in
a process but SQLite may ever open a database, its write-ahead log, the index of that or its journal.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from wellkept.errors import StoreBusy, StoreError
from wellkept.store.sqlite import file_reader


def chunks(path: Path) -> Iterator[bytes]:
    """The content of a file, piece by piece. Only who reads to the end without an error has seen all of it.

    `StoreBusy`: the file shrank or vanished meanwhile. `StoreError`: it cannot be read.
    """
    # Bare (-I -S) the interpreter is there in 15 ms. It is no fork: a child of threads may find locks held for ever.
    command = [sys.executable, "-I", "-S", file_reader.__file__, str(path)]
    try:
        reader = subprocess.Popen(  # noqa: S603 -- our own program
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        raise StoreError(f"No process can be started to read {path.name}: {error.strerror}.") from error
    with reader:
        assert reader.stdout is not None, "it is a pipe"
        while chunk := reader.stdout.read(file_reader.CHUNK):
            yield chunk
    if reader.returncode == file_reader.CHANGED:
        raise StoreBusy(f"{path.name} changed while it was read; try again.")
    if reader.returncode != file_reader.WHOLE:
        raise StoreError(f"The process that reads {path.name} ended with status {reader.returncode}.")
