"""What a group says of itself is known to its members, and to nobody anywhere else."""

from __future__ import annotations

import pytest

from wellkept.vocabulary import Space

MEMBERS = ("lea", "paul", "mina")


def group(memory, user):
    others = [member for member in MEMBERS if member != user]
    return memory.at(user=user, chat="club", chat_type="group", participants=others, display_name=user.title())


def dm(memory, user):
    return memory.at(user=user, chat=f"{user}-dm", display_name=user.title())


@pytest.mark.parametrize(
    ("said", "asked", "word"),
    [
        ("We are meeting at Pier 4 at 9am on Saturday", "Where are we meeting?", "Pier 4"),
        ("Our standup is at 9:15", "When is our standup?", "9:15"),
    ],
)
def test_members_are_told_and_nobody_elsewhere(memory, said, asked, word):
    group(memory, "lea").chat(said)
    (kept,) = group(memory, "paul").list()
    assert kept.space is Space.CHAT
    assert word in group(memory, "paul").chat(asked).text
    assert word not in dm(memory, "mina").chat(asked).text
    assert dm(memory, "paul").list() == ()


def test_the_latest_word_of_any_member_counts(memory):
    group(memory, "lea").chat("Our standup is at 9am")
    group(memory, "paul").chat("Our standup is at 10am now")
    assert [one.content for one in group(memory, "mina").list()] == ["The team's standup is at 10am now"]
    assert "10am" in group(memory, "lea").chat("When is our standup?").text
    assert memory.upkeep.doctor().is_well


@pytest.mark.parametrize(
    "said",
    [
        "We moved to Graz last year",
        "Our daughter is called Ilse",
        "I like coffee",
        "Keep this between us: we are meeting at Pier 4 on Saturday",
        "I can't stand Mina",
    ],
)
def test_what_is_somebodys_own_stays_theirs(memory, said):
    group(memory, "lea").chat(said)
    # A confidence is told only where it was said, a daughter only where nobody else listens.
    kept = (*group(memory, "lea").list(), *dm(memory, "lea").list())
    assert {one.space for one in kept} == {Space.USER}


def test_what_is_about_a_person_by_the_callers_word_is_the_speakers_own(memory):
    group(memory, "lea").remember("The tent is too small", about=["Mina"])
    assert [one.space for one in group(memory, "lea").list()] == [Space.USER]
    group(memory, "lea").remember("The stove is too small", about=["Mina"], shared=True)
    (shared,) = (one for one in group(memory, "paul").list() if one.space is Space.CHAT)
    assert len(shared.subject_person_ids) == 1


def test_what_is_overheard_in_a_group_is_the_groups_too(memory):
    group(memory, "lea").observe([{"content": "Our retro is on Thursdays at 4pm from now on."}], wait=True)
    assert "Thursdays" in group(memory, "paul").chat("When is our retro?").text
