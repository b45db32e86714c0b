"""The sandbox's side of JSON-RPC: one call over HTTP or a Unix socket, with nothing but the standard library."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.values import frozen

TIMEOUT_SECONDS = 60.0
ANSWER_BYTES_MAX = 64 * 1024 * 1024


@frozen
class Remote:
    """A server: `http://host:port`, `https://…`, `unix:/path` or the path of its socket."""

    url: str
    credential: str | None = None
    """A context token or an API key."""

    def call(self, method: str, params: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The result of a method; an error of the server is raised with its code."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}).encode()
        line, path = connection(self.url)
        try:
            asked = ("POST", path if path not in ("", "/") else "/rpc", body)
            return _result(exchanged(line, self.url, asked, self.credential)[1])
        finally:
            line.close()


def exchanged(
    line: http.client.HTTPConnection, url: str, asked: tuple[str, str, bytes | None], credential: str | None
) -> tuple[int, Any]:
    """Status and JSON of an answer to a method, path and body. A connection that failed is closed."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {credential}"} if credential else {})
    try:
        line.request(*asked, headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read(ANSWER_BYTES_MAX))
    except OSError as error:
        line.close()
        raise WellkeptError(f"No server answers at {url}: {error}.", code="unreachable") from None
    except (ValueError, http.client.HTTPException):
        line.close()
        raise WellkeptError(f"What answers at {url} is not a wellkept server.", code="unreachable") from None


def connection(url: str) -> tuple[http.client.HTTPConnection, str]:
    """A connection to a server, not opened yet, and the path in its address."""
    if url.startswith(("unix:", "/")):
        if not hasattr(socket, "AF_UNIX"):
            raise InvalidInput("This system has no Unix sockets; a server is http://host:port.", code="invalid_url")
        return _UnixConnection(url.removeprefix("unix:").removeprefix("//")), ""
    parts = urlsplit(url)
    kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
    if parts.scheme not in kinds or not parts.hostname:
        raise InvalidInput("A server is http://host:port, https://… or unix:/path.", code="invalid_url")
    return kinds[parts.scheme](parts.hostname, parts.port, timeout=TIMEOUT_SECONDS), parts.path


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=TIMEOUT_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _result(answer: Any) -> Any:  # noqa: ANN401 -- JSON is what it gives
    if isinstance(answer, dict) and "result" in answer:
        return answer["result"]
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        error = answer["error"]
        raise WellkeptError(str(error.get("message")), code=str((error.get("data") or {}).get("code", "error")))
    if isinstance(answer, dict) and "code" in answer and "detail" in answer:
        raise WellkeptError(str(answer["detail"]), code=str(answer["code"]))  # a problem document of the guard
    raise WellkeptError("The server's answer is no JSON-RPC.", code="unreachable")
