"""What a long conversation leaves is what its report lists, with every line judged to be of use."""

from __future__ import annotations

import re

from evals.conversation import play


def test_the_report_lists_what_is_left(tmp_path):
    report = (play.HERE / "report.md").read_text(encoding="utf-8")
    listed = report.split("```text\n", 1)[1].split("```", 1)[0].splitlines()
    verdicts = [re.fullmatch(r"(\w+) +(u\d+)  (\w+) +(.+)", line) for line in listed]
    count, left = play.play(play.HERE / "conversation.txt", tmp_path)
    assert count >= 300
    assert [line and line.group(2, 3, 4) for line in verdicts] == [(source, kind, text) for kind, text, source in left]
    assert {line and line[1] for line in verdicts} == {"true"}
