"""A client of a server: the verbs of a viewpoint over HTTP, with nothing but the standard library.

    from wellkept.client import Client

    with Client("http://127.0.0.1:8765", key="rk_…") as memory:
        alice = memory.at(user="alice", chat="dm-alice")
        alice.remember("My wife Sarah likes Italian food")
        alice.recall("what does my wife like?").hits[0].text

Verbs, parameters and defaults are those of `wellkept.api.Viewpoint`; what the server refuses is raised as the exception
that the embedded memory would have raised. A client may be used by several threads.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload
from urllib.parse import urlencode

from wellkept import errors
from wellkept.api.arguments import names
from wellkept.errors import InvalidInput, WellkeptError
from wellkept.flows.people.forget_person import Forgotten
from wellkept.flows.read.explain import MemoryWhy
from wellkept.flows.read.transcript import ConversationShown, MessageReading, MessageShown
from wellkept.flows.sessions.conversation import SessionShown
from wellkept.flows.write.preview import Previewed
from wellkept.operations import BY_NAME, Operation
from wellkept.operations.shapes import (
    ANSWERS,
    TYPED,
    Bullet,
    Checkpoint,
    CheckpointHead,
    Context,
    History,
    MergedPerson,
    NewToken,
    Observed,
    Person,
    PersonShown,
    Phase,
    Recall,
    Record,
    Reply,
    Reviewed,
    Stats,
    ThreadBullets,
    Trace,
    Turn,
)
from wellkept.policies.sessions.boundaries import RollingSummary, Session, Spine, State
from wellkept.policies.sessions.todos import Todo
from wellkept.store.records import GovernedSession, Proposal
from wellkept.surfaces.http import paths, problems, schemas
from wellkept.surfaces.http.rpc_client import ANSWER_BYTES_MAX, connection
from wellkept.types import Outcome

if TYPE_CHECKING:
    from wellkept.flows.read.query import Returns
    from wellkept.flows.requests import RecallSource
    from wellkept.policies.people.consent import State as ConsentState
    from wellkept.policies.ranking.rank import StrategyName
    from wellkept.vocabulary import ChatType, Source

Kind = TypeVar("Kind")
IDLE_SECONDS = 3.0
"""A connection that was not used for so long is not used again: the server closes it after five."""
NOT_FOUND: Mapping[str, type[WellkeptError]] = {
    "memory_id": errors.MemoryNotFound,
    "reference": errors.PersonNotFound,
    "session_id": errors.SessionNotFound,
    "todo_id": errors.TodoNotFound,
    "proposal_id": errors.ProposalNotFound,
    "thread_id": errors.CheckpointNotFound,
    "key_id": errors.KeyNotFound,
    "token_id": errors.KeyNotFound,
}
"""What is not there, by the parameter that names it; one code says it of all of them."""
CONFLICTS: Mapping[str, type[WellkeptError]] = {
    "memory_id": errors.VersionConflict,
    "thread_id": errors.CheckpointConflict,
}


class Client:
    """A server: `http://host:port`, `https://…` or `unix:/path` of its socket. `key` is an API key or a token."""

    def __init__(self, url: str, *, key: str | None = None) -> None:
        self._url, self._key = url, key
        self._free: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    def at(
        self,
        *,
        user: str | None = None,
        chat: str | None = None,
        chat_type: ChatType | None = None,
        participants: str | Sequence[str] = (),
        persona: str | None = None,
        agent: str | None = None,
        thread: str | None = None,
        session: str | None = None,
        project: str | None = None,
        run: str | None = None,
        username: str | None = None,
        display_name: str | None = None,
        tenant: str | None = None,
    ) -> RemoteViewpoint:
        """Who is speaking or asking, and where. What the key or token settles may be left out."""
        given = {name: value for name, value in locals().items() if name != "self" and value}
        if participants:
            given["participants"] = list(names(participants))
        return RemoteViewpoint(self, given)

    def call(self, name: str, *, viewpoint: Mapping[str, Any] | None = None, **arguments: Any) -> Any:  # noqa: ANN401 -- each operation has its own
        """Any operation by its name, those for operators included: `client.call("gc")`. Its answer as its type."""
        return TYPED.read(ANSWERS[name], self.json(BY_NAME[name], viewpoint or {}, arguments))

    def json(self, operation: Operation, viewpoint: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        """The answer of an operation as JSON."""
        given = {name: _sent(value) for name, value in operation.given(_texts(operation, arguments)).items()}
        method, path = operation.http
        inside = schemas.in_path(path)
        path = path.format(**{name: paths.quoted(given[name]) for name in inside})
        rest = {name: value for name, value in given.items() if name not in inside}
        body = None
        if method in ("GET", "DELETE"):
            asked = {name: _as_query(value) for name, value in (rest | dict(viewpoint)).items()}
            path += f"?{urlencode(asked, doseq=True)}" if asked else ""
        else:
            body = json.dumps(rest | {"viewpoint": dict(viewpoint)}).encode()
        status, answer = self._exchanged(method, path, body)
        if status != http.client.OK:
            raise _error(answer, status, arguments)
        return answer

    def _exchanged(self, method: str, path: str, body: bytes | None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        line = self._line()
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            status, given = answer.status, json.loads(answer.read(ANSWER_BYTES_MAX))
        except OSError as error:
            line.close()
            raise WellkeptError(f"No server answers at {self._url}: {error}.", code="unreachable") from None
        except (ValueError, http.client.HTTPException):
            line.close()
            raise WellkeptError(f"What answers at {self._url} is no wellkept server.", code="unreachable") from None
        with self._lock:
            self._free.append((monotonic(), line))
        return status, given

    def _line(self) -> http.client.HTTPConnection:
        with self._lock:
            while self._free:
                used_at, line = self._free.pop()
                if monotonic() - used_at < IDLE_SECONDS:
                    return line
                line.close()
        return connection(self._url)[0]

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            for _, line in self._free:
                line.close()
            self._free.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RemoteViewpoint:
    """The memory of a server as one person in one place uses it."""

    def __init__(self, client: Client, place: Mapping[str, Any]) -> None:
        self.client = client
        self.place = place

    def _call(self, kind: type[Kind], name: str, /, **arguments: Any) -> Kind:  # noqa: ANN401 -- each verb has its own
        answer: Kind = TYPED.read(kind, self.client.json(BY_NAME[name], self.place, arguments))
        return answer

    def _either(self, name: str, /, **arguments: Any) -> Any:  # noqa: ANN401 -- one of several types
        return self.client.call(name, viewpoint=self.place, **arguments)

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
        """Remember what you are told: one text, or a batch of up to 20 facts."""
        answer: Outcome | tuple[Outcome, ...] = self._either(
            "remember",
            facts=facts,
            about=about,
            expires_in_days=expires_in_days,
            shared=shared,
            only_persona=only_persona,
            procedure=procedure,
        )
        return answer

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
        """Store a text exactly as it is given."""
        return self._call(
            Outcome,
            "add",
            content=content,
            type=type,
            about=about,
            sensitivity=sensitivity,
            expires=expires,
            shared=shared,
            source=source,
            only_persona=only_persona,
            category=category,
        )

    def observe(self, messages: Sequence[Mapping[str, Any]], *, extract: bool = True, wait: bool = False) -> Observed:
        """Put messages into the transcript, and learn from them in the background."""
        return self._call(Observed, "observe", messages=messages, extract=extract, wait=wait)

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
        """Find memories and messages by meaning, words and people, best first."""
        return self._call(
            Recall,
            "recall",
            query=query,
            limit=limit,
            sources=sources,
            include_stale=include_stale,
            filters=filters,
            about=about,
            as_of=as_of,
            now=now,
            threshold=threshold,
            strategy=strategy,
        )

    def context(self, query: str, *, budget_tokens: int = 1200, peek: bool = False) -> Context:
        """Print the block that an agent would get before it answers."""
        return self._call(Context, "context", query=query, budget_tokens=budget_tokens, peek=peek)

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
    ) -> tuple[Bullet, ...] | ThreadBullets:
        """Ask as an agent: bullets of what its allowlist and the filters let through, within a budget."""
        answer: tuple[Bullet, ...] | ThreadBullets = self._either(
            "query",
            query=query,
            agent=agent,
            categories=categories,
            filters=filters,
            about=about,
            top_k=top_k,
            threshold=threshold,
            returns=returns,
            budget_tokens=budget_tokens,
            as_of=as_of,
        )
        return answer

    def turn(self, user_text: str, *, budget_tokens: int = 1200) -> Turn:
        """Take in what a user just said: session, todos, transcript; gives the context of the reply."""
        return self._call(Turn, "turn", user_text=user_text, budget_tokens=budget_tokens)

    def finish_turn(self, session_id: str, text: str) -> str | None:
        """Take the reply to a turn into the transcript."""
        answer: str | None = self._either("finish_turn", session_id=session_id, text=text)
        return answer

    def sessions(self, *, limit: int = 20) -> tuple[Session, ...]:
        """List your conversations with this persona, newest first."""
        return self._call(tuple[Session, ...], "sessions", limit=limit)

    def session(self, session_id: str) -> SessionShown:
        """Show one conversation: what it was about and what was said."""
        return self._call(SessionShown, "session", session_id=session_id)

    def state(self) -> State:
        """Show what lasts from session to session with this persona."""
        return self._call(State, "state")

    def summaries(self) -> tuple[RollingSummary, ...]:
        """List every version of the rolling summary with this persona, oldest first."""
        return self._call(tuple[RollingSummary, ...], "summaries")

    def spines(self, *, limit: int = 20) -> tuple[Spine, ...]:
        """List the versions of your long-term summary, newest first."""
        return self._call(tuple[Spine, ...], "spines", limit=limit)

    def todos(self, *, status: str = "PENDING", limit: int = 50) -> tuple[Todo, ...]:
        """List what you mean to do, as you told this persona."""
        return self._call(tuple[Todo, ...], "todos", status=status, limit=limit)

    def complete_todo(self, todo_id: str) -> Todo:
        """Say that something is done; a habit goes on."""
        return self._call(Todo, "complete_todo", todo_id=todo_id)

    def dismiss_todo(self, todo_id: str) -> Todo:
        """Say that something is no longer wanted."""
        return self._call(Todo, "dismiss_todo", todo_id=todo_id)

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
        """List memories, newest first: the live ones unless another state is asked for."""
        return self._call(
            tuple[Record, ...],
            "list",
            limit=limit,
            filters=filters,
            about=about,
            include_expired=include_expired,
            as_of=as_of,
            before=before,
            state=state,
            oldest_first=oldest_first,
        )

    def show(self, memory_id: str) -> Record:
        """Show one memory with everything that is known of it."""
        return self._call(Record, "show", memory_id=memory_id)

    def forget(self, memory_id: str) -> Outcome:
        """Take a memory out of recall; it can be restored."""
        return self._call(Outcome, "forget", memory_id=memory_id)

    def restore(self, memory_id: str) -> Outcome:
        """Bring a memory back, unless a live one holds its place."""
        return self._call(Outcome, "restore", memory_id=memory_id)

    def pin(self, memory_id: str) -> Outcome:
        """Keep a memory in every context, and never evict it."""
        return self._call(Outcome, "pin", memory_id=memory_id)

    def unpin(self, memory_id: str) -> Outcome:
        """Treat a pinned memory like any other again."""
        return self._call(Outcome, "unpin", memory_id=memory_id)

    def edit(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        sensitivity: str | None = None,
        if_version: int | None = None,
    ) -> Outcome:
        """Give a memory another text, or say who may hear it; the old text stays in its history."""
        return self._call(
            Outcome, "edit", memory_id=memory_id, content=content, sensitivity=sensitivity, if_version=if_version
        )

    def reveal(self, memory_id: str) -> Record:
        """Read a memory that is not yours to see, as an operator; its owner finds that on the ledger."""
        return self._call(Record, "reveal", memory_id=memory_id)

    def preview(self, text: str, *, about: str | Sequence[str] = (), shared: bool = False) -> tuple[Previewed, ...]:
        """Say what remembering a text would do and replace; nothing is stored."""
        return self._call(tuple[Previewed, ...], "preview", text=text, about=names(about), shared=shared)

    def conversations(self, *, limit: int = 50) -> tuple[ConversationShown, ...]:
        """List where something was said, by chat and day, the latest first."""
        return self._call(tuple[ConversationShown, ...], "conversations", limit=limit)

    def messages(
        self,
        *,
        in_session: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> tuple[MessageShown, ...]:
        """List what was said in this chat, oldest first, with what was learned from each message."""
        return self._call(
            tuple[MessageShown, ...],
            "messages",
            in_session=in_session,
            since=since,
            until=until,
            before=before,
            limit=limit,
        )

    def reading(self, message_id: str) -> MessageReading:
        """Say what the reader makes of a message, with probabilities."""
        return self._call(MessageReading, "reading", message_id=message_id)

    def history(self, memory_id: str) -> History:
        """Tell what was done to a memory: when, by whom and by which rule."""
        return self._call(History, "history", memory_id=memory_id)

    def why(self, memory_id: str) -> MemoryWhy:
        """Say why a memory is known and why it is shown here."""
        return self._call(MemoryWhy, "why", memory_id=memory_id)

    def chat(self, text: str) -> Reply:
        """Tell something or ask something; without a text, a conversation."""
        return self._call(Reply, "chat", text=text)

    def people(self, *, limit: int = 50) -> tuple[Person, ...]:
        """List the people you know."""
        return self._call(tuple[Person, ...], "people", limit=limit)

    def person(self, reference: str, *, limit: int = 20) -> PersonShown:
        """Show one person and what you may see of them."""
        return self._call(PersonShown, "person", reference=reference, limit=limit)

    def alias_person(self, reference: str, alias: str) -> Person:
        """Also call a person so. Only you will see it, and the person."""
        return self._call(Person, "alias_person", reference=reference, alias=alias)

    def rename_person(self, reference: str, name: str) -> Person:
        """Give a person another name; the earlier one stays as an alias."""
        return self._call(Person, "rename_person", reference=reference, name=name)

    def relate_person(self, reference: str, *, relation: str = "", to: str | None = None) -> Person:
        """Say what a person is to you or to somebody else; without a word, that they no longer are."""
        return self._call(Person, "relate_person", reference=reference, relation=relation, to=to)

    def merge_people(self, primary: str, secondary: str) -> MergedPerson:
        """Say that two people are one: the first stays, the second becomes a part of it."""
        return self._call(MergedPerson, "merge_people", primary=primary, secondary=secondary)

    def split_person(self, reference: str) -> tuple[Person, Person]:
        """Take back a merge: of the person with this id, or the last one into the person meant."""
        return self._call(tuple[Person, Person], "split_person", reference=reference)

    def review_people(self, *, same: Sequence[str] = (), different: Sequence[str] = ()) -> Reviewed:
        """List pairs that may be one person, or answer one."""
        return self._call(Reviewed, "review_people", same=same, different=different)

    def forget_person(self, reference: str, *, delete_record: bool = False) -> Forgotten:
        """Take everything you keep about a person out of recall; each memory can be restored."""
        return self._call(Forgotten, "forget_person", reference=reference, delete_record=delete_record)

    def profile(self) -> Mapping[str, str | tuple[str, ...]]:
        """Show what applications may call you and know you by."""
        answer: Mapping[str, str | tuple[str, ...]] = self._either("profile")
        return answer

    def consents(self, *, state: ConsentState | None = "pending", limit: int = 100) -> tuple[Proposal, ...]:
        """List the changes of your profile that wait for a yes."""
        return self._call(tuple[Proposal, ...], "consents", state=state, limit=limit)

    def approve(self, proposal_id: str) -> Proposal:
        """Say yes to a change of your profile."""
        return self._call(Proposal, "approve", proposal_id=proposal_id)

    def reject(self, proposal_id: str) -> Proposal:
        """Say no to a change of your profile."""
        return self._call(Proposal, "reject", proposal_id=proposal_id)

    def checkpoints(self, *, limit: int = 100) -> tuple[CheckpointHead, ...]:
        """List the threads that have a checkpoint, the last saved first."""
        return self._call(tuple[CheckpointHead, ...], "checkpoints", limit=limit)

    def checkpoint(self, thread_id: str) -> Checkpoint:
        """Show the latest state of a thread."""
        return self._call(Checkpoint, "checkpoint", thread_id=thread_id)

    def save_checkpoint(self, thread_id: str, data: Mapping[str, Any], *, version: int = 0) -> CheckpointHead:
        """Save the state of a thread over the version that was loaded; refused when another was there first."""
        return self._call(CheckpointHead, "save_checkpoint", thread_id=thread_id, data=data, version=version)

    def delete_checkpoint(self, thread_id: str) -> CheckpointHead:
        """Remove the state of a thread."""
        return self._call(CheckpointHead, "delete_checkpoint", thread_id=thread_id)

    def governed_sessions(self, *, limit: int = 50) -> tuple[GovernedSession, ...]:
        """List the governed sessions, the one of the latest decision first."""
        return self._call(tuple[GovernedSession, ...], "governed_sessions", limit=limit)

    def phases(self, session: str) -> tuple[Phase, ...]:
        """List the phases of a governed session, oldest first."""
        return self._call(tuple[Phase, ...], "phases", session=session)

    def start_phase(
        self, session: str, *, name: str | None = None, reason: str = "manual"
    ) -> tuple[Mapping[str, Any], ...]:
        """Begin the next phase of a governed session, by the policy it lives by."""
        return self._call(tuple[Mapping[str, Any], ...], "start_phase", session=session, name=name, reason=reason)

    def traces(self, session: str, *, after: int = 0, limit: int = 200) -> tuple[Trace, ...]:
        """Show the kept events of a governed session, oldest first."""
        return self._call(tuple[Trace, ...], "traces", session=session, after=after, limit=limit)

    def phase_diff(
        self, session: str, from_phase: str, to_phase: str, *, space: str = "session", project: str | None = None
    ) -> tuple[Mapping[str, Any], ...]:
        """Say what changed between two phases of a governed session."""
        return self._call(
            tuple[Mapping[str, Any], ...],
            "phase_diff",
            session=session,
            from_phase=from_phase,
            to_phase=to_phase,
            space=space,
            project=project,
        )

    def stats(self) -> Stats:
        """Count memories: by type as you see them, by state in the whole store."""
        return self._call(Stats, "stats")

    def token(self, *, minutes: float = 60) -> NewToken:
        """Make a context token: a sandbox that shows it is this user in this chat, and nobody else."""
        return self._call(NewToken, "make_token", minutes=minutes)


def _texts(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as JSON has them: one name is a list of one, a time is a text."""
    lists = {one.name for one in operation.parameters if one.kind in ("texts", "pair")}
    given = {
        name: list(names(value)) if name in lists and value is not None else value for name, value in arguments.items()
    }
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in given.items()}


