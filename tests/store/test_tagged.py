"""Values as tagged JSON: everything on the list comes back, nothing else goes in or is made."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.errors import InvalidInput
from wellkept.store.tagged import DEPTH_MAX, PLAIN, TAG

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters())
    | st.binary()
    | st.datetimes(timezones=st.just(UTC))
    | st.dates()
    | st.times()
    | st.timedeltas()
    | st.uuids()
    | st.decimals(allow_nan=False)
)
KEYS = st.text(st.characters()) | st.integers() | st.just(TAG)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.tuples(inner, inner)
        | st.frozensets(st.integers() | st.text())
        | st.sets(st.integers())
    ),
    max_leaves=8,
)


@given(VALUES)
def test_everything_comes_back(value):
    text = PLAIN.dumps(value)
    json.loads(text)
    text.encode()
    assert "\0" not in text
    assert "\\u0000" not in text
    assert PLAIN.loads(text) == value
    assert type(PLAIN.loads(text)) is type(value)


def test_numbers_that_jsonb_would_write_anew_are_tagged():
    for number in (1e22, -0.0, 5e-324, 1.7976931348623157e308):
        assert '"float"' in PLAIN.dumps(number)
        assert repr(PLAIN.loads(PLAIN.dumps(number))) == repr(number)
    assert PLAIN.dumps([0.1, 1.0, 123456.75]) == "[0.1,1.0,123456.75]"


def test_a_number_that_is_none():
    assert math.isnan(PLAIN.loads(PLAIN.dumps([math.nan]))[0])


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize("value", [object(), Colour.RED, len, type, {"a": {object()}}, {object(): 1}, iter([])])
def test_other_types_are_refused(value):
    with pytest.raises(InvalidInput) as caught:
        PLAIN.dumps(value)
    assert caught.value.code == "not_json"


@pytest.mark.parametrize(
    "text",
    [
        '{"$type":"os.system","value":"true"}',
        '{"$type":"datetime","value":"soon"}',
        '{"$type":"datetime"}',
        '{"$type":"tuple","value":[],"more":1}',
        '{"$type":5,"value":1}',
        '{"$type":"float","value":"one"}',
        '{"$type":"dict","value":[[1]]}',
        '{"$type":"dict","value":[[[],1]]}',
        '{"$type":"bytes","value":"***"}',
        '{"$type":"decimal","value":"x"}',
        '[{"$type":"set","value":[{"$type":"eval","value":"1"}]}]',
    ],
)
def test_unknown_and_malformed_tags_are_errors(text):
    with pytest.raises(InvalidInput) as caught:
        PLAIN.loads(text)
    assert caught.value.code == "unknown_tag"


def test_depth_has_an_end():
    value: list[object] = []
    for _ in range(DEPTH_MAX + 5):
        value = [value]
    with pytest.raises(InvalidInput):
        PLAIN.dumps(value)


def test_what_is_plain_stays_plain():
    value = {"state": {"next": ["plan"]}, "history": [1, 2.5, "tea", None, True]}
    assert json.loads(PLAIN.dumps(value)) == value
    moments = (datetime(2026, 1, 1, tzinfo=UTC), date(2026, 1, 1), time(9), timedelta(1), UUID(int=1), Decimal("1.10"))
    assert PLAIN.loads(PLAIN.dumps(moments)) == moments
