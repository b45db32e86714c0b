"""Webhooks: changes of a tenant's memories, told to who asked for it, at least once and in the order of each chain."""

from __future__ import annotations

import hashlib
import http.client
import json
import logging
import socket
import ssl
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wellkept.errors import DeliveryFailed
from wellkept.flows.read.events import event
from wellkept.policies import callers as policy
from wellkept.policies.upkeep.pace import Retries, again_at
from wellkept.store.contract import Failure, Feed, FeedMark, NewJob
from wellkept.types import as_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.policies.callers import Hook
    from wellkept.store.contract import LedgerRow

JOB = "deliver"
BATCH = 100
TIMEOUT_SECONDS = 10
PENDING_MAX = 1_000
PATIENCE = Retries()
_OK = range(200, 300)

_log = logging.getLogger("wellkept")


def later(tenant: str, engine: Engine) -> None:
    """Queue what the webhooks of a tenant are to be told; one that did not answer is left its pause."""
    hooks = [hook for hook in engine.webhooks if hook.tenant == tenant]
    pausing = {job.key for job in engine.store.jobs(tenant, names=[JOB], limit=PENDING_MAX) if job.error}
    for hook in hooks:
        if hook.name not in pausing:
            engine.store.keep(NewJob(tenant=tenant, name=JOB, key=hook.name, due_at=engine.clock()))


def job(duty: Duty) -> Mapping[str, int]:
    """Tell one webhook what is new, or queue that for each of the tenant's."""
    if not duty.job.key:
        later(duty.tenant, duty.engine)
        return {}
    hook = next((one for one in duty.engine.webhooks if (one.tenant, one.name) == (duty.tenant, duty.job.key)), None)
    try:
        return {} if hook is None else {"events": deliver(hook, duty)}
    except DeliveryFailed as error:
        _put_off(duty, error)
        return {}


def _put_off(duty: Duty, error: DeliveryFailed) -> None:
    """Try again later, however often that was tried: it is given up when the webhook is taken out of the settings."""
    now = duty.engine.clock()
    attempts = min(duty.job.attempts, PATIENCE.attempts_max - 1)
    _log.warning("webhook %s was not told, attempt %d: %s", error.hook, duty.job.attempts, error.code)
    with duty.engine.store.transaction():
        retry_at = again_at(attempts, now=now, rule=PATIENCE)
        duty.engine.store.finish(duty.job, Failure(error=error.code, at=now, retry_at=retry_at))
        duty.record(status="error", reason=error.code)
    duty.status = "skipped"


def deliver(hook: Hook, duty: Duty) -> int:
    """How many events were told. A webhook that is seen for the first time begins with what comes after."""
    store, mark, told = duty.engine.store, f"webhook:{hook.name}", 0
    if store.watermark(hook.tenant, mark) is None:
        with duty.transaction():
            store.keep(FeedMark(tenant=hook.tenant, hook=hook.name, rows=None))
            store.advance(hook.tenant, mark, since=None, to=duty.engine.clock())
        return 0
    while rows := store.ledger(Feed(tenant=hook.tenant, hook=hook.name, limit=BATCH)):
        changes = [row for row in rows if policy.is_change(row.entry.memory_id, row.entry.status)]
        if changes:
            _tell(hook, changes, duty.engine)
        with duty.transaction():
            store.keep(FeedMark(tenant=hook.tenant, hook=hook.name, rows=rows))
        told += len(changes)
        duty.progress(told)
    return told


def _tell(hook: Hook, rows: Sequence[LedgerRow], engine: Engine) -> None:
    """One message. Tried again it has the same id, so that a receiver can know it."""
    now = engine.clock()
    events: list[Any] = [as_json(event(row)) for row in sorted(rows, key=lambda row: row.at)]
    data = {"tenant": hook.tenant, "events": events}
    body = json.dumps({"type": "memory.changed", "timestamp": now.isoformat(), "data": data}).encode()
    chains = "\n".join(f"{row.space} {row.owner} {row.seq} {row.hash}" for row in rows)
    message_id = "msg_" + hashlib.sha256(f"{hook.name}\n{chains}".encode()).hexdigest()[:24]
    post(hook, policy.webhook_signature(hook, message_id, now, body), body)


def post(hook: Hook, headers: Mapping[str, str], body: bytes) -> None:
    """Send a body to an address that may be called; `DeliveryFailed` unless it is taken. No redirect is followed."""
    parts = urlsplit(hook.url)
    host, is_tls = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_tls else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    address = _address(hook, host, port)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    try:
        plain = socket.create_connection((address, port), timeout=TIMEOUT_SECONDS)
        connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host) if is_tls else plain
        given = {"Content-Type": "application/json", "User-Agent": "wellkept", **headers}
        connection.request("POST", path, body=body, headers=given)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise DeliveryFailed(hook.name, "webhook_unreachable") from error
    finally:
        connection.close()
    if status not in _OK:
        raise DeliveryFailed(hook.name, f"webhook_http_{status}")


def _address(hook: Hook, host: str, port: int) -> str:
    """The address to call, once all that the name stands for may be called. A name is resolved once: it may change."""
    try:
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise DeliveryFailed(hook.name, "webhook_unreachable") from error
    for address in found:
        decision = policy.may_call(address, is_private=hook.is_private)
        if decision.verdict != "pass":
            raise DeliveryFailed(hook.name, f"webhook_{decision.reason}")
    return found[0]
