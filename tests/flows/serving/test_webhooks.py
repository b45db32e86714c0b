"""Webhooks against a real receiver: signed, told once, tried again, and never led inside."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import DeliveryFailed
from wellkept.flows.serving import webhooks
from wellkept.policies.callers import Hook

KEY = b"0123456789abcdef01234567"
SECRET = "whsec_" + base64.b64encode(KEY).decode()


class Receiver:
    """What it was sent, and what it answers."""

    def __init__(self) -> None:
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.taken.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def hook(self) -> Hook:
        url = f"http://127.0.0.1:{self.server.server_port}/in?x=1"
        return Hook(name="crm", url=url, secret=SECRET, is_private=True)

    def events(self):
        return [one for _, body in self.taken for one in json.loads(body)["data"]["events"]]


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


@pytest.fixture
def memory(store_url, clock, receiver):
    settings = Config(webhooks=(receiver.hook,))
    with wellkept.open(store_url, clock=clock, embedder="none", config=settings, worker="off") as memory:
        memory.at(user="alice").remember("My favorite color is blue")
        deliver(memory)
        yield memory


def deliver(memory):
    webhooks.later("default", memory.engine)
    return memory.upkeep.finish([("default", "deliver", "crm")])


def test_changes_are_told_once_signed_and_without_text(memory, receiver):
    assert receiver.taken == [], "a webhook begins with what comes after"
    kept = memory.at(user="bob").remember("My favorite color is teal").id
    deliver(memory)
    deliver(memory)
    ((headers, body),) = receiver.taken
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    (event,) = receiver.events()
    assert (event["memory_id"], event["op"], event["owner"]) == (kept, "create", "bob")
    assert b"teal" not in body
    memory.at(user="bob").forget(kept)
    deliver(memory)
    assert [one["memory_id"] for one in receiver.events()] == [kept, kept]


def test_what_is_not_taken_is_sent_again_under_the_same_id(memory, receiver, clock):
    memory.at(user="bob").remember("My favorite color is teal")
    receiver.statuses = [500, 302]
    for code in ("webhook_http_500", "webhook_http_302"):
        (done,) = deliver(memory)
        (waiting,) = memory.upkeep.jobs()["pending"]
        assert (done.status, waiting.error) == ("skipped", code)
        clock.advance(hours=1)
    (done,) = deliver(memory)
    assert (done.status, done.counts) == ("ok", {"events": 1})
    assert len({headers["webhook-id"] for headers, _ in receiver.taken}) == 1
    assert len(receiver.taken) == 3


def test_a_receiver_that_is_away_for_long_is_neither_given_up_nor_pressed(memory, receiver, clock):
    memory.at(user="bob").remember("My favorite color is teal")
    receiver.statuses = [503] * 12
    pauses = []
    for _ in range(12):
        deliver(memory)
        webhooks.later("default", memory.engine)
        (waiting,) = memory.upkeep.jobs()["pending"]
        pauses.append((waiting.due_at - clock()).total_seconds())
        clock.now = waiting.due_at
    assert pauses[:3] == [5, 10, 20]
    assert pauses[-3:] == [320, 320, 320]
    assert memory.upkeep.jobs()["dead"] == ()
    assert deliver(memory)[0].counts == {"events": 1}
    assert len({headers["webhook-id"] for headers, _ in receiver.taken}) == 1


def test_many_changes_come_in_batches_without_a_gap(memory, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "BATCH", 2)
    made = {memory.at(user=f"u{number}").remember("I like tea").id for number in range(5)}
    deliver(memory)
    assert len(receiver.taken) >= 3
    assert {one["memory_id"] for one in receiver.events()} == made


def test_a_worker_tells_within_a_minute(memory, receiver, clock):
    memory.upkeep.run(["deliver"])
    memory.at(user="bob").remember("My favorite color is teal")
    for _ in range(2):
        clock.advance(minutes=1, seconds=1)
        memory.upkeep.runner._scheduled_at = None
        memory.upkeep.runner.run_due()
    assert len(receiver.events()) == 1


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "10.0.0.7", "::1"])
def test_a_name_that_leads_inside_is_not_called(receiver, monkeypatch, address):
    asked = []

    def resolved(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port)), (0, 0, 0, "", (address, port))]

    monkeypatch.setattr(webhooks.socket, "getaddrinfo", resolved)
    monkeypatch.setattr(webhooks.socket, "create_connection", lambda *_, **__: pytest.fail("connected"))
    hook = replace(receiver.hook, url="https://hooks.example/", is_private=False)
    with pytest.raises(DeliveryFailed) as caught:
        webhooks.post(hook, {}, b"{}")
    assert caught.value.code == "webhook_private_address"
    assert asked == ["hooks.example"], "resolved once: the address that was looked at is the one that is called"


def test_nobody_there_is_a_failure_that_is_tried_again(receiver):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
        with pytest.raises(DeliveryFailed) as caught:
            webhooks.post(replace(receiver.hook, url=url), {}, b"{}")
    assert caught.value.code == "webhook_unreachable"
