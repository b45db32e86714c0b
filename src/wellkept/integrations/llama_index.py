"""LlamaIndex: a memory block that tells an agent what is known, and learns from the messages it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.integrations.adapter import Tools, block, learn, missing, on_thread, said

try:
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.tools import FunctionTool
except ImportError as error:
    raise missing("LlamaIndex", "llama-index") from error

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage

    from wellkept.api import Viewpoint

__all__ = ["MemoryBlock", "tools"]


class MemoryBlock(BaseMemoryBlock[str]):
    """For `Memory.from_defaults(memory_blocks=[MemoryBlock(view)])`.

    LlamaIndex asks the block before every answer, and hands it messages when they leave the short-term memory; `aput`
    hands them over at any time.
    """

    _view: Any = PrivateAttr()

    def __init__(self, view: Viewpoint, **options: Any) -> None:  # noqa: ANN401 -- the fields of a block
        super().__init__(**({"name": "wellkept", "description": "What is known about the user."} | options))
        self._view = view

    async def _aget(self, messages: list[ChatMessage] | None = None, **_options: Any) -> str:  # noqa: ANN401 -- as LlamaIndex calls it
        words = [message.content for message in messages or () if message.role == "user" and message.content]
        return await on_thread(block, self._view, words[-1] if words else None)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        found = [one for message in messages for one in said(str(message.role.value), message.content or "")]
        await on_thread(learn, self._view, found)


def tools(view: Viewpoint) -> list[FunctionTool]:
    """`remember`, `recall` and `forget` for an agent, bound to this user."""
    return [FunctionTool.from_defaults(fn=tool) for tool in Tools(view).all]
