"""The parser: clauses with subject, verb and object; names and owners; questions with their gap."""

from __future__ import annotations

import random

import pytest

from wellkept.judges.english.grammar import parser
from wellkept.judges.english.grammar.parser import Clause, parse, sentences
from wellkept.judges.english.grammar.tokens import tokenise


def only(text: str) -> Clause:
    found = parse(text)
    assert len(found) == 1, [clause.text for clause in found]
    return found[0]


def test_places_are_offsets_into_the_message():
    text = "Hi!  My aunt Inês sings.\n- I row on Sundays"
    for clause in parse(text):
        assert text[clause.start : clause.end] == clause.text
        if clause.subject is not None:
            assert text[clause.subject.start : clause.subject.end] == clause.subject.text


def test_sentences_of_ascii_end_where_those_of_other_texts_do():
    chance = random.Random(3)
    texts = ["".join(chance.choices("aA1 .!?\n\"')", k=12)) for _ in range(5_000)]
    ends = {text: [one.span() for one in parser._END.finditer(text, 1, 11)] for text in texts}
    assert {text: [one.span() for one in parser._ASCII_END.finditer(text, 1, 11)] for text in texts} == ends
    assert sum(map(len, ends.values())) > len(texts)


def test_words_are_read_the_same_beside_blanks_and_signs():
    text = "  Tea w/o _milk, ana@x.org or\tU.S. C++ http://a.b/c 5pm\n"
    found = [(token.text, token.start) for token in tokenise(text, offset=100)]
    assert [one for one, _ in found] == [
        "Tea", "w/o", "milk", ",", "ana@x.org", "or", "U.S.", "C++", "http://a.b/c", "5pm",
    ]  # fmt: skip
    assert all(text[start - 100 :].startswith(one) for one, start in found)


@pytest.mark.parametrize(
    ("text", "name", "relation"),
    [
        ("My wife Sarah sings", "Sarah", "wife"),
        ("my hubby emeka sings", "Emeka", "husband"),
        ("my sister-in-law Nguyễn Thị Minh sings", "Nguyễn Thị Minh", "sister-in-law"),
        ("My boss Conor O'Brien sings", "Conor O'Brien", "boss"),
        ("my dentist Jan van der Berg sings", "Jan van der Berg", "dentist"),
        ("My cousin, Deepak, sings", "Deepak", "cousin"),
        ("Deepak, my cousin, sings", "Deepak", "cousin"),
        ("My business partner Alice sings", "Alice", "business partner"),
    ],
)
def test_a_relation_and_its_name_are_one_noun(text, name, relation):
    subject = only(text).subject
    assert subject is not None
    assert (subject.name, subject.relation) == (name, relation)
    assert subject.owner is not None
    assert subject.owner.is_speaker


def test_owners_form_a_chain():
    subject = only("my sister Ana's dog barks").subject
    assert subject is not None
    assert subject.head == "dog"
    assert subject.owner is not None
    assert (subject.owner.name, subject.owner.relation) == ("Ana", "sister")


@pytest.mark.parametrize(
    ("text", "lemma", "tense", "modal", "is_negative"),
    [
        ("I live in Rome", "live", "present", None, False),
        ("I don't live in Rome", "live", "present", None, True),
        ("I never lived in Rome", "live", "past", None, True),
        ("I used to live in Rome", "live", "past", "used to", False),
        ("im gonna live in Rome", "live", "future", "going to", False),
        ("She's been living in Rome", "live", "present", None, False),
        ("My sister's allergic to cats", "be", "present", None, False),
        ("I have to call Bo", "call", "present", "have to", False),
        ("My uncle beat me", "beat", "past", None, False),
    ],
)
def test_verb_groups(text, lemma, tense, modal, is_negative):
    verb = only(text).verb
    assert verb is not None
    assert (verb.lemma, verb.tense, verb.modal, verb.is_negative) == (lemma, tense, modal, is_negative)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I live in Rome and my sister lives in Bari", 2),
        ("I live in Rome but work in Bari", 2),
        ("I like hikes and walks", 1),
        ("I love cooking, I hate cleaning", 2),
        ("When I travel I take a pillow", 2),
        ("My friend who lives in Rome likes wine", 1),
        ("I moved because my wife got a job", 2),
    ],
)
def test_where_a_sentence_splits(text, count):
    assert len(parse(text)) == count


def test_a_shared_subject_is_passed_on():
    second = parse("My sister lives in Porto and works as a nurse")[1]
    assert second.is_shared
    assert second.subject is not None
    assert second.subject.relation == "sister"


@pytest.mark.parametrize(
    ("text", "wh", "gap", "subject", "lemma"),
    [
        ("What does my wife like?", "what", "object", "my wife", "like"),
        ("What's my favorite color?", "what", "complement", "my favorite color", "be"),
        ("Where does Ana live?", "where", "adverb", "Ana", "live"),
        ("Who lives in Porto?", "who", "subject", None, "live"),
        ("when is Sarah's birthday", "when", "adverb", "Sarah's birthday", "be"),
        ("Do I like coffee?", None, None, "I", "like"),
        ("who is my boss", "who", "complement", "my boss", "be"),
    ],
)
def test_questions_have_a_gap(text, wh, gap, subject, lemma):
    clause = only(text)
    assert clause.type == "question"
    assert (clause.wh, clause.gap) == (wh, gap)
    assert (clause.subject.text if clause.subject else None) == subject
    assert clause.verb is not None
    assert clause.verb.lemma == lemma


def test_code_and_quotes_are_set_apart():
    kinds = [sentence.kind for sentence in sentences('Look:\n```\nx = 1\n```\n> I am Bob\nimport os\n"I am Bob."')]
    assert kinds == ["prose", "code", "quote", "code", "quote"]


def test_abbreviations_do_not_end_a_sentence():
    assert len(sentences("Dr. Amsel works at 9 a.m. in St. Gallen. She is nice.")) == 2


def test_a_word_is_read_by_its_place_however_it_was_read_before():
    said = [(token.text, token.tag) for token in tokenise("Hiking! Ada likes Hiking. Don't! She doesn't")]
    assert said[0] == ("Hiking", "word")
    assert said[4] == ("Hiking", "name")
    assert [text for text, _ in said[6:]] == ["Do", "n't", "!", "She", "does", "n't"]


@pytest.mark.parametrize(
    "text", ["", "   ", "???", "🎉", "a" * 5000, "(" * 200, "'s 's 's", "my my my", "I", "and", '"']
)
def test_any_text_is_parsed(text):
    parse(text)
