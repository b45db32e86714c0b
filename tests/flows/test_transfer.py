"""Export, import and merge: what goes out comes in again, a damaged file changes nothing, two stores become one."""

from __future__ import annotations

import io
import json

import pytest

import recollect
from recollect.config import Config, MemoryTable
from recollect.errors import BadLine, InvalidInput, NotEmpty
from recollect.flows import transfer
from recollect.vocabulary import Space

QUIET = Config(memory=MemoryTable(auto_gc=False))


@pytest.fixture
def opened(tmp_path, clock, embedder):
    memories = []

    def open_(name, *, embedder=embedder):
        memory = recollect.open(tmp_path / f"{name}.db", config=QUIET, clock=clock, embedder=embedder, worker="off")
        memories.append(memory)
        return memory

    yield open_
    for memory in memories:
        memory.close()


@pytest.fixture
def full(opened, clock):
    memory = opened("full")
    ana, bob = memory.at(user="ana"), memory.at(user="bob", chat="c1", chat_type="group", participants=["ana"])
    ana.remember("My wife Sarah likes Italian food")
    ana.remember("My favorite color is red")
    clock.advance(minutes=5)
    ana.remember("My favorite color is blue")
    kite = ana.add('I own a kite\u2028and a \U0001f600 "quoted" balloon', type="knowledge")
    ana.edit(kite.id, "I own two kites")
    ana.pin(kite.id)
    bob.remember("We meet on Tuesdays", shared=True)
    bob.remember("Ana is tired of trains")
    memory.governed(session="s1", user="ana").record(user="I prefer aisle seats")
    memory.upkeep.gc()
    return memory


def exported(memory, **options):
    file = io.StringIO()
    transfer.export(memory.engine, file, **{"tenants": ["default"]} | options)
    return file.getvalue()


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def without_places(text):
    """Scopes have numbers of their own in each store."""
    return [{name: value for name, value in one.items() if name not in ("scope", "_crc")} for one in lines(text)]


def imported(memory, text, **options):
    return transfer.import_(memory.engine, io.StringIO(text), **options)


def test_what_went_out_comes_in_and_goes_out_the_same(full, opened):
    text = exported(full)
    other = opened("other")
    counts = imported(other, text).counts
    assert counts["memory"] >= 6
    assert exported(other) == text
    assert not list(other.engine.store.verify("default"))
    ana = other.at(user="ana")
    assert ana.recall("what does my wife like?").hits[0].text == "Sarah likes Italian food"
    assert [one.content for one in ana.list()] == [one.content for one in full.at(user="ana").list()]
    assert ana.remember("I collect stamps from Peru").id not in {one.get("id") for one in lines(text)}


def test_an_export_can_be_read(full):
    told = lines(exported(full))
    assert told[0]["_type"] == "recollect"
    assert told[-1]["_type"] == "end"
    kites = [one for one in told if one["_type"] == "memory" and one["content"] == "I own two kites"]
    assert kites[0]["created_at"] == "2026-03-02T09:05:00+00:00"
    assert kites[0]["pinned"] == 1
    assert any(one["_type"] == "version" and "balloon" in one["content"] for one in told)
    assert {"person", "edge", "ledger", "trace", "counter", "user"} <= {one["_type"] for one in told}


def test_one_user_alone_goes_into_a_store_with_others(full, opened):
    text = exported(full, user="ana")
    owners = {(one["space"], one["owner"]) for one in lines(text) if one["_type"] == "scope"}
    assert owners == {("user", "ana")}
    assert "Tuesdays" not in text
    other = opened("other")
    other.at(user="zoe").remember("I keep bees")
    imported(other, text)
    assert without_places(exported(other, user="ana")) == without_places(text)
    assert other.at(user="ana").recall("what does my wife like?").hits[0].text == "Sarah likes Italian food"
    assert not list(other.engine.store.verify("default"))
    with pytest.raises(NotEmpty):
        imported(other, text)
    with pytest.raises(InvalidInput):
        exported(full, user="nobody")


def test_another_embedder_makes_vectors_of_its_own(full, opened):
    other = opened("other", embedder="none")
    imported(other, exported(full))
    assert other.upkeep.jobs()["pending"] == ()
    bare = opened("bare", embedder="none")
    bare.at(user="ana").remember("I'm allergic to shellfish")
    again = opened("again")
    imported(again, exported(bare))
    assert [job.name for job in again.upkeep.jobs()["pending"]] == ["embed"]
    again.upkeep.finish()
    assert again.at(user="ana").recall("What food is dangerous for me?").hits[0].parts["similarity"] > 0


