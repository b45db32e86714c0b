"""Export and import: everything of a tenant, or of one user, as lines of JSON that can be checked one by one."""

from __future__ import annotations

import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import IO, TYPE_CHECKING, Any

from wellkept.errors import BadLine, InvalidInput, NotEmpty, UnknownUser
from wellkept.flows.write import transitions
from wellkept.policies import words
from wellkept.policies.secrets import detector
from wellkept.policies.writing import conflict, gate
from wellkept.store.contract import (
    Change,
    Counters,
    Entry,
    HeldKey,
    KnownUser,
    MemoriesOf,
    Rewiring,
    Stored,
    TextQuery,
    Unembedded,
    UserLink,
)
from wellkept.store.encoding import plain
from wellkept.store.portable import check_line, memory_of
from wellkept.types import Alias, Edge, Memory, Person, Relationship
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine


FORMAT = 1
HEADER, END = "wellkept", "end"
HEADER_BEFORE = "recollect"
"""The header of exports made under the project's earlier name, which are still read."""
BY_HAND = "_by_hand"
"""Marks a line that has no check sum."""
LINE_MAX = 64 * 1024 * 1024
"""Characters of a line; the largest that is written is a checkpoint."""


@frozen
class Transferred:
    """How many lines of each type went out or came in, and what became of the memories of a merge."""

    counts: Mapping[str, int]
    outcomes: Mapping[str, int]


