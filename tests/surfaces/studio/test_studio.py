"""What of the Studio needs no browser: its headers, its files, its words."""

from __future__ import annotations

import hashlib
import html
import json
import re
import urllib.error
import urllib.request

import pytest

from tests.surfaces.served import client, opened
from wellkept.store.contract import Change, Entry
from wellkept.surfaces.studio.desk import FOLDER
from wellkept.types import Memory
from wellkept.vocabulary import Kind, Space

STATIC = FOLDER
WEIGHT_MAX = 200_000
"""Bytes of HTML."""
LONG = (
    "/", "/search?q=tea", "/playground?user=alice&chat=dm", "/memories?user=alice", "/memories?user=alice&q=tea",
    "/lens?users=alice,bob,carol&q=tea&alone=1", "/lens?users=alice,bob,carol",
    "/conversations?user=alice&chat=dm&in=dm", "/health", "/settings", "/people?user=alice",
)  # fmt: skip
"""Pages that show many texts."""


def test_vendored_files_are_what_they_are_said_to_be():
    listed = json.loads((STATIC / "vendored.json").read_text(encoding="utf-8"))["files"]
    assert {path.name for path in STATIC.glob("*.min.*")} == set(listed)
    for name, entry in listed.items():
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == entry["sha256"]
        assert (STATIC / entry["licence_file"]).is_file()
        assert entry["version"] in name


def test_templates_load_nothing_from_elsewhere_and_run_nothing_inline():
    for path in FOLDER.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text), path.name
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=|\|\s*safe\b", text), path.name


def test_pages_let_a_browser_load_their_own_files_only(empty):
    with urllib.request.urlopen(empty.url, timeout=10) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ["..%2fdesk.py", "nothing.js", "vendored.json", "LICENSE-pico"])
def test_only_the_studio_s_own_files_are_given(empty, name):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{empty.url}/studio/{name}", timeout=10)
    assert refused.value.code == 404
    refused.value.close()


def test_no_page_of_a_full_store_is_heavy(tmp_path):
    """Texts as long as they may be, more of them than any page shows."""
    with opened(tmp_path / "memory.db") as memory:
        memory.at(user="alice", display_name="Alice").remember("My wife Sarah likes tea")
        store, now = memory.engine.store, memory.engine.clock()
        changes = []
        with store.transaction():
            for number in range(400):
                memory_id = store.next_id("default", Space.USER, "alice", Kind.SEMANTIC)
                made = Memory(
                    id=memory_id, tenant="default", content=f"Note {number} " + "tea & <b>" * 200, space=Space.USER,
                    owner="alice", memory_key="k", discriminator=memory_id, created_at=now, observed_at=now,
                    updated_at=now, learned_in="dm",
                )  # fmt: skip
                entry = Entry(op="create", memory_id=memory_id, version=1, actor="alice")
                changes.append(Change(memory=made, entry=entry, is_new=True, terms={"tea": 9}))
            store.apply(changes, at=now)
        said = [{"role": "user", "content": f"Message {number} " + "tea & <b>" * 200} for number in range(120)]
        memory.at(user="alice", chat="dm").observe(said, extract=False)
        http = client(memory)
        for path in LONG:
            answer = http.get(path)
            assert answer.status_code == 200, path
            assert len(answer.content) < WEIGHT_MAX, path
        earlier = re.search(r'href="(/conversations[^"]+before[^"]+)"', http.get(LONG[7]).text)
        assert "Message 59 " in http.get(html.unescape(earlier[1])).text


# --- Pages for those who run the server: what their pictures are drawn from.


def fetched(url: str):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def test_the_plot_counts_what_was_made(served):
    days = fetched(f"{served.url}/health/growth.json")
    events = fetched(f"{served.url}/v1/events?of=*&op=create&limit=1000")
    made = [event for event in events if event["status"] == "ok" and event["memory_id"]]
    assert sum(count for _, count in days) == len(made) > 0
    own = fetched(f"{served.url}/health/growth.json?user=bob")
    assert sum(count for _, count in own) == sum(event["owner"] == "bob" for event in made)
