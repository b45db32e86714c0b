"""A part of the conformance suite on every store that there is."""

from __future__ import annotations

import pytest

from wellkept.store.opening import open_store
from wellkept.testing.world import Checks


class EveryStore(Checks):
    @pytest.fixture(autouse=True)
    def _world(self, new_store):
        self._new_store = new_store
        Checks.setup_method(self)
        yield
        Checks.teardown_method(self)

    def setup_method(self):
        """The fixture does it: only then is the place known."""

    def teardown_method(self):
        """See above."""

    def make_store(self):
        return open_store(self._new_store())

    def open_again(self, store):
        return open_store(store.url)
