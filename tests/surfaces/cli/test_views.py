"""People, the transcript, previews and reveals as a person sees them: what is printed, and how a refusal looks."""

from __future__ import annotations

import json

import pytest

from wellkept.startup import open as open_memory
from wellkept.store.contract import NewestRows

TEAM = ("--chat", "team", "--chat-type", "group")


@pytest.fixture(autouse=True)
def _words_only(monkeypatch):
    monkeypatch.setenv("WELLKEPT_EMBEDDER__PROVIDER", "none")  # nothing here is found by meaning


@pytest.fixture
def pair(cli) -> tuple[str, str]:
    """Two people of whom it is asked whether they are one."""
    cli("remember", "My colleague Makesh likes chess")
    cli("remember", "Mukesh lives in Oslo")
    known = {one["name"]: one["id"] for one in cli("people", "list", "--json").json}
    return known["Makesh"], known["Mukesh"]


def names(cli) -> dict[str, list[str]]:
    return {one["name"]: one["aliases"] for one in cli("people", "list", "--json").json}


def test_an_alias_is_another_way_to_say_it(cli, pair):
    done = cli("people", "alias", "Makesh", "Mak")
    assert (done.status, done.out.splitlines()[0]) == (0, "Makesh")
    assert "Mak" in done.out.splitlines()[-1]
    assert cli("people", "show", "Mak", "--json").json["id"] == pair[0]


def test_a_rename_keeps_the_old_name(cli, pair):
    answer = cli("people", "rename", pair[0][:10], "Makesh Rao", "--json").json
    assert answer == {
        "id": pair[0],
        "name": "Makesh Rao",
        "relation": "coworker",
        "aliases": ["Makesh"],
        "relations": [],
    }


def test_a_merge_says_how_to_take_it_back(cli, pair):
    one, other = pair
    done = cli("people", "merge", "Makesh", "Mukesh")
    assert f"wellkept people split {other}" in done.out
    assert names(cli) == {"Makesh": ["Mukesh"]}
    assert len(cli("people", "show", "Mukesh", "--json").json["memories"]) == 2
    parted = cli("people", "split", other, "--json").json
    assert [person["id"] for person in parted] == [one, other]
    assert names(cli) == {"Makesh": [], "Mukesh": []}
    assert [one["content"] for one in cli("people", "show", "Mukesh", "--json").json["memories"]] == [
        "Mukesh lives in Oslo"
    ]


def test_a_review_lists_what_waits_and_takes_the_answer(cli, pair):
    one, other = pair
    waiting = cli("people", "review", "--json").json
    assert waiting["same"] is None
    assert waiting["different"] == []
    (doubt,) = waiting["waiting"]
    assert {doubt["one"]["id"], doubt["other"]["id"]} == {one, other}
    shown = cli("people", "review").out
    assert one[:10] in shown
    assert other[:10] in shown
    assert "the names are similar" in shown
    answered = cli("people", "review", "--same", one[:10], other[:10], "--json").json
    assert (answered["same"]["id"], answered["same"]["merged"], answered["waiting"]) == (one, other, [])
    assert cli("people", "review").out == "No questions are waiting.\n"


def test_an_answer_of_two_is_not_asked_again(cli, pair):
    done = cli("people", "review", "--different", *pair)
    assert done.out.splitlines() == ["Makesh (coworker) and Mukesh are two people.", "No questions are waiting."]
    cli("remember", "Mukesh plays the oud")
    assert cli("people", "review", "--json").json["waiting"] == []
    assert len(names(cli)) == 2


def test_a_pair_is_two(cli, pair, store_path):
    assert cli("people", "review", "--same", "Makesh").status == 2
    with open_memory(store_path, embedder="none") as memory, pytest.raises(ValueError, match="same takes two people"):
        memory.at(user="alice").review_people(same=["Makesh"])


