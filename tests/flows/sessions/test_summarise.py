"""Episodes: what an exchange was about, rarely, in few words, and no facts that are kept already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import wellkept
from wellkept.config import Config
from wellkept.flows.sessions import summarise
from wellkept.policies.writing.shape import Draft, shape
from wellkept.vocabulary import Kind

TALK = (
    "The glaze on the blue bowl cracked again in the kiln yesterday.",
    "Do you think the clay was too wet when it went in?",
    "We compared three firing schedules and none of them looked right.",
    "The workshop closes early this week because of the fair.",
)


@pytest.fixture
def memory(store_path, clock) -> Iterator[wellkept.Memory]:
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as opened:
        yield opened


def talk(viewpoint, clock, texts=TALK, *, minutes=1):
    for text in texts:
        clock.advance(minutes=minutes)
        viewpoint.observe([{"content": text}, {"role": "assistant", "content": "I see."}], extract=False)


def told(memory, user="alice"):
    return [one for one in memory.at(user=user).list(limit=100) if one.kind is Kind.EPISODIC and "episode" in one.tags]


def test_an_episode_is_told_once_and_well_formed(memory, clock):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    talk(alice, clock, TALK[:2])
    assert summarise.tell(alice.place, memory.engine) is None, "two turns are none"
    talk(alice, clock, TALK[2:])
    assert summarise.tell(alice.place, memory.engine).outcome == "created"
    assert [(one.node, one.status) for one in memory.events.list(op="create")] == [("episodic", "ok")]
    (episode,) = told(memory)
    assert episode.content.startswith('On 2026-03-02 Alice talked about: "The glaze on the blue bowl')
    assert len(episode.content) <= 280
    assert shape(Draft(text=episode.content, kind=Kind.EPISODIC)).verdict == "pass"
    assert summarise.tell(alice.place, memory.engine) is None, "not again within ten minutes"
    clock.advance(minutes=11)
    assert summarise.tell(alice.place, memory.engine) is None, "nothing new was said"


def test_facts_that_are_kept_are_not_told_again_and_secrets_never(memory, clock):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": "I am allergic to peanuts, you know."}], wait=True)
    talk(alice, clock, ("My password is Tr4vel!Gnome9, keep it.", "Just between us, the boss is leaving.", *TALK[:3]))
    assert summarise.tell(alice.place, memory.engine) is not None
    (episode,) = told(memory)
    assert "peanuts" not in episode.content
    assert "redacted" not in episode.content
    assert "boss" not in episode.content


def test_five_a_day_are_enough(memory, clock):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    for number in range(7):
        talk(alice, clock, [f"Bowl number {number} {word} in the oven today." for word in ("cracked", "shone", "fell")])
        clock.advance(minutes=12)
        summarise.tell(alice.place, memory.engine)
    assert len(told(memory)) == 5
    clock.advance(days=1)
    talk(alice, clock)
    assert summarise.tell(alice.place, memory.engine) is not None


def test_nobody_else_reads_it(memory, clock):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    talk(alice, clock)
    summarise.tell(alice.place, memory.engine)
    assert "glaze" in str(alice.recall("glaze bowl", sources=("memories",)).hits)
    group = memory.at(user="alice", chat="team", chat_type="group", participants=["bob"])
    assert all("glaze" not in hit.text for hit in group.recall("glaze bowl", threshold=0))
    assert summarise.tell(replace(alice.place, chat="team", chat_type="group"), memory.engine) is None


def test_the_same_talk_a_day_later_is_one_episode(store_path, clock, embedder):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off") as memory:
        alice = memory.at(user="alice", chat="dm", display_name="Alice")
        talk(alice, clock)
        assert summarise.tell(alice.place, memory.engine).outcome == "created"
        clock.advance(hours=1)
        talk(alice, clock)
        assert summarise.tell(alice.place, memory.engine).outcome in ("merged", "duplicate")
        assert len(told(memory)) == 1
        clock.advance(days=4)
        talk(alice, clock)
        assert summarise.tell(alice.place, memory.engine).outcome == "created"


def test_the_job_that_learns_tells_it(memory, clock):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    for text in TALK:
        clock.advance(minutes=1)
        alice.observe([{"content": text}])
    clock.advance(minutes=2)
    memory.upkeep.runner.run_due()
    assert len(told(memory)) == 1
