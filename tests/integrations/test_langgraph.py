"""LangGraph on our store: its own conformance suite, a graph that survives its process, and data that never runs."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
from collections import deque
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import ormsgpack
import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint, generate_config, generate_metadata
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.store.base import PutOp
from langgraph.types import Command, Interrupt, Overwrite, Send, TimeoutPolicy
from pydantic import BaseModel

import wellkept
from wellkept.errors import InvalidInput
from wellkept.integrations.langgraph import LongTermStore, Saver, import_saver

QUIET = {"embedder": "none", "worker": "off"}


@pytest.fixture
def memory(store_url):
    with wellkept.open(store_url, **QUIET) as memory:
        yield memory


@pytest.fixture
def saver(memory):
    return Saver(memory)


def test_langgraphs_own_suite(memory):
    tenants = iter(f"t{number}" for number in range(100))

    @checkpointer_test(name="wellkept")
    async def made():
        yield Saver(memory, tenant=next(tenants))

    report = asyncio.run(validate(made))
    failures = {name: result.failures for name, result in report.results.items() if result.failures}
    assert not failures
    assert {name for name, result in report.results.items() if result.passed} == {one.value for one in Capability}
    assert sum(result.tests_passed for result in report.results.values()) >= 70


VALUES = [
    HumanMessage(content="Hi", id="1", additional_kwargs={"x": [1]}),
    AIMessage(content=[{"type": "text", "text": "Ho"}], tool_calls=[{"name": "f", "args": {"a": 1}, "id": "c"}]),
    ToolMessage(content="42", tool_call_id="c"),
    Send("node", {"x": (1, 2)}),
    Interrupt(value={"ask": "sure?"}, id="i"),
    datetime(2026, 3, 2, 9, tzinfo=UTC),
    UUID(int=5),
    b"\x00\xff",
    {1: "one", "two": {3, 4}},
    {"$type": "os.system", "value": "true"},
    float("inf"),
    "half \ud800 and NUL \x00",
    [None, True, 2**70, 1e300],
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_come_back_as_they_were(saver, value):
    checkpoint = generate_checkpoint(channel_values={"it": value}, channel_versions={"it": 1})
    stored = saver.put(generate_config("th"), checkpoint, generate_metadata(), {"it": 1})
    saver.put_writes(stored, [("it", value)], "task")
    found = saver.get_tuple(stored)
    assert found.checkpoint["channel_values"]["it"] == value
    assert type(found.checkpoint["channel_values"]["it"]) is type(value)
    assert found.pending_writes == [("task", "it", value)]


class Stranger:
    pass


def test_other_types_are_refused(saver):
    for odd in (Stranger(), lambda: 1, Stranger, print):
        checkpoint = generate_checkpoint(channel_values={"it": odd}, channel_versions={"it": 1})
        with pytest.raises(InvalidInput, match="cannot be stored"):
            saver.put(generate_config("th"), checkpoint, generate_metadata(), {"it": 1})
    assert saver.get_tuple(generate_config("th")) is None


CRAFTED = (
    '{"$type":"os.system","value":"touch %s"}',
    '{"$type":"message.Popen","value":{"args":"touch %s"}}',
    '{"$type":"message.HumanMessage","value":{"content":{"__reduce__":"touch %s"}}}',
    '{"$type":"graph.Send","value":"touch %s"}',
    '{"$type":"decimal","value":"touch %s"}',
    '{"$type":"datetime","value":["touch %s"]}',
    '{"$type":["list"],"value":"touch %s"}',
)


@pytest.mark.parametrize("crafted", CRAFTED)
def test_a_crafted_checkpoint_runs_nothing(saver, memory, tmp_path, crafted):
    stored = saver.put(generate_config("th"), generate_checkpoint(), generate_metadata(), {})
    mark = tmp_path / "ran"
    body = '{"v":1,"id":"x","ts":"","channel_values":{"a":' + crafted % mark + "}}"
    memory.engine.store._db.driver.run("UPDATE graph_steps SET body = :body", {"body": body})
    with pytest.raises(InvalidInput) as caught:
        saver.get_tuple(stored)
    assert caught.value.code == "unknown_tag"
    assert not mark.exists()


def test_constructors_of_others_stay_data(saver):
    lc = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain_core", "messages", "HumanMessage"],
        "kwargs": {"content": "x"},
    }
    checkpoint = generate_checkpoint(channel_values={"it": lc}, channel_versions={"it": 1})
    stored = saver.put(generate_config("th"), checkpoint, generate_metadata(), {"it": 1})
    assert saver.get_tuple(stored).checkpoint["channel_values"]["it"] == lc


def test_everything_of_an_in_memory_saver_is_taken_over(saver):
    source = InMemorySaver()
    for thread in ("a", "b"):
        config = generate_config(thread)
        for number in range(3):
            checkpoint = generate_checkpoint(channel_values={"n": number}, channel_versions={"n": str(number)})
            config = source.put(config, checkpoint, generate_metadata(step=number), {"n": str(number)})
            source.put_writes(config, [("n", number), ("m", [number])], f"task{number}", "path")
    assert import_saver(source, saver) == (6, 12)
    for thread in ("a", "b"):
        theirs, ours = list(source.list(generate_config(thread))), list(saver.list(generate_config(thread)))
        assert ours == theirs
        assert len(ours) == 3


GRAPH = """
import sys, operator
from typing import Annotated, TypedDict
import wellkept
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import PutOp
from langgraph.types import Command, interrupt
from langchain_core.messages import AIMessage, HumanMessage
from wellkept.integrations.langgraph import LongTermStore, Saver

