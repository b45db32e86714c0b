"""Every export format as its product writes it."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from datetime import UTC, datetime

import pytest

from tests.exchange import exports
from wellkept.errors import ImportDamaged, InvalidInput, TooLarge
from wellkept.exchange import sources
from wellkept.exchange.sources import SOURCES, Fault, Item, Part, Parts, elements_of

FILE_AT = datetime(2026, 1, 1, tzinfo=UTC)


def read(source, content, name="export.json"):
    """Items and faults of one file."""
    raw = content.encode() if isinstance(content, str) else json.dumps(content).encode()
    part = Part(name=name, size=len(raw), at=FILE_AT, open=lambda: io.BytesIO(raw))
    found = list(SOURCES[source].read(part, part.open()))
    return [one for one in found if isinstance(one, Item)], [one for one in found if isinstance(one, Fault)]


def told(items):
    return [(one.id, one.role, one.content) for one in items]


def test_chatgpt_tells_the_branch_that_was_shown():
    talks = [exports.chatgpt_talk(1, "I live in Rome", "Nice!", "I like tea"), {"title": "broken"}]
    items, faults = read("chatgpt", talks)
    assert told(items) == [
        ("node-1-0", "user", "I live in Rome"),
        ("node-1-1", "assistant", "Nice!"),
        ("node-1-2", "user", "I like tea"),
    ]
    assert {one.conversation for one in items} == {"talk-1"}
    assert items[0].at == datetime.fromtimestamp(1_700_001_000.5, UTC)
    assert [(one.file, one.reason) for one in faults] == [("export.json", "a conversation has no mapping of messages")]


def test_chatgpt_leaves_out_pictures_tools_and_what_is_hidden():
    talk = exports.chatgpt_talk(1, "Look", "ok", "here")
    message = talk["mapping"]["node-1-2"]["message"]
    message["content"] = {"content_type": "multimodal_text", "parts": [{"content_type": "image"}, "my garden"]}
    talk["mapping"]["node-1-1"]["message"]["recipient"] = "python"
    talk["mapping"]["node-1-0"]["message"]["metadata"] = {"is_visually_hidden_from_conversation": True}
    items, faults = read("chatgpt", [talk])
    assert [one.content for one in items] == ["my garden"]
    assert faults == []


def test_a_tree_that_turns_in_a_circle_ends():
    talk = exports.chatgpt_talk(1, "a", "b")
    talk["mapping"]["node-1-0"]["parent"] = "node-1-1"
    items, _ = read("chatgpt", [talk])
    assert [one.content for one in items] == ["a", "b"]


def test_claude():
    items, faults = read("claude", [exports.claude_talk(1, "I play chess", "Do you?"), {"uuid": "x"}])
    assert told(items) == [("message-1-0", "user", "I play chess"), ("message-1-1", "assistant", "Do you?")]
    assert items[0].at == datetime(2025, 3, 1, 10, tzinfo=UTC)
    assert len(faults) == 1


@pytest.mark.parametrize("content", [exports.MEM0, exports.MEM0["results"]])
def test_mem0(content):
    items, faults = read("mem0", content)
    assert [(one.id, one.content, one.user, one.is_memory) for one in items] == [
        ("3c90c3cc", "Likes Italian food", "sarah", True),
        ("4d90c3cc", "Works as a nurse", "tom", True),
    ]
    assert items[0].at == datetime(2024, 7, 1, 5, 31, 56, tzinfo=UTC)
    assert [one.reason for one in faults] == ["a memory has no text under memory"]


def test_letta_of_today_and_of_before():
    items, faults = read("letta", exports.LETTA, "sam.af")
    assert [(one.content, one.role, one.is_memory) for one in items] == [
        ("First name: Chad", "user", True),
        ("Studies at Berkeley", "user", True),
        ("I sail on Sundays", "user", False),
        ("Lovely!", "assistant", False),
    ]
    assert faults == []
    before = {"name": "sam", "core_memory": exports.LETTA["blocks"], "messages": exports.LETTA["agents"][0]["messages"]}
    assert [one.content for one in read("letta", before)[0]] == [one.content for one in items]


def test_zep_messages_and_the_facts_that_hold():
    items, faults = read("zep", exports.ZEP)
    assert [(one.content, one.role, one.speaker, one.is_memory) for one in items] == [
        ("I moved to Bergen", "user", "Jane", False),
        ("Congratulations!", "assistant", None, False),
        ("Jane lives in Bergen", "user", None, True),
    ]
    assert [one.reason for one in faults] == ["neither a message with content nor a fact"]


def test_basic_memory():
    items, _ = read("basic-memory", exports.BASIC_MEMORY, "notes/coffee.md")
    assert [(one.content, one.is_memory) for one in items] == [
        ("Pour over gives more clarity", True),
        ("Coffee relates to Tea", True),
        ("I brew coffee every morning.", False),
        ("buy beans", False),
    ]
    assert {one.at for one in items} == {datetime(2025, 2, 3, tzinfo=UTC)}
    assert {one.conversation for one in items} == {"coffee"}


def test_obsidian():
    items, _ = read("obsidian", exports.OBSIDIAN, "trip.md")
    assert [one.content for one in items] == [
        "We went to the city of Lisbon in May and stayed a week.",
        "call Ana",
    ]
    assert items[0].at == datetime(2024, 5, 6, tzinfo=UTC)
    edited = read("obsidian", exports.OBSIDIAN.replace("a week", "ten days"), "trip.md")[0]
    assert edited[0].id != items[0].id
    assert edited[1].id == items[1].id
    assert read("obsidian", "No properties here.", "a.md")[0][0].at == FILE_AT


def test_jsonl():
    lines = [
        {
            "role": "user",
            "content": "I like tea",
            "at": "2024-01-02",
            "speaker": "Ana",
            "conversation": "c1",
            "id": "1",
        },
        {"item": "memory", "content": "Ana likes tea", "user": "ana"},
        {"role": "robot", "content": "beep"},
        {"role": "user"},
    ]
    items, faults = read("jsonl", "\n".join(map(json.dumps, lines)), "a.jsonl")
    assert [(one.content, one.speaker, one.conversation, one.is_memory) for one in items] == [
        ("I like tea", "Ana", "c1", False),
        ("Ana likes tea", None, "", True),
    ]
    assert [(one.line, one.reason) for one in faults] == [
        (3, "role must be one of user, assistant, tool, system"),
        (4, "content, a text, is missing"),
    ]


@pytest.mark.parametrize(
    ("source", "content", "line", "reason"),
    [
        ("jsonl", '{"content": "a"}\n\n{"content": ', 3, "not valid JSON"),
        ("jsonl", '{"content": "a"}\n[1]', 2, "a JSON object was expected"),
        ("jsonl", '{"content": "a", "at": "when pigs fly"}', 1, "is not a time"),
        ("chatgpt", '{"a": 1}', 1, "a JSON array was expected"),
        ("chatgpt", "[\n{},\n{]", 3, "not valid JSON"),
        ("claude", '[\n{"uuid": "a", "chat_messages": []}', 2, "the file ends in the middle"),
        ("mem0", '{"other": []}', 1, "it has none of results, memories"),
        ("letta", '{"agents":\n', 2, "not valid JSON"),
        ("letta", "[]", 1, "an agent file is a JSON object"),
    ],
)
def test_a_broken_file_says_line_and_reason(source, content, line, reason):
    with pytest.raises(ImportDamaged, match=reason) as caught:
        read(source, content)
    assert (caught.value.code, caught.value.line) == ("damaged_file", line)


# --- Files of an export as a stream: archives within limits, arrays element by element.


def part_of(raw: bytes) -> Part:
    return Part(name="a.json", size=len(raw), at=None, open=lambda: io.BytesIO(raw))


def elements(raw: bytes, keys=()):
    part = part_of(raw)
    return list(elements_of(part, part.open(), keys))


def test_elements_have_their_lines():
    raw = b'\xef\xbb\xbf [\n {"a": 1},\n\n {"b": "x\\n]"}, 12, [2]\n]\n'
    assert elements(raw) == [(2, {"a": 1}), (4, {"b": "x\n]"}), (4, 12), (4, [2])]
    assert elements(b"[]") == []
    assert elements(b'{"x": [1, 2], "y": 3}', ("x", "y")) == [(1, 1), (1, 2)]


@pytest.mark.parametrize("size", [1, 7, 64])
def test_elements_do_not_depend_on_how_the_file_is_cut(size, monkeypatch):
    monkeypatch.setattr(sources, "CHUNK", size)
    values = [{"text": "é" * number, "n": number} for number in range(30)] + [123456, "end"]
    raw = json.dumps(values, indent=1, ensure_ascii=False).encode()
    assert [value for _, value in elements(raw)] == values


def test_a_large_array_is_never_held_as_a_whole():
    element = json.dumps({"text": "x" * 2_000}).encode()
    raw = b"[" + b",".join([element] * 5_000) + b"]"
    part = part_of(raw)
    tracemalloc.start()
    count = sum(1 for _ in elements_of(part, part.open()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 5_000
    assert peak < len(raw) / 10


def test_an_element_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(sources, "ELEMENT_MAX", 1_000)
    monkeypatch.setattr(sources, "CHUNK", 100)
    with pytest.raises(ImportDamaged):
        elements(b'["' + b"x" * 5_000 + b'"]')


def test_text_that_is_no_utf8_is_refused():
    with pytest.raises(ImportDamaged, match="not valid UTF-8"):
        elements(b'["\xff"]')


def test_an_archive_is_read_directly(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[1]")
        archive.writestr("user.json", "{}")
        archive.writestr("chat.html", "x")
    found = Parts(path, lambda name: name == "conversations.json")
    assert found.total == 3
    for part, stream in found:
        assert part.name == "conversations.json"
        assert list(elements_of(part, stream)) == [(1, 1)]
    assert found.done == 3


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b" " * 50_000_000)
    with pytest.raises(TooLarge, match=r"bomb\.zip"):
        Parts(path, lambda _name: True)


def test_a_damaged_archive_is_refused(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.json", "[1, 2, 3]")
    raw = bytearray(path.read_bytes())
    raw[0:4] = b"XXXX"  # the header of the file, not the directory at the end
    path.write_bytes(raw)
    with pytest.raises(ImportDamaged, match="cannot be unpacked"):
        list(Parts(path, lambda _name: True))


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path):
    for name in ("b.md", "a.md", ".obsidian/app.md", "c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    found = Parts(tmp_path, lambda name: name.endswith(".md"))
    assert [part.name for part, _ in found] == ["a.md", "b.md"]
    before = found.fingerprint()
    (tmp_path / "a.md").write_text("changed", encoding="utf-8")
    assert Parts(tmp_path, lambda name: name.endswith(".md")).fingerprint() != before


def test_nothing_to_import(tmp_path):
    with pytest.raises(InvalidInput) as caught:
        Parts(tmp_path, lambda _name: True)
    assert caught.value.code == "nothing_to_import"
