"""Every store keeps the whole contract: the tests of each part of the store run the checks of its section."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from tests.store.suite import EveryStore
from wellkept.store.opening import open_store
from wellkept.testing.conformance import HandlesChecks, StoreConformance, conformance


class TestHandles(EveryStore, HandlesChecks):
    pass


def test_every_section_of_the_suite_is_run_on_every_store():
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("test_*.py"))
    assert [part.__name__ for part in StoreConformance.__bases__ if f"(EveryStore, {part.__name__})" not in tests] == []


def test_suite_runs_without_a_test_runner(tmp_path):
    paths = (tmp_path / f"{number}.db" for number in count())
    ran = conformance(lambda: open_store(next(paths)), lambda store: open_store(store.url))
    assert ran == len([name for name in dir(StoreConformance) if name.startswith("test_")]) >= 60