class State(TypedDict):
    messages: Annotated[list, operator.add]

def plan(state, *, store):
    store.put(("users", "ana"), "seen", {"times": len(state["messages"])})
    return {"messages": [AIMessage(content="a plan")]}

def ask(state):
    return {"messages": [HumanMessage(content=interrupt("go on?"))]}

url, *answer = sys.argv[1:]
with wellkept.open(url, embedder="none", worker="off") as memory:
    graph = StateGraph(State)
    graph.add_node("plan", plan)
    graph.add_node("ask", ask)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "ask")
    graph.add_edge("ask", END)
    built = graph.compile(checkpointer=Saver(memory), store=LongTermStore(memory))
    config = {"configurable": {"thread_id": "one"}}
    given = Command(resume=answer[0]) if answer else {"messages": [HumanMessage(content="hello")]}
    built.invoke(given, config)
    state = built.get_state(config)
    print([message.content for message in state.values["messages"]], state.next,
          LongTermStore(memory).get(("users", "ana"), "seen").value)
"""


def test_a_graph_goes_on_in_another_process(store_url):
    def run(*arguments: str) -> str:
        command = [sys.executable, "-W", "ignore", "-c", GRAPH, store_url, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run() == "['hello', 'a plan'] ('ask',) {'times': 1}"
    assert run("yes") == "['hello', 'a plan', 'yes'] () {'times': 1}"


def test_the_long_term_store(memory):
    store = LongTermStore(memory)
    store.put(("users", "ana"), "tea", {"text": "likes green tea", "rank": 1})
    store.put(("users", "ana"), "bike", {"text": "rides a bike", "rank": 2})
    store.put(("users", "bob"), "tea", {"text": "hates tea", "rank": 3})
    assert store.get(("users", "ana"), "tea").value == {"text": "likes green tea", "rank": 1}
    assert store.get(("users", "ana"), "none") is None
    assert [item.key for item in store.search(("users", "ana"))] == ["bike", "tea"]
    found = store.search(("users",), query="green tea")
    assert [(item.namespace[1], item.key) for item in found[:2]] == [("ana", "tea"), ("bob", "tea")]
    assert found[0].score > found[1].score > found[2].score == 0
    assert [item.key for item in store.search(("users",), filter={"rank": {"$gte": 2}}, limit=5)] == ["bike", "tea"]
    assert [item.value["rank"] for item in store.search(("users",), filter={"rank": 3})] == [3]
    assert store.list_namespaces() == [("users", "ana"), ("users", "bob")]
    assert store.list_namespaces(prefix=("users",), max_depth=1) == [("users",)]
    assert store.list_namespaces(suffix=("bob",)) == [("users", "bob")]
    store.delete(("users", "ana"), "tea")
    assert store.get(("users", "ana"), "tea") is None
    assert asyncio.run(store.aget(("users", "bob"), "tea")).value["rank"] == 3
    assert LongTermStore(memory, tenant="other").search(()) == []
    with pytest.raises(InvalidInput):
        store.search(("users",), filter={"rank": {"$where": 1}})


class Colour(Enum):
    RED = "red"


class Loud(str):
    __slots__ = ()


class Model(BaseModel):
    name: str
    inner: Model | None = None


@dataclass
class Holder:
    names: set[str]
    day: date


class Pair(NamedTuple):
    left: int
    right: list[str]


SERIALIZED = [
    Command(update={"a": [1]}, goto=[Send("n", {"x": 1})]),
    Overwrite(value=["all"]),
    Send("node", {}, timeout=TimeoutPolicy(run_timeout=3.0)),
    Model(name="Ana", inner=Model(name="Bo")),
    Holder(names={"Ana", "Bo"}, day=date(2026, 3, 2)),
    Colour.RED,
    deque([1, 2]),
    Path("a/b"),
    ZoneInfo("Europe/Berlin"),
    {"nested": [Holder(names=set(), day=date(2026, 3, 2)), (Colour.RED, Decimal("1.50"))]},
]


@pytest.mark.parametrize("value", SERIALIZED, ids=lambda value: type(value).__name__)
def test_what_langgraphs_serializer_takes_comes_back(saver, value):
    checkpoint = generate_checkpoint(channel_values={"it": value}, channel_versions={"it": 1})
    stored = saver.put(generate_config("th"), checkpoint, generate_metadata(), {"it": 1})
    saver.put_writes(stored, [("it", value)], "task")
    found = saver.get_tuple(stored)
    assert found.checkpoint["channel_values"]["it"] == value
    assert found.pending_writes == [("task", "it", value)]


def test_a_subclass_of_text_comes_back_as_text(saver):
    """As with every saver: msgpack knows texts, not whose class they were."""
    message = HumanMessage(content="hello")
    stored = saver.put(generate_config("th"), generate_checkpoint(), generate_metadata(), {})
    saver.put_writes(stored, [("a", Loud("hello")), ("b", message.text)], "task")
    assert [value for _, _, value in saver.get_tuple(stored).pending_writes] == ["hello", "hello"]


def _crafted(memory, saver, content: bytes, form: str = "msgpack"):
    stored = saver.put(generate_config("th"), generate_checkpoint(), generate_metadata(), {})
    value = {"$type": "graph.serialized", "value": [form, base64.b64encode(content).decode()]}
    body = json.dumps({"v": 1, "id": "x", "ts": "", "channel_values": {"a": value}})
    memory.engine.store._db.driver.run("UPDATE graph_steps SET body = :body", {"body": body})
    return stored


@pytest.mark.parametrize("called", [("os", "system"), ("subprocess", "Popen"), ("builtins", "eval")], ids=str)
@pytest.mark.parametrize("code", [0, 1, 2, 3, 4, 5])
def test_crafted_msgpack_runs_nothing(saver, memory, tmp_path, called, code):
    mark = tmp_path / "ran"
    text = f"touch {mark}"
    argument = {0: text, 1: [text], 3: text}.get(code, {"args": text, "shell": True})
    direct = ormsgpack.Ext(code, ormsgpack.packb([*called, argument, "__call__"]))
    nested = ormsgpack.Ext(5, ormsgpack.packb(["tests", "Nothing", direct]))
    for content in (direct, nested):
        found = saver.get_tuple(_crafted(memory, saver, ormsgpack.packb(content)))
        assert str(mark) in repr(found.checkpoint["channel_values"]["a"])
        assert not mark.exists()


def test_langgraphs_own_default_would_run_it(tmp_path):
    """The negative control of the test above: the crafted bytes are the right ones."""
    mark = tmp_path / "ran"
    content = ormsgpack.packb(ormsgpack.Ext(0, ormsgpack.packb(["os", "system", f"touch {mark}"])))
    JsonPlusSerializer(allowed_msgpack_modules=True).loads_typed(("msgpack", content))
    assert mark.exists()


def test_pickle_is_neither_written_nor_read(memory, saver):
    pickling = Saver(memory, serde=JsonPlusSerializer(pickle_fallback=True))
    with pytest.raises(InvalidInput) as caught:
        pickling.put_writes(
            saver.put(generate_config("th"), generate_checkpoint(), generate_metadata(), {}),
            [("a", Stranger())],
            "task",
        )
    assert caught.value.code == "not_json"
    for one in (saver, pickling):
        with pytest.raises(InvalidInput) as caught:
            one.get_tuple(_crafted(memory, saver, b"cposix\nsystem\n", "pickle"))
        assert caught.value.code == "unknown_tag"


def test_a_serializer_that_encrypts(memory):
    secret = Saver(memory, serde=EncryptedSerializer(Backwards(), JsonPlusSerializer()))
    checkpoint = generate_checkpoint(channel_values={"it": "the code word"}, channel_versions={"it": 1})
    stored = secret.put(generate_config("th"), checkpoint, generate_metadata(), {"it": 1})
    secret.put_writes(stored, [("it", "the code word")], "task")
    found = secret.get_tuple(stored)
    assert found.checkpoint["channel_values"]["it"] == found.pending_writes[0][2] == "the code word"
    rows = memory.engine.store._db.driver.rows("SELECT body FROM graph_steps UNION SELECT value FROM graph_writes", {})
    assert base64.b64encode(b"code word").decode()[:8] not in str(rows)
    assert "code word" not in str(rows)
    assert len(rows) == 2


class Backwards:
    """A cipher that a test can read: LangGraph's own needs another package."""

    def encrypt(self, plaintext):
        return "backwards", plaintext[::-1]

    def decrypt(self, ciphername, ciphertext):
        return ciphertext[::-1]


