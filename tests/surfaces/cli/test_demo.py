"""`wellkept demo`: real operations, and always the same."""

from __future__ import annotations

# Made here and nowhere else; none of them opens anything.


def test_demo_shows_real_operations_and_always_the_same(process):
    first, second = process("demo"), process("demo")
    assert first.status == 0
    assert first.out == second.out
    for word in ("Italian food", "peanuts", "Berlin", "superseded", "cello", "potential secrets", "found by"):
        assert word in first.out
    steps = process("demo", "--json").json
    team = [one["text"] for one in steps if one["scene"] == "Told in private and sensitive: not for the group"]
    assert not any("diabetes" in text for text in team[2:-2])
    assert "diabetes" in team[-1]
