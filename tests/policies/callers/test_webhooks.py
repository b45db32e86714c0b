"""Which addresses a webhook may lead to, and how its messages are signed."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from wellkept.policies.callers import webhooks

SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()
HOOK = webhooks.Hook(name="crm", url="https://hooks.example/in", secret=SECRET)
INSIDE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "::ffff:10.0.0.1",
]
NEVER = [
    "169.254.169.254",
    "fe80::1%eth0",
    "0.0.0.0",  # noqa: S104 -- an address that is refused
    "::",
    "224.0.0.1",
    "ff02::1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
]


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111"])
def test_public_addresses_may_be_called(address):
    assert webhooks.callable_at(address, is_private=False).verdict == "pass"


@pytest.mark.parametrize("address", [*INSIDE, *NEVER])
def test_no_address_of_ones_own_network_may_be(address):
    assert webhooks.callable_at(address, is_private=False).verdict == "refuse"


@pytest.mark.parametrize(
    ("address", "verdict"), [*((one, "pass") for one in INSIDE), *((one, "refuse") for one in NEVER)]
)
def test_a_private_webhook_reaches_ones_own_network_and_no_metadata(address, verdict):
    assert webhooks.callable_at(address, is_private=True).verdict == verdict


@pytest.mark.parametrize(
    "change",
    [
        {"url": "http://hooks.example"},
        {"url": "ftp://hooks.example"},
        {"url": "https://"},
        {"url": "https://hooks.example:port/"},
        {"url": "https://[::1/"},
        {"url": "https://me:pw@hooks.example"},
        {"secret": "plain"},
        {"secret": "whsec_c2hvcnQ="},
        {"secret": "whsec_***"},
    ],
)
def test_a_webhook_that_cannot_be_is_told(change):
    assert webhooks.fault(HOOK) is None
    assert webhooks.fault(replace(HOOK, is_private=True, url="http://crm.internal")) is None
    assert webhooks.fault(replace(HOOK, **change))


def test_the_signature_is_that_of_the_standard_webhooks():
    at = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    headers = webhooks.signature(HOOK, "msg_1", at, b"{}")
    signed = b"msg_1." + headers["webhook-timestamp"].encode() + b".{}"
    expected = hmac.new(b"0123456789abcdef01234567", signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(expected).decode()
    assert int(headers["webhook-timestamp"]) == at.timestamp()
    assert webhooks.signature(HOOK, "msg_1", at, b"[]") != headers
