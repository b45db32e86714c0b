"""Memory and Viewpoint: what a program holds. They keep store, judge, embedder and clock; one method a verb."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, overload

from wellkept import flows
from wellkept.api import given
from wellkept.api.checkpointing import Checkpoints
from wellkept.api.conversing import Conversing
from wellkept.api.handles import Consents, Events, Keys, People, Sessions, Todos
from wellkept.api.upkeep import Upkeep, WorkerMode
from wellkept.api.viewpoint_checkpoints import CheckpointVerbs
from wellkept.api.viewpoint_people import PeopleVerbs
from wellkept.api.viewpoint_traces import TraceVerbs
from wellkept.errors import InvalidInput
from wellkept.flows.engine import Engine
from wellkept.flows.read.filters import memory_type
from wellkept.flows.read.filters import parse as parse_filters
from wellkept.flows.requests import ListRequest, MemoryRequest, RecallRequest, RememberRequest, Statement
from wellkept.policies.callers.limits import check_text
from wellkept.types import Memory as Record
from wellkept.types import Outcome, Recall
from wellkept.types import Viewpoint as Place
from wellkept.when import expiry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from wellkept.config import Config
    from wellkept.flows.governed.session import Governed
    from wellkept.flows.read.explain import MemoryWhy, RecallWhy
    from wellkept.flows.read.listing import History
    from wellkept.flows.read.showing import Shown
    from wellkept.flows.requests import RecallSource
    from wellkept.flows.serving.tokens import NewToken
    from wellkept.flows.sessions.chat import Reply
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.ranking.rank import StrategyName
    from wellkept.vocabulary import ChatType, Source


class Memory:
    """A store with everything that works on it. Thread-safe; close it, or use it in a `with`."""

    def __init__(self, engine: Engine, config: Config, *, worker: WorkerMode = "off") -> None:
        self.engine = engine
        self.config = config
        self.upkeep = Upkeep(engine, worker)
        self.people = People(engine)
        self.checkpoints = Checkpoints(engine)
        self.consents = Consents(engine)
        self.sessions = Sessions(engine)
        self.todos = Todos(engine)
        self.keys = Keys(engine, config.server)
        self.events = Events(engine)

    def at(
        self,
        *,
        user: str | None = None,
        chat: str | None = None,
        chat_type: ChatType = "private",
        participants: str | Sequence[str] = (),
        persona: str | None = None,
        agent: str | None = None,
        thread: str | None = None,
        session: str | None = None,
        project: str | None = None,
        run: str | None = None,
        username: str | None = None,
        display_name: str | None = None,
        tenant: str = "default",
    ) -> Viewpoint:
        """Who is speaking or asking, and where."""
        place = Place(
            tenant=tenant,
            user=user,
            chat=chat,
            chat_type=chat_type,
            participants=given.names(participants),
            persona=persona,
            agent=agent,
            thread=thread,
            session=session,
            project=project,
            run=run,
            username=username,
            display_name=display_name,
        )
        given.check_place(place)
        return Viewpoint(self, place)

    def governed(
        self,
        *,
        session: str,
        profile: str = "assistant",
        policy: Policy | Mapping[str, Any] | Path | str | None = None,
        user: str | None = None,
        project: str | None = None,
    ) -> Governed:
        """A session that lives by a policy and tells, call by call, what it decided and why."""
        from wellkept.flows.governed.session import Governed

        place = self.at(session=session, user=user, project=project).place
        return Governed(self.engine, place, profile=profile, policy=policy)

    def flush(self) -> None:
        """Write the buffered access counts."""
        self.engine.access.flush(self.engine)

    def close(self) -> None:
        """End the worker, write what is buffered and release the store."""
        self.upkeep.stop()
        self.flush()
        self.engine.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Viewpoint(CheckpointVerbs, Conversing, PeopleVerbs, TraceVerbs):
    """The memory as one person in one place uses it."""

    def __init__(self, memory: Memory, place: Place) -> None:
        self.memory = memory
        self.place = place
        self._engine = memory.engine

    def among(self, people: Sequence[str]) -> Viewpoint:
        """The same place with these people there, each by user id, else by a name that this user knows them by."""
        place = flows.people_by_hand.among(people, self.place, self._engine)
        given.check_place(place)
        return Viewpoint(self.memory, place)

    @overload
    def remember(  # type: ignore[overload-overlap]  # a text is a sequence of texts to the type checker, not to us
        self,
        facts: str | None = None,
        *,
        about: str | Sequence[str] = (),
        expires_in_days: float | None = None,
        shared: bool = False,
        only_persona: bool = False,
        procedure: str | Sequence[str] | bool = False,
    ) -> Outcome: ...
    @overload
    def remember(
        self,
        facts: Sequence[str | Mapping[str, Any]],
        *,
        about: str | Sequence[str] = (),
        expires_in_days: float | None = None,
        shared: bool = False,
        only_persona: bool = False,
        procedure: str | Sequence[str] | bool = False,
    ) -> tuple[Outcome, ...]: ...
    def remember(
        self,
        facts: str | Sequence[str | Mapping[str, Any]] | None = None,
        *,
        about: str | Sequence[str] = (),
        expires_in_days: float | None = None,
        shared: bool = False,
        only_persona: bool = False,
        procedure: str | Sequence[str] | bool = False,
    ) -> Outcome | tuple[Outcome, ...]:
        """Remember what somebody asked to be remembered: one text, a batch of up to 20 facts, or a procedure."""
        base = {
            "about": given.names(about),
            "expires_in_days": expires_in_days,
            "shared": shared,
            "only_persona": only_persona,
        }
        if facts is None and procedure is False:
            raise InvalidInput("facts is missing.", code="invalid_parameter")
        batch = [facts] if isinstance(facts, str) else facts or ()
        if not isinstance(batch, (list, tuple)):
            raise InvalidInput("remember takes a text or a list of facts.", code="invalid_fact")
        if procedure is not False:
            told = given.procedure(procedure, facts, self.place.agent)
            statements: tuple[Statement, ...] = (replace(told, shared=shared, only_persona=only_persona),)
        else:
            statements = tuple(given.statement(fact, base) for fact in batch)
        outcomes = flows.remember.remember(RememberRequest(viewpoint=self.place, statements=statements), self._engine)
        return outcomes[0] if facts is None or isinstance(facts, str) else outcomes

    def add(
        self,
        content: str,
        *,
        type: str = "knowledge",
        about: str | Sequence[str] = (),
        sensitivity: str | None = None,
        expires: datetime | str | float | None = None,
        shared: bool = False,
        source: Source = "user",
        only_persona: bool = False,
        category: str | None = None,
    ) -> Outcome:
        """Store a text as it is given, read only for slot, subjects, language and sensitivity."""
        if not isinstance(content, str):
            raise InvalidInput("add takes a text.", code="invalid_parameter")
        if source not in ("user", "ai", "tool", "system"):
            raise InvalidInput("source must be user, ai, tool or system.", code="invalid_source")
        self._engine.categories.check(frozenset(filter(None, [category])))
        one = Statement(
            text=content,
            about=given.names(about),
            expires_at=expiry(expires, now=self._engine.clock()) if expires is not None else None,
            shared=shared,
            only_persona=only_persona,
            is_as_given=True,
            type=None if type == "auto" else memory_type(type),
            sensitivity=given.sensitivity(sensitivity),
            category=category,
            source=source,
        )
        return flows.remember.remember(RememberRequest(viewpoint=self.place, statements=(one,)), self._engine)[0]

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        sources: Sequence[RecallSource] = ("memories", "messages"),
        include_stale: bool = False,
        filters: Mapping[str, Any] | None = None,
        about: str | Sequence[str] = (),
        as_of: datetime | str | None = None,
        now: datetime | str | None = None,
        threshold: float | None = None,
        strategy: StrategyName | None = None,
    ) -> Recall:
        """What this viewpoint may know that bears on the query, best first."""
        request = RecallRequest(
            viewpoint=self.place,
            query=query,
            limit=limit,
            sources=tuple(sources),
            include_stale=include_stale,
            filter=parse_filters(filters),
            about=given.names(about),
            as_of=given.time_or_none(as_of, "as_of"),
            now=given.time_or_none(now, "now"),
            threshold=threshold,
            strategy=strategy,
        )
        found = flows.recall.recall(request, self._engine)
        self._engine.access.add(self.place, [hit.id for hit in found if hit.source == "memory"], self._engine)
        return found

    def list(
        self,
        *,
        limit: int = 20,
        filters: Mapping[str, Any] | None = None,
        about: str | Sequence[str] = (),
        include_expired: bool = False,
        as_of: datetime | str | None = None,
        before: str | None = None,
        state: str = "active",
    ) -> tuple[Record, ...]:
        """Memories, newest first; `before` is the last id of the page before.

        `state` also takes archived, superseded and soft_deleted: what `restore` brings back, of the own spaces only.
        """
        request = ListRequest(
            viewpoint=self.place,
            limit=limit,
            filter=parse_filters(filters),
            about=given.names(about),
            include_expired=include_expired,
            as_of=given.time_or_none(as_of, "as_of"),
            before=before,
            state=given.state(state),
        )
        return flows.listing.listing(request, self._engine)

    def token(self, *, minutes: float = 60) -> NewToken:
        """A context token: a sandbox that shows it to the server is this viewpoint for so long, and nobody else."""
        return self.memory.keys.token(self.place, minutes=minutes)

    def chat(self, text: str) -> Reply:
        """One turn without a model: told things are remembered, questions answered from memory."""
        if not isinstance(text, str):
            raise InvalidInput("chat takes a text.", code="invalid_parameter")
        reply = flows.chat.chat(text, self.place, self._engine)
        self._engine.access.add(self.place, reply.memory_ids, self._engine)
        return reply

    def forget(self, memory_id: str) -> Outcome:
        """Archive a memory; `restore` brings it back."""
        return flows.amend.forget(self._one(memory_id), self._engine)

    def restore(self, memory_id: str) -> Outcome:
        """Bring a memory back, unless a live one holds its place."""
        return flows.amend.restore(self._one(memory_id), self._engine)

    def pin(self, memory_id: str) -> Outcome:
        """Make a memory part of the foundation."""
        return flows.amend.pin(self._one(memory_id), self._engine, pinned=True)

    def unpin(self, memory_id: str) -> Outcome:
        """No longer part of the foundation."""
        return flows.amend.pin(self._one(memory_id), self._engine, pinned=False)

    def edit(self, memory_id: str, content: str, *, if_version: int | None = None) -> Outcome:
        """Another text; the old one stays in the history. `VersionConflict` when it is not that version any more."""
        return flows.amend.edit(self._one(memory_id), content, self._engine, if_version=if_version)

    def history(self, memory_id: str) -> History:
        """Everything that was done to a memory, newest first."""
        return flows.listing.history(self._one(memory_id), self._engine)

    def show(self, memory_id: str) -> Shown:
        """One memory with the names of the people in it."""
        return flows.showing.show(self._one(memory_id), self._engine)

    @overload
    def why(self, found: Recall, *, left_out: bool = False) -> RecallWhy: ...
    @overload
    def why(self, found: str) -> MemoryWhy: ...
    def why(self, found: Recall | str, *, left_out: bool = False) -> RecallWhy | MemoryWhy:
        """Why a recall answered so, or why a memory is known and shown. `left_out` is for operators only."""
        if isinstance(found, Recall):
            return flows.explain.why_recall(found, self.place, self._engine, with_left_out=left_out)
        return flows.explain.why_memory(self._one(found), self._engine)

    def stats(self) -> Mapping[str, int]:
        """Visible memories by type."""
        return flows.showing.counted(self.place, self._engine)

    def _one(self, memory_id: str) -> MemoryRequest:
        check_text(memory_id, name="memory_id")
        return MemoryRequest(viewpoint=self.place, memory_id=memory_id)
