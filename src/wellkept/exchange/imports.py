"""Importing: what a reader finds goes through `observe` and `remember`, once, however often the import is begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept import flows
from wellkept.errors import InvalidInput
from wellkept.exchange.sources import SOURCES, Fault, Item, Parts
from wellkept.flows import views
from wellkept.flows.requests import RememberRequest, Statement
from wellkept.flows.write.remember import STATEMENTS_MAX
from wellkept.store.contract import OfChat
from wellkept.types import Message
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.api import Memory, Viewpoint
    from wellkept.types import Viewpoint as Place

BATCH = 200
"""Messages that are stored at once; an import that was killed repeats at most so many, to no effect."""
FAULTS_MAX = 100
"""So many faults are told one by one; the rest are counted."""


@frozen
class ImportRequest:
    """An export of another product, to be taken into the memory of one user."""

    source: str
    path: Path
    place: Place
    extract: bool = True
    """Read the messages for facts, too: later, by a job."""
    keep_users: bool = False
    """Give each record to the user that the source names, where it names one."""
    is_dry: bool = False
    """Only count."""


@frozen
class Imported:
    """What an import found, and what of it was new."""

    conversations: int = 0
    messages: int = 0
    new_messages: int = 0
    memories: int = 0
    new_memories: int = 0
    faults: int = 0
    first_faults: tuple[Fault, ...] = ()
    is_resumed: bool = False


Progress = Callable[[int, int], None]
"""Is told how many bytes are read, of how many."""


def run(request: ImportRequest, memory: Memory, progress: Progress = lambda _done, _total: None) -> Imported:
    """Take an export in. Whatever is there already, from this export or an earlier one, is left as it is."""
    source = SOURCES.get(request.source)
    if source is None:
        raise InvalidInput(f"Unknown source. Known: {', '.join(SOURCES)}.", code="unknown_source")
    if request.place.user is None:
        raise InvalidInput("Whose memory? Name a user.", code="no_owner")
    parts = Parts(request.path, source.fits)
    mark = _Mark(request, parts, memory)
    work = _Import(request, memory, mark)
    for part, stream in parts:
        for item in source.read(part, stream):
            work.take(item)
            progress(parts.done, parts.total)
    work.end()
    progress(parts.total, parts.total)
    return work.told()


class _Mark:
    """How far an import has come, kept in the store as a checkpoint of the user until it is done."""

    def __init__(self, request: ImportRequest, parts: Parts, memory: Memory) -> None:
        self._store, self._user = memory.checkpoints, request.place.user or ""
        self._tenant, self._is_dry = request.place.tenant, request.is_dry
        self._thread = f"import:{request.source}:{parts.fingerprint()}"
        found = None if request.is_dry else self._store.load(self._user, self._thread, tenant=self._tenant)
        self._version = 0 if found is None else found.version
        self.begun_at = 0 if found is None else int(found.data["done"])
        self.is_resumed = found is not None

    def begin(self) -> None:
        """From now on an import that ends early is known to have begun."""
        if not self._version:
            self.set(0)

    def set(self, done: int) -> None:
        """Everything before this item is stored."""
        if not self._is_dry:
            data: dict[str, Any] = {"done": done}
            saved = self._store.save(self._user, self._thread, data, version=self._version, tenant=self._tenant)
            self._version = saved.version

    def remove(self) -> None:
        """The import is done."""
        if self._version:
            self._store.delete(self._user, self._thread, tenant=self._tenant)


class _Import:
    """Gathers what belongs together, stores it batch by batch, and counts."""

    def __init__(self, request: ImportRequest, memory: Memory, mark: _Mark) -> None:
        self._request, self._memory, self._mark = request, memory, mark
        self._batch: list[Item] = []
        self._number = 0
        self._counts = dict.fromkeys(("messages", "new_messages", "memories", "new_memories", "faults"), 0)
        self._conversations: set[int] = set()
        self._faults: list[Fault] = []

    def take(self, found: Item | Fault) -> None:
        """One more record."""
        if isinstance(found, Fault):
            self._fault(found)
            return
        self._counts["memories" if found.is_memory else "messages"] += 1
        self._conversations.add(hash((found.conversation, found.user)))
        self._number += 1
        if self._number <= self._mark.begun_at or self._request.is_dry:
            return
        if self._batch and (_together(self._batch[0]) != _together(found) or len(self._batch) == BATCH):
            self._store(done=self._number - 1)
        self._batch.append(found)

    def end(self) -> None:
        """There is nothing more."""
        if self._batch:
            self._store(done=self._number)
        self._mark.remove()

    def told(self) -> Imported:
        return Imported(
            conversations=len(self._conversations),
            first_faults=tuple(self._faults),
            is_resumed=self._mark.is_resumed,
            **self._counts,
        )

    def _fault(self, fault: Fault) -> None:
        self._counts["faults"] += 1
        if len(self._faults) < FAULTS_MAX:
            self._faults.append(fault)

    def _store(self, *, done: int) -> None:
        batch, self._batch = self._batch, []
        self._mark.begin()
        first, place = batch[0], self._request.place
        viewpoint = self._memory.at(
            tenant=place.tenant,
            user=first.user if self._request.keep_users and first.user else place.user,
            chat=f"{self._request.source}:{first.conversation or 'memories'}",
            persona=place.persona,
            agent=place.agent,
        )
        is_memory = batch[0].is_memory
        names = ("role", "content", "speaker", "at")
        said = [{"id": self._key(item)} | {name: getattr(item, name) for name in names} for item in batch]
        observed = viewpoint.observe(said, extract=self._request.extract and not is_memory)
        if is_memory:
            fresh = {str(message.id): message for message in observed.messages}
            if self._mark.is_resumed and done - len(batch) == self._mark.begun_at:
                # What a killed import had put at the end of the transcript may not have been remembered yet.
                last = OfChat(place=views.place_of(viewpoint.place), limit=BATCH)
                fresh = {str(one.id): one for one in viewpoint.memory.engine.store.messages(last)} | fresh
            told = [(item, fresh.get(self._key(item))) for item in batch]
            self._remember(viewpoint, [(item, message) for item, message in told if message is not None])
        else:
            self._counts["new_messages"] += len(observed.messages)
        self._mark.set(done)

    def _key(self, item: Item) -> str:
        """The id of an item in the transcript: the same however often it is imported."""
        return f"{self._request.source}:{item.id}"

    def _remember(self, viewpoint: Viewpoint, items: list[tuple[Item, Message]]) -> None:
        for first in range(0, len(items), STATEMENTS_MAX):
            chosen = items[first : first + STATEMENTS_MAX]
            statements = tuple(
                Statement(text=item.content, is_as_given=True, origin="import", said_at=item.at, message=message)
                for item, message in chosen
            )
            request = RememberRequest(viewpoint=viewpoint.place, statements=statements)
            outcomes = flows.remember.remember(request, viewpoint.memory.engine)
            self._counts["new_memories"] += sum(one.outcome not in ("denied", "duplicate") for one in outcomes)
            for (item, _), one in zip(chosen, outcomes, strict=True):
                if one.outcome == "denied":
                    self._fault(Fault(file=item.conversation or item.id, line=0, reason=one.reason or "denied"))


def _together(item: Item) -> tuple[str, str | None, bool]:
    return item.conversation, item.user, item.is_memory