def test_forgetting_archives_and_leaves_the_person(cli, pair):
    stored = cli("people", "show", "Mukesh", "--json").json["memories"][0]["id"]
    done = cli("people", "forget", "Mukesh")
    assert done.status == 0
    assert "Archived 1 about Mukesh" in done.out
    assert cli("people", "show", "Mukesh", "--json").json["memories"] == []
    assert cli("memory", "restore", stored).status == 0
    answer = cli("people", "forget", "Mukesh", "--delete-record", "--json").json
    assert answer == {
        "person_id": pair[1],
        "name": "Mukesh",
        "archived": 1,
        "kept": 0,
        "is_record_deleted": True,
    }
    assert cli("people", "show", "Mukesh", "--json").json["error"]["code"] == "not_found"
    assert names(cli) == {"Makesh": []}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("people", "split", "Makesh"), "not_merged"),
        (("people", "merge", "Makesh", "Makesh"), "already_merged"),
        (("people", "alias", "Zebedee", "Zeb"), "not_found"),
        (("people", "merge", "Makesh", "p_aaaaaaaaaaaaaaaa"), "not_found"),
        (("people", "forget", "Zebedee"), "not_found"),
        (("people", "review", "--same", "Makesh", "Zebedee"), "not_found"),
        (("people", "rename", "Makesh", "..."), "empty_name"),
    ],
)
def test_refusals_have_a_code_and_a_sentence(cli, pair, words, code):
    done = cli(*words, "--json")
    assert done.status == (2 if code == "empty_name" else 1)
    assert done.json["error"]["code"] == code
    assert done.err == done.json["error"]["message"] + "\n"


def test_several_of_a_name_are_nobody(cli):
    cli("remember", "My brother John lives in Oslo")
    cli("remember", "My boss John plays chess")
    for words in (("alias", "John", "Jo"), ("forget", "John"), ("merge", "John", "my boss")):
        done = cli("people", *words, "--json")
        assert (done.status, done.json["error"]["code"]) == (1, "ambiguous")
        assert "your boss" in done.err


def test_somebody_else_is_refused_and_it_is_on_record(cli, settings):
    cli("remember", "I am the treasurer", "--user", "bob", *TEAM, "--with", "alice")
    cli("remember", "I bring the cake", *TEAM, "--with", "bob")
    before = cli("people", "list", *TEAM, "--json").json
    refused = (
        ("alias", "bob", "Bobby"),
        ("rename", "bob", "Robert"),
        ("merge", "me", "bob"),
        ("forget", "bob", "--delete-record"),
    )
    for words in refused:
        done = cli("people", *words, *TEAM, "--with", "bob", "--json")
        assert (done.status, done.json["error"]["code"]) == (1, "not_creator")
    assert cli("people", "list", *TEAM, "--json").json == before
    with open_memory(settings / "memory.db", embedder="none") as memory:
        rows = memory.engine.store.ledger(NewestRows(tenant="default"))
        assert [row.entry.reason for row in rows if row.entry.status == "denied"] == ["not_creator"] * len(refused)


def test_a_stranger_is_as_one_who_does_not_exist(cli, pair):
    for words in (("alias", "{}", "Mak"), ("rename", "{}", "Mak"), ("forget", "{}"), ("split", "{}")):
        known, unknown = (
            cli("people", *(word.format(one) for word in words), "--user", "eve", "--json")
            for one in (pair[0], "p_aaaaaaaaaaaaaaaa")
        )
        assert known == unknown
        assert known.json["error"]["code"] == "not_found"


def test_who_is_there_is_told_by_user_id_or_by_name(cli):
    cli("remember", "I keep bees", "--user", "olu", *TEAM, "--with", "alice")
    cli("remember", "We meet on Mondays", *TEAM, "--with", "Olu")
    assert [one["aliases"] for one in cli("people", "list", *TEAM, "--json").json] == [["olu"]]
    assert "bees" in cli("memory", "search", "bees", "--chat", "dm", "--with", "OLU").out
    cli("remember", "My neighbour Tunde has a goat", "--chat", "dm-alice")
    there = cli("memory", "list", "--chat", "dm-two", "--with", "tunde")
    assert "goat" in there.out, "somebody without an account may be there too"
    assert cli("memory", "list", "--chat", "dm-two", "--with", "Tund").status == 0
    assert "goat" not in cli("memory", "list", "--chat", "dm-two", "--with", "Tund").out