def _letters(texts):
    """A tiny embedder: which letters a text has."""
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


async def _letters_later(texts):
    return _letters(texts)


def test_a_store_with_an_index_finds_by_meaning(memory):
    store = LongTermStore(memory, index={"embed": _letters, "dims": 26, "fields": ["text", "tags[*]"]})
    store.put(("notes",), "a", {"text": "aaa", "tags": ["bbb", "ccc"]})
    store.put(("notes",), "z", {"text": "zzz"})
    store.put(("notes",), "plain", {"text": "aaa"}, index=False)
    store.put(("notes",), "other", {"text": "aaa", "title": "qqq"}, index=["title"])
    found = store.search(("notes",), query="CCC")
    assert [(item.key, item.score) for item in found[:1]] == [("a", pytest.approx(1.0))]
    assert (found[-1].key, found[-1].score) == ("plain", None)
    assert store.search(("notes",), query="q", limit=1)[0].key == "other"
    assert store.get(("notes",), "a").value == {"text": "aaa", "tags": ["bbb", "ccc"]}
    assert LongTermStore(memory).get(("notes",), "a").value == {"text": "aaa", "tags": ["bbb", "ccc"]}
    assert [item.key for item in store.search(("notes",), filter={"tags": ["bbb", "ccc"]})] == ["a"]
    later = LongTermStore(memory, index={"embed": _letters_later, "dims": 26})
    asyncio.run(later.aput(("later",), "a", {"text": "aaa"}))
    assert asyncio.run(later.asearch(("later",), query="a"))[0].score > 0.3
    with pytest.raises(InvalidInput) as caught:
        LongTermStore(memory, index={})
    assert caught.value.code == "no_embedder"


