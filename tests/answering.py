"""A server on this machine that gives the answers a test lists, in turn, the last one for ever."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""
Reply = Callable[[dict], Answer]


class Server:
    """Keeps what it is asked."""

    def __init__(self, *replies: Reply) -> None:
        self.requests: list[dict] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = replies[min(len(server.requests), len(replies) - 1)]
                server.requests.append(request)
                server.headers.append(dict(self.headers))
                server.paths.append(self.path)
                code, headers, content = reply(request)
                self.send_response(code)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
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
