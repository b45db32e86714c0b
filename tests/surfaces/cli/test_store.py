"""`wellkept db`, `import` and `export`: copies of the store, and what other products keep."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

import wellkept
from tests.exchange import exports
from wellkept.config import Config


def test_export_import_and_move(cli, tmp_path):
    cli("remember", "My wife Sarah likes Italian food")
    told = cli("db", "export")
    assert told.status == 0
    assert json.loads(told.out.splitlines()[0])["_type"] == "wellkept"
    file = tmp_path / "all.jsonl"
    assert "memories" in cli("db", "export", str(file)).out
    assert file.read_text(encoding="utf-8") == told.out
    assert cli("db", "export", str(file)).status == 1, "a file is never overwritten"
    other = ("--db", str(tmp_path / "other.db"))
    assert cli("db", "import", str(file), *other).status == 0
    assert cli("db", "export", *other).out == told.out
    again = cli("db", "import", str(file), *other)
    assert (again.status, "--merge" in again.err) == (1, True)
    merged = cli("db", "import", str(file), "--merge", "--json", *other)
    assert merged.json["outcomes"]["duplicate"] == 1
    assert cli("db", "move", str(tmp_path / "third.db")).status == 0
    assert cli("db", "export", "--db", str(tmp_path / "third.db")).out == told.out
    assert "Italian" in cli("db", "export", "--of", "alice").out


def test_a_damaged_file_is_named_by_its_line(cli, tmp_path):
    cli("remember", "My wife Sarah likes Italian food")
    text = cli("db", "export").out.splitlines(keepends=True)
    file = tmp_path / "damaged.jsonl"
    file.write_text("".join([*text[:3], text[3][:20] + "\n", *text[4:]]), encoding="utf-8")
    done = cli("db", "import", str(file), "--json", "--db", str(tmp_path / "other.db"))
    assert done.status == 1
    assert done.json["error"]["code"] == "damaged_file"
    assert "Line 4" in done.err
    file.write_bytes(b"\xff\xfe\n")
    assert cli("db", "import", str(file), "--db", str(tmp_path / "other.db")).status == 1
    assert cli("db", "import", str(tmp_path / "nothing.jsonl")).status == 2


def test_backup_and_restore(cli, tmp_path):
    cli("remember", "I keep bees")
    copy = tmp_path / "copies" / "one.db"
    assert cli("db", "backup", str(copy)).status == 0
    assert cli("db", "backup", str(copy)).status == 1
    cli("remember", "I drive an old Saab")
    refused = cli("db", "restore", str(copy), "--json")
    assert refused.json["error"]["code"] == "not_confirmed"
    assert cli("db", "restore", str(copy), "--yes").status == 0
    listed = cli("memory", "list").out
    assert "bees" in listed
    assert "Saab" not in listed
    assert cli("db", "restore", str(tmp_path / "none.db"), "--yes").status == 2
    (tmp_path / "bad.db").write_bytes(b"no database at all" * 999)
    assert cli("db", "restore", str(tmp_path / "bad.db"), "--yes", "--json").json["error"]["code"] == "damaged_file"
    assert "bees" in cli("memory", "list").out


@pytest.mark.parametrize("damage", ["first", "inside", "end"])
def test_a_damaged_store_says_what_to_do_and_that_works(cli, tmp_path, damage):
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    cli("remember", "I like green tea")
    cli("db", "backup", str(copy))
    content = path.read_bytes()
    page = 4096
    wrong = {"first": b"?" * 16 + content[16:], "inside": content[:page] + b"?" * 40 * page, "end": content[: 5 * page]}
    path.write_bytes(wrong[damage])
    told = cli("doctor", "--json")
    assert (told.status, told.json["error"]["code"]) == (1, "damaged_store")
    assert "`wellkept db restore FILE`" in told.err
    done = cli("db", "restore", str(copy), "--yes", "--json").json
    assert Path(done["kept"]).is_file()
    assert cli("doctor").out == "Nothing is wrong.\n"
    assert "green tea" in cli("memory", "list").out
    erased = cli("db", "erase", "alice", "--yes", "--json")
    assert erased.json["files"] >= 2, "what was put aside may hold what is to be erased"


def test_migrate_says_how_many_steps(cli):
    cli("remember", "I keep bees")
    assert cli("db", "migrate", "--json").json == {"steps": 0}


def test_the_layout_is_told_and_a_file_is_not_distributed(cli):
    cli("remember", "I like tea")
    assert cli("db", "doctor").out.startswith("SQLite, schema ")
    assert cli("db", "doctor", "--json").json["faults"] == []
    refused = cli("db", "distribute")
    assert (refused.status, "PostgreSQL with Citus" in refused.err) == (2, True)


def test_a_backup_under_load_is_whole(tmp_path, clock):
    with wellkept.open(tmp_path / "m.db", config=Config(), clock=clock, embedder="none", worker="off") as memory:
        stop = threading.Event()

        def write():
            number = 0
            while not stop.is_set():
                memory.at(user=f"u{number % 3}").add(f"Note number {number} about the harbour")
                number += 1

        thread = threading.Thread(target=write)
        thread.start()
        try:
            for number in range(5):
                memory.upkeep.backup(tmp_path / f"copy{number}.db")
        finally:
            stop.set()
            thread.join()
    counts = []
    for number in range(5):
        with wellkept.open(tmp_path / f"copy{number}.db", config=Config(), clock=clock, embedder="none") as copy:
            assert not list(copy.engine.store.verify("default"))
            counts.append(sum(copy.engine.store.counts("default").values()))
    assert counts == sorted(counts)


def test_erase_gives_a_certificate_that_can_be_checked(cli, tmp_path):
    cli("remember", "I keep bees behind the old windmill")
    cli("remember", "I drive an old Saab", "--user", "bob")
    assert cli("db", "erase", "alice", "--json").json["error"]["code"] == "not_confirmed"
    done = cli("db", "erase", "alice", "--yes", "--json")
    assert done.status == 0
    assert (done.json["status"], done.json["found"]) == ("complete", 0)
    assert not [path for path in tmp_path.iterdir() if path.is_file() and b"windmill" in path.read_bytes()]
    assert "Saab" in cli("memory", "list", "--user", "bob").out
    file = tmp_path / "certificate.json"
    file.write_text(done.out, encoding="utf-8")
    assert cli("db", "certificate", str(file)).status == 0
    file.write_text(json.dumps(done.json | {"sentences": 99}), encoding="utf-8")
    assert cli("db", "certificate", str(file)).status == 1
    again, nobody = (cli("db", "erase", user, "--yes") for user in ("alice", "nobody"))
    assert (again.status, again.out) == (1, "")
    assert "Nothing is stored of this user" in again.err
    assert again == nobody, "who was erased is like somebody who never came"
    assert cli("db", "erase", "alice", "--yes", "--json").json["error"]["code"] == "unknown_user"
    assert "complete" in cli("db", "erase", "bob", "--yes").out


def test_an_export_leaves_a_file_that_is_there_alone(cli, tmp_path):
    cli("remember", "I own a kayak")
    file = tmp_path / "there.jsonl"
    file.write_text("mine")
    done = cli("db", "export", str(file), "--json")
    assert (done.status, done.json["error"]["code"]) == (1, "not_empty")
    assert file.read_text() == "mine"


def test_what_is_no_certificate_is_refused(cli, tmp_path):
    cli("remember", "My wife Sarah likes Italian food")
    for number, content in enumerate((b"garbage", b"[]", b"\xff\xfe\x00\x81", b"", b"[" * 100_000)):
        file = tmp_path / f"{number}.json"
        file.write_bytes(content)
        done = cli("db", "certificate", str(file), "--json")
        assert (done.status, done.json["error"]["code"]) == (1, "invalid_certificate")


def test_an_import_that_fails_leaves_no_store_behind(cli, tmp_path):
    file = tmp_path / "garbage.jsonl"
    file.write_text("garbage\n", encoding="utf-8")
    assert cli("db", "import", str(file), "--db", str(tmp_path / "new.db")).status == 1
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("new.db")] == []


def test_import_says_what_it_found_and_what_is_new(cli, tmp_path):
    path = exports.zipped(tmp_path / "export.zip", conversations=[exports.chatgpt_talk(1, "I play chess", "Ok")])
    dry = cli("import", "chatgpt", str(path), "--dry-run")
    assert (dry.status, dry.out) == (
        0,
        "Found 2 messages and 0 memories in 1 conversations; nothing was stored.\n",
    )
    done = cli("--json", "import", "chatgpt", str(path))
    assert done.json["new_messages"] == 2
    assert "0 messages and 0 memories are new" in cli("import", "chatgpt", str(path)).out


def test_what_is_left_out_is_told_and_is_no_success(cli, tmp_path):
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(exports.MEM0), encoding="utf-8")
    done = cli("import", "mem0", str(path))
    assert done.status == 1
    assert "2 memories are new" in done.out
    assert "Left out: mem0.json, line 1: a memory has no text under memory." in done.err


def test_a_broken_file_says_where(cli, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"content": "I play chess"}\n{', encoding="utf-8")
    done = cli("--json", "import", "jsonl", str(path))
    assert done.status == 1
    assert done.json["error"]["code"] == "damaged_file"
    assert "a.jsonl, line 2" in done.json["error"]["message"]


def test_export_and_import_again(cli, tmp_path):
    cli("remember", "My favorite color is teal")
    path = tmp_path / "out.jsonl"
    assert cli("export", "jsonl", str(path)).out == f"Wrote 1 memories to {path}.\n"
    assert cli("export", "jsonl", str(path)).status == 1
    assert "favorite color is teal" in cli("export", "markdown").out
    assert "1 memories are new" in cli("--user", "bob", "import", "jsonl", str(path)).out
    assert "teal" in cli("--user", "bob", "memory", "list").out
