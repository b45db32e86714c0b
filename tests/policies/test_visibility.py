"""Who may see which memory and message, rule by rule; categories, and which agent may read which."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.policies.make import NOON, memory
from wellkept import config
from wellkept.errors import ConfigError, InvalidInput, NotAllowed
from wellkept.policies.visibility import (
    ALLOWLISTS,
    BUILT_IN,
    Categories,
    Category,
    Facts,
    View,
    admitted,
    configured_categories,
    is_alive,
    is_heard,
    is_stale,
    reach,
    readable,
    shown,
    span_stands,
    visible,
    without_spans,
)
from wellkept.types import Decision, Message
from wellkept.vocabulary import Kind, MemoryType, Sensitivity, Space, State

MINUTE = timedelta(minutes=1)

SEED = """
categories:
  system:
    - name: profile
      context: all
    - name: event
      context: rag
      rag_length: 30
    - name: activity
      context: rag
      rag_length: 50
  custom: []
allowlists:
  supervisor: [profile, goals, preferences, event, activity, relationships, tasks]
  planner:    [goals, tasks, projects]
  stylist:    [preferences, tone, style]
  researcher: [knowledge, interests, history]
  executor:   [tasks, recent_activity, constraints]
"""
TOML = """
[categories]
custom = ["hunches", {name = "pets", context = "all"}]

[[categories.system]]
name = "event"
context = "rag"
rag_length = 5

[allowlists]
gardener = ["pets", "hunches"]
"""


def test_the_yaml_of_the_seed_loads_unchanged(tmp_path):
    path = tmp_path / "memory_cat_config.yaml"
    path.write_text(SEED, encoding="utf-8")
    loaded = config.load(path, {})
    assert loaded.categories.known == BUILT_IN
    assert loaded.categories.allowlists["planner"] == {"goals", "tasks", "projects"}
    assert loaded.categories.of_agent("supervisor") == frozenset(
        ["profile", "goals", "preferences", "event", "activity", "relationships", "tasks"]
    )


def test_toml_says_the_same_and_more(tmp_path):
    path = tmp_path / "wellkept.toml"
    path.write_text(TOML, encoding="utf-8")
    loaded = config.load(path, {"WELLKEPT_ALLOWLISTS__CLERK": "tasks, pets"})
    assert loaded.categories.known["event"] == Category(name="event", rag_length=5)
    assert loaded.categories.whole() == {"profile", "pets"}
    assert loaded.categories.of_agent("gardener") == {"pets", "hunches"}
    assert loaded.categories.of_agent("clerk") == {"pets", "tasks"}
    rows = {key: (value, origin) for key, value, origin in loaded.rows()}
    assert rows["allowlists.gardener"] == (("hunches", "pets"), str(path))
    assert rows["categories.event"] == ("rag, 5", str(path))


@pytest.mark.parametrize(
    ("categories", "allowlists", "named"),
    [
        ({"other": []}, {}, "categories.other"),
        ({"custom": "pets"}, {}, "categories.custom"),
        ({"custom": [3]}, {}, "3"),
        ({"custom": [{"name": "pets", "colour": "red"}]}, {}, "colour"),
        ({"custom": [{"name": ""}]}, {}, "''"),
        ({"custom": [{"name": "a b"}]}, {}, "a b"),
        ({"custom": [{"name": "pets", "context": "some"}]}, {}, "some"),
        ({"custom": [{"name": "pets", "rag_length": 0}]}, {}, "rag_length"),
        ({"custom": [{"name": "pets", "rag_length": True}]}, {}, "rag_length"),
        ({"custom": [{"name": "pets", "context": "all", "rag_length": 3}]}, {}, "rag_length"),
        ({"custom": ["pets", "pets"]}, {}, "pets"),
        ({}, {"planner": ["dreams"]}, "dreams"),
        ({}, {"planner": 4}, "planner"),
        ({}, {"planner": [4]}, "planner"),
    ],
)
def test_what_is_wrong_is_named(categories, allowlists, named):
    with pytest.raises(ConfigError, match=named):
        configured_categories(categories, allowlists, "the file")


@pytest.mark.parametrize("text", ["categories: [", "- a", "memory:\n  colour: 1", "people: {}"])
def test_a_bad_yaml_file_is_an_error(tmp_path, text):
    path = tmp_path / "bad.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        config.load(path, {})


@pytest.mark.parametrize("agent", ALLOWLISTS)
def test_an_agent_is_granted_its_list_and_nothing_else(agent):
    own = Categories()
    assert own.granted(agent, frozenset()) == ALLOWLISTS[agent]
    for name in BUILT_IN:
        if name in ALLOWLISTS[agent]:
            assert own.granted(agent, frozenset({name})) == {name}
        else:
            with pytest.raises(NotAllowed, match=name) as caught:
                own.granted(agent, frozenset({name, *ALLOWLISTS[agent]}))
            assert caught.value.code == "category_not_allowed"


def test_strangers_get_nothing_unless_a_default_says_otherwise():
    assert Categories().of_agent("stranger") == frozenset()
    assert Categories(allowlists={"default": frozenset({"tasks"})}).of_agent("stranger") == {"tasks"}
    assert Categories().of_agent(None) is None
    with pytest.raises(NotAllowed, match="tasks"):
        Categories().granted("stranger", frozenset({"tasks"}))
    with pytest.raises(InvalidInput, match="dreams"):
        Categories().granted("planner", frozenset({"dreams"}))
    with pytest.raises(
        InvalidInput, match=r"^Unknown category 'dreams', 'moods'\. Known: activity, constraints"
    ) as unknown:
        Categories().check(frozenset({"moods", "tasks", "dreams"}))
    assert unknown.value.code == "invalid_category"
    with pytest.raises(NotAllowed):
        Categories().granted(None, frozenset({"procedural"}))


# --- The rule, reason by reason. `tests/privacy/test_matrix.py` holds its verdicts against a table of all combinations.


HERE = "chat-1"
ANA = View(
    tenant="default",
    now=NOON,
    user="ana",
    person="p_ana",
    chat=HERE,
    present=frozenset({"p_ana"}),
    partners=frozenset({"p_ana"}),
    spaces=((Space.USER, "ana"), (Space.CHAT, HERE)),
)
GROUP = replace(ANA, chat_type="group", present=frozenset({"p_ana", "p_bob"}), partners=frozenset())
BOB = {"subject_person_ids": ("p_bob",), "stated_by": "p_ana"}
NOTHING = Facts()
THERE = Facts(attendance={"chat-2": frozenset({"p_ana", "p_bob"}), "chat-3": frozenset({"p_ana"})})
BOTH = ("p_ana", "p_bob")
OTHER = {"owner": "bob"}
"""Of somebody else's memory, which is out of scope."""


