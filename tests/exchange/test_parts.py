"""Files of an export as a stream: archives within limits, arrays element by element."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile

import pytest

from wellkept.errors import ImportDamaged, InvalidInput, TooLarge
from wellkept.exchange import parts
from wellkept.exchange.parts import Part, Parts, elements_of


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
    monkeypatch.setattr(parts, "CHUNK", size)
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
    monkeypatch.setattr(parts, "ELEMENT_MAX", 1_000)
    monkeypatch.setattr(parts, "CHUNK", 100)
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
