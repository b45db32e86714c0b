"""The chain's hash of a row, put together by hand, is that of the row's canonical JSON."""

from __future__ import annotations

import hashlib

import pytest

from wellkept.store.encoding import canonical
from wellkept.store.parts.ledger import HASHED, link

ROW = dict.fromkeys(HASHED) | {"at": 1, "node": "hotpath", "op": "create", "status": "ok", "payload": "{}"}


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"tick": 3, "actor": 2, "version": 1, "memory_id": "m_x", "category": "people", "reason": "border:allowed"},
        {"tick": 0, "actor": 0, "payload": '{"phase":"phase-1"}', "thread": "t\\1"},
        {"memory_id": 'an "odd" one\n\t\x7f', "reason": "größe", "category": "\U0001f600", "thread": "\u2028"},
        {"sim": 0.25, "payload": '{"of":[1,null,true]}'},
    ],
)
def test_every_row_is_hashed_as_its_json(said):
    row = ROW | said
    assert link("before", row) == hashlib.sha256(f"before\n{canonical(row)}".encode()).hexdigest()