def told(view: View, facts: Facts = NOTHING, **changes: Any) -> tuple[str, str]:
    decision = visible(memory(**changes), view, facts)
    return decision.verdict, decision.reason


@pytest.mark.parametrize(
    ("view", "changes", "verdict", "reason"),
    [
        (ANA, {"tenant": "other"}, "hidden", "other_tenant"),
        (ANA, {"state": State.ARCHIVED}, "hidden", "not_live"),
        (ANA, {"kind": Kind.PROCEDURAL}, "hidden", "kind"),
        (replace(ANA, categories=frozenset({"tasks"})), {}, "hidden", "category"),
        (replace(ANA, categories=frozenset({"knowledge"})), {}, "shown", "about_asker"),
        (ANA, {"persona_id": "coach"}, "hidden", "persona"),
        (replace(ANA, persona="coach"), {"persona_id": "coach"}, "shown", "about_asker"),
        (ANA, {"confidential": True, "learned_in": "chat-2"}, "hidden", "confidential"),
        (ANA, {"confidential": True, "learned_in": HERE}, "shown", "about_asker"),
        (ANA, {"subject_person_ids": ()}, "shown", "no_subject"),
        (ANA, {}, "shown", "about_asker"),
        (ANA, BOB, "shown", "no_place_known"),
        (replace(ANA, fail_open=False), BOB, "shown", "known_to_partner"),
        (replace(ANA, partners=frozenset()), {**BOB, "learned_in": HERE}, "shown", "said_here"),
        (replace(ANA, partners=frozenset()), {**BOB, "learned_in": "chat-2"}, "hidden", "third_party"),
        (replace(ANA, partners=frozenset(), fail_open=False, chat=None), BOB, "hidden", "third_party"),
    ],
)
def test_in_private(view: View, changes: dict[str, Any], verdict: str, reason: str) -> None:
    assert told(view, **changes) == (verdict, reason)


