"""Every error that is raised on purpose can be caught by one base, has a code, and also is a builtin one."""

from __future__ import annotations

import re

import pytest

from wellkept import errors
from wellkept.errors import InvalidInput, KeptUnread, StoreBusy, TooMany, WellkeptError

KINDS = sorted(
    (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, WellkeptError)),
    key=lambda one: one.__name__,
)
BUILTIN = (ConnectionError, ImportError, LookupError, PermissionError, RuntimeError, ValueError)


@pytest.mark.parametrize("kind", [one for one in KINDS if one is not WellkeptError])
def test_an_error_has_a_code_and_is_a_builtin_one_too(kind: type[WellkeptError]) -> None:
    assert re.fullmatch(r"[a-z_]+", kind.code)
    assert issubclass(kind, BUILTIN)
    assert kind.__doc__


def test_a_code_of_its_own_is_kept_beside_the_class() -> None:
    assert InvalidInput("wrong").code == "invalid_input"
    assert InvalidInput("wrong", code="invalid_limit").code == "invalid_limit"
    assert InvalidInput.code == "invalid_input"


@pytest.mark.parametrize("name", ["Memory", "Person", "Proposal", "Message", "Session", "Todo", "Checkpoint", "Key"])
def test_what_is_not_found_is_not_named_in_the_message(name: str) -> None:
    error = getattr(errors, f"{name}NotFound")("whose-id")
    assert error.code == "not_found"
    assert "whose-id" not in str(error)
    assert "whose-id" in vars(error).values()


def test_messages_that_are_kept_say_so_with_what_failed() -> None:
    failure = StoreBusy("Another writer was at work.")
    error = KeptUnread(["m1", "m2"], failure)
    assert (error.message_ids, error.failure) == (("m1", "m2"), failure)
    assert "do not send them again" in str(error)
    assert str(failure) in str(error)


def test_whoever_asks_too_often_is_told_when_to_come_back() -> None:
    assert TooMany("slow down", retry_seconds=7).retry_seconds == 7
    assert TooMany("slow down").retry_seconds == 1
