"""Logs: a line an event, ids of requests, and nobody's words."""

from __future__ import annotations

import asyncio
import io
import json
import logging

import httpx
import pytest

from wellkept.config import ServerTable
from wellkept.surfaces import telemetry

FACT = "My favorite color is teal"


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def written():
    """What is logged as JSON inside."""
    stream = io.StringIO()
    with telemetry.logging_configured(ServerTable(log="json", log_level="info"), stream):
        yield stream


def answered(app, path="/", headers=()):
    """One request to an application behind the access log; what it sent."""
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": list(headers)}
    asyncio.run(telemetry.AccessLog(app=app, chance=lambda size: "ab" * size)(scope, receive, send))
    return sent


async def fine(scope, receive, send):
    scope |= {"endpoint": fine, "path_params": {"user_id": "ann"}}
    logging.getLogger("wellkept").warning("in the middle")
    await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})


def test_a_request_has_an_id_on_all_its_lines_and_in_its_answer(written):
    sent = answered(fine, "/v1/users/ann/export", [(b"x-request-id", b"proxy-7")])
    assert sent[0]["headers"] == [(b"a", b"b"), (b"x-request-id", b"proxy-7")]
    middle, access = lines(written.getvalue())
    assert (middle["message"], middle["level"]) == ("in the middle", "warning")
    assert {middle["request_id"], access["request_id"]} == {"proxy-7"}
    assert access.pop("ms") >= 0
    told = {name: access[name] for name in ("method", "path", "status", "caller", "logger")}
    assert told == {
        "method": "GET",
        "path": "/v1/users/{user_id}/export",
        "status": 200,
        "caller": "",
        "logger": "wellkept.access",
    }


@pytest.mark.parametrize("given", [b"", b"two words", b"x" * 65, b'{"a"', b"\xff"])
def test_an_id_that_is_no_plain_name_is_replaced(written, given):
    sent = answered(fine, "/v1/users/ann/export", [(b"X-Request-ID", given)])
    assert sent[0]["headers"][-1] == (b"x-request-id", b"ab" * 8)


def test_a_failure_is_told_by_its_kind_and_place_not_by_its_words(written):
    async def broken(scope, receive, send):
        raise ValueError(FACT)

    with pytest.raises(ValueError, match="teal"):
        answered(broken)
    try:
        int(FACT)
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    access, failure = lines(written.getvalue())
    assert (access["status"], access["level"], access["path"]) == (0, "warning", "?")
    assert failure["exception"] == "builtins.ValueError"
    assert "test_logs.py" in failure["at"][0]
    assert "teal" not in written.getvalue()


def test_text_is_one_line_an_event():
    stream = io.StringIO()
    with telemetry.logging_configured(ServerTable(log_level="info"), stream):
        logging.getLogger("wellkept").info("two\nlines")
        logging.getLogger("wellkept").debug("too fine")
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("info    two\\nlines")


def test_nothing_is_left_behind_and_off_is_off():
    logger = logging.getLogger("wellkept")
    before = (logger.handlers[:], logger.level, logger.propagate)
    stream = io.StringIO()
    with telemetry.logging_configured(ServerTable(log="off"), stream):
        logger.error("nobody hears")
    assert stream.getvalue() == ""
    assert (logger.handlers, logger.level, logger.propagate) == before


def test_a_real_server_logs_requests_and_no_words(serve):
    process, (address,) = serve(WELLKEPT_SERVER__LOG="json", WELLKEPT_SERVER__LOG_LEVEL="info")
    body = {"facts": FACT, "viewpoint": {"user": "alice"}}
    assert httpx.post(f"{address}/v1/remember", json=body, timeout=90).status_code == 200
    found = httpx.get(f"{address}/v1/memories", params={"user": "alice"}, timeout=90)
    httpx.get(f"{address}/v1/memories/{found.json()[0]['id']}", params={"user": "alice"}, timeout=90)
    httpx.get(f"{address}/nowhere/teal", timeout=90)
    process.terminate()
    _, err = process.communicate(timeout=60)
    access = [one for one in lines(err) if one["logger"] == "wellkept.access"]
    assert [(one["method"], one["path"], one["status"]) for one in access] == [
        ("POST", "/v1/remember", 200),
        ("GET", "/v1/memories", 200),
        ("GET", "/v1/memories/{memory_id}", 200),
        ("GET", "?", 404),
    ]
    assert found.headers["x-request-id"] == access[1]["request_id"]
    assert "teal" not in err
    assert "alice" not in err