@pytest.mark.parametrize(
    ("partners", "changes", "verdict"),
    [
        ({"p_bob"}, {**BOB, "learned_in": "chat-3"}, "shown"),
        ({"p_cy"}, {**BOB, "learned_in": "chat-3"}, "hidden"),
        ({"p_cy"}, {**BOB, "stated_by": "p_cy", "learned_in": "chat-3"}, "shown"),
        ({"p_bob"}, {"subject_person_ids": ("p_dan",), "learned_in": "chat-2"}, "shown"),
        ({"p_bob"}, {"subject_person_ids": ("p_dan",), "learned_in": "chat-3"}, "hidden"),
        ({"p_bob", "p_cy"}, {**BOB, "learned_in": "chat-3"}, "hidden"),
        ({"p_bob"}, {"subject_person_ids": ("p_dan",), "learned_in": "never-heard-of"}, "hidden"),
    ],
)
def test_a_partner_hears_what_they_are_told_of_said_or_were_there_for(
    partners: set[str], changes: dict[str, Any], verdict: str
) -> None:
    view = replace(ANA, person="p_zoe", partners=frozenset(partners))
    reason = "known_to_partner" if verdict == "shown" else "third_party"
    assert told(view, THERE, **changes) == (verdict, reason)


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        ({"subject_person_ids": (), "learned_in": HERE, "sensitivity": Sensitivity.SENSITIVE}, "shown", "said_here"),
        ({"subject_person_ids": (), "space": Space.CHAT, "owner": HERE}, "shown", "said_here"),
        ({"subject_person_ids": (), "sensitivity": Sensitivity.PERSONAL}, "hidden", "subject_absent"),
        (
            {"subject_person_ids": (), "learned_in": "chat-2", "sensitivity": Sensitivity.PERSONAL},
            "hidden",
            "subject_absent",
        ),
        ({"sensitivity": None}, "shown", "public"),
        ({"sensitivity": Sensitivity.PUBLIC}, "shown", "public"),
        ({"sensitivity": Sensitivity.PERSONAL}, "shown", "subject_present"),
        (
            {
                "sensitivity": Sensitivity.SENSITIVE,
                "learned_in_type": "group",
                "subject_person_ids": ("p_ana", "p_bob"),
            },
            "shown",
            "subject_present",
        ),
        ({"sensitivity": Sensitivity.PERSONAL, "subject_person_ids": ("p_cy",)}, "hidden", "subject_absent"),
        ({"sensitivity": Sensitivity.PERSONAL, "subject_person_ids": ("p_cy", "p_bob")}, "shown", "subject_present"),
        ({"sensitivity": Sensitivity.SENSITIVE}, "hidden", "sensitive_told_in_private"),
        ({"sensitivity": Sensitivity.SENSITIVE, "learned_in_type": "group"}, "shown", "subject_present"),
        (
            {"sensitivity": Sensitivity.SENSITIVE, "learned_in_type": "group", "subject_person_ids": ("p_ana", "p_cy")},
            "hidden",
            "subject_absent",
        ),
        (
            {"sensitivity": Sensitivity.SENSITIVE, "learned_in_type": "group", "subject_person_ids": ()},
            "hidden",
            "subject_absent",
        ),
    ],
)
def test_in_a_group(changes: dict[str, Any], verdict: str, reason: str) -> None:
    assert told(GROUP, **changes) == (verdict, reason)


def test_in_a_group_by_the_rules_of_the_seed() -> None:
    seed = replace(GROUP, mode="seed")
    sensitive = {"sensitivity": Sensitivity.SENSITIVE}
    assert told(seed, **sensitive) == ("shown", "subject_present")
    assert told(seed, **sensitive, subject_person_ids=("p_cy",)) == ("hidden", "subject_absent")
    assert told(seed, subject_person_ids=(), learned_in=HERE) == ("shown", "public")
    assert told(seed, **sensitive, subject_person_ids=(), learned_in=HERE) == ("hidden", "subject_absent")


