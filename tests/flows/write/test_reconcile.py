"""Corrections and endings in a chat: the new value stands, and what was taken back is said no longer."""

from __future__ import annotations

import pytest

import wellkept
from wellkept import Memory
from wellkept.store.contract import Latest
from wellkept.vocabulary import Kind, Space


@pytest.fixture
def ana(memory):
    return memory.at(user="ana", chat="dm")


def _contents(ana):
    return {item.content for item in ana.list()}


@pytest.mark.parametrize("newer", ["Actually Oluwaseun has five children", "Oluwaseun has five children now"])
def test_a_newer_count_of_somebody_elses_children_takes_the_place_of_the_older(ana, newer):
    ana.chat("My brother Oluwaseun has two children")
    ana.chat(newer)
    assert "five" in ana.chat("How many children does Oluwaseun have?").text
    assert len(_contents(ana)) == 1


@pytest.mark.parametrize(
    ("told", "newer", "asked", "answer"),
    [
        ("My friend Ines lives in Braga", "No wait, Ines lives in Faro", "Where does Ines live?", "Faro"),
        ("My uncle Goran works at Ikea", "hold on, he works at Bosch", "Where does Goran work?", "Bosch"),
        ("I live in Kisumu", "I meant that I live in Nakuru", "Where do I live?", "Nakuru"),
        ("I live in Kisumu", "I live in Nakuru, I mean", "Where do I live?", "Nakuru"),
        ("My niece Freya is 6", "Scratch that. Freya is 7", "How old is Freya?", "7"),
        ("My grandmother is 91", "sorry, 92 I mean", "How old is my grandmother?", "92"),
        (
            "My favorite tree is oak",
            "wait no, my favorite tree is the alder",
            "What's my favorite tree?",
            "alder",
        ),
    ],
)
def test_words_that_announce_a_correction_are_no_part_of_it(ana, told, newer, asked, answer):
    ana.chat(told)
    ana.chat(newer)
    assert answer in ana.chat(asked).text
    [left] = _contents(ana)
    assert answer in left
    assert "mean" not in left


def test_a_change_outlasts_a_correction_that_was_made_before_it(ana):
    for said in ("I live in Kisumu", "No wait, I live in Nakuru", "I moved to Eldoret"):
        ana.chat(said)
    assert "Eldoret" in ana.chat("Where do I live?").text


@pytest.mark.parametrize(
    ("told", "ended", "asked"),
    [
        ("I play badminton on Thursdays", "I don't play badminton anymore", "Do I play badminton?"),
        ("I row every Saturday", "I no longer row", "Do I row?"),
        ("I go to pilates on Mondays", "I stopped going to pilates", "Do I go to pilates?"),
        ("My aunt Vesna plays the harp in a trio", "Vesna doesn't play the harp anymore", "Does Vesna play the harp?"),
        ("I have a subscription to Der Spiegel", "I cancelled my Spiegel subscription", "Do I have a subscription?"),
    ],
)
def test_an_ending_retires_what_it_takes_back(ana, told, ended, asked):
    ana.chat("I play the flute in a band")
    ana.chat(told)
    [kept] = [item.content for item in ana.list() if "flute" not in item.content]
    ana.chat(ended)
    assert kept not in _contents(ana)
    assert not ana.chat(asked).text.startswith("Yes")
    assert ana.chat("Do I play the flute?").text.startswith("Yes")


@pytest.fixture
def anywhere(store_url, clock):
    with wellkept.open(store_url, clock=clock, embedder="none") as opened:
        yield opened


def test_what_is_said_after_a_correction_replaces_it(anywhere, clock):
    ana = anywhere.at(user="ana", display_name="Ana")
    for text in ("I live in Paris", "Actually, I live in Rome"):
        ana.remember(text)
        clock.advance(days=1)
    clock.advance(days=120)
    later = ana.remember("I live in Oslo")
    assert (later.outcome, later.reason) == ("superseded_old", "recency")
    assert [one.content for one in ana.list()] == ["Ana lives in Oslo"]
    assert anywhere.upkeep.doctor().is_well


