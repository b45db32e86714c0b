"""Garbage collection and embedding what was missed."""

from __future__ import annotations

import wellkept
from wellkept.config import Config
from wellkept.errors import EmbedderUnavailable


def test_gc_archives_each_with_its_reason(memory, clock):
    ana = memory.at(user="ana")
    red = ana.remember("My favorite color is red")
    ana.remember("My favorite color is blue")
    brief = ana.remember([{"content": "My locker number is 12", "expires_in_days": 1}])[0]
    tired = ana.add("Ana is tired today", type="observation")
    clock.advance(days=5)
    assert memory.upkeep.gc() == {"superseded": 1, "expired": 1, "ephemeral_decay": 1}
    assert memory.upkeep.gc() == {}
    for outcome in (red, brief, tired):
        assert ana.history(outcome.id).memory.state == "archived"
        assert ana.history(outcome.id).events[0].event == "TTL"
    assert len(ana.list()) == 1


def test_opening_collects(store_path, clock, embedder):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder) as memory:
        made = memory.at(user="ana").add("Ana is tired today", type="observation")
    clock.advance(days=5)
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder) as memory:
        assert memory.at(user="ana").history(made.id).memory.archive_reason == "ephemeral_decay"


def test_opening_collects_once_a_day(store_path, clock, embedder):
    def opened(**options):
        return wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, **options)

    with opened() as memory:
        memory.at(user="ana").add("Ana is tired today", type="observation")
    clock.advance(days=5)
    with opened(worker="off") as memory:
        assert [job.name for job in memory.upkeep.jobs()["pending"]] == ["gc"]
        assert [done.counts for done in memory.upkeep.finish()] == [{"ephemeral_decay": 1}]
        memory.at(user="ana").add("Ana is hungry today", type="observation")
    clock.advance(hours=23)
    with opened(worker="off") as memory:
        assert memory.upkeep.jobs()["pending"] == ()
    clock.advance(hours=1)
    with opened(worker="off") as memory:
        assert len(memory.upkeep.jobs()["pending"]) == 1


def test_what_was_stored_without_vectors_gets_them(store_path, clock, embedder):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none") as memory:
        memory.at(user="ana").remember(["I'm allergic to shellfish", "I drive an old Saab"])
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder) as memory:
        ana = memory.at(user="ana")
        assert all(hit.parts["similarity"] == 0 for hit in ana.recall("What food is dangerous for me?", threshold=0))
        assert memory.upkeep.embed() == 2
        assert memory.upkeep.embed() == 0
        assert "shellfish" in ana.recall("What food is dangerous for me?").hits[0].text


class Asleep:
    """An embedder that does not answer until it is woken."""

    def __init__(self, embedder):
        self.embedder = embedder
        self.is_asleep = True

    def __getattr__(self, name):
        return getattr(self.embedder, name)

    def embed(self, texts):
        if self.is_asleep:
            raise EmbedderUnavailable("asleep")
        return self.embedder.embed(texts)


def test_a_text_without_a_vector_queues_its_embedding(store_path, clock, embedder):
    asleep = Asleep(embedder)
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=asleep, worker="off") as memory:
        made = memory.at(user="ana").remember("I'm allergic to shellfish")
        assert [job.name for job in memory.upkeep.jobs()["pending"]] == ["embed"]
        assert [(done.status, done.error) for done in memory.upkeep.finish()] == [("retry", "embedder_unavailable")]
        asleep.is_asleep = False
        assert [(done.status, done.counts) for done in memory.upkeep.run(["embed"])] == [
            ("ok", {"embedded": 1}),
            ("ok", {"embedded": 0}),
        ]
        assert memory.at(user="ana").recall("What food is dangerous for me?").hits[0].id == made.id


def test_recalls_are_counted_in_batches(memory):
    ana = memory.at(user="ana")
    ana.remember("I drive an old Saab")
    ana.recall("what do I drive?")
    assert ana.list()[0].access_count == 0
    memory.flush()
    assert ana.list()[0].access_count == 1
