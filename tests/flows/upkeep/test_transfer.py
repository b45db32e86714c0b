"""Export, import and merge: what goes out comes in again, a damaged file changes nothing, two stores become one."""

from __future__ import annotations

import io
import json

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.errors import BadLine, InvalidInput, NotEmpty
from wellkept.flows.upkeep import transfer
from wellkept.store.contract import Stored
from wellkept.vocabulary import Space

QUIET = Config(memory=MemoryTable(auto_gc=False))


@pytest.fixture
def opened(tmp_path, clock, embedder):
    memories = []

    def open_(name, *, embedder=embedder):
        memory = wellkept.open(tmp_path / f"{name}.db", config=QUIET, clock=clock, embedder=embedder, worker="off")
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
    coach = memory.at(user="ana", chat="dm", persona="Coach", thread="t1")
    coach.turn("I will call the bank tomorrow. My cousin Rui bakes bread in Faro.").finish("Good.")
    bob.observe([{"content": "I moved to Lyon last year, and I like it."}], wait=True)
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
    assert told[0]["_type"] == "wellkept"
    assert told[-1]["_type"] == "end"
    kites = [one for one in told if one["_type"] == "memory" and one["content"] == "I own two kites"]
    assert kites[0]["created_at"] == "2026-03-02T09:05:00+00:00"
    assert kites[0]["pinned"] == 1
    assert any(one["_type"] == "version" and "balloon" in one["content"] for one in told)
    assert {"person", "edge", "ledger", "trace", "counter", "user", "message", "todo", "proposal"} <= {
        one["_type"] for one in told
    }


def test_an_export_made_under_the_earlier_name_is_read(full, opened):
    text = exported(full)
    header, rest = text.split("\n", 1)
    before = {name: value for name, value in json.loads(header).items() if name != "_crc"} | {"_type": "recollect"}
    other = opened("other")
    imported(other, transfer._text(before) + rest)
    assert without_places(exported(other)) == without_places(text)


def test_one_user_alone_goes_into_a_store_with_others(full, opened):
    text = exported(full, user="ana")
    owners = {(one["space"], one["owner"]) for one in lines(text) if one["_type"] == "scope"}
    assert owners == {("user", "ana"), ("transcript", "ana")}
    assert "call the bank" in text
    assert "moved to Lyon" not in text
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
    assert "embed" not in [job.name for job in other.upkeep.jobs()["pending"]]
    bare = opened("bare", embedder="none")
    bare.at(user="ana").remember("I'm allergic to shellfish")
    again = opened("again")
    imported(again, exported(bare))
    assert [job.name for job in again.upkeep.jobs()["pending"]] == ["embed"]
    again.upkeep.finish()
    assert again.at(user="ana").recall("What food is dangerous for me?").hits[0].parts["similarity"] > 0


def changed(text, kind, **columns):
    """The first line of a kind with other values, and without its check sum, as a hand would leave it."""
    every = text.splitlines(keepends=True)
    number = next(place for place, line in enumerate(every) if json.loads(line)["_type"] == kind)
    line = {name: value for name, value in json.loads(every[number]).items() if name != "_crc"}
    every[number] = json.dumps(line | columns) + "\n"
    return "".join(every), number + 1


