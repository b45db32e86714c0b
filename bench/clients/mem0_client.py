"""mem0's own client against a wellkept server, every call it has: `python mem0_client.py URL`.

What a server without mem0's platform cannot do must be refused with a code, never dropped in silence.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import httpx
from checks import Checks
from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError

checks = Checks()
client = MemoryClient(host=sys.argv[1], api_key="any key will do on this machine")
ALEX = {"user_id": "alex"}


def refused(call: Callable[[], object]) -> None:
    """The server says with a code that it cannot do it."""
    told: BaseException | None = None
    try:
        call()
    except Exception as error:  # its own errors, with the answer of the server behind them
        told = error
    while told is not None and not isinstance(told, httpx.HTTPStatusError):
        told = told.__cause__ or told.__context__
    assert told is not None, "it was not refused"
    assert told.response.json()["code"], told.response.text


def missing(memory_id: str) -> None:
    try:
        client.get(memory_id)
    except MemoryNotFoundError:
        return
    raise AssertionError("a memory that is not there was found")


with checks("ping"):
    assert client.org_id == "wellkept"
with checks("add"):
    (stored,) = client.add(
        "I am a vegetarian and allergic to nuts", user_id="alex", infer=False, metadata={"food": True, "level": 2}
    )["results"]
    assert stored["metadata"] == {"food": True, "level": 2}
with checks("add, read for facts"):
    messages = [{"role": "user", "content": "My favorite color is teal"}, {"role": "assistant", "content": "Noted!"}]
    learned = client.add(messages, user_id="alex")["results"]
    assert any("teal" in one["memory"] for one in learned), learned
with checks("add with an expiration date"):
    (brief,) = client.add("I am in Rome", user_id="alex", infer=False, expiration_date="2999-01-01")["results"]
    assert brief["expiration_date"].startswith("2999-01-01")
with checks("search"):
    found = client.search("Am I allergic to nuts?", filters=ALEX, top_k=3)["results"]
    assert found[0]["id"] == stored["id"], found
with checks("search by metadata"):
    wanted = {"AND": [ALEX, {"metadata": {"level": {"gte": 2}}}]}
    assert [one["id"] for one in client.search("What do I eat?", filters=wanted)["results"]] == [stored["id"]]
with checks("get_all, by page"):
    page = client.get_all(filters=ALEX, page=1, page_size=1)
    assert (page["count"], len(page["results"])) == (2 + len(learned), 1)
with checks("get_all, OR and dates"):
    either = {"OR": [ALEX, {"user_id": "nobody"}]}
    assert client.get_all(filters=either)["count"] == 2 + len(learned)
    assert client.get_all(filters={**ALEX, "created_at": {"lt": "2001-01-01"}})["count"] == 0
with checks("get"):
    assert client.get(stored["id"])["memory"] == "I am a vegetarian and allergic to nuts"
with checks("update"):
    assert client.update(stored["id"], text="I am vegan", metadata={"food": "vegan"})["memory"] == "I am vegan"
    assert client.get(stored["id"])["metadata"] == {"food": "vegan"}
with checks("history"):
    assert [one["event"] for one in client.history(stored["id"])] == ["ADD", "UPDATE"]
with checks("feedback"):
    client.feedback(stored["id"], "POSITIVE", "quite right")
    assert client.get(stored["id"])["feedback"] == "POSITIVE"
with checks("users"):
    assert client.users()["results"][0]["name"] == "alex"
with checks("create_memory_export and get_memory_export"):
    schema = {"type": "object", "properties": {"memory": {"type": "string"}}}
    made = client.create_memory_export(schema=schema, filters=ALEX)
    exported = client.get_memory_export(memory_export_id=made["id"], filters=ALEX)
    assert {"memory": "I am vegan"} in exported["memories"], exported
with checks("batch_update"):
    client.batch_update([{"memory_id": stored["id"], "text": "I am a vegan"}])
    assert client.get(stored["id"])["memory"] == "I am a vegan"
with checks("batch_delete"):
    client.batch_delete([{"memory_id": brief["id"]}])
    missing(brief["id"])
with checks("delete, and 404 after it"):
    client.delete(learned[0]["id"])
    missing(learned[0]["id"])
    missing("m_none")
with checks("delete_all"):
    client.delete_all(user_id="alex")
    assert client.get_all(filters=ALEX)["count"] == 0
with checks("delete_users"):
    client.add("I own a kayak", user_id="kim", infer=False)
    client.delete_users(user_id="kim")
    assert client.get_all(filters={"user_id": "kim"})["count"] == 0
with checks("reset"):
    client.add("I own a kayak", user_id="kim", infer=False)
    client.reset()
    assert client.get_all(filters={"user_id": "kim"})["count"] == 0
with checks("an option that cannot be honoured is refused"):
    refused(lambda: client.add("I own a kayak", user_id="kim", custom_instructions="only food"))
with checks("get_summary is refused"):
    refused(lambda: client.get_summary(filters=ALEX))
with checks("get_project and update_project are refused"):
    refused(client.get_project)
    refused(lambda: client.update_project(custom_instructions="x"))
with checks("webhooks are refused"):
    refused(lambda: client.get_webhooks("default"))
    refused(lambda: client.create_webhook(url="http://localhost", name="x", project_id="p", event_types=["memory_add"]))
    refused(lambda: client.update_webhook(1, name="y"))
    refused(lambda: client.delete_webhook(1))
with checks("profiles are refused"):
    refused(lambda: client.get_profile("alex"))
    refused(client.get_profile_settings)
checks.done()
