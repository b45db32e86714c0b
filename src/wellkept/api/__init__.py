"""Memory and Viewpoint: what a program holds. They keep store, judge, embedder and clock; one method a verb."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Self, overload

from wellkept import flows
from wellkept.api import arguments
from wellkept.api.handles import Checkpoints, Consents, Events, Keys, People, Sessions, Todos, Upkeep, WorkerMode
from wellkept.errors import CheckpointNotFound, InvalidInput
from wellkept.flows.engine import Engine
from wellkept.flows.requests import ListRequest, MemoryRequest, RecallRequest, RememberRequest, Statement
from wellkept.policies.callers import check_limit, check_number, check_text
from wellkept.policies.secrets.detector import without_echo
from wellkept.times import expiry
from wellkept.types import Memory as Record
from wellkept.types import Outcome, Recall
from wellkept.types import Viewpoint as Place
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wellkept.config import Config
    from wellkept.flows.governed.session import Governed
    from wellkept.flows.people.amend_people import Forgotten, Merged, Reviewed
    from wellkept.flows.read.context import Context
    from wellkept.flows.read.recall import Answered, Returns
    from wellkept.flows.read.show import Acquaintance, History, MemoryWhy, RecallWhy, Shown
    from wellkept.flows.read.transcript import ConversationShown, MessageReading, MessageShown
    from wellkept.flows.requests import RecallSource
    from wellkept.flows.serving.api_keys import NewToken
    from wellkept.flows.sessions.chat import Reply
    from wellkept.flows.sessions.checkpoints import Saved
    from wellkept.flows.sessions.turn import SessionShown, Turned
    from wellkept.flows.write.observe import Observed
    from wellkept.flows.write.remember import Previewed
    from wellkept.policies.governance.phases import Phase
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.governance.traces import Event
    from wellkept.policies.people.profile_fields import State as ConsentState
    from wellkept.policies.ranking.rank import StrategyName
    from wellkept.policies.summaries import RollingSummary, Session, SessionState, Spine
    from wellkept.policies.todos import Todo
    from wellkept.store.contract import GovernedSession, Proposal, Trace
    from wellkept.vocabulary import ChatType, Source

    Decided = list[Event]
    """Under a name, for `list` is a verb in `Viewpoint`."""

LISTED_MAX = 1_000
RECALL_TOP, RECALL_TOKENS = 3, 512
"""Of what is asked once more when an agent is unsure."""
MANUAL = "manual"


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
        said = {name: value for name, value in locals().items() if name != "self"}
        place = Place(**said | {"participants": arguments.names(participants)})
        arguments.check_place(place)
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

    def __exit__(self, *_raised: object) -> None:
        self.close()


class Viewpoint:
    """The memory as one person in one place uses it."""

    def __init__(self, memory: Memory, place: Place) -> None:
        self.memory = memory
        self.place = place
        self._engine = memory.engine

    def among(self, people: Sequence[str]) -> Viewpoint:
        """The same place with these people there, each by user id, else by a name that this user knows them by."""
        place = flows.amend_people.among(people, self.place, self._engine)
        arguments.check_place(place)
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
            "about": arguments.names(about),
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
            told = arguments.procedure(procedure, facts, self.place.agent)
            statements: tuple[Statement, ...] = (replace(told, shared=shared, only_persona=only_persona),)
        else:
            statements = tuple(arguments.statement(fact, base) for fact in batch)
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
            about=arguments.names(about),
            expires_at=expiry(expires, now=self._engine.clock()) if expires is not None else None,
            shared=shared,
            only_persona=only_persona,
            is_as_given=True,
            type=None if type == "auto" else arguments.memory_type(type),
            sensitivity=arguments.sensitivity(sensitivity),
            category=category,
            source=source,
        )
        return flows.remember.remember(RememberRequest(viewpoint=self.place, statements=(one,)), self._engine)[0]

    def preview(self, text: str, *, about: str | Sequence[str] = (), shared: bool = False) -> tuple[Previewed, ...]:
        """What remembering a text would do, and what it would replace. Nothing is stored."""
        one = Statement(text=text, about=arguments.names(about), shared=shared)
        return flows.remember.preview(RememberRequest(viewpoint=self.place, statements=(one,)), self._engine)

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
            filter=arguments.parse_filter(filters),
            about=arguments.names(about),
            as_of=arguments.time_or_none(as_of, "as_of"),
            now=arguments.time_or_none(now, "now"),
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
        oldest_first: bool = False,
    ) -> tuple[Record, ...]:
        """Memories, newest first unless asked otherwise; `before` is the last id of the page before.

        `state` also takes archived, superseded and soft_deleted: what `restore` brings back, of the own spaces only.
        """
        request = ListRequest(
            viewpoint=self.place,
            limit=limit,
            filter=arguments.parse_filter(filters),
            about=arguments.names(about),
            include_expired=include_expired,
            as_of=arguments.time_or_none(as_of, "as_of"),
            before=before,
            state=arguments.state(state),
            oldest_first=oldest_first,
        )
        return flows.show.listing(request, self._engine)

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

    def edit(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        sensitivity: str | None = None,
        if_version: int | None = None,
    ) -> Outcome:
        """Another text, or who may hear it. The old text stays in the history.

        `VersionConflict` when it is not that version any more.
        """
        wanted = arguments.sensitivity(sensitivity)
        if content is None and wanted is None:
            raise InvalidInput("Give a new text, a sensitivity, or both.", code="invalid_parameter")
        request = self._one(memory_id)
        if wanted is None:
            return flows.amend.edit(request, content or "", self._engine, if_version=if_version)
        if content is not None:
            flows.amend.edit(request, content, self._engine, if_version=if_version)
        return flows.amend.classify(request, wanted, self._engine)

    def history(self, memory_id: str) -> History:
        """Everything that was done to a memory, newest first."""
        return flows.show.history(self._one(memory_id), self._engine)

    def reveal(self, memory_id: str) -> Shown:
        """One memory, whoever it belongs to: for operators. That it was read is on its owner's ledger."""
        check_text(memory_id, name="memory_id")
        return flows.show.reveal(memory_id, self.place, self._engine)

    def show(self, memory_id: str) -> Shown:
        """One memory with the names of the people in it."""
        return flows.show.show(self._one(memory_id), self._engine)

    @overload
    def why(self, found: Recall, *, left_out: bool = False) -> RecallWhy: ...
    @overload
    def why(self, found: str) -> MemoryWhy: ...
    def why(self, found: Recall | str, *, left_out: bool = False) -> RecallWhy | MemoryWhy:
        """Why a recall answered so, or why a memory is known and shown. `left_out` is for operators only."""
        if isinstance(found, Recall):
            return flows.show.why_recall(found, self.place, self._engine, with_left_out=left_out)
        return flows.show.why_memory(self._one(found), self._engine)

    def stats(self) -> Mapping[str, int]:
        """Visible memories by type."""
        return flows.show.counted(self.place, self._engine)

    # --- In a conversation: what agents call on every message.

    def observe(self, messages: Sequence[Mapping[str, Any]], *, extract: bool = True, wait: bool = False) -> Observed:
        """Into the transcript, found from now on; then what it teaches is read in the background."""
        read = flows.observe.read_messages(messages, now=self._engine.clock())
        request = flows.observe.ObserveRequest(viewpoint=self.place, messages=read, extract=extract, wait=wait)
        return flows.observe.observe(request, self._engine)

    def conversations(self, *, limit: int = 50) -> tuple[ConversationShown, ...]:
        """Where something was said, by chat and day, the latest first; without a user or chat, everywhere."""
        return flows.transcript.conversations(self.place, self._engine, limit=limit)

    def messages(
        self,
        *,
        in_session: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> tuple[MessageShown, ...]:
        """What was said in this chat, oldest first, with what was learned from it; without a chat, in all.

        `before` is the first id of the page that was shown last.
        """
        request = flows.transcript.TranscriptRequest(
            viewpoint=self.place,
            session=in_session,
            since=arguments.time_or_none(since, "since"),
            until=arguments.time_or_none(until, "until"),
            before=before,
            limit=limit,
        )
        return flows.transcript.messages(request, self._engine)

    def reading(self, message_id: str) -> MessageReading:
        """What the judge makes of a message, sentence by sentence, with probabilities. Nothing is stored."""
        check_text(message_id, name="message_id")
        return flows.transcript.reading(message_id, self.place, self._engine)

    def context(self, query: str, *, budget_tokens: int = 1_200, peek: bool = False) -> Context:
        """The block for the system prompt; `str()` gives its text. `peek`: the thread will be told again."""
        request = flows.context.ContextRequest(
            viewpoint=self.place, query=query, budget_tokens=budget_tokens, peek=peek
        )
        block = flows.context.context(request, self._engine, nonce=token_hex(6))
        self._engine.access.add(self.place, block.memory_ids, self._engine)
        return block

    def turn(self, user_text: str, *, budget_tokens: int = 1_200) -> Turn:
        """Take in what the user just said: counts, session, todos, transcript; with the context of the reply."""
        if not isinstance(user_text, str):
            raise InvalidInput("turn takes the text of the user's message.", code="invalid_parameter")
        request = flows.turn.TurnRequest(viewpoint=self.place, text=user_text, budget_tokens=budget_tokens)
        turned = flows.turn.turn(request, self._engine, nonce=token_hex(6))
        self._engine.access.add(self.place, turned.context.memory_ids, self._engine)
        return Turn(self, turned, user_text)

    def finish_turn(self, session_id: str, text: str) -> str | None:
        """Take the reply to a turn of that session into the transcript; the id of the message."""
        if not isinstance(text, str):
            raise InvalidInput("finish_turn takes the text of the reply.", code="invalid_parameter")
        return flows.turn.finish(text, session_id, self.place, self._engine)

    def sessions(self, *, limit: int = 20) -> tuple[Session, ...]:
        """Conversations of this user and persona, newest first."""
        return flows.turn.sessions(self.place, self._engine, limit=limit)

    def session(self, session_id: str) -> SessionShown:
        """One conversation with its summary and messages."""
        return flows.turn.session(session_id, self.place, self._engine)

    def state(self) -> SessionState:
        """What lasts from session to session."""
        return flows.turn.state(self.place, self._engine)

    def summaries(self) -> tuple[RollingSummary, ...]:
        """Every version of the rolling summary, oldest first."""
        return flows.turn.rolling_versions(self.place, self._engine)

    def spines(self, *, limit: int = 20) -> tuple[Spine, ...]:
        """Versions of the long-term summary, newest first."""
        return flows.turn.spine_versions(self.place, self._engine, limit=limit)

    def todos(self, *, status: str = "PENDING", limit: int = 50) -> tuple[Todo, ...]:
        """What this user means to do, as told to this persona, oldest first; `ALL`: whatever became of it."""
        return flows.todos.listing(self.place, self._engine, status=status, limit=limit)

    def complete_todo(self, todo_id: str) -> Todo:
        """It is done; a habit goes on."""
        return flows.todos.end(todo_id, self.place, self._engine, "done")

    def dismiss_todo(self, todo_id: str) -> Todo:
        """It is no longer wanted."""
        return flows.todos.end(todo_id, self.place, self._engine, "dismissed")

    def seed_profile(self, facts: Sequence[str]) -> tuple[Outcome, ...]:
        """Facts that are established from the start: pinned, and told as such."""
        if isinstance(facts, str) or not all(isinstance(fact, str) for fact in facts):
            raise InvalidInput("seed_profile takes a list of texts.", code="invalid_fact")
        statements = tuple(Statement(text=fact, origin="seeded_profile", is_pinned=True) for fact in facts)
        most = flows.remember.STATEMENTS_MAX
        batches = [statements[start : start + most] for start in range(0, len(statements), most)]
        requests = [RememberRequest(viewpoint=self.place, statements=batch) for batch in batches]
        return tuple(one for request in requests for one in flows.remember.remember(request, self._engine))

    def query(
        self,
        query: str,
        *,
        agent: str | None = None,
        categories: Sequence[str] = (),
        filters: Mapping[str, Any] | None = None,
        about: str | Sequence[str] = (),
        top_k: int = 3,
        threshold: float | None = None,
        returns: Returns = "bullets",
        budget_tokens: int = 512,
        as_of: datetime | str | None = None,
    ) -> Answered:
        """What an agent may know that bears on the query, as bullets within a budget."""
        if isinstance(categories, str) or not all(isinstance(name, str) for name in categories):
            raise InvalidInput("categories must be a list of names.", code="invalid_category")
        wanted = arguments.parse_filter(filters)
        self._engine.categories.check(wanted.categories or frozenset())
        request = flows.recall.QueryRequest(
            viewpoint=self.place,
            query=query,
            agent=agent,
            categories=frozenset(categories),
            filter=wanted,
            about=arguments.names(about),
            top_k=top_k,
            threshold=threshold,
            returns=returns,
            budget_tokens=budget_tokens,
            as_of=arguments.time_or_none(as_of, "as_of"),
        )
        answered = flows.recall.query(request, self._engine)
        self._engine.access.add(self.place, [bullet.id for bullet in answered], self._engine)
        return answered

    # --- People, and what applications may call the user.

    def people(self, *, limit: int = 50) -> tuple[Acquaintance, ...]:
        """Whom this viewpoint knows, latest first."""
        return flows.show.acquaintances(self.place, self._engine, limit=limit)

    def person(self, reference: str, *, limit: int = 20) -> Acquaintance:
        """One person by id, name, handle or relation, with what may be seen of them."""
        return flows.show.acquaintance(reference, self.place, self._engine, limit=limit)

    def alias_person(self, reference: str, alias: str) -> Acquaintance:
        """Also call a person so."""
        return flows.amend_people.alias(reference, alias, self.place, self._engine)

    def rename_person(self, reference: str, name: str) -> Acquaintance:
        """Another name; the earlier one stays as an alias."""
        return flows.amend_people.rename(reference, name, self.place, self._engine)

    def relate_person(self, reference: str, *, relation: str = "", to: str | None = None) -> Acquaintance:
        """Say what a person is to this user, or to somebody else; an empty relation takes it back."""
        return flows.amend_people.relate(reference, relation, to, self.place, self._engine)

    def merge_people(self, primary: str, secondary: str) -> Merged:
        """Two people are one: the first stays."""
        return flows.amend_people.merge(primary, secondary, self.place, self._engine)

    def split_person(self, reference: str) -> tuple[Acquaintance, Acquaintance]:
        """Take back a merge: of the person with this id, or the last one into the person meant."""
        return flows.amend_people.split(reference, self.place, self._engine)

    def review_people(self, *, same: Sequence[str] = (), different: Sequence[str] = ()) -> Reviewed:
        """Pairs that may be one person; `same` and `different` each take two people and answer."""
        return flows.amend_people.review(same, different, self.place, self._engine)

    def forget_person(self, reference: str, *, delete_record: bool = False) -> Forgotten:
        """Archive everything about a person that this user may change; `delete_record` also removes the person."""
        return flows.amend_people.forget_person(reference, self.place, self._engine, delete_record=delete_record)

    def profile(self) -> Mapping[str, str | tuple[str, ...]]:
        """What applications address this user by: preferred_name, pronouns, city, language, tone, goals."""
        return flows.consent.profile(self.place, self._engine)

    def consents(self, *, state: ConsentState | None = "pending", limit: int = 100) -> tuple[Proposal, ...]:
        """Changes of this user's profile that wait for a yes, or were answered; oldest first."""
        return flows.consent.proposals(self.place, self._engine, state=state, limit=limit)

    def approve(self, proposal_id: str) -> Proposal:
        """Yes: the profile changes."""
        return flows.consent.approve(proposal_id, self.place, self._engine)

    def reject(self, proposal_id: str) -> Proposal:
        """No: the profile stays as it is."""
        return flows.consent.reject(proposal_id, self.place, self._engine)

    # --- Checkpoints of the user's supervisors.

    def checkpoints(self, *, limit: int = 100) -> tuple[Saved, ...]:
        """The latest states of this user's threads, the last saved first."""
        check_limit(limit, LISTED_MAX)
        return self.memory.checkpoints.list(self._owner(), limit=limit, tenant=self.place.tenant)

    def checkpoint(self, thread_id: str) -> Saved:
        """The latest state of a thread, or `CheckpointNotFound`."""
        found = self.memory.checkpoints.load(self._owner(), thread_id, tenant=self.place.tenant)
        if found is None:
            raise CheckpointNotFound(thread_id)
        return found

    def save_checkpoint(self, thread_id: str, data: Mapping[str, Any], *, version: int = 0) -> Saved:
        """Save over the version that was loaded (0: the thread has none), or raise `CheckpointConflict`."""
        return self.memory.checkpoints.save(self._owner(), thread_id, data, version=version, tenant=self.place.tenant)

    def delete_checkpoint(self, thread_id: str) -> Saved:
        """Remove the state of a thread; what it was."""
        found = self.checkpoint(thread_id)
        self.memory.checkpoints.delete(self._owner(), thread_id, tenant=self.place.tenant)
        return found

    # --- Governed sessions: what they decided, and what changed from phase to phase.

    def traces(self, session: str, *, after: int = 0, limit: int = 200) -> tuple[Trace, ...]:
        """The kept events of a governed session, oldest first, of those numbered above `after`."""
        return self._governed(session).traces(after=after, limit=limit)

    def governed_sessions(self, *, limit: int = 50) -> tuple[GovernedSession, ...]:
        """Governed sessions that have traces, the one of the latest decision first."""
        check_limit(limit, LISTED_MAX)
        return self._engine.store.governed_sessions(self.place.tenant, limit=limit)

    def phases(self, session: str) -> tuple[Phase, ...]:
        """The phases of a governed session's own space, oldest first."""
        return self._engine.store.phases(self.place.tenant, Space.SESSION, session)

    def start_phase(self, session: str, *, name: str | None = None, reason: str = MANUAL) -> Decided:
        """Begin the next phase of a governed session, by the policy it lives by."""
        if not self.traces(session, limit=1):
            raise InvalidInput("There is no governed session of that name.", code="unknown_session")
        return self._governed(session).start_phase(name, reason)

    def phase_diff(
        self, session: str, from_phase: str, to_phase: str, *, space: str = "session", project: str | None = None
    ) -> Decided:
        """What changed between two phases of a governed session of this user."""
        return self._governed(session, project).diff(from_phase, to_phase, space=space)

    def _one(self, memory_id: str) -> MemoryRequest:
        check_text(memory_id, name="memory_id")
        return MemoryRequest(viewpoint=self.place, memory_id=memory_id)

    def _owner(self) -> str:
        if self.place.user is None:
            raise InvalidInput("Whose checkpoints? Name a user.", code="no_owner")
        return self.place.user

    def _governed(self, session: str, project: str | None = None) -> Governed:
        from wellkept.flows.governed.session import Governed

        policy = self._engine.store.lived_by(self.place.tenant, Space.SESSION, session)
        return Governed(self._engine, replace(self.place, session=session, project=project), policy=policy)


class Turn:
    """One message of a user, taken in. `finish` takes the reply."""

    def __init__(self, view: Viewpoint, turned: Turned, text: str) -> None:
        self._view, self._text, self._is_finished = view, text, False
        self.context = turned.context
        """The block for the system prompt; `str()` gives its text."""
        self.session = turned.session
        self.state = turned.state
        """What lasts from session to session, this message counted."""
        self.todos = turned.todos
        """Those that the message made, renewed, completed or dismissed."""
        self.message_id = turned.message_id
        """Of the message in the transcript."""

    def finish(self, text: str) -> str | None:
        """Take the reply into the transcript, once; the id of the message."""
        if self._is_finished:
            raise InvalidInput("This turn has its reply already.", code="turn_finished")
        if not isinstance(text, str):
            raise InvalidInput("finish takes the text of the reply.", code="invalid_parameter")
        replied = self._view.finish_turn(self.session.id, without_echo(text, self._text))
        self._is_finished = True
        return replied

    def recall_if_needed(self, confidence: float) -> Answered | None:
        """Ask memory once more, when the agent is unsure or the context found nothing; None when neither is so."""
        check_number(confidence, name="confidence")
        if self.context.verdict == "found" and confidence >= self._view.memory.engine.on_demand_below:
            return None
        query = self._text[: flows.context.QUERY_MAX]
        return self._view.query(query, top_k=RECALL_TOP, budget_tokens=RECALL_TOKENS)
