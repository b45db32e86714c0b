"""Memories on the real store, with the real judge, and with the real embedder or none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import wellkept
from wellkept.config import Config
from wellkept.models.minilm import MiniLM


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture
def memory(store_path, clock, embedder) -> Iterator[wellkept.Memory]:
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder) as opened:
        yield opened


@pytest.fixture
def memory_without_vectors(store_path, clock) -> Iterator[wellkept.Memory]:
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none") as opened:
        yield opened
