"""Corrections and endings in a chat: the new value stands, and what was taken back is said no longer."""

from __future__ import annotations

import pytest

import wellkept


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
