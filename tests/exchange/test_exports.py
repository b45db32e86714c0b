"""Memories as a file: JSON lines that can be imported again, Markdown that can be read."""

from __future__ import annotations

import io
import json

import pytest

from wellkept.exchange import exports, imports
from wellkept.startup import open as open_memory


@pytest.fixture
def memory(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def test_json_lines_can_be_imported_again(memory, tmp_path, monkeypatch):
    monkeypatch.setattr(exports, "PAGE", 2)
    alice = memory.at(user="alice")
    texts = ["I like tea", "My wife Sarah likes Italian food", "I play chess", "My favorite color is teal", "I sail"]
    for text in texts:
        alice.remember(text)
    path = tmp_path / "a.jsonl"
    with path.open("w", encoding="utf-8") as file:
        assert exports.run(alice, file, "jsonl") == 5
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [one["id"] for one in lines] == [one.id for one in alice.list()]
    bob = memory.at(user="bob")
    done = imports.run(imports.ImportRequest(source="jsonl", path=path, place=bob.place), memory)
    assert (done.new_memories, done.first_faults) == (5, ())
    assert {one.content for one in bob.list()} == {one.content for one in alice.list()}


def test_markdown_is_read_by_people(memory):
    alice = memory.at(user="alice")
    alice.remember("My wife Sarah likes Italian food")
    alice.add("Two\nlines")
    file = io.StringIO()
    assert exports.run(alice, file, "markdown") == 2
    month = memory.engine.clock().strftime("%Y-%m")
    day = memory.engine.clock().strftime("%Y-%m-%d")
    assert file.getvalue() == (
        f"# Memories\n\n## {month}\n\n"
        f"- Two lines ({day}; knowledge; about you; said by you)\n"
        f"- Sarah likes Italian food ({day}; preference; about Sarah; said by you)\n"
    )


def test_nobody_gets_what_they_do_not_see(memory):
    memory.at(user="alice").remember("I like tea")
    file = io.StringIO()
    assert exports.run(memory.at(user="bob"), file, "jsonl") == 0
    assert file.getvalue() == ""
