"""What makes two memories the same, and the bands of similarity."""

from __future__ import annotations

import pytest

from tests.policies.make import claim
from wellkept.policies.writing import keys
from wellkept.policies.writing.keys import Bands
from wellkept.types import Subtype
from wellkept.vocabulary import MemoryType, Space


def test_plain_letters_are_read_like_those_of_every_script() -> None:
    for code in range(128):
        text = f"{chr(code)}A{chr(code)}b-{chr(code)}{chr(code)}_9{chr(code)}"
        assert keys.normalised(f"{text} ж") == f"{keys.normalised(text)} ж"


@pytest.mark.parametrize("text", ["Ελληνικά κείμενα", "日本語のテキスト", "نص عربي", "हिन्दी पाठ", "русский текст"])
def test_every_script_keeps_its_letters(text: str) -> None:
    assert keys.normalised(text)
    assert keys.normalised(text) != keys.normalised(text[:-1])


def test_texts_that_differ_in_form_only_are_one() -> None:
    assert keys.normalised("Dark-mode,  please!") == keys.normalised("dark mode PLEASE")


@pytest.mark.parametrize(
    ("refs", "is_about_others", "expected"),
    [
        (("project:atlas",), True, "PROJECT"),
        (("person:ana", "project:atlas"), True, "PEOPLE"),
        ((), False, "PROFILE"),
        (("place:oslo",), False, "PROFILE"),
    ],
)
def test_domain(refs: tuple[str, ...], is_about_others: bool, expected: str) -> None:
    assert keys.domain(refs, is_about_others=is_about_others) == expected


def test_a_projects_tasks_stay_tasks() -> None:
    assert keys.category(MemoryType.KNOWLEDGE, "PROJECT") == "projects"
    assert keys.category(MemoryType.TASK, "PROJECT") == "tasks"


def test_memory_key_has_four_parts() -> None:
    key = keys.memory_key("PROJECT", Subtype(entity_type="project"), "atlas")
    assert key == "project|project|atlas|fact"


def test_a_slot_belongs_to_its_person() -> None:
    mine = keys.fact_key("city", space=Space.USER, person_id="p_me", owner_person_id="p_me")
    hers = keys.fact_key("city", space=Space.USER, person_id="p_her", owner_person_id="p_me")
    shared = keys.fact_key("city", space=Space.CHAT, person_id="p_me", owner_person_id="p_me")
    assert (mine, hers, shared) == ("city", "p_her:city", "p_me:city")
    assert keys.fact_key(None, space=Space.USER, person_id="p_me", owner_person_id="p_me") is None


@pytest.mark.parametrize("key", ["likes", "p_x:likes", "ended:likes", "p_x:ended:favorite:color"])
def test_what_has_ended_is_the_contrary_of_what_holds(key: str) -> None:
    turned = keys.contraries(key)[0]
    assert keys.contraries(turned)[0] == key
    assert keys.is_ended(key) != keys.is_ended(turned)
    assert keys.slot_of(key) == keys.slot_of(turned)


def test_tastes_are_contraries_of_each_other() -> None:
    assert "p_x:dislikes" in keys.contraries("p_x:likes")
    assert "likes" in keys.contraries("dislikes")
    assert keys.contraries("ended:likes") == ("likes",)


def test_one_value_conflicts_and_many_values_do_not() -> None:
    red, blue = claim(value="red", cardinality="one"), claim(value="blue", cardinality="one")
    assert keys.discriminator(red, "favorite:color") == keys.discriminator(blue, "favorite:color")
    tea, jazz = claim(value="tea"), claim(value="jazz")
    assert keys.discriminator(tea, "likes") != keys.discriminator(jazz, "likes")
    assert keys.discriminator(tea, "likes") == keys.discriminator(claim(value="Tea!"), "likes")


def test_facts_without_slot_meet_only_in_equal_words() -> None:
    assert keys.discriminator(claim("A b c"), None) == keys.discriminator(claim("a, B c."), None)
    assert keys.discriminator(claim("A b c"), None) != keys.discriminator(claim("A b d"), None)


def test_what_is_kept_to_a_persona_meets_nothing_else() -> None:
    tea = claim(value="tea")
    assert keys.discriminator(tea, "likes", "Coach|") != keys.discriminator(tea, "likes")


@pytest.mark.parametrize(
    ("similarity", "band"),
    [
        (1.0, "same"),
        (0.85, "same"),
        (0.849, "judge"),
        (0.6, "judge"),
        (0.599, "maybe"),
        (0.3, "maybe"),
        (0.29, "different"),
        (0.0, "different"),
    ],
)
def test_borders_belong_to_the_higher_band(similarity: float, band: str) -> None:
    assert Bands().of(similarity) == band
