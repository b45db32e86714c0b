"""The write path through the public API, on the real store with the real judge and embedder."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.errors import InvalidInput


def contents(viewpoint, **options):
    return [memory.content for memory in viewpoint.list(**options)]


@pytest.mark.parametrize(
    ("first", "second", "slot"),
    [
        ("My favorite color is red", "My favorite color is blue", "favorite:color"),
        ("My favourite composer is Bach", "my favourite composer is Hildegard von Bingen", "favorite:composer"),
        ("I live in Lagos", "I live in Porto", "city"),
        ("I drive a Fiat Panda", "I drive a Volvo", "car"),
        ("my shoe size is 42", "my shoe size is 43", None),
    ],
)
def test_new_truth_replaces_old_and_the_old_stays_on_record(memory, first, second, slot):
    ana = memory.at(user="ana")
    old, new = ana.remember(first), ana.remember(second)
    assert (old.outcome, new.outcome, new.replaced) == ("created", "superseded_old", old.id)
    (live,) = ana.list()
    assert live.id == new.id
    assert slot is None or live.fact_key == slot
    history = ana.history(old.id)
    assert history.memory.state == "superseded"
    assert history.events[0].meta["rule"] == "recency"
    assert history.events[0].meta["by"] == new.id
    assert history.events[0].actor == "ana"


def test_an_update_by_hand_in_the_same_instant_still_wins(memory):
    """The clock of the test stands still: the later to arrive is the newer."""
    ana = memory.at(user="ana")
    for color in ("red", "blue", "green", "black", "white"):
        ana.remember(f"My favorite color is {color}")
    assert [m.value for m in ana.list()] == ["white"]


def test_many_values_accumulate_and_end_one_by_one(memory):
    ana = memory.at(user="ana")
    ana.remember("I like chess")
    ana.remember("I like salsa dancing")
    assert len(ana.list()) == 2
    ended = ana.remember("I no longer like chess")
    assert ended.outcome == "superseded_old"
    assert [m.value for m in ana.list()] == ["salsa dancing"]


def test_the_same_fact_twice_is_one_memory_with_two_mentions(memory):
    ana = memory.at(user="ana")
    first = ana.remember("I am allergic to walnuts")
    again = ana.remember("I'm allergic to walnuts!")
    assert (again.outcome, again.id) in (("duplicate", first.id), ("merged", first.id))
    (only,) = ana.list()
    assert only.mention_count == 2


def test_facts_of_different_people_never_meet(memory):
    ana = memory.at(user="ana")
    ana.remember("My favorite food is ramen")
    ana.remember("My brother Tomás's favorite food is paella")
    assert len(ana.list()) == 2


def test_two_users_never_meet(memory):
    ana, bo = memory.at(user="ana"), memory.at(user="bo")
    ana.remember("My favorite color is red")
    assert bo.remember("My favorite color is blue").outcome == "created"
    assert len(ana.list()) == len(bo.list()) == 1


def test_a_correction_replaces_what_was_wrong(memory):
    ana = memory.at(user="ana")
    wrong = ana.remember("My flight to Nairobi leaves at 7 am")
    right = ana.remember("Actually, my flight to Nairobi leaves at 9 am, not 7 am")
    assert right.replaced == wrong.id
    assert len(ana.list()) == 1


def test_retracting_leaves_nothing_in_its_place(memory):
    ana = memory.at(user="ana")
    ana.remember("I live in Boston")
    assert ana.remember("Actually, I never lived in Boston").outcome == "superseded_old"
    assert ana.list() == ()


def test_an_inference_overrides_nothing(memory):
    ana = memory.at(user="ana")
    said = ana.remember("My favorite color is green")
    guess = ana.add("My favorite color is pink", type="preference", source="ai")
    assert (guess.outcome, guess.reason) == ("denied", "conflict_authority")
    assert [m.id for m in ana.list()] == [said.id]


def test_a_batch_reports_each_fact(memory):
    ana = memory.at(user="ana")
    good = [f"My favorite {thing} is {value}" for thing, value in zip("abcdefghijklmnopq", range(17), strict=True)]
    bad = [{"content": "x", "colour": 1}, "my password is hunter2-Zx9!", {"content": "   "}]
    outcomes = ana.remember([*good[:8], *bad, *good[8:]])
    assert [o.reason for o in outcomes if o.outcome == "denied"] == [
        "invalid_fact",
        "privacy_deny_sensitive",
        "empty_content",
    ]
    assert len(ana.list(limit=50)) == 17


@pytest.mark.parametrize(
    ("facts", "code"),
    [([], "empty_content"), (["x y z"] * 21, "batch_too_large"), (7, "invalid_fact")],
)
def test_a_batch_that_is_none_is_an_error(memory, facts, code):
    with pytest.raises(InvalidInput) as caught:
        memory.at(user="ana").remember(facts)
    assert caught.value.code == code


def test_it_is_gone_when_its_time_is_over_with_gc_never_run(memory, clock):
    ana = memory.at(user="ana")
    ana.remember("Remember for 2 weeks that my desk is at the window on floor 3")
    clock.advance(days=13)
    assert len(ana.list()) == len(ana.recall("where is my desk?")) == 1
    clock.advance(days=2)
    assert ana.list() == ()
    assert len(ana.recall("where is my desk?", threshold=0)) == 0
    assert len(ana.list(include_expired=True)) == 1


def test_an_expired_memory_does_not_hold_its_key(memory, clock):
    ana = memory.at(user="ana")
    ana.remember([{"content": "My locker number is 12", "expires_in_days": 2}])
    clock.advance(days=3)
    assert ana.remember("My locker number is 12").outcome == "created"


def test_the_embedder_failing_loses_nothing(memory_without_vectors):
    ana = memory_without_vectors.at(user="ana")
    ana.remember("My canoe is called Heron")
    assert len(ana.recall("canoe")) == 1


def test_nobody_and_nowhere_is_an_error(memory):
    with pytest.raises(InvalidInput):
        memory.at().remember("I like tea")
    with pytest.raises(InvalidInput):
        memory.at(user="ana").remember("I like tea", shared=True)


@pytest.fixture
def anywhere(store_url, clock):
    with wellkept.open(store_url, clock=clock, embedder="none") as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("remember", "empty_content"),
        ("Remember that", "empty_content"),
        ("Please remember this!", "empty_content"),
        ("don't forget", "empty_content"),
        ("remember to", "empty_content"),
        ("Please don't forget to!", "empty_content"),
        ("remember how to", "empty_content"),
        ("remind me about", "empty_content"),
        ("remember it's", "empty_content"),
        ("merk dir, dass", "empty_content"),
        ("n'oublie pas de", "empty_content"),
        ("forget that I like tea", "forget_request"),
        ("Please forget my address", "forget_request"),
        ("Remember: forget what I said about the trip", "forget_request"),
    ],
)
def test_what_asks_for_nothing_to_be_kept_is_refused(anywhere, text, code):
    ana = anywhere.at(user="ana")
    told = ana.remember(text)
    assert (told.outcome, told.reason) == ("denied", code)
    assert ana.list() == ()


@pytest.mark.parametrize(
    "text",
    [
        "Remember that I like tea", "Don't forget that I like tea", "Never forget my tea",
        "remember to go", "Remember 42", "remember: no", "recuerda que me gusta el té",
    ],
)  # fmt: skip
def test_what_names_something_is_kept(anywhere, text):
    assert anywhere.at(user="ana").remember(text).outcome == "created"


@pytest.mark.parametrize("way", ["remember", "add"])
def test_only_for_a_persona_needs_one(anywhere, way):
    with pytest.raises(InvalidInput, match="needs a persona") as caught:
        getattr(anywhere.at(user="ana"), way)("I snore", only_persona=True)
    assert caught.value.code == "no_persona"
    assert anywhere.at(user="ana").list() == ()
    coach = anywhere.at(user="ana", persona="Coach")
    getattr(coach, way)("I snore", only_persona=True)
    assert (len(coach.list()), anywhere.at(user="ana").list()) == (1, ())


def test_what_is_shared_belongs_to_the_chat(memory):
    ana = memory.at(user="ana", chat="team", chat_type="group", participants=["bo"])
    bo = memory.at(user="bo", chat="team", chat_type="group", participants=["ana"])
    ana.remember("Our standup is at 9:30", shared=True)
    assert len(bo.list()) == 1
    assert bo.list()[0].chat_id == "team"
    assert memory.at(user="bo", chat="other", chat_type="group").list() == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I live in Turku", "identity"),
        ("I have a hamster named Pip", "relationship"),
        ("I prefer oat milk", "preference"),
        ("I'm exhausted today", "observation"),
        ("The company uses Teams", "knowledge"),
    ],
)
def test_the_type_of_what_is_added_is_read_when_it_is_left_open(memory, text, found):
    ana = memory.at(user="ana")
    assert ana.show(ana.add(text, type="auto").id).memory.type == found
    ben = memory.at(user="ben")
    assert ben.show(ben.add(text).id).memory.type == "knowledge"


def test_a_secret_among_those_it_is_about_is_refused(memory):
    ana = memory.at(user="ana")
    assert ana.add("She came by", about=["password is Gr1ffin-77x"]).reason == "privacy_deny_sensitive"
    assert ana.people() == ()


def test_what_is_no_text_is_refused_with_a_code(memory):
    for wrong in (None, 7, ["I like tea"]):
        with pytest.raises(InvalidInput) as caught:
            memory.at(user="ana").add(wrong)
        assert caught.value.code == "invalid_parameter"


def test_a_full_scope_loses_its_least_important_and_oldest(store_path, clock, caplog):
    full = Config(memory=MemoryTable(max_entries=3))
    with wellkept.open(store_path, config=full, clock=clock, embedder="none") as memory:
        ana = memory.at(user="ana")
        first = ana.add("The bakery closes on Mondays")
        ana.add("The bus stops at the church")
        ana.add("The lake freezes in January")
        ana.add("The shop sells maps")
        assert [m.content for m in ana.list()][-1] == "The bus stops at the church"
        assert ana.history(first.id).memory.archive_reason == "evicted"
        for kept in ana.list():
            ana.pin(kept.id)
        assert caplog.text == ""
        ana.add("The library has a cat")
        assert len(ana.list()) == 4
        assert "all others are pinned" in caplog.text


def test_what_names_nobody_is_told_of_whom_it_is_about(memory):
    ana = memory.at(user="ana", chat="dm")
    ana.remember("Plays the harp", about=["Lena"])
    ana.remember("I love her cooking", about=["Lena"])
    assert {one.content for one in ana.list()} == {"Lena plays the harp", "I love her cooking"}


@pytest.mark.parametrize(
    ("said", "kept", "days"),
    [
        ("Remember for a few days that my car is in the shop", "The user's car is in the shop", 4),
        ("Remember for two and a half weeks that I am on call", "The user is on call", 18),
        ("Remember this week that Ben covers for me", "Ben covers for the user", 7),
        ("Merk dir für ein paar Tage, dass der Aufzug kaputt ist", "der Aufzug kaputt ist", 4),
    ],
)
def test_an_expiry_that_was_said_is_kept_and_cut_from_the_text(memory, clock, said, kept, days):
    memory.at(user="ana").remember(said)
    [one] = memory.at(user="ana").list()
    assert one.content == kept
    assert one.dies_at == one.expires_at
    assert abs((one.expires_at - clock()).total_seconds() / 86_400 - days) < 1


def test_links_to_neighbours_are_on_record(memory):
    ana = memory.at(user="ana", chat="dm")
    ana.remember("My sister Iva lives in Porto")
    second = ana.remember("Iva works as a nurse in Porto")
    assert [event.event for event in ana.history(second.id).events] == ["LINK", "ADD"]
