"""Where the memory is: a store that is not there, files that are none, and what a command says and ends with."""

from __future__ import annotations

import pytest

STATUSES = [
    (("memory", "list"), 0),
    (("memory", "show", "m_none"), 1),
    (("memory", "list", "--limit", "0"), 1),
    (("memory", "add", "tea", "--type", "banana"), 1),
    (("events", "--node", "banana"), 1),
    (("memory", "list", "--limit", "few"), 2),
    (("memory", "lst"), 2),
    (("--colour", "memory", "list"), 2),
    (("remember",), 2),
]


@pytest.mark.parametrize(("words", "status"), STATUSES)
def test_the_status_says_done_refused_or_wrong_usage(cli, words, status):
    cli("remember", "I like tea")
    done = cli("--json", *words)
    assert done.status == status
    if status:
        said = done.json["error"]
        assert (said["code"] == "usage") == (status == 2)
        assert said["message"].split("\n")[0] in done.err


def test_an_unknown_value_is_told_with_the_known_ones(cli):
    assert "preference, identity," in cli("memory", "add", "tea", "--type", "banana").err
    assert "hotpath, context," in cli("events", "--node", "banana").err


def test_looking_makes_no_store(cli, tmp_path):
    path = tmp_path / "deep" / "mistyped.db"
    done = cli("--db", str(path), "--json", "memory", "list")
    assert (done.status, done.json) == (0, [])
    assert f"There is no store at {path}" in done.err
    assert cli("--db", f"sqlite:///{path}", "memory", "delete", "m_none").status == 1
    for words in (
        ("db", "export"),
        ("db", "backup", "copy.db"),
        ("db", "erase", "bob", "--yes"),
        ("db", "move", "x.db"),
    ):
        done = cli("--db", str(path), "--json", *words)
        assert (done.status, done.json["error"]["code"]) == (1, "no_store"), words
    assert not path.parent.exists()
    assert cli("--db", str(path), "remember", "I like tea").err == ""
    assert "tea" in cli("--db", str(path), "memory", "list").out


def test_what_is_no_store_is_named(cli, tmp_path):
    wrong = tmp_path / "notes.txt"
    wrong.write_text("Nothing of a database, and long enough to be read as one. " * 20)
    for path in (wrong, tmp_path):
        done = cli("--db", str(path), "memory", "list")
        assert done.status == 1
        assert str(path) in done.err
    cli("remember", "I like tea")
    assert "nofolder" in cli("db", "export", str(tmp_path / "nofolder" / "x")).err
