"""A program of its own: writes the content of a file to its output, and says by its exit status whether that is all.

`file_bytes` runs it with nothing but the standard library.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 22
WHOLE, CHANGED = 86, 87
"""Not 0: another program that stands in the interpreter's place, and does nothing, must not be taken for a proof."""


def copy(path: Path, into: BinaryIO) -> int:
    """Write everything, in pieces; the status says whether the file shrank, vanished or was replaced meanwhile.

    The file is not memory-mapped: whoever touches a page that somebody else has cut off dies of SIGBUS.
    """
    done = 0
    try:
        with path.open("rb", buffering=0) as file:
            before = os.fstat(file.fileno())
            while chunk := file.read(CHUNK):
                into.write(chunk)
                done += len(chunk)
            is_same = os.path.samestat(path.stat(), before)
    except FileNotFoundError:
        return CHANGED
    return WHOLE if is_same and done >= before.st_size else CHANGED


if __name__ == "__main__":
    sys.exit(copy(Path(sys.argv[1]), sys.stdout.buffer))
