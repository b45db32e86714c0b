"""What a user's profile takes from what was said, and what waits for a yes."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.errors import InvalidInput, ProposalNotFound
from wellkept.flows.people import consent
from wellkept.flows.requests import RememberRequest, Statement
from wellkept.flows.write.remember import remember
from wellkept.judges.english import RulesJudge
from wellkept.judges.reader.judge import ReaderJudge
from wellkept.store.contract import NewestRows


def overhear(viewpoint, *texts: str):
    """What background extraction stores: the user's words, without a request."""
    statements = tuple(Statement(text=text, origin="shadow_extraction") for text in texts)
    return remember(RememberRequest(viewpoint=viewpoint.place, statements=statements), viewpoint.memory.engine)


def decisions(viewpoint):
    rows = viewpoint.memory.engine.store.ledger(NewestRows(tenant="default", limit=1000))
    return [row.entry.reason for row in reversed(rows) if row.entry.op == "consent"]


@pytest.fixture
def nadia(memory):
    return memory.at(user="nadia", chat="dm-nadia")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("I live in Tromsø", "city", "Tromsø"),
        ("Call me Nad", "preferred_name", "Nad"),
        ("My pronouns are they/them", "pronouns", "they/them"),
    ],
)
def test_a_request_is_consent(nadia, text, field, value):
    nadia.remember(text)
    assert nadia.profile() == {field: value}
    assert nadia.consents() == ()
    assert decisions(nadia) == ["approved:explicit"]


def test_what_is_overheard_is_remembered_at_once_and_asked_for_the_profile(nadia):
    nadia.remember("I live in Paris")
    (outcome,) = overhear(nadia, "I moved to Lyon")
    assert "Lyon" in nadia.recall("where do I live?").hits[0].text
    assert [other.outcome for other in outcome.others] == ["queued_for_consent"]
    assert nadia.profile() == {"city": "Paris"}
    (asked,) = nadia.consents()
    assert (asked.field, asked.old, asked.new, asked.evidence) == ("city", "Paris", "Lyon", outcome.id)
    nadia.approve(asked.id)
    assert nadia.profile() == {"city": "Lyon"}
    assert decisions(nadia) == ["approved:explicit", "proposed", "approved:user"]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Call me Jo", "preferred_name", "Jo"),
        ("I go by Sam", "preferred_name", "Sam"),
        ("You can call me Max", "preferred_name", "Max"),
        ("Puedes llamarme Nacho", "preferred_name", "Nacho"),
        ("I use she/her", "pronouns", "she/her"),
        ("I am based in Nairobi these days", "city", "Nairobi"),
        ("I moved to Bergen with my brother Ole", "city", "Bergen"),
        ("Can we talk in Italian from now on?", "language", "Italian"),
        ("I'd prefer we speak German from now on", "language", "German"),
        ("I would rather talk in Polish", "language", "Polish"),
        ("I'd like it if we switched to Danish", "language", "Danish"),
    ],
)
def test_a_remark_of_any_wording_and_length_leads_to_a_question(nadia, text, field, value):
    nadia.observe([{"role": "user", "content": text}], wait=True)
    assert nadia.profile() == {}
    assert [(one.field, one.new) for one in nadia.consents()] == [(field, value)]


@pytest.mark.parametrize("way", ["observe", "chat"])
@pytest.mark.parametrize("judge", [RulesJudge, ReaderJudge])
def test_a_wish_for_a_language_is_asked_about_by_every_judge_and_way_in(store_url, clock, judge, way):
    with wellkept.open(store_url, clock=clock, embedder="none", judge=judge(), worker="off") as memory:
        nadia = memory.at(user="nadia")
        said = "I'd prefer we speak German from now on"
        told = nadia.chat(said).text if way == "chat" else nadia.observe([{"role": "user", "content": said}], wait=True)
        assert way == "observe" or str(told).endswith("Should I speak German with you from now on?")
        (asked,) = nadia.consents()
        assert (asked.field, asked.new, nadia.profile()) == ("language", "German", {})
        nadia.approve(asked.id)
        assert nadia.profile() == {"language": "German"}


@pytest.mark.parametrize("text", ["My brother Ole moved to Bergen last year", "Please don't call me Robert again."])
def test_what_is_said_of_others_or_unwanted_asks_nothing(nadia, text):
    nadia.observe([{"role": "user", "content": text}], wait=True)
    assert (nadia.profile(), nadia.consents()) == ({}, ())


def test_no_number_of_remarks_changes_the_city(nadia, clock):
    for _ in range(5):
        overhear(nadia, "I live in Bergen")
        clock.advance(hours=1)
    assert nadia.profile() == {}
    assert [one.new for one in nadia.consents()] == ["Bergen"]


def test_a_no_leaves_it_and_is_on_record(nadia):
    overhear(nadia, "My pronouns are she/they")
    (asked,) = nadia.consents()
    nadia.reject(asked.id)
    assert nadia.profile() == {}
    assert decisions(nadia) == ["proposed", "rejected"]
    with pytest.raises(InvalidInput, match="rejected already"):
        nadia.approve(asked.id)


