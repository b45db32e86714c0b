"""AutoGen: a `Memory` that puts what is known into an agent's context, and learns from what the user says."""

from __future__ import annotations

import json
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.integrations.adapter import Records, block, learn, missing, on_thread, remembered, said

try:
    from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.models import SystemMessage, UserMessage
except ImportError as error:
    raise missing("AutoGen", "autogen") from error

if TYPE_CHECKING:
    from autogen_core import CancellationToken
    from autogen_core.model_context import ChatCompletionContext

    from wellkept.api import Viewpoint

__all__ = ["UserMemory"]
READABLE = {MemoryMimeType.TEXT.value, MemoryMimeType.MARKDOWN.value, MemoryMimeType.JSON.value}


class UserMemory(Memory):
    """For `AssistantAgent(memory=[UserMemory(view)])`: one user's memory, whoever the agents of a team are."""

    def __init__(self, view: Viewpoint) -> None:
        self._view = view
        self._added = Records(view, "autogen")
        self._run = token_hex(6)

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """The context block on what the user said last, as a system message; the words are learned from."""
        messages = await model_context.get_messages()
        found = [(number, one.content) for number, one in enumerate(messages) if isinstance(one, UserMessage)]
        texts = [(number, text) for number, text in found if isinstance(text, str)]
        query = texts[-1][1] if texts else ""
        if texts:
            number, words = texts[-1]
            # An agent asks again in the same turn: the same words at the same place are learned from once.
            mark = sha256(f"{self._run} {number} {words}".encode()).hexdigest()[:24]
            await on_thread(learn, self._view, said("user", words, message_id=f"autogen-{mark}"))
        known = await on_thread(block, self._view, query)
        await model_context.add_message(SystemMessage(content=known))
        return UpdateContextResult(memories=await self.query(query) if query else MemoryQueryResult(results=[]))

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: CancellationToken | None = None,  # noqa: ARG002 -- as AutoGen calls it
        **options: Any,  # noqa: ANN401 -- as AutoGen calls it
    ) -> MemoryQueryResult:
        """What is known that bears on the query, best first; `limit` is the only option."""
        if odd := sorted(options.keys() - {"limit"}):
            raise InvalidInput(f"query does not take {odd[0]!r}.", code="unsupported_option")
        text = _text(query) if isinstance(query, MemoryContent) else query
        hits = await on_thread(lambda: [*self._view.recall(text, **options)])
        return MemoryQueryResult(results=[await on_thread(self._content, hit.id, hit.text, hit.score) for hit in hits])

    def _content(self, memory_id: str, text: str, score: float) -> MemoryContent:
        added = self._added.get(memory_id) or {}
        metadata = {**added.get("metadata", {}), "id": memory_id, "score": score}
        return MemoryContent(content=text, mime_type=MemoryMimeType.TEXT, metadata=metadata)

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:  # noqa: ARG002 -- as AutoGen calls it
        """Remember a text, with its metadata. Images and bytes are refused."""
        await on_thread(self._add, content)

    def _add(self, content: MemoryContent) -> None:
        outcome = remembered(self._view, _text(content))
        for one in (outcome, *outcome.others):
            if one.id is not None:
                self._added.put(one.id, {"metadata": content.metadata or {}})

    async def clear(self) -> None:
        """Forget what was added through `add`; what the user said elsewhere stays. `restore` brings it back."""
        await on_thread(self._clear)

    def _clear(self) -> None:
        live = {one.id for one in self._view.list(limit=1_000)}
        for memory_id in self._added.all():
            if memory_id in live:
                self._view.forget(memory_id)
            self._added.remove([memory_id])

    async def close(self) -> None:
        """Nothing to do: whoever opened the memory closes it."""


def _text(content: MemoryContent) -> str:
    kind = content.mime_type.value if isinstance(content.mime_type, MemoryMimeType) else content.mime_type
    if kind not in READABLE or not isinstance(content.content, (str, dict)):
        raise InvalidInput(f"{kind} cannot be remembered: give a text.", code="unsupported_content")
    return content.content if isinstance(content.content, str) else json.dumps(content.content, ensure_ascii=False)
