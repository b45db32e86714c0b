"""Intents told to chat: one list, which is told when it is asked for."""

from __future__ import annotations

import pytest

from wellkept.flows.sessions import todos
from wellkept.policies.writing.gate import REFUSALS


@pytest.fixture
def ana(memory):
    return memory.at(user="ana", chat="dm")


def test_an_intent_is_a_todo_and_no_memory(ana):
    assert ana.chat("Remind me to water the ferns.").text == "On your list: Water the ferns."
    assert [todo.text for todo in ana.todos()] == ["Water the ferns"]
    assert not ana.list()


def test_what_is_told_beside_it_is_remembered(ana):
    reply = ana.chat("My aunt Ngozi is a potter. I have to buy clay.")
    assert [outcome.content for outcome in reply.outcomes] == ["Ngozi is a potter"]
    assert reply.text == "I'll remember that. On your list: Buy clay."


@pytest.mark.parametrize("asked", ["What's on my list?", "What do I still need to do?", "Tell me my to-dos?"])
def test_the_list_is_told_when_it_is_asked_for(ana, asked):
    assert ana.chat(asked).text == "There is nothing on your list."
    ana.chat("I need to buy clay")
    ana.chat("I must call Idris tomorrow")
    told = ana.chat(asked).text
    assert told.startswith("On your list: Call Idris (")
    assert told.endswith("); Buy clay.")


def test_what_is_on_it_answers_a_question(ana):
    ana.chat("I need to buy clay tomorrow")
    assert ana.chat("What do I need to buy?").text.startswith("On your list: Buy clay")
    assert ana.chat("What should I buy tomorrow?").text.startswith("On your list: Buy clay")
    assert ana.chat("What should I buy for Idris?").text == "I don't know."
    assert ana.chat("What would you buy?").text == "I don't know."


def test_what_is_done_or_given_up_comes_off_it(ana):
    ana.chat("I need to buy clay")
    assert ana.chat("I bought the clay").text == "Done: Buy clay."
    assert not ana.todos()


def test_others_who_listen_are_not_told(memory, ana):
    ana.chat("I need to buy clay")
    group = memory.at(user="ana", chat="club", chat_type="group")
    assert group.chat("What's on my list?").text == "I tell your list to you alone."


def test_a_plan_that_changes_a_life_is_remembered_as_well(ana):
    ana.chat("I'm starting a new job at Zephyr Foods on 1 March")
    assert [todo.text for todo in ana.todos()] == ["Start a new job at Zephyr Foods"]
    assert [memory.content for memory in ana.list()] == ["The user is starting a new job at Zephyr Foods on 1 March"]


def test_what_is_so_already_is_no_intent(ana):
    ana.chat("I'm taking metformin twice a day")
    assert not ana.todos()
    assert ana.list()[0].type == "identity"


@pytest.mark.parametrize(
    "said",
    ["Remind me tomorrow to call Idris.", "Remind me on Friday to call Idris", "remind me in two weeks to call Idris"],
)
def test_a_reminder_with_its_day_in_front_is_no_question(ana, said):
    assert ana.chat(said).text.startswith("On your list: Call Idris (")


@pytest.mark.parametrize(
    "said",
    [
        "Between us, remind me to call the lawyer on Friday.",
        "In confidence: remind me to renew the order in May.",
        "Don't tell anyone, but remind me to book the clinic.",
    ],
)
def test_a_reminder_in_confidence_is_told_why(ana, said):
    assert ana.chat(said).text == todos.NOT_IN_CONFIDENCE
    assert not ana.todos()


@pytest.mark.parametrize(
    "said",
    ["Remind me to pay with card 4111 1111 1111 1111 tomorrow.", "Remind me that the wifi password is hunter2Zebra!9"],
)
def test_a_reminder_with_a_secret_is_told_why(ana, said):
    assert ana.chat(said).text == REFUSALS["privacy_deny_sensitive"]
    assert not ana.todos()
    assert not ana.list()
