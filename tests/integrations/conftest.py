"""A memory on each database, without models: what adapters do with one."""

from __future__ import annotations

import pytest

import wellkept


@pytest.fixture
def memory(store_url):
    with wellkept.open(store_url, embedder="none", worker="off") as memory:
        yield memory


@pytest.fixture
def alice(memory):
    return memory.at(user="alice", chat="dm-alice")


@pytest.fixture
def bob(memory):
    return memory.at(user="bob", chat="dm-bob")
