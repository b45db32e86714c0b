"""Questions about what was so before, and about one thing of the asker's."""

from __future__ import annotations

import pytest

UNKNOWN = "I don't know."


@pytest.fixture
def ana(memory):
    return memory.at(user="ana", chat="dm")


@pytest.mark.parametrize(
    ("told", "asked", "former", "present"),
    [
        (("My boss is Ingrid", "My boss is Tariq now"), "Who was my boss before?", "Ingrid", "Tariq"),
        (("My landlord is Paolo", "My landlord is Bea now"), "Who was my previous landlord?", "Paolo", "Bea"),
        (("I live in Lagos", "I moved to Accra"), "Where did I live before?", "Lagos", "Accra"),
    ],
)
def test_a_question_about_before_is_answered_with_the_former_or_not_at_all(ana, told, asked, former, present):
    ana.chat(told[0])
    assert ana.chat(asked).text == UNKNOWN
    ana.chat(told[1])
    reply = ana.chat(asked).text
    assert former in reply
    assert present not in reply


def test_what_was_only_put_right_never_was_so(ana):
    ana.chat("I live in Lagos")
    ana.chat("No wait, I live in Accra")
    assert ana.chat("Where did I live before?").text == UNKNOWN


def test_one_thing_of_the_askers_is_not_everything_about_them(ana):
    ana.chat("I'm so hungry today")
    assert ana.chat("Did I tell you about my exam?").text == UNKNOWN
    ana.chat("My exam is on Friday")
    reply = ana.chat("Did I tell you about my exam?").text
    assert "Friday" in reply
    assert "hungry" not in reply


def test_what_is_told_in_another_language_is_said_back_as_it_is(ana):
    ana.chat("Me llamo Amara y vivo en Cádiz")
    for asked in ("¿Dónde vivo?", "What do you know about me?", "Tell me about Amara"):
        assert "You llamo" not in ana.chat(asked).text
