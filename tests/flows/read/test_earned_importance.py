"""What is said again and again counts for more, for a while; how important it was called stays as it was."""

from __future__ import annotations

from itertools import pairwise

import pytest

OFTEN, ONCE = "I like to hike in the Dolomites", "I like to hike in the Pyrenees"


@pytest.fixture
def ana(memory_without_vectors):
    return memory_without_vectors.at(user="ana")


def told(ana, clock, texts):
    ids = []
    for text in texts:
        ids.append(ana.remember(text).id)
        clock.advance(minutes=1)
    return ids


def ranked(ana):
    """(text, score) of what a question finds, best first."""
    return [(hit.text, hit.score) for hit in ana.recall("Where do I like to hike?", threshold=0)]


def gap(ana):
    (_, first), (_, second) = ranked(ana)
    return first - second


@pytest.mark.parametrize("texts", [(OFTEN, *[ONCE], *[OFTEN] * 49), (*[OFTEN] * 50, ONCE)])
def test_fifty_mentions_outrank_one_whichever_came_last(ana, clock, texts):
    ids = told(ana, clock, texts)
    assert len(set(ids)) == 2, "the same fact is kept once"
    assert "Dolomites" in ranked(ana)[0][0]
    often = next(one for one in ana.list() if "Dolomites" in one.content)
    assert often.mention_count == 50


def test_without_the_repetition_neither_stands_out(ana, clock):
    told(ana, clock, (OFTEN, ONCE))
    assert "Pyrenees" in ranked(ana)[0][0], "the later one, by a hair"


def test_the_effect_fades_and_the_importance_stays(ana, clock):
    told(ana, clock, (OFTEN, ONCE))
    before = {one.id: one.importance for one in ana.list()}
    told(ana, clock, [OFTEN] * 49)
    gaps = []
    for _ in range(5):
        gaps.append(gap(ana))
        clock.advance(days=90)
    assert all(later < earlier for earlier, later in pairwise(gaps))
    assert gaps[-1] < gaps[0] / 10
    assert {one.id: one.importance for one in ana.list()} == before