def export(
    engine: Engine,
    file: IO[str],
    *,
    tenants: Sequence[str],
    user: str | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Transferred:
    """Write everything of these tenants, or what belongs to a user. The same content gives the same bytes."""
    counts: dict[str, int] = {}
    for tenant in tenants:
        if user is not None and not engine.store.has(KnownUser(tenant=tenant, user=user)):
            raise UnknownUser
        begun = 0
        file.write(_text({"_type": HEADER, "format": FORMAT, "tenant": tenant, "user": user}))
        for line in engine.store.lines(tenant, user):
            file.write(_text(line))
            counts[line["_type"]] = counts.get(line["_type"], 0) + 1
            begun += 1
            if begun % 1_000 == 0:
                progress(sum(counts.values()))
        file.write(_text({"_type": END, "lines": begun}))
    return Transferred(counts=counts, outcomes={})


def import_(
    engine: Engine,
    file: IO[str],
    *,
    merge: bool = False,
    tenant: str | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Transferred:
    """Read a whole export, then store it, all or nothing. `tenant`: into this one instead of the file's."""
    checked, read = _Sum(file), _Sum(file)
    for number, line in _sections(checked, is_checking=True):  # every line is looked at before anything is stored
        if not merge and BY_HAND in line:
            _check_words(number, line)
    counts, outcomes = Counter[str](), Counter[str]()
    file.seek(0)
    with engine.store.transaction():
        for header, lines in _split(read, lambda done: None if merge else progress(done)):
            place, user = tenant or str(header["tenant"]), header.get("user")
            if merge:
                outcomes.update(merge_into(place, lines, engine, progress=progress))
                continue
            if engine.store.has(Stored(tenant=place, user=user)):
                raise NotEmpty("Something is stored there already: import into an empty store, or use --merge.")
            counts.update(engine.store.load(place, lines))
            if engine.model is not None and engine.store.memories(
                Unembedded(tenant=place, model=engine.model, limit=1)
            ):
                engine.embed_later(place, now=engine.clock())
        if read.value != checked.value:
            raise BadLine(1, "the file has changed while it was read")
    return Transferred(counts=dict(counts), outcomes=dict(outcomes))


_Line = dict[str, Any]


class _Sum:
    """The lines of a file, none of them held beyond the limit, with a check sum of those that were read."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.value = 0

    def __iter__(self) -> Iterator[str]:
        while text := self._file.readline(LINE_MAX + 1):
            self.value = zlib.crc32(text.encode("utf-8", "surrogatepass"), self.value)
            yield text


def _split(file: Iterable[str], progress: Callable[[int], None]) -> Iterator[tuple[_Line, Iterator[tuple[int, _Line]]]]:
    """Each tenant's header with its lines; the lines must be read before the next header is asked for."""
    reading = _sections(file, is_checking=False)

    def until_end() -> Iterator[tuple[int, _Line]]:
        for number, line in reading:
            if line["_type"] == END:
                return
            line.pop(BY_HAND, None)
            if number % 1_000 == 0:
                progress(number)
            yield number, line

    for _, line in reading:
        if line["_type"] == HEADER:
            yield line, until_end()


def _sections(file: Iterable[str], *, is_checking: bool) -> Iterator[tuple[int, _Line]]:
    """Every line with its number; a file that stops in the middle is damaged where it stops.

    Each line is checked, unless they have been.
    """
    number, begun = 0, None
    try:
        for number, text in enumerate(file, start=1):
            line = _parsed(number, text, is_checked=not is_checking)
            kind = line["_type"]
            if (kind == HEADER) == (begun is not None):
                raise BadLine(
                    number, "an export begins with its header" if begun is None else "its end is missing before"
                )
            if kind == HEADER:
                _check_header(number, line)
            if kind == END and line.get("lines") != number - (begun or 0) - 1:
                raise BadLine(number, "lines are missing before it")
            if is_checking and kind not in (HEADER, END):
                _checked(number, line)
            begun = number if kind == HEADER else None if kind == END else begun
            yield number, line
    except UnicodeDecodeError:
        raise BadLine(number + 1, "it is not valid UTF-8") from None
    if begun is not None or number == 0:
        raise BadLine(number + 1, "the file ends before its end line")


def _check_header(number: int, line: Mapping[str, Any]) -> None:
    tenant, user = line.get("tenant"), line.get("user")
    if line.get("format") != FORMAT:
        raise BadLine(number, "it was written by another release")
    if not isinstance(tenant, str) or not tenant or not isinstance(user, str | None):
        raise BadLine(number, "it does not say whose it is")


def _parsed(number: int, text: str, *, is_checked: bool) -> _Line:
    if len(text) > LINE_MAX:
        raise BadLine(number, "it is longer than any line that was ever written")
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        raise BadLine(number, "it is not valid JSON") from None
    if not isinstance(line, dict) or not isinstance(line.get("_type"), str):
        raise BadLine(number, "it is no object with a _type")
    told = line.pop("_crc", None)
    if told is not None and not is_checked and told != _crc(line):
        raise BadLine(number, "it is not as it was written")
    if line["_type"] == HEADER_BEFORE:
        line["_type"] = HEADER
    return line if told is not None else line | {BY_HAND: True}


def _check_words(number: int, line: Mapping[str, Any]) -> None:
    """What was not written by an export but by hand passes the gate for secrets. A merge asks it of every line."""
    said = (line.get(name) for name in ("content", "quote", "new", "value", "text"))
    if any(isinstance(text, str) and detector.has_secret(text) for text in said):
        raise BadLine(number, "it holds what may be a secret")


def _checked(number: int, line: Mapping[str, Any]) -> None:
    is_by_hand = BY_HAND in line
    try:
        check_line({name: value for name, value in line.items() if name != BY_HAND} if is_by_hand else line)
    except InvalidInput as error:
        raise BadLine(number, str(error)) from None


def _text(line: Mapping[str, Any]) -> str:
    """A line with its check sum; control characters and separators of lines are escaped."""
    return json.dumps({**line, "_crc": _crc(line)}, ensure_ascii=True, separators=(",", ":")) + "\n"


def _crc(line: Mapping[str, Any]) -> int:
    return zlib.crc32(plain(line).encode("ascii"))


_READ = frozenset({"scope", "counter", "memory", "edge", "person", "alias", "relationship", "user"})


@dataclass(kw_only=True)
class _Merging:
    """One merge: where it goes, and under which ids things stand there."""

    tenant: str
    engine: Engine
    now: datetime
    persons: dict[str, str] = field(default_factory=dict)
    memories: dict[str, str] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)

    def person(self, person_id: str | None) -> str | None:
        """The id that a person of the file has here."""
        return None if person_id is None else self.persons.get(person_id, person_id)


def merge_into(
    tenant: str,
    lines: Iterable[tuple[int, Mapping[str, Any]]],
    engine: Engine,
    *,
    progress: Callable[[int], None] = lambda _done: None,
) -> Mapping[str, int]:
    """What became of each memory: created, duplicate, superseded, lost or denied. In the open transaction."""
    by_type: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for _, line in lines:
        if line["_type"] in _READ:
            by_type[line["_type"]].append(line)
    merging = _Merging(tenant=tenant, engine=engine, now=engine.clock())
    # Messages are not merged, and neither are the scopes that hold nothing else.
    spaces = {str(space) for space in Space}
    scopes = {
        line["scope"]: (Space(line["space"]), str(line["owner"]))
        for line in by_type["scope"]
        if line["space"] in spaces
    }
    for line in by_type["counter"]:
        if line["scope"] in scopes:
            space, owner = scopes[line["scope"]]
            numbers = {line["kind"]: line["n"]}
            engine.store.keep(Counters(tenant=tenant, space=space, owner=owner, numbers=numbers))
    _people(by_type, merging)
    for number, line in enumerate(by_type["memory"], start=1):
        merging.outcomes[_memory(memory_of(tenant, line), merging)] += 1
        progress(number)
    _links(by_type["edge"], merging)
    if merging.outcomes["created"] + merging.outcomes["superseded"]:
        engine.embed_later(tenant, now=merging.now)
    return dict(merging.outcomes)


def _people(by_type: Mapping[str, list[Mapping[str, Any]]], merging: _Merging) -> None:
    store, tenant = merging.engine.store, merging.tenant
    for user in by_type["user"]:
        here = store.person(tenant, user=user["user_id"])
        if here is not None:
            merging.persons[user["person_id"]] = here.id
    new = []
    for line in by_type["person"]:
        if line["id"] in merging.persons:
            continue
        here = store.person(tenant, line["id"])
        if here is not None and here.name == line.get("name"):
            continue
        if here is not None:
            owner = line.get("created_by")
            space, whose = (Space.SYSTEM, "import") if owner is None else (Space.USER, owner)
            merging.persons[line["id"]] = store.next_id(tenant, space, whose, "person")
        new.append(line)
    aliases, related = _grouped(by_type["alias"]), _grouped(by_type["relationship"])
    for line in new:
        store.keep(_person(line, aliases[line["id"]], related[line["id"]], merging))
    for user in by_type["user"]:
        if store.person(tenant, user=user["user_id"]) is None:
            person_id = merging.person(user["person_id"]) or user["person_id"]
            link = UserLink(tenant=tenant, user=user["user_id"], person_id=person_id, username=user.get("username"))
            store.keep(replace(link, display_name=user.get("display_name")))
    merging.outcomes["people"] += len(new)


def _grouped(lines: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    grouped: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        grouped[line["person_id"]].append(line)
    return grouped


def _person(
    line: Mapping[str, Any],
    aliases: Iterable[Mapping[str, Any]],
    related: Iterable[Mapping[str, Any]],
    merging: _Merging,
) -> Person:
    return Person(
        id=merging.person(line["id"]) or line["id"],
        tenant=merging.tenant,
        name=line.get("name"),
        created_by=line.get("created_by"),
        created_at=merging.now,
        aliases=tuple(Alias(value=one["value"], added_by=one.get("added_by")) for one in aliases if not one["is_name"]),
        relationships=tuple(
            Relationship(
                relationship=one["relationship"],
                stated_by=one.get("stated_by"),
                other_person_id=merging.person(one.get("other_person_id")),
            )
            for one in related
        ),
        merged_into=merging.person(line.get("merged_into")),
    )


def _memory(told: Memory, merging: _Merging) -> str:
    store = merging.engine.store
    here = store.memory(merging.tenant, told.id)
    if here is not None and here.content == told.content and here.created_at == told.created_at:
        return "duplicate"
    memory = replace(
        told,
        id=told.id if here is None else store.next_id(merging.tenant, told.space, told.owner, told.kind),
        version=1,
        subject_person_ids=tuple(merging.person(one) or one for one in told.subject_person_ids),
        stated_by=merging.person(told.stated_by),
        superseded_by=merging.memories.get(told.superseded_by or "", told.superseded_by),
    )
    merging.memories[told.id] = memory.id
    refusal = gate.admit_text(memory.content)
    if refusal.verdict == "refuse":
        denied = Entry(node="admin", op="create", status="denied", reason=refusal.reason)
        store.record(merging.tenant, memory.space, memory.owner, denied, at=merging.now)
        return "denied"
    return _settle(memory, merging)


def _settle(memory: Memory, merging: _Merging) -> str:
    """By key: the greater statement stands, the lesser is kept on record."""
    store = merging.engine.store
    holder = store.memory(memory.tenant, HeldKey.of(memory)) if memory.state is State.ACTIVE else None
    if holder is None:
        _create(memory, "imported", merging)
        return "created"
    if holder.content == memory.content:
        return "duplicate"
    settled = conflict.settle(memory, holder)
    if settled.winner is holder:
        _create(transitions.lost(memory, holder, now=merging.now), f"lost:{settled.rule}", merging)
        return "lost"
    over = transitions.superseded(holder, memory, now=merging.now)
    store.apply([Change(memory=over, entry=_entry("superseded", over))], at=merging.now)
    _create(memory, f"superseded_old:{settled.rule}", merging)
    return "superseded"


def _create(memory: Memory, reason: str, merging: _Merging) -> None:
    terms = words.term_counts(f"{memory.content} {memory.quote or ''}")
    change = Change(memory=memory, entry=_entry(reason, memory), is_new=True, terms=terms)
    merging.engine.store.apply([change], at=merging.now)


def _entry(reason: str, memory: Memory) -> Entry:
    return transitions.row("create" if memory.version == 1 else "update", memory, reason, node="admin")


def _links(lines: Iterable[Mapping[str, Any]], merging: _Merging) -> None:
    """Memories that were related stay so."""
    ids = merging.memories
    edges = [
        Edge(kind=EdgeKind.RELATED_TO, src=ids[line["src"]], dst=ids[line["dst"]], strength=line.get("strength"))
        for line in lines
        if line["kind"] == EdgeKind.RELATED_TO and line["src"] in ids and line["dst"] in ids
    ]
    known = merging.engine.store.memories_by_id(
        merging.tenant, [node for edge in edges for node in (edge.src, edge.dst)]
    )
    kept = [edge for edge in edges if edge.src in known and edge.dst in known]
    merging.engine.store.keep(Rewiring(tenant=merging.tenant, add=tuple(kept), at=merging.now))


BATCH = 100
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Who you are": ("user", "profile"),
    "Memories": ("memory", "version"),
    "Messages": ("message",),
    "Conversations": ("session", "session_state", "session_summary", "rolling_summary", "spine"),
    "What you mean to do": ("todo", "win"),
    "Changes that wait for your yes, or had it": ("proposal",),
    "People you told of": ("person", "alias", "relationship", "merge", "review"),
    "Work of agents for you": ("thread", "change", "thread_reader", "checkpoint", "trace", "phase"),
    "What was decided": ("ledger",),
}
"""Kinds of lines of an export by the section they stand in; what is not named serves the others, as an index does."""
OTHERS = "What others said of you"
ELSEWHERE = "Your words elsewhere"
_INTERNAL = frozenset(
    {
        "_type", "scope", "num", "rev", "tick", "hash", "actor", "words", "traits", "audience", "waits", "cited",
        "embedded_model", "ledger_seq", "subject_count", "sole_subject", "shadowed", "text_version", "norm", "position",
        "curator", "reach", "number", "payload", "seq",
    }
)  # fmt: skip
"""Names that say something to the store alone."""
_FIRST = ("content", "text", "value", "name", "summary", "op", "user_id")


@frozen
class Held:
    """What is held about one user at one moment."""

    tenant: str
    user: str
    at: datetime
    sections: Mapping[str, tuple[Mapping[str, Any], ...]]

    @property
    def text(self) -> str:
        """As a document in Markdown: a heading a section, an item an entry."""
        lines = [f"# What is held about {self.user}", "", f"As of {self.at.isoformat(timespec='seconds')}."]
        for title, entries in self.sections.items():
            lines += ["", f"## {title}", "", *map(_item, entries)]
        return "\n".join(lines) + "\n"


def subject_access(tenant: str, user: str, engine: Engine) -> Held:
    """Everything that a user owns or stated, and what others said of them, without saying who did."""
    store = engine.store
    if not store.has(KnownUser(tenant=tenant, user=user)):
        raise UnknownUser
    with store.snapshot():
        found: dict[str, list[Mapping[str, Any]]] = {title: [] for title in SECTIONS}
        places = {kind: title for title, kinds in SECTIONS.items() for kind in kinds}
        for line in store.lines(tenant, user):
            if line["_type"] in places:
                found[places[line["_type"]]].append(_shown(line))
        listed = {entry["id"] for entry in found["Memories"] if "id" in entry}
        own = {memory.id: memory for memory in _memories(tenant, user, engine, mentions=False)}
        found["Memories"] += [_held_memory(memory) for memory in own.values() if memory.id not in listed]
        told = [one for one in _memories(tenant, user, engine, mentions=True) if one.id not in {*listed, *own}]
        found[OTHERS] = [_held_memory(one) for one in told]
        said = {str(value) for entries in found.values() for entry in entries for value in entry.values()}
        # Whatever else stands in the user's rows: nothing is held that is not told.
        texts = dict.fromkeys(
            text for text in store.texts(TextQuery(tenant=tenant, user=user, kind="own")) if text not in said
        )
        found[ELSEWHERE] = [{"text": text} for text in texts]
    sections = {title: tuple(entries) for title, entries in found.items() if entries}
    return Held(tenant=tenant, user=user, at=engine.clock(), sections=sections)


def _memories(tenant: str, user: str, engine: Engine, *, mentions: bool) -> Iterator[Memory]:
    after = ""
    while ids := engine.store.memory_ids(
        MemoriesOf(tenant=tenant, user=user, mentions=mentions, after=after, limit=BATCH)
    ):
        yield from engine.store.memories_by_id(tenant, ids).values()
        after = ids[-1]


def _held_memory(memory: Memory) -> Mapping[str, Any]:
    return {
        "content": memory.content,
        "type": str(memory.type),
        "state": str(memory.state),
        "created_at": memory.created_at.isoformat(),
        "id": memory.id,
    }


def _shown(line: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = {name: value for name, value in line.items() if name not in _INTERNAL and value not in (None, "", {}, [])}
    first = {name: kept[name] for name in _FIRST if name in kept}
    return first | kept


def _item(entry: Mapping[str, Any]) -> str:
    """The words first, then the rest in brackets; on one line, whatever is in them."""
    (_, words), *rest = entry.items()
    told = ", ".join(f"{name.replace('_', ' ')}: {_flat(value)}" for name, value in rest)
    return f"- {_flat(words)}" + (f" ({told})" if told else "")


def _flat(value: object) -> str:
    return " ".join(str(value).split())
