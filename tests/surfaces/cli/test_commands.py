"""The command line as people and scripts use it: what is printed, in which form, with which exit status."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import wellkept
from wellkept.errors import InvalidInput
from wellkept.surfaces.cli.commands import exchange

ANSI = re.compile(r"\x1b\[")
RECORD = {
    "id", "tenant", "version", "content", "quote", "language", "type", "kind", "event_type", "category", "tags",
    "steps", "space", "owner", "owner_user_id", "chat_id", "persona_id", "agent_id", "run_id", "actor_id", "role",
    "subject_person_ids", "stated_by", "learned_in", "source", "origin", "source_username", "source_display_name",
    "source_session_id", "source_message_id", "entity_refs", "entity_label", "subtype", "memory_key", "fact_key",
    "sensitivity", "portable", "confidential", "importance", "pinned", "confidence", "authority", "authority_reason",
    "mention_count", "access_count", "state", "archive_reason", "created_at", "observed_at", "updated_at",
    "last_accessed_at", "expires_at", "purge_at", "valid_from", "valid_to", "superseded_at", "superseded_by", "tick",
    "phase_id", "meta",
}  # fmt: skip


def test_version_and_help(cli):
    assert cli("--version").out == f"wellkept {wellkept.__version__}\n"
    shown = cli("--help")
    assert shown.status == 0
    assert all(word in shown.out for word in ("chat", "remember", "memory", "context", "demo", "config", "people"))


def test_usage_errors_have_status_2(cli):
    for arguments in (["memory", "serach", "x"], ["memory", "list", "--limit", "many"], ["memory", "show"], ["--db"]):
        done = cli(*arguments)
        assert (done.status, done.out) == (2, "")
        assert done.err
        assert "Traceback" not in done.err


def test_usage_error_as_json(cli):
    done = cli("memory", "list", "--limit", "many", "--json")
    assert done.status == 2
    assert done.json["error"]["code"] == "usage"
    assert "many" in done.json["error"]["message"]


def test_list_is_a_bare_array_of_records(cli):
    assert cli("memory", "list", "--json").json == []
    cli("remember", "My favorite tea is oolong")
    (one,) = cli("memory", "list", "--json").json
    assert set(one) >= RECORD
    assert not set(one) & {"discriminator", "is_correction"}
    assert "oolong" in one["content"]
    assert one["owner_user_id"] == "alice"
    assert one["chat_id"] is None
    assert one["trust"] == "fact"
    assert one["created_at"] == "2026-03-02T09:00:00+00:00"
    assert one["said_by"] == "you"


def test_write_is_an_outcome_of_four_names(cli):
    done = cli("remember", "My favorite tea is oolong", "--json")
    assert done.status == 0
    assert set(done.json) == {"outcome", "id", "reason", "replaced"}
    assert done.json["outcome"] == "created"


def test_search_is_verdict_and_hits(cli):
    cli("remember", "My favorite tea is oolong")
    found = cli("memory", "search", "oolong tea", "--json").json
    assert set(found) >= {"verdict", "hits"}
    assert found["verdict"] == "found"
    (hit,) = found["hits"]
    assert set(hit) >= {"id", "source", "text", "score", "why", "about", "stated_by", "at"}
    assert hit["source"] == "memory"
    assert cli("memory", "search", "oolong", "--user", "bob", "--json").json == {"verdict": "nothing", "hits": []}


def test_tables_name_their_columns(cli):
    cli("remember", "My favorite tea is oolong")
    heading, row = cli("memory", "list").out.splitlines()
    assert re.split(r"\s{2,}", heading) == ["ID", "type", "about", "said by", "trust", "created", "content"]
    assert "2026-03-02 09:00" in row
    assert cli("memory", "search", "oolong").out.splitlines()[0].split()[:2] == ["score", "ID"]
    assert cli("memory", "list", "--user", "bob").out == "No memories.\n"
    assert cli("memory", "search", "oolong", "--user", "bob").out == "Nothing found.\n"


def test_shown_id_works_as_a_prefix(cli):
    cli("remember", "My favorite tea is oolong")
    shown = cli("memory", "list").out.splitlines()[1].split()[0]
    assert 8 <= len(shown) < len(cli("memory", "list", "--json").json[0]["id"])
    assert "oolong" in cli("memory", "show", shown).out
    assert cli("memory", "show", shown, "--json").json["id"].startswith(shown)


def test_ambiguous_prefix_names_the_candidates(cli, monkeypatch):
    monkeypatch.setenv("WELLKEPT_EMBEDDER__PROVIDER", "none")  # sixty writes, and none of them is looked for
    ids = [cli("memory", "add", f"Note {number} of many", "--json").json["id"] for number in range(60)]
    alike = next(group for group in by_beginning(ids, 3).values() if len(group) > 1)
    done = cli("memory", "show", alike[0][:3], "--json")
    assert (done.status, done.json["error"]["code"]) == (1, "ambiguous")
    assert all(one in done.err for one in alike[:5])


def by_beginning(ids: list[str], length: int) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for one in ids:
        groups.setdefault(one[:length], []).append(one)
    return groups


@pytest.mark.parametrize("wrong", ["m_nothere", "", "%", "m", "m_%", "*", "\u202em_x", "x" * 10_000])
def test_unknown_id_is_not_found(cli, wrong):
    cli("remember", "My favorite tea is oolong")
    done = cli("memory", "show", "--json", "--", wrong)
    assert done.status == 1
    assert done.json["error"]["code"] == "not_found"
    assert done.err == done.json["error"]["message"] + "\n"


def test_somebody_elses_id_is_like_none_at_all(cli):
    theirs = cli("remember", "My favorite tea is oolong", "--json").json["id"]
    assert cli("memory", "show", theirs, "--user", "bob") == cli("memory", "show", "m_nothere", "--user", "bob")
    assert cli("memory", "delete", theirs, "--user", "bob") == cli("memory", "delete", "m_nothere", "--user", "bob")


def test_unknown_type_lists_the_valid_ones(cli):
    done = cli("memory", "add", "Rain is wet", "--type", "opinion", "--json")
    assert done.status == 2
    assert done.json["error"]["code"] == "invalid_type"
    assert all(name in done.err for name in ("preference", "identity", "observation", "procedural"))


def test_add_takes_its_options(cli):
    words = ["memory", "add", "The offsite is in Lisbon", "--type", "event", "--about", "Bob", "--expires", "2 weeks"]
    stored = cli(*words, "--sensitivity", "personal", "--chat", "c1", "--shared", "--json").json
    (one,) = cli("memory", "list", "--chat", "c1", "--json").json
    assert one["id"] == stored["id"]
    assert (one["content"], one["type"], one["sensitivity"]) == ("The offsite is in Lisbon", "event", "personal")
    assert (one["chat_id"], one["owner_user_id"]) == ("c1", None)
    assert one["expires_at"] == "2026-03-16T09:00:00+00:00"
    assert one["about"] == ["Bob"]


def test_forget_restore_pin_edit_history(cli):
    one = cli("memory", "add", "The printer is on floor two", "--json").json["id"]
    assert cli("memory", "pin", one, "--json").json["outcome"] == "updated"
    assert cli("memory", "list", "--filter", "pinned=true", "--json").json[0]["id"] == one
    cli("memory", "unpin", one)
    assert cli("memory", "list", "--filter", "pinned=true", "--json").json == []
    cli("memory", "edit", one, "The printer is on floor three")
    assert "floor three" in cli("memory", "search", "printer").out
    cli("memory", "delete", one)
    assert cli("memory", "list", "--json").json == []
    assert cli("memory", "restore", one).status == 0
    told = cli("memory", "history", one, "--json").json
    assert [event["event"] for event in told["events"]] == ["RESTORE", "DELETE", "UPDATE", "UPDATE", "UPDATE", "ADD"]
    assert "The printer is on floor two" in [version["content"] for version in told["versions"]]
    shown = cli("memory", "history", one).out
    assert "floor two" in shown
    assert "alice" in shown


def test_global_options_stand_anywhere(cli):
    cli("remember", "My favorite tea is oolong", "--user", "carol", "--chat", "dm")
    orders = [
        ["--user", "carol", "--json", "memory", "list"],
        ["memory", "--user", "carol", "list", "--json"],
        ["memory", "list", "--json", "--user=carol"],
        ["--json", "memory", "list", "--limit", "5", "--user", "carol", "--chat", "dm"],
    ]
    answers = [cli(*order).json for order in orders]
    assert len(answers[0]) == 1
    assert all(answer == answers[0] for answer in answers)


def test_after_two_dashes_everything_is_text(cli):
    assert cli("remember", "--", "--json is my favorite flag").status == 0
    assert "json is my favorite flag" in cli("memory", "list", "--json").json[0]["quote"]


def test_participants_are_repeatable(cli):
    cli(
        "remember", "My favorite tea is oolong", "--chat", "g", "--chat-type", "group", "--with", "bob", "--with", "eve"
    )
    seen = cli("memory", "search", "tea", "--user", "bob", "--chat", "g", "--chat-type", "group", "--with", "alice")
    assert "oolong" in seen.out


def test_expiry_by_the_given_clock_with_gc_never_run(cli, monkeypatch):
    monkeypatch.setenv("WELLKEPT_MEMORY__AUTO_GC", "false")
    cli("remember", "The gate code word is on the fridge", "--expires-in-days", "14")
    assert len(cli("memory", "list", "--json", now="2026-03-15T09:00:00Z").json) == 1
    assert cli("memory", "list", "--json", now="2026-03-17T09:00:00Z").json == []
    (over,) = cli("memory", "list", "--include-expired", "--json", now="2026-03-17T09:00:00Z").json
    assert over["is_expired"]
    assert "(expired)" in cli("memory", "list", "--include-expired", now="2026-03-17T09:00:00Z").out


def test_unreadable_clock_is_an_error(cli):
    done = cli("memory", "list", "--json", now="not a time at all")
    assert (done.status, done.json["error"]["code"]) == (2, "invalid_time")


def test_control_characters_never_reach_the_terminal(cli):
    cli("memory", "add", "Evil \x1b]0;title\x07 text \u202egnp.exe \x9b31m")
    for command in (
        ["memory", "list"],
        ["memory", "search", "evil text"],
        ["context", "evil"],
        ["memory", "list", "--json"],
    ):
        for form in ([], ["--json"], ["--plain"]):
            done = cli(*command, *form)
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.out + done.err)


def test_errors_show_no_control_characters(cli):
    done = cli("memory", "list", "--filter", "\x1b[31mx=1")
    assert done.status == 2
    assert "\x1b" not in done.err


def test_plain_view_reads_back_to_the_json(cli):
    from wellkept.surfaces import plain

    cli("remember", "My favorite tea is oolong")
    assert plain.parse(cli("memory", "list", "--plain").out.rstrip("\n")) == cli("memory", "list", "--json").json
    assert cli("memory", "list", "--plain", "--json").status == 2


def test_context_is_the_block(cli):
    cli("remember", "My favorite tea is oolong")
    shown = cli("context", "what to drink: tea?")
    assert shown.out.startswith("<<<memory ")
    assert "oolong" in shown.out
    assert cli("context", "tea", "--json").json["text"].startswith("<<<memory ")
    assert cli("context", "tea", "--budget-tokens", "50", "--json").json["error"]["code"] == "invalid_budget"


def test_gc_stats_rebuild(cli):
    cli("memory", "add", "Somebody was tired", "--type", "observation")
    counted = cli("memory", "stats", "--json").json
    assert counted["bytes"].pop("memory.db") > 0
    assert counted | {"bytes": {}} == {
        "visible": {"observation": 1},
        "states": {"active": 1},
        "privacy": {"public": 1},
        "bytes": {},
    }
    cli("memory", "rebuild-index")
    assert "tired" in cli("memory", "search", "tired").out
    later = cli("memory", "gc", "--json", now="2026-04-01T09:00:00Z")
    assert later.status == 0
    assert set(later.json) == {"archived", "reasons"}
    assert cli("memory", "stats", "--json").json["states"] == {"archived": 1}


def test_config_show_and_check(cli, settings):
    file = settings / "wellkept.toml"
    file.write_text("[memory]\nmax_entries = 1000\n", encoding="utf-8")
    rows = {row["key"]: row for row in cli("config", "show", "--config", str(file), "--json").json}
    assert rows["memory.max_entries"] == {"key": "memory.max_entries", "value": 1000, "origin": str(file)}
    assert rows["memory.auto_gc"]["origin"] == "default"
    assert "memory.max_entries" in cli("config", "show").out
    assert cli("config", "check", "--config", str(file)).status == 0
    file.write_text("[memory]\nmax_entires = 1000\n", encoding="utf-8")
    wrong = cli("config", "check", "--config", str(file), "--json")
    assert (wrong.status, wrong.json["error"]["code"]) == (1, "invalid_config")
    assert "max_entires" in wrong.err


def test_completion_script(cli):
    assert "_WELLKEPT_COMPLETE" in cli("completion", "bash").out
    assert cli("completion", "tcsh").status == 2


def test_completion_offers_commands(process):
    done = process(_WELLKEPT_COMPLETE="bash_complete", COMP_WORDS="wellkept memory s", COMP_CWORD="2")
    assert {"plain,search", "plain,show", "plain,stats"} <= set(done.out.split())


def test_store_that_cannot_be_opened_is_a_sentence(cli, settings):
    for path in (settings, settings / "no" / "such" / "folder" / "x.db"):
        done = cli("memory", "list", "--db", str(path), "--json")
        if done.status:
            assert done.json["error"]["message"]
            assert "Traceback" not in done.err
    (settings / "text.db").write_text("this is no database " * 100, encoding="utf-8")
    broken = cli("memory", "list", "--db", str(settings / "text.db"), "--json")
    assert (broken.status, broken.json["error"]["code"]) == (1, "damaged_store")


def test_piped_output_has_no_colour_and_a_terminal_has(process, settings):
    process("remember", "My favorite tea is oolong")
    assert not ANSI.search(process("memory", "list").out)
    assert ANSI.search(in_terminal("memory", "list"))
    assert not ANSI.search(in_terminal("memory", "list", NO_COLOR="1", TERM="dumb"))


def in_terminal(*arguments: str, typed: bytes = b"", **variables: str) -> str:
    """What the command prints to a terminal of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "120", **variables})
        os.execv(sys.executable, [sys.executable, "-m", "wellkept", *arguments])  # noqa: S606 -- our own command
    printed = b""
    if typed:
        os.write(terminal, typed)
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        printed += more
    os.waitpid(child, 0)
    return printed.decode("utf-8", "replace")


