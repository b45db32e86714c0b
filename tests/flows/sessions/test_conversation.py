"""What is said again a turn later, with a pronoun, is the same memory."""

from __future__ import annotations

import pytest

FOLLOW_UPS = [
    ("Remember this: Randolf is going to Tokyo in May.", "Also remember he's still going in May.", "Tokyo"),
    ("Remember that Priya is flying to Lagos in June.", "And remember she is still flying in June.", "Lagos"),
    ("My brother Tomas works at Siemens.", "Remember that he still works at Siemens.", "Siemens"),
    ("Please remember: Aunt Mei is allergic to shellfish.", "Don't forget she's allergic to shellfish.", "shellfish"),
    ("Remember that Grandma Lupe is knitting a sweater.", "Also remember she is still knitting a sweater.", "sweater"),
    ("Please remember that Ingrid is starting at Volvo in March.", "Remember she is starting in March.", "Volvo"),
    ("Remember that Kofi is moving to Accra in August.", "Remember, he's moving in August.", "Accra"),
    ("My sister Ana lives in Porto.", "She still lives there, remember that.", "Porto"),
    ("Remember that Yuki plays the cello.", "Also note that she plays the cello.", "cello"),
    ("Note that Dr. Okafor retires in December.", "And keep in mind he retires in December.", "December"),
    ("Remember that Luca's exam is on June 3.", "Also remember his exam is on June 3.", "June 3"),
]


@pytest.mark.parametrize(("first", "second", "kept"), FOLLOW_UPS, ids=[pair[2] for pair in FOLLOW_UPS])
def test_a_follow_up_is_one_memory(memory, first, second, kept):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.chat(first)
    reply = alice.chat(second)
    assert {one.outcome for one in reply.outcomes} <= {"merged", "duplicate", "updated"}
    (stored,) = alice.list()
    assert kept in stored.content


def test_somebody_else_is_somebody_else(memory):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.chat("Remember that Randolf is going to Tokyo in May.")
    alice.chat("Also remember Marta is going in May.")
    alice.chat("Also remember Randolf is going in June.")
    assert len(alice.list()) == 3


def test_a_chat_remembers_what_was_said_in_an_earlier_process(memory, store_path, clock, embedder):
    import wellkept

    memory.at(user="alice", chat="dm", display_name="Alice").chat("Remember that Randolf is going to Tokyo in May.")
    with wellkept.open(store_path, clock=clock, embedder=embedder) as again:
        alice = again.at(user="alice", chat="dm", display_name="Alice")
        alice.chat("Also remember he's allergic to peanuts.")
        assert "Randolf is allergic to peanuts" in {one.content for one in alice.list()}
        found = alice.recall("Randolf Tokyo")
        assert [hit.source for hit in found if "Tokyo" in hit.text] == ["memory"], "the message is its quote"