def damaged(text, number, change):
    every = text.splitlines(keepends=True)
    every[number - 1] = change(every[number - 1])
    return "".join(every)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda line: line[: len(line) // 2] + "\n", "JSON"),
        (lambda line: line.replace('"_type":"', '"_type":"x'), "as it was written"),
        (lambda _line: '{"_type":"memory"}\n', "missing"),
        (lambda _line: '{"_type":"nothing"}\n', "unknown _type"),
        (lambda _line: "[]\n", "no object"),
        (lambda _line: "", "missing before"),
        (lambda line: line.replace("1", "7", 1), "as it was written"),
    ],
)
def test_a_damaged_file_changes_nothing_and_names_the_line(full, opened, change, fault):
    text = damaged(exported(full), 9, change)
    other = opened("other")
    with pytest.raises(BadLine, match=fault) as refused:
        imported(other, text)
    last = text.count("\n")
    assert refused.value.line == (last if fault == "missing before" else 9)
    assert other.engine.store.tenants() == ()


def test_a_file_that_stops_or_clashes_changes_nothing(full, opened):
    text = exported(full)
    other = opened("other")
    cut = "".join(text.splitlines(keepends=True)[:20])
    with pytest.raises(BadLine) as refused:
        imported(other, cut)
    assert refused.value.line == 21
    memory_line = next(line for line in text.splitlines(keepends=True) if '"_type":"memory"' in line)
    end = json.loads(text.splitlines()[-1])["lines"] + 1
    body = "".join(text.splitlines(keepends=True)[:-1])
    with pytest.raises(BadLine, match="clashes"):
        imported(other, f'{body}{memory_line}{{"_type":"end","lines":{end}}}\n')
    with pytest.raises(BadLine):
        imported(other, "")
    assert other.engine.store.tenants() == ()


def test_a_merge_keeps_what_is_there_and_adds_what_is_not(full, opened, clock):
    other = opened("other")
    ana = other.at(user="ana")
    mine = ana.remember("I collect stamps from Peru")
    clock.advance(days=1)
    green = ana.remember("My favorite color is green")
    outcomes = imported(other, exported(full), merge=True).outcomes
    assert outcomes["created"] >= 4
    assert outcomes["lost"] == 1
    assert ana.show(mine.id).memory.content == "The user collects stamps from Peru"
    assert ana.show(green.id).memory.state == "active"
    texts = [one.content for one in ana.list()]
    assert "Sarah likes Italian food" in texts
    assert sum("favorite color" in text for text in texts) == 1
    assert ana.person("Sarah").name == "Sarah"
    assert not list(other.engine.store.verify("default"))
    before = other.engine.store.counts("default")
    again = imported(other, exported(full), merge=True).outcomes
    assert "superseded" not in again
    assert (
        sum(other.engine.store.counts("default").values())
        <= sum(before.values()) + again.get("lost", 0) + again["created"]
    )
    fresh = ana.remember("I also collect coins from Chile")
    assert fresh.outcome == "created"


def test_a_merge_passes_the_gate(full, opened):
    text = exported(full)
    memory_line = next(one for one in lines(text) if one["_type"] == "memory" and "kites" in one["content"])
    memory_line["content"] = "My password is hunter2-Tr0ub4dor"
    memory_line["id"] = "m_other"
    del memory_line["_crc"]
    scope = next(one for one in lines(text) if one["_type"] == "scope" and one["owner"] == "ana")
    del scope["_crc"]
    header = {"_type": "recollect", "format": 1, "tenant": "default", "user": None}
    file = [header, scope, memory_line, {"_type": "end", "lines": 2}]
    other = opened("other")
    outcomes = imported(other, "".join(json.dumps(one) + "\n" for one in file), merge=True).outcomes
    assert outcomes["denied"] == 1
    assert other.engine.store.memory("default", "m_other") is None


def test_ids_of_a_merge_are_given_to_nobody_else(full, opened):
    other = opened("other")
    imported(other, exported(full), merge=True)
    known = {one["id"] for one in lines(exported(full)) if one["_type"] == "memory"}
    made = {other.engine.store.next_id("default", Space.USER, "ana", "semantic") for _ in range(9)}
    assert not known & made
