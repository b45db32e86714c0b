"""The key figures of every labelled set in one table: `python -m evals.table [SET] [--json]`, or `wellkept eval`.

A set is a folder with a `run.py` that has `HALVES`, `TARGETS` (figure → what it must reach) and `key_figures(half)`.
Only totals are shown, so that the test halves stay unseen.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of one half of a set. A target of 0 is a most, any other a least."""

    set: str
    half: str
    figure: str
    value: float
    target: float | None = None

    @property
    def is_reached(self) -> bool:
        """Whether it is as good as it must be; without a target it is."""
        if self.target is None:
            return True
        return self.value <= 0 if self.target == 0 else self.value >= self.target

    @property
    def wanted(self) -> str:
        """The target in words."""
        return "" if self.target is None else "0" if self.target == 0 else f">= {self.target:g}"


def names() -> list[str]:
    """The sets there are."""
    return sorted(path.parent.name for path in FOLDER.glob("*/run.py"))


def figures(name: str) -> list[Figure]:
    """Measure one set, both halves."""
    run = importlib.import_module(f"evals.{name}.run")
    return [
        Figure(set=name, half=half, figure=figure, value=value, target=run.TARGETS.get(figure))
        for half in run.HALVES
        for figure, value in run.key_figures(half).items()
    ]


def lines(found: list[Figure], *, is_json: bool) -> Iterator[str]:
    """One set as text, or as one line of JSON."""
    if is_json:
        rows = [asdict(one) | {"wanted": one.wanted, "is_reached": one.is_reached} for one in found]
        yield json.dumps(rows, ensure_ascii=False)
        return
    for one in found:
        mark = "" if one.is_reached else "  missed"
        yield f"{one.set:12}{one.half:7}{one.figure:30}{one.value:8.3f}  {one.wanted}{mark}"


def main() -> int:
    """Print each set when it is measured; 1 when a target is missed, 2 for a set that there is not."""
    arguments = [word for word in sys.argv[1:] if word != "--json"]
    unknown = [name for name in arguments if name not in names()]
    if unknown:
        print(f"No set {unknown[0]!r}. There are: {', '.join(names())}.", file=sys.stderr)
        return 2
    is_missed = False
    for name in arguments or names():
        found = figures(name)
        is_missed |= not all(one.is_reached for one in found)
        for line in lines(found, is_json="--json" in sys.argv):
            print(line, flush=True)
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
