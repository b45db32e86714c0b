"""The ledger on every store: its chains, their ends, and the hash of a row."""

from __future__ import annotations

import hashlib

from tests.store.suite import EveryStore
from wellkept.store.encoding import canonical
from wellkept.store.parts.ledger import HASHED, link
from wellkept.testing.ledger import HeadsChecks, LedgerChecks


class TestLedger(EveryStore, LedgerChecks):
    pass


class TestHeads(EveryStore, HeadsChecks):
    pass


def test_a_row_is_hashed_as_its_json_after_the_hash_before_it():
    row = dict.fromkeys(HASHED) | {
        "at": 1,
        "node": "hotpath",
        "memory_id": 'an "odd" one\n',
        "sim": 0.25,
        "thread": "ß",
    }
    assert link("before", row) == hashlib.sha256(f"before\n{canonical(row)}".encode()).hexdigest()
