"""Memories on the real store, with the real judge, and with the real embedder or none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import recollect
from recollect.config import Config
from recollect.models.minilm import MiniLM


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture
def memory(store_path, clock, embedder) -> Iterator[recollect.Memory]:
    with recollect.open(store_path, config=Config(), clock=clock, embedder=embedder) as opened:
        yield opened


@pytest.fixture
def memory_without_vectors(store_path, clock) -> Iterator[recollect.Memory]:
    with recollect.open(store_path, config=Config(), clock=clock, embedder="none") as opened:
        yield opened
