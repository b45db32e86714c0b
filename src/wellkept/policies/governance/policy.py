"""The policy of a governed session: one frozen, serialisable object that every gate reads, and its loader."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from wellkept.errors import ConfigError
from wellkept.patterns import deferred
from wellkept.policies.writing.conflict import AUTHORITY_ORDER
from wellkept.policies.writing.gate import WritePolicy
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import Authority, EventType, Kind, Space

if TYPE_CHECKING:
    from wellkept.types import Memory


ForgetPolicy = Literal["never", "ttl", "decay"]
PhaseMode = Literal["current_only"]

GOVERNED_KINDS: tuple[Kind, ...] = (Kind.SHORT_TERM, Kind.SEMANTIC, Kind.PROFILE)
PROMOTED_TYPES: tuple[EventType, ...] = (
    EventType.PREFERENCE,
    EventType.DECISION,
    EventType.FACT,
    EventType.CORRECTION,
)
DECAY_TICKS: Mapping[EventType, int] = {
    EventType.CONTEXT: 12,
    EventType.EXECUTION: 18,
    EventType.DECISION: 40,
    EventType.PREFERENCE: 40,
    EventType.CORRECTION: 45,
    EventType.FACT: 60,
}
TTL_TICKS = 25
PROFILE_SLOTS = frozenset(
    {
        "favorite", "name", "nickname", "preferred_name", "tone", "goals", "pronouns", "city", "country", "timezone",
        "language", "job", "employer", "birthday", "age", "spouse", "pet", "car", "phone-model", "editor", "units",
        "project",
    }
)  # fmt: skip
"""Slots, without what follows a colon, that tell of the speaker: what the profile could hold."""


@frozen
class Retention:
    """How long an item stays, in ticks of its space."""

    rule: ForgetPolicy = "never"
    ttl_ticks: int | None = None


@frozen
class Promotion:
    """A way from one space to another: for these event types, with at least this authority."""

    from_space: Space
    to_space: Space
    authority: Authority
    event_types: tuple[EventType, ...] = PROMOTED_TYPES


PROMOTIONS: tuple[Promotion, ...] = (
    Promotion(from_space=Space.SESSION, to_space=Space.USER, authority=Authority.USER_ASSERTED),
    Promotion(from_space=Space.SESSION, to_space=Space.PROJECT, authority=Authority.TOOL_VERIFIED),
    Promotion(
        from_space=Space.SESSION,
        to_space=Space.PROJECT,
        authority=Authority.USER_ASSERTED,
        event_types=(EventType.DECISION,),
    ),
    Promotion(from_space=Space.USER, to_space=Space.PROJECT, authority=Authority.USER_ASSERTED),
)


@frozen
class Spaces:
    """Which spaces are read, in which order; which are written; and the ways between them."""

    read_order: tuple[Space, ...] = (Space.SESSION, Space.USER, Space.CHAT, Space.PROJECT, Space.SYSTEM)
    write_spaces: tuple[Space, ...] = (Space.SESSION,)
    promotions: tuple[Promotion, ...] = PROMOTIONS


@frozen
class PhaseOptions:
    """How a conversation is divided, and what of earlier parts is recalled."""

    enabled: bool = True
    mode: PhaseMode = "current_only"
    allow_cross_phase_recall: bool = False
    max_phases: int | None = None
    diff_enabled: bool = True


@frozen
class PrivacyOptions:
    """What is never stored. `deny_sensitive` is always on: no policy lets secrets in."""

    deny_patterns: tuple[str, ...] = ()
    allow_profile_keys: tuple[str, ...] | None = (
        "name", "timezone", "language", "project", "editor", "units",
        "preferred_name", "pronouns", "city", "tone", "goals",
    )  # fmt: skip
    """None: every key."""
    deny_sensitive: Literal[True] = True


def retention_table(forget: ForgetPolicy) -> Mapping[Kind, Mapping[EventType, Retention]]:
    """The default rules: turns and profile stay; facts leave by the forget policy."""
    stays = Retention()
    table: dict[Kind, dict[EventType, Retention]] = {kind: dict.fromkeys(EventType, stays) for kind in GOVERNED_KINDS}
    if forget != "never":
        for event in EventType:
            ticks = TTL_TICKS if forget == "ttl" else DECAY_TICKS[event]
            table[Kind.SEMANTIC][event] = Retention(rule=forget, ttl_ticks=ticks)
    return table


def _promotion_table() -> Mapping[Kind, tuple[EventType, ...]]:
    every = tuple(EventType)
    return {
        Kind.SHORT_TERM: every,
        Kind.SEMANTIC: every,
        Kind.PROFILE: (EventType.FACT, EventType.CORRECTION),
    }


@frozen
class Policy:
    """Everything that may be decided about a governed session before it begins."""

    write_policy: WritePolicy = "normal"
    forget_policy: ForgetPolicy = "decay"
    allow_event_types: tuple[EventType, ...] = ()
    """Empty: all."""
    deny_event_types: tuple[EventType, ...] = ()
    retention: Mapping[Kind, Mapping[EventType, Retention]] = field(default_factory=lambda: retention_table("decay"))
    promotion: Mapping[Kind, tuple[EventType, ...]] = field(default_factory=_promotion_table)
    """Which event types may become an item of a kind."""
    spaces: Spaces = field(default_factory=Spaces)
    phase: PhaseOptions = field(default_factory=PhaseOptions)
    privacy: PrivacyOptions = field(default_factory=PrivacyOptions)
    authority_order: tuple[Authority, ...] = AUTHORITY_ORDER
    short_term_max_turns: int = 12
    short_term_token_budget: int | None = None
    semantic_top_k: int = 3
    dedupe_enabled: bool = True

    @cached_property
    def snapshot(self) -> dict[str, Any]:
        """The whole policy as JSON-ready data, with a hash that is equal for equal policies. Not to be changed."""
        said: dict[str, Any] = _as_json(self)
        canonical = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return said | {"hash": hashlib.sha256(canonical.encode()).hexdigest()}

    @cached_property
    def _snapshot_text(self) -> str:
        return json.dumps(self.snapshot)

    def handed_out(self) -> dict[str, Any]:
        """The snapshot for somebody who may do with it what they like: each table and list of it is a new one."""
        copy: dict[str, Any] = json.loads(self._snapshot_text)
        return copy


def _as_json(value: Any) -> Any:  # noqa: ANN401 -- a part of a policy, and JSON
    """A part of a policy by the names of its fields, which are those of the contract."""
    if is_dataclass(value):
        return {one.name: _as_json(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _as_json(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_as_json(one) for one in value]
    return value.value if isinstance(value, StrEnum) else value


GOVERNED = Policy()
"""The policy of a governed session that is given none."""

OPEN = Policy(
    forget_policy="never",
    retention=retention_table("never"),
    promotion={kind: tuple(EventType) for kind in GOVERNED_KINDS},
    spaces=Spaces(write_spaces=(Space.USER, Space.CHAT, Space.SESSION, Space.PROJECT)),
    phase=PhaseOptions(allow_cross_phase_recall=True),
    privacy=PrivacyOptions(allow_profile_keys=None),
)
"""What ordinary viewpoints live by."""

BUILT_IN: Mapping[str, Policy] = {"default": GOVERNED, "open": OPEN}


def is_profile_slot(slot: str, policy: Policy) -> bool:
    """Whether a fact that fills this slot is offered to the profile; whether it may enter, the gate decides.

    >>> is_profile_slot("favorite:color", GOVERNED), is_profile_slot("location:lamp", GOVERNED)
    (True, False)
    """
    return slot.split(":", 1)[0] in PROFILE_SLOTS or slot in (policy.privacy.allow_profile_keys or ())


# --- The loader, from TOML or a dict: every key and value is known by name, or refused by name.


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
    forget: ForgetPolicy = _read("forget_policy", table.get("forget_policy", "decay"), ForgetPolicy)
    tables: dict[str, Any] = {"retention": _retention(forget, known.pop("retention", {}))}
    if "promotion" in known:
        tables["promotion"] = _promotion("promotion", known.pop("promotion"))
    policy: Policy = replace(_read("policy", known, Policy), **tables)
    if sorted(policy.authority_order) != sorted(Authority):
        raise ConfigError(f"authority_order must name each of {', '.join(Authority)} once.")
    for pattern in policy.privacy.deny_patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            told = f"privacy.deny_patterns: {pattern!r} is no regular expression: {error}"
            raise ConfigError(told) from error
    return policy


def _require_known(place: str, table: object, known: Iterable[str]) -> Mapping[str, Any]:
    if not isinstance(table, Mapping):
        raise ConfigError(f"{place} must be a table, not {table!r}.")
    for key in table:
        if key not in known:
            raise ConfigError(f"Unknown key {place}.{key}. Known: {', '.join(sorted(known))}.")
    return table


def _read(place: str, value: object, kind: Any) -> Any:  # noqa: ANN401 -- a type, and a value of it
    """A value as the type of its field has it, or an error that names the place."""
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        given = _require_known(place, value, hints)
        prefix = "" if kind is Policy else f"{place}."
        read = {key: _read(f"{prefix}{key}", one, hints[key]) for key, one in given.items()}
        missing = [one.name for one in fields(kind) if one.name not in read and _is_required(one)]
        return kind(**read, **{name: _read(f"{prefix}{name}", None, hints[name]) for name in missing})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        if arguments == (True,) and value is not True:
            raise ConfigError(f"{place} must be true: secrets are never stored.")
        return value if arguments == (True,) else _choice(place, value, arguments)
    if origin is tuple:
        return _list(place, value, arguments[0])
    if origin is UnionType:
        return None if value is None else _read(place, value, arguments[0])
    if kind is bool and not isinstance(value, bool):
        raise ConfigError(f"{place} must be true or false, not {value!r}.")
    if kind is int and (not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= TICKS_MAX):
        raise ConfigError(f"{place} must be a whole number from 1 to {TICKS_MAX}, not {value!r}.")
    is_word = isinstance(kind, type) and issubclass(kind, StrEnum)
    return kind(_choice(place, value, tuple(word.value for word in kind))) if is_word else value


def _is_required(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _choice(place: str, value: object, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise ConfigError(f"{place} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def _list(place: str, value: object, kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 -- of what type its items are
    if kind is str and not (isinstance(value, (list, tuple)) and all(isinstance(one, str) and one for one in value)):
        raise ConfigError(f"{place} must be a list of texts, not {value!r}.")
    if not isinstance(value, (list, tuple)):
        raise ConfigError(f"{place} must be a list, not {value!r}.")
    if is_dataclass(kind):
        return tuple(_read(f"{place}.{number}", one, kind) for number, one in enumerate(value, start=1))
    found = tuple(_read(place, one, kind) for one in value)
    if kind is not str and len(set(found)) != len(found):
        raise ConfigError(f"{place} names something twice.")
    return found


def _retention(forget: ForgetPolicy, table: object) -> Mapping[Kind, Mapping[EventType, Retention]]:
    """The defaults of the forget policy, with what the table says in their place."""
    rules = {kind: dict(events) for kind, events in retention_table(forget).items()}
    for name, given in _require_known("retention", table, tuple(map(str, GOVERNED_KINDS))).items():
        kind, place = Kind(name), f"retention.{name}"
        if isinstance(given, str) or (isinstance(given, Mapping) and "rule" in given):
            rules[kind] = dict.fromkeys(EventType, _rule(place, given))
            continue
        events = _require_known(place, given, tuple(map(str, EventType)))
        rules[kind] |= {EventType(event): _rule(f"{place}.{event}", rule) for event, rule in events.items()}
    return rules


def _rule(place: str, given: object) -> Retention:
    table = {"rule": given} if isinstance(given, str) else _require_known(place, given, ("rule", "ttl_ticks"))
    rule: Retention = _read(place, {"rule": None, **table}, Retention)
    if (rule.rule == "never") != (rule.ttl_ticks is None):
        need = "has no" if rule.rule == "never" else "needs"
        raise ConfigError(f"{place}: the rule {rule.rule} {need} ttl_ticks.")
    return rule


def _promotion(place: str, table: object) -> Mapping[Kind, tuple[EventType, ...]]:
    given = _require_known(place, table, tuple(map(str, GOVERNED_KINDS)))
    read = {Kind(kind): _list(f"{place}.{kind}", types, EventType) for kind, types in given.items()}
    return {**BUILT_IN["default"].promotion, **read}


# --- Retention: by the ticks of a space, never by a clock.


KEEP = Decision(verdict="keep", reason="kept_by:retention_rule")
STAYS = Decision(verdict="keep", reason="never")


def retention_rule(memory: Memory, policy: Policy) -> Retention:
    """The rule of the policy that this item lives by."""
    return policy.retention[memory.kind][memory.event_type]


def expiry_tick(rule: Retention, created_at: int) -> int | None:
    """The tick at which an item written now is gone, for rules that say so beforehand."""
    return created_at + rule.ttl_ticks if rule.rule == "ttl" and rule.ttl_ticks is not None else None


def retain(memory: Memory, policy: Policy, *, tick: int) -> Decision:
    """Keep or forget at this tick of the item's space; `reason` is what a `memory_forget` says.

    An item's own `expires_at` was set when it was written and outlives a change of the policy.
    """
    rule = retention_rule(memory, policy)
    if memory.tick is None or rule.ttl_ticks is None or rule.rule == "never":
        return STAYS
    if rule.rule == "ttl":
        end = memory.meta.get("expires_at", memory.tick + rule.ttl_ticks)
        return Decision(verdict="forget", reason="ttl_expired") if tick >= end else KEEP
    return Decision(verdict="forget", reason="decay") if tick - memory.tick > rule.ttl_ticks else KEEP
