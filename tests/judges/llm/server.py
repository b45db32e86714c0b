"""Answers in OpenAI's chat protocol, for a server that a test runs."""

from __future__ import annotations

import json
import time

from tests.answering import Answer, Reply


def completion(message: dict, *, finish: str = "stop") -> Reply:
    """A well-formed answer of the protocol around any message."""

    def reply(request: dict) -> Answer:
        content = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": request["model"],
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
        return 200, {}, json.dumps(content).encode()

    return reply


def says(content: object) -> Reply:
    """The form, filled in; a text stands as it is."""
    return completion({"content": content if isinstance(content, str) else json.dumps(content)})


def facts(*rows: dict) -> Reply:
    return says({"facts": list(rows)})


def refusal() -> Reply:
    return completion({"content": None, "refusal": "I cannot help with that."})


def status(code: int) -> Reply:
    return lambda request: (code, {}, json.dumps({"error": {"message": request["messages"][-1]["content"]}}).encode())


def raw(body: bytes) -> Reply:
    return lambda _: (200, {}, body)


def slow(_: dict) -> Answer:
    time.sleep(2)
    return 200, {}, b"{}"
