"""Strands Agents: a memory store that recalls and learns, and a repository that keeps sessions in the same store."""

from __future__ import annotations

import json
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.integrations.adapter import Records, learn, missing, on_thread, remembered, said

try:
    from strands.memory import MemoryEntry, MemoryStore
    from strands.session.session_repository import SessionRepository
    from strands.types.exceptions import SessionException
    from strands.types.session import Session, SessionAgent, SessionMessage
except ImportError as error:
    raise missing("Strands", "strands") from error

if TYPE_CHECKING:
    from strands.memory import AddMessagesContext, ExtractionConfig, SearchOptions
    from strands.multiagent import MultiAgentBase
    from strands.types.content import Message

    from wellkept.api import Viewpoint

__all__ = ["Sessions", "UserStore"]
FRAMEWORK = "strands"
FOUND = 5


class UserStore(MemoryStore):
    """For `Agent(memory_manager=MemoryManager([UserStore(view)]))`: one user's memory.

    With `extraction` (the default: every fifth turn) Strands hands over what is said, and wellkept reads it for facts.
    """

    def __init__(self, view: Viewpoint, *, name: str = "wellkept", extraction: ExtractionConfig | bool = True) -> None:
        self.name = name
        self.description = "What is known about the user and the people they speak of."
        self.max_search_results = FOUND
        self.writable = True
        self.extraction = extraction
        self._view = view
        self._run = token_hex(6)

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        """What is known that bears on the query, best first."""
        limit = (options or {}).get("max_search_results") or FOUND
        hits = await on_thread(lambda: [*self._view.recall(query, limit=limit)])
        return [MemoryEntry(content=hit.text, metadata={"id": hit.id, "score": hit.score}) for hit in hits]

    async def add(self, content: str, metadata: dict[str, Any] | None = None) -> str:
        """Remember a text; its id. Metadata is refused, and so is what the gate refuses."""
        if metadata:
            raise InvalidInput("metadata is not kept: leave it out.", code="unsupported_option")
        return (await on_thread(remembered, self._view, content)).id or ""

    async def add_messages(self, messages: list[Message], context: AddMessagesContext | None = None) -> None:
        """Learn from what was said; Strands may hand a message over twice, and its number says so."""
        numbers = (context.sequence_numbers if context else None) or [None] * len(messages)
        found = [
            one
            for message, number in zip(messages, numbers, strict=True)
            for one in said(
                message["role"],
                "\n".join(part["text"] for part in message["content"] if "text" in part),
                message_id=None if number is None else f"{FRAMEWORK}-{self._run}-{number}",
            )
        ]
        await on_thread(learn, self._view, found)


class Sessions(SessionRepository):
    """For `RepositorySessionManager(session_id, session_repository=Sessions(view))`: one user's sessions.

    A session with its agents and messages comes back as it was; secrets in texts are masked.
    """

    def __init__(self, view: Viewpoint) -> None:
        self._view = view

    def _at(self, *path: str) -> Records:
        return Records(self._view, FRAMEWORK, *path)

    def create_session(self, session: Session, **_options: Any) -> Session:  # noqa: ANN401 -- as Strands calls it
        if self._at().get(session.session_id) is not None:
            raise SessionException(f"Session {session.session_id} already exists")
        self._at().put(session.session_id, _plain(session.to_dict()))
        return session

    def read_session(self, session_id: str, **_options: Any) -> Session | None:  # noqa: ANN401 -- as Strands calls it
        found = self._at().get(session_id)
        return None if found is None else Session.from_dict(found)

    def delete_session(self, session_id: str) -> None:
        if self._at().get(session_id) is None:
            raise SessionException(f"Session {session_id} does not exist")
        with self._at().together():
            for path in self._at(session_id).below():
                below = self._at(session_id, *path)
                below.remove(below.all())
            self._at().remove([session_id])

    def create_agent(self, session_id: str, session_agent: SessionAgent, **_options: Any) -> None:  # noqa: ANN401 -- as Strands calls it
        self._at(session_id, "agents").put(session_agent.agent_id, _plain(session_agent.to_dict()))

    def read_agent(self, session_id: str, agent_id: str, **_options: Any) -> SessionAgent | None:  # noqa: ANN401 -- as Strands calls it
        found = self._at(session_id, "agents").get(agent_id)
        return None if found is None else SessionAgent.from_dict(found)

    def update_agent(self, session_id: str, session_agent: SessionAgent, **_options: Any) -> None:  # noqa: ANN401 -- as Strands calls it
        before = self.read_agent(session_id, session_agent.agent_id)
        if before is None:
            raise SessionException(f"Agent {session_agent.agent_id} in session {session_id} does not exist")
        session_agent.created_at = before.created_at
        self.create_agent(session_id, session_agent)

    def create_message(self, session_id: str, agent_id: str, session_message: SessionMessage, **_options: Any) -> None:  # noqa: ANN401 -- as Strands calls it
        key = _key(session_message.message_id)
        self._at(session_id, "messages", agent_id).put(key, _plain(session_message.to_dict()))

    def read_message(self, session_id: str, agent_id: str, message_id: int, **_options: Any) -> SessionMessage | None:  # noqa: ANN401 -- as Strands calls it
        found = self._at(session_id, "messages", agent_id).get(_key(message_id))
        return None if found is None else SessionMessage.from_dict(found)

    def update_message(self, session_id: str, agent_id: str, session_message: SessionMessage, **_options: Any) -> None:  # noqa: ANN401 -- as Strands calls it
        """Another form of a message that is there, as when a guardrail redacts it."""
        before = self.read_message(session_id, agent_id, session_message.message_id)
        if before is None:
            raise SessionException(f"Message {session_message.message_id} does not exist")
        session_message.created_at = before.created_at
        self.create_message(session_id, agent_id, session_message)

    def list_messages(
        self,
        session_id: str,
        agent_id: str,
        limit: int | None = None,
        offset: int = 0,
        **_options: Any,  # noqa: ANN401 -- as Strands calls it
    ) -> list[SessionMessage]:
        if self.read_agent(session_id, agent_id) is None:
            raise SessionException(f"Agent {agent_id} in session {session_id} does not exist")
        found = [*self._at(session_id, "messages", agent_id).all().values()]
        page = found[offset:] if limit is None else found[offset : offset + limit]
        return [SessionMessage.from_dict(one) for one in page]

    def create_multi_agent(self, session_id: str, multi_agent: MultiAgentBase, **_options: Any) -> None:  # noqa: ANN401 -- as Strands calls it
        self._at(session_id, "teams").put(multi_agent.id, _plain(multi_agent.serialize_state()))

    def read_multi_agent(self, session_id: str, multi_agent_id: str, **_options: Any) -> dict[str, Any] | None:  # noqa: ANN401 -- as Strands calls it
        found: dict[str, Any] | None = self._at(session_id, "teams").get(multi_agent_id)
        return found

    def update_multi_agent(self, session_id: str, multi_agent: MultiAgentBase, **_options: Any) -> None:  # noqa: ANN401 -- as Strands calls it
        if self.read_multi_agent(session_id, multi_agent.id) is None:
            raise SessionException(f"MultiAgent state {multi_agent.id} in session {session_id} does not exist")
        self.create_multi_agent(session_id, multi_agent)


def _key(message_id: int) -> str:
    return f"{message_id:012}"


def _plain(value: dict[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    """Without Strands' own subclasses of text."""
    return json.loads(json.dumps(value))
