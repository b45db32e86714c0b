"""A simulated season in small: the promises of lifetime hold, and the picture shows it."""

from __future__ import annotations

import random

from bench import year as simulation
from wellkept.vocabulary import State


def test_a_season_has_no_faults(tmp_path):
    season = simulation.Year(users=1, chance=random.Random(2))
    simulation.live(season, 100, tmp_path / "memory.db")
    assert season.faults == []
    assert season.counts[-1][State.SOFT_DELETED] > 0
    assert season.restored + len(season.purged) > 0
    assert "active" in simulation.picture(season.counts)
    assert simulation.svg(season.counts).count("<polyline") == 4


def test_a_store_that_grows_is_found_out():
    flat = [100] * 400
    assert simulation._growth(flat) == []
    assert simulation._growth([*flat, *range(100, 200)])


def test_every_word_is_its_own():
    assert len({simulation.word(number) for number in range(20_000)}) == 20_000