@pytest.mark.parametrize(
    ("view", "changes", "verdict", "reason"),
    [
        (ANA, {"subject_person_ids": ("p_cy",)}, "hidden", "other_scope"),
        (ANA, {"space": Space.PROJECT}, "hidden", "other_scope"),
        (ANA, {"space": Space.CHAT}, "shown", "public"),
        (ANA, {"portable": False}, "hidden", "not_portable"),
        (ANA, {"confidential": True}, "hidden", "confidential"),
        (ANA, {"persona_id": "coach"}, "hidden", "persona"),
        (ANA, {"sensitivity": None}, "shown", "public"),
        (ANA, {"sensitivity": Sensitivity.PERSONAL}, "shown", "to_subject_or_owner"),
        (replace(GROUP, person="p_bob"), {"sensitivity": Sensitivity.PERSONAL}, "hidden", "personal"),
        (replace(ANA, spaces=(), person="p_bob"), {"sensitivity": Sensitivity.PERSONAL}, "hidden", "personal"),
        (ANA, {"sensitivity": Sensitivity.SENSITIVE}, "shown", "private_with_subject"),
        (GROUP, {"sensitivity": Sensitivity.SENSITIVE}, "hidden", "sensitive"),
        (replace(ANA, person="p_bob"), {"sensitivity": Sensitivity.SENSITIVE}, "hidden", "sensitive"),
        (
            replace(ANA, present=frozenset({"p_ana", "p_bob"})),
            {"sensitivity": Sensitivity.SENSITIVE},
            "hidden",
            "sensitive",
        ),
    ],
)
def test_out_of_scope(view: View, changes: dict[str, Any], verdict: str, reason: str) -> None:
    assert told(view, **(OTHER | changes)) == (verdict, reason)


def test_an_owner_is_told_what_is_personal_of_others_outside_its_space() -> None:
    view = replace(ANA, spaces=(), present=frozenset({"p_ana", "p_bob"}))
    assert told(view, **BOB, sensitivity=Sensitivity.PERSONAL) == ("shown", "to_subject_or_owner")
    assert told(view, **BOB, **OTHER, sensitivity=Sensitivity.PERSONAL) == ("hidden", "personal")


def test_strict_asks_both_tables() -> None:
    strict = replace(ANA, mode="strict")
    assert told(strict, **BOB, sensitivity=Sensitivity.SENSITIVE) == ("hidden", "sensitive")
    assert told(strict, sensitivity=Sensitivity.PERSONAL) == ("shown", "about_asker")
    assert told(replace(strict, person="p_zoe"), **OTHER, learned_in="chat-9") == ("shown", "known_to_partner")
    away = replace(strict, person="p_zoe", partners=frozenset({"p_cy"}))
    assert told(away, **OTHER, learned_in="chat-9") == ("hidden", "third_party")
    assert told(replace(ANA, person="p_zoe", partners=frozenset({"p_cy"})), **OTHER, learned_in="chat-9") == (
        "shown",
        "public",
    )


def test_who_was_there_counts_however_the_rule_is_asked() -> None:
    view = replace(ANA, person="p_zoe", partners=frozenset({"p_bob"}))
    there = memory(subject_person_ids=("p_dan",), learned_in="chat-2", stated_by="p_cy")
    assert [one.id for one in shown([there], view, THERE)] == ["m_one"]
    assert shown([there], view, NOTHING) == []
    assert is_heard(there, view, THERE)
    assert not is_heard(there, view, NOTHING)
    assert span_stands(there, view, THERE, include_stale=False)
    assert not span_stands(there, view, NOTHING, include_stale=False)
    better = replace(THERE, overriding=(there,))
    assert visible(memory(), view, better).reason == "first_person_override"
    assert not span_stands(memory(), view, better, include_stale=False)


def test_another_tenants_memory_is_hidden_whatever_else_it_is() -> None:
    assert admitted(memory(tenant="other"), ANA, NOTHING) == Decision(verdict="hidden", reason="other_tenant")


# --- Life and time.


@pytest.mark.parametrize(
    ("view", "changes", "is_shown"),
    [
        (ANA, {"expires_at": NOON}, False),
        (ANA, {"expires_at": NOON + MINUTE}, True),
        (ANA, {"state": State.SUPERSEDED}, False),
        (replace(ANA, include_expired=True), {"expires_at": NOON}, True),
        (replace(ANA, include_expired=True), {"state": State.ARCHIVED, "archive_reason": "expired"}, True),
        (replace(ANA, include_expired=True), {"state": State.ARCHIVED, "archive_reason": "ephemeral_decay"}, True),
        (replace(ANA, include_expired=True), {"state": State.ARCHIVED, "archive_reason": "forgotten"}, False),
        (replace(ANA, include_expired=True), {"state": State.SUPERSEDED}, False),
        (ANA, {"state": State.ARCHIVED, "archive_reason": "expired"}, False),
    ],
)
def test_what_lives_now(view: View, changes: dict[str, Any], is_shown: bool) -> None:
    assert is_alive(memory(**changes), view) is is_shown


