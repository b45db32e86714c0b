"""Reads a policy from TOML or a dict: every key and value is known by name, or refused by name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar, get_args

from wellkept.errors import ConfigError
from wellkept.patterns import deferred
from wellkept.policies.governance.policy import (
    BUILT_IN,
    GOVERNED_KINDS,
    PROMOTED_TYPES,
    ForgetPolicy,
    PhaseMode,
    PhaseOptions,
    Policy,
    PrivacyOptions,
    Promotion,
    Retention,
    Spaces,
    WritePolicy,
    retention_table,
)
from wellkept.vocabulary import Authority, EventType, Kind, Space

Word = TypeVar("Word", bound=StrEnum)
TICKS_MAX = 10**9
_NAME = deferred(r"[\w./\\-]{1,200}")


def load_policy(given: Policy | Mapping[str, Any] | str | None) -> Policy:
    """A policy as it is, by the name of a built-in one, from a dict, or from the text of a TOML file.

    >>> load_policy({"write_policy": "minimal"}).write_policy
    'minimal'
    """
    if given is None:
        return BUILT_IN["default"]
    if isinstance(given, Policy):
        return given
    if isinstance(given, str):
        return BUILT_IN[given] if given in BUILT_IN else from_toml(given)
    if not isinstance(given, Mapping):
        raise ConfigError("policy must be a Policy, a table or the name of a built-in policy.")
    return _policy(given)


def from_toml(text: str) -> Policy:
    """The policy that a TOML text describes."""
    try:
        return _policy(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        names = ", ".join(sorted(BUILT_IN))
        if _NAME.fullmatch(text):
            raise ConfigError(f"There is no policy named {text!r}. Built-in ones: {names}.") from None
        raise ConfigError(f"The policy is neither a built-in one ({names}) nor valid TOML: {error}") from error


def _policy(table: Mapping[str, Any]) -> Policy:
    known = {key: value for key, value in table.items() if key != "hash"}
    _require_known("policy", known, _FIELDS)
    forget: ForgetPolicy = _choice("forget_policy", table.get("forget_policy", "decay"), get_args(ForgetPolicy))
    fields = {key: _FIELDS[key](key, value) for key, value in known.items() if key != "retention"}
    fields["retention"] = _retention(forget, known.get("retention", {}))
    if sorted(fields.get("authority_order", tuple(Authority))) != sorted(Authority):
        raise ConfigError(f"authority_order must name each of {', '.join(Authority)} once.")
    return Policy(**fields)


def _require_known(place: str, table: object, known: Mapping[str, Any] | tuple[str, ...]) -> None:
    if not isinstance(table, Mapping):
        raise ConfigError(f"{place} must be a table, not {table!r}.")
    for key in table:
        if key not in known:
            raise ConfigError(f"Unknown key {place}.{key}. Known: {', '.join(sorted(known))}.")


def _choice(place: str, value: object, choices: tuple[str, ...]) -> Any:  # noqa: ANN401 -- one of the choices
    if value not in choices or not isinstance(value, str):
        raise ConfigError(f"{place} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def _word(place: str, value: object, words: type[Word]) -> Word:
    return words(_choice(place, value, tuple(word.value for word in words)))


def _words(place: str, value: object, words: type[Word]) -> tuple[Word, ...]:
    if not isinstance(value, (list, tuple)):
        raise ConfigError(f"{place} must be a list, not {value!r}.")
    found = tuple(_word(place, item, words) for item in value)
    if len(set(found)) != len(found):
        raise ConfigError(f"{place} names something twice.")
    return found


def _texts(place: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) and item for item in value):
        raise ConfigError(f"{place} must be a list of texts, not {value!r}.")
    return tuple(value)


def _truth(place: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{place} must be true or false, not {value!r}.")
    return value


def _whole(place: str, value: object, *, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= TICKS_MAX:
        raise ConfigError(f"{place} must be a whole number from {least} to {TICKS_MAX}, not {value!r}.")
    return value


def _whole_or_none(place: str, value: object) -> int | None:
    return None if value is None else _whole(place, value)


def _retention(forget: ForgetPolicy, table: object) -> Mapping[Kind, Mapping[EventType, Retention]]:
    """The defaults of the forget policy, with what the table says in their place."""
    _require_known("retention", table, tuple(kind.value for kind in GOVERNED_KINDS))
    rules = {kind: dict(events) for kind, events in retention_table(forget).items()}
    for name, given in table.items():  # type: ignore[attr-defined]  # a table, as was just required
        kind, place = Kind(name), f"retention.{name}"
        if isinstance(given, str) or (isinstance(given, Mapping) and "rule" in given):
            rules[kind] = dict.fromkeys(EventType, _rule(place, given))
            continue
        _require_known(place, given, tuple(event.value for event in EventType))
        rules[kind] |= {EventType(event): _rule(f"{place}.{event}", rule) for event, rule in given.items()}
    return rules


def _rule(place: str, given: object) -> Retention:
    table = {"rule": given} if isinstance(given, str) else given
    _require_known(place, table, ("rule", "ttl_ticks"))
    found: Mapping[str, Any] = table  # type: ignore[assignment]  # a table, as was just required
    rule: ForgetPolicy = _choice(f"{place}.rule", found.get("rule"), get_args(ForgetPolicy))
    ticks = _whole_or_none(f"{place}.ttl_ticks", found.get("ttl_ticks"))
    if (rule == "never") != (ticks is None):
        need = "has no" if rule == "never" else "needs"
        raise ConfigError(f"{place}: the rule {rule} {need} ttl_ticks.")
    return Retention(rule=rule, ttl_ticks=ticks)


def _promotion(place: str, table: object) -> Mapping[Kind, tuple[EventType, ...]]:
    _require_known(place, table, tuple(kind.value for kind in GOVERNED_KINDS))
    given = {Kind(kind): _words(f"{place}.{kind}", types, EventType) for kind, types in table.items()}  # type: ignore[attr-defined]  # a table, or it was refused
    return {**BUILT_IN["default"].promotion, **given}


def _spaces(place: str, table: object) -> Spaces:
    _require_known(place, table, ("read_order", "write_spaces", "promotions"))
    fields: dict[str, Any] = {}
    for name in ("read_order", "write_spaces"):
        if name in table:  # type: ignore[operator]  # a table, as was just required
            fields[name] = _words(f"{place}.{name}", table[name], Space)  # type: ignore[index]  # a table, or it was refused
    if "promotions" in table:  # type: ignore[operator]  # a table, or it was refused
        rules = table["promotions"]  # type: ignore[index]  # a table, or it was refused
        if not isinstance(rules, (list, tuple)):
            raise ConfigError(f"{place}.promotions must be a list, not {rules!r}.")
        fields["promotions"] = tuple(
            _promotion_rule(f"{place}.promotions.{number}", rule) for number, rule in enumerate(rules, start=1)
        )
    return Spaces(**fields)


def _promotion_rule(place: str, table: object) -> Promotion:
    _require_known(place, table, ("from_space", "to_space", "authority", "event_types"))
    given: Mapping[str, Any] = table  # type: ignore[assignment]  # a table, as was just required
    return Promotion(
        from_space=_word(f"{place}.from_space", given.get("from_space"), Space),
        to_space=_word(f"{place}.to_space", given.get("to_space"), Space),
        authority=_word(f"{place}.authority", given.get("authority"), Authority),
        event_types=_words(f"{place}.event_types", given.get("event_types", list(PROMOTED_TYPES)), EventType),
    )


def _phase(place: str, table: object) -> PhaseOptions:
    readers: Mapping[str, Callable[[str, object], Any]] = {
        "enabled": _truth,
        "mode": lambda where, value: _choice(where, value, get_args(PhaseMode)),
        "allow_cross_phase_recall": _truth,
        "max_phases": _whole_or_none,
        "diff_enabled": _truth,
    }
    _require_known(place, table, tuple(readers))
    return PhaseOptions(**{key: readers[key](f"{place}.{key}", value) for key, value in table.items()})  # type: ignore[attr-defined]  # a table, or it was refused


def _privacy(place: str, table: object) -> PrivacyOptions:
    _require_known(place, table, ("deny_patterns", "allow_profile_keys", "deny_sensitive"))
    given: Mapping[str, Any] = table  # type: ignore[assignment]  # a table, as was just required
    fields: dict[str, Any] = {}
    if "deny_patterns" in given:
        fields["deny_patterns"] = _texts(f"{place}.deny_patterns", given["deny_patterns"])
        for pattern in fields["deny_patterns"]:
            _require_pattern(f"{place}.deny_patterns", pattern)
    if "allow_profile_keys" in given:
        keys = given["allow_profile_keys"]
        fields["allow_profile_keys"] = None if keys is None else _texts(f"{place}.allow_profile_keys", keys)
    if given.get("deny_sensitive", True) is not True:
        raise ConfigError(f"{place}.deny_sensitive must be true: secrets are never stored.")
    return PrivacyOptions(**fields)


def _require_pattern(place: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ConfigError(f"{place}: {pattern!r} is no regular expression: {error}") from error


_FIELDS: Mapping[str, Callable[[str, object], Any]] = {
    "write_policy": lambda place, value: _choice(place, value, get_args(WritePolicy)),
    "forget_policy": lambda place, value: _choice(place, value, get_args(ForgetPolicy)),
    "allow_event_types": lambda place, value: _words(place, value, EventType),
    "deny_event_types": lambda place, value: _words(place, value, EventType),
    "retention": lambda _place, value: value,
    "promotion": _promotion,
    "spaces": _spaces,
    "phase": _phase,
    "privacy": _privacy,
    "authority_order": lambda place, value: _words(place, value, Authority),
    "short_term_max_turns": _whole,
    "short_term_token_budget": _whole_or_none,
    "semantic_top_k": _whole,
    "dedupe_enabled": _truth,
}
