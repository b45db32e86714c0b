"""The files of an export, read as a stream: a file, a folder, or a zip archive within limits."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from wellkept.errors import ImportDamaged, InvalidInput, TooLarge
from wellkept.values import frozen

CHUNK = 1 << 16
ELEMENT_MAX = 1 << 26
"""Characters of one conversation: more than that is held in memory by no import."""
WHOLE_MAX = 1 << 28
"""Bytes of a file that is one JSON object and has to be read as a whole."""
ARCHIVE_MAX = 1 << 34
"""Bytes that the files of an archive may have when they are unpacked."""
RATIO_MAX = 500
"""So many times its size a file of an archive may have when it is unpacked; text has less than 30."""
HEAD = 1 << 16


@frozen
class Part:
    """One file of an export."""

    name: str
    size: int
    at: datetime | None
    """When it was last changed."""
    open: Callable[[], IO[bytes]]


class Parts:
    """The files of an export that fit, in order. `done` and `total` are bytes."""

    def __init__(self, path: Path, fits: Callable[[str], bool]) -> None:
        """`fits` chooses among the files of a folder or an archive by their names; a single file is always read."""
        self._parts = tuple(sorted(_parts(path, fits), key=lambda part: part.name))
        if not self._parts:
            raise InvalidInput(f"There is nothing to import in {path}.", code="nothing_to_import")
        self.total = sum(part.size for part in self._parts)
        self._before = 0
        self._stream: IO[bytes] | None = None

    @property
    def done(self) -> int:
        """So many bytes are read."""
        return self._before + (self._stream.tell() if self._stream is not None else 0)

    def __iter__(self) -> Iterator[tuple[Part, IO[bytes]]]:
        self._before = 0
        for part in self._parts:
            with part.open() as stream:
                self._stream = stream
                yield part, stream
                self._stream = None
            self._before += part.size

    def fingerprint(self) -> str:
        """Tells one export from another: names, sizes and how each file begins."""
        found = hashlib.sha256()
        for part in self._parts:
            with part.open() as stream:
                found.update(f"{part.name}\0{part.size}\0".encode() + stream.read(HEAD))
        return found.hexdigest()[:32]


def _parts(path: Path, fits: Callable[[str], bool]) -> Iterator[Part]:
    if path.is_dir():
        for file in path.rglob("*"):
            name = file.relative_to(path).as_posix()
            if file.is_file() and fits(name) and not any(part.startswith(".") for part in Path(name).parts):
                yield _file(file, name)
    elif zipfile.is_zipfile(path):
        yield from _archived(path, fits)
    else:
        yield _file(path, path.name)


def _file(path: Path, name: str) -> Part:
    told = path.stat()
    at = datetime.fromtimestamp(told.st_mtime, UTC)
    return Part(name=name, size=told.st_size, at=at, open=lambda: path.open("rb"))


def _archived(path: Path, fits: Callable[[str], bool]) -> Iterator[Part]:
    archive = zipfile.ZipFile(path)
    chosen = [one for one in archive.infolist() if not one.is_dir() and fits(one.filename)]
    if sum(one.file_size for one in chosen) > ARCHIVE_MAX or any(_is_bomb(one) for one in chosen):
        archive.close()
        raise TooLarge(f"{path.name} unpacks to more than an export has; unpack it and import the files.")
    for one in chosen:
        at = datetime(*one.date_time, tzinfo=UTC) if one.date_time[0] >= 1980 else None  # noqa: PLR2004 -- zip's first year
        yield Part(name=one.filename, size=one.file_size, at=at, open=_opener(archive, one))


def _opener(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        try:
            return archive.open(one)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise ImportDamaged(one.filename, 1, f"the archive cannot be unpacked ({error})") from None

    return opened


def _is_bomb(one: zipfile.ZipInfo) -> bool:
    return one.file_size > CHUNK and one.file_size > RATIO_MAX * max(one.compress_size, 1)


def text_of(part: Part, stream: IO[bytes]) -> str:
    """A file as a whole; what is no UTF-8 or too large is an error that names it."""
    if part.size > WHOLE_MAX:
        raise TooLarge(f"{part.name} has more than {WHOLE_MAX:,} bytes; split it.")
    raw = stream.read(WHOLE_MAX + 1)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportDamaged(part.name, raw.count(b"\n", 0, error.start) + 1, "it is not valid UTF-8") from None


def lines_of(part: Part, stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, each with its number."""
    for number, raw in enumerate(iter(lambda: stream.readline(ELEMENT_MAX + 1), b""), start=1):
        if len(raw) > ELEMENT_MAX:
            raise ImportDamaged(part.name, number, "the line is too long")
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise ImportDamaged(part.name, number, "it is not valid UTF-8") from None
        if line:
            yield number, line


