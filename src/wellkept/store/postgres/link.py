"""How statements, values and errors go to PostgreSQL and come back."""

from __future__ import annotations

import array
import json
import re
import sys
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors
from psycopg.adapt import AdaptersMap, Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper
from psycopg.types.string import BytesBinaryDumper, StrBinaryDumper, StrDumper, StrDumperUnknown, TextBinaryLoader
from psycopg_pool import PoolTimeout

from wellkept.errors import SchemaForeign, StoreBusy, StoreError
from wellkept.store.driver import UniqueClash
from wellkept.store.encoding import Halves, JsonText
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from psycopg.abc import AdaptContext

_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
# A list that is compared with is one value to the planner, and no table of unknown length.
_LIST = re.compile(
    r"(?P<not>NOT )?IN \(SELECT (?P<cast>CAST\()?(?P<alias>\w+)\.value(?: AS BIGINT\))? "
    r"FROM json_each\(CAST\(:(?P<list>\w+) AS TEXT\)\) AS (?P=alias)\)"
)
# Any other list is a table of its items. Citus knows what to do with `unnest`, and nothing of a function of ours.
_ITEMS = re.compile(r"json_each\(CAST\(:(?P<list>\w+) AS TEXT\)\)(?: AS (?P<alias>\w+))?")
_NO_VECTORS = (
    "pgvector is not installed in this database: vectors are kept as bytes and searched in this process. "
    "Answers are the same; the first search of a large scope takes longer. To change that, install pgvector before "
    "`wellkept db migrate` makes the tables."
)


class StoreNotice(UserWarning):
    """Something that works, and would work better otherwise."""


class TextList(str):
    """A list of texts as PostgreSQL writes it."""

    __slots__ = ()


class NumberList(str):
    """A list of numbers as PostgreSQL writes it."""

    __slots__ = ()


@lru_cache(maxsize=2048)
def _text_list(stored: str) -> TextList:
    items = (str(item).replace(_ESCAPE, _ESCAPE * 2).replace(_QUOTE, _ESCAPE + _QUOTE) for item in json.loads(stored))
    return TextList("{" + ",".join(f'"{item}"' for item in items) + "}")


def _number_list(stored: str) -> NumberList:
    return NumberList(f"{{{stored[1:-1]}}}")


_ESCAPE, _QUOTE = "\\", '"'
_LISTS: Mapping[str, Callable[[str], str]] = {"TEXT[]": _text_list, "BIGINT[]": _number_list}


@frozen
class Native:
    """A statement as PostgreSQL takes it: `$1` for its first parameter."""

    text: bytes
    names: tuple[tuple[str, str], ...]
    """Of each parameter its name, and of a list the type that it has."""

    def values(self, parameters: Mapping[str, Any]) -> list[Any]:
        """The values in the order of the statement."""
        return [
            parameters[name] if not kind or parameters[name] is None else _LISTS[kind](parameters[name])
            for name, kind in self.names
        ]


@lru_cache(maxsize=2048)
def native(sql: str) -> Native:
    """A statement with `:name` in it. JSON lists become arrays: the server reads them once."""
    names: dict[tuple[str, str], str] = {}

    def place(name: str, kind: str = "") -> str:
        return names.setdefault((name, kind), f"${len(names) + 1}")

    def compared(found: re.Match[str]) -> str:
        kind = "BIGINT[]" if found["cast"] else "TEXT[]"
        items = f"CAST({place(found['list'], kind)} AS {kind})"
        return f"<> ALL ({items})" if found["not"] else f"= ANY ({items})"

    def listed(found: re.Match[str]) -> str:
        alias = f" AS {found['alias']} (value)" if found["alias"] else ""
        return f"unnest(CAST({place(found['list'], 'TEXT[]')} AS TEXT[])){alias}"

    lists = _ITEMS.sub(listed, _LIST.sub(compared, sql))
    return Native(text=_PARAMETER.sub(lambda found: place(found[1]), lists).encode(), names=tuple(names))


@lru_cache(maxsize=2048)
def is_write(sql: str) -> bool:
    """Does it change something? What only reads may be run again."""
    return not sql.lstrip().upper().startswith(("SELECT", "WITH", "EXPLAIN", "SHOW"))


class _TruthDumper(Int8BinaryDumper):
    """Truth values are 0 and 1, as in every table."""

    def dump(self, obj: Any) -> Buffer | None:  # noqa: ANN401 -- the signature of Dumper
        return super().dump(int(obj))


class _TextListDumper(StrDumper):
    """As it is written."""

    oid = psycopg.adapters.types["text"].array_oid


