"""What adapters share: items of a session as they were, kept from others, without secrets; tools without identities."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading

import pytest

import wellkept
from wellkept.errors import InvalidInput
from wellkept.integrations import adapter
from wellkept.integrations.adapter import History, Records, Tools

KEY = "sk-proj-" + "Ab3dEf6hIj9" * 5


def test_items_come_back_in_order(alice):
    history = History(alice, "framework", "one")
    assert history.items() == []
    assert history.pop() is None
    history.add([{"n": 1}, {"n": 2}])
    history.add([{"n": 3, "odd": [None, 1.5, "ü", {"deep": True}]}])
    assert [item["n"] for item in history.items()] == [1, 2, 3]
    assert [item["n"] for item in history.items(2)] == [2, 3]
    assert history.items(0) == []
    assert len(history.items(99)) == 3
    assert history.pop() == {"n": 3, "odd": [None, 1.5, "ü", {"deep": True}]}
    history.add([{"n": 4}])
    assert [item["n"] for item in History(alice, "framework", "one").items()] == [1, 2, 4]
    history.clear()
    assert history.items() == []


def test_sessions_users_tenants_and_frameworks_are_apart(memory, alice, bob):
    History(alice, "framework", "one").add([{"n": 1}])
    others = [
        History(alice, "framework", "two"),
        History(alice, "another", "one"),
        History(bob, "framework", "one"),
        History(memory.at(user="alice", tenant="other"), "framework", "one"),
    ]
    for other in others:
        assert other.items() == []
        other.clear()
    assert History(alice, "framework", "one").items() == [{"n": 1}]


def test_a_session_needs_a_user_and_an_id(memory, alice):
    with pytest.raises(InvalidInput) as caught:
        History(memory.at(chat="group", chat_type="group"), "framework", "one")
    assert caught.value.code == "no_owner"
    with pytest.raises(InvalidInput) as caught:
        History(alice, "framework", "")
    assert caught.value.code == "invalid_id"


def test_what_was_said_loses_its_secrets_and_ids_stay(alice):
    history = History(alice, "framework", "one")
    history.add([{"role": "user", "content": [{"type": "text", "text": f"key {KEY}"}], "id": KEY, "call_id": "c1"}])
    (item,) = history.items()
    assert KEY not in item["content"][0]["text"]
    assert (item["id"], item["call_id"]) == (KEY, "c1")


def test_two_writers_at_once_lose_nothing(alice):
    def write(name):
        for number in range(10):
            History(alice, "framework", "one").add([[name, number]])

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    items = History(alice, "framework", "one").items()
    assert sorted(map(tuple, items)) == sorted((name, number) for name in "ab" for number in range(10))
    for name in "ab":
        assert [number for who, number in items if who == name] == list(range(10))


def test_erasing_the_user_erases_the_sessions(memory, alice, bob):
    alice.remember("My favorite color is teal")
    for view in (alice, bob):
        History(view, "framework", "one").add([{"n": 1}])
        Records(view, "framework").put("state", {"n": 1})
    memory.upkeep.erase("alice")
    assert History(alice, "framework", "one").items() == []
    assert Records(alice, "framework").get("state") is None
    assert History(bob, "framework", "one").items() == [{"n": 1}]


def test_records_and_the_places_below(alice):
    top = Records(alice, "framework")
    top.put("state", {"n": 1})
    Records(alice, "framework", "one", "agent").put("it", 2)
    assert top.all() == {"state": {"n": 1}}
    assert top.below() == [("one", "agent")]
    top.remove(["state"])
    assert top.all() == {}
    assert Records(alice, "framework", "one", "agent").get("it") == 2


def test_tools_remember_recall_and_forget(alice, bob):
    tools = Tools(alice)
    kept = json.loads(tools.remember("My favorite color is teal"))
    assert kept["outcome"] == "created"
    (hit,) = json.loads(tools.recall("favorite color"))
    assert hit["id"] == kept["id"]
    assert "teal" not in Tools(bob).recall("favorite color")
    assert Tools(bob).forget(kept["id"]).startswith("not_found: ")
    assert json.loads(tools.forget(kept["id"]))["outcome"]
    assert tools.recall("favorite color") == "Nothing is known about that."


def test_tools_have_no_parameter_for_an_identity(alice):
    taken = {name for tool in Tools(alice).all for name in inspect.signature(tool).parameters}
    assert taken == {"fact", "query", "memory_id"}


def test_only_what_people_and_agents_say_is_learned_from(alice):
    roles = ("system", "tool", "developer", None, "user", "assistant")
    messages = [one for role in roles for one in adapter.said(role, f"I am {role}")]
    assert [one["role"] for one in messages] == ["user", "assistant"]
    assert adapter.said("user", "  ") == []
    adapter.learn(alice, messages)
    adapter.learn(alice, [])
    assert {hit.text for hit in alice.recall("I am user assistant", sources=["messages"])} == {
        "I am user",
        "I am assistant",
    }


def test_a_message_that_is_too_long_ends_no_conversation(alice, caplog):
    texts = ["I keep goats", "x" * 500_000, "I keep bees"]
    adapter.learn(alice, [one for text in texts for one in adapter.said("user", text)])
    assert {hit.text for hit in alice.recall("I keep", sources=["messages"])} == {"I keep goats", "I keep bees"}
    assert "content_too_long" in caplog.text


def test_the_block_is_about_what_was_asked(tmp_path):
    with wellkept.open(str(tmp_path / "memory.db"), embedder="none", worker="off") as memory:
        view = memory.at(user="alice")
        view.remember("My favorite color is teal")
        assert "teal" in adapter.block(view, "favorite color")
        assert "teal" in adapter.block(view, " ")
        assert "teal" not in adapter.block(memory.at(user="bob"), None)


def test_a_cancelled_call_has_ended_before_its_caller_goes_on():
    steps = []

    def slow():
        started.set()
        ended.wait(10)
        steps.append("ended")

    async def caller():
        running = asyncio.create_task(adapter.on_thread(slow))
        await asyncio.to_thread(started.wait, 10)
        running.cancel()
        asyncio.get_running_loop().call_later(0.05, ended.set)
        with pytest.raises(asyncio.CancelledError):
            await running
        steps.append("cancelled")

    started, ended = threading.Event(), threading.Event()
    asyncio.run(caller())
    assert steps == ["ended", "cancelled"]
    with pytest.raises(ZeroDivisionError):
        asyncio.run(adapter.on_thread(lambda: 1 / 0))
