"""What is about nobody stays where it was told, whoever of those who know it is present elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import wellkept
from wellkept.api import Memory
from wellkept.vocabulary import Space

KEY = "The spare key is under the blue flowerpot"
ASKED = "Where is the spare key?"


pytestmark = pytest.mark.reader


@pytest.fixture
def memory(store_url: str, clock: Callable[[], object]) -> Iterator[Memory]:
    with wellkept.open(store_url, clock=clock, embedder="none") as opened:
        yield opened


def alice_in_private(memory: Memory):
    return memory.at(user="alice", chat="alice-dm", display_name="Alice")


def in_group(memory: Memory, user: str, chat: str, *others: str):
    return memory.at(user=user, chat=chat, chat_type="group", participants=others, display_name=user.title())


WAYS = ("remember", "add", "chat", "observe")


def told_by(way: str, viewpoint, text: str = KEY) -> None:
    match way:
        case "observe":
            viewpoint.observe([{"content": text}], wait=True)
        case "chat":
            viewpoint.chat(text)
        case "add":
            viewpoint.add(text)
        case _:
            viewpoint.remember(text)


@pytest.mark.parametrize("way", WAYS)
def test_a_thing_told_in_private_reaches_nobody_else(memory, way):
    told_by(way, alice_in_private(memory))
    (kept,) = alice_in_private(memory).list()
    assert (kept.subject_person_ids, kept.portable) == ((), False)
    assert memory.upkeep.doctor().is_well  # nor is the speaker made its subject later
    assert "flowerpot" in alice_in_private(memory).chat(ASKED).text
    for other in (in_group(memory, "bob", "club", "alice"), memory.at(user="bob", participants=["alice"])):
        assert "flowerpot" not in other.chat(ASKED).text
        assert [hit.text for hit in other.recall(ASKED, threshold=0.0) if "flowerpot" in hit.text] == []


def test_a_thing_shared_in_one_chat_is_not_told_in_another(memory):
    in_group(memory, "alice", "club", "bob").add(KEY, shared=True, sensitivity="public")
    assert "flowerpot" in in_group(memory, "bob", "club", "alice").chat(ASKED).text
    for asker, other in (("bob", "alice"), ("alice", "bob"), ("carol", "alice")):
        assert "flowerpot" not in in_group(memory, asker, "choir", other).chat(ASKED).text


def test_what_is_about_the_speaker_still_goes_where_they_go(memory):
    alice_in_private(memory).remember("My laptop is a ThinkPad")
    (kept,) = alice_in_private(memory).list()
    assert (len(kept.subject_person_ids), kept.portable, kept.space) == (1, True, Space.USER)
    assert "ThinkPad" in in_group(memory, "bob", "club", "alice").chat("What laptop does Alice have?").text


@pytest.mark.parametrize(
    ("said", "space"),
    [
        ("Our standup is at nine", Space.CHAT),
        ("We decided to use Postgres", Space.CHAT),
        (KEY, Space.CHAT),
        ("My laptop is a ThinkPad", Space.USER),
        ("My sister Ana plays the oboe", Space.USER),
    ],
)
def test_what_is_said_in_a_group_is_placed_alike_by_every_way_in(memory, said, space):
    for way in WAYS:
        told_by(way, in_group(memory, "alice", f"club-{way}", "bob"), said)
        kept = {one.space for one in in_group(memory, "alice", f"club-{way}", "bob").list() if one.learned_in}
        assert kept == {space}, way
        assert bool(in_group(memory, "bob", f"club-{way}", "alice").list()) or space is Space.USER


@pytest.mark.parametrize("kind", ["sensitive", "personal"])
def test_nobody_overhears_a_private_chat(memory, kind):
    """Whoever is named as present listens: what Carol does not know is not told in front of her, by any way to read."""
    text = {"sensitive": "I was diagnosed with bipolar disorder in May", "personal": KEY}[kind]
    alone = memory.at(user="bob", chat="dm-bob", display_name="Bob")
    alone.remember(text)
    overheard = memory.at(user="bob", chat="dm-bob", participants=["carol"], display_name="Bob")
    asked = {"sensitive": "What was I diagnosed with?", "personal": ASKED}[kind]
    word = {"sensitive": "bipolar", "personal": "flowerpot"}[kind]
    for way in (
        lambda view: str(view.recall(asked, threshold=0)),
        lambda view: str(view.context(asked)),
        lambda view: str([*view.list()]),
        lambda view: view.chat(asked).text,
    ):
        assert word in way(alone)
        assert word not in way(overheard)
