"""Policies: what is loaded, what is refused by name, and how long items stay."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest

from tests.policies.make import memory
from wellkept.errors import ConfigError
from wellkept.policies.governance.policy import (
    GOVERNED,
    OPEN,
    Policy,
    expiry_tick,
    from_toml,
    load_policy,
    retain,
    retention_rule,
)
from wellkept.vocabulary import Authority, EventType, Kind, Space

EVENTS = ["preference", "decision", "fact", "correction", "execution", "context"]
NEVER = {event: {"rule": "never", "ttl_ticks": None} for event in EVENTS}
DECAY = {"context": 12, "execution": 18, "decision": 40, "preference": 40, "correction": 45, "fact": 60}
PROMOTED = ["preference", "decision", "fact", "correction"]
# Written from specification 4.1 and 4.4.
DEFAULT = {
    "write_policy": "normal",
    "forget_policy": "decay",
    "allow_event_types": [],
    "deny_event_types": [],
    "retention": {
        "short_term": NEVER,
        "semantic": {event: {"rule": "decay", "ttl_ticks": ticks} for event, ticks in DECAY.items()},
        "profile": NEVER,
    },
    "promotion": {"short_term": EVENTS, "semantic": EVENTS, "profile": ["fact", "correction"]},
    "spaces": {
        "read_order": ["session", "user", "chat", "project", "system"],
        "write_spaces": ["session"],
        "promotions": [
            {"from_space": "session", "to_space": "user", "authority": "user_asserted", "event_types": PROMOTED},
            {"from_space": "session", "to_space": "project", "authority": "tool_verified", "event_types": PROMOTED},
            {"from_space": "session", "to_space": "project", "authority": "user_asserted", "event_types": ["decision"]},
            {"from_space": "user", "to_space": "project", "authority": "user_asserted", "event_types": PROMOTED},
        ],
    },
    "phase": {
        "enabled": True,
        "mode": "current_only",
        "allow_cross_phase_recall": False,
        "max_phases": None,
        "diff_enabled": True,
    },
    "privacy": {
        "deny_patterns": [],
        "allow_profile_keys": [
            "name", "timezone", "language", "project", "editor", "units",
            "preferred_name", "pronouns", "city", "tone", "goals",
        ],
        "deny_sensitive": True,
    },
    "authority_order": ["system_imposed", "tool_verified", "user_asserted", "ai_inferred"],
    "short_term_max_turns": 12,
    "short_term_token_budget": None,
    "semantic_top_k": 3,
    "dedupe_enabled": True,
}  # fmt: skip


def without_hash(policy: Policy) -> dict[str, object]:
    return {key: value for key, value in policy.snapshot.items() if key != "hash"}


def test_defaults_are_those_of_the_specification():
    assert without_hash(GOVERNED) == DEFAULT
    assert load_policy(None) is GOVERNED


def test_ttl_is_25_ticks_each_and_never_is_never():
    ttl = load_policy({"forget_policy": "ttl"}).snapshot["retention"]
    assert ttl["semantic"] == {event: {"rule": "ttl", "ttl_ticks": 25} for event in EVENTS}
    assert ttl["profile"] == ttl["short_term"] == NEVER
    assert load_policy({"forget_policy": "never"}).snapshot["retention"]["semantic"] == NEVER


def test_the_open_policy():
    assert load_policy("open") is OPEN
    assert OPEN.spaces.write_spaces == (Space.USER, Space.CHAT, Space.SESSION, Space.PROJECT)
    assert OPEN.privacy.allow_profile_keys is None
    assert OPEN.phase.allow_cross_phase_recall
    assert {rule.rule for rules in OPEN.retention.values() for rule in rules.values()} == {"never"}


def test_a_policy_does_not_change():
    with pytest.raises(FrozenInstanceError):
        GOVERNED.write_policy = "none"  # type: ignore[misc]  # must be refused


def test_a_snapshot_loads_to_the_same_policy_and_hash():
    changed = load_policy(
        {
            "write_policy": "aggressive",
            "retention": {"semantic": {"fact": {"rule": "ttl", "ttl_ticks": 3}}, "profile": "never"},
            "privacy": {"deny_patterns": ["\\bfalcon\\b"]},
            "phase": {"max_phases": 4},
        }
    )
    assert load_policy(json.loads(json.dumps(changed.snapshot))) == changed
    assert load_policy(json.loads(json.dumps(changed.snapshot))).snapshot["hash"] == changed.snapshot["hash"]


def test_equal_policies_have_equal_hashes_and_others_do_not():
    assert Policy().snapshot["hash"] == GOVERNED.snapshot["hash"]
    hashes = {
        load_policy(policy).snapshot["hash"]
        for policy in (
            None,
            "open",
            {"semantic_top_k": 4},
            {"dedupe_enabled": False},
            {"short_term_token_budget": 100},
            {"retention": {"semantic": {"fact": {"rule": "decay", "ttl_ticks": 61}}}},
        )
    }
    assert len(hashes) == 6


def test_the_hash_is_the_same_in_another_process():
    program = "from wellkept.policies.governance.policy import GOVERNED; print(GOVERNED.snapshot['hash'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == GOVERNED.snapshot["hash"]


def test_toml_says_the_same_as_a_dict():
    text = """
    write_policy = "minimal"
    deny_event_types = ["execution"]
    semantic_top_k = 5

    [retention.semantic.fact]
    rule = "ttl"
    ttl_ticks = 9

    [[spaces.promotions]]
    from_space = "session"
    to_space = "user"
    authority = "tool_verified"
    """
    policy = from_toml(text)
    assert policy == load_policy(text)
    assert policy.write_policy == "minimal"
    assert policy.deny_event_types == (EventType.EXECUTION,)
    assert policy.retention[Kind.SEMANTIC][EventType.FACT].ttl_ticks == 9
    assert policy.retention[Kind.SEMANTIC][EventType.CONTEXT].ttl_ticks == 12
    (rule,) = policy.spaces.promotions
    assert (rule.authority, len(rule.event_types)) == (Authority.TOOL_VERIFIED, 4)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"write_polcy": "none"}, "Unknown key policy.write_polcy. Known: allow_event_types,"),
        ({"write_policy": "often"}, "write_policy must be one of none, minimal, normal, aggressive, not 'often'"),
        ({"write_policy": ["none"]}, "write_policy must be one of"),
        ({"forget_policy": "soon"}, "forget_policy must be one of never, ttl, decay"),
        ({"allow_event_types": "fact"}, "allow_event_types must be a list"),
        ({"deny_event_types": ["feeling"]}, "deny_event_types must be one of preference"),
        ({"deny_event_types": ["fact", "fact"]}, "deny_event_types names something twice"),
        ({"spaces": {"read_order": ["session", "galaxy"]}}, "spaces.read_order must be one of session, user"),
        ({"spaces": {"wrte_spaces": []}}, "Unknown key spaces.wrte_spaces"),
        ({"spaces": []}, "spaces must be a table"),
        ({"spaces": {"promotions": [{"from_space": "session"}]}}, "spaces.promotions.1.to_space must be one of"),
        ({"spaces": {"promotions": {}}}, "spaces.promotions must be a list"),
        ({"retention": {"episodic": {}}}, "Unknown key retention.episodic"),
        ({"retention": {"semantic": {"mood": "never"}}}, "Unknown key retention.semantic.mood"),
        ({"retention": {"semantic": {"fact": {"rule": "ttl", "ttl_ticks": -1}}}}, "retention.semantic.fact.ttl_ticks"),
        ({"retention": {"semantic": {"fact": {"rule": "ttl", "ttl_ticks": 0}}}}, "from 1 to"),
        ({"retention": {"semantic": {"fact": {"rule": "ttl", "ttl_ticks": 1.5}}}}, "a whole number"),
        ({"retention": {"semantic": {"fact": {"rule": "ttl"}}}}, "the rule ttl needs ttl_ticks"),
        ({"retention": {"semantic": {"rule": "never", "ttl_ticks": 3}}}, "the rule never has no ttl_ticks"),
        ({"promotion": {"profile": ["wish"]}}, "promotion.profile must be one of"),
        ({"phase": {"mode": "all"}}, "phase.mode must be one of current_only"),
        ({"phase": {"enabled": 1}}, "phase.enabled must be true or false"),
        ({"phase": {"max_phases": True}}, "phase.max_phases must be a whole number"),
        ({"privacy": {"deny_sensitive": False}}, "privacy.deny_sensitive must be true: secrets are never stored"),
        ({"privacy": {"deny_patterns": ["("]}}, "is no regular expression"),
        ({"privacy": {"allow_profile_keys": [3]}}, "privacy.allow_profile_keys must be a list of texts"),
        ({"authority_order": ["user_asserted"]}, "authority_order must name each of"),
        ({"short_term_max_turns": 0}, "short_term_max_turns must be a whole number"),
        ({"semantic_top_k": "3"}, "semantic_top_k must be a whole number"),
        ({"dedupe_enabled": "yes"}, "dedupe_enabled must be true or false"),
        ("no such policy", "neither a built-in one"),
        ("lenient", "no policy named 'lenient'"),
        (7, "policy must be a Policy, a table or the name"),
    ],
)
def test_what_is_wrong_is_named(policy, message):
    with pytest.raises(ConfigError) as caught:
        load_policy(policy)
    assert message in str(caught.value)


def test_a_changed_policy_has_a_snapshot_of_its_own():
    assert replace(GOVERNED, semantic_top_k=9).snapshot["semantic_top_k"] == 9


def parts(value):
    """All tables and lists that a value is made of."""
    if isinstance(value, (dict, list)):
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from parts(one)


@pytest.mark.parametrize("policy", [GOVERNED, OPEN, load_policy({"privacy": {"deny_patterns": ["tea"]}})])
def test_what_is_handed_out_is_the_snapshot_and_shares_nothing_with_it(policy):
    given = policy.handed_out()
    assert json.dumps(given) == json.dumps(policy.snapshot)
    held = {id(part) for part in parts(policy.snapshot)}
    assert not [part for part in parts(given) if id(part) in held]


TTL = load_policy({"forget_policy": "ttl"})


def item(tick=10, **fields):
    return replace(memory(), **{"tick": tick, "kind": Kind.SEMANTIC, "event_type": EventType.CONTEXT} | fields)


@pytest.mark.parametrize(
    ("policy", "tick", "verdict", "reason"),
    [
        (GOVERNED, 10, "keep", "kept_by:retention_rule"),
        (GOVERNED, 22, "keep", "kept_by:retention_rule"),
        (GOVERNED, 23, "forget", "decay"),
        (TTL, 34, "keep", "kept_by:retention_rule"),
        (TTL, 35, "forget", "ttl_expired"),
        (TTL, 99, "forget", "ttl_expired"),
    ],
)
def test_context_lives_12_ticks_by_decay_and_25_by_ttl(policy, tick, verdict, reason):
    decision = retain(item(), policy, tick=tick)
    assert (decision.verdict, decision.reason) == (verdict, reason)


@pytest.mark.parametrize(
    ("event", "ticks"), [("execution", 18), ("decision", 40), ("preference", 40), ("correction", 45), ("fact", 60)]
)
def test_each_event_type_has_its_own_age(event, ticks):
    one = item(event_type=EventType(event))
    assert retain(one, GOVERNED, tick=10 + ticks).verdict == "keep"
    assert retain(one, GOVERNED, tick=11 + ticks).verdict == "forget"


@pytest.mark.parametrize("kind", [Kind.SHORT_TERM, Kind.PROFILE])
def test_turns_and_profile_stay(kind):
    assert retain(item(kind=kind), TTL, tick=10_000).reason == "never"


def test_what_has_no_tick_stays():
    assert retain(item(tick=None), TTL, tick=10_000).reason == "never"


def test_an_expiry_that_was_set_outlives_a_change_of_the_policy():
    one = item(meta={"expires_at": 12})
    assert retain(one, TTL, tick=11).verdict == "keep"
    assert retain(one, TTL, tick=12).reason == "ttl_expired"


def test_only_ttl_says_beforehand_when():
    assert expiry_tick(retention_rule(item(), TTL), 10) == 35
    assert expiry_tick(retention_rule(item(), GOVERNED), 10) is None