def live(memory: Memory, *told: str) -> str:
    at = memory.at(user="u1", chat="c1")
    for text in told:
        at.observe([{"content": text}], wait=True)
    return " | ".join(one.content for one in at.list())


@pytest.mark.parametrize(
    ("told", "old", "new"),
    [
        (("The oral is on 3 June.", "The oral was pushed to 9 June."), "3 June", "9 June"),
        (("My hip operation is on 5 May.", "They moved my operation to 12 May."), "5 May", "12 May"),
        (("My hip operation is on 5 May.", "The operation isn't until 12 May."), "5 May", "12 May"),
        (("The Holi party is on 4 March.", "Actually the party is on 5 March."), "4 March", "5 March"),
        (("The rollout is at 3 pm on Friday.", "We pushed the rollout back to 4 pm."), "3 pm", "4 pm"),
        (("Anselm's ordination is on 2 May.", "Anselm's ordination got delayed to 9 May."), "2 May", "9 May"),
        (("Our bin collection is on Friday.", "Our bin collection is on Mondays now."), "Friday", "Mondays"),
        (("The seder starts at 7 pm.", "The seder starts at 8 pm now."), "7 pm", "8 pm"),
        (("My daughter Nilay's recital is on 5 May.", "The recital was moved to 7 May."), "5 May", "7 May"),
        (("Our harvest feast is on 2 May.", "Harvest feast got moved to 9 May."), "2 May", "9 May"),
        (("I have the dentist on 2 May.", "Dentist got moved to 9 May."), "2 May", "9 May"),
        (("I have an optician appointment on 2 May.", "Optician is now on 9 May."), "2 May", "9 May"),
        (("My vet appointment is on 2 May.", "The vet's been pushed to 9 May."), "2 May", "9 May"),
        (("I see my therapist on 2 May.", "Therapist moved to 9 May."), "2 May", "9 May"),
        (("Physio is on 2 May at noon.", "My physio moved me to 9 May."), "2 May", "9 May"),
    ],
)
def test_a_new_day_ends_the_old_one(memory, told, old, new):
    held = live(memory, *told)
    assert new in held
    assert old not in held


def test_a_name_that_fits_two_things_changes_neither(memory):
    held = live(
        memory, "My hip operation is on 5 May.", "My eye operation is on 7 May.", "The operation was moved to 12 May."
    )
    assert "5 May" in held
    assert "7 May" in held
    assert "12 May" in held


def test_a_name_that_fits_the_things_of_two_people_changes_neither(memory):
    held = live(memory, "Kofi's recital is on 5 May.", "Ama's recital is on 7 May.", "The recital was moved to 12 May.")
    assert "5 May" in held
    assert "7 May" in held


def test_the_speakers_own_thing_is_meant_before_somebody_elses(memory):
    held = live(memory, "My son Bora's exam is on 2 June.", "My exam is on 4 June.", "The exam got moved to 8 June.")
    assert "2 June" in held
    assert "4 June" not in held


@pytest.mark.parametrize("moved", ["They moved dad's surgery to 12 May.", "They've pushed my dad's surgery to 12 May!"])
def test_what_nobody_in_particular_moved_is_moved_when_it_is_asked_to_be_kept_as_well(memory, moved):
    at = memory.at(user="u1")
    at.remember("My dad's surgery is on 5 May")
    at.remember(moved)
    (held,) = at.list()
    assert "surgery" in held.content
    assert "12 May" in held.content


def test_nothing_that_was_asked_to_be_kept_is_lost_behind_what_was_moved(memory):
    at = memory.at(user="u1")
    at.remember("They moved my scan to 2 July and my boss is annoyed")
    assert "boss is annoyed" in " ".join(one.content for one in at.list())


def test_the_hour_of_a_thing_ends_no_day_of_it(memory):
    held = live(memory, "The regatta is on 7 March.", "The regatta starts at 9 am now.")
    assert "7 March" in held
    assert "9 am" in held


