"""Pages about conversations: what changed from one summary to the next."""

from __future__ import annotations

from wellkept.surfaces.studio.pages_conversations import spines, versions


def test_versions_say_what_changed():
    kept = [{"version": 1, "content": "Open: call"}, {"version": 2, "content": "Open: write"}]
    newest, first = versions(kept)
    assert newest["parts"] == [("same", "Open: "), ("gone", "call"), ("new", "write")]
    assert first["parts"] == [("same", "Open: call")]
    assert versions([]) == []
    line = {"memory_id": "m_1", "text": "Lives in Lyon"}
    moved = {"memory_id": "m_2", "text": "Lives in Oslo"}
    newest, first = spines([{"content": {"PROFILE": [moved]}}, {"content": {"PROFILE": [line], "PEOPLE": [line]}}])
    assert newest["sections"][0] == ("PROFILE", [("gone", "Lives in Lyon"), ("new", "Lives in Oslo")])
    assert newest["sections"][1] == ("PEOPLE", [("gone", "Lives in Lyon")])
    assert first["sections"][0] == ("PROFILE", [("same", "Lives in Lyon")])
