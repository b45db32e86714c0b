"""What an operation takes: parameters by name, and what only operators may give."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput, NotAllowed
from wellkept.operations import BY_NAME
from wellkept.startup import open as open_memory


@pytest.fixture
def alice(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none") as memory:
        yield memory.at(user="alice")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("recall", {"query": "x", "colour": 1}, "Unknown parameter 'colour'"),
        ("recall", {}, "query is missing"),
        ("recall", {"query": 3}, "query must be of type text"),
        ("recall", {"query": "x", "limit": True}, "limit must be of type integer"),
        ("recall", {"query": "x", "limit": 1.5}, "limit must be of type integer"),
        ("list", {"about": [1]}, "about must be a list of texts"),
        ("forget", {"memory_id": None}, "memory_id is missing"),
        ("person", {"reference": "x" * 10_001}, "reference is too long"),
        ("recall", {"query": "x", "about": ["x" * 601]}, "about is too long"),
        ("recall", {"query": "x", "about": ["x"] * 101}, "about is too long"),
        ("recall", {"query": "x", "as_of": "x" * 201}, "as_of is too long"),
        ("compact", {"after_days": 10**12}, "must be a number of days"),
        ("compact", {"after_days": -1}, "must be a number of days"),
        ("remember", {"facts": 5}, "facts must be a text, or a list"),
    ],
)
def test_wrong_parameters_are_named(alice, name, arguments, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        BY_NAME[name].run(alice, arguments)
    assert caught.value.code == "invalid_parameter"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("gc", {}),
        ("reveal", {"memory_id": "m_x"}),
        ("traces", {"session": "s"}),
        ("recall", {"query": "x", "left_out": True}),
        ("add", {"content": "x", "source": "system"}),
        ("add", {"content": "x", "source": "tool"}),
    ],
)
def test_only_an_operator_may(name, arguments):
    BY_NAME[name].permit(arguments, is_operator=True)
    with pytest.raises(NotAllowed) as caught:
        BY_NAME[name].permit(arguments, is_operator=False)
    assert caught.value.code == "admin_only"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("recall", {"query": "x", "left_out": False}), ("add", {"content": "x", "source": "ai"}), ("list", {})],
)
def test_anybody_may(name, arguments):
    BY_NAME[name].permit(arguments, is_operator=False)
