"""Recorded conversations of governed sessions: played on a store, and replayed on a fresh one byte for byte."""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wellkept.config import Config
from wellkept.errors import InvalidInput, WellkeptError
from wellkept.policies.governance.policy import load_policy
from wellkept.policies.secrets.detector import REDACTED, has_secret, mask
from wellkept.startup import open as open_memory
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.api import Memory
    from wellkept.flows.governed.session import Governed
    from wellkept.policies.governance.traces import Event

Verb = Literal["record", "recall", "start_phase", "diff", "forget", "forget_person"]
VERBS: tuple[Verb, ...] = ("record", "recall", "start_phase", "diff", "forget", "forget_person")
FORGETTING: tuple[Verb, ...] = ("forget", "forget_person")
PLACES = ("session", "profile", "user", "project", "policy")
STAND_IN = "ghp_" + "StandInForASecret".ljust(36, "0")
"""Has the form of a token, and opens nothing."""
_POLICIES = ("policy", "policy_snapshot")

Answer = list[Any]
"""The events of one call; or, of a call that was an error, its code."""


@frozen
class Call:
    """One call of a conversation, in its own session when it names one."""

    verb: Verb
    argument: Any
    place: Mapping[str, Any]


@frozen
class Difference:
    """Where a replay first told something else."""

    call: int
    """From 1."""
    recorded: str
    replayed: str


def checked(given: object, *, is_recorded: bool = False) -> dict[str, Any]:
    """A conversation, or a recording of one, as it was read: what is wrong with its form is an error that names it."""
    if not isinstance(given, dict):
        raise InvalidInput("A conversation is an object.", code="invalid_conversation")
    known = (*PLACES, "calls", "traces", "policies")
    unknown = next((key for key in given if key not in known), None)
    if unknown is not None:
        told = f"A conversation has no key {unknown!r}. Known: {', '.join(known)}."
        raise InvalidInput(told, code="invalid_conversation")
    if not is_recorded:
        return given
    if "traces" not in given:
        told = "It has no traces; make a recording with `wellkept trace record`."
        raise InvalidInput(told, code="invalid_conversation")
    answers, policies = given["traces"], given.get("policies", {})
    is_told = isinstance(answers, list) and all(
        isinstance(answer, list) and all(isinstance(event, dict) for event in answer) for answer in answers
    )
    if not is_told or not isinstance(policies, dict):
        told = "The traces of a recording are a list of the events of each call, and its policies an object."
        raise InvalidInput(told, code="invalid_conversation")
    return given


def calls(conversation: Mapping[str, Any]) -> tuple[Call, ...]:
    """The calls of a conversation: what is wrong with it is an error that names it."""
    if not isinstance(conversation.get("calls"), list):
        raise InvalidInput('A conversation is an object with "session" and "calls".', code="invalid_conversation")
    base = {name: conversation[name] for name in PLACES if name in conversation}
    return tuple(_call(number, given, base) for number, given in enumerate(conversation["calls"], start=1))


def _call(number: int, given: object, base: Mapping[str, Any]) -> Call:
    if not isinstance(given, Mapping):
        raise InvalidInput(f"Call {number} is not an object.", code="invalid_conversation")
    verbs = [verb for verb in VERBS if verb in given]
    unknown = sorted(set(given) - {*VERBS, *PLACES})
    if len(verbs) != 1 or unknown:
        what = f"has the unknown key {unknown[0]!r}" if unknown else f"needs one of {', '.join(VERBS)}"
        raise InvalidInput(f"Call {number} {what}.", code="invalid_conversation")
    place = {**base, **{name: given[name] for name in PLACES if name in given}}
    if not isinstance(place.get("session"), str):
        raise InvalidInput(f"Call {number} has no session.", code="invalid_conversation")
    return Call(verb=verbs[0], argument=given[verbs[0]], place=place)


def playable(given: object) -> dict[str, Any]:
    """A conversation as it was read, every call of it sound and without its secrets."""
    found = checked(given)
    calls(found)
    return {**found, "calls": _stood_in(found["calls"])}


