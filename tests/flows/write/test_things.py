"""A thing's new value and its new holder end the old one, by any name of the thing, and nothing else."""

from __future__ import annotations

import pytest

from tests.flows.write.test_reconcile import live


@pytest.mark.parametrize(
    ("told", "old", "new"),
    [
        (("Ifeoma owns the checkout service.", "Tomás owns checkout now."), "Ifeoma", "Tomás"),
        (("Ngozi leads the mobile team.", "Henrik leads the mobile team now."), "Ngozi", "Henrik"),
        (("Bao runs the chess club.", "The chess club is now run by Inés."), "Bao", "Inés"),
        (("Kwame manages the depot.", "Marisol took over the depot."), "Kwame", "Marisol"),
        (("Yusuf is the maintainer of the parser.", "Now Lena is the maintainer of the parser."), "Yusuf", "Lena"),
        (("The rate limit is 600.", "Actually the rate limit was raised to 900."), "600", "900"),
        (("The garden budget is 5,000 pounds.", "The budget was cut to 4,000 pounds."), "5,000", "4,000"),
        (("The on-call engineer is Dmitri.", "The on-call engineer is Aroha now."), "Dmitri", "Aroha"),
        (("The staging server runs Debian 11.", "The staging server runs Debian 12 now."), "11", "12"),
        (("The boiler pressure is 1.2 bar.", "The boiler pressure should be 1.5 bar, not 1.2."), "1.2", "1.5"),
    ],
)
def test_the_new_ends_the_old(memory, told, old, new):
    held = live(memory, *told)
    assert new in held
    assert old not in held


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (("Chidi owns the search service.", "Ravi owns the login service now."), ("Chidi", "Ravi")),
        (("Chidi owns the search service.", "Ravi owns the search service."), ("Chidi", "Ravi")),
        (
            ("The limit of the search API is 600.", "The limit of the mail API was raised to 450."),
            ("600", "450"),
        ),
        (("The staging server uses Ansible.", "The staging server uses Puppet."), ("Ansible", "Puppet")),
    ],
)
def test_another_thing_or_no_word_of_a_change_ends_nothing(memory, told, kept):
    held = live(memory, *told)
    assert all(one in held for one in kept)


def test_the_new_holder_answers(memory):
    at = memory.at(user="u1", chat="c1")
    at.chat("Ifeoma owns the checkout service.")
    at.chat("Tomás owns checkout now.")
    answer = at.chat("Who owns checkout?").text
    assert "Tomás" in answer
    assert "Ifeoma" not in answer


def test_a_pet_is_no_person(memory):
    ana = memory.at(user="ana", chat="dm")
    ana.remember("I have a dog named Max")
    ana.remember("Max loves carrots")
    assert ana.people() == ()
    [carrots] = [one for one in ana.list() if "carrots" in one.content]
    assert (carrots.subject_person_ids, carrots.fact_key) == ((), None)
    ana.remember("My friend Ole plays golf")
    ana.remember("Ole likes tea")
    assert [one.name for one in ana.people()] == ["Ole"]
