"""What all adapters share: a session's items kept as they are, learning from what is said, and tools for a model.

Whose memory it is comes from the viewpoint that the application made (`memory.at(user=…, chat=…)`). Nothing here takes
an identity from a model: its tools have no parameter for one.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from wellkept.errors import InvalidInput, MissingExtra, WellkeptError
from wellkept.policies.secrets.detector import mask
from wellkept.store.contract import Item, ItemKey
from wellkept.store.tagged import PLAIN

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.types import Outcome

_log = logging.getLogger("wellkept")
P = ParamSpec("P")
T = TypeVar("T")
ABOUT_ME = "What do you know about me?"
"""What the context is about while nothing has been said."""
SAID = ("user", "assistant")
"""The roles that are learned from; system prompts and tool answers are nobody's words."""
MASKED_FIELDS = frozenset({"text", "content", "output", "arguments"})
"""Where frameworks keep what was said. Ids, signatures and encrypted reasoning must stay as they are."""


async def on_thread(call: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Run a call on a thread. A caller that is cancelled waits for its end: nothing goes on behind its back."""
    running = asyncio.ensure_future(asyncio.to_thread(call, *arguments, **options))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        # Asked for, so that an error nobody waits for any more is not reported as forgotten.
        running.exception()
        raise


def threaded(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The same method for asyncio, on a thread."""

    async def called(self: object, /, *arguments: P.args, **options: P.kwargs) -> T:
        return await on_thread(method, self, *arguments, **options)

    called.__doc__ = method.__doc__
    return called


def missing(framework: str, extra: str) -> MissingExtra:
    """The error of an adapter whose framework is not installed."""
    return MissingExtra(f"{framework} needs `pip install 'wellkept[{extra}]'`.")


def owner(view: Viewpoint) -> str:
    """Under whose name sessions are kept: erasing the user erases them."""
    if view.place.user is None:
        raise InvalidInput("Whose session is it? Name a user: memory.at(user=…).", code="no_owner")
    return view.place.user


def said(role: object, text: str, *, message_id: str | None = None) -> list[dict[str, Any]]:
    """A message for `learn`, or none when there is nothing to learn from it."""
    if role not in SAID or not text.strip():
        return []
    return [{"role": role, "content": text} | ({"id": message_id} if message_id else {})]


def learn(view: Viewpoint, messages: Sequence[Mapping[str, Any]]) -> None:
    """Into the transcript, where it is found at once; facts are read from it in the background.

    A message that cannot be taken in, such as one that is too long, is left out: it must not end the conversation.
    """
    for message in messages:
        try:
            view.observe([message])
        except InvalidInput as error:
            _log.warning("a message of a session is not learned from: %s", error.code)


def remembered(view: Viewpoint, text: str) -> Outcome:
    """What became of a text that is to be remembered; what the gate refuses is an error with its code."""
    outcome = view.remember(text)
    for one in (outcome, *outcome.others):
        if one.id is None and one.reason is not None:
            raise InvalidInput(f"It was not remembered: {one.reason}.", code=one.reason)
    return outcome


def block(view: Viewpoint, query: str | None) -> str:
    """The block for a system prompt: what this viewpoint may know that bears on the query."""
    return str(view.context(query.strip() if query and query.strip() else ABOUT_ME))


def unit(vector: Sequence[float]) -> bytes:
    """A vector at length 1, as it is kept: 32-bit floats."""
    import numpy as np

    row = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(row))
    return (row / length if length else row).tobytes()


