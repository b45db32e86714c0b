"""mem0's filters: whose memories they name, and which memories pass."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput
from wellkept.surfaces.http.mem0_filters import check, owners, passes

MEMORY = {
    "id": "m1",
    "memory": "I own a Kayak",
    "user_id": "alex",
    "agent_id": None,
    "categories": ["sports", "travel"],
    "metadata": {"level": 3, "tag": None, "name": "Blue"},
    "created_at": "2026-03-02T09:00:00+00:00",
    "updated_at": "2026-03-03T09:00:00+00:00",
}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (None, [{}]),
        ({"categories": "x"}, [{}]),
        ({"user_id": "a"}, [{"user_id": "a"}]),
        ({"AND": [{"user_id": "a"}, {"run_id": "r"}]}, [{"user_id": "a", "run_id": "r"}]),
        ({"OR": [{"user_id": "a"}, {"agent_id": "b"}]}, [{"user_id": "a"}, {"agent_id": "b"}]),
        ({"user_id": {"in": ["a", "b"]}}, [{"user_id": "a"}, {"user_id": "b"}]),
        ({"NOT": [{"user_id": "a"}]}, [{}]),
        ({"user_id": {"ne": "a"}}, [{}]),
    ],
)
def test_owners(filters, found):
    check(filters)
    assert owners(filters) == found


@pytest.mark.parametrize(
    ("filters", "is_found"),
    [
        ({}, True),
        ({"user_id": "alex"}, True),
        ({"user_id": {"ne": "alex"}}, False),
        ({"agent_id": "x"}, False),
        ({"categories": "sports"}, True),
        ({"categories": ["food", "travel"]}, True),
        ({"categories": {"nin": ["sports"]}}, False),
        ({"categories": {"contains": "sport"}}, False),
        ({"keywords": "kayak"}, True),
        ({"keywords": {"contains": "kayak"}}, False),
        ({"metadata": {"level": {"gt": 2, "lte": 3}}}, True),
        ({"metadata": {"level": {"gt": "2"}}}, False),
        ({"metadata": {"none": {"gte": 0}}}, False),
        ({"metadata": {"tag": "*"}}, False),
        ({"metadata": {"name": {"icontains": "BLU"}}}, True),
        ({"memory_ids": ["m1", "m2"]}, True),
        ({"memory_ids": "m2"}, False),
        ({"created_at": {"gte": "2026-03-02", "lt": "2026-03-03"}}, True),
        ({"created_at": "2026-03-02T09:00:00Z"}, True),
        ({"updated_at": {"gt": 1_900_000_000}}, False),
        ({"NOT": {"categories": "sports"}}, False),
        ({"AND": [{"user_id": "alex"}, {"OR": [{"metadata": {"level": 1}}, {"categories": "sports"}]}]}, True),
        ({"NOT": [{"metadata": {"level": 1}}, {"categories": "food"}]}, True),
    ],
)
def test_passes(filters, is_found):
    check(filters)
    assert passes(MEMORY, filters) is is_found


@pytest.mark.parametrize(
    "filters",
    [
        [1],
        {"colour": "x"},
        {"user_id": "*"},
        {"user_id": 1},
        {"user_id": {"in": [1]}},
        {"metadata": "x"},
        {"metadata": {"x": {"near": 1}}},
        {"metadata": {"x": {"in": 1}}},
        {"metadata": {"x": {}}},
        {"created_at": "soon"},
        {"created_at": {"gte": None}},
        {"AND": {"user_id": "a"}},
        {"OR": ["a"]},
        {"NOT": "a"},
    ],
    ids=str,
)
def test_what_is_no_filter_is_refused(filters):
    with pytest.raises(InvalidInput) as caught:
        check(filters)
    assert caught.value.code == "invalid_filter"


def test_a_filter_names_a_few_owners_at_most():
    with pytest.raises(InvalidInput):
        owners({"user_id": {"in": [f"u{number}" for number in range(30)]}})
