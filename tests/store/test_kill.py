"""A killed writer leaves all or nothing; and the harness that says so finds stores that do not."""

from __future__ import annotations

import pytest

from bench import kill


def quiet(_line: str) -> None:
    """The storm's progress is for people."""


def test_nothing_is_lost_and_nothing_is_partial(store_url):
    report = kill.run(20, url=store_url, seed=3, say=quiet)
    assert report.faults == ()
    assert report.kills == 20
    assert report.acknowledged > 0
    assert report.inside >= 0.3


@pytest.mark.parametrize("broken", [kill.open_torn, kill.open_hasty], ids=lambda opener: opener.__name__)
def test_a_broken_store_is_found_out(broken):
    assert kill.run(60, store_factory=broken, seed=5, say=quiet).faults


def test_a_broken_store_is_found_out_on_postgres(new_database):
    assert kill.run(60, url=new_database(), store_factory=kill.open_torn, seed=5, say=quiet).faults
