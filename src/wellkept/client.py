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
import inspect
import json
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from time import monotonic
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast, overload
from urllib.parse import urlencode

from wellkept import errors
from wellkept.api import Memory, Viewpoint
from wellkept.api.arguments import names
from wellkept.errors import InvalidInput, WellkeptError
from wellkept.flows.read.show import MemoryWhy
from wellkept.operations import BY_NAME, OPERATIONS, Operation, shapes
from wellkept.surfaces.http import schemas, wire
from wellkept.surfaces.http.rpc_client import connection, exchanged

P = ParamSpec("P")
Given = TypeVar("Given")
Answer = TypeVar("Answer")
VERBS: Mapping[str, Operation] = {one.python: one for one in OPERATIONS}
"""By the name of the method."""
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


def _at(method: Callable[Concatenate[Memory, P], Viewpoint]) -> Callable[Concatenate[Client, P], RemoteViewpoint]:
    """Who asks and where, with the parameters of `Memory.at`; what was not said is left to the server."""
    signature = inspect.signature(method)

    @wraps(method)
    def at(client: Client, /, *given: P.args, **named: P.kwargs) -> RemoteViewpoint:
        said = signature.bind(client, *given, **named).arguments
        place = {name: value for name, value in said.items() if name != "self" and value}
        if "participants" in place:
            place["participants"] = list(names(place["participants"]))
        return RemoteViewpoint(client, place)

    return at


@overload
def _verb(method: Callable[Concatenate[Viewpoint, P], Given]) -> Callable[Concatenate[RemoteViewpoint, P], Given]: ...
@overload
def _verb(
    method: Callable[Concatenate[Viewpoint, P], Any], answer: type[Answer]
) -> Callable[Concatenate[RemoteViewpoint, P], Answer]: ...
def _verb(method: Callable[..., Any], answer: Any = None) -> Callable[..., Any]:
    """A verb with the parameters of a viewpoint's method; its answer is of the same type, unless another is named."""
    signature, operation = inspect.signature(method), VERBS[method.__name__]
    kind = shapes.ANSWERS[operation.name] if answer is None else answer

    @wraps(method)
    def asked(view: RemoteViewpoint, /, *given: Any, **named: Any) -> Any:  # noqa: ANN401 -- each verb has its own
        said = signature.bind(view, *given, **named).arguments
        arguments = {name: value for name, value in said.items() if name != "self"}
        return shapes.TYPED.read(kind, view.client.json(operation, view.place, arguments))

    asked.__doc__ = operation.doc
    asked.__annotations__ = method.__annotations__ | ({} if answer is None else {"return": answer})
    return asked


