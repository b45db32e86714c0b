"""What a message means for todos where one sentence does several things; the figures are those of `evals/todos`."""

from __future__ import annotations

from datetime import UTC, datetime

from wellkept.judges.english.todos.intents import read
from wellkept.policies.todos import Ending, TodoKind

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told(text, *open_todos):
    found = read(text, now=NOW, open_todos=open_todos)
    return found.endings, [(intent.kind, intent.text) for intent in found.new]


def test_a_message_ends_one_and_promises_another():
    ended, new = told("Rang the plumber, and tomorrow I'll book the ferry.", "Call the plumber", "Water the figs")
    assert ended == (Ending(effect="done", which=0),)
    assert new == [(TodoKind.COMMITMENT, "Book the ferry")]


def test_a_message_ends_several():
    ended, new = told("I watered the figs and called the plumber", "Call the plumber", "Water the figs")
    assert {ending.which for ending in ended} == {0, 1}
    assert new == []


def test_every_clause_is_read():
    _, new = told("I have to fetch Ayo at four; maybe I'll learn to juggle one day, and every Sunday I'm calling Nani")
    assert [kind for kind, _ in new] == [TodoKind.COMMITMENT, TodoKind.THREAD, TodoKind.HABIT]


def test_words_that_are_quoted_promise_nothing():
    assert told('My neighbour shouted "I will sue you tomorrow" across the yard') == ((), [])


def test_the_deed_is_noted_without_its_date_and_in_usual_spelling():
    _, new = told("gonna ring mum tmrw abt the flat")
    assert new == [(TodoKind.COMMITMENT, "Ring mum about the flat")]


def test_a_slip_of_the_finger_is_read_as_what_was_meant():
    _, new = told("im waterin the figs evrey mornign from now on")
    assert [kind for kind, _ in new] == [TodoKind.HABIT]
    assert told("the mourning doves sang on a sundry note") == ((), [])


def test_half_of_it_is_not_done_unless_it_is_done_again_and_again():
    assert told("I wrote three pages of the thesis", "Write the thesis")[0] == ()
    ended, _ = told("did two chapters of the novel", "Read the novel every evening")
    assert ended == (Ending(effect="done", which=0),)


def test_what_two_did_together_is_done():
    ended, _ = told("Ngozi and I spoke at last", "Pay the rent", "Call Ngozi")
    assert ended == (Ending(effect="done", which=1),)


def test_what_others_did_with_what_is_theirs_ends_nothing():
    assert told("my sister repaired her bike", "Repair the bicycle")[0] == ()
    assert told("the shop repaired my bike", "Repair the bicycle")[0] == (Ending(effect="done", which=0),)


def test_what_somebody_has_or_fears_is_nothing_to_do():
    for said in (
        "I have an allergy to nuts",
        "I have a ticket to Rome",
        "I'm not afraid of snakes",
        "I'm scared of bats",
        "The Izola plan is off, rents are insane",
    ):
        assert told(said) == ((), []), said
    assert told("I have two reports to write")[1] == [(TodoKind.COMMITMENT, "Write two reports")]
