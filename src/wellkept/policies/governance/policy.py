"""The policy of a governed session: one frozen, serialisable object that every gate reads, and its loader."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

from wellkept.values import frozen
from wellkept.vocabulary import Authority, EventType, Kind, Space

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
