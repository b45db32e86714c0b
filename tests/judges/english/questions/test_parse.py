"""What a question asks: whether it is one, about whom, for which slot."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellkept.judges.english.questions.paraphrases import meant
from wellkept.judges.english.questions.parse import analyse, is_question, understand


@pytest.mark.parametrize(
    "text",
    [
        "What's my favorite color?",
        "where do I work",
        "who is Priya",
        "Do I have a dog?",
        "tell me my wife's name",
        "Can you remind me when the recital is",
        "do you remember what my lucky number is",
        "what do you know about me",
        "I forgot my doctor's name",
        "so, how old is Theo?",
        "Any idea where I parked?",
        "¿Dónde vivo?",
        "我住在哪里？",
    ],
)
def test_it_is_a_question(text):
    assert is_question(text)
    assert understand(text).is_question


@pytest.mark.parametrize(
    "text",
    [
        "My favorite color is blue",
        "Remember that I like tea",
        "Can you remember that I like tea",
        "When I was young I lived in Oslo",
        "What a lovely day!",
        "I know what I want.",
        "The user does yoga",
        "Is",
        "",
        "   ",
        "Thanks, that helps",
    ],
)
def test_it_is_no_question(text):
    assert not understand(text).is_question


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What's my favorite color?", ()),
        ("What does my wife like?", ("my wife",)),
        ("Where does Bob live?", ("Bob",)),
        ("When is Sarah's brother's birthday?", ("Sarah's brother",)),
        ("What do you know about my boss?", ("my boss",)),
        ("What do you remember about Anika?", ("Anika",)),
        ("what do you know about me?", ("me",)),
        ("When is the party?", ()),
    ],
)
def test_whom_it_asks_about(text, about):
    assert understand(text).about == about


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("What's my favourite colour?", "favorite:color"),
        ("Which film do I like best?", "favorite:movie"),
        ("Where do I live?", "city"),
        ("What do I do for a living?", "job"),
        ("Where does Ana work?", "employer"),
        ("How old am I?", "age"),
        ("When was Omar born?", "birthday"),
        ("What are my pronouns?", "pronouns"),
        ("Which editor do I use?", "editor"),
        ("What do I like?", "likes"),
        ("When is the party?", None),
    ],
)
def test_the_slot_it_asks_for(text, slot):
    assert understand(text).slot == slot


def test_everything_about_somebody():
    assert understand("What do you know about Bob?").asks_everything
    assert understand("Tell me about my sister").asks_everything
    assert not understand("What does Bob know about wine?").asks_everything


def test_what_an_answer_must_be():
    assert analyse("When is the party?").wanted == "time"
    assert analyse("What time do I get up?").wanted == "time"
    assert analyse("Where did I park?").wanted == "place"
    assert analyse("How many cats do I have?").wanted == "number"
    assert analyse("Who lent me the drill?").wanted == "person"
    assert analyse("Do I prefer tea or coffee?").choices == ("tea", "coffee")


def test_terms_are_other_words_for_what_is_asked():
    terms = understand("What should I avoid eating?").terms
    assert "food" in terms
    assert "avoid" not in terms


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_it_and_each_gives_the_same_again(text):
    assert understand(text) == understand(text)
    assert understand(text + "?") == understand(text + "?")


@pytest.mark.parametrize("piece", ["what ", "do you know ", "my wife's ", "?", "who is Bob and ", "a"])
def test_long_input_ends(piece):
    text = piece * (10_000 // len(piece))
    assert understand(text) == understand(text)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Who do we answer to?", "who is our boss?"),
        ("What shouldn't I bake for my cousin?", "what does my cousin avoid"),
        ("Which foods can't Ravi eat?", "what does Ravi avoid"),
        ("Where does my niece go to university?", "which school does my niece attend?"),
        ("Which hand does Ola write with?", "what handed is Ola"),
        ("What did my uncle do before he retired?", "what job did my uncle have"),
        ("What does my uncle do before lunch?", "What does my uncle do before lunch?"),
    ],
)
def test_turns_of_phrase_mean_a_plain_question(question, plain):
    assert meant(question) == plain


def test_questions_for_news_share_no_word_with_their_answer():
    found = [analyse(text) for text in ("What happened to Odile?", "What's my cousin up to these days?")]
    assert [(one.kind, one.holder.name, one.holder.relation) for one in found] == [
        ("happened", "Odile", None), ("doing", None, "cousin"),
    ]  # fmt: skip
