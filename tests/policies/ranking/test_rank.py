"""Ranking of memories, together with messages, and the choice of an answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.make import NOON, memory
from wellkept.policies.ranking.rank import (
    AnswerOptions,
    Asked,
    Found,
    Joined,
    JoinOptions,
    Placed,
    RankOptions,
    choose_answer,
    explained,
    one_ranking,
    rank,
)
from wellkept.policies.ranking.rank_messages import Said
from wellkept.types import Message

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


OPTIONS = JoinOptions()


def fact(name: str, score: float, *, is_learned: bool = True) -> Found:
    return Found(memory=memory(id=name, source_message_id="said" if is_learned else None), score=score)


def said(number: int, standing: float, *, score: float = 0.4, role: str = "user") -> Said:
    message = Message(id=f"said{number}", role=role, content=f"text {number}", place=(1, number))  # type: ignore[arg-type]  # values by name
    return Said(message=message, relevance=0.0, standing=standing, score=score)


def placed(memories: list[Found], messages: list[Said], sources: dict[str, list[int]], **given: object) -> list[Placed]:
    places = {name: [(1, number) for number in numbers] for name, numbers in sources.items()}
    joined = Joined(memories=memories, messages=messages, sources=places, **given)  # type: ignore[arg-type]  # values by name
    return list(one_ranking(joined, OPTIONS))


def names(*given: object, **options: object) -> list[str]:
    found = placed(*given, **options)  # type: ignore[arg-type]  # values by name
    return [one.item.message.id if isinstance(one.item, Said) else one.item.memory.id for one in found]  # type: ignore[misc]  # values by name


def test_a_learned_memory_has_the_place_of_its_message_and_quotes_it() -> None:
    found = placed([fact("m_a", 0.45)], [said(1, 0.5), said(2, 0.3)], {"m_a": [2]})
    assert [type(one.item) for one in found] == [Said, Found]
    assert found[1].score == 0.3
    assert [message.id for message in found[1].quotes] == ["said2"]


def test_a_learned_memory_whose_message_says_little_does_not_push_out_what_says_more() -> None:
    facts = [fact(f"m_{number}", 0.55) for number in range(5)]
    messages = [said(number, 0.5 - 0.05 * number) for number in range(9)]
    found = names(facts, messages, {f"m_{number}": [number + 50] for number in range(5)})
    assert found[:9] == [f"said{number}" for number in range(9)]


def test_what_was_told_by_itself_stands_above_the_noise_of_a_conversation() -> None:
    noise = [said(number, 0.2) for number in range(5)]
    assert names([fact("m_told", 0.45, is_learned=False), fact("m_far", 0.2)], noise, {})[0] == "m_told"


def test_what_was_told_by_itself_does_not_stand_back_for_what_was_said() -> None:
    told = fact("m_told", 0.3, is_learned=False)
    assert placed([told], [said(1, 0.55), said(2, 0.2)], {})[1].item is told


def test_of_two_memories_of_one_message_the_better_takes_its_place() -> None:
    found = names(
        [fact("m_good", 0.5), fact("m_fair", 0.3)], [said(1, 0.6), said(2, 0.1)], {"m_good": [1], "m_fair": [1]}
    )
    assert found[0] == "m_good"
    assert found.count("said1") == 0


def test_a_memory_of_another_part_of_a_message_does_not_hide_it() -> None:
    assert names([fact("m_aside", 0.1)], [said(1, 0.5, score=0.5)], {"m_aside": [1]}) == ["said1"]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_who_stands_for_whom_does_not_depend_on_how_many_are_asked_for(limit: int) -> None:
    given = ([fact("m_a", 0.4)], [said(1, 0.5), said(2, 0.49), said(3, 0.2)], {"m_a": [1]})
    assert names(*given)[:limit] == ["m_a", "said2", "said3"][:limit]


def test_messages_below_the_threshold_are_shown_only_as_quotes() -> None:
    low = [said(1, 0.05, score=0.05), said(2, 0.04, score=0.04)]
    found = placed([fact("m_a", 0.5)], low, {"m_a": [1]}, least=0.06)
    assert len(found) == 1
    assert found[0].quotes[0].id == "said1"


def test_what_an_assistant_told_again_is_no_quote_and_never_stands_beside_the_memory() -> None:
    told = fact("m_a", 0.1, is_learned=False)
    found = placed([told], [said(1, 0.4, role="assistant")], {"m_a": [1]})
    assert [(one.item, one.quotes) for one in found] == [(told, ())]


def test_being_told_again_takes_nothing_from_what_was_told_by_itself() -> None:
    told = fact("m_a", 0.5, is_learned=False)
    assert names([told], [said(1, 0.4), said(2, 0.1, role="assistant")], {"m_a": [2]})[0] == "m_a"


def test_asked_for_everything_each_memory_keeps_its_score() -> None:
    facts = [fact("m_a", 0.5), fact("m_b", 0.2)]
    found = placed(facts, [said(1, 0.6), said(2, 0.1)], {"m_b": [2]}, is_faded=False)
    assert [one.score for one in found] == [0.6, 0.5, 0.2]


def test_without_messages_memories_stand_by_their_scores() -> None:
    assert [one.score for one in placed([fact("m_a", 0.5), fact("m_b", 0.2)], [], {})] == [0.5, 0.2]


def test_the_messages_have_a_say_in_how_sure_a_learned_memory_is() -> None:
    learned = placed([fact("m_a", 0.8)], [said(1, 0.2), said(2, 0.1)], {"m_a": [1]})
    told = placed([fact("m_a", 0.8, is_learned=False)], [said(1, 0.2), said(2, 0.1)], {})
    assert learned[0].score == pytest.approx((0.8 * 0.2) ** 0.5)
    assert told[0].score == 0.8
    assert [one.score for one in learned] == sorted((one.score for one in learned), reverse=True)


ANSWERS = AnswerOptions()
SHARES = st.lists(st.floats(0, 1), max_size=8)


def rows(shares, options=ANSWERS):
    return [one.row for one in choose_answer(shares, options)]


def test_of_two_texts_that_answer_alike_the_one_that_recall_puts_first_is_chosen():
    assert rows([0.95, 0.95])[0] == 0


def test_a_text_further_down_is_chosen_when_the_reader_is_much_surer_of_it():
    assert rows([0.05, 0.999])[0] == 1


def test_nothing_is_chosen_where_the_reader_is_not_sure():
    assert rows([0.6, 0.6, 0.6]) == []
    assert rows([]) == []


def test_what_is_told_besides_has_to_be_likely_too():
    assert rows([0.99, 0.9]) == [0, 1]
    assert rows([0.99, 0.01]) == [0]


@given(SHARES)
def test_the_best_is_first_and_at_least_as_sure_as_is_asked(shares):
    chosen = choose_answer(shares, ANSWERS)
    assert len(chosen) <= 2
    assert all(one.probability >= ANSWERS.besides for one in chosen)
    assert not chosen or chosen[0].probability >= max(ANSWERS.sure, *(one.probability for one in chosen))


@given(SHARES, st.integers(0, 7))
def test_a_surer_reader_never_takes_an_answer_away(shares, place):
    if place < len(shares):
        raised = [*shares]
        raised[place] = 1.0
        assert not choose_answer(shares, ANSWERS) or choose_answer(raised, ANSWERS)
