"""The verb of a clause: tense, aspect, modality, negation and particle."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.tokens import tokenise
from wellkept.judges.english.grammar.verbgroup import Verb, verb_group


def verb(text: str) -> Verb:
    """The group that begins at the second word."""
    tokens = tokenise(text)
    return verb_group(text, tokens, 1, len(tokens))[0]


@pytest.mark.parametrize(
    ("text", "lemma", "tense", "aspect"),
    [
        ("I sing", "sing", "present", "simple"),
        ("I sang", "sing", "past", "simple"),
        ("I will move", "move", "future", "simple"),
        ("I am moving", "move", "present", "progressive"),
        ("I have moved", "move", "present", "perfect"),
        ("I have not been sleeping well", "sleep", "present", "perfect progressive"),
    ],
)
def test_tense_and_aspect_add_up(text, lemma, tense, aspect):
    found = verb(text)
    assert (found.lemma, found.tense, found.aspect) == (lemma, tense, aspect)


def test_negation_voice_particle_and_modality_are_seen():
    assert verb("I have not been sleeping").is_negative
    assert not verb("I have been sleeping").is_negative
    assert verb("It was stolen yesterday").is_passive
    assert not verb("It stole something").is_passive
    assert verb("I gave up coffee").particle == "up"
    assert verb("I used to smoke").modal == "used to"


def test_the_group_ends_where_its_words_do():
    text = "I gave up coffee"
    found = verb(text)
    assert text[found.start : found.end] == found.text == "gave up"
