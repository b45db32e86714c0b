"""Evidence: names, numbers and dates that were said pass; what was invented does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.writing.evidence import Grounds, check, find, ground, is_said


def reason(content: str, *window: str, quote: str | None = None, names: str = "Alice", derived: str = "") -> str:
    grounds = Grounds(window=window, viewpoint=tuple(names.split()), derived=tuple(derived.split()))
    return check(content, window[-1] if quote is None else quote, grounds).reason


@pytest.mark.parametrize(
    ("content", "window", "derived"),
    [
        ("Alice is allergic to peanuts.", "I'm allergic to peanuts", ""),
        ("Alice lives in Berlin.", "moved to berlin, finally", ""),
        ("José plays chess.", "my uncle Jose plays chess", ""),
        ("Tom's sister is Ana.", "Ana is Toms sister", ""),
        ("Alice has two cats.", "I have 2 cats", ""),
        ("Alice has 2 cats.", "I have two cats", ""),
        ("Alice earns 40,000 euros.", "I earn 40000 euros", ""),
        ("Alice gets up at 7:00.", "I get up at 7", ""),
        ("Alice has one brother.", "I have a brother", ""),
        ("Alice flies to Oslo on 2026-03-03.", "flying to Oslo tomorrow", "2026-03-03"),
        ("Alice flies to Oslo on Tuesday.", "flying to Oslo tomorrow", "2026-03-03 Tuesday"),
        ("Alice's Kinder leben in Graz.", "Meine Kinder sind in Graz", ""),
        ("用户住在柏林", "我住在柏林", ""),
    ],
)
def test_evidenced(content: str, window: str, derived: str):
    assert reason(content, window, derived=derived) == "evidenced"


@pytest.mark.parametrize(
    ("content", "window", "code"),
    [
        ("Alice lives in Paris.", "I live in Berlin", "evidence_name"),
        ("Alice lives in Berlin with Bob.", "I live in Berlin", "evidence_name"),
        ("Bob lives in Berlin.", "I live in Berlin", "evidence_name"),
        ("Alice works at NASA in Berlin.", "I work in Berlin", "evidence_name"),
        ("Alice has 3 cats.", "I have 2 cats", "evidence_number"),
        ("Alice has three cats.", "I have some cats", "evidence_number"),
        ("Alice moved to Berlin in 2019.", "I moved to Berlin", "evidence_number"),
        ("Alice moved to Berlin on 2019-05-01.", "I moved to Berlin in 2019", "evidence_date"),
        ("Alice paints watercolours.", "I moved to Berlin", "evidence_words"),
        ("用户在东京工作", "我住在柏林", "evidence_name"),
    ],
)
def test_invented(content: str, window: str, code: str):
    assert reason(content, window) == code


def test_the_window_and_the_place_are_grounds_too():
    assert (
        reason("Randolf flies in May.", "Randolf goes to Tokyo", "he flies in May", quote="flies in May") == "evidenced"
    )
    assert reason("Sarah likes tea.", "my wife likes tea", names="Alice Sarah") == "evidenced"
    assert reason("Sarah likes tea.", "my wife likes tea") == "evidence_name"


def test_the_quotation_has_to_be_in_the_source_and_not_elsewhere():
    assert reason("Alice likes tea.", "I like tea", "ok", quote="I like tea") == "evidence_span"
    assert reason("Alice likes tea.", "I like tea", quote="I love tea") == "evidence_span"
    assert reason("Alice likes tea.", "I like tea", quote="") == "evidence_span"
    assert check("Alice likes tea.", "tea", Grounds(window=())).reason == "evidence_span"


@pytest.mark.parametrize(
    ("quote", "text", "span"),
    [
        ("like tea", "I like tea", (2, 10)),
        ("LIKE  Tea", "I like tea", (2, 10)),
        ("it's “fine”", 'well, it’s "fine" now', (6, 17)),
        ("like\ntea", "I like   tea", (2, 12)),
        ("İstanbul", "in İstanbul now", (3, 11)),
        ("coffee", "I like tea", None),
        ("a.c", "abc", None),
    ],
)
def test_where_a_quotation_stands(quote: str, text: str, span: tuple[int, int] | None):
    assert find(quote, text) == span


def test_names_alone():
    grounds = Grounds(window=("my wife Sarah is here",))
    assert is_said("my wife Sarah", grounds)
    assert is_said("the wife", grounds)
    assert not is_said("my brother Tom", grounds)


def test_grounds_without_a_quotation():
    assert ground("Alice seems calm.", Grounds(window=("tea",), viewpoint=("Alice",))).verdict == "pass"
    assert ground("Alice saw Bob.", Grounds(window=("tea",), viewpoint=("Alice",))).reason == "evidence_name"


@given(st.text(min_size=1, max_size=80), st.text(max_size=40), st.text(max_size=40))
def test_a_part_of_a_text_is_found_in_it(quote: str, before: str, after: str):
    text = before + quote + after
    span = find(quote, text)
    assert span is None if not quote.strip() else text[span[0] : span[1]] == quote


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_text_gets_a_decision(content: str, window: str):
    assert check(content, window, Grounds(window=(window,))).verdict in {"pass", "refuse"}
