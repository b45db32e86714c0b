"""How values become columns and columns values: times, truth, lists, memories, and the checksum of a row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from enum import Enum, StrEnum
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, TypeVar

from wellkept.errors import DamagedRow
from wellkept.policies.todos import TodoKind, TodoStatus
from wellkept.types import Memory, Subtype
from wellkept.vocabulary import Authority, EdgeKind, EventType, Kind, MemoryType, Sensitivity, Space, State

Row = tuple[Any, ...]
Made = TypeVar("Made")
Word = TypeVar("Word", bound=StrEnum)
ENUMS = (Authority, EdgeKind, EventType, Kind, MemoryType, Sensitivity, Space, State)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NEVER = 2**62
"""Later than any time that is stored."""
SCOPE_STEP = 2**32
"""A place, which is a scope and a num in it, as one number: scope × this + num."""


def _encoder(**options: Any) -> Callable[[object], str]:  # noqa: ANN401 -- those of `JSONEncoder`
    """An encoder that makes the part written in C once: `JSONEncoder.encode` makes it anew for every value."""
    given = json.JSONEncoder(separators=(",", ":"), check_circular=False, **options)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # an interpreter without it
        return given.encode
    text = json.encoder.encode_basestring_ascii if given.ensure_ascii else json.encoder.encode_basestring
    encode = make(None, given.default, text, None, ":", ",", given.sort_keys, given.skipkeys, given.allow_nan)
    return lambda value: "".join(encode(value, 0))


compact = _encoder(ensure_ascii=False)
"""JSON without a space."""
canonical = _encoder(ensure_ascii=False, sort_keys=True, allow_nan=False)
"""JSON that is equal for equal values."""
plain = _encoder(sort_keys=True)
"""JSON in the letters of ASCII alone, equal for equal values."""


@lru_cache(maxsize=1024)
def micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC. The rows of one call share theirs."""
    return (moment - EPOCH) // MICROSECOND


def micros_or_none(moment: datetime | None) -> int | None:
    """The same, for a time that may be missing."""
    return None if moment is None else micros(moment)


def columns(record: object) -> dict[str, Any]:
    """The fields of a value as they are stored: times as microseconds, lists, sets and mappings as JSON."""
    return {name: _stored(value) for name, value in vars(record).items()}


def _stored(value: Any) -> Any:  # noqa: ANN401 -- of any field
    how = _BY_CLASS.get(value.__class__)
    if how is not None:
        return how(value)
    if isinstance(value, Enum):
        return str(value)
    return canonical(dict(value)) if isinstance(value, Mapping) else value


@lru_cache(maxsize=8192)
def moment(stored: int) -> datetime:
    """The time that was stored."""
    try:
        return EPOCH + timedelta(microseconds=stored)
    except (OverflowError, TypeError) as error:
        raise DamagedRow from error


def from_json(stored: str) -> Any:  # noqa: ANN401 -- JSON
    """The value that was stored as JSON."""
    try:
        return json.loads(stored)
    except (TypeError, ValueError) as error:
        raise DamagedRow from error


def word(kind: type[Word], stored: str) -> Word:
    """The word of a closed set that was stored."""
    try:
        return kind(stored)
    except ValueError as error:
        raise DamagedRow from error


def json_list(values: Collection[object]) -> str:
    """A JSON array; sets are sorted, so that equal sets are equal parameters."""
    if not values:
        return "[]"
    ordered = sorted(values, key=str) if isinstance(values, (set, frozenset)) else list(values)
    return compact(ordered)


def _listed(values: tuple[str, ...]) -> str:
    return _known_list(tuple(values)) if values else "[]"


@lru_cache(maxsize=2048)
def _known_list(values: tuple[str, ...]) -> str:
    return json_list(values)


@lru_cache(maxsize=2048)
def strings_of(stored: str) -> tuple[str, ...]:
    """The texts of a list that was stored."""
    return tuple(from_json(stored))


def _meta(meta: Mapping[str, Any]) -> str:
    return canonical(dict(meta)) if meta else "{}"


def _object(stored: str) -> dict[str, Any]:
    found: dict[str, Any] = {} if stored == "{}" else from_json(stored)
    return found


