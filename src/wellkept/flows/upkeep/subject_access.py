"""Subject access: everything that is held about a user, in sections that a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.errors import UnknownUser
from wellkept.store.contract import KnownUser, MemoriesOf, TextQuery
from wellkept.values import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.types import Memory

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
        found["Memories"] += [_memory(memory) for memory in own.values() if memory.id not in listed]
        told = [one for one in _memories(tenant, user, engine, mentions=True) if one.id not in {*listed, *own}]
        found[OTHERS] = [_memory(one) for one in told]
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
        yield from engine.store.memories(tenant, ids).values()
        after = ids[-1]


def _memory(memory: Memory) -> Mapping[str, Any]:
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
