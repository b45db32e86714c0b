"""The Plain view reads back to the same JSON and never lets a control character through."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.surfaces import plain

TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    [
        "",
        " ",
        "1",
        "-0",
        "1e5",
        "true",
        "null",
        "NaN",
        "(empty)",
        '"',
        '"a"',
        "[1]",
        "{}",
        "a.b",
        "a: b",
        "count",
        "-",
        "a\nb",
        "\x85",
        "a b",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=20
)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def same(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(JSON)
def test_reads_back_to_the_same_json(value):
    assert same(plain.parse(plain.render(value)), value)


@given(JSON)
def test_every_line_is_a_key_and_a_value_without_control_characters(value):
    shown = plain.render(value)
    assert not CONTROL.search(shown)
    assert all(re.match(r".*: .+", line) for line in shown.split("\n"))


@given(JSON)
def test_printable_json_means_the_same_and_is_safe(value):
    document = plain.printable_json(value)
    assert not CONTROL.search(document)
    assert same(json.loads(document), value)
    assert same(json.loads(plain.printable_json(value, indent=2)), value)


def test_layout():
    value = {"verdict": "found", "policy": {"short_term": True}, "recalled": [{"id": "m_1"}, {"id": "m_2"}], "none": []}
    assert plain.render(value).split("\n") == [
        "none.count: 0",
        "policy.short_term: true",
        "recalled.count: 2",
        "recalled.1.id: m_1",
        "recalled.2.id: m_2",
        "verdict: found",
    ]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"a": "x y: z"}, "a: x y: z"),
        ({"a": "1"}, 'a: "1"'),
        ({"a": 1}, "a: 1"),
        ({"a": None}, "a: null"),
        ({"a": {}}, "a: (empty)"),
        ({"a": "(empty)"}, 'a: "(empty)"'),
        ({"a": {"count": 0}}, 'a."count": 0'),
        ({"a.b": 1}, '"a.b": 1'),
        ({"a": "\x1b[2J\u202e"}, 'a: "\\u001b[2J\\u202e"'),
        ("alone", ": alone"),
    ],
)
def test_what_is_ambiguous_is_quoted(value, line):
    assert plain.render(value) == line


def test_items_stand_in_their_order_beyond_nine():
    assert plain.render(list(range(11))).split("\n")[-2:] == ["10: 9", "11: 10"]


def test_other_text_is_an_error():
    with pytest.raises(ValueError, match="Not a line"):
        plain.parse("no colon here")


def test_printable_writes_control_characters_as_escapes():
    assert plain.printable("a\x1b]0;x\x07b\r\n\u202ec") == "a\\u001b]0;x\\u0007b\\u000d\\u000a\\u202ec"
    assert plain.printable("Grüße, 你好 👩\u200d👧") == "Grüße, 你好 👩\u200d👧"
