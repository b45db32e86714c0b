"""A server on this machine that speaks OpenAI's chat protocol and gives the answers a test lists, in turn."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, bytes]
Reply = Callable[[dict], Answer]


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
        return 200, json.dumps(content).encode()

    return reply


def says(content: object) -> Reply:
    """The form, filled in; a text stands as it is."""
    return completion({"content": content if isinstance(content, str) else json.dumps(content)})


def facts(*rows: dict) -> Reply:
    return says({"facts": list(rows)})


def refusal() -> Reply:
    return completion({"content": None, "refusal": "I cannot help with that."})


def status(code: int) -> Reply:
    return lambda request: (code, json.dumps({"error": {"message": request["messages"][-1]["content"]}}).encode())


def raw(body: bytes) -> Reply:
    return lambda _: (200, body)


def slow(_: dict) -> Answer:
    time.sleep(2)
    return 200, b"{}"


class Server:
    """Counts what it is asked."""

    def __init__(self, *replies: Reply) -> None:
        self.requests: list[dict] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = replies[min(len(server.requests), len(replies) - 1)]
                server.requests.append(request)
                code, content = reply(request)
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A client that went away is part of the test."""

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    @property
    def sent(self) -> str:
        """Everything that was ever sent to it."""
        return json.dumps(self.requests, ensure_ascii=False)


@contextmanager
def serving(*replies: Reply) -> Iterator[Server]:
    server = Server(*replies)
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        thread.join()
        server.http.server_close()
