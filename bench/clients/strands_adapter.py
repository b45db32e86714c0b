"""The adapters for Strands with the real framework and a scripted model: `python strands_adapter.py`."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks import Checks, example
from strands import Agent
from strands.memory import AddMessagesContext, MemoryManager
from strands.models import Model
from strands.session.file_session_manager import FileSessionManager
from strands.session.repository_session_manager import RepositorySessionManager
from strands.types.exceptions import SessionException
from strands.types.session import Session, SessionAgent, SessionMessage, SessionType

import wellkept
from wellkept.errors import InvalidInput
from wellkept.integrations.strands import Sessions, UserStore

if TYPE_CHECKING:
    from strands.session.session_repository import SessionRepository

checks = Checks()


class Scripted(Model):
    """Says the same always, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def update_config(self, **config: Any) -> None:
        """Nothing to set."""

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *rest: Any, **options: Any) -> AsyncIterator[dict[str, Any]]:
        self.asked.append(f"{messages} {rest} {options}")
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": "Luigi's."}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


def story(repository: SessionRepository) -> list[object]:
    """The same calls on any repository; what they gave."""
    told: list[object] = []
    repository.create_session(Session(session_id="one", session_type=SessionType.AGENT, created_at="c", updated_at="u"))
    told.append(repository.read_session("one"))
    told.append(repository.read_session("none"))
    agent = SessionAgent("a", {"x": 1}, {"y": b"\x00\xff"}, created_at="c", updated_at="u")
    repository.create_agent("one", agent)
    told += [repository.read_agent("one", "a"), repository.read_agent("one", "none")]
    repository.update_agent("one", SessionAgent("a", {"x": 2}, {}, created_at="later", updated_at="v"))
    told.append(repository.read_agent("one", "a"))
    for number in range(12):
        message = {"role": "user", "content": [{"text": f"text {number}"}, {"image": {"source": {"bytes": b"\x01"}}}]}
        repository.create_message("one", "a", SessionMessage(message, number, created_at="c", updated_at="u"))
    told += [repository.list_messages("one", "a"), repository.list_messages("one", "a", limit=2, offset=9)]
    told += [repository.read_message("one", "a", 3), repository.read_message("one", "a", 99)]
    changed = SessionMessage({"role": "user", "content": [{"text": "redacted"}]}, 3, updated_at="w")
    repository.update_message("one", "a", changed)
    told.append(repository.read_message("one", "a", 3))
    for call in (
        lambda: repository.create_session(Session(session_id="one", session_type=SessionType.AGENT)),
        lambda: repository.update_agent("one", SessionAgent("none", {}, {})),
        lambda: repository.update_message("one", "a", SessionMessage({"role": "user", "content": []}, 77)),
        lambda: repository.list_messages("one", "none"),
    ):
        try:
            call()
        except SessionException:
            told.append("refused")
    return told


async def main(memory: wellkept.Memory) -> None:
    alice, bob = memory.at(user="alice", chat="dm-alice"), memory.at(user="bob", chat="dm-bob")
    store = UserStore(alice)
    with checks("searches what was added"):
        assert await store.add("My wife Sarah likes Italian food")
        found = await store.search("Italian food", {"max_search_results": 1})
        assert "Sarah" in found[0].content
        assert found[0].metadata["id"]
    with checks("another user's store knows nothing of it"):
        assert await UserStore(bob).search("Italian food") == []
    with checks("refuses what it cannot keep"):
        for text, metadata in (("x", {"a": 1}), ("", None)):
            try:
                await store.add(text, metadata)
            except InvalidInput:
                continue
            raise AssertionError("it was not refused")
    with checks("learns from messages, each once"):
        messages = [{"role": "user", "content": [{"text": "We keep two goats"}]}]
        for _ in range(2):
            await store.add_messages(messages, AddMessagesContext(sequence_numbers=[7]))
        assert [hit.text for hit in alice.recall("goats", sources=["messages"])] == ["We keep two goats"]
    with checks("an agent is told what is known, and the tool takes no identity"):
        model = Scripted()
        agent = Agent(model=model, memory_manager=MemoryManager([store], add_tool_config=True), callback_handler=None)
        await agent.invoke_async("Where do we eat Italian food?")
        assert "Sarah" in model.asked[0]
        specs = [agent.tool_registry.registry[name].tool_spec for name in agent.tool_names]
        names = {name for spec in specs for name in spec["inputSchema"]["json"]["properties"]}
        assert names <= {"query", "entries", "stores", "max_search_results"}, names
    with checks("sessions answer as Strands' own on files"):
        ours = story(Sessions(alice))
        theirs = story(FileSessionManager("files", storage_dir=tempfile.mkdtemp()))
        for one, other in zip(ours, theirs, strict=True):
            assert one == other, (one, other)
    with checks("a session goes on in another agent, and is the user's own"):
        for number in (1, 2):
            session = RepositorySessionManager("talk", session_repository=Sessions(alice))
            agent = Agent(model=Scripted(), session_manager=session, agent_id="a", callback_handler=None)
            await agent.invoke_async("Hello")
            assert len(agent.messages) == 2 * number, agent.messages
        assert Sessions(bob).read_session("talk") is None
        Sessions(alice).delete_session("talk")
        assert Sessions(alice).read_session("talk") is None
        assert Sessions(alice).read_message("talk", "a", 0) is None


with wellkept.open(str(Path(tempfile.mkdtemp()) / "memory.db")) as opened:
    asyncio.run(main(opened))
with checks("its example runs"):
    assert "Your favorite color is teal." in example("strands_agent")
checks.done()
