"""A JSON-RPC 2.0 client library, with batches and notifications: `python jsonrpc_client.py URL`."""

from __future__ import annotations

import sys

import requests
from jsonrpcclient import Error, Ok, notification, parse, request

url = f"{sys.argv[1]}/rpc"
WHO = {"user_id": "jsonrpc"}


def sent(asked: object) -> requests.Response:
    return requests.post(url, json=asked, timeout=30)


added = parse(sent(request("memory.add", params={"content": "Tea is good", **WHO})).json())
assert isinstance(added, Ok)
assert added.result["outcome"] == "created"
assert sent(notification("memory.add", params={"content": "Coffee is good", **WHO})).status_code == 204
batch = [
    request("memory.list", params=WHO),
    notification("memory.add", params={"content": "Milk is good", **WHO}),
    request("memory.search", params={"query": "tea", **WHO}),
    request("memory.nothing"),
]
listed, found, missing = parse(sent(batch).json())
assert isinstance(listed, Ok)
assert len(listed.result) == 2
assert isinstance(found, Ok)
assert found.result["hits"][0]["id"] == added.result["id"]
assert isinstance(missing, Error)
assert missing.code == -32601
wrong = parse(sent(request("memory.delete", params={"memory_id": "m_none", **WHO})).json())
assert isinstance(wrong, Error)
assert (wrong.code, wrong.data["code"]) == (-32000, "not_found")
print("calls, notifications, a batch, errors")
