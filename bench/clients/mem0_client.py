"""mem0's own client against a wellkept server: `python mem0_client.py URL`."""

from __future__ import annotations

import sys

from mem0 import MemoryClient
from mem0.exceptions import MemoryNotFoundError

client = MemoryClient(host=sys.argv[1], api_key="any key will do on this machine")
(stored,) = client.add("I am a vegetarian and allergic to nuts", user_id="alex", infer=False)["results"]
messages = [{"role": "user", "content": "My favorite color is teal"}, {"role": "assistant", "content": "Noted!"}]
learned = client.add(messages, user_id="alex")["results"]
assert any("teal" in one["memory"] for one in learned), learned
found = client.search("Am I allergic to nuts?", filters={"user_id": "alex"}, top_k=3)["results"]
assert found[0]["id"] == stored["id"], found
assert client.get(stored["id"])["memory"] == "I am a vegetarian and allergic to nuts"
assert client.update(stored["id"], text="I am vegan")["memory"] == "I am vegan"
assert [one["event"] for one in client.history(stored["id"])] == ["ADD", "UPDATE"]
assert client.get_all(filters={"user_id": "alex"}, page=1, page_size=1)["count"] == 1 + len(learned)
assert client.users()["results"][0]["name"] == "alex"
client.batch_update([{"memory_id": stored["id"], "text": "I am a vegan"}])
client.batch_delete([{"memory_id": stored["id"]}])
client.delete(learned[0]["id"])
assert client.get_all(filters={"user_id": "alex"})["count"] == len(learned) - 1
try:
    client.get("m_none")
except MemoryNotFoundError:
    pass
else:
    raise AssertionError("a memory that is not there was found")
client.delete_all(user_id="alex")
client.delete_users(user_id="alex")
print("add, search, get, update, history, get_all, users, batches, delete, delete_all, delete_users")
