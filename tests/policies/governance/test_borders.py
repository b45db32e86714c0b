"""Borders: every crossing has a reason, and words ask for a wider space only when they mean it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.policies.make import memory
from wellkept.policies.governance import borders
from wellkept.policies.governance.policy import GOVERNED, load_policy
from wellkept.vocabulary import Authority, EventType, Space

NARROW = load_policy({"spaces": {"read_order": ["session", "user"]}})


def test_reading_follows_the_read_order():
    assert borders.may_read(Space.PROJECT, GOVERNED).reason == "allowed"
    assert borders.may_read(Space.PROJECT, NARROW).reason == "space_disabled"


def test_writing_is_for_the_session_alone():
    assert borders.may_write(Space.SESSION, GOVERNED).verdict == "pass"
    for space in (Space.USER, Space.CHAT, Space.PROJECT, Space.SYSTEM):
        assert borders.may_write(space, GOVERNED).reason == "write_space_disallowed"


def test_phases_may_be_off_and_their_diffs_too():
    off = load_policy({"phase": {"enabled": False}})
    blind = load_policy({"phase": {"diff_enabled": False}})
    assert borders.may_start_phase(off).reason == borders.may_diff(Space.SESSION, off).reason == "phase_disabled"
    assert borders.may_start_phase(blind).verdict == "pass"
    assert borders.may_diff(Space.SESSION, blind).reason == "phase_diff_disabled"
    assert borders.may_diff(Space.SYSTEM, NARROW).reason == "space_disabled"
    assert borders.may_diff(Space.SESSION, GOVERNED).verdict == "pass"


def reason(from_space, to_space, event="fact", authority="user_asserted", policy=GOVERNED):
    item = replace(memory(), space=Space(from_space), event_type=EventType(event), authority=Authority(authority))
    return borders.may_promote(item, Space(to_space), policy).reason


@pytest.mark.parametrize("event", ["preference", "decision", "fact", "correction"])
def test_a_users_word_may_go_to_the_user_and_on_to_the_project(event):
    assert reason("session", "user", event) == reason("user", "project", event) == "allowed"
    assert reason("session", "project", event, "tool_verified") == "allowed"
    assert reason("session", "project", event) == ("allowed" if event == "decision" else "promotion_authority")


@pytest.mark.parametrize("event", ["execution", "context"])
def test_what_passes_is_not_promoted(event):
    assert reason("session", "user", event) == reason("user", "project", event) == "promotion_event_type"
    assert reason("session", "project", event, "tool_verified") == "promotion_event_type"


@pytest.mark.parametrize(
    ("from_space", "to_space"),
    [("session", "system"), ("user", "system"), ("project", "system"), ("user", "session"), ("project", "user")],
)
def test_nothing_else_leads_anywhere(from_space, to_space):
    assert reason(from_space, to_space) == "promotion_disallowed"
    assert reason(from_space, to_space, "context", "ai_inferred") == "promotion_disallowed"


def test_what_was_said_in_confidence_goes_nowhere_that_others_read():
    item = replace(memory(), space=Space.SESSION, event_type=EventType.DECISION, confidential=True)
    assert borders.may_promote(item, Space.USER, GOVERNED).reason == "allowed"
    assert borders.may_promote(item, Space.PROJECT, GOVERNED).reason == "promotion_disallowed"


def test_refusals_come_in_their_order():
    assert reason("session", "user", "context", "ai_inferred") == "promotion_event_type"
    assert reason("session", "user", "fact", "ai_inferred") == "promotion_authority"
    assert reason("session", "user", "fact", "system_imposed") == "allowed"
    assert reason("session", "project", "decision", policy=NARROW) == "promotion_disallowed"


def test_the_border_itself_says_why():
    assert borders.may_cross(Space.SESSION, Space.USER, GOVERNED).reason == "allowed"
    assert borders.may_cross(Space.SESSION, Space.SYSTEM, GOVERNED).reason == "write_space_disallowed"
    assert borders.may_cross(Space.SESSION, Space.PROJECT, NARROW).reason == "space_disabled"


@pytest.mark.parametrize(
    ("text", "space"),
    [
        ("Remember this for me: I prefer concise updates", "user"),
        ("I prefer tea. Please save this for me.", "user"),
        ("remember that about me", "user"),
        ("Keep it in mind for me, I'm left-handed", "user"),
        ("Don't forget this for me: I hate olives", "user"),
        ("Remember this for the project: we use uv", "project"),
        ("Remember this for my project - deadline is May", "project"),
        ("note that for our billing project", "project"),
        ("Add this to project memory: we ship on Fridays", "project"),
        ("Project memory: we ship on Fridays", "project"),
        ("Remember this for everyone: the office is closed", "system"),
        ("save this for everybody", "system"),
        ("Remember this for the system", "system"),
        ("put that into system memory", "system"),
        ("Remember this for me and remember this for everyone", "system"),
    ],
)
def test_words_that_ask(text, space):
    found = borders.asked(text)
    assert found is not None
    assert (found.space.value, found.reason) == (space, "promotion_request")


@pytest.mark.parametrize(
    "text",
    [
        "I prefer concise updates",
        "Remember that I work for the project",
        "Can you remember it for me to read later?",
        "My laptop has 16 GB of system memory",
        "The system memory is full",
        "I remember everyone at the party",
        "She saved a seat for everyone",
        "Our project memory was great",
        "What do you remember about Maria?",
        "Don't remember this for me: I like figs",
        "You need not save this for me",
        "Do you remember this for me?",
        "She left a note for me",
        "The log for our project is long",
        "I usually keep it for myself",
        'He said: "remember this for me"',
    ],
)
def test_words_that_do_not_ask(text):
    assert borders.asked(text) is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Add to project memory: we use tabs", "we use tabs"),
        ("Project memory: we use tabs", "we use tabs"),
        ("Update the project memory with: we use tabs", "we use tabs"),
        ("Project memory:", "Project memory:"),
        ("We use tabs", "We use tabs"),
        ("Remember this for everyone in the house: rent is due", "rent is due"),
        ("Remember this for me: rent is due", "rent is due"),
        ("Please remember this about me - I'm a vegan", "I'm a vegan"),
        ("Remember about me that I'm a vegan", "I'm a vegan"),
        ("Could you save this for me? I speak Dutch.", "I speak Dutch."),
        ("I'd like you to remember this for our project – we ship it", "we ship it"),
        ("I speak Dutch. Remember this about me.", "I speak Dutch."),
        ("I like figs and please save that for me, thanks!", "I like figs"),
        ("We ship it; put that into project memory", "We ship it"),
        ("Remember this for me：我喜欢茶", "我喜欢茶"),
        ("Please remember this for me, ok?", ""),
        ("Remember this for me and remember this for everyone", ""),
        ("Don't remember this for me: I like figs", "Don't remember this for me: I like figs"),
    ],
)
def test_words_that_only_ask_are_taken_off(text, rest):
    assert borders.without_ask(text) == rest


@pytest.mark.parametrize(
    ("text", "is_request"),
    [
        ("Remember that the gate is green", True),
        ("please don't forget the milk", True),
        ("The gate is green, save this for me", True),
        ("Remember when we met?", False),
        ("I remember the gate", False),
        ("The gate is green", False),
    ],
)
def test_requests_to_keep_something(text, is_request):
    assert borders.is_request(text) == is_request