@pytest.mark.parametrize(
    ("changes", "is_shown"),
    [
        ({}, True),
        ({"observed_at": NOON + MINUTE}, False),
        ({"observed_at": NOON + MINUTE, "valid_from": NOON}, True),
        ({"valid_from": NOON + MINUTE}, False),
        ({"valid_to": NOON}, False),
        ({"valid_to": NOON + MINUTE}, True),
        ({"state": State.SUPERSEDED}, True),
        ({"state": State.ARCHIVED, "archive_reason": "superseded"}, True),
        ({"state": State.ARCHIVED, "archive_reason": "forgotten"}, False),
        ({"state": State.SOFT_DELETED}, False),
        ({"expires_at": NOON}, False),
        ({"expires_at": NOON + MINUTE}, True),
    ],
)
def test_what_lived_then(changes: dict[str, Any], is_shown: bool) -> None:
    then = replace(ANA, as_of=NOON, now=NOON + 9 * MINUTE)
    assert is_alive(memory(**changes), then) is is_shown


def test_of_many_those_are_shown_that_are_shown_one_by_one() -> None:
    many = [
        memory(id="own"),
        memory(id="twin", content="The user likes coffee"),
        memory(id="gone", state=State.ARCHIVED),
        memory(id="stranger", **OTHER, subject_person_ids=("p_cy",)),
        memory(id="sensitive", sensitivity=Sensitivity.SENSITIVE),
    ]
    assert [one.id for one in shown(many, GROUP, Facts())] == ["own", "twin"]
    assert [one.id for one in many if visible(one, GROUP, Facts()).verdict == "shown"] == ["own", "twin"]


# --- The word of the person concerned.


HEARSAY = {**BOB, "learned_in": HERE}


@pytest.mark.parametrize(
    ("own", "view", "is_heard_here"),
    [
        ({"stated_by": "p_ana", **OTHER, "portable": False}, ANA, True),
        ({"stated_by": "p_ana", **OTHER, "portable": False}, replace(ANA, person=None), False),
        ({"stated_by": None, **OTHER, "portable": False}, replace(ANA, person=None), False),
        ({"stated_by": "p_bob", **OTHER, "portable": False}, ANA, False),
        ({"stated_by": "p_bob"}, ANA, True),
        ({"stated_by": "p_ana", "tenant": "other"}, ANA, False),
        ({"stated_by": "p_ana", "state": State.ARCHIVED}, ANA, False),
    ],
)
def test_whose_own_word_bears_on_what_is_told(own: dict[str, Any], view: View, is_heard_here: bool) -> None:
    assert is_heard(memory(**own), view, Facts()) is is_heard_here
    decision = visible(memory(id="m_two", **HEARSAY), view, Facts(overriding=(memory(**own),)))
    assert (decision.reason == "first_person_override") is is_heard_here
    assert (decision.verdict == "hidden") is is_heard_here


@pytest.mark.parametrize(
    ("changes", "is_open"),
    [
        ({}, True),
        ({"sensitivity": Sensitivity.PUBLIC}, True),
        ({"sensitivity": Sensitivity.PERSONAL}, False),
        ({"confidential": True}, False),
        ({"persona_id": "coach"}, False),
        ({"learned_in_type": "private"}, False),
        ({"learned_in": None}, False),
        ({"learned_in": "chat-4"}, False),
    ],
)
def test_what_was_said_openly_in_a_group_is_heard_by_who_was_there(changes: dict[str, Any], is_open: bool) -> None:
    said = {**OTHER, "stated_by": "p_bob", "portable": False, "learned_in": "chat-2", "learned_in_type": "group"}
    assert is_heard(memory(**(said | changes)), ANA, THERE) is is_open
    assert not is_heard(memory(**(said | changes)), replace(ANA, person="p_cy"), THERE)


# --- How far a memory may ever be told.


