"""The adapters for Google ADK with the real framework and a scripted model: `python google_adk_adapter.py`."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from checks import Checks, example
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.memory.base_memory_service import BaseMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai import types

import wellkept
from wellkept.errors import InvalidInput
from wellkept.integrations.google_adk import MemoryService, SessionService

checks = Checks()


def content(text: str, role: str = "user") -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])


def event(text: str, number: float, **delta: object) -> Event:
    actions = EventActions(state_delta=dict(delta))
    return Event(
        id=f"e{number}", author="user", content=content(text), timestamp=number, invocation_id="i", actions=actions
    )


async def story(service: BaseSessionService) -> list[object]:
    """The same calls on any service; what they gave."""
    told: list[object] = []
    place = {"app_name": "app", "user_id": "alice", "session_id": "one"}
    made = await service.create_session(**place, state={"a": 1, "user:b": 2, "app:c": 3, "temp:d": 4})
    told.append(made.state)
    try:
        await service.create_session(**place)
    except AlreadyExistsError as error:
        told.append(str(error))
    for number in range(1, 5):
        await service.append_event(made, event(f"text {number}", number, a=number, **{"user:b": number, "temp:x": 1}))
    await service.append_event(made, event("text 4", 4, a=4, **{"user:b": 4}))
    await service.append_event(made, Event(id="p", author="user", partial=True, invocation_id="i"))
    other = await service.create_session(app_name="app", user_id="alice", session_id="two")
    told.append(other.state)
    for config in (None, GetSessionConfig(num_recent_events=2), GetSessionConfig(after_timestamp=3),
                   GetSessionConfig(num_recent_events=0)):  # fmt: skip
        found = await service.get_session(**place, config=config)
        told.append((found.state, [one.id for one in found.events], found.events))
    told.append((await service.get_session(**place)).last_update_time)
    await service.append_event(other, event("late", 9e9))
    told.append([one.id for one in (await service.list_sessions(app_name="app", user_id="alice")).sessions])
    told.append(await service.get_user_state(app_name="app", user_id="alice"))
    nobodies = ({"user_id": "bob"}, {"app_name": "other"}, {"session_id": "none"})
    told += [await service.get_session(**(place | nobody)) for nobody in nobodies]
    told.append([one.id for one in (await service.list_sessions(app_name="app", user_id="bob")).sessions])
    await service.delete_session(**place)
    told.append(await service.get_session(**place))
    try:
        await service.append_event(made, event("too late", 10))
    except SessionNotFoundError as error:
        told.append(str(error))
    return told


async def main(memory: wellkept.Memory) -> None:
    sessions, memories = SessionService(memory), MemoryService(memory)
    with checks("are ADK's services"):
        assert isinstance(sessions, BaseSessionService)
        assert isinstance(memories, BaseMemoryService)
    with checks("sessions answer as ADK's own in memory"):
        ours, theirs = await story(sessions), await story(InMemorySessionService())
        for one, other in zip(ours, theirs, strict=True):
            assert one == other, (one, other)
    with checks("sessions are there after a restart, without a stranger's"):
        await sessions.create_session(app_name="app", user_id="kim", session_id="s", state={"x": 1})
        found = await SessionService(memory).get_session(app_name="app", user_id="kim", session_id="s")
        assert found.state["x"] == 1
        try:
            await sessions.list_sessions(app_name="app")
        except InvalidInput as error:
            code = error.code
        assert code == "no_owner"
    with checks("a session is learned from, once"):
        session = await sessions.create_session(app_name="app", user_id="alice", session_id="talk")
        await sessions.append_event(session, event("My wife Sarah likes Italian food", 20))
        for _ in range(2):
            await memories.add_session_to_memory(session)
        found = await memories.search_memory(app_name="app", user_id="alice", query="Italian food")
        texts = [entry.content.parts[0].text for entry in found.memories]
        assert texts.count("My wife Sarah likes Italian food") == 1, texts
    with checks("another user finds nothing of it"):
        found = await memories.search_memory(app_name="app", user_id="bob", query="Italian food")
        assert found.memories == []
    with checks("memories are added and deleted"):
        entry = MemoryEntry(content=content("My locker is 42"))
        await memories.add_memory(app_name="app", user_id="alice", memories=[entry])
        found = await memories.search_memory(app_name="app", user_id="alice", query="locker")
        await memories.delete_memory(app_name="app", user_id="alice", memory_id=found.memories[0].id)
        found = await memories.search_memory(app_name="app", user_id="alice", query="locker")
        assert "42" not in str(found)
        await memories.add_events_to_memory(app_name="app", user_id="alice", events=[event("We keep two goats", 30)])
        assert "goats" in str(await memories.search_memory(app_name="app", user_id="alice", query="goats"))
    with checks("what cannot be kept is refused"):
        try:
            await memories.add_events_to_memory(
                app_name="app", user_id="alice", events=[], custom_metadata={"ttl": "1d"}
            )
        except InvalidInput as error:
            code = error.code
        assert code == "unsupported_option"


with wellkept.open(str(Path(tempfile.mkdtemp()) / "memory.db")) as opened:
    asyncio.run(main(opened))
with checks("its example runs"):
    assert "Your favorite color is teal." in example("google_adk_agent")
checks.done()
