"""Who may read which message, and which spans of it: the rule in Python and in SQL agree on every combination."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from tests.store.suite import EveryStore
from wellkept.policies import visibility
from wellkept.policies.visibility import Facts, View
from wellkept.policies.words import term_counts
from wellkept.store.contract import Change, Citation, Citations, Entry, Heard, NewMessage, Page, Place
from wellkept.store.opening import open_store
from wellkept.testing.messages import MessagesChecks
from wellkept.types import Memory, Message
from wellkept.vocabulary import MemoryType, Sensitivity, Space, State

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ASKER, PARTNER, THIRD = "p_asker", "p_partner", "p_third"
PLACES = [
    Place(tenant=tenant, user=user, persona=persona, chat=chat, is_group=is_group, audience=frozenset(audience))
    for tenant, user, persona, chat, is_group, audience in product(
        ("t", "other"),
        ("asker", "partner", None),
        (None, "coach"),
        ("here", "elsewhere", None),
        (False, True),
        ({ASKER}, {ASKER, PARTNER}, {PARTNER, THIRD}),
    )
    if not (chat is None and (is_group or user is None))
]
COMPANY = (
    {"chat_type": "private", "user": "asker", "person": ASKER, "present": {ASKER}, "partners": {ASKER}},
    {"chat_type": "private", "user": "asker", "person": ASKER, "present": {ASKER, PARTNER}, "partners": {PARTNER}},
    {"chat_type": "private", "user": "partner", "person": PARTNER, "present": {PARTNER}, "partners": {PARTNER}},
    {"chat_type": "private", "user": None, "person": None, "present": set(), "partners": set()},
    {"chat_type": "group", "user": "asker", "person": ASKER, "present": {ASKER, PARTNER}, "partners": set()},
)


def views() -> list[View]:
    made = product(COMPANY, ("here", None), (None, "coach"), (None, NOW - timedelta(days=1)), (None, frozenset({"x"})))
    return [
        View(
            tenant="t",
            now=NOW,
            chat=chat,
            persona=persona,
            as_of=as_of,
            categories=categories,
            **company | {name: frozenset(company[name]) for name in ("present", "partners")},
        )
        for company, chat, persona, as_of, categories in made
        if not (chat is None and company["chat_type"] == "group")
    ]


def told_at(store, places) -> dict[str, tuple[Message, frozenset[str]]]:
    """Every place with four messages: open and confidential, of now and of long ago."""
    told: dict[str, tuple[Message, frozenset[str]]] = {}
    for place, is_closed, at in product(places, (False, True), (None, NOW - timedelta(days=9))):
        text = f"tea {len(told)}"
        message = Message(content=text, confidential=is_closed, at=at)
        (stored,) = store.add_messages(
            place, [NewMessage(message=message, terms=term_counts(text))], model=None, at=NOW
        )
        told[text] = (stored, place.audience)
    return told


def compare(store, told, asking: list[View]) -> int:
    """How many messages were shown, by the rule and by the store alike."""
    shown = 0
    for view in asking:
        readable = {
            text
            for text, (message, audience) in told.items()
            if visibility.readable(message, view, audience).verdict == "shown"
        }
        assert {message.content for message in store.messages(Heard(view=view, page=Page(limit=10_000)))} == readable, (
            view
        )
        shown += len(readable)
    return shown


def test_the_two_agree_on_who_may_read(store_path):
    store = open_store(store_path)
    assert compare(store, told_at(store, PLACES), views()) > 500, "equal silence would prove nothing"
    store.close()


def test_the_two_agree_on_some_of_it_on_postgres(new_database):
    store, chance = open_store(new_database()), random.Random(9)
    assert compare(store, told_at(store, chance.sample(PLACES, 30)), chance.sample(views(), 20)) > 20
    store.close()


MEMORIES = [
    {"state": state, "archive_reason": reason, "expires_at": expires, "subject_person_ids": subjects, **more}
    for (state, reason), expires, subjects, more in product(
        (
            (State.ACTIVE, None),
            (State.SUPERSEDED, None),
            (State.ARCHIVED, "superseded"),
            (State.ARCHIVED, "expired"),
            (State.ARCHIVED, "user_deleted"),
            (State.SOFT_DELETED, None),
        ),
        (None, NOW - timedelta(hours=1), NOW + timedelta(hours=1)),
        ((ASKER,), (THIRD,), ()),
        (
            {},
            {"sensitivity": Sensitivity.SENSITIVE},
            {"confidential": True, "learned_in": "elsewhere"},
            {"persona_id": "coach"},
            {"owner": "partner"},
            {"type": MemoryType.EVENT, "origin": "shadow_extraction"},
            {"type": MemoryType.PREFERENCE, "origin": "shadow_extraction", "persona_id": "coach"},
            {"type": MemoryType.CONTEXT, "origin": "shadow_extraction"},
            {"type": MemoryType.CONTEXT, "origin": "shadow_extraction", "event_at": NOW},
            {"type": MemoryType.PROCEDURAL, "learned_in": "here", "learned_in_type": "group"},
        ),
    )
]


@pytest.mark.parametrize("is_stale", [False, True])
def test_the_two_agree_on_spans(tmp_path, is_stale):
    store = open_store(str(tmp_path / "memory.db"))
    place = Place(tenant="t", user="asker", chat="here", audience=frozenset({ASKER, PARTNER}))
    resting: dict[str, Memory] = {}
    for number, fields in enumerate(MEMORIES):
        memory = Memory(
            id=f"m_{number:x}",
            tenant="t",
            content="x",
            space=Space.USER,
            memory_key="k",
            discriminator=str(number),
            **{"created_at": NOW, "observed_at": NOW, "updated_at": NOW, "owner": "asker"} | fields,
        )
        text = f"span number {number}"
        item = NewMessage(message=Message(content=text), terms=term_counts(text))
        entry = Entry(op="create", memory_id=memory.id)
        with store.transaction():
            store.apply([Change(memory=memory, entry=entry, is_new=True, terms={})], at=NOW)
            (stored,) = store.add_messages(place, [item], model=None, at=NOW)
            cited = Citation(
                memory_id=memory.id, message_id=stored.id or "", place=stored.place, start=0, stop=len(text)
            )
            store.keep(Citations(tenant="t", citations=(cited,)))
        resting[text] = memory
    for company in COMPANY[:2]:
        view = View(
            tenant="t",
            now=NOW,
            chat="here",
            spaces=((Space.USER, "asker"),),
            **company | {name: frozenset(company[name]) for name in ("present", "partners")},
        )
        stands = {
            text
            for text, memory in resting.items()
            if visibility.span_stands(memory, view, Facts(), include_stale=is_stale)
        }
        assert {
            one.content for one in store.messages(Heard(view=view, page=Page(limit=10_000, include_stale=is_stale)))
        } == stands
        assert 0 < len(stands) < len(resting)
    store.close()


class TestTranscript(EveryStore, MessagesChecks):
    pass
