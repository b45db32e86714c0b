"""`wellkept observe`: an exchange from a file, as JSON, JSON lines or plain lines."""

from __future__ import annotations

import json

import pytest

from wellkept.errors import InvalidInput
from wellkept.surfaces.cli.inputs import exchange

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