class Records:
    """JSON values by key, in one place of the user's; erased with the user. Texts lose their secrets."""

    def __init__(self, view: Viewpoint, *path: str) -> None:
        self._engine = view.memory.engine
        self._tenant = view.place.tenant
        self._path = ("adapters", path[0], owner(view), *path[1:])

    def get(self, key: str) -> Any:  # noqa: ANN401 -- JSON
        """The value, or None."""
        found = next(iter(self._engine.store.items(self._tenant, self._path, key=key)), None)
        return None if found is None else PLAIN.loads(found.value)

    def put(self, key: str, value: object) -> None:
        """Store a value, over the one before."""
        now = self._engine.clock()
        stored = PLAIN.dumps(_masked(value))
        self._engine.store.keep(
            Item(tenant=self._tenant, namespace=self._path, key=key, value=stored, created_at=now, updated_at=now)
        )

    def remove(self, keys: Iterable[str]) -> None:
        """Remove values."""
        for key in keys:
            self._engine.store.drop(ItemKey(tenant=self._tenant, namespace=self._path, key=key))

    def all(self) -> dict[str, Any]:
        """Key → value, by key; without what is kept below this place."""
        found = self._engine.store.items(self._tenant, self._path)
        return {item.key: PLAIN.loads(item.value) for item in found if tuple(item.namespace) == self._path}

    def below(self) -> list[tuple[str, ...]]:
        """The places below this one that hold something."""
        found = {tuple(item.namespace) for item in self._engine.store.items(self._tenant, self._path)}
        return sorted(path[len(self._path) :] for path in found if path != self._path)

    def together(self) -> Any:  # noqa: ANN401 -- the store's own context manager
        """A transaction."""
        return self._engine.store.transaction()


class History:
    """The items of one session, in order, as the framework gave them."""

    def __init__(self, view: Viewpoint, framework: str, *path: str) -> None:
        if not path or not all(path):
            raise InvalidInput("A session needs an id.", code="invalid_id")
        self._records = Records(view, framework, *path)

    def add(self, items: Sequence[object]) -> None:
        """After those that are there. Two writers at once lose nothing: keys are never the same."""
        with self._records.together():
            last = max(self._records.all(), default="0")
            first = int(last.partition("-")[0]) + 1
            for number, item in enumerate(items, first):
                self._records.put(f"{number:012}-{token_hex(4)}", item)

    def items(self, limit: int | None = None) -> list[Any]:
        """The latest `limit`, oldest first."""
        found = [*self._records.all().values()]
        return found if limit is None else found[len(found) - min(limit, len(found)) :] if limit > 0 else []

    def pop(self) -> Any:  # noqa: ANN401 -- an item of the framework
        """Take the latest item away; None when there is none."""
        with self._records.together():
            found = self._records.all()
            if not found:
                return None
            last = max(found)
            self._records.remove([last])
            return found[last]

    def clear(self) -> None:
        """Take everything away. What was learned from it stays: forget that with `forget`."""
        with self._records.together():
            self._records.remove(self._records.all())


def _masked(value: Any, *, is_said: bool = False) -> Any:  # noqa: ANN401 -- walks any JSON
    match value:
        case str():
            return mask(value) if is_said else value
        case dict():
            return {key: _masked(item, is_said=key in MASKED_FIELDS) for key, item in value.items()}
        case list():
            return [_masked(item, is_said=is_said) for item in value]
        case _:
            return value


class Tools:
    """Three functions for a model, bound to a viewpoint. A refusal is told to the model, not raised."""

    def __init__(self, view: Viewpoint) -> None:
        self._view = view

    def remember(self, fact: str) -> str:
        """Remember a lasting fact about the user or the people they speak of, in the user's own words.

        Args:
            fact: One statement, such as "My wife Sarah likes Italian food".
        """
        return self._told(lambda: _outcome(self._view.remember(fact)))

    def recall(self, query: str) -> str:
        """Search the user's memory. Call it before answering what may depend on who the user is or said before.

        Args:
            query: What is needed, as a question or a few words.
        """

        def found() -> str:
            hits = [{"id": hit.id, "text": hit.text} for hit in self._view.recall(query)]
            return json.dumps(hits, ensure_ascii=False) if hits else "Nothing is known about that."

        return self._told(found)

    def forget(self, memory_id: str) -> str:
        """Forget a memory when the user asks for it.

        Args:
            memory_id: The id that `recall` gave.
        """
        return self._told(lambda: _outcome(self._view.forget(memory_id)))

    @property
    def all(self) -> tuple[Callable[[str], str], ...]:
        """Every tool."""
        return self.remember, self.recall, self.forget

    @staticmethod
    def _told(call: Callable[[], str]) -> str:
        try:
            return call()
        except WellkeptError as error:
            return f"{error.code}: {error}"


def _outcome(outcome: Outcome) -> str:
    said_of_it = {"outcome": outcome.outcome, "id": outcome.id, "text": outcome.content, "reason": outcome.reason}
    return json.dumps({name: value for name, value in said_of_it.items() if value is not None}, ensure_ascii=False)
