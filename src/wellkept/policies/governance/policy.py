"""The policy of a governed session: one frozen, serialisable object that every gate reads, and its loader."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from wellkept.errors import ConfigError
from wellkept.patterns import deferred
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import Authority, EventType, Kind, Space

if TYPE_CHECKING:
    from wellkept.types import Memory


WritePolicy = Literal["none", "minimal", "normal", "aggressive"]
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

    def as_json(self) -> dict[str, Any]:
        """The names of the contract."""
        return {"rule": self.rule, "ttl_ticks": self.ttl_ticks}


@frozen
class Promotion:
    """A way from one space to another: for these event types, with at least this authority."""

    from_space: Space
    to_space: Space
    authority: Authority
    event_types: tuple[EventType, ...] = PROMOTED_TYPES

    def as_json(self) -> dict[str, Any]:
        """The names of the contract."""
        return {
            "from_space": self.from_space.value,
            "to_space": self.to_space.value,
            "authority": self.authority.value,
            "event_types": [item.value for item in self.event_types],
        }


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
    authority_order: tuple[Authority, ...] = (
        Authority.SYSTEM_IMPOSED,
        Authority.TOOL_VERIFIED,
        Authority.USER_ASSERTED,
        Authority.AI_INFERRED,
    )
    short_term_max_turns: int = 12
    short_term_token_budget: int | None = None
    semantic_top_k: int = 3
    dedupe_enabled: bool = True

    @cached_property
    def snapshot(self) -> dict[str, Any]:
        """The whole policy as JSON-ready data, with a hash that is equal for equal policies. Not to be changed."""
        said = self._as_json()
        return said | {"hash": hashlib.sha256(_canonical(said).encode()).hexdigest()}

    def handed_out(self) -> dict[str, Any]:
        """The snapshot for somebody who may do with it what they like: each table and list of it is a new one."""
        said = self.snapshot
        spaces, privacy, retention = said["spaces"], said["privacy"], said["retention"]
        ways = [{**way, "event_types": [*way["event_types"]]} for way in spaces["promotions"]]
        # Part by part: a copy that finds its way by itself takes four times as long, at every call of a session.
        return {
            **said,
            "allow_event_types": [*said["allow_event_types"]],
            "deny_event_types": [*said["deny_event_types"]],
            "retention": {kind: {event: {**rules[event]} for event in rules} for kind, rules in retention.items()},
            "promotion": {kind: [*types] for kind, types in said["promotion"].items()},
            "spaces": {
                "read_order": [*spaces["read_order"]],
                "write_spaces": [*spaces["write_spaces"]],
                "promotions": ways,
            },
            "phase": {**said["phase"]},
            "privacy": {name: [*part] if type(part) is list else part for name, part in privacy.items()},
            "authority_order": [*said["authority_order"]],
        }

    def _as_json(self) -> dict[str, Any]:
        keys = self.privacy.allow_profile_keys
        return {
            "write_policy": self.write_policy,
            "forget_policy": self.forget_policy,
            "allow_event_types": [item.value for item in self.allow_event_types],
            "deny_event_types": [item.value for item in self.deny_event_types],
            "retention": {
                kind.value: {event.value: rule.as_json() for event, rule in rules.items()}
                for kind, rules in self.retention.items()
            },
            "promotion": {kind.value: [item.value for item in types] for kind, types in self.promotion.items()},
            "spaces": {
                "read_order": [space.value for space in self.spaces.read_order],
                "write_spaces": [space.value for space in self.spaces.write_spaces],
                "promotions": [rule.as_json() for rule in self.spaces.promotions],
            },
            "phase": dict(vars(self.phase)),
            "privacy": {
                "deny_patterns": list(self.privacy.deny_patterns),
                "allow_profile_keys": None if keys is None else list(keys),
                "deny_sensitive": self.privacy.deny_sensitive,
            },
            "authority_order": [item.value for item in self.authority_order],
            "short_term_max_turns": self.short_term_max_turns,
            "short_term_token_budget": self.short_term_token_budget,
            "semantic_top_k": self.semantic_top_k,
            "dedupe_enabled": self.dedupe_enabled,
        }


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


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


# --- The loader, from TOML or a dict: every key and value is known by name, or refused by name.


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
