"""`wellkept import` and `wellkept export` as they are typed: counts, faults, and a process that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

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


def test_killed_and_begun_again_nothing_is_missing_or_doubled(settings, tmp_path, cli):
    """The short form of `bench importing`: the process is killed as soon as it has stored something."""
    path = tmp_path / "a.jsonl"
    lines = [
        json.dumps({"id": str(number), "conversation": f"c{number // 40}", "content": f"Bird {number} sang at dawn"})
        for number in range(6_000)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    variables = {**os.environ, "WELLKEPT_EMBEDDER__PROVIDER": "none"}
    command = [sys.executable, "-m", "wellkept", "--json", "import", "jsonl", str(path), "--no-extract"]
    process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not any(one["version"] > 2 for one in cli("--json", "checkpoint", "list").json):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    done = json.loads(subprocess.run(command, env=variables, capture_output=True, check=True).stdout)
    assert done["is_resumed"]
    assert 0 < done["new_messages"] < 6_000
    again = json.loads(subprocess.run(command, env=variables, capture_output=True, check=True).stdout)
    assert (again["messages"], again["new_messages"], again["is_resumed"]) == (6_000, 0, False)