@pytest.mark.parametrize(
    ("changes", "far"),
    [
        ({}, "everybody"),
        ({"sensitivity": Sensitivity.PUBLIC, "space": Space.CHAT}, "everybody"),
        ({"sensitivity": Sensitivity.PERSONAL}, "subjects"),
        ({"sensitivity": Sensitivity.SENSITIVE}, "subjects"),
        ({"portable": False}, "nobody"),
        ({"confidential": True}, "nobody"),
        ({"persona_id": "coach"}, "nobody"),
        ({"space": Space.PROJECT}, "nobody"),
    ],
)
def test_reach(changes: dict[str, Any], far: str) -> None:
    assert reach(memory(**changes)) == far


def test_whom_one_knows_is_told_unless_an_allowlist_leaves_it_out() -> None:
    assert ANA.knows_people
    assert replace(ANA, categories=frozenset({"relationships"})).knows_people
    assert not replace(ANA, categories=frozenset({"tasks"})).knows_people


# --- Messages.


SAID = Message(
    id="x", content="tea", user_id="ana", chat_id=HERE, chat_type="private", at=NOON, arrived_at=NOON, speaker="ana"
)


@pytest.mark.parametrize(
    ("view", "changes", "verdict", "reason"),
    [
        (ANA, {}, "shown", "own_private"),
        (ANA, {"tenant": "other"}, "hidden", "other_tenant"),
        (replace(ANA, categories=frozenset({"knowledge"})), {}, "hidden", "category"),
        (replace(ANA, as_of=NOON - MINUTE), {}, "hidden", "not_yet_said"),
        (replace(ANA, as_of=NOON), {}, "shown", "own_private"),
        (replace(ANA, as_of=NOON - MINUTE), {"at": None}, "hidden", "not_yet_said"),
        (replace(ANA, as_of=NOON - MINUTE), {"at": None, "arrived_at": None}, "shown", "own_private"),
        (ANA, {"confidential": True}, "shown", "own_private"),
        (ANA, {"confidential": True, "chat_id": "chat-2"}, "hidden", "confidential"),
        (GROUP, {"chat_type": "group"}, "shown", "said_here"),
        (GROUP, {}, "hidden", "other_chat"),
        (GROUP, {"chat_type": "group", "chat_id": "chat-2"}, "hidden", "other_chat"),
        (ANA, {"chat_type": "group", "chat_id": "chat-2", "user_id": "bob"}, "shown", "heard_in_group"),
        (replace(ANA, person=None), {"chat_type": "group"}, "hidden", "other_chat"),
        (replace(ANA, present=frozenset({"p_ana", "p_cy"})), {}, "hidden", "not_heard_by_all"),
        (replace(ANA, present=frozenset({"p_ana", "p_bob"})), {}, "shown", "own_private"),
        (ANA, {"user_id": "bob"}, "hidden", "other_user"),
        (replace(ANA, user=None), {"user_id": None, "chat_id": "chat-2"}, "hidden", "other_user"),
        (replace(ANA, user=None), {"user_id": None}, "shown", "own_private"),
        (ANA, {"chat_id": "chat-2"}, "shown", "own_private"),
        (ANA, {"persona_id": "coach"}, "hidden", "persona"),
        (replace(ANA, persona="coach"), {"persona_id": "coach"}, "shown", "own_private"),
    ],
)
def test_a_message_is_readable(view: View, changes: dict[str, Any], verdict: str, reason: str) -> None:
    decision = readable(replace(SAID, **changes), view, ("p_ana", "p_bob"))
    assert (decision.verdict, decision.reason) == (verdict, reason)


# --- Spans of messages, by the memories that rest on them.


OVER = {"state": State.ARCHIVED, "archive_reason": "expired", "origin": "shadow_extraction", "type": MemoryType.EVENT}


@pytest.mark.parametrize(
    ("changes", "stands", "stands_stale"),
    [
        ({}, True, True),
        ({"kind": Kind.PROCEDURAL}, False, False),
        ({"persona_id": "coach"}, False, False),
        ({"state": State.ARCHIVED, "archive_reason": "forgotten"}, False, False),
        ({"state": State.SUPERSEDED}, False, True),
        ({"state": State.ARCHIVED, "archive_reason": "superseded"}, False, True),
        ({"expires_at": NOON}, False, True),
        (OVER, True, True),
        ({**OVER, "archive_reason": "ephemeral_decay"}, True, True),
        ({**OVER, "archive_reason": "forgotten"}, False, False),
        ({**OVER, "origin": "explicit"}, False, True),
        ({**OVER, "type": MemoryType.TASK}, False, True),
        ({**OVER, "type": MemoryType.CONTEXT}, False, True),
        ({**OVER, "type": MemoryType.CONTEXT, "event_at": NOON}, True, True),
        ({**OVER, "state": State.ACTIVE, "archive_reason": None, "expires_at": NOON}, True, True),
        ({**OVER, "state": State.ACTIVE, "archive_reason": None, "expires_at": NOON + MINUTE}, True, True),
    ],
)
def test_a_span_stands_as_long_as_its_memory_may_be_told(
    changes: dict[str, Any], stands: bool, stands_stale: bool
) -> None:
    held = memory(**changes)
    assert span_stands(held, ANA, Facts(), include_stale=False) is stands
    assert span_stands(held, ANA, Facts(), include_stale=True) is stands_stale