def test_vectors_of_another_embedder_are_not_compared(memory):
    LongTermStore(memory, index={"embed": _letters}).put(("notes",), "a", {"text": "aaa"})

    class Others(Embeddings):
        def embed_documents(self, texts):
            return _letters(texts)

        def embed_query(self, text):
            return _letters([text])[0]

    (found,) = LongTermStore(memory, index={"embed": Others()}).search(("notes",), query="a")
    assert found.score is None


def test_the_bundled_embedder_finds_by_meaning(tmp_path):
    with wellkept.open(str(tmp_path / "memory.db"), worker="off") as memory:
        store = LongTermStore(memory, index={})
        store.put(("notes",), "food", {"text": "She loves pasta and pizza"})
        store.put(("notes",), "car", {"text": "The engine needs new oil"})
        assert store.search(("notes",), query="Italian dinner")[0].key == "food"


def test_an_item_that_should_expire_is_refused(memory):
    with pytest.raises(InvalidInput) as caught:
        LongTermStore(memory).batch([PutOp(("a",), "b", {"c": 1}, ttl=5)])
    assert caught.value.code == "unsupported"


def test_filters_reach_into_values(memory):
    store = LongTermStore(memory)
    store.put(("docs",), "one", {"user": {"access-level": "nested"}, "a.b": 1})
    assert [item.key for item in store.search(("docs",), filter={"user.access-level": "nested"})] == ["one"]
    assert [item.key for item in store.search(("docs",), filter={"a.b": 1})] == ["one"]
    assert store.search(("docs",), filter={"user.none.deep": "x"}) == []
