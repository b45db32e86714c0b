"""Explicit requests, in many wordings, and what is not one."""

from __future__ import annotations

import pytest

from wellkept.judges.english.messages.requests import persona_address, recognise, without_confidence
from wellkept.judges.english.privacy import is_confidential


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        ("Remember that I hate olives", "I hate olives"),
        ("please remember my size is 42", "my size is 42"),
        ("Don't forget: the gas man comes at 8", "the gas man comes at 8"),
        ("don’t forget that Ife is allergic to eggs.", "Ife is allergic to eggs."),
        ("Save this: gate 12", "gate 12"),
        ("Could you please make a note that Bo plays oboe?", "Bo plays oboe?"),
        ("Note that we ship on Mondays", "we ship on Mondays"),
        ("Keep in mind I'm vegan", "I'm vegan"),
        ("keep this in mind: no peanuts", "no peanuts"),
        ("For the record, I never liked disco", "I never liked disco"),
        ("note to self, I never liked disco", "I never liked disco"),
        ("I park on level 3, remember that", "I park on level 3"),
        ("My bus is the 42. Please don't forget that!", "My bus is the 42"),
        ("I want you to remember that I work nights", "I work nights"),
        ("ok so remember my cat is Miso", "my cat is Miso"),
        ("Merk dir, dass ich in Graz wohne", "ich in Graz wohne"),
        ("Recuerda que mi hermana vive en Lima", "mi hermana vive en Lima"),
        ("N'oublie pas que j'aime le thé", "j'aime le thé"),
        ("Ricorda che sono vegano", "sono vegano"),
        ("Lembre que moro em Braga", "moro em Braga"),
        ("记住我喜欢茶", "我喜欢茶"),
    ],
)
def test_the_payload_is_what_is_asked_to_be_kept(text, payload):
    request = recognise(text)
    assert request is not None
    assert request.payload == payload
    assert text[request.start :].startswith(payload[:5])


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember my name?",
        "Remember when we went to Rome?",
        "I remember the summer of 2009",
        "What do you remember about me?",
        "Remember me?",
        "Can you recall what I said?",
        "I like tea",
        "Save the file",
        "Remind me to call Bo",
        "",
    ],
)
def test_talk_about_remembering_is_no_request(text):
    assert recognise(text) is None


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("remember for 2 weeks that I park on level 3", "for 2 weeks"),
        ("Remember until Friday: the lift is broken", "until Friday"),
        ("remember that I park on level 3", None),
    ],
)
def test_how_long_it_is_to_be_kept(text, duration):
    request = recognise(text)
    assert request is not None
    assert request.duration == duration


def test_a_confidence_may_be_for_one_persona_alone():
    request = recognise("Remember, just between us, Coach: I want to quit the team")
    assert request is not None
    assert request.persona == "Coach"
    assert request.is_confidential
    assert request.payload == "I want to quit the team"
    assert persona_address("Just between us, Coach: I'm tired") == "Coach"
    assert persona_address("Coach, I'm tired") is None


@pytest.mark.parametrize(
    ("text", "audience"),
    [
        ("remember this for everyone: standup is at 9", "everyone"),
        ("Save this for the project: we use tabs", "project"),
        ("remember this for me: gate 12", "me"),
        ("remember gate 12", None),
    ],
)
def test_for_whom_it_is_to_be_kept(text, audience):
    request = recognise(text)
    assert request is not None
    assert request.audience == audience


@pytest.mark.parametrize(
    "text",
    [
        "just between you and me Coach, I'm tired",
        "Coach, this stays between us: I'm tired",
        "Coach, keep this to yourself: I'm tired",
        "Only for you, Coach: I'm tired",
        "This is just for Coach: I'm tired",
        "Don't tell the others, Coach, but I'm tired",
    ],
)
def test_a_confidence_is_addressed_in_many_words(text):
    assert persona_address(text) == "Coach"
    assert is_confidential(text)
    assert without_confidence(text)[0] == "I'm tired"


@pytest.mark.parametrize(
    "text", ["Coach, I'm tired", "Ask Coach about it", "A cake just for Tom, please", "For Coach I run"]
)
def test_what_only_names_a_persona_is_no_confidence(text):
    assert persona_address(text) is None
    assert not is_confidential(text)
