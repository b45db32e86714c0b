"""Memory and Viewpoint: what a program holds. They keep store, judge, embedder and clock; one method a verb."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, overload

from recollect import flows
from recollect.conversing import Conversing
from recollect.errors import InvalidInput
from recollect.flows import filters
from recollect.flows.access import AccessCounts
from recollect.flows.engine import Engine
from recollect.flows.requests import ListRequest, MemoryRequest, RecallRequest, RememberRequest, Statement
from recollect.handles import Consents, Events, Keys, People, Upkeep, WorkerMode
from recollect.types import Memory as Record
from recollect.types import Outcome, Recall
from recollect.types import Viewpoint as Place
from recollect.viewpoint_people import PeopleVerbs
from recollect.viewpoint_traces import TraceVerbs
from recollect.vocabulary import Sensitivity
from recollect.when import expiry, moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from recollect.config import Config
    from recollect.flows.chat import Reply
    from recollect.flows.explain import MemoryWhy, RecallWhy
    from recollect.flows.governed import Governed
    from recollect.flows.listing import History
    from recollect.flows.showing import Shown
    from recollect.policies.policy import Policy
    from recollect.policies.rank import StrategyName
    from recollect.vocabulary import ChatType, Source


class Memory:
    """A store with everything that works on it. Thread-safe; close it, or use it in a `with`."""

    def __init__(self, engine: Engine, config: Config, *, worker: WorkerMode = "off") -> None:
        self.engine = engine
        self.config = config
        self.upkeep = Upkeep(engine, worker)
        self.people = People(engine)
        self.consents = Consents(engine)
        self.keys = Keys(engine)
        self.events = Events(engine)
        self.access = AccessCounts(engine)

    def at(
        self,
        *,
        user: str | None = None,
        chat: str | None = None,
        chat_type: ChatType = "private",
        participants: Sequence[str] = (),
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
            participants=tuple(participants),
            persona=persona,
            agent=agent,
            thread=thread,
            session=session,
            project=project,
            run=run,
            username=username,
            display_name=display_name,
        )
        _check(place)
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
        from recollect.flows.governed import Governed

        place = self.at(session=session, user=user, project=project).place
        return Governed(self.engine, place, profile=profile, policy=policy)

    def flush(self) -> None:
        """Write the buffered access counts."""
        self.access.flush()

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


class Viewpoint(Conversing, PeopleVerbs, TraceVerbs):
    """The memory as one person in one place uses it."""

    def __init__(self, memory: Memory, place: Place) -> None:
        self.memory = memory
        self.place = place
        self._engine = memory.engine
        self._access = memory.access

    @overload
    def remember(  # type: ignore[overload-overlap]  # a text is a sequence of texts to the type checker, not to us
        self,
        facts: str,
        *,
        about: Sequence[str] = (),
        expires_in_days: float | None = None,
        shared: bool = False,
        only_persona: bool = False,
    ) -> Outcome: ...
    @overload
    def remember(
        self,
        facts: Sequence[str | Mapping[str, Any]],
        *,
        about: Sequence[str] = (),
        expires_in_days: float | None = None,
        shared: bool = False,
        only_persona: bool = False,
    ) -> tuple[Outcome, ...]: ...
    def remember(
        self,
        facts: str | Sequence[str | Mapping[str, Any]],
        *,
        about: Sequence[str] = (),
        expires_in_days: float | None = None,
        shared: bool = False,
        only_persona: bool = False,
    ) -> Outcome | tuple[Outcome, ...]:
        """Remember what somebody asked to be remembered: one text, or a batch of up to 20 facts."""
        base = {"about": about, "expires_in_days": expires_in_days, "shared": shared, "only_persona": only_persona}
        given = [facts] if isinstance(facts, str) else facts
        if not isinstance(given, (list, tuple)):
            raise InvalidInput("remember takes a text or a list of facts.", code="invalid_fact")
        statements = tuple(statement(fact, base) for fact in given)
        outcomes = flows.remember.remember(RememberRequest(viewpoint=self.place, statements=statements), self._engine)
        return outcomes[0] if isinstance(facts, str) else outcomes

    def add(
        self,
        content: str,
        *,
        type: str = "knowledge",
        about: Sequence[str] = (),
        sensitivity: str | None = None,
        expires: datetime | str | float | None = None,
        shared: bool = False,
        source: Source = "user",
        only_persona: bool = False,
        category: str | None = None,
    ) -> Outcome:
        """Store a text as it is given, read only for slot, subjects, language and sensitivity."""
        if source not in ("user", "ai", "tool", "system"):
            raise InvalidInput("source must be user, ai, tool or system.", code="invalid_source")
        self._engine.categories.check(frozenset(filter(None, [category])))
        one = Statement(
            text=content,
            about=tuple(about),
            expires_at=expiry(expires, now=self._engine.clock()) if expires is not None else None,
            shared=shared,
            only_persona=only_persona,
            is_as_given=True,
            type=None if type == "auto" else filters.memory_type(type),
            sensitivity=_sensitivity(sensitivity),
            category=category,
            source=source,
        )
        return flows.remember.remember(RememberRequest(viewpoint=self.place, statements=(one,)), self._engine)[0]

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        filters: Mapping[str, Any] | None = None,
        about: Sequence[str] = (),
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
            filter=_filter(filters),
            about=tuple(about),
            as_of=_moment(as_of, "as_of"),
            now=_moment(now, "now"),
            threshold=threshold,
            strategy=strategy,
        )
        found = flows.recall.recall(request, self._engine)
        self._access.add(self.place, [hit.id for hit in found])
        return found

    def list(
        self,
        *,
        limit: int = 20,
        filters: Mapping[str, Any] | None = None,
        about: Sequence[str] = (),
        include_expired: bool = False,
        as_of: datetime | str | None = None,
        before: str | None = None,
    ) -> tuple[Record, ...]:
        """Live memories, newest first; `before` is the last id of the page before."""
        request = ListRequest(
            viewpoint=self.place,
            limit=limit,
            filter=_filter(filters),
            about=tuple(about),
            include_expired=include_expired,
            as_of=_moment(as_of, "as_of"),
            before=before,
        )
        return flows.listing.listing(request, self._engine)

    def chat(self, text: str) -> Reply:
        """One turn without a model: told things are remembered, questions answered from memory."""
        if not isinstance(text, str):
            raise InvalidInput("chat takes a text.", code="invalid_parameter")
        reply = flows.chat.chat(text, self.place, self._engine)
        self._access.add(self.place, reply.memory_ids)
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
        return MemoryRequest(viewpoint=self.place, memory_id=memory_id)


FACT_KEYS = frozenset({"content", "about", "subjects", "expires_in_days", "shared"})


def statement(fact: str | Mapping[str, Any], base: Mapping[str, Any]) -> Statement:
    """A fact of a batch as the flow takes it; what is wrong with its form is carried as its `fault`."""
    given = {"content": fact} if isinstance(fact, str) else dict(fact) if hasattr(fact, "keys") else {}
    content, about = given.get("content"), given.get("about") or given.get("subjects") or base["about"]
    days = given.get("expires_in_days", base["expires_in_days"])
    fault = None
    if not isinstance(content, str) or set(given) - FACT_KEYS:
        fault = "invalid_fact"
    elif not isinstance(about, (list, tuple)) or not all(isinstance(name, str) and name.strip() for name in about):
        fault = "invalid_subjects"
    elif len(about) > 10:  # noqa: PLR2004 -- gate.SUBJECTS_MAX, checked there again
        fault = "too_many_subjects"
    elif days is not None and (not isinstance(days, (int, float)) or not 0 < days <= 36_500):  # noqa: PLR2004 -- a century
        fault = "invalid_expiry"
    if fault is not None:
        return Statement(text="", fault=fault)
    return Statement(
        text=str(content),
        about=tuple(about),
        expires_in_days=days,
        shared=bool(given.get("shared", base["shared"])),
        only_persona=bool(base["only_persona"]),
    )


def _check(place: Place) -> None:
    if place.chat_type not in ("private", "group"):
        raise InvalidInput("chat_type must be private or group.", code="invalid_chat_type")
    if place.chat_type == "group" and place.chat is None:
        raise InvalidInput("A group needs its chat id: at(chat=…, chat_type='group').", code="no_chat")
    for name, values in vars(place).items():
        for value in values if name == "participants" else (values,):
            if value is not None and not _is_id(value):
                raise InvalidInput(f"{name} must be a text of 1 to 512 characters without NUL.", code="invalid_id")


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 512 and filters.is_storable(value)  # noqa: PLR2004 -- ids are short


def _sensitivity(name: str | None) -> Sensitivity | None:
    try:
        return None if name is None else Sensitivity(name)
    except ValueError:
        raise InvalidInput("sensitivity must be public, personal or sensitive.", code="invalid_sensitivity") from None


def _moment(value: datetime | str | None, name: str) -> datetime | None:
    return None if value is None else moment(value, name=name)


_filter = filters.parse
