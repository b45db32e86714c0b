"""Where the memory is: a store that is not there, files that are none, and what a command says and ends with."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import wellkept
from wellkept.surfaces.cli.commands import SECTIONS, root
from wellkept.surfaces.cli.main import WRONG_USAGE

STATUSES = [
    (("memory", "list"), 0),
    (("memory", "show", "m_none"), 1),
    (("memory", "add", "my password is tangerine-Lorry-88"), 1),
    (("memory", "list", "--limit", "0"), 2),
    (("memory", "search", "tea", "--limit", "-1"), 2),
    (("memory", "search", "tea", "--strategy", "banana"), 2),
    (("memory", "search", "tea", "--filter", "colour=1"), 2),
    (("memory", "search", ""), 2),
    (("memory", "query", "tea", "--threshold", "7"), 2),
    (("memory", "add", "tea", "--type", "banana"), 2),
    (("memory", "add", "tea", "--shared"), 2),
    (("context", "tea", "--budget-tokens", "99"), 2),
    (("--user", "", "memory", "list"), 2),
    (("--now", "whenever", "memory", "list"), 2),
    (("--db", "mysql://x", "memory", "list"), 2),
    (("upkeep", "run", "banana"), 2),
    (("doctor", "banana"), 2),
    (("trace", "replay", "banana.json"), 2),
    (("events", "--node", "banana"), 2),
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
    said = done.json
    if status and "error" in said:
        assert (said["error"]["code"] in {"usage"} | WRONG_USAGE) == (status == 2)
        assert said["error"]["message"].split("\n")[0] in done.err


def test_what_is_called_wrong_usage_is_a_code_that_there_is():
    codes = {"invalid_input"}
    for path in Path(wellkept.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "InvalidInput":
                codes |= {one.value.value for one in node.keywords if one.arg == "code"}
    assert codes >= WRONG_USAGE


def test_an_unknown_value_is_told_with_the_known_ones(cli):
    assert "preference, identity," in cli("memory", "add", "tea", "--type", "banana").err
    assert "hotpath, context," in cli("events", "--node", "banana").err


def test_looking_makes_no_store(cli, tmp_path, monkeypatch):
    path = tmp_path / "deep" / "mistyped.db"
    done = cli("--db", str(path), "--json", "memory", "list")
    assert (done.status, done.json) == (0, [])
    assert f"There is no store at {path}" in done.err
    assert "`wellkept remember …` makes a store" in done.err
    assert cli("--db", f"sqlite:///{path}", "memory", "delete", "m_none").status == 1
    for words in (
        ("doctor",),
        ("upkeep", "run"),
        ("db", "export"),
        ("db", "backup", "copy.db"),
        ("db", "erase", "bob", "--yes"),
        ("db", "move", "x.db"),
    ):
        done = cli("--db", str(path), "--json", *words)
        assert (done.status, done.json["error"]["code"]) == (1, "no_store"), words
    assert not path.parent.exists()
    monkeypatch.delenv("WELLKEPT_DB")
    monkeypatch.setenv("XDG_DATA_HOME", str(path.parent))
    assert str(path.parent / "wellkept" / "memory.db") in cli("memory", "list").err
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


def test_help_shows_every_command_once_those_of_every_day_first(cli):
    shown = cli("--help").out
    commands, options = shown.split("\nOptions:\n")
    first = commands.split("\n\n")[2]
    assert first.startswith("Every day:\n  remember ")
    named = [line.split()[0] for line in commands.splitlines() if re.match(r"  [a-z]", line)]
    assert sorted(named) == sorted(root().list_commands(None))
    assert [line.split()[0] for line in first.splitlines() if re.match(r"  [a-z]", line)] == list(SECTIONS["Every day"])
    assert "--db" in options


def test_measurements_are_shown_only_where_they_can_run(cli, monkeypatch, tmp_path):
    monkeypatch.setattr(wellkept, "__file__", str(tmp_path / "lib" / "wellkept" / "__init__.py"))
    shown = cli("--help").out
    assert "\n  completion" in shown
    assert "\n  bench" not in shown
    assert "\n  eval" not in shown
    assert cli("bench").status == 1, "who asks all the same is told why"


def test_search_is_a_command_of_its_own(cli):
    cli("remember", "I like green tea")
    assert cli("search", "--help").out.partition("\n")[2] == cli("memory", "search", "--help").out.partition("\n")[2]
    assert "green tea" in cli("search", "tea").out


# --- Somebody who does not know the word is told it.


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("memory", "forget", "m_1"), "wellkept memory delete"),
        (("memory", "remove", "m_1"), "wellkept memory delete"),
        (("memory", "serach", "tea"), "wellkept memory search"),
        (("memory", "undelete", "m_1"), "wellkept memory restore"),
        (("delete", "m_1"), "wellkept memory delete"),
        (("find", "tea"), "wellkept search"),
        (("forget", "m_1"), "wellkept people forget"),
        (("forget", "m_1"), "wellkept memory delete"),
        (("recall", "tea"), "wellkept search"),
        (("recal", "tea"), "wellkept memory search"),
        (("todo", "complete", "t_1"), "wellkept todo done"),
        (("person", "list"), "wellkept people"),
        (("memory", "doctor"), "wellkept doctor"),
        (("db", "dump"), "wellkept db export"),
        (("people", "delete", "Ana"), "wellkept people forget"),
        (("fsck",), "wellkept doctor"),
    ],
)
def test_near_misses_name_the_command(cli, typed, meant):
    done = cli(*typed)
    assert done.status == 2
    assert "Did you mean" in done.err
    assert f"`{meant}`" in done.err


def test_a_word_like_no_other_gets_no_guess(cli):
    done = cli("memory", "xyzzy", "--json")
    assert done.status == 2
    assert done.json["error"] == {"code": "usage", "message": "No such command 'xyzzy'."}