class Client:
    """A server: `http://host:port`, `https://…` or `unix:/path` of its socket. `key` is an API key or a token."""

    def __init__(self, url: str, *, key: str | None = None) -> None:
        self._url, self._key = url, key
        self._free: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    at = _at(Memory.at)

    def call(self, name: str, *, viewpoint: Mapping[str, Any] | None = None, **arguments: Any) -> Any:  # noqa: ANN401 -- each operation has its own
        """Any operation by its name, those for operators included: `client.call("gc")`. Its answer as its type."""
        return shapes.TYPED.read(shapes.ANSWERS[name], self.json(BY_NAME[name], viewpoint or {}, arguments))

    def json(self, operation: Operation, viewpoint: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        """The answer of an operation as JSON."""
        given = operation.given(_listed(operation, _sent(arguments)))
        method, path = operation.http
        inside = schemas.in_path(path)
        path = path.format(**{name: wire.quoted(given[name]) for name in inside})
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
        line = self._line()
        answer = exchanged(line, self._url, (method, path, body), self._key)
        with self._lock:
            self._free.append((monotonic(), line))
        return answer

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

    def __exit__(self, *_raised: object) -> None:
        self.close()


class RemoteViewpoint:
    """The memory of a server as one person in one place uses it."""

    def __init__(self, client: Client, place: Mapping[str, Any]) -> None:
        self.client = client
        self.place = place

    def why(self, memory_id: str) -> MemoryWhy:
        """Say why a memory is known and why it is shown here."""
        answer: MemoryWhy = self.client.call("why", viewpoint=self.place, memory_id=memory_id)
        return answer

    remember = _verb(Viewpoint.remember)
    add = _verb(Viewpoint.add)
    preview = _verb(Viewpoint.preview)
    observe = _verb(Viewpoint.observe, shapes.Observed)
    recall = _verb(Viewpoint.recall, shapes.Recall)
    context = _verb(Viewpoint.context, shapes.Context)
    query = _verb(
        Viewpoint.query, cast("type[tuple[shapes.Bullet, ...] | shapes.ThreadBullets]", shapes.ANSWERS["query"])
    )
    turn = _verb(Viewpoint.turn, shapes.Turn)
    finish_turn = _verb(Viewpoint.finish_turn)
    sessions = _verb(Viewpoint.sessions)
    session = _verb(Viewpoint.session)
    state = _verb(Viewpoint.state)
    summaries = _verb(Viewpoint.summaries)
    spines = _verb(Viewpoint.spines)
    todos = _verb(Viewpoint.todos)
    complete_todo = _verb(Viewpoint.complete_todo)
    dismiss_todo = _verb(Viewpoint.dismiss_todo)
    list = _verb(Viewpoint.list, tuple[shapes.Record, ...])
    show = _verb(Viewpoint.show, shapes.Record)
    forget = _verb(Viewpoint.forget)
    restore = _verb(Viewpoint.restore)
    pin = _verb(Viewpoint.pin)
    unpin = _verb(Viewpoint.unpin)
    edit = _verb(Viewpoint.edit)
    reveal = _verb(Viewpoint.reveal, shapes.Record)
    conversations = _verb(Viewpoint.conversations)
    messages = _verb(Viewpoint.messages)
    reading = _verb(Viewpoint.reading)
    history = _verb(Viewpoint.history)
    chat = _verb(Viewpoint.chat)
    people = _verb(Viewpoint.people)
    person = _verb(Viewpoint.person, shapes.PersonShown)
    alias_person = _verb(Viewpoint.alias_person)
    rename_person = _verb(Viewpoint.rename_person)
    relate_person = _verb(Viewpoint.relate_person)
    merge_people = _verb(Viewpoint.merge_people, shapes.MergedPerson)
    split_person = _verb(Viewpoint.split_person)
    review_people = _verb(Viewpoint.review_people, shapes.Reviewed)
    forget_person = _verb(Viewpoint.forget_person)
    profile = _verb(Viewpoint.profile)
    consents = _verb(Viewpoint.consents)
    approve = _verb(Viewpoint.approve)
    reject = _verb(Viewpoint.reject)
    checkpoints = _verb(Viewpoint.checkpoints, tuple[shapes.CheckpointHead, ...])
    checkpoint = _verb(Viewpoint.checkpoint)
    save_checkpoint = _verb(Viewpoint.save_checkpoint, shapes.CheckpointHead)
    delete_checkpoint = _verb(Viewpoint.delete_checkpoint, shapes.CheckpointHead)
    governed_sessions = _verb(Viewpoint.governed_sessions)
    phases = _verb(Viewpoint.phases, tuple[shapes.Phase, ...])
    start_phase = _verb(Viewpoint.start_phase, tuple[Mapping[str, Any], ...])
    traces = _verb(Viewpoint.traces)
    phase_diff = _verb(Viewpoint.phase_diff, tuple[Mapping[str, Any], ...])
    stats = _verb(Viewpoint.stats, shapes.Stats)
    token = _verb(Viewpoint.token)


def _listed(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """One name is a list of one, where a list is taken."""
    lists = {one.name for one in operation.parameters if one.kind in ("texts", "pair")}
    return {name: [value] if name in lists and isinstance(value, str) else value for name, value in arguments.items()}


def _sent(value: Any) -> Any:  # noqa: ANN401 -- whatever is sent
    """As JSON has it: a time is a text, in messages and facts too."""
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
    general = [one for one, number in wire.STATUSES.items() if number == status]
    found = own[0] if len(own) == 1 else next(iter(general), InvalidInput)
    return found if issubclass(found, WellkeptError) else WellkeptError
