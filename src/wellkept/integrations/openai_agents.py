"""OpenAI Agents SDK: a session that is kept and learned from, instructions that know the user, and memory tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellkept.integrations.adapter import History, Tools, block, learn, missing, on_thread, said, threaded

if TYPE_CHECKING:
    from agents import Agent, FunctionTool, RunContextWrapper, SessionSettings, TResponseInputItem

    from wellkept.api import Viewpoint

__all__ = ["Session", "instructions", "tools"]
PARTS = ("input_text", "output_text", "text")


class Session:
    """The SDK's `Session`: every item comes back as it was given; what is said is also learned from.

    >>> import asyncio, tempfile, wellkept
    >>> with wellkept.open(tempfile.mkdtemp() + "/memory.db", embedder="none", worker="off") as memory:
    ...     session = Session(memory.at(user="alice", chat="dm-alice"), "monday")
    ...     asyncio.run(session.add_items([{"role": "user", "content": "Hello"}]))
    ...     asyncio.run(session.get_items())
    [{'role': 'user', 'content': 'Hello'}]
    """

    def __init__(self, view: Viewpoint, session_id: str, *, settings: SessionSettings | None = None) -> None:
        self.session_id = session_id
        self.session_settings = settings
        self._view = view
        self._history = History(view, "openai-agents", session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        most = self.session_settings.limit if limit is None and self.session_settings else limit
        return await on_thread(self._history.items, most)

    def _add(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Keep items, and learn from what the user and the agent said."""
        self._history.add(items)
        learn(self._view, [one for item in items for one in said(item.get("role"), _text(item))])

    add_items = threaded(_add)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the latest item away, as the SDK does before a retry."""
        found: TResponseInputItem | None = await on_thread(self._history.pop)
        return found

    async def clear_session(self) -> None:
        """Take all items away; memories stay."""
        await on_thread(self._history.clear)


def instructions(view: Viewpoint, text: str) -> Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]:
    """`Agent(instructions=…)`: this text, and below it what the user's memory says on what they just said."""

    async def told(context: RunContextWrapper[Any], _agent: Agent[Any]) -> str:
        words = [_text(item) for item in context.turn_input if isinstance(item, dict) and item.get("role") == "user"]
        known = await on_thread(block, view, words[-1] if words else None)
        return f"{text}\n\n{known}"

    return told


def tools(view: Viewpoint) -> list[FunctionTool]:
    """`remember`, `recall` and `forget` for `Agent(tools=…)`, bound to this user."""
    try:
        from agents import function_tool
    except ImportError as error:
        raise missing("The OpenAI Agents SDK", "openai-agents") from error
    return [function_tool(tool) for tool in Tools(view).all]


def _text(item: Mapping[str, Any]) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, dict) and part.get("type") in PARTS)
