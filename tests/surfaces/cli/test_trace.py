"""`wellkept trace`: recordings replay to the same bytes anywhere, and what is kept can be shown and compared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from wellkept.surfaces.plain import parse

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
