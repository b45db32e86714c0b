"""What of the Studio needs no browser: its headers, its files, its words."""

from __future__ import annotations

import hashlib
import json
import re
import urllib.error
import urllib.request

import pytest

from wellkept.surfaces.studio.desk import FOLDER, shown
from wellkept.surfaces.studio.pages_memories import difference

STATIC = FOLDER


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


def test_hidden_characters_are_shown():
    assert shown("a\u202eb\x07c\nd") == "a⟨U+202E⟩b⟨U+0007⟩c\nd"
    assert len(shown("x" * 5_000)) < 2_100


def test_a_difference_says_what_went_and_what_came():
    assert difference("a b c", "a x c") == [("same", "a "), ("gone", "b "), ("new", "x "), ("same", "c")]
    assert difference("", "new") == [("new", "new")]


def fetched(url: str):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def test_the_graph_has_the_people_and_what_they_are(served):
    found = [one["data"] for one in fetched(f"{served.url}/people/graph.json?user=alice")]
    names = {one["id"]: one["label"] for one in found if "source" not in one}
    ties = {(names[one["source"]], names[one["target"]], one["label"]) for one in found if "source" in one}
    assert {("Sarah", "you", "wife"), ("Mehmet", "you", "boss")} <= ties


def test_the_plot_counts_what_was_made(served):
    days = fetched(f"{served.url}/health/growth.json")
    events = fetched(f"{served.url}/v1/events?of=*&op=create&limit=1000")
    made = [event for event in events if event["status"] == "ok" and event["memory_id"]]
    assert sum(count for _, count in days) == len(made) > 0
    own = fetched(f"{served.url}/health/growth.json?user=bob")
    assert sum(count for _, count in own) == sum(event["owner"] == "bob" for event in made)
