"""The rails around the reader: what it may decide, and what stands when it is unsure or cannot run."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import ReaderUnavailable
from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.reader.judge import ReaderJudge, names_another
from wellkept.models.bundled import Reader
from wellkept.types import Message
from wellkept.vocabulary import Sensitivity

pytestmark = pytest.mark.reader

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Broken(Reader):
    def read(self, sentences):
        raise ReaderUnavailable("no weights")

    def relate(self, pairs):
        raise ReaderUnavailable("no weights")

    def answers(self, pairs):
        raise ReaderUnavailable("no weights")


@pytest.fixture(scope="module")
def judge() -> ReaderJudge:
    return ReaderJudge()


def reading(text: str, *, explicit: bool = False) -> Reading:
    return Reading(messages=(Message(id="m", content=text),), is_explicit=explicit, speaker="Mara", now=NOW)


def test_a_plain_statement_is_retold(judge):
    [claim] = judge.extract(reading("I drive a Kenworth, hauling reefer mostly"))
    assert claim.content == "Mara drives a Kenworth, hauling reefer mostly"


@pytest.mark.parametrize(
    "text",
    [
        "haven't had a cigarette in four months",
        "had to put Olive down last night, she was our cat for sixteen years",
        'My brother Tunde said "I\'m quitting the bank in June" and he meant it',
    ],
)
def test_what_the_rules_cannot_word_surely_stays_in_the_speakers_words(judge, text):
    claims = judge.extract(reading(text))
    assert all(claim.content == claim.quote and claim.content in text for claim in claims)


@pytest.mark.parametrize(
    "text",
    [
        "haven't had a cigarette in four months",
        "my son's teacher thinks he has ADHD",
        "we're calling her Maeve, due in august",
        "sister's living in Galway these days",
    ],
)
def test_a_remark_that_the_rules_would_twist_stays_in_the_speakers_words(judge, text):
    (claim,) = judge.extract(replace(reading(text, explicit=True), is_remark=True))
    assert (claim.content, claim.slot) == (text, None)


def test_a_plain_remark_is_retold(judge):
    (claim,) = judge.extract(replace(reading("I like tea", explicit=True), is_remark=True))
    assert claim.content == "Mara likes tea"


@pytest.mark.parametrize(("said", "of"), [("Bob loves pizza.", "Bob"), ("Ravi plays the accordion", "Ravi")])
def test_what_is_told_of_somebody_by_name_is_about_them(judge, said, of):
    (claim,) = judge.extract(reading(said))
    assert [who.name for who in claim.subjects] == [of]


def test_a_name_that_the_rules_would_twist_stays_in_the_speakers_words(judge):
    (claim,) = judge.extract(reading("Opal's in Chapmanville, on the let-out couch"))
    assert claim.content == "Opal's in Chapmanville, on the let-out couch"
    assert claim.subjects == ()


def test_small_talk_leaves_nothing(judge):
    assert judge.extract(reading("lol ok see you tomorrow then")) == ()


def test_what_an_assistant_says_is_no_source(judge):
    said = Reading(messages=(Message(content="You live in Oslo.", role="assistant"),), speaker="Mara", now=NOW)
    assert judge.extract(said) == ()


def test_evidence_is_the_sentence_it_was_read_from(judge):
    text = "ok. I drive a Kenworth, hauling reefer mostly"
    [claim] = [one for one in judge.extract(reading(text)) if "Kenworth" in one.content]
    assert text[claim.evidence.start : claim.evidence.end].startswith("I drive a Kenworth")


def test_words_raise_privacy_and_never_lower_it(judge):
    [claim] = judge.extract(reading("I was diagnosed with diabetes", explicit=True))
    assert claim.sensitivity is Sensitivity.SENSITIVE


@pytest.mark.parametrize(("line", "read"), [("a{}\n", 120), ("a\n", 8), ("a{}. ", 120)])
def test_of_a_long_message_so_many_sentences_are_read_and_the_same_one_a_few_times(judge, line, read):
    text = "".join(line.format(number) for number in range(1_000))
    assert len(judge.read((Message(role="user", content=text),), speaker=None)) == read


def test_other_languages_are_never_public(judge):
    claims = judge.extract(reading("Ich wohne in Hamburg und arbeite bei der Post", explicit=True))
    assert claims
    assert all(claim.sensitivity is not Sensitivity.PUBLIC for claim in claims)


def test_without_the_reader_nothing_is_learned_from_what_is_overheard():
    assert ReaderJudge(Broken()).extract(reading("I drive a Kenworth")) == ()


def test_without_the_reader_what_is_asked_to_be_kept_is_personal():
    [claim] = ReaderJudge(Broken()).extract(reading("I drive a Kenworth", explicit=True))
    assert claim.sensitivity is Sensitivity.PERSONAL


def test_verdicts_are_asked_for_before_a_transaction(judge, tmp_path, clock):
    with wellkept.open(tmp_path / "m.db", clock=clock, config=Config(), worker="off") as memory:
        mara = memory.at(user="mara", chat="dm")
        mara.remember("The rent of our flat is 820 a month")
        [old] = [memory.engine.store.memory("default", one.id) for one in mara.list()]
    [new] = judge.extract(reading("rent's gone up to 870 a month", explicit=True))
    settled = judge.ahead([(new, old)])
    assert settled.knows(new, old)
    assert settled.compare(new, old) == judge.compare(new, old)
    assert not settled.knows(replace(new, content="Another sentence."), old)


def test_governed_sessions_are_read_by_rules(judge):
    assert type(judge.steady()) is RulesJudge


def test_a_question_is_answered_from_what_was_told(tmp_path, clock):
    with wellkept.open(tmp_path / "m.db", clock=clock, config=Config(), worker="off") as memory:
        mara = memory.at(user="mara", chat="dm", display_name="Mara")
        mara.observe([{"role": "user", "content": "I drive a Kenworth, hauling reefer mostly"}], wait=True)
        assert mara.chat("what truck do I drive?").text == "You drive a Kenworth, hauling reefer mostly."
        assert mara.chat("what is my dentist called?").text == "I don't know."


@pytest.mark.parametrize(
    ("first", "second", "is_another"),
    [
        ("I paid invoice 114", "I paid invoice 115", True),
        ("Flight 88 lands at 9", "Flight 91 lands at 10", True),
        ("Flight 88 lands at 9", "Flight 88 lands at 10", False),
        ("Ana weighs 80", "Ana weighs 79", False),
        ("The viva is on May 3", "The viva is on May 9", False),
        ("Room 12 is cold", "Nobody is cold", False),
    ],
)
def test_a_number_may_name_a_thing(first, second, is_another):
    assert names_another(first, second) is is_another


def test_a_change_told_right_after_takes_the_place_of_the_old(tmp_path, clock):
    with wellkept.open(tmp_path / "memory.db", config=Config(), clock=clock, worker="off") as memory:
        user = memory.at(user="ana", chat="dm")
        for said in ("Kwame manages the depot", "Marisol took over the depot"):
            user.observe([{"role": "user", "content": said}], wait=True)
        assert [one.content for one in user.list()] == ["Marisol took over the depot"]
        assert [one.content for one in user.list(state="superseded")] == ["Kwame manages the depot"]


def test_things_that_differ_in_their_number_do_not_replace_each_other(tmp_path, clock):
    with wellkept.open(tmp_path / "memory.db", config=Config(), clock=clock, worker="off") as memory:
        user = memory.at(user="ana", chat="dm")
        outcomes = [user.add(f"Crate {number} stands in the hall").outcome for number in range(1, 5)]
        assert outcomes == ["created"] * 4
        user.add("The rent is 900 a month")
        assert user.add("The rent is 950 a month").outcome == "superseded_old"
