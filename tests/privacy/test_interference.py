"""Non-interference in small: what others keep to themselves changes no byte of one user's answers."""

from __future__ import annotations

import pytest

from bench import interference

WORLDS = 70
PARTS = 4
WORLDS_ON_POSTGRES = 2


@pytest.mark.parametrize("part", range(PARTS))
def test_worlds_with_and_without_the_others_are_the_same(part):
    for seed in range(part, WORLDS, PARTS):
        found = interference.differs(seed)
        assert found is None, f"world {seed}\nwith the others:\n{found[0]}\nwithout:\n{found[1]}"


def test_worlds_on_postgres_are_the_same(databases):
    for seed in range(WORLDS_ON_POSTGRES):
        found = interference.differs(seed, places=databases)
        assert found is None, f"world {seed}\nwith the others:\n{found[0]}\nwithout:\n{found[1]}"


@pytest.mark.parametrize("wrap", [interference.GlobalStatistics, interference.GlobalPrefixes])
def test_a_store_that_looks_at_everybody_is_found_out(wrap):
    assert any(interference.differs(seed, wrap=wrap) is not None for seed in range(12))


def test_the_diaries_say_something(tmp_path):
    """Equal silence would prove nothing: there are answers, hits, refusals and foreign ids in them."""
    lines = [line for seed in range(6) for line in interference.play(seed, str(tmp_path / f"{seed}.db")).lines]
    text = "\n".join(lines)
    for word in ('"verdict": "found"', '"not_found"', '"created"', '"score"', "about:"):
        assert word in text
