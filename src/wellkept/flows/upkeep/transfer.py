"""Export and import: everything of a tenant, or of one user, as lines of JSON that can be checked one by one."""

from __future__ import annotations

import json
import zlib
from typing import IO, TYPE_CHECKING, Any

from wellkept.errors import BadLine, InvalidInput, NotEmpty, UnknownUser
from wellkept.flows.upkeep import embedding, merge_import
from wellkept.policies.secrets import detector
from wellkept.store.encoding import plain
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from wellkept.flows.engine import Engine

FORMAT = 1
HEADER, END = "wellkept", "end"
HEADER_BEFORE = "recollect"
"""The header of exports made under the project's earlier name, which are still read."""
BY_HAND = "_by_hand"
"""Marks a line that has no check sum."""
LINE_MAX = 64 * 1024 * 1024
"""Characters of a line; the largest that is written is a checkpoint."""


@frozen
class Transferred:
    """How many lines of each type went out or came in, and what became of the memories of a merge."""

    counts: Mapping[str, int]
    outcomes: Mapping[str, int]


def export(
    engine: Engine,
    file: IO[str],
    *,
    tenants: Sequence[str],
    user: str | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Transferred:
    """Write everything of these tenants, or what belongs to a user. The same content gives the same bytes."""
    counts: dict[str, int] = {}
    for tenant in tenants:
        if user is not None and not engine.store.is_known(tenant, user):
            raise UnknownUser
        begun = 0
        file.write(_text({"_type": HEADER, "format": FORMAT, "tenant": tenant, "user": user}))
        for line in engine.store.lines(tenant, user):
            file.write(_text(line))
            counts[line["_type"]] = counts.get(line["_type"], 0) + 1
            begun += 1
            if begun % 1_000 == 0:
                progress(sum(counts.values()))
        file.write(_text({"_type": END, "lines": begun}))
    return Transferred(counts=counts, outcomes={})


def import_(
    engine: Engine,
    file: IO[str],
    *,
    merge: bool = False,
    tenant: str | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Transferred:
    """Read a whole export, then store it, all or nothing. `tenant`: into this one instead of the file's."""
    checked, read = _Sum(file), _Sum(file)
    for number, line in _sections(checked, engine):  # every line is looked at before anything is stored
        if not merge and BY_HAND in line:
            _check_words(number, line)
    counts: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    file.seek(0)
    with engine.store.transaction():
        for header, lines in _split(read):
            place, user = tenant or str(header["tenant"]), header.get("user")
            if merge:
                _add(outcomes, merge_import.merge(place, lines, engine, progress=progress))
                continue
            if not engine.store.is_empty(place, user):
                raise NotEmpty("Something is stored there already: import into an empty store, or use --merge.")
            _add(counts, engine.store.load(place, _told(lines, progress)))
            if engine.model is not None and engine.store.unembedded(place, engine.model, limit=1):
                embedding.later(place, engine, now=engine.clock())
        if read.value != checked.value:
            raise BadLine(1, "the file has changed while it was read")
    return Transferred(counts=counts, outcomes=outcomes)


class _Sum:
    """The lines of a file, none of them held beyond the limit, with a check sum of those that were read."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.value = 0

    def __iter__(self) -> Iterator[str]:
        while text := self._file.readline(LINE_MAX + 1):
            self.value = zlib.crc32(text.encode("utf-8", "surrogatepass"), self.value)
            yield text


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for name, number in more.items():
        total[name] = total.get(name, 0) + number


def _told(lines: Iterator[tuple[int, dict[str, Any]]], progress: Callable[[int], None]) -> Iterator[tuple[int, Any]]:
    for number, line in lines:
        if number % 1_000 == 0:
            progress(number)
        yield number, line


def _split(file: Iterable[str]) -> Iterator[tuple[dict[str, Any], Iterator[tuple[int, dict[str, Any]]]]]:
    """Each tenant's header with its lines; the lines must be read before the next header is asked for."""
    reading = _sections(file, None)
    for _, line in reading:
        if line["_type"] == HEADER:
            yield line, _until_end(reading)


def _until_end(reading: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in reading:
        if line["_type"] == END:
            return
        line.pop(BY_HAND, None)
        yield number, line


def _sections(file: Iterable[str], engine: Engine | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line with its number; a file that stops in the middle is damaged where it stops.

    With an engine each line is checked; without one they have been.
    """
    number, begun = 0, None
    try:
        for number, text in enumerate(file, start=1):
            line = _parsed(number, text, is_checked=engine is None)
            kind = line["_type"]
            if (kind == HEADER) == (begun is not None):
                raise BadLine(
                    number, "an export begins with its header" if begun is None else "its end is missing before"
                )
            if kind == HEADER:
                _check_header(number, line)
            if kind == END and line.get("lines") != number - (begun or 0) - 1:
                raise BadLine(number, "lines are missing before it")
            if engine is not None and kind not in (HEADER, END):
                _checked(number, line, engine)
            begun = number if kind == HEADER else None if kind == END else begun
            yield number, line
    except UnicodeDecodeError:
        raise BadLine(number + 1, "it is not valid UTF-8") from None
    if begun is not None or number == 0:
        raise BadLine(number + 1, "the file ends before its end line")


def _check_header(number: int, line: Mapping[str, Any]) -> None:
    tenant, user = line.get("tenant"), line.get("user")
    if line.get("format") != FORMAT:
        raise BadLine(number, "it was written by another release")
    if not isinstance(tenant, str) or not tenant or not isinstance(user, str | None):
        raise BadLine(number, "it does not say whose it is")


def _parsed(number: int, text: str, *, is_checked: bool) -> dict[str, Any]:
    if len(text) > LINE_MAX:
        raise BadLine(number, "it is longer than any line that was ever written")
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        raise BadLine(number, "it is not valid JSON") from None
    if not isinstance(line, dict) or not isinstance(line.get("_type"), str):
        raise BadLine(number, "it is no object with a _type")
    told = line.pop("_crc", None)
    if told is not None and not is_checked and told != _crc(line):
        raise BadLine(number, "it is not as it was written")
    if line["_type"] == HEADER_BEFORE:
        line["_type"] = HEADER
    return line if told is not None else line | {BY_HAND: True}


def _check_words(number: int, line: Mapping[str, Any]) -> None:
    """What was not written by an export but by hand passes the gate for secrets. A merge asks it of every line."""
    said = (line.get(name) for name in ("content", "quote", "new", "value", "text"))
    if any(isinstance(text, str) and detector.has_secret(text) for text in said):
        raise BadLine(number, "it holds what may be a secret")


def _checked(number: int, line: Mapping[str, Any], engine: Engine) -> None:
    is_by_hand = BY_HAND in line
    try:
        engine.store.check_line(
            {name: value for name, value in line.items() if name != BY_HAND} if is_by_hand else line
        )
    except InvalidInput as error:
        raise BadLine(number, str(error)) from None


def _text(line: Mapping[str, Any]) -> str:
    """A line with its check sum; control characters and separators of lines are escaped."""
    return json.dumps({**line, "_crc": _crc(line)}, ensure_ascii=True, separators=(",", ":")) + "\n"


def _crc(line: Mapping[str, Any]) -> int:
    return zlib.crc32(plain(line).encode("ascii"))