def elements_of(part: Part, stream: IO[bytes], keys: tuple[str, ...] = ()) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON array one by one, each with the line it begins in: never more than one is in memory.

    Of an object, the elements of the lists under `keys`.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="\n")
    try:
        yield from _Elements(part, text, keys)
    except UnicodeDecodeError:
        raise ImportDamaged(part.name, 1, "it is not valid UTF-8") from None
    finally:
        text.detach()


class _Elements:
    """Reads an array through a window that grows only when an element does not fit."""

    def __init__(self, part: Part, text: io.TextIOWrapper, keys: tuple[str, ...]) -> None:
        self._part, self._text, self._keys = part, text, keys
        self._window, self._at, self._line = "", 0, 1
        self._decoder = json.JSONDecoder()

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        first = self._next()
        if first == "{" and self._keys:
            yield from self._of_object()
            return
        if first != "[":
            raise ImportDamaged(self._part.name, self._line, "a JSON array was expected")
        self._at += 1
        while self._next() != "]":
            yield self._line, self._element()

    def _next(self) -> str:
        """The first character that is neither space nor comma."""
        while True:
            while self._at < len(self._window) and self._window[self._at] in " \t\r\n,":
                self._line += self._window[self._at] == "\n"
                self._at += 1
            if self._at < len(self._window):
                return self._window[self._at]
            if not self._more():
                raise ImportDamaged(self._part.name, self._line, "the file ends in the middle")

    def _more(self) -> bool:
        self._window = self._window[self._at :]
        self._at = 0
        read = self._text.read(max(CHUNK, len(self._window)))
        self._window += read
        return bool(read)

    def _element(self) -> Any:  # noqa: ANN401 -- JSON
        while True:
            try:
                value, end = self._decoder.raw_decode(self._window, self._at)
            except (ValueError, RecursionError) as error:
                is_long = len(self._window) - self._at > ELEMENT_MAX
                if is_long or not self._more():
                    raise self._damage(error) from None
                continue
            if end == len(self._window) and self._more():
                continue  # a number may go on
            self._line += self._window.count("\n", self._at, end)
            self._at = end
            return value

    def _damage(self, error: Exception) -> ImportDamaged:
        if isinstance(error, json.JSONDecodeError):
            line = self._line + self._window.count("\n", self._at, error.pos)
            return ImportDamaged(self._part.name, line, f"it is not valid JSON ({error.msg})")
        return ImportDamaged(self._part.name, self._line, "it is nested too deep")

    def _of_object(self) -> Iterator[tuple[int, Any]]:
        if self._part.size > WHOLE_MAX:
            raise TooLarge(f"{self._part.name} has more than {WHOLE_MAX:,} bytes; split it.")
        begun = self._line
        whole = self._element()
        found = [whole[key] for key in self._keys if isinstance(whole.get(key), list)]
        if not found:
            raise ImportDamaged(self._part.name, begun, f"it has none of {', '.join(self._keys)}")
        for elements in found:
            yield from ((begun, one) for one in elements)


def record_of(part: Part, line: int, text: str) -> Mapping[str, Any]:
    """A JSON object of one line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
        raise ImportDamaged(part.name, line, f"it is not valid JSON ({reason})") from None
    if not isinstance(value, dict):
        raise ImportDamaged(part.name, line, "a JSON object was expected")
    return value
