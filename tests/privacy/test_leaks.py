"""Leak fuzz in small, and ids that look like patterns, other people's ids, or nothing at all."""

from __future__ import annotations

import leaks
import pytest
from worlds import WordVectors

from wellkept.errors import InvalidInput, MemoryNotFound, WellkeptError

QUERIES = 10_000


@pytest.mark.parametrize("part", range(4))
def test_no_foreign_canary_by_words(part, record_property):
    tally = leaks.fuzz(QUERIES * 9 // 40, seed=part)
    record_property("bound", 3 / QUERIES)
    assert tally.leaks == []
    assert tally.own > tally.queries // 4


def test_no_foreign_canary_by_vectors():
    tally = leaks.fuzz(QUERIES // 10, seed=7, embedder=WordVectors())
    assert tally.leaks == []
    assert tally.own > tally.queries // 4


def test_a_careless_store_is_found_out():
    assert leaks.fuzz(400, wrap=leaks.Careless).leaks


SECRET = "Quince marmalade is hidden in the attic"
STRANGE = [
    "*",
    "%",
    "_",
    "le_",
    "LEA",
    "lea ",
    " lea",
    "lea\n",
    "lеa",  # the second letter is Cyrillic
    "l\u200bea",
    "lea\u200d",
    "\ufefflea",
    "ｌｅａ",
    "le\u0301a",
    "lea\x00",
    "\x00",
    "",
    "lea/../lea",
    "../lea",
    "lea' OR '1'='1",
    'lea"]',
    "null",
    "[]",
    "{}",
    "user:lea",
    "p_lea",
    "\ud800",
    "lea\udfff",
    "x" * 10_000_000,
]


def everything(viewpoint):
    """Whatever a viewpoint can read, as one text."""
    parts = [repr(viewpoint.list(limit=100)), repr(viewpoint.recall("quince marmalade attic", threshold=0).hits)]
    parts += [str(viewpoint.context("quince marmalade")), viewpoint.chat("Where is the marmalade?").text]
    return "\n".join(parts)


@pytest.fixture
def lea(memory):
    at = memory.at(user="lea", chat="den", persona="coach")
    at.remember(SECRET)
    at.remember("The cellar holds quince jelly", only_persona=True)
    at.remember("The shed holds quince wine", shared=True)
    assert everything(at).count("quince") + everything(at).count("Quince") > 3
    return at


@pytest.mark.parametrize("strange", STRANGE, ids=lambda text: ascii(text[:16]))
def test_strange_user_chat_and_persona_ids_reach_nobody(memory, lea, strange):
    places = [
        {"user": strange},
        {"user": "other", "chat": strange.replace("lea", "den")},
        {"user": "other", "chat": strange.replace("lea", "den"), "chat_type": "group", "participants": [strange]},
        {"user": "other", "persona": strange.replace("lea", "coach")},
        {"user": strange, "project": strange, "session": strange, "thread": strange},
        {"user": strange, "tenant": strange},
    ]
    for place in places:
        try:
            told = everything(memory.at(**place))
        except InvalidInput as error:
            told = str(error)
        assert "uince" not in told.replace("quince marmalade", "")
        assert len(told) < 100_000


@pytest.mark.parametrize("strange", [*STRANGE, "m_", "m_%", "m_*", "m__", "M_"], ids=lambda text: ascii(text[:16]))
def test_strange_memory_ids_find_nothing(memory, lea, strange):
    other = memory.at(user="other", chat="elsewhere")
    for at in (other, lea):
        for verb in (at.history, at.forget, at.pin, at.restore, lambda name, at=at: at.edit(name, "nothing")):
            with pytest.raises(MemoryNotFound) as caught:
                verb(strange)
            assert str(caught.value) == str(MemoryNotFound("x"))
    assert other.list(before=strange) == ()
    assert len(lea.list()) == 3


@pytest.mark.parametrize("strange", STRANGE, ids=lambda text: ascii(text[:16]))
def test_strange_words_in_questions_and_filters_reach_nobody(memory, lea, strange):
    other = memory.at(user="other", chat="elsewhere")
    asked = [
        lambda: other.recall(strange, threshold=0),
        lambda: other.recall("marmalade", filters={"user_id": strange}, threshold=0),
        lambda: other.recall("marmalade", filters={"entity": strange, "actor_id": strange}, threshold=0),
        lambda: other.recall("marmalade", about=[strange]),
        lambda: other.list(filters={"user_id": "lea"}),
        lambda: other.list(filters={"category": [strange]}),
        lambda: other.context(strange),
        lambda: other.chat(strange),
    ]
    for ask in asked:
        try:
            told = repr(ask())
        except WellkeptError as error:
            told = str(error)
        assert "uince" not in told


def test_users_that_differ_by_a_byte_are_strangers(memory):
    """Ids are compared byte for byte: no folding, trimming or normalising."""
    users = ["lea", "LEA", "lea ", "lеa", "ｌｅａ", "le\u0301a", "léa", "l\u200bea"]
    for number, user in enumerate(users):
        memory.at(user=user).remember(f"My locker number is {number}7{number}")
    for number, user in enumerate(users):
        (only,) = memory.at(user=user).list()
        assert f"{number}7{number}" in only.content
