"""JSON as it is stored: the same bytes as the standard encoder writes."""

from __future__ import annotations

import json

import pytest

from wellkept.store.encoding import canonical, json_list

VALUES = (
    {"b": [1, 2.5, None, True], "a": {"é": "日本", "quote": 'a "b" \\ \n\t\x01', "emoji": "🙂"}},
    "a text",
    [],
    {},
    7,
    None,
)


def test_canonical_is_what_the_standard_encoder_writes():
    for value in VALUES:
        assert canonical(value) == json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical(float("nan"))
    with pytest.raises(TypeError):
        canonical({"a": object()})


def test_lists_are_what_the_standard_encoder_writes_and_sets_are_sorted():
    assert json_list(['a "b"', "é", 3]) == '["a \\"b\\"","é",3]'
    assert json_list({"b", "a"}) == '["a","b"]'
    assert json_list(()) == "[]"