def test_a_name_of_several_brings_nobody_in(cli):
    cli("remember", "My brother John lives in Oslo")
    cli("remember", "My boss John plays chess")
    done = cli("memory", "list", *TEAM, "--with", "John", "--json")
    assert (done.status, done.json["error"]["code"]) == (1, "ambiguous")
    assert "your boss" in done.err
    named = cli("people", "show", "my boss", "--json").json["id"]
    assert cli("memory", "list", *TEAM, "--with", named).status == 0


def test_a_list_of_a_group_says_whose_facts_they_are(cli):
    cli("remember", "My favorite color is teal", "--user", "tariq", *TEAM, "--with", "alice")
    cli("remember", "Mei gave me a kite", "--shared", "--user", "tariq", *TEAM, "--with", "alice")
    cli("remember", "My favorite color is red", *TEAM, "--with", "tariq")
    texts = {one["content"] for one in cli("memory", "list", *TEAM, "--with", "tariq", "--json").json}
    assert texts == {"tariq's favorite color is teal", "Mei gave tariq a kite", "The user's favorite color is red"}
    theirs = next(
        one for one in cli("memory", "list", *TEAM, "--with", "tariq", "--json").json if "teal" in one["content"]
    )
    for words in (("show", theirs["id"]), ("history", theirs["id"]), ("why", theirs["id"])):
        out = cli("memory", *words, *TEAM, "--with", "tariq").out
        assert "tariq's favorite color" in out
        assert "The user" not in out


def test_what_was_said_and_learned_is_listed(cli, tmp_path):
    assert "Nothing was said" in cli("conversations").out
    assert "Nothing was said" in cli("messages", "--chat", "dm").out
    said = tmp_path / "said.json"
    said.write_text(json.dumps([{"role": "user", "content": "My sister Ida lives in Porto."}]), encoding="utf-8")
    cli("observe", str(said), "--wait", "--chat", "dm")
    listed = cli("conversations").out
    assert "2026-03-02" in listed
    assert "dm" in listed
    shown = cli("messages", "--chat", "dm").out
    assert "My sister Ida lives in Porto." in shown
    assert "→ Ida lives in Porto (" in shown
    (message,) = cli("messages", "--chat", "dm", "--json").json
    assert "no probabilities" in cli("reading", message["id"], "--chat", "dm").out
    assert cli("reading", "nothing", "--chat", "dm", "--json").json["error"]["code"] == "not_found"


def test_a_preview_says_what_would_be_replaced(cli):
    cli("remember", "My favorite color is teal")
    told = cli("memory", "preview", "My favorite color is blue").out
    assert "superseded old: " in told
    assert "in place of: " in told
    assert "teal" in told
    assert "Would not be kept" in cli("memory", "preview", "My password is correct-horse-7").out
    assert "teal" in cli("memory", "list").out


def test_privacy_relations_and_reveals_by_hand(cli):
    stored = cli("remember", "My sister Ida lives in Porto", "--json").json["id"]
    assert "Changed" in cli("memory", "edit", stored, "--sensitivity", "sensitive").out
    assert cli("memory", "show", stored, "--json").json["sensitivity"] == "sensitive"
    assert cli("memory", "edit", stored).status == 2
    assert "aunt" in cli("people", "relate", "Ida", "--relation", "aunt").out
    assert cli("people", "relate", "Ida", "--json").json["relation"] is None
    assert "Porto" in cli("memory", "reveal", stored).out
    assert "revealed" in cli("events").out
    assert "Ida" in cli("memory", "list", "--oldest-first").out
