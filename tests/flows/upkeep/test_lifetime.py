"""Soft delete, restore, removal, compaction and eviction on a real store."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.errors import MemoryNotFound
from wellkept.policies.upkeep.lifecycle import Lifecycle
from wellkept.store.contract import RowsAbout
from wellkept.store.sqlite.file_bytes import chunks


@pytest.fixture
def memory(store_path, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def counts(memory, *names):
    return {name: number for done in memory.upkeep.run(names) for name, number in done.counts.items()}


def files(memory) -> bytes:
    path = Path(memory.engine.store.url.removeprefix("sqlite:///"))
    return b"".join(chunk for one in path.parent.iterdir() if one.is_file() for chunk in chunks(one))


def test_the_idle_go_and_can_be_brought_back_until_their_day(memory, clock):
    ana = memory.at(user="ana")
    brief = ana.add("Zanzibar trip talk", type="insight")
    lasting = ana.add("Ana collects zithers", type="knowledge")
    clock.advance(days=60)
    assert counts(memory, "soft-delete", "purge") == {"soft_deleted": 1, "purged": 0}
    assert [one.id for one in ana.list()] == [lasting.id]
    assert all(hit.id != brief.id for hit in ana.recall("Zanzibar trip", threshold=0))
    gone = ana.show(brief.id).memory
    assert (gone.state, gone.purge_at) == ("soft_deleted", clock() + timedelta(days=30))
    assert ana.history(brief.id).events[0].event == "TTL"
    clock.advance(days=29)
    assert counts(memory, "soft-delete", "purge") == {"soft_deleted": 0, "purged": 0}
    assert ana.restore(brief.id).outcome == "updated"
    assert ana.recall("Zanzibar trip").hits[0].id == brief.id
    assert counts(memory, "soft-delete") == {"soft_deleted": 0}, "what was brought back is wanted"


def test_after_its_day_nothing_of_it_is_left(memory, clock):
    ana = memory.at(user="ana")
    brief = ana.add("Zanzibar trip talk", type="insight")
    ana.edit(brief.id, "Zanzibar journey talk")
    clock.advance(days=60)
    counts(memory, "soft-delete")
    assert b"Zanzibar" in files(memory)
    clock.advance(days=30)
    assert counts(memory, "purge", "scrub") == {"purged": 1}
    with pytest.raises(MemoryNotFound):
        ana.show(brief.id)
    assert b"anzibar" not in files(memory)
    assert not list(memory.engine.store.verify("default"))
    assert (
        memory.engine.store.ledger(RowsAbout(tenant="default", memory_id=brief.id, limit=1))[0].entry.reason == "purged"
    )


def test_being_recalled_keeps_and_being_listed_does_not(memory, clock):
    ana = memory.at(user="ana")
    asked, listed = (ana.add(text, type="insight") for text in ("Ana asks about comets", "Ana hums in lifts"))
    clock.advance(days=59)
    ana.recall("comets")
    ana.context("comets")
    ana.list()
    ana.show(listed.id)
    memory.flush()
    clock.advance(days=1)
    assert counts(memory, "soft-delete") == {"soft_deleted": 1}
    assert ana.show(asked.id).memory.state == "active"
    assert ana.show(listed.id).memory.state == "soft_deleted"


def test_compacting_removes_what_is_archived_but_no_history_of_what_lives(memory, clock):
    ana = memory.at(user="ana")
    gone = ana.add("Ana has a kite")
    red = ana.remember("My favorite color is red")
    blue = ana.remember("My favorite color is blue")
    ana.forget(gone.id)
    memory.upkeep.gc()
    clock.advance(days=89)
    assert memory.upkeep.compact() == {"purged": 0}
    clock.advance(days=1)
    assert counts(memory, "compact") == {}, "by itself only when it is set"
    assert memory.upkeep.compact() == {"purged": 1}
    assert ana.show(red.id).memory.archive_reason == "superseded"
    ana.forget(blue.id)
    clock.advance(days=90)
    assert memory.upkeep.compact() == {"purged": 2}


def test_compaction_by_itself_when_it_is_set(store_path, clock):
    config = Config(lifecycle=Lifecycle(compact_after_days=10))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as memory:
        ana = memory.at(user="ana")
        ana.forget(ana.add("Ana has a kite").id)
        clock.advance(days=10)
        assert counts(memory, "compact") == {"purged": 1}


def test_a_lower_cap_is_reached_by_eviction(store_path, clock):
    def opened(cap):
        config = Config(memory=MemoryTable(max_entries=cap, auto_gc=False))
        return wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off")

    with opened(None) as memory:
        ana = memory.at(user="ana")
        made = [ana.add(f"Ana owns stamp number {number} of her album") for number in range(6)]
        ana.pin(made[0].id)
    clock.advance(days=8)
    with opened(3) as memory:
        assert counts(memory, "evict") == {"evicted": 3}
        ana = memory.at(user="ana")
        assert {one.id for one in ana.list()} == {made[0].id, made[4].id, made[5].id}
        assert ana.show(made[1].id).memory.archive_reason == "evicted"
        assert counts(memory, "evict") == {"evicted": 0}


def test_what_comes_back_keeps_the_cap(store_path, clock):
    config = Config(memory=MemoryTable(max_entries=3, auto_gc=False))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as memory:
        ana = memory.at(user="ana")
        made = [ana.add(f"Ana owns stamp number {number} of her album") for number in range(4)]
        clock.advance(days=8)
        assert ana.restore(made[0].id).outcome == "updated"
        assert {one.id for one in ana.list()} == {made[0].id, made[2].id, made[3].id}


def test_the_transcript_is_kept_as_long_as_its_tenant_wants(store_url, clock):
    settings = Config(retention={"acme": Lifecycle(transcript_days=30.0)})
    with wellkept.open(store_url, clock=clock, embedder="none", config=settings, worker="off") as memory:
        for tenant in ("acme", "globex"):
            alice = memory.at(tenant=tenant, user="alice", chat="dm")
            alice.observe([{"role": "user", "content": "I am allergic to peanuts and live in Porto"}], wait=True)
        clock.advance(days=29)
        for tenant in ("acme", "globex"):
            memory.at(tenant=tenant, user="alice", chat="dm").observe(
                [{"role": "user", "content": "Nice weather in town"}], extract=False
            )
        assert memory.upkeep.run(["transcript"], tenant="acme")[0].counts == {"messages": 0}
        clock.advance(days=1, seconds=1)
        assert memory.upkeep.run(["transcript"], tenant="acme")[0].counts == {"messages": 1}
        assert memory.upkeep.run(["transcript"], tenant="globex")[0].counts == {"messages": 0}
        for tenant, left in (("acme", 1), ("globex", 2)):
            alice = memory.at(tenant=tenant, user="alice", chat="dm")
            said = alice.recall("Porto town", sources=("messages",))
            assert len(said) == left
            assert [one.content for one in alice.list()], "what was learned stays"
        assert memory.upkeep.doctor(tenant="acme").findings == ()
