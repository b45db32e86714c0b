"""`wellkept db`, `import` and `export`: copies of the store, and what other products keep."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import wellkept
from tests.exchange import exports
from wellkept.config import Config
from wellkept.surfaces.plain import parse


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


# --- `wellkept trace`: recordings replay to the same bytes anywhere, and what is kept can be shown and compared.


FOLDER = Path(__file__).parents[2] / "golden" / "conversations"
RECORDINGS = sorted(FOLDER.glob("*.json"))
CONVERSATION = {
    "session": "s1",
    "calls": [
        {"record": {"user": "I prefer tea", "ai": "Noted."}},
        {"start_phase": {"name": "later"}},
        {"record": {"user": "I prefer milk"}},
        {"recall": "milk"},
    ],
}


@pytest.fixture
def conversation(tmp_path):
    path = tmp_path / "conversation.json"
    path.write_text(json.dumps(CONVERSATION), encoding="utf-8")
    return str(path)


def test_recordings_replay_in_other_processes_with_other_clocks_zones_and_hash_seeds(process):
    assert len(RECORDINGS) >= 50
    files = [str(path) for path in RECORDINGS]
    for seed, zone in (("0", "Pacific/Kiritimati"), ("4711", "America/St_Johns")):
        done = process("trace", "replay", *files, "--json", TZ=zone, PYTHONHASHSEED=seed, WELLKEPT_DB="unused.db")
        assert done.status == 0, [one for one in done.json if not one["same"]]
        assert len(done.json) == len(files)


def test_the_wall_clock_is_in_no_trace(tmp_path):
    program = (
        "import sys, json, datetime, wellkept\n"
        "from wellkept import replay\n"
        "from wellkept.config import Config\n"
        "clock = lambda: datetime.datetime.fromisoformat(sys.argv[2])\n"
        "with wellkept.open(sys.argv[1], config=Config(), clock=clock, embedder='none') as memory:\n"
        "    print(replay.canonical(replay.play(json.load(sys.stdin), memory)))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / f"{number}.db"), now],
            input=(FOLDER / "city_moves.json").read_text(encoding="utf-8"),
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for number, now in enumerate(("1999-12-31T23:59:59+00:00", "2031-06-01T12:00:00+09:00"))
    }
    assert len(told) == 1


def test_a_changed_recording_is_found(process, tmp_path):
    recorded, shorter = (json.loads((FOLDER / "pets.json").read_text(encoding="utf-8")) for _ in range(2))
    del shorter["calls"][-1]
    recorded["traces"][1][-1]["reason"] = "something_else"
    paths = [tmp_path / "changed.json", tmp_path / "shorter.json"]
    for path, content in zip(paths, (recorded, shorter), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    done = process("trace", "replay", *map(str, paths))
    assert done.status == 1
    assert "call 2 differs" in done.out
    assert "something_else" in done.out
    # What was told of a call that is no longer there differs, too.
    assert f"shorter.json: call {len(recorded['calls'])} differs" in done.out


def test_a_call_that_was_refused_is_named(cli, tmp_path):
    path = tmp_path / "refused.json"
    calls = [{"recall": "x"}, {"diff": {"from_phase": "phase-1", "to_phase": "phase-2"}}]
    path.write_text(json.dumps({"session": "s1", "calls": calls}), encoding="utf-8")
    done = cli("trace", "record", str(path), "--output", str(tmp_path / "recording.json"))
    assert (done.status, done.out) == (0, "5 events recorded.\nCall 2 was refused: unknown_phase.\n")


def test_a_recording_that_goes_on_is_told_apart(cli, conversation, tmp_path):
    first, second = (str(tmp_path / f"{name}.json") for name in ("first", "second"))
    assert cli("trace", "record", conversation, "--output", first).err == ""
    done = cli("trace", "record", conversation, "--output", second)
    assert (done.status, "'s1' had begun before" in done.err) == (0, True)
    assert cli("trace", "replay", first).status == 0
    replayed = cli("trace", "replay", second)
    assert (replayed.status, "call 1 differs" in replayed.out) == (1, True)
    assert max(map(len, replayed.out.splitlines())) < 250


@pytest.mark.parametrize(
    ("content", "said"),
    [(b'{"calls": 3}', 'an object with "session" and "calls"'), (b"\xff", "not valid UTF-8"), (b"tea", "Not JSON")],
)
def test_what_is_no_conversation_is_named(cli, tmp_path, content, said):
    path = tmp_path / "talk.json"
    path.write_bytes(content)
    done = cli("trace", "record", str(path))
    assert (done.status, done.err.startswith(f"{path}: "), said in done.err) == (1, True, True)


def test_record_show_and_diff(cli, conversation, tmp_path):
    output = str(tmp_path / "recording.json")
    done = cli("trace", "record", conversation, "--output", output)
    assert (done.status, done.out) == (0, "12 events recorded.\n")
    recorded = json.loads(Path(output).read_text(encoding="utf-8"))
    shown = cli("trace", "show", "s1", "--json").json
    assert [one["event"]["type"] for one in shown] == [
        event["type"] for answer in recorded["traces"] for event in answer
    ]
    assert {one["call"] for one in shown} == {1, 2, 3, 4}
    assert shown[-1]["event"]["policy_snapshot"]["hash"] in recorded["policies"]
    table = cli("trace", "show", "s1").out
    assert "memory_phase_started reason=manual phase_id=phase-2" in table
    assert len(cli("trace", "show", "s1", "--after", "5", "--json").json) == len(shown) - 5
    assert cli("trace", "show", "nobody").out == "No traces of that session.\n"
    assert "limit must be from 1" in cli("trace", "show", "s1", "--limit", "-3").err
    changes = cli("trace", "diff", "s1", "phase-1", "phase-2").out
    assert changes.splitlines()[:3] == ["Added 1 item", "Deleted 0 items", "Replaced 0 items"]
    assert cli("trace", "diff", "s1", "phase-1", "phase-9").status == 1


def test_plain_view_of_traces_is_bracketless_sorted_and_comes_back(cli, conversation):
    assert cli("trace", "record", conversation).status == 0
    as_json = cli("trace", "show", "s1", "--json").json
    plain = cli("trace", "show", "s1", "--plain").out.rstrip("\n")
    assert parse(plain) == as_json
    lines = plain.split("\n")
    assert lines[0] == f"count: {len(as_json)}"
    assert "1.event.action: write" in lines
    assert not any(line.startswith(("[", "{")) or ": [" in line or ": {" in line for line in lines)
    first = [line.split(": ")[0].split(".")[2] for line in lines if line.startswith("1.event.")]
    assert first == sorted(first)


def test_control_characters_never_reach_the_terminal(cli, tmp_path):
    path = tmp_path / "signs.json"
    calls = [{"record": {"user": "I like \u202ebells\u202c \u0007 and tea"}}, {"recall": "\x1b[31mtea"}]
    path.write_text(json.dumps({"session": "\x1b[2Js", "calls": calls}), encoding="utf-8")
    for form in ("--plain", "--json"):
        printed = cli("trace", "record", str(path), form).out
        assert not any(sign in printed for sign in "\x1b\x07\u202e\u202c")


def test_wrong_conversations_are_named(cli, tmp_path):
    for content, message in (
        ("nonsense", "Not JSON"),
        ("[]", "is an object"),
        ('{"session": "s", "polcy": {}, "calls": []}', "no key 'polcy'"),
        ('{"session": "s"}', 'with "session" and "calls"'),
        ('{"calls": [{"recall": "x"}]}', "Call 1 has no session"),
        ('{"session": "s", "calls": [{"recal": "x"}]}', "unknown key 'recal'"),
        ('{"session": "s", "calls": [{"record": {"usr": "x"}}]}', "usr"),
    ):
        path = tmp_path / "wrong.json"
        path.write_text(content, encoding="utf-8")
        done = cli("trace", "record", str(path))
        assert done.status == 1
        assert message in done.err
    for more, message in (
        ("", "has no traces"),
        (', "traces": "x"', "list of the events"),
        (', "traces": [["x"]]', "list of the events"),
        (', "traces": [], "policies": []', "policies an object"),
    ):
        path.write_text(f'{{"session": "s", "calls": []{more}}}', encoding="utf-8")
        done = cli("trace", "replay", str(path))
        assert (done.status, message in done.err) == (1, True)
    assert cli("trace", "replay").status == 2


def test_sessions_and_phases_are_listed_and_a_phase_is_begun(cli, conversation):
    assert cli("trace", "list").out.strip() == "No governed session yet."
    cli("trace", "record", conversation)
    (session,) = cli("trace", "list", "--json").json
    assert (session["session"], session["phases"]) == ("s1", 2)
    assert cli("trace", "start", "s1", "--name", "third").out.strip() == "phase-3 has begun."
    assert [one["phase_name"] for one in cli("trace", "phases", "s1", "--json").json] == [None, "later", "third"]
    assert "third" in cli("trace", "phases", "s1").out
    assert cli("trace", "start", "never").status == 1


def test_a_phase_is_begun_by_the_policy_that_the_session_lives_by(cli, tmp_path):
    path = tmp_path / "strict.json"
    calls = [{"record": {"user": "I prefer tea"}}]
    path.write_text(json.dumps({"session": "s2", "policy": {"phase": {"enabled": False}}, "calls": calls}))
    cli("trace", "record", str(path))
    refused = cli("trace", "start", "s2")
    assert "phase_disabled" in refused.out
    assert cli("trace", "diff", "s2", "phase-1", "phase-2").out == "Refused: phase_disabled\n"
    assert cli("trace", "phases", "s2", "--json").json == []


def test_a_recording_has_no_secret_and_replays(cli, tmp_path):
    key = "sk_live_" + "51Hq8LmKz0TgVbY2nRwXc7ZZ"
    calls = [{"record": {"user": f"my api key is {key}", "ai": "ok"}}, {"recall": f"what is {key}"}]
    path, recorded = tmp_path / "talk.json", tmp_path / "recording.json"
    path.write_text(json.dumps({"session": "s1", "calls": calls}), encoding="utf-8")
    assert cli("trace", "record", str(path), "--output", str(recorded)).status == 0
    told = recorded.read_text(encoding="utf-8")
    assert key not in told
    assert "memory_denied" in told
    assert cli("trace", "replay", str(recorded)).status == 0