def _day(stored: int) -> date:
    return (EPOCH + timedelta(days=int(stored))).date()


def _same(value: Any) -> Any:  # noqa: ANN401 -- any column that is stored as it is
    return value


_BY_CLASS: Mapping[type, Callable[[Any], Any]] = {
    datetime: micros,
    bool: int,
    tuple: lambda value: canonical(list(value)),
    list: canonical,
    frozenset: json_list,
    **dict.fromkeys((str, int, float, type(None)), _same),
}


def _enum(kind: type[StrEnum]) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    return str, {str(member): member for member in kind}.__getitem__


_PLAIN = (_same, _same)
# How a field is stored and read back, unless it is null, by the type that it is declared with; others stay as they are.
_BY_TYPE: Mapping[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "bool": (int, bool),
    "float": (float, _same),
    "datetime": (micros, moment),
    "date": (_same, _day),
    "tuple[str, ...]": (_listed, strings_of),
    "Mapping[str, Any]": (_meta, _object),
    "Mapping[str, str]": (_meta, _object),
    **{kind.__name__: _enum(kind) for kind in (*ENUMS, TodoKind, TodoStatus)},
}


def _codecs(kind: type) -> dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]:
    return {one.name: _BY_TYPE.get(str(one.type).removesuffix(" | None"), _PLAIN) for one in fields(kind)}


@cache
def _reading(kind: Any) -> tuple[tuple[str, ...], tuple[tuple[str, Callable[[Any], Any]], ...]]:  # noqa: ANN401 -- a class
    """The fields of a record, and those of them that are not stored as they are."""
    codecs = _codecs(kind)
    return tuple(codecs), tuple((name, decode) for name, (_, decode) in codecs.items() if decode is not _same)


def record_of(kind: type[Made], row: Sequence[Any], **known: Any) -> Made:  # noqa: ANN401 -- the values of any field
    """The record of a row whose columns stand in the order of its fields. `known`: fields that are not in the row."""
    names, decoders = _reading(kind)  # type: ignore[arg-type]  # a class is hashable
    values = dict(zip([name for name in names if name not in known] if known else names, row, strict=False))
    try:
        for name, decode in decoders:
            if values.get(name) is not None:
                values[name] = decode(values[name])
    except KeyError as error:  # a word that is none of its closed set
        raise DamagedRow from error
    return kind(**values, **known)


CODECS = {name: codec for name, codec in _codecs(Memory).items() if name != "subtype"}
"""Field of Memory → to the column, and from the column; in the order of the block `memory_columns`."""
COLUMNS = (*CODECS, "entity_type", "fact_type")
# Most columns are stored as they are: only the others are visited when a row is written or read.
_ENCODERS = tuple((name, encode) for name, (encode, _) in CODECS.items() if encode is not _same)
_DECODERS = tuple((place, decode) for place, (_, decode) in enumerate(CODECS.values()) if decode is not _same)
_NAMES = (*CODECS, "subtype")
_SUBTYPE = len(CODECS)
# A checksum a row finds bytes that changed on the disk, in what is shown and in what decides who may see it. It is made
# when a row is written. Memories, their texts and messages are compared with it when they are read, all tables by the
# doctor. It tells rot from a write, not a forger: that is what the ledger is for. Where a row stands is not part of it,
# so that a row keeps it when a store moves.
_TEXT = ("content", "quote", "steps")
_UNSUMMED = frozenset({"tenant", *_TEXT, "access_count", "last_accessed_at"})
"""Of a memory: its text has a row and a checksum of its own, and to count a look changes nothing of it."""
NO_SUM = -1
"""The checksum of nothing that was ever written."""
SUMMED: Mapping[str, tuple[str, ...]] = {
    "memories": (*(name for name in COLUMNS if name not in _UNSUMMED), "subject_count", "sole_subject"),
    "versions": ("at", *_TEXT),
    "messages": (
        "id", "user_id", "persona_id", "chat_id", "chat_type", "session_id", "role", "speaker", "content", "at",
        "arrived_at", "confidential",
    ),
    "edges": ("kind", "src", "dst", "strength", "stated_by", "at"),
    "vectors": ("piece", "model", "vector"),
    "traces": ("body",),
    "policies": ("snapshot",),
    "persons": ("name", "created_by", "created_at", "merged_into"),
    "aliases": ("norm", "position", "is_name", "value", "added_by"),
    "relationships": ("position", "relationship", "stated_by", "other_person_id"),
    "session_states": ("message_count", "last_interaction", "last_user_message"),
    "rolling_summaries": ("at", "message_count", "content"),
    "session_summaries": ("at", "body", "error"),
    "spines": ("at", "message_count", "total", "content"),
    "todos": ("kind", "text", "status", "due_at", "updated_at", "completed_at", "mention_count"),
}  # fmt: skip
"""Table → the columns that its checksum covers."""
_REAL = frozenset({"importance", "confidence", "strength"})
_READ = (*COLUMNS, "subject_count", "sole_subject", "at", "checksum", "text checksum")
"""A row of `memory_columns`."""
_OF_MEMORY, _OF_TEXT = (itemgetter(*map(_READ.index, SUMMED[table])) for table in ("memories", "versions"))
_SUM, _TEXT_SUM = _READ.index("checksum"), _READ.index("text checksum")


