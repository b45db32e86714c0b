"""The client's side of JSON-RPC: which addresses it takes, what it sends, and what it says when nobody answers."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.surfaces.http.rpc_client import Remote, connection


class Answering(BaseHTTPRequestHandler):
    """Answers with what the test put into `answer`, and keeps what it was asked."""

    answer = b""
    asked: list[tuple[str, str | None, dict]]

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, self.headers["Authorization"], body))
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.answer)))
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *_told):
        """Nothing on standard error."""


@pytest.fixture
def server():
    handler = type("Handler", (Answering,), {"asked": []})
    with HTTPServer(("127.0.0.1", 0), handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}", handler
        found.shutdown()


def test_a_call_is_json_rpc_with_the_credential(server):
    url, handler = server
    handler.answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": ["tea"]}).encode()
    assert Remote(url=url, credential="rk_1").call("memory.search", {"query": "tea"}) == ["tea"]
    assert Remote(url=f"{url}/behind/rpc").call("memory.search", {}) == ["tea"]
    asked = {"jsonrpc": "2.0", "id": 1, "method": "memory.search", "params": {"query": "tea"}}
    assert handler.asked[0] == ("/rpc", "Bearer rk_1", asked)
    assert handler.asked[1][:2] == ("/behind/rpc", None)


def test_an_error_of_the_server_has_its_code(server):
    url, handler = server
    handler.answer = json.dumps({"error": {"message": "No such memory.", "data": {"code": "not_found"}}}).encode()
    with pytest.raises(WellkeptError, match="No such memory") as told:
        Remote(url=url).call("memory.show", {})
    assert told.value.code == "not_found"


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b"{}"])
def test_what_is_no_such_server_is_named(server, answer):
    url, handler = server
    handler.answer = answer
    with pytest.raises(WellkeptError) as told:
        Remote(url=url).call("memory.list", {})
    assert told.value.code == "unreachable"


def test_nobody_there(tmp_path):
    for url in ("http://127.0.0.1:9", f"unix:{tmp_path}/none.sock", f"{tmp_path}/none.sock"):
        with pytest.raises(WellkeptError, match="No server answers at") as told:
            Remote(url=url).call("memory.list", {})
        assert told.value.code == "unreachable"


@pytest.mark.parametrize("url", ["ftp://example.org", "localhost:8765", "http://", ""])
def test_other_addresses_are_refused(url):
    with pytest.raises(InvalidInput) as told:
        connection(url)
    assert told.value.code == "invalid_url"
