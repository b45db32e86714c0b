"""What the state of a graph may hold, as tagged JSON: messages and LangGraph's own marks. Anything else is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wellkept.errors import MissingExtra
from wellkept.store.tagged import KINDS, Codec, Kind

try:
    from langchain_core import messages as chat
    from langgraph.checkpoint.serde.types import _DeltaSnapshot
    from langgraph.types import Interrupt, Send
except ModuleNotFoundError as error:
    raise MissingExtra("LangGraph needs `pip install wellkept[langgraph]`.") from error

MESSAGES = (
    chat.AIMessage, chat.AIMessageChunk, chat.ChatMessage, chat.ChatMessageChunk, chat.FunctionMessage,
    chat.FunctionMessageChunk, chat.HumanMessage, chat.HumanMessageChunk, chat.RemoveMessage, chat.SystemMessage,
    chat.SystemMessageChunk, chat.ToolMessage, chat.ToolMessageChunk,
)  # fmt: skip


def _made_of(kind: type) -> Callable[[Any], Any]:
    return lambda stored: kind(**stored)


# What a graph's state may hold besides JSON: messages, and LangGraph's own marks. Anything else is refused.
CODEC = Codec(
    kinds={
        **{
            f"message.{kind.__name__}": Kind(type=kind, plain=lambda value: value.model_dump(), made=_made_of(kind))
            for kind in MESSAGES
        },
        "graph.Send": Kind(
            type=Send,
            plain=lambda value: {"node": value.node, "arg": value.arg},
            made=lambda stored: Send(stored["node"], stored["arg"]),
        ),
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
)
