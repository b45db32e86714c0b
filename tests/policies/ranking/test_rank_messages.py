"""Questions as they are put to the transcript, what is known of a message, and the ranking by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from wellkept.policies.ranking.rank_messages import (
    ASKS,
    COUNTS,
    DATES,
    NAMES_MAX,
    NAMES_SHIFT,
    NEWS_MAX,
    NEWS_SHIFT,
    OWN,
    AskedTime,
    MessageQuestion,
    MessageRankOptions,
    Said,
    rank_messages,
    traits,
    understand,
)
from wellkept.types import Message

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


# --- Messages.


@pytest.mark.parametrize(
    ("text", "bit", "is_set"),
    [
        ("How are you?", ASKS, True),
        ("How are you? I am fine.", ASKS, False),
        ("お元気ですか？", ASKS, True),
        ("We left last week.", DATES, True),
        ("Wir sind seit gestern hier.", DATES, True),
        ("The sky is blue.", DATES, False),
        ("She has two cats.", COUNTS, True),
        ("It cost 40 euros.", COUNTS, True),
        ("She has cats.", COUNTS, False),
        ("I like it.", OWN, True),
        ("Es gefällt mir.", OWN, True),
        ("You like it.", OWN, False),
    ],
)
def test_bits(text: str, bit: int, is_set: bool) -> None:
    assert bool(traits(text) & bit) is is_set


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nice weather today.", 0),
        ("We met in Paris.", 1),
        ("We met Ana and saw Rome with Bob in Italy.", 3),
        ('I read "The Hobbit".', 1),
        ("So do I.", 0),
    ],
)
def test_names_are_counted_up_to_three(text: str, names: int) -> None:
    assert traits(text) >> NAMES_SHIFT & NAMES_MAX == names


@pytest.mark.parametrize(
    ("text", "news"),
    [("My goal is ten pages.", 0), ("My goal is now ten pages.", 1), ("It was recently changed to twelve pages.", 2)],
)
def test_news_is_counted_up_to_two(text: str, news: int) -> None:
    assert traits(text) >> NEWS_SHIFT & 3 == news
    assert news <= NEWS_MAX


START = datetime(2024, 5, 1, 12, tzinfo=UTC)
OPTIONS = MessageRankOptions()
TARGET = MessageQuestion(terms=("target",), wanted=("target",), is_standing=True)


def said(number: int, text: str, relevance: float, **given: object) -> Said:
    role = given.pop("role", "user")
    message = Message(
        id=f"m{number}",
        role=role,
        content=text,
        at=START + timedelta(days=number),
        place=(1, number + 1),  # type: ignore[arg-type]  # values by name
    )
    base = {"cosine": 0.5, "words": 1.0, "coverage": 1.0} | given
    return Said(message=message, relevance=relevance, **base)  # type: ignore[arg-type]  # fields by name


def order(*items: Said, question: MessageQuestion = TARGET) -> list[str]:
    return [item.message.id or "" for item in rank_messages(items, question, options=OPTIONS)]


def test_news_rises_above_what_it_replaces_when_the_state_is_asked_for() -> None:
    old, new = said(0, "My target is 10 pages.", 9.0), said(5, "My target was recently changed to 12 pages.", 7.0)
    assert order(old, new) == ["m5", "m0"]
    assert order(old, new, question=MessageQuestion(terms=("target",))) == ["m0", "m5"]


def test_what_is_older_or_tells_no_news_stays_below() -> None:
    assert order(said(5, "My target is 12.", 9.0), said(0, "My target has now changed to 10.", 7.0)) == ["m5", "m0"]
    assert order(said(0, "My target is 10.", 9.0), said(5, "Pages are white.", 7.0)) == ["m0", "m5"]


def test_the_assistant_tells_no_news() -> None:
    new = said(5, "Now your target has changed to 12.", 7.0, role="assistant")
    assert order(said(0, "My target is 10.", 9.0), new) == ["m0", "m5"]


def test_news_changes_the_order_of_the_best_but_not_who_is_among_them() -> None:
    best = [said(number, f"Target {number}", 9.0 - number * 0.1) for number in range(OPTIONS.newest_among)]
    late = said(30, "The target has now changed again.", 7.5)
    assert order(*best, late)[-1] == "m30"


def test_scores_fall_with_the_order() -> None:
    ranked = rank_messages(
        [said(0, "My target is 10.", 9.0), said(5, "My target has now changed to 12.", 7.0)], TARGET, options=OPTIONS
    )
    assert ranked[0].score > ranked[1].score > 0


def top(item: Said, question: MessageQuestion = TARGET) -> float:
    return rank_messages([item], question, options=OPTIONS)[0].score


def test_a_score_means_the_same_whatever_the_question() -> None:
    near, far = said(0, "target", 9.0), said(0, "target", 9.0, cosine=0.1)
    assert top(near) > top(far)
    assert top(near) > top(said(0, "goal", 9.0))
    assert top(near) == top(said(0, "target", 3.0))


def test_the_thing_asked_for_is_named_where_the_rest_of_the_question_is() -> None:
    question = MessageQuestion(terms=("agenda", "pottery", "workshop"), wanted=("agenda",))
    at_once = said(0, "The pottery workshop was long. Its agenda had glazes. My cat was ill.", 9.0)
    in_a_list = said(0, "Pottery workshop\nagenda: glazes", 9.0)
    elsewhere = said(0, "The pottery workshop was long. My cat was ill. The agenda of the club is due.", 9.0)
    nowhere = said(0, "The pottery workshop was long.", 9.0)
    assert top(at_once, question) == top(in_a_list, question) > top(elsewhere, question) == top(nowhere, question)


def test_who_speaks_need_not_name_themselves() -> None:
    question = MessageQuestion(terms=("mei", "sport"), wanted=("sport",))
    mei = said(0, "My sport is archery.", 9.0)
    told = Said(**{**vars(mei), "message": replace(mei.message, speaker="Mei")})
    assert top(told, question) > top(mei, question)


def test_how_far_above_the_topic_a_message_is_says_little() -> None:
    far, near, nearest = (top(said(0, "target", 9.0, cosine=cosine)) for cosine in (0.25, 0.5, 0.75))
    assert near - far > 20 * (nearest - near) > 0


def test_without_vectors_words_decide_how_sure_it_is() -> None:
    assert top(said(0, "target", 9.0, cosine=None)) > top(said(0, "target", 9.0, cosine=None, coverage=0.2))


def test_what_was_said_at_the_time_asked_about_is_sure() -> None:
    bare = MessageQuestion(terms=(), time=AskedTime(sessions=(1, 1), is_said=True))
    assert top(said(0, "Hello.", 1.0, cosine=0.0, coverage=0.0), bare) == OPTIONS.quoted


def test_a_message_found_by_words_alone_scores_no_more_than_a_memory_found_so() -> None:
    assert (
        top(said(0, "target", 9.0, cosine=None)) < OPTIONS.quoted_words_only < top(said(0, "target", 9.0, cosine=0.9))
    )


def test_nothing_said_is_nothing_found() -> None:
    assert rank_messages([], TARGET, options=OPTIONS) == ()
