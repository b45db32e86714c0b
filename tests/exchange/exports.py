"""Exports as the products write them, small: for the tests of reading them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any


def chatgpt_talk(number: int, *texts: str) -> dict[str, Any]:
    """A conversation of ChatGPT: user and assistant take turns; a regenerated answer stands beside the last one."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for place, text in enumerate(texts):
        name = f"node-{number}-{place}"
        role = "user" if place % 2 == 0 else "assistant"
        mapping[name] = {
            "id": name,
            "parent": parent,
            "children": [],
            "message": {
                "id": name,
                "author": {"role": role, "name": None, "metadata": {}},
                "create_time": 1_700_000_000.5 + number * 1_000 + place,
                "content": {"content_type": "text", "parts": [text]},
                "recipient": "all",
                "metadata": {},
            },
        }
        parent = name
    leaf = parent
    other = json.loads(json.dumps(mapping[leaf]))
    other["id"] = other["message"]["id"] = f"node-{number}-other"
    other["message"]["content"]["parts"] = ["An answer that was thrown away."]
    mapping[other["id"]] = other
    mapping["hidden"] = {
        "id": "hidden",
        "parent": "root",
        "children": [],
        "message": {
            "id": "hidden",
            "author": {"role": "system"},
            "content": {"content_type": "text", "parts": ["You are ChatGPT"]},
        },
    }
    return {
        "title": f"Talk {number}",
        "create_time": 1_700_000_000.0,
        "update_time": 1_700_000_001.0,
        "mapping": mapping,
        "current_node": leaf,
        "conversation_id": f"talk-{number}",
    }


def claude_talk(number: int, *texts: str) -> dict[str, Any]:
    said = [
        {
            "uuid": f"message-{number}-{place}",
            "text": text,
            "content": [{"type": "text", "text": text}, {"type": "tool_use", "name": "search", "input": {}}],
            "sender": "human" if place % 2 == 0 else "assistant",
            "created_at": f"2025-03-0{number}T10:0{place}:00.000000Z",
        }
        for place, text in enumerate(texts)
    ]
    return {"uuid": f"talk-{number}", "name": "A talk", "created_at": "2025-03-01T10:00:00Z", "chat_messages": said}


LETTA = {
    "agents": [
        {
            "name": "sam",
            "id": "agent-0",
            "block_ids": ["block-0", "block-1"],
            "messages": [
                {"id": "message-0", "role": "system", "content": [{"type": "text", "text": "<base_instructions>"}]},
                {
                    "id": "message-1",
                    "role": "user",
                    "content": [
                        {"type": "text", "text": json.dumps({"type": "user_message", "message": "I sail on Sundays"})}
                    ],
                    "created_at": "2025-10-31T22:56:56.459100+00:00",
                },
                {"id": "message-2", "role": "user", "content": json.dumps({"type": "heartbeat", "reason": "tick"})},
                {"id": "message-3", "role": "assistant", "content": "Lovely!"},
            ],
        }
    ],
    "blocks": [
        {"id": "block-0", "label": "human", "value": "First name: Chad\nAge: ?\n- Studies at Berkeley\n"},
        {"id": "block-1", "label": "persona", "value": "I am Sam."},
    ],
}
MEM0 = {
    "results": [
        {
            "id": "3c90c3cc",
            "memory": "Likes Italian food",
            "hash": "x",
            "user_id": "sarah",
            "metadata": {},
            "created_at": "2024-07-01T05:31:56Z",
            "updated_at": None,
        },
        {"id": "4d90c3cc", "memory": "Works as a nurse", "user_id": "tom", "created_at": "2024-07-02T05:31:56Z"},
        {"id": "5d90c3cc"},
    ]
}
ZEP = {
    "messages": [
        {
            "uuid": "z1",
            "role_type": "user",
            "role": "Jane",
            "content": "I moved to Bergen",
            "created_at": "2023-12-08T22:17:33.185756Z",
        },
        {"uuid": "z2", "role_type": "assistant", "content": "Congratulations!"},
    ],
    "edges": [
        {"uuid": "e1", "fact": "Jane lives in Bergen", "valid_at": "2023-12-08T22:17:33Z", "invalid_at": None},
        {"uuid": "e2", "fact": "Jane lives in Oslo", "invalid_at": "2023-12-08T22:17:33Z"},
        {"uuid": "e3"},
    ],
}
BASIC_MEMORY = """---
title: Coffee
permalink: coffee
tags: [coffee, brewing]
date: 2025-02-03
---
# Coffee

I brew coffee every morning.

- [method] Pour over gives more clarity #brewing
- [x] buy beans
- relates_to [[Tea]]
"""
OBSIDIAN = """---
created: 2024-05-06
---
# Trip

We went to [[Lisbon|the city of Lisbon]] in May
and stayed a week.

```python
print("no memory")
```

- [ ] call [[Ana]]
- ![[picture.png]]
***
"""


def zipped(path: Path, **files: object) -> Path:
    """A zip archive with JSON files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.json", json.dumps(content))
    return path