def _sent(value: Any) -> Any:  # noqa: ANN401 -- whatever is sent
    """Messages and facts may have times in them."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: _sent(item) for name, item in value.items()}
    return [_sent(item) for item in value] if isinstance(value, (list, tuple)) else value


def _as_query(value: Any) -> Any:  # noqa: ANN401 -- a text, or a list of texts
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, Mapping) else value


def _error(answer: Any, status: int, arguments: Mapping[str, Any]) -> WellkeptError:  # noqa: ANN401 -- JSON
    """The exception that a problem document stands for, with the id that it is about."""
    if not isinstance(answer, dict) or "code" not in answer:
        return WellkeptError(f"The server answered with status {status}.", code="unreachable")
    code = str(answer["code"])
    named = {"not_found": NOT_FOUND, "version_conflict": CONFLICTS}.get(code, {})
    parameter = next((name for name in arguments if name in named), None)
    kind = named[parameter] if parameter is not None else _kind(code, status)
    error = kind.__new__(kind)
    Exception.__init__(error, str(answer.get("detail", code)))
    error.code = code
    if parameter is not None:
        setattr(error, parameter, arguments[parameter])
    return error


def _kind(code: str, status: int) -> type[WellkeptError]:
    """By its code, where one class alone has it; else the most general class of its status."""
    own = [one for one in vars(errors).values() if isinstance(one, type) and vars(one).get("code") == code]
    general = [one for one, number in problems.STATUSES.items() if number == status]
    found = own[0] if len(own) == 1 else next(iter(general), InvalidInput)
    return found if issubclass(found, WellkeptError) else WellkeptError
