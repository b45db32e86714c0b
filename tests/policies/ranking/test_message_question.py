"""Questions as they are put to the transcript."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.policies.ranking.message_question import AskedTime, MessageQuestion, understand

MAY = (datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC))


def untimed(text: str) -> MessageQuestion:
    return understand(text, AskedTime(content=text))


def test_a_question_for_a_time_alone_is_bare() -> None:
    question = understand(
        "What did we discuss in May?", AskedTime(window=MAY, is_said=True, content="What did we discuss ?")
    )
    assert question.terms == ()
    assert question.is_bare


def test_words_of_talking_are_left_out_only_beside_a_time_of_talk() -> None:
    timed = AskedTime(window=MAY, is_said=True, content="What did Ana say about tea ?")
    assert understand("What did Ana say about tea in May?", timed).terms == ("ana", "tea")
    assert "say" in untimed("What did Ana say about tea?").terms


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did she leave?", "time"),
        ("How long did it take?", "time"),
        ("How many cats has he?", "number"),
        ("Who came along?", "name"),
        ("What is the name of the dog?", "name"),
        ("Why did she leave?", None),
    ],
)
def test_kinds(text: str, kind: str | None) -> None:
    assert untimed(text).kind == kind


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What was the agenda of the workshop?", ("agenda",)),
        ("Which specific criteria did I use to rank the offers?", ("criteria",)),
        ("Can you share the qualifications of the new teacher?", ("qualification",)),
        ("What are the topics or skills in the course?", ("topic", "skill")),
        ("How many cats has he?", ()),
        ("What time is the call?", ()),
        ("Have I used this before?", ()),
        ("What tools should I use for pottery?", ()),
        ("What tools did you say I should use for pottery?", ("tool",)),
    ],
)
def test_the_thing_asked_for(text: str, wanted: tuple[str, ...]) -> None:
    assert untimed(text).wanted == wanted


@pytest.mark.parametrize(
    ("text", "is_standing"),
    [
        ("What is my weekly target?", True),
        ("How many sources do I have?", True),
        ("What was my weekly target?", False),
        ("Have I been to Rome?", False),
        ("What is a prime number?", False),
    ],
)
def test_how_it_stands(text: str, is_standing: bool) -> None:
    assert untimed(text).is_standing is is_standing


def test_order_decides_how_it_stands() -> None:
    assert understand("Where does Ana work?", AskedTime(order="latest", content="Where does Ana work?")).is_standing
    assert not understand("What is my first?", AskedTime(order="first", content="What is my first?")).is_standing


def test_the_assistant_is_asked_for_its_own_words() -> None:
    assert untimed("What did you recommend for the garden?").is_to_assistant
    assert not untimed("What did I say about the garden?").is_to_assistant


def test_speakers_are_named_by_a_part_of_their_name() -> None:
    names = [frozenset(), frozenset({"ana", "lopez"}), frozenset({"bob"})]
    assert untimed("What does Ana like?").named(names) == {1}
    assert untimed("What do Ana and Bob like?").named(names) == {1, 2}


@pytest.mark.parametrize("text", ["x" * 10_000, "-" * 10_000, "x-" * 5_000, "what " * 2_000, "so what is my " * 500])
def test_the_longest_question_is_read_at_once(text: str) -> None:
    assert untimed(text).kind is None
