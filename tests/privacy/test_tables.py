"""The two privacy tables of the first seed document, as a caller meets them."""

from __future__ import annotations

import pytest

LEVELS = ("public", "personal", "sensitive")
TEXTS = {"public": "Emil plays the oboe", "personal": "Emil wants to change jobs", "sensitive": "Emil has asthma"}


def introduce(memory, *users, chat="choir"):
    """They have all been in the group once, so that they are known by their handles."""
    for user in users:
        others = [other for other in users if other != user]
        at = memory.at(
            user=user, username=user, display_name=user.title(), chat=chat, chat_type="group", participants=others
        )
        at.remember("I am here")


def told(memory, level, *, by="nora", **where):
    """A fact about Emil, kept by somebody else."""
    return memory.at(user=by, **where).add(TEXTS[level], about=["@emil"], sensitivity=level)


def levels_seen(viewpoint):
    """Which of the three facts come back, by list and by recall alike."""
    listed = {level for level in LEVELS if TEXTS[level] in {memory.content for memory in viewpoint.list(limit=100)}}
    recalled = {
        level for level in LEVELS if TEXTS[level] in {hit.text for hit in viewpoint.recall(TEXTS[level], threshold=0)}
    }
    assert listed == recalled
    return listed


GROUP_TABLE = [
    # sensitivity, is the subject a participant, shown
    ("public", True, True),
    ("public", False, True),
    ("personal", True, True),
    ("personal", False, False),
    ("sensitive", True, True),
    ("sensitive", False, False),
]


@pytest.mark.parametrize(("level", "takes_part", "is_shown"), GROUP_TABLE)
@pytest.mark.parametrize("mode", ["default", "seed"])
def test_group_shows_what_its_people_may_hear(opened, mode, level, takes_part, is_shown):
    memory = opened(mode=mode)
    introduce(memory, "nora", "emil", "ruth")
    told(memory, level, chat="choir", chat_type="group", participants=["emil", "ruth"])
    present = ["emil", "ruth"] if takes_part else ["ruth"]
    at = memory.at(user="nora", chat="choir", chat_type="group", participants=present)
    assert levels_seen(at) == ({level} if is_shown else set())


@pytest.mark.parametrize(("mode", "is_shown"), [("default", False), ("seed", True)])
def test_sensitive_words_of_a_private_chat_stay_out_of_groups(opened, mode, is_shown):
    memory = opened(mode=mode)
    introduce(memory, "nora", "emil", "ruth")
    told(memory, "sensitive", chat="nora-dm")
    at = memory.at(user="nora", chat="choir", chat_type="group", participants=["emil", "ruth"])
    assert levels_seen(at) == ({"sensitive"} if is_shown else set())


SELF_QUERY_TABLE = [
    # where it is asked, who asks, what is shown
    ("private", "emil", {"public", "personal", "sensitive"}),
    ("group", "emil", {"public", "personal"}),
    ("group", "ruth", {"public"}),
]


@pytest.mark.parametrize(("where", "asker", "shown"), SELF_QUERY_TABLE)
def test_what_others_know_about_somebody(memory, where, asker, shown):
    introduce(memory, "nora", "emil", "ruth")
    for level in LEVELS:
        told(memory, level, chat="choir", chat_type="group", participants=["emil", "ruth"])
    if where == "private":
        at = memory.at(user=asker, chat=f"{asker}-dm")
    else:
        other = "ruth" if asker == "emil" else "emil"
        at = memory.at(user=asker, chat="office", chat_type="group", participants=[other])
    assert levels_seen(at) == shown


def test_somebody_absent_is_not_told_of_across_contexts(memory):
    introduce(memory, "nora", "emil", "ruth")
    for level in LEVELS:
        told(memory, level, chat="choir", chat_type="group", participants=["emil", "ruth"])
    assert levels_seen(memory.at(user="ruth", chat="ruth-dm")) == set()
    assert levels_seen(memory.at(user="stranger")) == set()


def test_only_what_travels_crosses(memory):
    introduce(memory, "nora", "emil", "ruth")
    group = memory.at(user="nora", chat="choir", chat_type="group", participants=["emil", "ruth"])
    group.remember("Emil will send the minutes by noon")
    group.remember("Emil loves dumplings")
    seen = [item.content for item in memory.at(user="emil", chat="emil-dm").list()]
    assert any("dumplings" in text for text in seen)
    assert not any("minutes" in text for text in seen)
