"""`wellkept import` and `wellkept export` as they are typed: counts, faults and files."""

from __future__ import annotations

import json

from tests.exchange import exports


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
