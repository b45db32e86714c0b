"""What somebody means to do, and what they say is done: `python -m evals.todos.run [train|test]` shows the figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from recollect.judges.rules.todos import read

HERE = Path(__file__).parent
HALVES: tuple[Literal["train", "test"], ...] = ("train", "test")
TARGETS = {"kind": 0.92, "completion": 0.95}
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
"""A Monday."""


def lines(half: str) -> list[dict[str, Any]]:
    """The labelled messages of a half."""
    return [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]


def judged(half: str) -> Iterator[tuple[str, dict[str, Any], str, str]]:
    """Figure, line, what was wanted and what was read."""
    for line in lines(half):
        found = read(line["text"], now=NOW, open_todos=line.get("open", ()))
        if "open" in line:
            ending = found.ending
            got = "none" if ending is None else f"{ending.effect} {ending.which}"
            wanted = "none" if line["effect"] is None else f"{line['effect']} {line['which']}"
            yield "completion", line, wanted, got
        else:
            kinds = [intent.kind.value for intent in found.new]
            yield "kind", line, line["kind"] or "none", ", ".join(kinds) or "none"


def key_figures(half: str) -> dict[str, float]:
    """The share that was read right, of each sort."""
    rows = [(figure, wanted == got) for figure, _, wanted, got in judged(half)]
    return {
        figure: sum(is_right for name, is_right in rows if name == figure) / sum(name == figure for name, _ in rows)
        for figure in TARGETS
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
