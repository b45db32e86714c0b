"""When the database fails in the middle: a turn is stored as a whole or not at all, and no retry doubles a message."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config, JudgeTable, MemoryTable
from wellkept.errors import KeptUnread, StoreError
from wellkept.flows.serving.once import OnceRequest, once

TOLD = "By the way, I live in Oslo"
ASIDE = "My sister Ola lives in Bergen these days. Where do I live?"
MEMORIES, REPLIES = ("memories",), ("messages", "new.role = 'assistant'")
TASK = "I need to call the dentist tomorrow"


@pytest.fixture
def memory(store_url, clock):
    config = Config(memory=MemoryTable(auto_gc=False), judge=JudgeTable(provider="rules"))
    with wellkept.open(store_url, config=config, clock=clock, embedder="none", worker="off") as opened:
        yield opened


@pytest.fixture
def ana(memory):
    return memory.at(user="ana", chat="dm")


def rows(memory):
    """How many rows each table has; searches are kept whatever becomes of what was searched for."""
    lines = list(memory.engine.store.lines("default"))
    return {kind: sum(line["_type"] == kind for line in lines) for kind in sorted({line["_type"] for line in lines})}


def said(memory):
    lines = memory.engine.store.lines("default")
    return [line["content"] for line in lines if line["_type"] == "message" and line["role"] == "user"]


@pytest.mark.parametrize(
    ("text", "rows_of"),
    [
        pytest.param(TOLD, MEMORIES, id="told"),
        pytest.param(TOLD, REPLIES, id="the reply"),
        pytest.param(ASIDE, MEMORIES, id="told beside a question"),
        pytest.param(TASK, REPLIES, id="a todo"),
    ],
)
def test_a_turn_of_a_chat_is_stored_as_a_whole_or_not_at_all(memory, ana, refusing, text, rows_of):
    ana.chat("hello")
    before, jobs = rows(memory), memory.upkeep.jobs()["pending"]
    with refusing(memory, *rows_of), pytest.raises(StoreError, match="nothing was written"):
        ana.chat(text)
    assert rows(memory) == before
    assert memory.upkeep.jobs()["pending"] == jobs
    assert ana.todos() == ()
    ana.chat(text)
    assert said(memory) == ["hello", text]
    assert not list(memory.engine.store.verify("default"))


def test_a_chat_cites_the_message_that_it_stores(memory, ana):
    made = ana.chat(TOLD).outcomes[0]
    (message,) = (line for line in memory.engine.store.lines("default") if line.get("content") == TOLD)
    assert ana.show(made.id).memory.source_message_id == message["id"]
    (cited,) = (line for line in memory.engine.store.lines("default") if line["_type"] == "evidence")
    assert (cited["memory_id"], cited["num"]) == (made.id, message["num"])


def test_what_observe_could_not_read_stays_and_is_read_later(memory, ana, refusing):
    with refusing(memory, "memories"), pytest.raises(KeptUnread) as failed:
        ana.observe([{"content": TOLD}], wait=True)
    assert "nothing was written" not in str(failed.value).split("now:")[0]
    assert len(failed.value.message_ids) == 1
    assert said(memory) == [TOLD]
    memory.upkeep.run(["extract"])
    assert [one.value for one in ana.list()] == ["oslo"]


def test_messages_with_ids_are_stored_once_however_often_they_are_sent(memory, ana, refusing):
    with refusing(memory, "memories"), pytest.raises(KeptUnread):
        ana.observe([{"id": "m1", "content": TOLD}], wait=True)
    assert next(iter(ana.observe([{"id": "m1", "content": TOLD}], wait=True))).outcome == "created"
    assert said(memory) == [TOLD]


@pytest.mark.parametrize("verb", ["chat", "observe"])
def test_a_key_makes_a_failed_call_repeatable(memory, ana, refusing, verb):
    asked = OnceRequest(viewpoint=ana.place, caller="c", key="k", asked=TOLD)

    def work():
        if verb == "chat":
            return ana.chat(TOLD).text
        return list(ana.observe([{"content": TOLD}], wait=True).ids)

    before = rows(memory)
    with refusing(memory, "memories"), pytest.raises(StoreError, match="nothing was written") as failed:
        once(asked, work, memory.engine)
    assert not isinstance(failed.value, KeptUnread)
    assert rows(memory) == before
    assert once(asked, work, memory.engine) == once(asked, work, memory.engine)
    assert said(memory) == [TOLD]
    assert [one.value for one in ana.list()] == ["oslo"]
