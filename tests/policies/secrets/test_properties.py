"""What holds for any text: no error, no trace of the value, no text that takes long."""

from __future__ import annotations

import random
import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evals.secrets.make import cases
from evals.secrets.vendors import MAKERS
from wellkept.patterns import pattern_sources
from wellkept.policies.secrets.detector import (
    REDACTED,
    find_secrets,
    find_split_secrets,
    has_secret,
    has_split_secret,
    mask,
    redact,
)
from wellkept.policies.secrets.forms import is_credential, is_placeholder, is_random

ANY_TEXT = st.text(max_size=300) | st.text(st.characters(codec="ascii"), max_size=300)
WORDS = """my the password is pin code key token secret door gate for of to and = : , . ? " ' ( ) 4471 hunter2 Tiger99!
%70 \\u0070 -----BEGIN sk- http://a: @ login answer security question seed phrase p a s s 密码 是 пароль"""
SENTENCES = st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join)
# The ways a value may be announced, and the kinds of value that stand in one piece.
ANNOUNCED = ["My password is {}", "password={}", "The wifi password for the cabin is {} today", "{} is my password"]
MADE = sorted(set(MAKERS) - {"n2", "combo3", "cvv", "pin_words", "phrase", "django"})


@given(ANY_TEXT | SENTENCES)
@example("\ud800")
@example("İ" * 40 + "password: x1y2z3")
@settings(max_examples=300, deadline=None)
def test_spans_are_ordered_and_inside(text):
    spans = find_secrets(text)
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    assert all(0 <= span.start < span.end <= len(text) and span.kind for span in spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))
    assert has_secret(text) == bool(spans)


@given(ANY_TEXT | SENTENCES)
@settings(max_examples=200, deadline=None)
def test_a_text_without_secret_is_left_alone(text):
    if has_secret(text):
        assert REDACTED in mask(text)
        assert redact(text) == REDACTED
    else:
        assert mask(text) == text
        assert redact(text) == (text if len(text) <= 200 else text[:200] + "... (truncated)")


@given(st.lists(ANY_TEXT | SENTENCES, max_size=4), ANY_TEXT | SENTENCES)
@settings(max_examples=150, deadline=None)
def test_split_spans_are_inside(previous, text):
    spans = find_split_secrets(previous, text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert has_split_secret(previous, text) == bool(spans)


@given(
    st.sampled_from(ANNOUNCED),
    st.text("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!@#$%^*_+~", min_size=8),
)
@settings(max_examples=300, deadline=None)
def test_masking_removes_the_whole_password(sentence, value):
    if not is_credential(value):
        return
    text = sentence.format(value)
    masked = mask(text)
    assert value not in masked
    assert redact(text) == REDACTED
    rest = sentence.format("")
    pieces = [value[start : start + 5] for start in range(len(value) - 4)]
    assert not [piece for piece in pieces if piece in masked and piece not in rest and piece not in REDACTED]


@given(st.sampled_from(MADE), st.integers(0, 10_000))
@settings(max_examples=300, deadline=None)
def test_masking_removes_every_kind_of_value(name, seed):
    value = MAKERS[name](random.Random(seed))
    text = f"My password is {value}"
    assert value not in mask(text)
    assert redact(text) == REDACTED


def test_masking_removes_the_values_of_the_train_half():
    left = [
        (case.text, mask(case.text))
        for case in cases("train")
        if not case.disguise and any(len(value) > 3 and value in mask(case.text) for value in case.values)
    ]
    assert left == []


@pytest.mark.parametrize(
    "word", ["10th", "5pm", "16GB", "v2.3.1", "2024-05-01", "SHA256", "iPhone15", "a.b@c.de", "x_y"]
)
def test_ordinary_words_with_digits_are_no_credentials(word):
    assert not is_credential(word)


@pytest.mark.parametrize(
    "word", ["<password>", "${TOKEN}", "****", "getpass()", "os.environ", "(redacted)", "your_key_here"]
)
def test_place_holders_are_no_values(word):
    assert is_placeholder(word)


@pytest.mark.parametrize("word", ["AbstractUserFactoryProvider2", "IMG_20240612_183045_edited", "a" * 40, "9f" * 20])
def test_names_and_hashes_are_not_random(word):
    assert not is_random(word)


OPENERS = (
    "",
    "my password for ",
    "password is the ",
    "api key for ",
    "key of ",
    "the code for ",
    "verification code ",
    "log in with ",
    "security question ",
    "seed phrase ",
    "account number ",
    "http://a:",
    "eyJ",
    "-----BEGIN PRIVATE KEY-----",
    "пароль ",
    "use ",
    "p a s s w o r d ",
)
FILLERS = (
    "a",
    "a ",
    "aB3",
    "1",
    "1 ",
    "1-",
    "a.",
    "password ",
    "key=",
    "is ",
    "for ",
    "%70",
    "и ",
    "\n",
    "QUJD",
    "one ",
    "@",
    "'",
)


@pytest.mark.parametrize("opener", OPENERS)
def test_nasty_texts_do_not_take_for_ever(opener):
    """A pattern that backtracks would not come back from one of these within hours."""
    for filler in FILLERS:
        text = opener + (filler * 10_000)[: 10_000 - len(opener)]
        assert len(mask(text)) <= 25_000
        assert isinstance(has_split_secret([text], text), bool)


def test_no_pattern_repeats_a_repeated_group_without_a_border():
    """The shape of catastrophic backtracking, ``(x+y?)+``, stands in no pattern of the policy."""
    nested = re.compile(r"\((?:\?:)?[^()]*[+*]\\s[?*]\)(?:[+*]|\{\d+,\d*\})")
    from wellkept.policies.secrets import codes, detector, disguise, forms, passwords

    files = [module._RE for module in (codes, detector, disguise, forms, passwords)]
    sources = [getattr(file, name).pattern for file in files for name in pattern_sources(file._file)]
    tables = (forms._forms(), forms._numbers(), passwords._login_forms(), codes._rules())
    sources += [form.pattern.pattern for table in tables for form in table]
    assert len(sources) > 200
    assert not [source for source in sources if nested.search(source)]


@pytest.mark.parametrize(
    "unit", ["tan in 1999 ", "p4ssw0rd 1s ", "my password for the ", "1234 5678 ", "a b c d ", "the code is 4471 and "]
)
def test_what_a_text_costs_grows_with_its_length(unit):
    """Four times the text takes about four times as long; sixteen times, where each place is compared with each."""
    short, long = ((unit * 4_000)[: kilobytes * 1024] for kilobytes in (4, 16))
    find_secrets(long)
    once, more = (min(_seconds(text) for _ in range(3)) for text in (short, long))
    assert more < 8 * once


def _seconds(text):
    started = time.process_time()
    find_secrets(text)
    return time.process_time() - started