def test_a_week_later_nobody_can_say_yes(nadia, memory, clock):
    overhear(nadia, "I live in Bergen")
    (asked,) = nadia.consents()
    clock.advance(days=7)
    assert nadia.consents() == ()
    with pytest.raises(InvalidInput, match="expired already"):
        nadia.approve(asked.id)
    assert memory.consents.expire() == 1
    assert memory.consents.expire() == 0
    assert [one.state for one in nadia.consents(state="expired")] == ["expired"]
    assert decisions(nadia) == ["proposed", "expired"]


def test_two_separate_signals_change_the_tone(nadia, clock):
    overhear(nadia, "Please keep your answers short and blunt")
    assert "tone" not in nadia.profile()
    clock.advance(minutes=5)
    overhear(nadia, "Please keep your answers short and blunt")
    assert nadia.profile() == {"tone": "short"}
    assert decisions(nadia) == ["proposed", "approved:two_signals"]


def test_two_sentences_of_one_message_are_one_signal(nadia):
    overhear(nadia, "Talk to me casually", "Talk to me casually")
    assert nadia.profile() == {}


def test_goals_add_up(nadia, clock):
    nadia.remember("My goal is to run a marathon")
    clock.advance(minutes=1)
    nadia.remember("I want to learn Finnish")
    assert nadia.profile() == {"goals": ("run a marathon", "learn Finnish")}


def test_yes_in_chat_answers_the_question_and_nothing_else(nadia):
    assert nadia.chat("yes").text == "All right."
    overhear(nadia, "I live in Bergen")
    asked = nadia.chat("I like sailing").text
    assert "Should I note Bergen as the city you live in?" in asked
    before = len(nadia.list())
    assert nadia.chat("Yes, please!").text == "Noted."
    assert nadia.profile() == {"city": "Bergen"}
    assert len(nadia.list()) == before
    assert nadia.chat("yes").text == "All right."


def test_a_remark_in_chat_is_no_request(nadia):
    assert "Should I note Lyon as the city you live in?" in nadia.chat("I've lived in Lyon since 2019").text
    assert nadia.profile() == {}
    assert any("Lyon" in one.content for one in nadia.list()), "what was said is remembered at once"
    assert nadia.chat("Ja, gerne!").text == "Noted."
    assert nadia.profile() == {"city": "Lyon"}
    nadia.chat("Remember that I moved to Bergen")
    nadia.chat("Please call me Nad")
    assert nadia.profile() == {"city": "Bergen", "preferred_name": "Nad"}


def test_a_later_word_takes_the_place_of_an_open_question(nadia):
    overhear(nadia, "I live in Bergen")
    overhear(nadia, "I moved to Lyon")
    assert [one.new for one in nadia.consents()] == ["Lyon"]
    nadia.remember("I live in Oslo")
    assert nadia.consents() == ()
    assert nadia.profile() == {"city": "Oslo"}
    assert decisions(nadia) == [
        "proposed",
        "rejected:replaced",
        "proposed",
        "approved:explicit",
        "rejected:replaced",
    ]


def test_a_tone_wished_for_in_other_words_is_the_same_signal(nadia, clock):
    overhear(nadia, "I prefer a casual tone")
    clock.advance(minutes=5)
    overhear(nadia, "Please talk casually with me")
    assert nadia.profile() == {"tone": "casual"}


def test_another_word_takes_the_question_back(nadia):
    overhear(nadia, "I live in Bergen")
    consent.question(nadia.place, nadia.memory.engine)
    consent.answered("What should I cook tonight?", nadia.place, nadia.memory.engine)
    assert consent.answered("yes", nadia.place, nadia.memory.engine) is None
    assert nadia.profile() == {}


def test_a_question_asked_here_is_not_answered_elsewhere(nadia, memory):
    overhear(nadia, "I live in Bergen")
    consent.question(nadia.place, memory.engine)
    group = memory.at(user="nadia", chat="g1", chat_type="group")
    assert consent.answered("yes", group.place, memory.engine) is None
    assert consent.answered("yes", nadia.place, memory.engine) is not None


def test_somebody_else_s_question_does_not_exist(nadia, memory):
    overhear(nadia, "I live in Bergen")
    (asked,) = nadia.consents()
    eve = memory.at(user="eve")
    assert eve.consents() == ()
    for verb in (eve.approve, eve.reject):
        with pytest.raises(ProposalNotFound):
            verb(asked.id)
        with pytest.raises(ProposalNotFound):
            verb("c_none")
    assert [one.user_id for one in memory.consents.list()] == ["nadia"]
    assert memory.consents.of("other").list() == ()


def test_what_others_are_is_no_matter_of_the_profile(nadia):
    overhear(nadia, "My sister Amal lives in Tunis", "Amal's pronouns are she/her")
    nadia.remember("My brother Karim lives in Sfax")
    assert nadia.profile() == {}
    assert nadia.consents() == ()


def test_the_same_city_in_other_letters_is_not_asked_again(nadia):
    nadia.remember("I live in Bergen")
    overhear(nadia, "I live in BERGEN")
    assert nadia.consents() == ()


@pytest.mark.parametrize("order", ["Please be less formal with me", "I prefer a less formal tone"])
def test_a_wish_for_less_is_no_wish_for_it(memory, order):
    me = memory.at(user="u", chat="dm")
    me.remember(order)
    assert me.profile() == {"tone": "less formal"}
