"""Sessions end after a silence; summaries and episodes repeat what was said and nothing that was taken back."""

from __future__ import annotations

from datetime import timedelta

from tests.policies.make import NOON, memory
from wellkept.policies import summaries
from wellkept.policies.summaries import Episodes, Session, SessionSummary, Talk
from wellkept.types import Message

MINUTE = timedelta(minutes=1)


def said(*texts: str, role: str = "user") -> tuple[Message, ...]:
    return tuple(Message(role=role, content=text) for text in texts)


def session(**fields) -> Session:
    return Session(**{"id": "s1", "number": 1, "started_at": NOON, "last_activity_at": NOON} | fields)


def test_half_an_hour_of_silence_ends_a_session_at_its_last_word():
    assert not summaries.is_over(session(), NOON + 29 * MINUTE)
    assert summaries.is_over(session(), NOON + 30 * MINUTE)
    over = summaries.ended_session(session())
    assert over.ended_at == NOON
    assert not summaries.is_over(over, NOON + 90 * MINUTE)


def test_a_session_is_carried_over_for_two_hours():
    over = summaries.ended_session(session())
    assert summaries.is_soft(over, NOON + 120 * MINUTE)
    assert not summaries.is_soft(over, NOON + 121 * MINUTE)
    assert not summaries.is_soft(session(), NOON)
    assert not summaries.is_soft(None, NOON)


def test_a_rolling_summary_has_open_items_first_and_drops_closed_ones():
    talk = Talk(
        messages=said("We talked about the garden plan.", "thanks!", "The kiln broke on Monday."),
        open_items=("call the vet",),
        closed_items=("pay the rent",),
    )
    text = summaries.rolling_summary("Open: pay the rent\nOpen: water the ferns\nolder news", talk)
    assert text.split("\n") == [
        "Open: call the vet",
        "Open: water the ferns",
        "We talked about the garden plan.",
        "The kiln broke on Monday.",
    ]
    assert len(summaries.rolling_summary("", Talk(messages=said("word " * 200)))) <= summaries.ROLLING_MAX


def test_the_parts_of_a_session_are_the_users_own_words():
    messages = (
        *said("I moved to Lyon with Ana.", "I am so tired and stressed.", "When is the train?"),
        *said("Soon.", role="assistant"),
    )
    parts = summaries.session_parts(Talk(messages=messages, names=("Ana", "Bob"), open_items=("book a seat",)))
    assert parts.one_liner == "I moved to Lyon with Ana."
    assert parts.open_loops == ("book a seat", "When is the train?")
    assert parts.people == ("Ana",)
    assert parts.tone == "strained"
    assert summaries.session_parts(Talk(messages=said("ok"))).one_liner == "Nothing of weight was said."


def test_lines_that_repeat_what_was_taken_back_are_left_out():
    lines = ("Ana lives in Lyon now", "Ana likes green tea")
    assert summaries.without_retired(lines, ["Ana lives in Lyon"]) == ("Ana likes green tea",)
    assert summaries.without_retired(lines, ["Lyon"]) == lines
    found = SessionSummary(session_id="s1", at=NOON, one_liner=lines[0], what_mattered=lines)
    standing = summaries.standing_summary(found, ["Ana lives in Lyon"])
    assert (standing.one_liner, standing.what_mattered) == (summaries.NOTHING_LEFT, (lines[1],))


def test_items_that_have_ended_are_no_longer_open():
    lines = ("Open: call the vet", "Open: pay the rent", "The kiln broke")
    assert summaries.still_open(lines, ["Call the vet!"]) == lines[1:]


def test_an_episode_is_told_when_enough_was_said_and_not_too_soon():
    rule, now = Episodes(), NOON + 60 * MINUTE
    spoken = [NOON + number * MINUTE for number in range(3)]
    assert summaries.episode_due([], said_at=spoken, now=now, rule=rule).reason == "due"
    assert summaries.episode_due([], said_at=spoken[:2], now=now, rule=rule).reason == "too_few_turns"
    told = [memory(created_at=NOON, updated_at=now - MINUTE)]
    assert summaries.episode_due(told, said_at=spoken, now=now, rule=rule).reason == "too_soon"
    assert summaries.episode_due(told * 5, said_at=spoken, now=now, rule=rule).reason == "cap_day"


def test_one_thing_without_a_day_is_no_episode():
    assert summaries.episode_text("Ana", ["The kiln broke"], day=NOON) is None
    assert summaries.episode_text("Ana", ["The kiln broke yesterday"], day=NOON) is not None
    long = summaries.episode_text("Ana", ["word " * 60, "The kiln broke", "We fired it again"], day=NOON)
    assert long is not None
    assert len(long) <= summaries.EPISODE_MAX


def test_an_episode_tells_of_the_last_talk_alone():
    before, after = (Message(role="user", content="x", arrived_at=at) for at in (NOON, NOON + timedelta(hours=5)))
    assert summaries.last_talk([before, after]) == (after,)
    assert summaries.last_talk([before, before]) == (before, before)
