"""What somebody means to do, and what they say is done: `python -m evals.todos.run [train|test|wide|blind|unseen]`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from wellkept.judges.english.todos.intents import read

HERE = Path(__file__).parent
HALVES: tuple[Literal["train", "test", "wide"], ...] = ("train", "test", "wide")
TARGETS = {"kind": 0.92, "completion": 0.95, "due": 0.9}
BLIND_MIN = 0.9
"""What `blind` must reach: messages written when the rules were done.

Its lines of completion stand for others that the rules had failed (0.80), which are training material now.
"""
UNSEEN_MIN = 0.85
"""What `unseen` must reach: messages full of hints and odd wordings, of which only the figure was ever looked at.

When it was written it gave 0.855 for kinds and 0.829 for completions.
"""
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
"""A Monday."""
INSTANT = timedelta(microseconds=1)
"""A day ends where the next begins."""


def lines(half: str) -> list[dict[str, Any]]:
    """The labelled messages of a half."""
    return [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]


def judged(half: str) -> Iterator[tuple[str, dict[str, Any], str, str]]:
    """Figure, line, what was wanted and what was read."""
    for line in lines(half):
        found = read(line["text"], now=NOW, open_todos=line.get("open", ()))
        if "open" in line:
            got = sorted(f"{ending.effect} {ending.which}" for ending in found.endings)
            yield "completion", line, ", ".join(_ends(line)) or "none", ", ".join(got) or "none"
        else:
            kinds = [intent.kind.value for intent in found.new]
            yield "kind", line, line["kind"] or "none", ", ".join(kinds) or "none"
        if "due" in line:
            days = [str((one.due_at - INSTANT).date()) for one in found.new if one.due_at is not None]
            yield "due", line, line["due"], ", ".join(days) or "none"


def _ends(line: dict[str, Any]) -> list[str]:
    """What a line ends: one todo, or several in `ends`."""
    if "ends" in line:
        return sorted(line["ends"])
    return [] if line["effect"] is None else [f"{line['effect']} {line['which']}"]


def key_figures(half: str) -> dict[str, float]:
    """The share that was read right, of each sort."""
    rows = [(figure, wanted == got) for figure, _, wanted, got in judged(half)]
    return {
        figure: sum(is_right for name, is_right in rows if name == figure) / sum(name == figure for name, _ in rows)
        for figure in dict.fromkeys(name for name, _ in rows)
    }


def main() -> None:
    """Figures of a half; of the train half, what was read wrong."""
    half = sys.argv[1] if len(sys.argv) > 1 else "train"
    if half == "train":
        for _, line, wanted, got in judged(half):
            if wanted != got:
                print(f"{wanted:12} {got:24} {line['text']}  {line.get('open', '')}")
    print({figure: round(value, 3) for figure, value in key_figures(half).items()})


if __name__ == "__main__":
    main()
