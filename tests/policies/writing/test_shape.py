"""Writing constraints: what passes, what is trimmed, and what is refused with which code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.writing.shape import LENGTH_MAX, STEPS_MAX, Draft, clean, sentences, shape
from wellkept.vocabulary import Kind

LONG = "Alice keeps bees behind the old mill and sells the honey on Saturdays at the market in Graz. "


@pytest.mark.parametrize(
    "text",
    [
        "Alice is allergic to peanuts.",
        "The user lives in Porto.",
        "Alice loves her job.",
        "The user said that they prefer tea.",
        "A neighbour lent his ladder to Omar.",
        "@bob likes his bike.",
        'Omar\'s motto is "I do what I can".',
        "Omar studies World War I.",
        "I. Newton is a hero of Omar.",
        "Dr. Silva treats Ana. She has a practice in St. Gallen.",
        "Ana has type I diabetes.",
        "Alice wants the assistant to answer briefly.",
        "Alice's grandmother remembers the unknown soldier.",
        "The team shipped version 3.5 on Monday.",
    ],
)
def test_well_formed(text: str):
    shaped = shape(Draft(text=text))
    assert (shaped.text, shaped.verdict, shaped.reason) == (text, "pass", "well_formed")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "quality_empty"),
        (" \u200b\n", "quality_empty"),
        ("I like tea.", "quality_person"),
        ("Ana likes my tea.", "quality_person"),
        ("Ana thinks you're right.", "quality_person"),
        ("He likes tea.", "quality_pronoun"),
        ("Yesterday she left.", "quality_pronoun"),
        ("Because of them, tea is cheap.", "quality_pronoun"),
        ("It is in Porto.", "quality_pronoun"),
        ("This is important.", "quality_pronoun"),
        ("Does Ana like tea?", "quality_question"),
        ("The assistant suggested tea to Ana.", "quality_assistant"),
        ("AI assistant booked a table.", "quality_assistant"),
        ("Ana's city is unknown.", "quality_placeholder"),
        ("[Name] likes tea.", "quality_placeholder"),
        ("Ana's birthday is TBD.", "quality_placeholder"),
        ("a" * (LENGTH_MAX + 1), "quality_too_long"),
    ],
)
def test_refused(text: str, code: str):
    shaped = shape(Draft(text=text))
    assert (shaped.verdict, shaped.reason) == ("refuse", code)


@pytest.mark.parametrize(
    ("text", "language", "reason"),
    [
        ("Ich mag Tee.", "de", "quality_person"),
        ("Alice mag Tee.", "de", "well_formed"),
        ("Mi hermana vive en Quito.", "es", "quality_person"),
        ("La hermana de Alice vive en Quito.", "es", "well_formed"),
        ("Mon frère habite Lyon.", "fr", "quality_person"),
        ("アリスは東京に住んでいる。", "ja", "well_formed"),
    ],
)
def test_other_languages(text: str, language: str, reason: str):
    assert shape(Draft(text=text, language=language)).reason == reason


def test_trimmed_at_a_sentence():
    shaped = shape(Draft(text=LONG * 3))
    assert (shaped.verdict, shaped.reason) == ("repaired", "trimmed")
    assert shaped.text == (LONG * 2).strip()
    longer = shape(Draft(text=LONG + "She " + "very " * 60 + "much likes honey."))
    assert longer.text == LONG.strip()


def test_exactly_the_longest_passes():
    text = "A" + "b" * (LENGTH_MAX - 1)
    assert shape(Draft(text=text)).verdict == "pass"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("On 2026-03-02 Alice and Omar decided to use Postgres.", "well_formed"),
        ("On 2026-03-02 Alice bought a piano.", "well_formed"),
        ("Alice bought a piano.", "quality_undated"),
        ("On 2026-03-02 Alice likes the piano.", "quality_tense"),
    ],
)
def test_episodes_are_dated_and_past(text: str, reason: str):
    assert shape(Draft(text=text, kind=Kind.EPISODIC)).reason == reason


def test_insights_never_speak_of_the_assistant():
    assert shape(Draft(text="Alice seems to avoid phone calls.", kind=Kind.INSIGHT)).verdict == "pass"
    assert shape(Draft(text="The assistant finds Alice shy.", kind=Kind.INSIGHT)).reason == "quality_assistant"


def procedure(*steps: str, text: str = "How to restart the server") -> Draft:
    return Draft(text=text, kind=Kind.PROCEDURAL, steps=steps)


def test_steps_lose_their_numbers():
    shaped = shape(procedure("1. Stop nginx", "Step 2: start nginx", "- bring the log;"))
    assert shaped.steps == ("Stop nginx", "start nginx", "bring the log")
    assert (shaped.verdict, shaped.reason) == ("repaired", "renumbered")
    assert shape(procedure("Stop nginx")).verdict == "pass"


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (procedure(), "quality_steps"),
        (procedure("Stop nginx", " "), "quality_steps"),
        (procedure(*["Wait"] * (STEPS_MAX + 1)), "quality_steps"),
        (procedure("You stop nginx"), "quality_imperative"),
        (procedure("Stopping nginx"), "quality_imperative"),
        (procedure("..."), "quality_imperative"),
        (procedure("Stop nginx", text=""), "quality_empty"),
        (procedure("Stop nginx", text="x" * 281), "quality_too_long"),
    ],
)
def test_procedures_that_are_none(draft: Draft, reason: str):
    assert (shape(draft).verdict, shape(draft).reason) == ("refuse", reason)


def test_sentences_end_at_stops_only():
    assert sentences("Ana (b. 1990) lives in Graz. Omar, e.g. on Mondays, cooks!  Wow? yes") == (
        "Ana (b. 1990) lives in Graz.",
        "Omar, e.g. on Mondays, cooks!",
        "Wow? yes",
    )
    assert sentences("我住在柏林。我喜欢茶。") == ("我住在柏林。", "我喜欢茶。")


def test_clean():
    assert clean(" a\u202eb\tc\u0301  “d” \n") == 'ab ć "d"'


@given(st.text(max_size=700))
def test_whatever_comes_in_what_passes_keeps_the_limits(text: str):
    shaped = shape(Draft(text=text))
    if shaped.verdict != "refuse":
        assert 0 < len(shaped.text) <= LENGTH_MAX
        assert len(sentences(shaped.text)) <= 2
        assert shape(Draft(text=shaped.text)).verdict == "pass"
