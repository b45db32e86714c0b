"""Secrets by their form: each row of the table is a pattern, numbers prove themselves, seed words stand in a row."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellkept.policies.secrets import forms
from wellkept.policies.secrets.forms import (
    Said,
    is_card,
    is_compact_phrase,
    is_function_word,
    is_predicate,
    passes_luhn,
    passes_mod97,
    word_list,
)

LISTS = ("function", "states", "other languages", "adverbs", "compounds", "actions", "scope openers")


def kinds(rule, text: str) -> list[str]:
    return [span.kind for span in rule(Said(text=text, low=text.lower()))]


def test_every_row_of_the_table_compiles_and_its_stems_are_in_lower_case():
    rows = forms._forms()
    assert len(rows) > 120
    assert [row.kind for row in rows if row.pattern.search("nothing of the kind")] == []
    assert [row.kind for row in rows if any(stem != stem.lower() for stem in row.stems)] == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("AKIA" + "ABCDEFGH12345678", "aws_access_key"),
        ("ghp_" + "a1B2" * 9, "github_token"),
        ("https://ada:s3cr3t@example.org/x", "url_credentials"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "private_key"),
        ("fm2_" + "a1B2" * 12, "fly_token"),
    ],
)
def test_tokens_are_known_by_their_form(text, kind):
    assert kind in kinds(forms.token_spans, text)


@given(st.integers(0, 10**15))
@settings(max_examples=50, deadline=None)
def test_one_digit_makes_a_number_pass_luhn(number):
    assert sum(passes_luhn(f"{number}{digit}") for digit in range(10)) == 1


def test_mod_97_finds_a_changed_digit():
    right = "de89370400440532013000"
    assert passes_mod97(right)
    changed = [right[:at] + str((int(right[at]) + 1) % 10) + right[at + 1 :] for at in range(2, len(right))]
    assert not any(map(passes_mod97, changed))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("my card is 4111 1111 1111 1111", ["payment_card"]),
        ("row 4111 1111 1111 1112 of the table", []),
        ("IBAN DE89 3704 0044 0532 0130 00", ["iban"]),
        ("ssn 078-05-1120", ["ssn", "ssn"]),
        ("the cvv is 123", ["cvv"]),
        ("I counted 312 birds", []),
    ],
)
def test_numbers(text, found):
    assert kinds(forms.number_spans, text) == found
    assert is_card("4111111111111111")


def test_seed_phrases_are_rows_of_listed_words():
    row = "abandon ability absent absorb abstract absurd abuse accident acid acoustic acquire actor"
    assert kinds(forms.seed_spans, row) == ["seed_phrase"]
    assert kinds(forms.seed_spans, " ".join(row.split()[:11])) == []
    assert kinds(forms.seed_spans, "my wallet seed: " + " ".join(row.split()[:6])) == ["seed_phrase"]
    assert is_compact_phrase(row.replace(" ", ""))
    assert not is_compact_phrase("thequickbrownfoxjumpsoverthelazydogandrunsawayfromhome")


def test_digits_are_counted_in_every_script() -> None:
    assert Said(text="7 and ٤٢", low="7 and ٤٢").digits == 3
    assert Said(text="none", low="none").digits == 0


def test_a_stem_is_found_wherever_it_stands() -> None:
    said = Said(text="The Passport of Pwll", low="the passport of pwll")
    assert said.has(("code", "pass"))
    assert not said.has(("code", "pin"))


@pytest.mark.parametrize("name", LISTS)
def test_each_list_of_words_is_there(name: str) -> None:
    assert len(word_list(name)) > 25
    assert not [word for word in word_list(name) if word.startswith(("#", "["))]


def test_words_that_describe_are_told_from_values() -> None:
    assert all(map(is_predicate, ("wrong", "the", "forgotten", "zu", "isn't", "memorised")))
    assert not any(map(is_predicate, ("sunshine", "tiger", "hunter")))
    assert is_function_word("the")
    assert not is_function_word("nothing")
