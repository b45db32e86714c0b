"""What a newcomer does on the first day, each command a process of its own or as good as one."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from wellkept.surfaces import words
from wellkept.vocabulary import DOCTOR_CHECKS

# Made here and nowhere else; none of them opens anything.
SECRETS = [
    ("my password is {}", "tangerine-Lorry-88"),
    ("The API key: sk-" + "proj-{}", "Zx81LmQp02TbVn55KdRwYc9e"),
    ("Remember my card {}", "4111 1111 1111 1111"),
    ("ghp_" + "{}", "Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78"),
]


def traces(folder: Path, text: str) -> list[str]:
    """Files of the store that hold the text in any of the usual encodings."""
    forms = {text.encode(code) for code in ("utf-8", "utf-16-le")} | {text.replace(" ", "").encode()}
    return [path.name for path in folder.rglob("*") if path.is_file() and any(f in path.read_bytes() for f in forms)]


def test_a_fact_told_in_one_process_is_known_in_the_next(process):
    assert process("chat", "Remember my favorite color is blue").status == 0
    answer = process("chat", "What's my favorite color?")
    assert answer.status == 0
    assert "blue" in answer.out
    assert "I don't know" in process("chat", "What's my favorite song?").out


def test_a_fact_about_a_relative_is_attributed(process):
    process("chat", "Remember my wife Sarah likes Italian food")
    answer = process("chat", "What does my wife like?").out
    assert "Italian food" in answer
    assert "Sarah" in answer
    listed = process("memory", "list").out
    assert "Sarah" in listed.splitlines()[1].split("  ")[2] or "Sarah" in listed


@pytest.mark.parametrize(
    ("told", "asked", "expected"),
    [
        ("Remember that my brother Tomas plays the oboe", "What does my brother play?", ["oboe", "Tomas"]),
        ("Don't forget I was born in Ghent", "Where was I born?", ["Ghent"]),
        ("My dog is called Biscuit", "What is my dog called?", ["Biscuit"]),
        ("Save this: my flight leaves at 7:40", "When does my flight leave?", ["7:40"]),
    ],
)
def test_other_facts_other_people(cli, told, asked, expected):
    assert cli("chat", told).status == 0
    answer = cli("chat", asked).out
    assert all(word in answer for word in expected)


def test_words_of_a_chat_need_no_quotes(cli):
    cli("chat", "Remember", "my", "favorite", "color", "is", "blue")
    assert "blue" in cli("chat", "what", "is", "my", "favorite", "color?").out


def test_list_search_gc(cli):
    cli("chat", "Remember my favorite color is blue")
    assert "blue" in cli("memory", "list").out
    assert "blue" in cli("memory", "search", "favorite").out
    assert cli("memory", "gc").out == "Archived 0.\n"


def test_new_truth_replaces_old(cli):
    red = cli("remember", "My favorite color is red", "--json").json["id"]
    blue = cli("remember", "My favorite color is blue", "--json", now="2026-03-03T09:00:00Z")
    assert (blue.json["outcome"], blue.json["replaced"]) == ("superseded_old", red)
    for command in (["chat", "What is my favorite color?"], ["memory", "search", "favorite color"], ["memory", "list"]):
        shown = cli(*command, now="2026-03-04T09:00:00Z").out
        assert "blue" in shown
        assert "red" not in shown.replace("superseded", "")
    past = cli("memory", "history", red, "--json").json
    assert "red" in past["memory"]["content"]
    assert [
        (one["event"], one["actor"], one["meta"].get("rule")) for one in past["events"] if "rule" in one["meta"]
    ] == [("UPDATE", "alice", "recency")]
    back = cli("memory", "restore", red, "--json")
    assert (back.status, back.json["error"]["code"]) == (1, "restore_conflict")
    assert blue.json["id"] in back.err


@pytest.mark.parametrize(("sentence", "telling"), SECRETS, ids=range(len(SECRETS)))
@pytest.mark.parametrize("way", ["chat", "remember", "add", "batch", "edit"])
def test_secrets_are_refused_from_everywhere(cli, settings, sentence, telling, way):
    secret = sentence.format(telling)
    kept = cli("memory", "add", "The bins go out on Tuesday", "--json").json["id"]
    batch = settings / "batch.jsonl"
    batch.write_text(json.dumps({"content": secret}) + "\n", encoding="utf-8")
    commands = {
        "chat": ["chat", secret],
        "remember": ["remember", secret],
        "add": ["memory", "add", secret],
        "batch": ["remember", "--file", str(batch)],
        "edit": ["memory", "edit", kept, secret],
    }
    for form in ([], ["--json"]):
        done = cli(*commands[way], *form)
        assert done.status == 1
        assert "Memory content contains potential secrets and cannot be stored" in done.err
        assert telling not in done.out + done.err
    batch.unlink()
    assert traces(settings, telling) == []
    assert len(cli("memory", "list", "--json").json) == 1


def test_scan_for_secrets_finds_what_is_there(cli, settings):
    cli("memory", "add", "The bins go out on Tuesday")
    assert traces(settings, "bins go out")


@pytest.mark.parametrize(
    "text", ["Secret santa is on Friday", "The key to success is patience", "I visit the monkey house"]
)
def test_ordinary_words_are_no_secrets(cli, text):
    assert cli("remember", text).status == 0
    assert len(cli("memory", "list", "--json").json) == 1


def test_batch_stores_the_good_and_reports_the_bad(cli, settings):
    words = [f"item {letter}{letter}" for letter in "abcdefghijklmnopq"]
    facts: list[object] = [{"content": f"The shop on Elm Street sells {word}"} for word in words]
    facts[3:3] = [{"content": "my password is tangerine-Lorry-88"}]
    facts[9:9] = [{"content": "Rain is wet", "expires_in_days": -3}]
    facts[15:15] = [{"text": "no content here"}]
    file = settings / "facts.jsonl"
    file.write_text("\n".join(json.dumps(fact) for fact in facts), encoding="utf-8")
    assert len(facts) == 20
    done = cli("remember", "--file", str(file), "--json")
    assert done.status == 1
    bad = {number: one["reason"] for number, one in enumerate(done.json) if one["outcome"] == "denied"}
    assert bad == {3: "privacy_deny_sensitive", 9: "invalid_expiry", 15: "invalid_fact"}
    assert len(cli("memory", "list", "--limit", "50", "--json").json) == 17
    again = cli("remember", "--file", str(file))
    assert "17 of 20 stored, 3 refused." in again.out
    assert [line.split(":")[:2] for line in again.err.splitlines()] == [
        ["4", " privacy_deny_sensitive"],
        ["10", " invalid_expiry"],
        ["16", " invalid_fact"],
    ]


def test_several_texts_are_a_batch(cli):
    done = cli("remember", "My favorite tea is oolong", "My favorite soup is leek", "--json")
    assert [one["outcome"] for one in done.json] == ["created", "created"]


def test_batch_of_too_many_is_an_error(cli, settings):
    file = settings / "facts.jsonl"
    file.write_text("\n".join(json.dumps(f"Fact number {number}") for number in range(21)), encoding="utf-8")
    done = cli("remember", "--file", str(file), "--json")
    assert (done.status, done.json["error"]["code"]) == (1, "batch_too_large")
    assert cli("memory", "list", "--json").json == []


def test_line_that_is_no_json_is_a_bad_fact(cli, settings):
    file = settings / "facts.jsonl"
    file.write_text('"My favorite tea is oolong"\nnot json\n', encoding="utf-8")
    done = cli("remember", "--file", str(file), "--json")
    assert [one["reason"] for one in done.json][1] == "invalid_fact"
    assert len(cli("memory", "list", "--json").json) == 1


def test_people(cli):
    cli("remember", "My wife Sarah likes Italian food")
    (sarah,) = cli("people", "list", "--json").json
    assert (sarah["name"], sarah["relation"]) == ("Sarah", "wife")
    assert "Italian food" in cli("people", "show", "my wife").out
    assert cli("people", "show", "Sarah", "--json").json["memories"][0]["about"] == ["Sarah"]
    assert cli("people", "show", "Sarah", "--user", "bob", "--json").json["error"]["code"] == "not_found"
    assert cli("people", "list", "--user", "bob", "--json").json == []


@pytest.mark.parametrize(
    "query",
    ['"', "*", "NEAR(", ")", "-", "🦊", "你好", "مرحبا", "a" * 10_000, "'; DROP TABLE memories; --", "\\", "x OR y"],
)
def test_any_text_is_a_safe_query(cli, query):
    cli("remember", "My favorite tea is oolong")
    done = cli("memory", "search", "--json", "--", query)
    assert done.status == 0
    assert done.json["verdict"] in {"found", "nothing", "below_threshold"}


def test_empty_query_is_a_clear_error(cli):
    done = cli("memory", "search", "  ", "--json")
    assert (done.status, done.json["error"]["code"]) == (2, "empty_query")


def test_why_in_words_and_in_plain_view(cli):
    cli("remember", "My wife Sarah likes Italian food")
    shown = cli("memory", "search", "Italian food", "--why").out
    assert all(word in shown for word in ("found by", "words", "score", "shown by", "rule"))
    (hit,) = cli("memory", "search", "Italian food", "--why", "--json").json["why"]["hits"]
    assert hit["rank"] == 1
    assert f"why.hits.1.rule: {hit['rule']}" in cli("memory", "search", "Italian food", "--why", "--plain").out
    assert "by rule" in cli("memory", "why", hit["id"]).out
    assert "rule: " in cli("memory", "why", hit["id"], "--plain").out


@pytest.mark.parametrize(
    "words", [("chat", ""), ("chat", "  "), ("--user", "", "chat", "hello"), ("--user", " ", "memory", "list")]
)
def test_empty_input_is_an_error_with_a_code(cli, words):
    refused = cli(*words, "--json")
    assert (refused.status, refused.json["error"]["code"]) in {(1, "empty_content"), (2, "invalid_id")}


def test_stats_count_what_was_done(cli):
    assert cli("stats").out == "Nothing was done in that time.\n"
    cli("remember", "I keep bees", "I live in Oslo")
    assert ["2026-03-02", "hotpath", "create", "2"] in [line.split() for line in cli("stats").out.splitlines()]
    assert {"day": "2026-03-02", "node": "hotpath", "op": "create", "times": 2} in cli("--json", "stats").json
    assert cli("stats", "--days", "0").status == 2


def test_whoever_deletes_is_told_the_way_back(cli):
    cli("remember", "I own a kayak")
    (one,) = cli("memory", "list", "--json").json
    short = one["id"][:10]
    assert cli("memory", "delete", short).out == f"Deleted {short}; `wellkept memory restore {short}` brings it back.\n"
    assert cli("memory", "restore", short).out == f"Restored {short}.\n"


def test_nobody_is_forgotten_twice(cli):
    cli("remember", "My sister Lena plays the cello")
    assert cli("people", "forget", "Lena").out.startswith("Archived 1 about Lena;")
    assert cli("people", "forget", "Lena").out == "Nothing about Lena was left to forget.\n"


def test_the_doctor_says_what_it_would_do_and_what_is_sealed(cli, tmp_path):
    cli("remember", "I own a kayak", "--db", str(tmp_path / "ill.db"))
    with sqlite3.connect(tmp_path / "ill.db") as database:
        database.execute("UPDATE ledger SET reason = 'forged' WHERE op = 'create'")
    database.close()
    before = cli("doctor", "--db", str(tmp_path / "ill.db"))
    assert before.status == 1
    assert "seal: marked as known" in before.out
    assert cli("doctor", "--fix", "--yes", "--db", str(tmp_path / "ill.db")).status == 0
    after = cli("doctor", "--db", str(tmp_path / "ill.db"))
    assert after.status == 0
    assert "Known and sealed breaks of the ledger: 1" in after.out


def test_every_check_has_a_remedy():
    assert words.tables()["remedies"].keys() == set(DOCTOR_CHECKS)