def _stood_in(value: Any) -> Any:  # noqa: ANN401 -- walks any value
    """The calls with a made-up secret for each real one: refused alike, so that no recording has to carry it."""
    match value:
        case str():
            return mask(value).replace(REDACTED, STAND_IN) if has_secret(value) else value
        case dict():
            return {key: _stood_in(item) for key, item in value.items()}
        case list():
            return [_stood_in(item) for item in value]
        case _:
            return value


def sessions(conversation: Mapping[str, Any]) -> list[str]:
    """The names of the sessions that the calls of a conversation are made in."""
    return list(dict.fromkeys(call.place["session"] for call in calls(conversation)))


def play(conversation: Mapping[str, Any], memory: Memory) -> list[Answer]:
    """The events of each call on this memory."""
    held: dict[str, Governed] = {}
    return [_played(call, memory, held) for call in calls(conversation)]


def _played(call: Call, memory: Memory, sessions: dict[str, Governed]) -> Answer:
    key = json.dumps(call.place, sort_keys=True)
    if key not in sessions:
        sessions[key] = memory.governed(**call.place)
    place = sessions[key].session.place
    holder = sessions[key] if call.verb not in FORGETTING else memory.at(user=place.user, session=place.session)
    method = getattr(holder, call.verb)
    named = call.argument if isinstance(call.argument, Mapping) else {}
    bound = _bound(call, method, () if isinstance(call.argument, Mapping) else (call.argument,), named)
    try:
        answer = method(*bound.args, **bound.kwargs)
    except WellkeptError as error:
        return [{"error": error.code}]
    return [] if call.verb in FORGETTING else list(answer)


def _bound(
    call: Call, method: Callable[..., Any], values: Sequence[Any], named: Mapping[str, Any]
) -> inspect.BoundArguments:
    try:
        return inspect.signature(method).bind(*values, **named)
    except TypeError as error:
        raise InvalidInput(f"{call.verb}: {error}.", code="invalid_conversation") from None


def recording(conversation: Mapping[str, Any], answers: Sequence[Answer]) -> dict[str, Any]:
    """A conversation with what was told of it; each policy stands in it once, under its hash."""
    policies: dict[str, Any] = {}
    told = [[_compact(event, policies) for event in answer] for answer in answers]
    return {**{key: conversation[key] for key in conversation if key not in ("traces", "policies")}} | {
        "policies": policies,
        "traces": told,
    }


def _compact(event: Event, policies: dict[str, Any]) -> Event:
    small = dict(event)
    for name in _POLICIES:
        if name in small:
            policies[small[name]["hash"]] = small[name]
            small[name] = small[name]["hash"]
    return small


def told(record: Mapping[str, Any]) -> list[Answer]:
    """The events of a recording, whole again."""
    policies = record.get("policies", {})
    return [[_whole(event, policies) for event in answer] for answer in record.get("traces", [])]


def _whole(event: Event, policies: Mapping[str, Any]) -> Event:
    return {**event, **{name: policies[event[name]] for name in _POLICIES if event.get(name) in policies}}


def canonical(answer: object) -> str:
    """The bytes that two equal traces have in common."""
    return json.dumps(answer, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def replay(record: Mapping[str, Any]) -> Difference | None:
    """Play a recording on a fresh store, without an embedder, and compare; None: the same bytes."""
    for snapshot in record.get("policies", {}).values():
        load_policy(snapshot)
    before = told(record)
    with (
        tempfile.TemporaryDirectory(prefix="wellkept-replay-") as folder,
        open_memory(Path(folder) / "memory.db", config=Config(), embedder="none") as memory,
    ):
        after = play(record, memory)
    pairs: Iterable[tuple[Answer | None, Answer | None]] = zip_longest(before, after)
    for number, (one, other) in enumerate(pairs, start=1):
        if canonical(one) != canonical(other):
            return Difference(call=number, recorded=canonical(one), replayed=canonical(other))
    return None
