"""Imports into real stores: once, with time and speaker, resumable, and learned from by the one write path."""

from __future__ import annotations

import json

import pytest

from tests.exchange import exports
from wellkept.errors import ImportDamaged, InvalidInput
from wellkept.exchange import imports
from wellkept.exchange.imports import ImportRequest
from wellkept.flows import views
from wellkept.startup import open as open_memory
from wellkept.store.contract import Heard, Page


@pytest.fixture
def memory(store_url, clock):
    with open_memory(store_url, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def run(memory, source, path, **more):
    place = memory.at(user="alice").place
    return imports.run(ImportRequest(source=source, path=path, place=place, **more), memory)


def heard(memory, chat, user="alice"):
    """The transcript of a chat: id, role, content, time."""
    view = views.view_of(memory.at(user=user, chat=chat).place, memory.engine, memory.engine.clock())
    found = memory.engine.store.messages(Heard(view=view, page=Page(chat=chat, limit=100)))
    return [(one.id, one.role, one.content, one.at and one.at.date().isoformat()) for one in found]


@pytest.fixture
def chatgpt(tmp_path):
    talks = [exports.chatgpt_talk(1, "I live in Tacna now.", "Nice!"), exports.chatgpt_talk(2, "I play chess", "Ok")]
    return exports.zipped(tmp_path / "chatgpt.zip", conversations=talks, user={"id": "u"})


def test_messages_keep_id_time_and_role_and_are_learned_from(memory, chatgpt):
    done = run(memory, "chatgpt", chatgpt)
    assert (done.conversations, done.messages, done.new_messages, done.faults) == (2, 4, 4, 0)
    assert heard(memory, "chatgpt:talk-1") == [
        ("chatgpt:node-1-0", "user", "I live in Tacna now.", "2023-11-14"),
        ("chatgpt:node-1-1", "assistant", "Nice!", "2023-11-14"),
    ]
    assert memory.at(user="alice").list() == ()
    memory.upkeep.run()
    (city, *_) = [one for one in memory.at(user="alice").list() if "Tacna" in one.content]
    assert city.learned_in == "chatgpt:talk-1"
    assert city.observed_at.date().isoformat() == "2023-11-14"


def test_a_second_import_changes_nothing(memory, chatgpt):
    run(memory, "chatgpt", chatgpt)
    memory.upkeep.run()
    before = memory.at(user="alice").list()
    again = run(memory, "chatgpt", chatgpt)
    assert (again.messages, again.new_messages, again.is_resumed) == (4, 0, False)
    memory.upkeep.run()
    assert memory.at(user="alice").list() == before
    assert memory.checkpoints.list() == ()


def test_a_dry_run_counts_and_stores_nothing(memory, chatgpt):
    done = run(memory, "chatgpt", chatgpt, is_dry=True)
    assert (done.conversations, done.messages, done.new_messages) == (2, 4, 0)
    assert heard(memory, "chatgpt:talk-1") == []


def test_messages_may_only_be_recorded(memory, chatgpt):
    run(memory, "chatgpt", chatgpt, extract=False)
    memory.upkeep.run()
    assert memory.at(user="alice").list() == ()


def test_memories_are_stored_as_the_source_words_them(memory, tmp_path):
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(exports.MEM0), encoding="utf-8")
    done = run(memory, "mem0", path)
    assert (done.memories, done.new_memories, done.faults) == (2, 2, 1)
    listed = memory.at(user="alice").list()
    assert {one.content for one in listed} == {"Likes Italian food", "Works as a nurse"}
    assert {one.origin for one in listed} == {"import"}
    assert {one.source_message_id for one in listed} == {"mem0:3c90c3cc", "mem0:4d90c3cc"}
    assert {one.observed_at.year for one in listed} == {2024}
    assert run(memory, "mem0", path).new_memories == 0
    assert len(memory.at(user="alice").list()) == 2


def test_what_was_forgotten_does_not_come_back(memory, tmp_path):
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(exports.MEM0["results"][:2]), encoding="utf-8")
    run(memory, "mem0", path)
    alice = memory.at(user="alice")
    alice.forget(alice.list()[0].id)
    path.write_text(
        json.dumps([*exports.MEM0["results"][:2], {"id": "new", "memory": "Plays chess"}]), encoding="utf-8"
    )
    assert run(memory, "mem0", path).new_memories == 1
    assert len(alice.list()) == 2


def test_records_can_go_to_the_users_that_the_export_names(memory, tmp_path):
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(exports.MEM0["results"][:2]), encoding="utf-8")
    run(memory, "mem0", path, keep_users=True)
    assert memory.at(user="alice").list() == ()
    assert [one.content for one in memory.at(user="tom").list()] == ["Works as a nurse"]


class Killed(Exception):
    """As if the process had ended."""


def killing(memory, monkeypatch, *, after):
    """Have the memory fail at its next write after so many observed batches, or between the two writes of a batch."""
    calls = []
    real = imports.flows.remember.remember

    def remember(*arguments, **named):
        calls.append(1)
        if len(calls) > after:
            raise Killed
        return real(*arguments, **named)

    monkeypatch.setattr(imports.flows.remember, "remember", remember)
    return lambda: monkeypatch.setattr(imports.flows.remember, "remember", real)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_killed_between_transcript_and_memory_nothing_is_lost_or_doubled(memory, tmp_path, monkeypatch, after):
    monkeypatch.setattr(imports, "BATCH", 5)
    monkeypatch.setattr(imports, "STATEMENTS_MAX", 2)
    texts = [f"Bird number {number} sings {'la ' * number}at dawn" for number in range(23)]
    path = tmp_path / "a.jsonl"
    lines = [json.dumps({"item": "memory", "id": str(number), "content": text}) for number, text in enumerate(texts)]
    path.write_text("\n".join(lines), encoding="utf-8")
    mend = killing(memory, monkeypatch, after=after)
    with pytest.raises(Killed):
        run(memory, "jsonl", path)
    mend()
    done = run(memory, "jsonl", path)
    assert done.is_resumed
    assert done.memories == 23
    listed = [one.content for one in memory.at(user="alice").list(limit=100)]
    assert sorted(listed) == sorted(texts)
    assert memory.checkpoints.list() == ()


def test_a_file_that_breaks_off_is_imported_as_far_as_it_goes_and_then_on(memory, tmp_path):
    path = tmp_path / "a.jsonl"
    good = [json.dumps({"content": f"Message {number}", "id": str(number)}) for number in range(3)]
    path.write_text("\n".join([*good, "{"]), encoding="utf-8")
    with pytest.raises(ImportDamaged) as caught:
        run(memory, "jsonl", path)
    assert caught.value.line == 4
    path.write_text("\n".join([*good, json.dumps({"content": "Message 3", "id": "3"})]), encoding="utf-8")
    assert run(memory, "jsonl", path).messages == 4
    assert [one[2] for one in heard(memory, "jsonl:memories")] == [f"Message {number}" for number in range(4)]


def test_progress_counts_bytes_up_to_the_end(memory, chatgpt):
    told = []
    place = memory.at(user="alice").place
    request = ImportRequest(source="chatgpt", path=chatgpt, place=place)
    imports.run(request, memory, lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 0


def test_wrong_requests_are_refused(memory, chatgpt):
    with pytest.raises(InvalidInput, match="Known: chatgpt"):
        run(memory, "myspace", chatgpt)
    with pytest.raises(InvalidInput, match="Name a user"):
        imports.run(ImportRequest(source="jsonl", path=chatgpt, place=memory.at(chat="c").place), memory)
