"""The campaign: its parts are benches with options that exist, and what is done is not done again."""

from __future__ import annotations

import re
from dataclasses import replace

from bench import campaign
from bench.campaign import PARTS, ROOT


def test_every_part_is_a_bench_with_these_options():
    for part in PARTS:
        source = (ROOT / "bench" / part.command[0]).read_text(encoding="utf-8")
        options = [one for one in (*part.command, *(part.control or ())) if one.startswith("--")]
        assert [one for one in options if f'"{one}"' not in source] == [], part.name
        assert part.trials == tuple(sorted(part.trials)), part.name
    assert len({part.name for part in PARTS}) == len(PARTS)


def test_what_is_done_is_not_done_again(tmp_path, capsys):
    state = tmp_path / "campaign.json"
    first = campaign.campaign("short", 1, state, ["fuzz"])
    assert campaign.is_good(first["fuzz"])
    assert first["fuzz"].control == "found"
    capsys.readouterr()
    assert campaign.campaign("short", 1, state, ["fuzz"]).keys() == first.keys()
    assert capsys.readouterr().out == ""


def test_the_table_gives_a_bound_only_where_nothing_did_harm():
    done = campaign.Done(name="kill", trials=300, is_held=True, faults=0, control="found", seconds=9)
    assert re.search(r"300 kills \| none \| < 1\.00%", campaign.table({"kill": done}))
    harmed = replace(done, is_held=False, faults=2)
    assert "| 2 | – |" in campaign.table({"kill": harmed})
    assert not campaign.is_good(harmed)
    assert not campaign.is_good(replace(done, control="missed"))
