"""Words that are searched for, and how much of a text is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.words import (
    CHARACTERS_MAX,
    QUERY_TERMS_MAX,
    REPEATS_MAX,
    SENTENCE_MAX,
    SENTENCES_MAX,
    TERM_LENGTH_MAX,
    legible,
    name_key,
    query_terms,
    term_counts,
    terms,
)

SAME = [
    "like likes liked liking",
    "dance dances danced dancing",
    "run runs running",
    "hope hopes hoped hoping",
    "plan plans planned planning",
    "move moves moved moving",
    "live lives lived living",
    "study studies studied studying",
    "party parties",
    "allergy allergies",
    "box boxes",
    "watch watches watched watching",
    "class classes",
    "bus buses",
    "create creates created creating",
    "visit visits visited visiting",
    "child children",
    "wife wives",
    "agree agreed agrees",
    "café cafe CAFÉ cafés",
    "straße STRASSE",
    "naïve naive",
    "O'Brien O’Brien obrien",
    "Sarah Sarah's Sarah’s",
    "ёлка елка",
    "ﬁne fine",
    "１２ 12",
    "1,000 1000",
    "مَرْحَبًا مرحبا",
]
APART = [
    "need seed feed",
    "car care",
    "hop hope",
    "plan plane",
    "hat hate",
    "sing string",
    "new news",
    "12 21",
    "3.14 314",
    "c c++ c#",
    "cat dog",
    "नमक नमकीन",
]


@pytest.mark.parametrize("line", SAME)
def test_forms_of_one_word_meet(line):
    assert len(set(terms(line))) == 1


@pytest.mark.parametrize("line", APART)
def test_other_words_stay_apart(line):
    assert len(set(terms(line))) == len(line.split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Alice lives in Berlin.", ["alic", "live", "in", "berlin"]),
        ("On 2026-11-17 at 10:30, 5pm", ["on", "2026", "11", "17", "at", "10", "30", "5pm"]),
        ("pi is 3.14, not 3", ["pi", "is", "3.14", "not", "3"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        ("foo_bar-baz/qux", ["foo", "bar", "baz", "qux"]),
        ("don't", ["dont"]),
        ("party 🎉👩‍💻", ["parti", "🎉", "👩", "💻"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("привет, мир!", ["привет", "мир"]),
        ("猫", ["猫"]),
        ("东京塔", ["东", "京", "塔", "东京", "京塔"]),
        ("I ♥ 寿司 bars", ["i", "♥", "寿", "司", "寿司", "bar"]),
        ("", []),
        (" \t\n.,;!?-_()[]{}\"'*%", []),
    ],
)
def test_terms_of_a_text(text, found):
    assert terms(text) == found


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("披萨", "我喜欢吃披萨"),
        ("萨", "我喜欢吃披萨"),
        ("タワー", "東京タワーに行った"),
        ("공부", "한국어를 공부한다"),
        ("กาแฟ", "ฉันชอบกาแฟเย็น"),
        ("цвет", "любимый цвет синий"),
        ("💙", "my colour is 💙"),
        ("ZÜRICH", "moved to Zurich"),
        ("allergies", "allergy to nuts"),
    ],
)
def test_a_query_finds_its_text(query, text):
    assert set(query_terms(query)) <= set(terms(text))


def test_counts_and_order():
    assert term_counts("tea, Tea and teas") == {"tea": 3, "and": 1}
    assert query_terms("tea cake tea") == ["tea", "cake"]


def test_stop_words_are_dropped_unless_there_is_nothing_else():
    assert query_terms("What is the name of my dog?") == ["name", "dog"]
    assert query_terms("who are you?") == ["who", "are", "you"]
    assert query_terms("The Who") == ["the", "who"]


def test_pairs_of_signs_only_in_a_query():
    assert query_terms("东京塔") == ["东京", "京塔"]


@given(st.text(max_size=200))
def test_any_text_has_terms_that_are_clean(text):
    for term in terms(text):
        assert 0 < len(term) <= TERM_LENGTH_MAX
        assert not set(term) & set(" \t\n\"'*%_()-;")
    assert set(query_terms(text)) <= set(terms(text))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_a_term_has_at_least_two_letters_left(word):
    (term,) = terms(word)
    assert len(term) >= min(len(word), 2)


def test_long_queries_are_bounded():
    assert len(query_terms(" ".join(f"w{number}" for number in range(5_000)))) == QUERY_TERMS_MAX
    assert terms("a" * 10_000) == ["a" * TERM_LENGTH_MAX]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("  Sarah  Jane ", "sarah jane"),
        ("my wife", "wife"),
        ("the Boss", "boss"),
        ("@Bob", "bob"),
        ("my the @X", "x"),
        ("MÜLLER", "müller"),
        ("ＳＡＲＡ", "sara"),
        ("Myra", "myra"),
        ("Theo", "theo"),
        ("O’Brien", "o'brien"),
        ("", ""),
    ],
)
def test_names_are_compared_by_their_key(name, key):
    assert name_key(name) == key


ORDINARY = " ".join(f"We met number {number} at the harbour, and Ana paid {number}.5 euros." for number in range(60))


@pytest.mark.parametrize("text", ["", "I like tea.", "no stop at all " * 20, ORDINARY])
def test_what_people_say_is_read_whole(text):
    found = legible(text)
    assert found.text == text
    assert not found.unread


@pytest.mark.parametrize("token", ["Mr. ", "a. ", "I like tea.\n", "好。"])
def test_the_same_sentence_is_read_a_few_times(token):
    text = token * (4_000 // len(token))
    assert legible(text).text == token * REPEATS_MAX
    assert not legible(text).unread


@pytest.mark.parametrize("token", ["n't á&#65;", "a.", "(", "password is "])
def test_a_sentence_of_half_a_page_is_not_read(token):
    text = token * (4_000 // len(token))
    assert legible(text).text == ""
    assert legible(text).unread == ((0, len(text)),)


def test_beyond_so_many_sentences_the_rest_is_one_stretch():
    text = "".join(f"Number {number} came. " for number in range(500))
    found = legible(text)
    assert found.text.count(".") == SENTENCES_MAX
    assert found.unread == ((len(found.text), len(text)),)


def test_no_more_than_so_many_characters_are_read():
    text = "".join(f"{number} {'long ' * 100}. " for number in range(100))
    found = legible(text)
    assert CHARACTERS_MAX - SENTENCE_MAX < len(found.text) <= CHARACTERS_MAX + SENTENCES_MAX


def test_what_was_read_is_found_again_where_it_was_said():
    before, long, after = "I like tea. ", "word " * 200 + ". ", "Ana likes jam."
    text = before + long + after
    found = legible(text)
    assert found.text == before + after
    start = found.text.index("Ana")
    assert text[slice(*found.place(start, len(found.text)))] == after
    assert found.place(0, len(found.text)) == (0, len(text))
    assert found.place(0, 0) == (0, 0)
