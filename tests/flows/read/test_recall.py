"""The read path through the public API."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import InvalidInput
from wellkept.store.opening import restore

FACTS = [
    "I'm allergic to shellfish",
    "My sister Ngozi plays the cello",
    "I work as a nurse in Utrecht",
    "My dog Biscuit hates thunderstorms",
    "We spend every August in Brittany",
    "My favorite poem is Ithaka",
]

QUERIES = [
    '"', "'", "*", "a*", "NEAR(", ")", "(", "-", "--", "AND OR NOT", 'content:"x"', "%", "_", "\\", "🙂",
    "我的狗叫什么名字",
    "ما اسم كلبي", "x" * 10_000, "\x00", "a\x00b", "\u202e evil", "; DROP TABLE memories", "{}[]", "\n\n",
]  # fmt: skip


@pytest.fixture
def ana(memory):
    viewpoint = memory.at(user="ana")
    viewpoint.remember(FACTS)
    return viewpoint


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("Which foods are dangerous for me?", "shellfish"),
        ("what instrument does my sister play?", "cello"),
        ("who is Ngozi?", "Ngozi"),
        ("What is my profession?", "nurse"),
        ("what is my pet afraid of", "Biscuit"),
        ("where do we go in summer", "Brittany"),
        ("favorite", "Ithaka"),
    ],
)
def test_the_fact_is_found_first(ana, query, word):
    found = ana.recall(query)
    assert found.verdict == "found"
    assert word in found.hits[0].text


def test_a_hit_says_who_and_why(ana):
    hit = ana.recall("what does my sister play?").hits[0]
    assert hit.about == ("Ngozi",) or "Ngozi" in hit.about[0]
    assert hit.stated_by == "you"
    assert "about:Ngozi" in hit.why
    assert hit.source == "memory"
    assert 0 < hit.score <= 1.2
    assert set(hit.parts) >= {"similarity", "words", "people", "trust"}


@pytest.mark.parametrize("query", QUERIES)
def test_any_text_is_a_safe_query(ana, query):
    if query.strip():
        assert len(ana.recall(query, limit=5)) <= 5
    else:
        with pytest.raises(InvalidInput) as caught:
            ana.recall(query)
        assert caught.value.code == "empty_query"


@pytest.mark.parametrize(("options", "code"), [({"limit": 0}, "invalid_limit"), ({"limit": 10**9}, "invalid_limit")])
def test_limits(ana, options, code):
    with pytest.raises(InvalidInput) as caught:
        ana.recall("dog", **options)
    assert caught.value.code == code


def test_an_empty_memory_has_nothing(memory):
    found = memory.at(user="zoe").recall("anything at all?")
    assert (found.verdict, found.hits) == ("nothing", ())


def test_what_has_nothing_to_do_with_it_is_not_returned(ana):
    assert ana.recall("How do transistors amplify current?").verdict in ("nothing", "below_threshold")


def test_what_is_left_out_as_noise_is_not_even_read(ana, memory, monkeypatch):
    database = memory.engine.store._db
    read, rows = [], database.rows

    def counted(name, given):
        found = rows(name, given)
        read.append((name, len(found)))
        return found

    monkeypatch.setattr(database, "rows", counted)
    assert ana.recall("How do transistors amplify current?").verdict == "below_threshold"
    assert ("memories_of_places", 1) in read, "the nearest, to know that there is something"
    read.clear()
    assert len(ana.recall("How do transistors amplify current?", threshold=0.0).hits) == len(FACTS)
    assert ("memories_of_places", len(FACTS)) in read


def test_the_nearest_is_not_returned_for_being_the_nearest(memory):
    kofi = memory.at(user="kofi", chat="dm")
    kofi.observe([{"content": "I keep bees on my balcony"}, {"content": "The tram was late again"}], extract=False)
    found = kofi.recall("How is Anjali?")
    assert (found.hits, found.verdict) == ((), "below_threshold")
    assert len(kofi.recall("How is Anjali?", threshold=0).hits) == 2
    assert kofi.recall("insects at home").hits[0].text == "I keep bees on my balcony"


def test_only_the_current_value_is_recalled(memory):
    bo = memory.at(user="bo")
    bo.remember("My favorite color is red")
    bo.remember("My favorite color is blue")
    assert all("red" not in hit.text for hit in bo.recall("favorite color", threshold=0))
    assert "red" not in str(bo.context("favorite color"))
    assert "blue" in str(bo.context("favorite color"))


def test_as_of_a_date_shows_what_was_true(memory, clock):
    bo = memory.at(user="bo")
    bo.remember("I live in Leipzig")
    then = clock()
    clock.advance(days=30)
    bo.remember("I live in Malmö")
    assert "Malmö" in bo.recall("where do I live?").hits[0].text
    assert "Leipzig" in bo.recall("where do I live?", as_of=then).hits[0].text


def test_filters_narrow(ana):
    ids = {hit.id for hit in ana.recall("my life", threshold=0, limit=50)}
    pinned = ana.pin(next(iter(ids))).id
    assert {hit.id for hit in ana.recall("my life", filters={"pinned": True}, threshold=0)} == {pinned}
    assert len(ana.recall("my life", filters={"user_id": "somebody else"}, threshold=0)) == 0


def test_about_a_person(ana):
    hits = ana.recall("anything", about=["my sister"], threshold=0)
    assert [hit.text for hit in hits] == [hit.text for hit in hits if "Ngozi" in hit.text]
    assert len(hits) == 1


@pytest.mark.parametrize("query", ["dinner with my brother", "What should I cook for my brother?"])
def test_whoever_is_spoken_of_by_relation_is_found_whatever_words_were_used_of_them(memory, query):
    ana = memory.at(user="ana")
    ana.remember("Kwame is my brother")
    ana.remember("Kwame cannot stand sesame")
    ana.remember("Olga plays golf")
    assert "Kwame cannot stand sesame" in [hit.text for hit in ana.recall(query)]


def test_vectors_are_those_of_the_backup_that_was_put_back(memory, store_path, clock, embedder, tmp_path):
    ana = memory.at(user="ana")
    ana.remember("I live in Utrecht")
    memory.upkeep.backup(tmp_path / "backup.db")
    ana.remember("My sister Ngozi plays the cello")
    ana.recall("cello")
    restore(store_path, tmp_path / "backup.db")
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder) as other:
        # It has the place in the store, and the number of the change, that the other fact had before.
        elsewhere = other.at(user="ana")
        elsewhere.remember("My dog Biscuit hates thunderstorms")
        seen = [[(hit.text, hit.score) for hit in one.recall("cello", threshold=0)] for one in (ana, elsewhere)]
    assert seen[0] == seen[1]


def test_a_lone_word_finds_nothing_that_it_has_nothing_to_do_with(memory):
    ana = memory.at(user="ana", chat="dm")
    ana.remember("My favorite color is blue")
    ana.remember("I drive a red Kenworth")
    assert list(ana.recall("zebra")) == []
    ana.remember("I have a dog named Rex")
    assert [hit.text for hit in ana.recall("pets")] == ["The user has a dog named Rex"]
    assert [hit.text for hit in ana.recall("vehicle")][:1] == ["The user drives a red Kenworth"]


def test_a_greeting_never_stands_above_a_fact(memory):
    ana = memory.at(user="ana", chat="dm")
    for said in ("hello", "good morning", "thanks", "ok"):
        ana.observe([{"role": "user", "content": said}], extract=False)
    ana.remember("My friend Ola says hello in Finnish")
    found = ana.recall("who says hello?")
    assert found.hits[0].text == "Ola says hello in Finnish"
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert {hit.text for hit in ana.recall("what do I know of Finnish?") if hit.source == "message"} == set()


@pytest.mark.parametrize(("word", "said"), [("cat", "cat"), ("zebra", "zebra"), ("Lisbon", "Lisbon")])
def test_below_a_hit_no_message_stands_that_has_nothing_of_it(store_url, clock, embedder, word, said):
    """Unless everything is asked for."""
    told = [
        "My cat sleeps on the radiator all day",
        "We repainted the kitchen yesterday",
        "The train to Lisbon was late again",
        "The dentist moved my appointment to Friday",
        "They painted a zebra crossing outside the gym",
    ]
    with wellkept.open(store_url, config=Config(), clock=clock, embedder=embedder, worker="off") as memory:
        ana = memory.at(user="ana")
        ana.observe([{"role": "user", "content": text} for text in told], extract=False)
        memory.upkeep.embed()
        assert [hit.text for hit in ana.recall(word)] == [text for text in told if said in text]
        assert len(ana.recall(word, threshold=0)) == len(told)
