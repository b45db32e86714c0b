"""The transcript, previews and what operators reveal, as a person sees them in a terminal."""

from __future__ import annotations

import json


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