def checksum(table: str, row: Mapping[str, Any]) -> int:
    """The checksum of a row that is about to be written; a column that it does not name is null."""
    columns = SUMMED[table]
    # A whole number is stored as a real one where the column is one.
    reals = {name: float(row[name]) for name in _REAL.intersection(columns) if row.get(name) is not None}
    return summed([reals.get(name, row.get(name)) for name in columns])


def summed(values: Sequence[Any]) -> int:
    """The checksum of values as they are stored, in the order of `SUMMED`."""
    try:
        if isinstance(values[-1], bytes | memoryview):  # a vector
            return zlib.crc32(values[-1], summed(values[:-1]))
        return zlib.crc32(compact(values).encode("utf-8", "surrogatepass"))
    except TypeError:  # bytes where a text or a number was written
        return NO_SUM


def columns_of(memory: Memory) -> dict[str, Any]:
    """The parameters that store a memory, text included."""
    columns = memory.__dict__.copy()
    for name, encode in _ENCODERS:
        value = columns[name]
        if value is not None:
            columns[name] = encode(value)
    subjects = memory.subject_person_ids
    columns["entity_type"] = memory.subtype.entity_type
    columns["fact_type"] = memory.subtype.fact_type
    columns["dies_at"] = micros_or_none(memory.dies_at)
    columns["subject_count"] = len(subjects)
    columns["sole_subject"] = subjects[0] if len(subjects) == 1 else None
    return columns


@lru_cache(maxsize=64)
def _subtype(entity_type: Any, fact_type: Any) -> Subtype:  # noqa: ANN401 -- two closed sets of words
    return Subtype(entity_type=entity_type, fact_type=fact_type)


def memory_from(row: Row) -> Memory:
    """The memory of a row of `memory_columns`, unless its bytes have changed since it was written.

    A row without a checksum was written by an earlier release.
    """
    if (row[_SUM] is not None and row[_SUM] != summed(_OF_MEMORY(row))) or (
        row[_TEXT_SUM] is not None and row[_TEXT_SUM] != summed(_OF_TEXT(row))
    ):
        raise DamagedRow(f"Memory {row[0]}")
    return decoded(row)


def decoded(row: Row) -> Memory:
    """The memory of values in the order of `COLUMNS`.

    A frozen dataclass sets its fields one by one through `object`; a recall reads a hundred rows of sixty fields, so
    here they are set all at once.
    """
    values = list(row)
    try:
        for place, decode in _DECODERS:
            stored = values[place]
            if stored is not None:
                values[place] = decode(stored)
    except (KeyError, DamagedRow) as error:  # KeyError: a word that is none of its closed set
        raise DamagedRow(f"Memory {row[0]}") from error
    values[_SUBTYPE] = _subtype(values[_SUBTYPE], values[_SUBTYPE + 1])
    memory = object.__new__(Memory)
    memory.__dict__.update(zip(_NAMES, values, strict=False))
    return memory


class Halves(bytes):
    """One vector as little-endian 16-bit floats; a database that knows vectors stores it as one."""

    __slots__ = ()


class JsonText(str):
    """JSON for a column of the type JSON; a database that knows JSON stores it as such."""

    __slots__ = ()