def test_conversation_in_a_terminal(settings):
    shown = in_terminal("chat", typed=b"Remember my favorite tea is oolong\nWhat is my favorite tea?\n\n")
    assert "An empty line ends" in shown
    assert shown.count("oolong") >= 2


def test_conversation_from_a_pipe(process):
    done = process("chat", stdin="Remember my favorite tea is oolong\nWhat is my favorite tea?\n")
    assert done.status == 0
    assert "oolong" in done.out.splitlines()[-1]


def test_reader_that_goes_away_is_no_error(process, settings):
    for number in range(3):
        process("memory", "add", f"Fact {number} " + "long " * 700)
    command = f"{sys.executable} -m wellkept memory list --json | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], env=os.environ, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_interrupt_ends_quietly(settings):
    running = subprocess.Popen(
        [sys.executable, "-m", "wellkept", "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs the tests in the background hands down interrupts that are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 -- nothing but a system call
    )
    running.stdin.write("hello\n")
    running.stdin.flush()
    assert running.stdout.readline(), "it has answered, and waits for the next line"
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in err


def test_arguments_that_are_no_text(settings):
    done = subprocess.run([sys.executable, "-m", "wellkept", "remember", b"\xff\xfe"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"not valid UTF-8" in done.stderr


def test_default_user_is_the_login_name(settings, process):
    done = process("remember", "My favorite tea is oolong", "--json", WELLKEPT_USER="", LOGNAME="karin")
    assert done.status == 0
    (one,) = process("memory", "list", "--json", WELLKEPT_USER="", LOGNAME="karin").json
    assert one["owner_user_id"] == "karin"


def test_json_is_one_document(cli):
    cli("remember", "My favorite tea is oolong")
    for command in (
        ["memory", "list"],
        ["memory", "stats"],
        ["people", "list"],
        ["config", "show"],
        ["chat", "What is up?"],
    ):
        json.loads(cli(*command, "--json").out)


def test_store_is_where_it_was_asked_for(cli, settings):
    cli("remember", "My favorite tea is oolong", "--db", str(settings / "other.db"))
    assert (settings / "other.db").exists()
    assert not Path(settings / "memory.db").exists()


def test_names_may_stand_behind_one_another(cli):
    cli("remember", "My favorite tea is oolong")
    apart = cli("memory", "query", "tea", "--categories", "preferences", "--categories", "tasks", "--json").json
    assert cli("memory", "query", "tea", "--categories", "preferences,tasks", "--json").json == apart != []


# --- `wellkept observe`: an exchange from a file, as JSON, JSON lines or plain lines.


LINES = "Alice: I joined a pottery class\nassistant: Lovely!\nuser: thanks a lot\nSee: https://example.org is plain"


def test_plain_lines_have_speakers_and_roles():
    assert exchange(LINES) == [
        {"role": "user", "content": "I joined a pottery class", "speaker": "Alice"},
        {"role": "assistant", "content": "Lovely!"},
        {"role": "user", "content": "thanks a lot"},
        {"role": "user", "content": "https://example.org is plain", "speaker": "See"},
    ]


@pytest.mark.parametrize("form", ["list", "lines"])
def test_json_is_taken_as_it_is(form):
    said = [{"role": "user", "content": "a: b", "id": "1"}, {"content": "x"}]
    text = json.dumps(said, indent=1) if form == "list" else "\n\n".join(map(json.dumps, said))
    assert exchange(text) == said


def test_a_broken_line_is_named():
    with pytest.raises(InvalidInput, match="Line 2"):
        exchange('{"content": "x"}\n{"content": ')


def test_what_is_observed_is_found(cli, tmp_path):
    file = tmp_path / "talk.jsonl"
    file.write_text('{"content": "The pottery class starts at nine", "id": "D1:1"}\n', encoding="utf-8")
    seen = json.loads(cli("observe", str(file), "--no-extract", "--json").out)
    assert seen == {"messages": ["D1:1"], "outcomes": []}
    assert json.loads(cli("observe", str(file), "--json").out)["messages"] == []
    found = json.loads(cli("memory", "search", "pottery", "--sources", "messages", "--json").out)
    assert [(hit["id"], hit["source"]) for hit in found["hits"]] == [("D1:1", "message")]
    assert json.loads(cli("memory", "search", "pottery", "--json").out) == found, "one default on every surface"
    assert json.loads(cli("memory", "search", "pottery", "--sources", "memories", "--json").out)["hits"] == []


def test_a_text_in_the_place_of_a_file_is_told_what_to_give(cli, tmp_path):
    done = cli("observe", "I bought an oven")
    assert (done.status, "This takes a file, or - for standard input." in done.err) == (2, True)
    assert "This takes" not in cli("observe", str(tmp_path)).err
