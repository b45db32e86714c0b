"""Who is erased from a talkative group is told of nowhere: no reply or summary of the others holds a word of theirs."""

from __future__ import annotations

import io
import json

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.flows.upkeep.erase import Retellings
from wellkept.store.contract import Removed
from wellkept.store.opening import open_store
from wellkept.store.parts.erasure import ErasurePart

PEOPLE = {
    "nasrin": ("I'm a cartographer", "I live in Tabriz", "I'm allergic to walnuts", "My brother Behzad is a tailor"),
    "olumide": ("I'm a beekeeper", "I live in Ibadan", "I can't stand coriander", "My wife Folake is a surveyor"),
    "søren": ("I'm a bookbinder", "I live in Tabriz", "I play the hurdy-gurdy", "My son Villads is a glazier"),
}
GONE = "olumide"
WORDS = ("beekeeper", "Ibadan", "coriander", "Folake", "surveyor", "quicksilver", "velocipede")
"""Of what the one who goes said."""
KEPT = ("cartographer", "Tabriz", "walnut", "Behzad", "bookbinder", "hurdy-gurdy", "Villads")
ASKED = ("What is {}'s job?", "Where does {} live?", "What do you know about {}?", "What can't {} stand?")


def group(memory, user):
    others = [name for name in PEOPLE if name != user]
    return memory.at(user=user, chat="quay", chat_type="group", display_name=user.title(), participants=others)


def talk(memory, clock):
    """Everybody tells of themselves and asks about everybody, alone and among the others."""
    for user, sentences in PEOPLE.items():
        for text in sentences:
            group(memory, user).chat(text)
    group(memory, "olumide").turn("I ride a velocipede to the market").finish("Enjoy the ride, Olumide!")
    for user in PEOPLE:
        alone = memory.at(user=user, chat=f"with-{user}", display_name=user.title())
        for other in PEOPLE:
            for number, asked in enumerate(ASKED):
                (group(memory, user) if number % 2 else alone).chat(asked.format(other.title()))
        alone.chat("What do you know about me?")
        for _ in range(4):
            alone.turn("Who of us keeps what?").finish("Olumide is a beekeeper. He lives in Ibadan, as you know.")
    told = [
        {"content": "What did he say?", "role": "user"},
        {"content": "Olumide, who lives in Ibadan with Folake, a surveyor, rides a velocipede.", "role": "assistant"},
    ]
    memory.at(user="nasrin", chat="with-nasrin").observe(told, wait=True)
    memory.at(user="olumide", chat="with-olumide").observe(
        [{"content": "My cat is called Quicksilver."}, {"content": "Quicksilver it is.", "role": "assistant"}],
        wait=True,
    )
    clock.advance(hours=2)
    memory.upkeep.run(["summarise", "spine", "extract"])


@pytest.fixture
def memory(store_url, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(store_url, config=config, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def found(words, content):
    """Words that stand in the bytes, plain, in UTF-16 or escaped, whatever their capitals."""
    forms = {word: (word, word.capitalize(), word.upper()) for word in words}
    return [
        word
        for word, written in forms.items()
        if any(
            way in content
            for one in written
            for way in (one.encode(), one.encode("utf-16-le"), one.encode("utf-16-be"), json.dumps(one)[1:-1].encode())
        )
    ]


def copies(memory, tmp_path):
    """What somebody takes along now: an export, and where the store can do it a backup."""
    lines = io.StringIO()
    memory.upkeep.export(lines)
    if not memory.engine.store.files():
        return lines.getvalue().encode()
    memory.upkeep.backup(tmp_path / "fresh.db")
    return lines.getvalue().encode() + (tmp_path / "fresh.db").read_bytes()


def test_nobody_is_told_of_who_is_gone(memory, clock, bytes_of, tmp_path):
    talk(memory, clock)
    before = bytes_of(memory.engine.store)
    assert found((*WORDS, *KEPT), before) == [*WORDS, *KEPT], "the scan finds what is there"
    certificate = memory.upkeep.erase(GONE)
    assert (certificate.status, certificate.found) == ("complete", 0)
    assert certificate.counts["replies"] >= len(ASKED)
    after = bytes_of(memory.engine.store) + copies(memory, tmp_path)
    assert found(WORDS, after) == []
    assert found(KEPT, after) == list(KEPT), "what others said, and what they were told of each other, stays"
    assert group(memory, "nasrin").chat("What is Søren's job?").text == "Søren is a bookbinder."
    assert not list(memory.engine.store.verify("default"))
    assert memory.engine.store.fingerprints("default", certificate.user) == ()


def test_the_scan_hears_who_is_told_of_again(store_path, clock, bytes_of, monkeypatch):
    """The control: an erasure that leaves replies alone leaves words, and does not say that it is complete."""
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as memory:
        talk(memory, clock)
        with monkeypatch.context() as broken:
            broken.setattr(ErasurePart, "remove_retold", lambda *_args, **_named: Removed())
            certificate = memory.upkeep.erase(GONE)
        assert found(WORDS, bytes_of(memory.engine.store))
        assert certificate.status == "incomplete"
        assert certificate.found
        again = memory.upkeep.erase(GONE)
        assert (again.status, again.found, again.sentences) == ("complete", 0, certificate.sentences)
        assert found(("coriander",), bytes_of(memory.engine.store)) == []


@pytest.mark.parametrize("mentions", [False, True])
def test_what_others_say_of_them_goes_when_that_is_asked_for(memory, bytes_of, mentions):
    group(memory, GONE).chat("I'm a beekeeper")
    group(memory, "nasrin").chat("Olumide is afraid of weathercocks")
    assert "weathercocks" in group(memory, "søren").chat("Is Olumide afraid of weathercocks?").text
    assert group(memory, "søren").chat("What is Olumide's job?").text == "Olumide is a beekeeper."
    assert memory.upkeep.erase(GONE, mentions=mentions).status == "complete"
    left = bytes_of(memory.engine.store)
    assert found(("weathercock", "beekeeper"), left) == ([] if mentions else ["weathercock"])


def test_a_second_run_looks_for_the_same_and_says_that_it_is_done(store_path, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as memory:
        for text in PEOPLE[GONE]:
            group(memory, GONE).chat(text)
        other = open_store(store_path, busy_seconds=0.05)
        memory.engine.store._db.driver._session.connection.set_busy_timeout(50)
        with other.snapshot():
            other.counts("default")
            first = memory.upkeep.erase(GONE)
        other.close()
        second = memory.upkeep.erase(GONE)
    assert (first.status, second.status) == ("incomplete", "complete")
    assert second.sentences == first.sentences > len(PEOPLE[GONE])
    assert second.counts == first.counts


@pytest.mark.parametrize(
    ("text", "is_retold"),
    [
        ("Olumide is a beekeeper.", True),
        ("As you know, a beekeeper is what our friend Olumide is.", True),
        ("Nasrin is a beekeeper.", False),
        ("Olumide is a baker.", False),
        ("You are a beekeeper.", False),
    ],
)
def test_a_reply_tells_it_again_when_it_says_the_same_of_the_same_person(text, is_retold):
    told = Retellings(GONE)
    told.add("The user is a beekeeper", "I'm a beekeeper")
    assert told.are_in(text) is is_retold


@pytest.mark.parametrize(
    "text", ["You are a beekeeper.", "He is a beekeeper, they say.", "the user is a beekeeper", "I'm a beekeeper!"]
)
def test_a_sentence_is_known_in_every_person(text):
    told = Retellings(GONE)
    told.add("The user is a beekeeper", "I'm a beekeeper")
    assert told.quoted_in(text)
