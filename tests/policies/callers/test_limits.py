"""What callers give is of the right type and in its range, or refused with a code."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.errors import ConfigError, InvalidInput
from wellkept.policies.callers.limits import check_days, check_limit, check_number


@pytest.mark.parametrize("value", [0, -1, 11, "3", None, 2.5, True, float("nan")])
def test_a_limit_is_a_whole_number_in_its_range(value):
    check_limit(10, 10)
    with pytest.raises(InvalidInput) as refused:
        check_limit(value, 10)
    assert refused.value.code == "invalid_limit"


@pytest.mark.parametrize("value", [-1, -0.001, 36_501, 10**400, float("nan"), float("inf"), "3", None, True])
def test_days_are_not_below_zero(value):
    check_days(0, name="after_days")
    with pytest.raises(InvalidInput) as refused:
        check_days(value, name="after_days")
    assert refused.value.code == "invalid_parameter"


@pytest.mark.parametrize("value", ["high", None, float("nan"), False])
def test_a_number_is_finite(value):
    check_number(0.5, name="threshold")
    with pytest.raises(InvalidInput) as refused:
        check_number(value, name="threshold")
    assert refused.value.code == "invalid_parameter"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda at, _memory: at.recall(None), "invalid_parameter"),
        (lambda at, _memory: at.recall("tea", limit="3"), "invalid_limit"),
        (lambda at, _memory: at.recall("tea", threshold=float("nan")), "invalid_parameter"),
        (lambda at, _memory: at.list(limit=None), "invalid_limit"),
        (lambda at, _memory: at.show(None), "invalid_parameter"),
        (lambda at, _memory: at.forget(7), "invalid_parameter"),
        (lambda at, _memory: at.todos(status=None), "invalid_parameter"),
        (lambda at, _memory: at.todos(limit="a"), "invalid_limit"),
        (lambda at, _memory: at.spines(limit="a"), "invalid_limit"),
        (lambda at, _memory: at.turn("I like tea").recall_if_needed("high"), "invalid_parameter"),
        (lambda at, _memory: at.add("I like tea", expires="-3"), "invalid_expiry"),
        (lambda at, _memory: at.add("I like tea", expires="0"), "invalid_expiry"),
        (lambda at, _memory: at.add("I like tea", expires="nan"), "invalid_expiry"),
        (lambda at, _memory: at.chat("tea " * 1_001), "content_too_long"),
        (lambda _at, memory: memory.upkeep.compact(after_days=-1), "invalid_parameter"),
        (lambda _at, memory: memory.upkeep.compact(after_days=float("nan")), "invalid_parameter"),
    ],
)
def test_every_method_says_what_is_wrong(store_path, call, code):
    with wellkept.open(store_path, embedder="none", worker="off") as memory:
        at = memory.at(user="alice")
        with pytest.raises(InvalidInput) as refused:
            call(at, memory)
    assert refused.value.code == code


@pytest.mark.parametrize("given", [{"url": 5}, {"url": ["a.db"]}, {"embedder": "gpt"}])
def test_a_memory_is_opened_with_what_can_be_used(store_path, tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError):
        wellkept.open(**{"url": store_path} | given)
    assert list(tmp_path.iterdir()) == []
