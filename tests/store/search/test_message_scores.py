"""What ranking knows of messages, on a handful of rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from wellkept.policies.ranking.rank_messages import ASKS, COUNTS, WEIGHTS, AskedTime, MessageQuestion
from wellkept.store.search.message_scores import Rows, features, score

START = datetime(2024, 5, 1, 12, tzinfo=UTC)
DAY = 86_400 * 10**6
ANA, BOB = 0, 1
NAMES = (frozenset({"ana"}), frozenset({"bob"}))


def rows(count: int = 4, **given: list[float]) -> Rows:
    """Messages a day apart, in two talks, of two speakers in turn; nothing matches unless given."""
    begun = int(START.timestamp() * 10**6)
    base = Rows(
        words=np.zeros(count),
        coverage=np.zeros(count),
        cosine=np.zeros(count),
        talk=np.arange(count) * 2 // count,
        at=begun + np.arange(count) * DAY,
        speaker=np.arange(count) % 2,
        is_assistant=np.zeros(count, dtype=bool),
        traits=np.zeros(count, dtype=np.int64),
        length=np.full(count, 40),
    )
    return replace(base, **{name: np.array(values) for name, values in given.items()})


def asked(*terms: str, time: AskedTime | None = None, **given: object) -> MessageQuestion:
    return MessageQuestion(terms=terms, time=time or AskedTime(), **given)  # type: ignore[arg-type]  # fields by name


def column(name: str, known: Rows, question: MessageQuestion, *, past: int | None = None) -> list[float]:
    found: list[float] = features(known, question, NAMES, past=past)[name].tolist()
    return found


def test_every_weight_has_its_column() -> None:
    assert set(features(rows(), asked("tea"), NAMES)) == set(WEIGHTS)


def test_neighbours_lend_within_their_talk_only() -> None:
    known = rows(words=[0.0, 1.0, 0.0, 0.0])
    assert column("words_before", known, asked("tea")) == [0, 0, 0, 0]
    assert column("words_after", known, asked("tea")) == [1, 0, 0, 0]
    assert column("words_of_talk", known, asked("tea")) == [1, 1, 0, 0]


def test_an_answer_follows_the_question_that_matches() -> None:
    known = rows(words=[1.0, 0.0, 1.0, 0.0], traits=[ASKS, 0, 0, 0])
    assert column("answers_words", known, asked("tea")) == [0, 1, 0, 0]


def test_one_named_speaker_counts_and_two_do_not() -> None:
    assert column("speaker", rows(), asked("ana", "tea")) == [1, 0, 1, 0]
    assert column("speaker", rows(), asked("ana", "bob")) == [0, 0, 0, 0]


def test_the_assistant_counts_unless_it_is_asked() -> None:
    known = rows(is_assistant=[True, False, True, False])
    assert column("assistant", known, asked("tea")) == [1, 0, 1, 0]
    assert column("assistant", known, asked("tea", is_to_assistant=True)) == [0, 0, 0, 0]


def test_the_kind_asked_for_counts() -> None:
    known = rows(traits=[COUNTS, 0, 0, COUNTS])
    assert column("counts_asked", known, asked("cat", kind="number")) == [1, 0, 0, 1]
    assert column("counts_asked", known, asked("cat", kind="name")) == [0, 0, 0, 0]


def test_short_and_long_meet_at_forty_words() -> None:
    known = rows(length=[3, 39, 40, 400])
    assert [round(value, 2) for value in column("short", known, asked("tea"))] == [-2.3, 0, 0, 0]
    assert [round(value, 2) for value in column("long", known, asked("tea"))] == [0, 0, 0, 2.3]


def day(number: int) -> tuple[datetime, datetime]:
    begun = START.replace(hour=0) + timedelta(days=number)
    return begun, begun + timedelta(days=1)


def test_what_was_said_in_the_window() -> None:
    assert column("said_then", rows(), asked(time=AskedTime(window=day(1), is_said=True))) == [0, 1, 0, 0]


def test_when_nothing_was_said_the_nearest_counts() -> None:
    assert column("said_then", rows(), asked(time=AskedTime(window=day(9), is_said=True))) == [0, 0, 0, 1]


def test_a_weekday_without_talk_is_the_one_before() -> None:
    friday = AskedTime(window=day(8), is_said=True, step_days=7)
    assert column("said_then", rows(), asked(time=friday)) == [0, 1, 0, 0]


def test_an_event_is_told_of_then_and_for_a_while_after() -> None:
    question = asked("camp", time=AskedTime(window=day(1)))
    assert column("happened_then", rows(), question) == [0, 1, 0, 0]
    before, then, soon, later = column("told_after", rows(), question)
    assert before == 0
    assert then == 1
    assert 0 < later < soon < 1


@pytest.mark.parametrize(
    ("sessions", "past", "wanted"),
    [
        ((1, 1), None, [1, 1, 0, 0]),
        ((-1, -1), None, [0, 0, 1, 1]),
        ((1, 2), None, [1] * 4),
        ((-1, -1), 1, [1, 1, 0, 0]),
    ],
)
def test_talks_are_counted_from_both_ends(sessions: tuple[int, int], past: int | None, wanted: list[int]) -> None:
    question = asked(time=AskedTime(sessions=sessions, is_said=True))
    assert column("said_then", rows(), question, past=past) == wanted


def test_the_score_is_the_weighted_sum() -> None:
    known = rows(words=[0.0, 0.5, 1.0, 0.0], coverage=[0.0, 0.5, 1.0, 0.0])
    found = score(features(known, asked("tea"), NAMES), {"words": 2.0, "coverage": 1.0})
    assert found.tolist() == [0, 1.5, 3, 0]


def test_no_rows_are_no_trouble() -> None:
    assert not len(score(features(rows(0), asked("tea", time=AskedTime(window=day(0))), NAMES), WEIGHTS))
