"""Pydantic AI: a toolset that knows the user, and the message history of a session, kept and learned from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellkept.integrations.adapter import History, Tools, block, learn, missing, on_thread, said, threaded

try:
    from pydantic_ai import FunctionToolset, ModelMessagesTypeAdapter, ModelRequest, ModelResponse, RunContext
    from pydantic_ai.messages import TextPart, UserPromptPart
except ImportError as error:
    raise missing("Pydantic AI", "pydantic-ai") from error

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from wellkept.api import Viewpoint

__all__ = ["MessageHistory", "toolset"]


def toolset(view: Viewpoint) -> FunctionToolset[Any]:
    """For `Agent(toolsets=[…])`: `remember`, `recall` and `forget`, and the context block in the instructions."""

    async def known(context: RunContext[Any]) -> str:
        prompt = context.prompt if isinstance(context.prompt, str) else None
        return await on_thread(block, view, prompt)

    return FunctionToolset([*Tools(view).all], id="wellkept", instructions=known)


class MessageHistory:
    """The messages of one session: load them before a run, add the new ones after it.

    Every message comes back as it was, without the instructions of its run. What the user and the agent said is also
    learned from.
    """

    def __init__(self, view: Viewpoint, session_id: str) -> None:
        self._view = view
        self._history = History(view, "pydantic-ai", session_id)

    def load(self) -> list[ModelMessage]:
        return ModelMessagesTypeAdapter.validate_python(self._history.items())

    def add(self, messages: Sequence[ModelMessage]) -> None:
        """Keep new messages: `history.add(result.new_messages())`."""
        # Instructions are made anew for every run; kept, they would hold what was forgotten meanwhile.
        kept = [replace(one, instructions=None) if isinstance(one, ModelRequest) else one for one in messages]
        self._history.add(ModelMessagesTypeAdapter.dump_python(kept, mode="json"))
        learn(self._view, [one for message in messages for one in _said(message)])

    def clear(self) -> None:
        """Take all messages away; memories stay."""
        self._history.clear()

    aload = threaded(load)
    aadd = threaded(add)


def _said(message: ModelMessage) -> Iterator[dict[str, Any]]:
    if isinstance(message, ModelRequest):
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                content = [part.content] if isinstance(part.content, str) else part.content
                yield from said("user", "\n".join(one for one in content if isinstance(one, str)))
    elif isinstance(message, ModelResponse):
        yield from said("assistant", "\n".join(part.content for part in message.parts if isinstance(part, TextPart)))
