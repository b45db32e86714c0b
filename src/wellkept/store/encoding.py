"""How values become columns and columns values: times, truth, lists, memories, and the checksum of a row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar

from wellkept.errors import DamagedRow
from wellkept.types import Memory, Subtype
from wellkept.vocabulary import Authority, EventType, Kind, MemoryType, Sensitivity, Space, State

Row = tuple[Any, ...]
Word = TypeVar("Word", bound=StrEnum)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NEVER = 2**62
"""Later than any time that is stored."""
SCOPE_STEP = 2**32
"""A place, which is a scope and a num in it, as one number: scope × this + num."""


def _encoder(given: json.JSONEncoder) -> Callable[[object], str]:
    """Its `encode`, which makes the part that is written in C anew for every value: here it is made once."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # an interpreter without it
        return given.encode
    separators = (given.key_separator, given.item_separator)
    text = json.encoder.encode_basestring_ascii if given.ensure_ascii else json.encoder.encode_basestring
    encode = make(None, given.default, text, None, *separators, given.sort_keys, given.skipkeys, given.allow_nan)
    return lambda value: "".join(encode(value, 0))


# Made once: `json.dumps` makes an encoder for every call that asks for something of its own.
compact = _encoder(json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False))
"""JSON without a space."""
canonical = _encoder(
    json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False)
)
"""JSON that is equal for equal values."""
plain = _encoder(json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False))
"""JSON in the letters of ASCII alone, equal for equal values."""
quoted: Callable[[str], str] = json.encoder.encode_basestring
"""A text as all of them but `plain` write it."""


@lru_cache(maxsize=1024)
def micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC. The rows of one call share theirs."""
    return (moment - EPOCH) // MICROSECOND


def micros_or_none(moment: datetime | None) -> int | None:
    """The same, for a time that may be missing."""
    return None if moment is None else micros(moment)


def columns(record: object) -> dict[str, Any]:
    """The fields of a value as they are stored: times as microseconds, lists and mappings as JSON."""
    return {name: _stored(value) for name, value in vars(record).items()}


def _stored(value: Any) -> Any:  # noqa: ANN401 -- of any field
    match value:
        case datetime():
            return micros(value)
        case bool():
            return int(value)
        case Enum():
            return str(value)
        case tuple() | list():
            return canonical(list(value))
        case Mapping():
            return canonical(dict(value))
        case _:
            return value


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


def _same(value: Any) -> Any:  # noqa: ANN401 -- any column that is stored as it is
    return value


_PLAIN = (_same, _same)
_TRUTH = (int, bool)
_TIME = (micros, moment)
_LIST = (_listed, strings_of)


def _enum(kind: type) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    members = {str(member): member for member in kind}  # type: ignore[attr-defined]  # an Enum iterates
    return str, members.__getitem__


# Field of Memory → (to the column unless it is None, from the column unless it is null), in the order of the block
# `memory_columns`.
CODECS: Mapping[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "id": _PLAIN,
    "tenant": _PLAIN,
    "version": _PLAIN,
    "content": _PLAIN,
    "quote": _PLAIN,
    "steps": _LIST,
    "language": _PLAIN,
    "type": _enum(MemoryType),
    "kind": _enum(Kind),
    "event_type": _enum(EventType),
    "category": _PLAIN,
    "tags": _LIST,
    "space": _enum(Space),
    "owner": _PLAIN,
    "persona_id": _PLAIN,
    "agent_id": _PLAIN,
    "run_id": _PLAIN,
    "actor_id": _PLAIN,
    "role": _PLAIN,
    "subject_person_ids": _LIST,
    "stated_by": _PLAIN,
    "learned_in": _PLAIN,
    "learned_in_type": _PLAIN,
    "source": _PLAIN,
    "origin": _PLAIN,
    "source_username": _PLAIN,
    "source_display_name": _PLAIN,
    "source_session_id": _PLAIN,
    "source_message_id": _PLAIN,
    "entity_refs": _LIST,
    "entity_label": _PLAIN,
    "memory_key": _PLAIN,
    "fact_key": _PLAIN,
    "discriminator": _PLAIN,
    "value": _PLAIN,
    "sensitivity": _enum(Sensitivity),
    "portable": _TRUTH,
    "confidential": _TRUTH,
    "importance": (float, _same),
    "pinned": _TRUTH,
    "confidence": (float, _same),
    "authority": _enum(Authority),
    "authority_reason": _PLAIN,
    "is_correction": _TRUTH,
    "mention_count": _PLAIN,
    "access_count": _PLAIN,
    "state": _enum(State),
    "archive_reason": _PLAIN,
    "created_at": _TIME,
    "observed_at": _TIME,
    "updated_at": _TIME,
    "last_accessed_at": _TIME,
    "event_at": _TIME,
    "expires_at": _TIME,
    "purge_at": _TIME,
    "valid_from": _TIME,
    "valid_to": _TIME,
    "superseded_at": _TIME,
    "superseded_by": _PLAIN,
    "tick": _PLAIN,
    "phase_id": _PLAIN,
    "meta": (_meta, _object),
}
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


def leaving_columns(memory: Memory) -> dict[str, Any]:
    """The parameters that store a state that a memory left the living for."""
    return {
        "tenant": memory.tenant,
        "id": memory.id,
        "version": memory.version,
        "state": str(memory.state),
        "archive_reason": memory.archive_reason,
        "superseded_at": micros_or_none(memory.superseded_at),
        "superseded_by": memory.superseded_by,
        "valid_to": micros_or_none(memory.valid_to),
        "updated_at": micros(memory.updated_at),
    }


def retold_columns(memory: Memory) -> dict[str, Any]:
    """The parameters that store what a memory is told to be now: its text, of whom, and when."""
    subjects = memory.subject_person_ids
    return {
        "tenant": memory.tenant,
        "id": memory.id,
        "version": memory.version,
        "content": memory.content,
        "quote": memory.quote,
        "steps": _listed(memory.steps),
        "updated_at": micros(memory.updated_at),
        "tick": memory.tick,
        "phase_id": memory.phase_id,
        "confidential": int(memory.confidential),
        "subject_count": len(subjects),
        "sole_subject": subjects[0] if len(subjects) == 1 else None,
        "subject_person_ids": _listed(subjects),
        "meta": _meta(memory.meta),
    }


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