@pytest.mark.parametrize(
    "ended",
    [
        "The street party was cancelled.",
        "The street party is off.",
        "Street party's off, sadly.",
        "The street party's been called off.",
        "The street party has been cancelled.",
        "The street party isn't happening.",
        "The party's off.",
    ],
)
def test_what_is_called_off_has_no_day(memory, ended):
    held = live(memory, "The street party is on 7 March.", ended)
    assert "7 March" not in held


@pytest.mark.parametrize(
    ("planned", "ended"),
    [
        ("We're planning a weekend in Bornova.", "The Bornova plan is off."),
        ("We're planning a weekend in Bornova.", "We're not going to Bornova after all."),
        ("I'm going to Malmö next week.", "I'm not going to Malmö any more."),
        ("We're having a barbecue on Sunday.", "Barbecue's cancelled."),
        ("We have a picnic with the Okafors on Saturday.", "The picnic's off."),
        ("We're going camping near Bled soon.", "We're not going camping after all."),
    ],
)
def test_a_plan_that_is_off_is_no_plan(memory, planned, ended):
    held = live(memory, "We're planning a weekend in Tartu.", planned, ended)
    assert held == "The user is planning a weekend in Tartu"
    session = memory.governed(session="s1", user="u2")
    for text in (planned, ended):
        session.record(user=text)
    assert (
        memory.engine.store.memories(Latest(scope=("default", Space.SESSION, "s1"), kinds=(Kind.SEMANTIC,), limit=9))
        == ()
    )


def test_what_was_and_what_is_elsewhere_is_not_called_off(memory):
    told = ("We went to Ghent last weekend.", "We're planning a trip to Bruges.", "The Ghent plan is off.")
    held = live(memory, *told)
    assert "went to Ghent" in held
    assert "trip to Bruges" in held


def test_a_thing_that_is_switched_off_was_not_called_off(memory):
    assert live(memory, "The boiler service is on 7 March.", "The boiler is off.") == "The boiler service is on 7 March"


def test_a_later_word_finds_the_name_that_the_thing_had_first(memory):
    held = live(
        memory,
        "My hip operation is on 5 May.",
        "They moved my operation to 12 May.",
        "My hip operation is on 19 May.",
    )
    assert "19 May" in held
    assert "12 May" not in held


@pytest.mark.parametrize(
    "asked",
    ["When is the oral?", "When does the oral take place?", "What day is the oral?", "When will the oral start?"],
)
def test_the_new_day_answers(memory, asked):
    at = memory.at(user="u1", chat="c1")
    at.chat("The oral is on 3 June.")
    at.chat("The oral was pushed to 9 June.")
    answer = at.chat(asked).text
    assert "9 June" in answer
    assert "3 June" not in answer


def test_a_profession_stands_for_its_own_appointment_alone(memory):
    held = live(
        memory, "I have a dentist appointment on 2 May.", "My osteopath is on 9 May.", "My barber moved to Bath."
    )
    assert all(told in held for told in ("2 May", "9 May", "Bath"))


def test_who_has_an_appointment_may_have_another(memory):
    held = live(memory, "I have a dentist appointment on 2 May.", "I have a dentist appointment on 9 May.")
    assert "2 May" in held
    assert "9 May" in held


def test_a_todo_is_put_off_with_its_appointment(memory):
    at = memory.at(user="u1")
    at.observe([{"content": "I'm seeing the vet on Friday."}], wait=True)
    (before,) = at.todos()
    at.observe([{"content": "The vet got pushed to next Monday."}], wait=True)
    (after,) = at.todos()
    assert before.id == after.id
    assert before.due_at is not None
    assert after.due_at is not None
    assert after.due_at > before.due_at


@pytest.mark.parametrize(
    "text", ["The vet is booked until 2 May.", "The doctor is in on Mondays.", "My dentist is in Leuven."]
)
def test_where_and_when_somebody_works_is_no_appointment(memory, text):
    at = memory.at(user="u1", chat="c1")
    at.observe([{"content": text}], wait=True)
    assert not [one for one in at.list() if "appointment" in (one.fact_key or "")]
