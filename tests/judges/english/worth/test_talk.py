"""What in a conversation is talk, and what is told."""

from __future__ import annotations

import pytest

from wellkept.judges.english.worth.talk import is_happening, is_talk


@pytest.mark.parametrize(
    "said",
    [
        "You are so clever", "wow you're quick at this", "Your jokes are getting worse", "I think you got me wrong",
        "that was a strange reply", "I love chatting with you", "If I were rich I'd buy an island",
        "Write me a limerick about otters", "ugh, winter again", "good point", "let's talk about something else",
        "I already told you that", "this is great", "I have to", "we used to", "I'm going to", "She wants to", "I do",
    ],
)  # fmt: skip
def test_talk(said):
    assert is_talk(said)


@pytest.mark.parametrize(
    "said",
    [
        "Keep this between us: my boss is leaving",
        "The wifi router is in the hallway", "buy milk tomorrow", "Dentist Tuesday 3pm", "Meeting with Anna at 5pm",
        "gonna move to Nairobi in March", "groceries: eggs, flour, cardamom", "I'm tired today",
        "Always answer in Spanish", "Remember you are great", "My sister thinks you are great",
        "The capital of Mali is Bamako",
    ],
)  # fmt: skip
def test_told(said):
    assert not is_talk(said)


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("The pump broke during the demo", True), ("We took the ferry to Naxos with Eleni", True),
        ("I presented the budget to the board", True), ("Zoe has two teeth", False), ("I have to give a toast", False),
        ("'what a mess', says Grandpa", False), ("everyone wants to go to Canada", False), ("the toast burned", False),
        ("reminder to self: buy the record", False), ("I felt so proud", False),
    ],
)  # fmt: skip
def test_an_episode_is_made_of_what_happened(said, is_told):
    assert is_happening(said) == is_told