class _NumberListDumper(StrDumper):
    """As it is written."""

    oid = psycopg.adapters.types["int8"].array_oid


class _HalvesDumper(Dumper):
    """Little-endian halves as pgvector sends them: a count, two empty bytes, big-endian halves."""

    format = Format.BINARY

    def dump(self, obj: Halves) -> Buffer:
        return (len(obj) // 2).to_bytes(2, "big") + b"\0\0" + _swapped(obj)


class _HalvesLoader(Loader):
    """The other way."""

    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return _swapped(bytes(data)[4:])


def _swapped(halves: bytes) -> bytes:
    values = array.array("H", halves)
    values.byteswap()
    return values.tobytes()


class _JsonText(TextBinaryLoader):
    """JSON as the text that it is; `jsonb` comes with a version before it."""

    format = Format.BINARY

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        super().__init__(oid, context)
        self._start = 1 if oid == psycopg.adapters.types["jsonb"].oid else 0

    def load(self, data: Buffer) -> str:
        return bytes(data)[self._start :].decode("utf-8")


class Adapters:
    """Texts, numbers and truth values with one type each, so that a statement is prepared once. An `AdaptContext`."""

    connection = None

    def __init__(self) -> None:
        self.adapters = known = AdaptersMap(psycopg.adapters)
        known.register_dumper(int, Int8BinaryDumper)
        known.register_dumper(bool, _TruthDumper)
        known.register_dumper(str, StrBinaryDumper)
        known.register_dumper(Halves, BytesBinaryDumper)
        known.register_dumper(JsonText, StrDumperUnknown)
        known.register_dumper(TextList, _TextListDumper)
        known.register_dumper(NumberList, _NumberListDumper)
        for name in ("json", "jsonb"):
            known.register_loader(name, _JsonText)

    def know_halves(self, oid: int) -> None:
        """Vectors as pgvector's type, when the database has it."""
        self.adapters.register_dumper(Halves, type("HalvesDumper", (_HalvesDumper,), {"oid": oid}))
        self.adapters.register_loader(oid, _HalvesLoader)


def notice_missing_vectors() -> None:
    """Once a process: the same store, a little slower."""
    warnings.warn(_NO_VECTORS, StoreNotice, stacklevel=2)


def is_lost(error: BaseException, connection: psycopg.Connection[Any]) -> bool:
    """Is the connection gone, and what was under way with it?"""
    return isinstance(error, (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)) or (
        isinstance(error, psycopg.OperationalError) and connection.closed
    )


def is_worker_lost(error: BaseException) -> bool:
    """Has the coordinator of a cluster lost the worker that a statement was sent to?"""
    return isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith("08")


_BUSY = (
    (errors.LockNotAvailable, "Another writer held the database for too long; nothing was written, try again."),
    (errors.DeadlockDetected, "Two writers were in each other's way; nothing was written, try again."),
    (errors.SerializationFailure, "Two writers were in each other's way; nothing was written, try again."),
    (errors.TooManyConnections, "The database takes no more connections; nothing was written, try again."),
    (PoolTimeout, "No connection to the database was free or could be made in time; nothing was written."),
)
_WORKER_LOST = "A worker of the database cluster could not be reached; nothing was written, try again."
_TEXTS = (errors.UntranslatableCharacter, errors.CharacterNotInRepertoire)


def ours(error: Exception) -> StoreError:
    """The errors of psycopg as ours. Of the server's messages only the first line, which holds no values."""
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    busy = next((message for kind, message in _BUSY if isinstance(error, kind)), None)
    if busy is not None or is_worker_lost(error):
        return StoreBusy(busy or _WORKER_LOST)
    match error:
        case errors.UniqueViolation():
            return UniqueClash(said or "unique violation")
        case UnicodeEncodeError():
            return StoreError("A text with half of a surrogate pair cannot be stored or found.", code="invalid_text")
        case psycopg.DataError() if isinstance(error, _TEXTS) or "NUL" in str(error):
            return StoreError("A text with a NUL in it cannot be stored or found.", code="invalid_text")
        case errors.UndefinedColumn() | errors.UndefinedTable():
            return SchemaForeign(said or "something is missing")
        case errors.DiskFull():
            return StoreError("The disk is full; nothing was written. Make room and try again.")
        case errors.InsufficientPrivilege():
            return StoreError(f"The database role may not do this: {said}.", code="not_permitted")
        case psycopg.OperationalError() if said is None:
            return StoreError("The connection to the database broke or could not be made; nothing was written.")
        case _:
            return StoreError(f"The database failed, nothing was written: {said or type(error).__name__}")


assert sys.byteorder == "little", "vectors are little-endian"
