"""Observe puts an exchange into the transcript, and recall finds what was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.errors import InvalidInput
from wellkept.policies.secrets import detector

KEY = "sk-" + "proj4f9aQ2xLm8Zt6Kd1Vb3N" + "w7Yc5"


def ids(found):
    return [hit.id for hit in found if hit.source == "message"]


def test_what_was_said_is_found_with_speaker_date_and_what_stood_beside(memory):
    alice = memory.at(user="alice", chat="dm")
    seen = alice.observe(
        [
            {"role": "user", "content": "Caroline: I joined a pottery class", "speaker": "Caroline", "id": "D1:1",
             "at": "1:56 pm on 8 May, 2023", "session": "s1"},
            {"role": "assistant", "content": "Lovely! What did you make?", "id": "D1:2", "session": "s1"},
        ],
        extract=False,
    )  # fmt: skip
    assert seen.ids == ("D1:1", "D1:2")
    found = alice.recall("pottery lessons")
    assert found.verdict == "found"
    hit = found.hits[0]
    assert (hit.id, hit.source, hit.text) == ("D1:1", "message", "I joined a pottery class")
    assert (hit.stated_by, hit.at) == ("Caroline", datetime(2023, 5, 8, 13, 56, tzinfo=UTC))
    assert hit.related == ("assistant: Lovely! What did you make?",)
    assert hit.score > 0
    assert "matches_query" in hit.why


def test_the_same_id_again_is_nothing_and_other_chats_have_their_own(memory_without_vectors):
    alice = memory_without_vectors.at(user="alice", chat="dm")
    assert alice.observe([{"content": "The parcel is green", "id": "1"}]).ids == ("1",)
    assert alice.observe([{"content": "The parcel is red", "id": "1"}]).ids == ()
    other = memory_without_vectors.at(user="alice", chat="dm2")
    assert other.observe([{"content": "The parcel is blue", "id": "1"}]).ids == ("1",)
    assert {hit.text for hit in alice.recall("parcel")} == {"The parcel is green", "The parcel is blue"}


def test_long_messages_are_found_by_their_last_words(memory):
    alice = memory.at(user="alice")
    filler = "We talked about the weather and the garden for a while. " * 60
    alice.observe([{"content": f"{filler}The violin teacher is called Ludmila.", "id": "long"}], extract=False)
    alice.observe([{"content": "We talked about the weather."}], extract=False)
    assert ids(alice.recall("who teaches the violin?"))[0] == "long"


def test_secrets_are_masked_also_when_two_messages_make_one(memory_without_vectors):
    alice = memory_without_vectors.at(user="alice")
    alice.observe(
        [{"content": f"my api key is {KEY}"}, {"content": "my wifi password is"}, {"content": "Tr4vel!Gnome9"}]
    )
    texts = " ".join(hit.text for hit in alice.recall("api key wifi password gnome", threshold=0))
    assert KEY not in texts
    assert "Gnome9" not in texts
    assert "my api key is" in texts


def test_a_secret_is_masked_where_the_answer_repeats_it(memory_without_vectors):
    ana = memory_without_vectors.at(user="ana", chat="dm")
    told = [{"content": "My password is Gr1ffin-77x"}, {"role": "assistant", "content": "Gr1ffin-77x, got it"}]
    assert [one.content for one in ana.observe(told).messages][1] == "(redacted), got it"
    turn = ana.turn("The wifi password is Plum-Tr33-9")
    with pytest.raises(InvalidInput):
        turn.finish(None)
    turn.finish("Fine: Plum-Tr33-9.")
    rows = memory_without_vectors.engine.store._db.driver.rows("SELECT content FROM messages", {})
    assert not [content for (content,) in rows if "Gr1ffin" in content or "Plum" in content]


def test_memorys_own_words_are_no_part_of_the_transcript(memory_without_vectors):
    alice = memory_without_vectors.at(user="alice")
    alice.remember("I collect antique thimbles")
    block = str(alice.context("thimbles"))
    assert "thimbles" in block
    seen = alice.observe([{"role": "system", "content": block}, {"content": f"{block}\nHello again there"}])
    assert [message.content for message in seen.messages] == ["Hello again there"]


def test_one_order_and_ties_go_to_memories(memory_without_vectors):
    alice = memory_without_vectors.at(user="alice", chat="dm")
    alice.remember("My favorite tea is oolong")
    alice.observe([{"content": "I drank oolong tea today", "id": "m1"}], extract=False)
    found = alice.recall("oolong tea")
    assert [hit.source for hit in found] == ["memory", "message"]
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert {hit.source for hit in alice.recall("oolong", sources=("memories",))} == {"memory"}
    assert {hit.source for hit in alice.recall("oolong", sources=("messages",))} == {"message"}
    assert {hit.source for hit in alice.recall("oolong", filters={"pinned": False})} == {"memory"}
    with pytest.raises(InvalidInput, match="sources"):
        alice.recall("oolong", sources=("letters",))


def test_who_may_read_it(memory_without_vectors):
    at = memory_without_vectors.at
    at(user="alice", chat="dm").observe([{"content": "The zeppelin leaves at nine", "id": "dm"}])
    at(user="alice", chat="dm", persona="coach").observe([{"content": "A zeppelin for the coach", "id": "coach"}])
    at(user="alice", chat="team", chat_type="group", participants=["bob"]).observe(
        [{"content": "Our zeppelin is red", "id": "team"}]
    )
    at(user="alice", chat="team", chat_type="group", participants=["carol"]).observe(
        [{"content": "Our zeppelin is late", "id": "later"}]
    )
    at(user="alice", chat="dm").observe([{"content": "Between us: the zeppelin is broken", "id": "secret"}])

    def seen(**place):
        return set(ids(at(**place).recall("zeppelin", threshold=0)))

    assert seen(user="alice", chat="dm") == {"dm", "team", "later", "secret"}
    assert seen(user="alice", chat="dm9") == {"dm", "team", "later"}
    assert seen(user="alice", chat="dm", persona="coach") == {"coach", "team", "later"}
    assert seen(user="bob", chat="dm") == {"team"}
    assert seen(user="carol") == {"later"}
    assert seen(user="dave") == set()
    assert seen(user="alice", chat="team", chat_type="group", participants=["bob"]) == {"team", "later"}
    assert seen(user="alice", chat="pair", participants=["bob"]) == {"team"}


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ({"content": 5}, r"messages\[0\]"),
        ({"content": "x", "colour": "red"}, r"messages\[0\]"),
        ({"content": "x", "role": "wizard"}, r"messages\[0\]\.role"),
        ({"content": "x", "at": "the day of the blue moon"}, r"messages\[0\]\.at"),
        ({"content": "x", "at": 7}, r"messages\[0\]\.at"),
        ({"content": "x", "id": 7}, r"messages\[0\]\.id"),
        ("x", r"messages\[0\]"),
    ],
)
def test_a_bad_message_is_named(memory_without_vectors, message, named):
    alice = memory_without_vectors.at(user="alice")
    with pytest.raises(InvalidInput, match=named):
        alice.observe([message])
    assert alice.recall("x", threshold=0).verdict == "nothing"


def test_empty_times_and_empty_messages_are_no_error(memory_without_vectors):
    alice = memory_without_vectors.at(user="alice")
    seen = alice.observe([{"content": " "}, {"content": "A kettle", "at": ""}, {"content": "A second kettle"}])
    assert len(seen.messages) == 2
    assert [message.at for message in seen.messages] == [None, None]


def test_a_reply_that_tells_a_confidence_stays_in_its_chat(memory):
    told = memory.at(user="rui", chat="dm-1")
    told.remember("Between us: I am leaving Halden for Brightwater")
    told.observe([{"role": "assistant", "content": "Good luck at Brightwater, it will be great!"}], extract=False)
    told.observe([{"role": "assistant", "content": "The weather in Porto is lovely today."}], extract=False)
    elsewhere = memory.at(user="rui", chat="dm-2")
    assert not any("Brightwater" in hit.text for hit in elsewhere.recall("Brightwater luck", threshold=0))
    assert any("Porto" in hit.text for hit in elsewhere.recall("weather in Porto", threshold=0))
    assert any("Good luck" in hit.text for hit in told.recall("good luck at Brightwater", threshold=0))


def test_messages_with_secrets_are_searched_as_often_as_there_are_messages(memory, monkeypatch):
    searched, find = [], detector.find_secrets

    def counted(text):
        searched.append(len(text))
        return find(text)

    monkeypatch.setattr(detector, "find_secrets", counted)

    def searches(count):
        searched.clear()
        told = [{"role": "assistant", "content": f"Use the password Tiger{number}x! there"} for number in range(count)]
        seen = memory.at(user="alice", chat=f"dm{count}").observe(told, extract=False)
        assert not any("Tiger" in message.content for message in seen.messages)
        return len(searched)

    # The message alone, what it makes with the two before, and what masking may have brought to light.
    assert searches(10) <= 10 * 10
    assert searches(40) <= 10 * 40
