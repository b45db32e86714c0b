"""Memories and messages in one order: provenance decides where a learned memory stands, and one thing has one place."""

from __future__ import annotations

import pytest

from tests.policies.make import memory
from wellkept.policies.ranking.one_ranking import Joined, JoinOptions, Placed, one_ranking
from wellkept.policies.ranking.rank import Found
from wellkept.policies.ranking.rank_messages import Said
from wellkept.types import Message

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
