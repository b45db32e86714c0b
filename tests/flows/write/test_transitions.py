"""Memories end in one place, with the same fields whoever ends them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import wellkept
from wellkept.flows.write import transitions
from wellkept.types import Memory
from wellkept.vocabulary import Space, State

FLOWS = Path(wellkept.__file__).parent / "flows"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
ENDS = re.compile(r"\bstate=State\.(?:SUPERSEDED|ARCHIVED)\b|\barchive_reason=(?!None|memory\.)")


def stated(**given):
    at = NOW - timedelta(days=2)
    told = {"id": "m1", "tenant": "t", "content": "It rains", "space": Space.USER, "owner": "ana", "memory_key": "k"}
    times = {"created_at": at, "observed_at": at, "updated_at": at, "valid_from": at}
    return Memory(**{**told, "discriminator": "d", **times, **given})


def test_no_other_flow_ends_a_memory_by_itself():
    pages = (page for page in FLOWS.rglob("*.py") if page.name != "transitions.py")
    assert [page.name for page in pages if ENDS.search(page.read_text(encoding="utf-8"))] == []


def test_what_is_superseded_held_until_its_successor_did():
    new = stated(id="m2", valid_from=NOW - timedelta(days=1))
    over = transitions.superseded(stated(), new, now=NOW)
    assert (over.state, over.superseded_by, over.superseded_at, over.valid_to) == (
        State.SUPERSEDED,
        "m2",
        NOW,
        new.valid_from,
    )
    assert (over.version, over.updated_at) == (2, NOW)
    assert transitions.superseded(stated(), None, now=NOW).valid_to == NOW


def test_what_loses_as_it_comes_was_never_another_version():
    lost = transitions.lost(stated(id="m2"), stated(), now=NOW)
    assert (lost.state, lost.superseded_by, lost.version, lost.valid_to) == (State.SUPERSEDED, "m1", 1, NOW)


@pytest.mark.parametrize(
    ("given", "reason"), [({"expires_at": NOW}, "expired"), ({"expires_at": None}, "ephemeral_decay")]
)
def test_what_expires_is_archived_with_its_reason(given, reason):
    gone = transitions.expired(stated(**given), now=NOW)
    assert (gone.state, gone.archive_reason, gone.updated_at) == (State.ARCHIVED, reason, NOW)


def test_a_sweep_leaves_the_time_of_the_last_change():
    (change,) = transitions.swept([stated()], "evicted")
    assert (change.memory.archive_reason, change.memory.updated_at, change.entry.node) == (
        "evicted",
        NOW - timedelta(days=2),
        "worker",
    )
