"""Ranking strategies: what each weighs, and that ties are settled the same way always."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.policies.make import NOON, memory
from wellkept.policies.ranking.rank import Asked, Found, RankOptions, explained, rank

LATER = NOON + timedelta(days=20)


def ids(*found: Found, **options: object) -> list[str]:
    chosen = RankOptions(**options)  # type: ignore[arg-type]  # options by name
    ranked = rank(found, Asked(query="green tea", options=chosen, now=LATER))
    return [item.memory.id for item in ranked]


@pytest.mark.parametrize("strategy", ["hybrid", "blended", "supervisor"])
def test_the_more_similar_comes_first(strategy: str) -> None:
    near = Found(memory=memory(id="m_near"), similarity=0.9)
    far = Found(memory=memory(id="m_far"), similarity=0.2)
    assert ids(far, near, strategy=strategy) == ["m_near", "m_far"]


def test_words_find_what_vectors_miss() -> None:
    by_words = Found(memory=memory(id="m_words"), words=1.0)
    vague = Found(memory=memory(id="m_vague"), similarity=0.3)
    assert ids(vague, by_words) == ["m_words", "m_vague"]


def test_hearsay_weighs_less_than_fact() -> None:
    fact = Found(memory=memory(id="m_fact"), similarity=0.7)
    told = Found(memory=memory(id="m_told", stated_by="p_bo"), similarity=0.75)
    assert ids(told, fact) == ["m_fact", "m_told"]


def test_blended_prefers_what_many_candidates_speak_of() -> None:
    often = [Found(memory=memory(id=f"m_{n}", entity_refs=("person:bo",)), similarity=0.5) for n in range(3)]
    alone = Found(memory=memory(id="m_alone", entity_refs=("place:oslo",)), similarity=0.55)
    assert ids(alone, *often, strategy="blended")[-1] == "m_alone"


def test_supervisor_prefers_pinned_and_important() -> None:
    plain = Found(memory=memory(id="m_plain"), similarity=0.6)
    pinned = Found(memory=memory(id="m_pinned", pinned=True, importance=3.0), similarity=0.5)
    assert ids(plain, pinned, strategy="supervisor") == ["m_pinned", "m_plain"]


def test_governed_counts_in_whole_numbers_and_knows_neither_trust_nor_relations() -> None:
    exact = memory(id="m_exact", content="Green tea is best", tick=1, importance=1.0, stated_by="p_bo")
    fresh = memory(id="m_fresh", content="Coffee is best", tick=9, importance=4.0)
    shared = memory(id="m_shared", content="Black tea is fine", tick=4, importance=2.0)
    found = [Found(memory=one, similarity=0.1, relation=1.0) for one in (exact, fresh, shared)]
    asked = Asked(query="green tea", options=RankOptions(strategy="governed"), now=LATER)
    ranked = explained(rank(found, asked), found, asked)
    assert [(item.memory.id, item.score) for item in ranked] == [("m_fresh", 4), ("m_shared", 3), ("m_exact", 2)]
    assert ranked[1].parts == {"matches_query": 1, "recency": 1, "importance": 1}


def test_a_relation_lifts_a_little() -> None:
    plain = Found(memory=memory(id="m_plain"), similarity=0.5)
    linked = Found(memory=memory(id="m_linked"), similarity=0.5, relation=1.0)
    assert ids(plain, linked) == ["m_linked", "m_plain"]


def test_ties_go_to_the_newer_then_the_smaller_id() -> None:
    a, b = Found(memory=memory(id="m_a")), Found(memory=memory(id="m_b"))
    assert ids(b, a) == ["m_a", "m_b"]
    newer = Found(memory=memory(id="m_z", updated_at=NOON + timedelta(microseconds=1)))
    assert ids(a, newer, recency=0.0) == ["m_z", "m_a"]


def test_each_result_says_why() -> None:
    item = Found(memory=memory(pinned=True), similarity=0.5, why=("about:Bo",))
    asked = Asked(query="tea", options=RankOptions(), now=NOON)
    found = rank([item], asked)
    (ranked,) = explained(found, found, asked)
    assert set(ranked.why) == {"about:Bo", "matches_query", "recency", "importance", "pinned"}
    assert ranked.score == pytest.approx(sum(v for k, v in ranked.parts.items() if k != "trust"), abs=1e-5)


@pytest.mark.parametrize("strategy", ["hybrid", "blended", "supervisor"])
def test_of_two_alike_the_one_spoken_of_often_comes_first(strategy: str) -> None:
    once = Found(memory=memory(id="m_a"), similarity=0.5)
    often = Found(memory=memory(id="m_z", mention_count=50), similarity=0.5)
    assert ids(once, often, strategy=strategy) == ["m_z", "m_a"]
