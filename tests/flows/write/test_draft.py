"""Who is meant in a chat, however a name is written, and whose word stands."""

from __future__ import annotations

import pytest


@pytest.fixture
def ana(memory):
    return memory.at(user="ana", chat="dm")


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("My friend Zoë restores clocks", "What does Zoe restore?", "clocks"),
        ("My landlord Schröder breeds pigeons", "What does Schroeder breed?", "pigeons"),
        ("My cousin Viktor repairs violins", "What does Victor repair?", "violins"),
        ("My colleague Tran Thi An lives in Vinh", "Where does Tran Thi An live?", "Tran Thi An lives in Vinh"),
    ],
)
def test_a_name_is_known_in_another_spelling_and_to_its_last_word(ana, told, asked, answer):
    ana.chat(told)
    assert answer in ana.chat(asked).text


def test_a_name_that_only_begins_alike_is_somebody_elses(ana):
    ana.chat("My cousin Viktor repairs violins")
    assert ana.chat("What does Viktoria repair?").text == "I don't know."


def test_a_possessive_with_nothing_behind_it_is_no_verb(ana):
    ana.chat("The parrot at my sister's is loud")
    [kept] = ana.list()
    assert kept.content == "The parrot at the user's sister's is loud"


@pytest.mark.parametrize(
    ("hearsay", "own", "asked"),
    [
        ("Ravi is afraid of snakes", "I'm not afraid of snakes in the least", "Is Ravi afraid of snakes?"),
        ("Ravi wears glasses", "I don't wear glasses at all", "Does Ravi wear glasses?"),
    ],
)
def test_a_denial_by_the_person_concerned_stands_above_what_others_say(memory, hearsay, own, asked):
    memory.at(user="ravi", chat="team", chat_type="group").chat("Hello everyone")
    mei = memory.at(user="mei", chat="team", chat_type="group")
    mei.chat(hearsay)
    assert mei.chat(asked).text.startswith("Yes")
    memory.at(user="ravi", chat="dm-ravi").chat(own)
    assert mei.chat(asked).text.startswith("No")


@pytest.mark.parametrize(
    ("relation", "kept"),
    [("climbing partner", "friend"), ("piano teacher", "teacher"), ("lab partner", "friend"), ("gym buddy", "friend")],
)
def test_whoever_is_something_to_the_asker_in_two_words_is_found_by_them(memory_without_vectors, relation, kept):
    wen = memory_without_vectors.at(user="wen", chat="dm")
    wen.chat(f"Sofia is my {relation}")
    wen.chat("Sofia's recital is on May 4")
    assert "May 4" in wen.chat(f"When is my {relation}'s recital?").text
    assert wen.chat("When is my dance teacher's recital?").text == "I don't know."
    assert [(person.name, person.relation) for person in wen.people()] == [("Sofia", kept)]


@pytest.mark.parametrize(
    ("told", "asked", "name"),
    [
        ("Call me Dede.", "What should you call me?", "Dede"),
        ("Please call me Captain.", "What do you call me?", "Captain"),
        ("My name is Oluwaseun but call me Seun.", "What should I be called?", "Seun"),
        ("My food truck is called Masala Wheels.", "What's my food truck called?", "Masala Wheels"),
        ("We named our bakery Pan y Sol.", "What is our bakery called?", "Pan y Sol"),
        ("My band is called The Lanterns.", "What is my band's name?", "Lanterns"),
    ],
)
def test_what_somebody_or_something_is_called_is_answered(memory, told, asked, name):
    at = memory.at(user="u1", chat="c1")
    at.chat(told)
    assert name in at.chat(asked).text


@pytest.mark.parametrize(
    ("before", "told", "old", "new"),
    [
        ("My phone number is 0171 5551234.", "My phone number changed, it's 0171 5559876 now.", "5551234", "5559876"),
        ("My email is bo@example.org.", "My email has changed: it's now bo@example.net.", "example.org", "example.net"),
        ("My phone number is 0171 5551234.", "I have a new phone number, 0171 5550000.", "5551234", "5550000"),
    ],
)
def test_a_value_told_after_its_change_takes_the_place_of_the_old(memory, before, told, old, new):
    at = memory.at(user="u1", chat="c1")
    at.chat(before)
    at.chat(told)
    held = " ".join(one.content for one in at.list())
    assert new in held
    assert old not in held
