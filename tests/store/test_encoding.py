"""JSON as it is stored: the same bytes as the standard encoder writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from wellkept.errors import DamagedRow
from wellkept.store.encoding import EPOCH, SUMMED, canonical, json_list, record_of
from wellkept.types import Edge
from wellkept.values import frozen

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


def test_checksums_cover_the_columns_in_the_order_in_which_rows_were_written():
    """A field of Memory that moves to another place makes every stored row look damaged."""
    said = hashlib.sha256(" ".join(SUMMED["memories"]).encode()).hexdigest()
    assert said[:16] == "78c2a6358884fd0d"


def test_a_record_is_read_by_the_types_of_its_fields():
    row = ("a", None, "[1]", '{"b":2}', 1_000_000, 1)

    @frozen
    class Sample:
        text: str
        missing: datetime | None
        tags: tuple[str, ...]
        meta: Mapping[str, Any]
        at: datetime
        known: int = 7
        is_new: bool

    found = record_of(Sample, row, known=8)
    assert found == Sample(
        text="a", missing=None, tags=(1,), meta={"b": 2}, at=EPOCH + timedelta(seconds=1), known=8, is_new=True
    )
    with pytest.raises(DamagedRow):
        record_of(Edge, ("no such kind", "a", "b", None, None))
