"""Fingerprints of texts: what must be found nowhere can be looked for again, and yet nobody can read it meanwhile."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import field
from typing import TYPE_CHECKING

from wellkept.errors import StoreBusy, StoreError
from wellkept.store.contract import Fingerprint
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

WINDOW = 8
"""The last bytes of a text lead to the places where it may stand. Many texts begin alike, few end so."""
AGAIN_MAX = 2
"""How often files that change while they are read are read again."""
CHANGED = "files that changed while they were read"
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


@frozen
class Search:
    """What was found in files, and whether that is all there is to find."""

    found: Mapping[str, bool] = field(default_factory=dict)
    """Texts that stand in the files, each with `is_reply`."""
    bytes: int = 0
    """How many were looked through."""
    gap: str = ""
    """Why some bytes were not looked through; empty when all were."""


def search(prints: Collection[Fingerprint], files: Callable[[], Iterable[Path]]) -> Search:
    """Look for these texts in the files. When one of them shrinks or vanishes meanwhile, all are read again."""
    done = _search_once(prints, files())
    for _ in range(AGAIN_MAX):
        if done.gap != CHANGED:
            break
        done = _search_once(prints, files())
    return done


def _search_once(prints: Collection[Fingerprint], files: Iterable[Path]) -> Search:
    if not prints:
        return Search()
    import numpy as np

    wanted: dict[int, dict[int, dict[str, Fingerprint]]] = defaultdict(lambda: defaultdict(dict))
    for one in prints:
        wanted[one.tag][one.length][one.digest] = one
    is_wanted = np.zeros(1 << _TAG_BITS, dtype=bool)
    is_wanted[list(wanted)] = True
    reach = max(one.length for one in prints) - 1
    found: dict[str, bool] = {}
    looked = 0
    try:
        for path in files:
            for content, seen in _with_overlap(chunks(path), reach):
                looked += len(content) - seen
                for end, tag in _places(content, seen, is_wanted):
                    for text, is_reply in _standing(content, end, wanted[tag]):
                        found[text] = found.get(text, True) and is_reply
    except StoreBusy:
        return Search(found=found, bytes=looked, gap=CHANGED)
    except StoreError as error:
        return Search(found=found, bytes=looked, gap=f"files that could not be read ({error})")
    return Search(found=found, bytes=looked)


def _with_overlap(pieces: Iterable[bytes], reach: int) -> Iterator[tuple[bytes, int]]:
    """Each piece behind the last bytes before it, and how many those are: a text may begin in an earlier piece."""
    before = b""
    for piece in pieces:
        content = before + piece
        yield content, len(before)
        before = content[-reach:]


def _standing(content: bytes, end: int, wanted: Mapping[int, dict[str, Fingerprint]]) -> Iterator[tuple[str, bool]]:
    """The texts that end here. What was found once is looked for no more."""
    for length, own in wanted.items():
        if not own or end < length:
            continue
        piece = content[end - length : end]
        one = own.pop(_digest(piece), None)
        if one is not None:
            yield _read(piece, one.way), one.is_reply


def _places(content: bytes, seen: int, is_wanted: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where, behind the bytes seen before, one of the texts may end, each place with the tag of its last bytes."""
    import numpy as np

    first = max(seen - WINDOW + 1, 0)
    for offset in range(first, min(first + WINDOW, len(content) - WINDOW + 1)):
        own = _tags(np.frombuffer(content, dtype="<u8", offset=offset, count=(len(content) - offset) // WINDOW))
        for hit in np.flatnonzero(is_wanted[own]):
            yield offset + WINDOW * (int(hit) + 1), int(own[hit])


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
