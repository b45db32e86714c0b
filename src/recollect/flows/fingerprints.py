"""Fingerprints of texts: what must be found nowhere can be looked for again, and yet nobody can read it meanwhile."""

from __future__ import annotations

import hashlib
import json
import mmap
from collections import defaultdict
from typing import TYPE_CHECKING

from recollect.store.base_erasure import Fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

WINDOW = 8
"""The last bytes of a text lead to the places where it may stand. Many texts begin alike, few end so."""
CHUNK = 1 << 22
_ODD = 0x9E3779B97F4A7C15
_TAG_BITS = 24
_WORD_BITS = 64
_CODES = ("utf-8", "utf-16-le", "utf-16-be")


def fingerprints(texts: Iterable[str], *, is_reply: bool = False) -> set[Fingerprint]:
    """Every way in which these texts can stand in a file; of those that are long enough."""
    return {
        Fingerprint(
            tag=_tag(int.from_bytes(written[-WINDOW:], "little")),
            length=len(written),
            digest=_digest(written),
            way=way,
            is_reply=is_reply,
        )
        for text in texts
        for written, way in _ways(text).items()
        if len(written) >= WINDOW
    }


def search(prints: Iterable[Fingerprint], files: Iterable[Path]) -> tuple[dict[str, bool], int]:
    """Which of these texts stand in the files, each with `is_reply`; and the bytes read."""
    wanted: dict[int, dict[int, dict[str, Fingerprint]]] = defaultdict(lambda: defaultdict(dict))
    for one in prints:
        wanted[one.tag][one.length][one.digest] = one
    found: dict[str, bool] = {}
    looked = 0
    for path in files:
        size = path.stat().st_size if path.is_file() else 0
        if not size:
            continue
        looked += size
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            for end, tag in _places(content, wanted) if wanted else ():
                for text, is_reply in _standing(content, end, wanted[tag]):
                    found[text] = found.get(text, True) and is_reply
    return found, looked


def _standing(content: mmap.mmap, end: int, wanted: Mapping[int, dict[str, Fingerprint]]) -> Iterator[tuple[str, bool]]:
    """The texts that end here. What was found once is looked for no more."""
    for length, own in wanted.items():
        if not own or end < length:
            continue
        piece = content[end - length : end]
        one = own.pop(_digest(piece), None)
        if one is not None:
            yield _read(piece, one.way), one.is_reply


def _places(content: mmap.mmap, tags: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Ends of stretches of bytes that one of the texts may end with, each with its tag."""
    import numpy as np

    is_wanted = np.zeros(1 << _TAG_BITS, dtype=bool)
    is_wanted[list(tags)] = True
    for start in range(0, len(content), CHUNK):
        chunk = content[start : start + CHUNK + WINDOW - 1]
        for offset in range(min(WINDOW, len(chunk) - WINDOW + 1)):
            own = _tags(np.frombuffer(chunk, dtype="<u8", offset=offset, count=(len(chunk) - offset) // WINDOW))
            for hit in np.flatnonzero(is_wanted[own]):
                yield start + offset + WINDOW * (int(hit) + 1), int(own[hit])


def _tags(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    import numpy as np

    return (numbers * np.uint64(_ODD)) >> np.uint64(_WORD_BITS - _TAG_BITS)


def _tag(number: int) -> int:
    return (number * _ODD) % (1 << _WORD_BITS) >> (_WORD_BITS - _TAG_BITS)


def _digest(written: bytes) -> str:
    return hashlib.sha256(written).hexdigest()[:32]


def _ways(text: str) -> dict[bytes, str]:
    """Everything that a text can look like in a file: plain, in UTF-16, and escaped as JSON does."""
    escaped = (json.dumps(text, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False))
    ways = {one.encode("utf-8", "surrogatepass"): "json" for one in escaped}
    return ways | {text.encode(code, "surrogatepass"): code for code in _CODES}


def _read(piece: bytes, way: str) -> str:
    if way != "json":
        return piece.decode(way, "surrogatepass")
    return str(json.loads('"' + piece.decode("utf-8", "surrogatepass") + '"'))
