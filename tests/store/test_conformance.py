"""Every store keeps the whole contract."""

from __future__ import annotations

from itertools import count

import pytest

from wellkept.store.opening import open_store
from wellkept.testing.conformance import StoreConformance, conformance


class TestEveryStore(StoreConformance):
    @pytest.fixture(autouse=True)
    def _world(self, new_store):
        self._new_store = new_store
        StoreConformance.setup_method(self)
        yield
        StoreConformance.teardown_method(self)

    def setup_method(self):
        """The fixture does it: only then is the place known."""

    def teardown_method(self):
        """See above."""

    def make_store(self):
        return open_store(self._new_store())

    def open_again(self, store):
        return open_store(store.url)


def test_suite_runs_without_a_test_runner(tmp_path):
    paths = (tmp_path / f"{number}.db" for number in count())
    ran = conformance(lambda: open_store(next(paths)), lambda store: open_store(store.url))
    collected = [name for name in dir(TestEveryStore) if name.startswith("test_")]
    assert ran == len(collected) >= 60
