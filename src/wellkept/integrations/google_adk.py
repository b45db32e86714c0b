"""Google ADK: a `MemoryService` that recalls and learns, and a `SessionService` on the same store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.integrations.adapter import History, Records, learn, missing, on_thread, remembered, said, threaded

try:
    from google.adk.errors.already_exists_error import AlreadyExistsError
    from google.adk.errors.session_not_found_error import SessionNotFoundError
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
    from google.adk.sessions.session import Session
    from google.adk.sessions.state import State
    from google.genai import types
except ImportError as error:
    raise missing("Google ADK", "google-adk") from error

if TYPE_CHECKING:
    from wellkept.api import Memory, Viewpoint

__all__ = ["MemoryService", "SessionService"]
FRAMEWORK = "google-adk"
USER = "user"
Places = Callable[[str, str], "Viewpoint"]
"""(app, user) → the viewpoint. ADK hands services the ids that the application gave its runner."""


def places(memory: Memory) -> Places:
    """Every user of an app in a private chat with it."""
    return lambda app, user: memory.at(user=user, chat=f"{app}:{user}")


class MemoryService(BaseMemoryService):
    """For `Runner(memory_service=…)`: sessions are learned from, `load_memory` and `preload_memory` recall.

    `at` makes the viewpoint of an app's user where a private chat is not what the app is.
    """

    def __init__(self, memory: Memory, *, at: Places | None = None) -> None:
        self._at = at or places(memory)

    async def add_session_to_memory(self, session: Session) -> None:
        """Learn from a session; events that were learned from before are left out, by their ids."""
        await on_thread(self._learn, session.app_name, session.user_id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,  # noqa: ARG002 -- as ADK calls it
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        _refuse(custom_metadata)
        await on_thread(self._learn, app_name, user_id, events)

    def _learn(self, app_name: str, user_id: str, events: Sequence[Event]) -> None:
        messages = [
            one
            for event in events
            for one in said(USER if event.author == USER else "assistant", _text(event.content), message_id=event.id)
        ]
        learn(self._at(app_name, user_id), messages)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remember these texts; one that the gate refuses is an error with its code."""
        _refuse(custom_metadata)
        view = self._at(app_name, user_id)
        for entry in memories:
            _refuse(entry.custom_metadata)
            await on_thread(remembered, view, _text(entry.content))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """What the user may know that bears on the query, best first."""
        found = await on_thread(lambda: [*self._at(app_name, user_id).recall(query)])
        return SearchMemoryResponse(
            memories=[
                MemoryEntry(
                    id=hit.id,
                    content=types.Content(role=USER, parts=[types.Part(text=hit.text)]),
                    author=hit.stated_by or USER,
                    timestamp=hit.at.isoformat() if hit.at else None,
                )
                for hit in found
            ]
        )

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        if memory_id:
            await on_thread(self._at(app_name, user_id).forget, memory_id)


