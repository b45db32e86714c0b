"""Reading what callers give: facts of a batch, viewpoints, messages, filters, and the names of closed sets."""

from __future__ import annotations

import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, NotAllowed
from wellkept.flows.requests import Statement
from wellkept.store.contract import Filter
from wellkept.times import moment
from wellkept.vocabulary import MemoryType, Sensitivity, State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.types import Viewpoint

WORKING_AGENTS = frozenset({"supervisor", "executor"})
"""Agents whose own workflows are remembered."""
FACT_KEYS = frozenset({"content", "about", "subjects", "expires_in_days", "shared"})


def statement(fact: str | Mapping[str, Any], base: Mapping[str, Any]) -> Statement:
    """A fact of a batch as the flow takes it; what is wrong with its form is carried as its `fault`."""
    given = {"content": fact} if isinstance(fact, str) else dict(fact) if hasattr(fact, "keys") else {}
    content, about = given.get("content"), given.get("about") or given.get("subjects") or base["about"]
    about = [about] if isinstance(about, str) else about
    days = given.get("expires_in_days", base["expires_in_days"])
    fault = None
    if not isinstance(content, str) or set(given) - FACT_KEYS:
        fault = "invalid_fact"
    elif not isinstance(about, (list, tuple)) or not all(isinstance(name, str) and name.strip() for name in about):
        fault = "invalid_subjects"
    elif days is not None and (not isinstance(days, (int, float)) or not 0 < days <= 36_500):  # noqa: PLR2004 -- a century
        fault = "invalid_expiry"
    if fault is not None:
        return Statement(text="", fault=fault)
    return Statement(
        text=str(content),
        about=tuple(about),
        expires_in_days=days,
        shared=bool(given.get("shared", base["shared"])),
        only_persona=bool(base["only_persona"]),
    )


def names(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names of people; one alone may be given as it is.

    >>> names("Sarah"), names(["Sarah", "Tom"])
    (('Sarah',), ('Sarah', 'Tom'))
    """
    return (given,) if isinstance(given, str) else tuple(given)


def procedure(told: object, facts: object, agent: str | None) -> Statement:
    """Steps to remember: a text, a list, or `True` with the text among the facts.

    The title is the fact, else the first of the list or line of the text. What an agent that supervises or acts has
    found to work is its own word, what has no agent the user's; other agents find no procedures.
    """
    if agent is not None and agent not in WORKING_AGENTS:
        raise NotAllowed(
            f"Procedures are told by users, and found by {' and '.join(sorted(WORKING_AGENTS))}.",
            code="agent_disallowed",
        )
    text = facts if told is True else told
    titles = [facts] if isinstance(facts, str) and told is not True else []
    if titles and isinstance(text, str):
        text = "\n".join([*titles, text])
    if isinstance(text, (list, tuple)) and all(isinstance(step, str) for step in text):
        title, *steps = (*titles, *text) or ("",)
        text = "\n".join([title, *(f"{number}. {step}" for number, step in enumerate(steps, start=1))])
    if not isinstance(text, str):
        raise InvalidInput("A procedure is a text, or a list of texts: a title, then the steps.", code="invalid_fact")
    return Statement(text=text, is_procedure=True, source="ai" if agent in WORKING_AGENTS else "user")


def check_place(place: Viewpoint) -> None:
    """Ids of a viewpoint are short texts, and a group has a chat."""
    if place.chat_type not in ("private", "group"):
        raise InvalidInput("chat_type must be private or group.", code="invalid_chat_type")
    if place.chat_type == "group" and place.chat is None:
        raise InvalidInput("A group needs the id of its chat: give chat beside chat_type.", code="no_chat")
    for name, values in vars(place).items():
        for value in values if name == "participants" else (values,):
            if value is not None and not _is_id(value):
                raise InvalidInput(f"{name} must be a text of 1 to 512 characters without NUL.", code="invalid_id")


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= len(value) <= 512 and is_storable(value)  # noqa: PLR2004 -- ids are short


def sensitivity(name: str | None) -> Sensitivity | None:
    """By its name."""
    try:
        return None if name is None else Sensitivity(name)
    except ValueError:
        raise InvalidInput("sensitivity must be public, personal or sensitive.", code="invalid_sensitivity") from None


def state(name: str) -> State:
    """By its name."""
    try:
        return State(name)
    except ValueError:
        raise InvalidInput(f"state must be one of {', '.join(State)}.", code="invalid_parameter") from None


def time_or_none(value: datetime | str | None, name: str) -> datetime | None:
    """The time that was given, if one was."""
    return None if value is None else moment(value, name=name)


_TEXTS = ("user_id", "agent_id", "run_id", "actor_id", "entity", "learned_in")
_ROLES = ("user", "assistant", "tool", "system")
_SENSITIVITIES = tuple(item.value for item in Sensitivity)
_NUMBERS = ("importance_min", "importance_max")
_TIMES = ("updated_after", "updated_before")
KEYS = (*_TEXTS, "role", "pinned", *_NUMBERS, *_TIMES, "category", "type", "sensitivity")


def parse_filter(filters: Mapping[str, Any] | None) -> Filter:
    """A filter; null values mean none. An unknown key or a value of the wrong type is an error that names it."""
    chosen: dict[str, Any] = {}
    for key, value in (filters or {}).items():
        if key not in KEYS:
            raise InvalidInput(f"Unknown filter {key!r}. Known: {', '.join(sorted(KEYS))}.", code="invalid_filter")
        if value is not None:
            chosen |= _one(key, value)
    return Filter(**chosen)


def is_storable(text: str) -> bool:
    """Whether a database can hold it: no NUL, and no half of a surrogate pair."""
    return "\x00" not in text and (text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text))


def _one(key: str, value: object) -> dict[str, object]:
    if key in _TEXTS and isinstance(value, str) and is_storable(value):
        return {key: value}
    if key == "pinned" and isinstance(value, bool):
        return {key: value}
    if (key == "role" and value in _ROLES) or (key == "sensitivity" and value in _SENSITIVITIES):
        return {key: value}
    if key in _NUMBERS and _is_number(value):
        return {key: float(value)}  # type: ignore[arg-type]  # a number, as just checked
    if key in _TIMES and (isinstance(value, str) or hasattr(value, "tzinfo")):
        return {key: moment(value, name=key)}  # type: ignore[arg-type]  # text or datetime, as just checked
    if key in ("category", "type"):
        return _names(key, value)
    raise InvalidInput(f"Filter {key!r} does not take {value!r:.200}.", code="invalid_filter")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _names(key: str, value: object) -> dict[str, object]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) and is_storable(name) for name in names):
        raise InvalidInput(f"Filter {key!r} takes a name or a list of names.", code="invalid_filter")
    if key == "category":
        return {"categories": frozenset(names)}
    return {"types": frozenset(memory_type(name) for name in names)}


def memory_type(name: str) -> MemoryType:
    """A type by its name; `procedure` means `procedural`. Another name is an error that lists the valid ones."""
    wanted = "procedural" if name == "procedure" else name
    try:
        return MemoryType(wanted)
    except ValueError:
        valid = ", ".join(item.value for item in MemoryType)
        raise InvalidInput(f"Unknown type {name!r}. Valid: {valid}.", code="invalid_type") from None