def damages(text):
    """(file, line that is to be named, what is said of it), many ways."""
    every = text.splitlines(keepends=True)

    def at(number, *lines):
        return "".join([*every[: number - 1], *lines, *every[number:]])

    last, half = len(every), len(every) // 2
    kinds = [json.loads(line)["_type"] for line in every]
    first, row = kinds.index("memory") + 1, kinds.index("ledger") + 1
    yield at(9, every[8][:20] + "\n"), 9, "JSON"
    yield at(9, every[8].replace('"_type":"', '"_type":"x')), 9, "as it was written"
    yield at(9, every[8].replace("1", "7", 1)), 9, "as it was written"
    yield at(9, '{"_type":"memory"}\n'), 9, "missing"
    yield at(9, '{"_type":"nothing"}\n'), 9, "unknown _type"
    yield at(9, "[]\n"), 9, "no object"
    yield at(9, "[" * 100_000 + "\n"), 9, "JSON"
    yield at(9, "\n"), 9, "JSON"
    yield at(9, every[8][:5] + "\0" + every[8][5:]), 9, "JSON"
    yield at(9), last - 1, "missing before"
    yield at(9, every[8], every[8]), last + 1, "missing before"
    yield "".join(every[:half]), half + 1, "before its end"
    yield text[: len(text) - 5], last, "JSON"
    yield text + "more", last + 1, "JSON"
    yield every[0] + text, 2, "its end is missing"
    yield "\ufeff" + text, 1, "JSON"
    yield (
        at(2, every[first - 1]).replace(every[first - 1], every[1], 2).replace(every[1], every[first - 1], 1),
        2,
        "clashes",
    )
    yield (
        at(row, every[row], every[row - 1]).replace(
            every[row] + every[row - 1] + every[row], every[row] + every[row - 1]
        ),
        row,
        "follow",
    )
    for kind, said, columns in (
        ("wellkept", "another release", {"format": 99}),
        ("wellkept", "whose it is", {"tenant": 5}),
        ("scope", "none of the words", {"space": "moon"}),
        ("scope", "not complete", {"ledger_seq": 3}),
        ("ledger", "follow", {"hash": "0" * 64}),
        ("ledger", "follow", {"reason": "another"}),
        ("memory", "none of the words", {"state": "alive"}),
        ("memory", "none of the words", {"sensitivity": "shy"}),
        ("memory", "version is not", {"version": 10**40}),
        ("memory", "importance is not", {"importance": -1}),
        ("memory", "importance is not", {"importance": float("nan")}),
        ("memory", "created_at is not", {"created_at": "yesterday"}),
        ("memory", "content is not", {"content": "a\0b"}),
        ("memory", "content is not", {"content": "\ud800"}),
        ("memory", "tags is not", {"tags": "x"}),
        ("memory", "meta is not", {"meta": [1]}),
        ("memory", "unknown shade", {"shade": 1}),
        ("memory", "secret", {"content": "my password is hunter2xyz!"}),
        ("memory", "clashes", {"scope": 999}),
    ):
        yield *changed(text, kind, **columns), said


def test_a_damaged_file_changes_nothing_and_names_the_line(full, opened):
    text, other = exported(full), opened("other")
    for file, number, said in damages(text):
        with pytest.raises(BadLine, match=said) as refused:
            imported(other, file)
        assert refused.value.line == number, said
        assert other.engine.store.tenants() == ()
    imported(other, text)


def test_an_endless_line_is_refused_before_it_fills_the_memory(opened, monkeypatch):
    monkeypatch.setattr(transfer, "LINE_MAX", 10_000)

    class Endless(io.StringIO):
        served = 0

        def readline(self, size=-1):
            assert size >= 0, "nobody may ask for all of it"
            self.served += size
            return "x" * size

    file = Endless()
    with pytest.raises(BadLine, match="longer than any line") as refused:
        transfer.import_(opened("other").engine, file)
    assert (refused.value.line, file.served) == (1, 10_001)


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


def test_a_file_that_changes_between_looking_and_storing_changes_nothing(full, opened):
    class Changing(io.StringIO):
        def seek(self, *place):
            text = self.getvalue().replace("two kites", "six kites")
            super().seek(0)
            self.write(text)
            return super().seek(*place)

    target = opened("target")
    with pytest.raises(BadLine, match="has changed"):
        transfer.import_(target.engine, Changing(exported(full)))
    assert not target.engine.store.has(Stored(tenant="default"))


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
    header = {"_type": "wellkept", "format": 1, "tenant": "default", "user": None}
    file = [header, scope, memory_line, {"_type": "end", "lines": 2}]
    other = opened("other")
    outcomes = imported(other, "".join(json.dumps(one) + "\n" for one in file), merge=True).outcomes
    assert outcomes["denied"] == 1
    assert other.engine.store.memory("default", "m_other") is None


@pytest.mark.parametrize("merge", [False, True])
def test_a_source_that_nobody_knows_is_trusted_least(opened, merge):
    told = opened("told")
    told.at(user="ana").remember("I collect old maps")
    by_hand = [one | {"source": "oracle"} if one["_type"] == "memory" else one for one in lines(exported(told))]
    for one in by_hand:
        one.pop("_crc", None)
    other = opened("other")
    imported(other, "".join(json.dumps(one) + "\n" for one in by_hand), merge=merge)
    assert [one.authority for one in other.at(user="ana").list()] == ["ai_inferred"]


def test_ids_of_a_merge_are_given_to_nobody_else(full, opened):
    other = opened("other")
    imported(other, exported(full), merge=True)
    known = {one["id"] for one in lines(exported(full)) if one["_type"] == "memory"}
    made = {other.engine.store.next_id("default", Space.USER, "ana", "semantic") for _ in range(9)}
    assert not known & made