class SessionService(BaseSessionService):
    """For `Runner(session_service=…)`: sessions with their events and state, erased with their user."""

    def __init__(self, memory: Memory, *, at: Places | None = None) -> None:
        self._memory = memory
        self._at = at or places(memory)

    def _create(
        self, *, app_name: str, user_id: str, state: dict[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        """A new session; `app:` and `user:` state is shared, `temp:` is not kept."""
        name = (session_id or "").strip() or token_hex(16)
        sessions = self._sessions(app_name, user_id)
        with sessions.together():
            if sessions.get(name) is not None:
                raise AlreadyExistsError(f"Session with id {name} already exists.")
            sessions.put(name, {"state": {}, "updated": self._memory.engine.clock().timestamp()})
            self._apply(app_name, user_id, name, state or {})
        found = self._get(app_name=app_name, user_id=user_id, session_id=name)
        assert found is not None, "it was just made"
        return found

    create_session = threaded(_create)

    def _get(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        session_id = session_id.strip()
        kept = self._sessions(app_name, user_id).get(session_id)
        if kept is None:
            return None
        most = config.num_recent_events if config else None
        after = config.after_timestamp if config else None
        items = self._events(app_name, user_id, session_id).items(most)
        events = [Event.model_validate(item) for item in items]
        if after is not None:
            events = [event for event in events if event.timestamp >= after]
        return self._session(app_name, user_id, session_id, kept, events)

    get_session = threaded(_get)

    def _session(
        self, app_name: str, user_id: str, session_id: str, kept: Mapping[str, Any], events: list[Event]
    ) -> Session:
        shared = {
            **{State.APP_PREFIX + name: value for name, value in self._app(app_name).all().items()},
            **{State.USER_PREFIX + name: value for name, value in self._user(app_name, user_id).all().items()},
        }
        return Session(
            app_name=app_name,
            user_id=user_id,
            id=session_id,
            state={**kept["state"], **shared},
            events=events,
            last_update_time=kept["updated"],
        )

    def _list(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """The sessions of a user without their events, the last changed at the end. Whose must be said."""
        if user_id is None:
            raise InvalidInput("Whose sessions? Sessions are listed for one user_id.", code="no_owner")
        kept = self._sessions(app_name, user_id).all()
        found = [self._session(app_name, user_id, name, one, []) for name, one in kept.items()]
        return ListSessionsResponse(sessions=sorted(found, key=lambda one: (one.last_update_time, one.id)))

    list_sessions = threaded(_list)

    def _delete(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Take a session away with its events; memories and the user's state stay."""
        self._events(app_name, user_id, session_id.strip()).clear()
        self._sessions(app_name, user_id).remove([session_id.strip()])

    delete_session = threaded(_delete)

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """The user's state in this app, without `user:`."""
        return await on_thread(self._user(app_name, user_id).all)

    async def append_event(self, session: Session, event: Event) -> Event:
        """Keep an event and the state it changes; the same event again changes nothing."""
        if event.partial:
            return event
        held = await super().append_event(session=session, event=event)
        session.last_update_time = event.timestamp
        await on_thread(self._append, session, held)
        return held

    def _append(self, session: Session, event: Event) -> None:
        place = (session.app_name, session.user_id, session.id)
        sessions, item = self._sessions(*place[:2]), event.model_dump(mode="json", exclude_none=True)
        with sessions.together():
            kept = sessions.get(session.id)
            if kept is None:
                raise SessionNotFoundError(f"Session {session.id} not found.")
            history = self._events(*place)
            if item in [one for one in history.items() if one.get("id") == item["id"]]:
                return
            history.add([item])
            sessions.put(session.id, {**kept, "updated": event.timestamp})
            self._apply(*place, event.actions.state_delta if event.actions else {})

    def _apply(self, app_name: str, user_id: str, session_id: str, delta: Mapping[str, Any]) -> None:
        own = {}
        for name, value in delta.items():
            if name.startswith(State.APP_PREFIX):
                self._app(app_name).put(name.removeprefix(State.APP_PREFIX), value)
            elif name.startswith(State.USER_PREFIX):
                self._user(app_name, user_id).put(name.removeprefix(State.USER_PREFIX), value)
            elif not name.startswith(State.TEMP_PREFIX):
                own[name] = value
        if own:
            sessions = self._sessions(app_name, user_id)
            kept = sessions.get(session_id)
            sessions.put(session_id, {**kept, "state": {**kept["state"], **own}})

    def _sessions(self, app_name: str, user_id: str) -> Records:
        return Records(self._at(app_name, user_id), FRAMEWORK, app_name, "sessions")

    def _user(self, app_name: str, user_id: str) -> Records:
        return Records(self._at(app_name, user_id), FRAMEWORK, app_name, "state")

    def _app(self, app_name: str) -> Records:
        """What all users of an app share is kept under a name that no user has by chance."""
        return Records(self._memory.at(user=f"{FRAMEWORK} app {app_name}"), FRAMEWORK, "state")

    def _events(self, app_name: str, user_id: str, session_id: str) -> History:
        return History(self._at(app_name, user_id), f"{FRAMEWORK} {app_name}", session_id)


def _text(content: types.Content | None) -> str:
    parts = content.parts or () if content else ()
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _refuse(metadata: Mapping[str, object] | None) -> None:
    if metadata:
        raise InvalidInput("custom_metadata is not kept: leave it out.", code="unsupported_option")