def test_a_span_of_a_removed_memory_never_stands() -> None:
    assert not span_stands(None, ANA, Facts(), include_stale=True)


def test_a_span_falls_with_the_word_of_the_person_concerned() -> None:
    facts = Facts(overriding=(memory(id="m_own"),))
    assert not span_stands(memory(), ANA, facts, include_stale=True)
    assert span_stands(memory(state=State.SUPERSEDED), ANA, facts, include_stale=True)


@pytest.mark.parametrize(
    ("view", "changes", "is_heard_again"),
    [
        (GROUP, {"learned_in": HERE, "learned_in_type": "group"}, True),
        (GROUP, {"learned_in": "chat-2", "learned_in_type": "group"}, False),
        (GROUP, {"learned_in": HERE, "learned_in_type": "private"}, False),
        (GROUP, {"learned_in": HERE, "learned_in_type": "group", "persona_id": "coach"}, False),
        (ANA, {"learned_in": "chat-2", "learned_in_type": "group"}, True),
        (ANA, {"learned_in": "chat-2", "learned_in_type": "group", "confidential": True}, False),
        (ANA, {"learned_in": "chat-2", "learned_in_type": "group", "sensitivity": Sensitivity.SENSITIVE}, False),
        (ANA, {"learned_in": "chat-2", "learned_in_type": "group", "sensitivity": Sensitivity.PERSONAL}, True),
        (replace(ANA, persona="coach"), {"learned_in_type": "group", "persona_id": "coach"}, True),
    ],
)
def test_what_was_said_among_several_may_be_told_to_them_again(
    view: View, changes: dict[str, Any], is_heard_again: bool
) -> None:
    held = memory(**OTHER, subject_person_ids=("p_cy",), stated_by="p_cy", **changes)
    assert visible(held, view, Facts()).reason == "other_scope"
    assert span_stands(held, view, Facts(), include_stale=False) is is_heard_again


@pytest.mark.parametrize(
    ("changes", "is_over"),
    [
        ({}, False),
        ({"state": State.SUPERSEDED}, True),
        ({"state": State.ARCHIVED, "archive_reason": "superseded"}, True),
        ({"state": State.ARCHIVED, "archive_reason": "expired"}, True),
        ({"state": State.ARCHIVED, "archive_reason": "ephemeral_decay"}, True),
        ({"state": State.ARCHIVED, "archive_reason": "forgotten"}, False),
        ({"expires_at": NOON}, True),
        ({"expires_at": NOON + MINUTE}, False),
        ({"expires_at": NOON, "state": State.SOFT_DELETED}, False),
    ],
)
def test_stale_is_what_was_replaced_or_is_over(changes: dict[str, Any], is_over: bool) -> None:
    assert is_stale(memory(**changes), ANA) is is_over


@pytest.mark.parametrize(
    ("spans", "left"),
    [
        ([], "I live in Oslo. I like tea. Bye!"),
        ([(0, 15)], "I like tea. Bye!"),
        ([(15, 27)], "I live in Oslo. … Bye!"),
        ([(15, 27), (0, 15)], "Bye!"),
        ([(0, 20), (10, 15)], "ke tea. Bye!"),
        ([(0, 14)], "I like tea. Bye!"),
        ([(0, 32)], ""),
    ],
)
def test_spans_are_left_out_and_the_rest_is_tidied(spans: list[tuple[int, int]], left: str) -> None:
    assert without_spans("I live in Oslo. I like tea. Bye!", spans) == left


def test_what_is_left_is_one_line() -> None:
    assert without_spans("tea \n and\tmilk", []) == "tea and milk"
