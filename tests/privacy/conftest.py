"""The harnesses in bench/ are commands; the tests here run the same code in small."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable, PrivacyTable

BENCH = str(Path(__file__).resolve().parents[2] / "bench")
if BENCH not in sys.path:
    sys.path.insert(0, BENCH)


@pytest.fixture
def opened(tmp_path: Path, clock: Callable[[], object]) -> Iterator[Callable[..., Memory]]:
    """Opens the one store of the test, under given settings; all are closed at the end."""
    memories: list[Memory] = []

    def open_it(**privacy: object) -> Memory:
        config = Config(memory=MemoryTable(auto_gc=False), privacy=PrivacyTable(**privacy))
        memories.append(wellkept.open(tmp_path / "memory.db", config=config, clock=clock, embedder="none"))
        return memories[-1]

    yield open_it
    for memory in memories:
        memory.close()


@pytest.fixture
def memory(opened: Callable[..., Memory]) -> Memory:
    return opened()
