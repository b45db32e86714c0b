"""What the state of a graph may hold, as tagged JSON; what JSON has no word for goes through LangGraph's serializer.

Never pickle, and what is loaded cannot name code: the serializer makes values of LangChain and LangGraph, and the data
classes (pydantic, dataclass, enum, named tuple) of modules that the program itself has imported. Of anything else the
plain data comes back.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, MissingExtra
from wellkept.store.tagged import KINDS, TAG, VALUE, Codec, Kind

try:
    import ormsgpack
    from langchain_core import messages as chat
    from langgraph.checkpoint.serde._msgpack import STRICT_MSGPACK_ENABLED
    from langgraph.checkpoint.serde.jsonplus import EXT_DELTA_SNAPSHOT, EXT_NUMPY_ARRAY, JsonPlusSerializer
    from langgraph.checkpoint.serde.types import _DeltaSnapshot
    from langgraph.types import Interrupt, Send
except ModuleNotFoundError as error:
    raise MissingExtra("LangGraph needs `pip install 'wellkept[langgraph]'`.") from error

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol

MESSAGES = (
    chat.AIMessage, chat.AIMessageChunk, chat.ChatMessage, chat.ChatMessageChunk, chat.FunctionMessage,
    chat.FunctionMessageChunk, chat.HumanMessage, chat.HumanMessageChunk, chat.RemoveMessage, chat.SystemMessage,
    chat.SystemMessageChunk, chat.ToolMessage, chat.ToolMessageChunk,
)  # fmt: skip
SERIALIZED = "graph.serialized"
PICKLE = "pickle"
PLAIN_FORMS = ("null", "bytes", "bytearray", "msgpack")
MODELS = {("pydantic.main", "BaseModel"), ("pydantic.v1.main", "BaseModel")}


def _made_of(kind: type) -> Callable[[Any], Any]:
    return lambda stored: kind(**stored)


def _send_plain(value: Send) -> dict[str, Any]:
    timeout = getattr(value, "timeout", None)
    return {"node": value.node, "arg": value.arg} | ({} if timeout is None else {"timeout": timeout})


# What a graph's state holds most: these are stored in clear.
READABLE = {
    **{
        f"message.{kind.__name__}": Kind(type=kind, plain=lambda value: value.model_dump(), made=_made_of(kind))
        for kind in MESSAGES
    },
    "graph.Send": Kind(type=Send, plain=_send_plain, made=_made_of(Send)),
    "graph.Interrupt": Kind(
        type=Interrupt,
        plain=lambda value: {"value": value.value, "id": value.id},
        made=lambda stored: Interrupt(value=stored["value"], id=stored["id"]),
    ),
    "graph.DeltaSnapshot": Kind(type=_DeltaSnapshot, plain=lambda value: value.value, made=_DeltaSnapshot),
    # An error is kept as what it said; nobody raises it again.
    "error": Kind(type=BaseException, plain=repr, made=str, holds_subclasses=True),
    **KINDS,
}


class Serializer(JsonPlusSerializer):
    """LangGraph's own, which names the class of what it stores; only data classes are made of it again."""

    def __init__(self) -> None:
        super().__init__(pickle_fallback=False, allowed_msgpack_modules=None)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:  # noqa: ANN401 -- whatever was stored
        """The value again; LANGGRAPH_STRICT_MSGPACK leaves only LangGraph's list and the types of the graph's state."""
        form, content = data
        if form not in PLAIN_FORMS:
            raise InvalidInput(f"A value stored as {form!r} is not read.", code="unknown_tag")
        if form != "msgpack" or STRICT_MSGPACK_ENABLED:
            return super().loads_typed(data)
        known = [name for name in _named(content) if _is_data_class(*name)]
        return JsonPlusSerializer.loads_typed(self.with_msgpack_allowlist(known), data)


def _named(content: bytes) -> set[tuple[str, str]]:
    """The classes that stored values name, at any depth."""
    found: set[tuple[str, str]] = set()

    def look(code: int, inner: bytes) -> None:
        if code == EXT_NUMPY_ARRAY:
            return
        value = ormsgpack.unpackb(inner, ext_hook=look, option=ormsgpack.OPT_NON_STR_KEYS)
        if code != EXT_DELTA_SNAPSHOT:
            found.add((str(value[0]), str(value[1])))

    ormsgpack.unpackb(content, ext_hook=look, option=ormsgpack.OPT_NON_STR_KEYS)
    return found


def _is_data_class(module: str, name: str) -> bool:
    """Whether the program has imported a class of this name that only holds data. Imports nothing."""
    found = getattr(sys.modules.get(module), name, None)
    if not isinstance(found, type):
        return False
    is_model = any((base.__module__, base.__name__) in MODELS for base in found.__mro__)
    is_named_tuple = issubclass(found, tuple) and hasattr(found, "_fields")
    is_secret = found.__module__ == "pydantic.types" and hasattr(found, "get_secret_value")
    return is_model or is_named_tuple or is_secret or issubclass(found, Enum) or dataclasses.is_dataclass(found)


class GraphCodec:
    """Values as text and back. With a serializer of the application's own, everything goes through that one."""

    def __init__(self, serde: SerializerProtocol, more: Mapping[str, Kind] | None = None) -> None:
        self._serde = serde
        # Kinds are tried in order: what no other kind takes is the serializer's.
        rest = Kind(type=object, plain=self._serialized, made=self._deserialized, holds_subclasses=True)
        self._codec = Codec(kinds={**(more or {}), **READABLE, SERIALIZED: rest})

    def dumps(self, value: object) -> str:
        """The value as JSON text."""
        if isinstance(self._serde, Serializer):
            return self._codec.dumps(value)
        return json.dumps({TAG: SERIALIZED, VALUE: self._serialized(value)})

    def loads(self, text: str) -> Any:  # noqa: ANN401 -- whatever was stored
        """The value again."""
        return self._codec.loads(text)

    def _serialized(self, value: object) -> list[str]:
        try:
            form, content = self._serde.dumps_typed(value)
        except (TypeError, ValueError) as error:
            kind = type(value).__name__
            raise InvalidInput(
                f"A value of type {kind} cannot be stored as JSON or msgpack.", code="not_json"
            ) from error
        if PICKLE in form:
            raise InvalidInput("A pickled value cannot be stored: use a serializer without pickle.", code="not_json")
        return [form, base64.b64encode(content).decode("ascii")]

    def _deserialized(self, stored: list[str]) -> Any:  # noqa: ANN401 -- whatever was stored
        form, content = stored
        if PICKLE in form:
            raise InvalidInput("A pickled value is not read.", code="unknown_tag")
        return self._serde.loads_typed((form, base64.b64decode(content, validate=True)))


CODEC = GraphCodec(Serializer())
