"""A store in which every cell of the matrix is one memory, and the viewpoint that the cells speak of."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import wellkept
from tests.privacy.oracle import Cell, cells
from wellkept.api import Memory as App
from wellkept.config import Config, PrivacyTable
from wellkept.flows import views
from wellkept.policies.visibility import View
from wellkept.policies.words import term_counts
from wellkept.store.contract import Attendance, Change, Entry, Store, UserLink
from wellkept.store.opening import open_store
from wellkept.types import Edge, Memory, Person
from wellkept.vocabulary import ChatType, EdgeKind, MemoryType, Sensitivity, Space

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TENANT = "default"
PERSONA = "coach"
BATCH = 400
"""Cells that share a word: fewer than one recall may give."""

# Roles of the table → users; the third person speaks, the absent one is spoken of. Neither listens.
USERS = {"asker": "ada", "other": "omar", "absent": "abel", "third": "theo"}
PERSONS = {role: f"p_{user}" for role, user in USERS.items()}
SCOPES: Mapping[str, tuple[Space, str]] = {
    "own": (Space.USER, USERS["asker"]),
    "this_chat": (Space.CHAT, "here"),
    "granted": (Space.PROJECT, "apollo"),
    "other_user": (Space.USER, USERS["third"]),
    "other_chat": (Space.CHAT, "elsewhere"),
}
PLACES: Mapping[tuple[str, str], tuple[str, ChatType]] = {
    ("private", "yes"): ("dm_attended", "private"),
    ("private", "no"): ("dm_missed", "private"),
    ("group", "yes"): ("group_attended", "group"),
    ("group", "no"): ("group_missed", "group"),
}
HUB = "m_hubhubhubhubhubh"
"""A memory of the asker that is related to every cell."""
SETTINGS = {
    "default": PrivacyTable(),
    "seed": PrivacyTable(mode="seed"),
    "strict": PrivacyTable(mode="strict"),
    "closed": PrivacyTable(fail_open=False),
}


@dataclass(frozen=True, kw_only=True)
class World:
    """The cells of one chat, each stored as the memory of its id."""

    chat: str
    url: str
    ids: Mapping[str, Cell]

    def shown(self, setting: str = "default") -> frozenset[str]:
        return frozenset(name for name, cell in self.ids.items() if cell.is_shown(setting))

    def open(self, setting: str = "default", **options: object) -> App:
        config = Config(privacy=SETTINGS[setting])
        return wellkept.open(self.url, config=config, clock=lambda: NOON, embedder="none", **options)

    def at(self, app: App) -> wellkept.api.Viewpoint:
        listeners = {} if self.chat == "alone" else {"participants": (USERS["other"],)}
        kind: ChatType = "group" if self.chat == "group" else "private"
        return app.at(user=USERS["asker"], chat="here", chat_type=kind, persona=PERSONA, project="apollo", **listeners)

    def view(self, app: App) -> View:
        """The viewpoint as the store is asked, with the settings of the app."""
        return views.view_of(self.at(app).place, app.engine, NOON)

    def chats(self) -> list[str]:
        return ["here", *(name for name, _ in PLACES.values())]

    @property
    def numbers(self) -> Mapping[int, str]:
        """Cell number → memory id."""
        return {cell.number: name for name, cell in self.ids.items()}

    def id_of(self, cell: Cell) -> str:
        return memory_id(cell)

    def batches(self) -> Iterator[tuple[str, frozenset[str]]]:
        """(the word they share, the ids of up to 400 cells)."""
        ids = list(self.ids)
        for start in range(0, len(ids), BATCH):
            yield batch_word(start // BATCH), frozenset(ids[start : start + BATCH])


def memory_id(cell: Cell) -> str:
    """In the form of real ids."""
    digest = hashlib.sha256(f"cell {cell.number}".encode()).digest()
    return "m_" + base64.b32encode(digest).decode().lower()[:16]


def batch_word(number: int) -> str:
    return f"batch{number}x"


def build(chat: str, url: str, wanted: Sequence[Cell] | None = None) -> World:
    """Everything is written through the store, in bulk; all cells of the chat unless some are given."""
    store = open_store(url)
    wanted = cells(chat) if wanted is None else wanted
    memories = [as_memory(cell, place) for place, cell in enumerate(wanted)]
    related = [Edge(kind=EdgeKind.RELATED_TO, src=HUB, dst=memory.id, strength=0.5) for memory in memories]
    with store.transaction():
        populate(chat, store)
        store.apply([change(memory) for memory in memories], at=NOON)
        store.apply([change(hub(), related)], at=NOON)
    store.close()
    return World(chat=chat, url=url, ids=dict(zip((memory.id for memory in memories), wanted, strict=True)))


def populate(chat: str, store: Store) -> None:
    for role, user in USERS.items():
        person = Person(id=PERSONS[role], tenant=TENANT, name=user.title(), created_by=user, created_at=NOON)
        store.keep(person)
        store.keep(UserLink(tenant=TENANT, user=user, person_id=person.id, display_name=user.title()))
    # In a chat of two it is the partner's presence that counts: the asker was just where the partner was not.
    here, missed = (("other",), ("asker",)) if chat == "two" else (("asker",), ("other",))
    listeners = ("asker",) if chat == "alone" else ("asker", "other")
    attended = {
        ("here", "group" if chat == "group" else "private"): listeners,
        **{place: (here if key[1] == "yes" else missed) for key, place in PLACES.items()},
    }
    for (name, kind), roles in attended.items():
        store.keep(
            Attendance(
                tenant=TENANT,
                chat=name,
                chat_type=kind,
                person_ids=tuple([PERSONS[role] for role in (*roles, "third")]),
                at=NOON,
            )
        )


def as_memory(cell: Cell, place: int) -> Memory:
    space, owner = SCOPES[cell.scope]
    chat: tuple[str | None, ChatType | None] = (None, None)
    if cell.learned_in == "here":
        chat = ("here", "group" if cell.chat == "group" else "private")
    elif cell.learned_in != "nowhere":
        chat = PLACES[cell.learned_in, cell.attended]
    word = batch_word(place // BATCH)
    return Memory(
        id=memory_id(cell),
        tenant=TENANT,
        content=f"Cell{cell.number}x of {word}",
        space=space,
        owner=owner,
        type=MemoryType.KNOWLEDGE,
        persona_id={"none": None, "same": PERSONA, "other": "critic"}[cell.persona],
        subject_person_ids=tuple(PERSONS[subject] for subject in cell.subjects),
        stated_by=PERSONS[cell.stated_by],
        learned_in=chat[0],
        learned_in_type=chat[1],
        entity_refs=(f"project:{word}",),
        memory_key=f"project|project|{word}|fact",
        discriminator=str(cell.number),
        sensitivity=None if cell.sensitivity == "none" else Sensitivity(cell.sensitivity),
        portable=cell.portable,
        confidential=cell.confidential,
        importance=3.0,
        created_at=NOON,
        observed_at=NOON,
        updated_at=NOON,
    )


def hub() -> Memory:
    return Memory(
        id=HUB,
        tenant=TENANT,
        content="The hub",
        space=Space.USER,
        owner=USERS["asker"],
        memory_key="profile|person|self|fact",
        discriminator="hub",
        created_at=NOON,
        observed_at=NOON,
        updated_at=NOON,
    )


def change(memory: Memory, edges: Sequence[Edge] = ()) -> Change:
    entry = Entry(op="create", memory_id=memory.id, version=1, category=memory.category)
    return Change(memory=memory, entry=entry, is_new=True, terms=term_counts(memory.content), edges=tuple(edges))
