"""Secrets that must be refused, plain and disguised, and ordinary sentences that must not.

``python -m evals.secrets.run [train|test]`` prints the table, with ``detect-secrets`` as outside opinion where it is.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from evals.secrets.make import HALVES, Case, cases
from wellkept.policies.secrets.detector import has_secret, has_split_secret

__all__ = ["HALVES", "TARGETS", "Row", "evaluate", "key_figures"]

TARGETS = {"plain refused": 0.999, "disguised refused": 0.95, "ordinary kept": 0.995}
PARTS = {"ordinary": "ordinary kept", "disguised": "disguised refused", "plain": "plain refused"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the table: of ``total`` cases, how many came out right, and how many an outside opinion has right."""

    part: str
    group: str
    total: int
    right: int
    outside: int | None = None

    @property
    def share(self) -> float:
        return self.right / self.total


def is_refused(case: Case) -> bool:
    """Whether the gate would refuse the message, alone or after what was said before."""
    return has_secret(case.text) or has_split_secret(case.previous, case.text)


def evaluate(half: str = "test", *, with_outside: bool = False) -> list[Row]:
    """The table: the three totals, each disguise, each class of plain secrets."""
    made = list(cases(half))
    right = [is_refused(case) == (case.label == "secret") for case in made]
    outside = _outside_opinion(made) if with_outside else None
    total: Counter[tuple[str, str]] = Counter()
    ours: Counter[tuple[str, str]] = Counter()
    theirs: Counter[tuple[str, str]] = Counter()
    for index, case in enumerate(made):
        for key in _lines(case):
            total[key] += 1
            ours[key] += right[index]
            theirs[key] += outside[index] if outside else 0
    return [
        Row(part=key[0], group=key[1], total=total[key], right=ours[key], outside=theirs[key] if outside else None)
        for key in sorted(total, key=lambda key: (key[1] != "all", key))
    ]


def key_figures(half: str) -> dict[str, float]:
    """The share that came out right of each kind; for the table of all sets."""
    return {row.part: row.share for row in evaluate(half) if row.group == "all"}


def _lines(case: Case) -> Iterator[tuple[str, str]]:
    """The lines of the table that a case counts in."""
    part = "ordinary" if case.label == "ordinary" else "disguised" if case.disguise else "plain"
    yield PARTS[part], "all"
    if case.label == "secret":
        yield PARTS[part], case.disguise or case.group


def _outside_opinion(made: Sequence[Case]) -> list[bool] | None:
    """Whether ``detect-secrets`` with its default settings has each case right; it reads files only."""
    try:
        from detect_secrets import SecretsCollection
        from detect_secrets.settings import default_settings
    except ImportError:
        return None
    answers = []
    with TemporaryDirectory() as folder, default_settings():
        for index, case in enumerate(made):
            file = Path(folder) / f"{index}.txt"
            file.write_text(case.text + "\n", encoding="utf-8")
            found = SecretsCollection()
            found.scan_file(str(file))
            answers.append(bool(found.data) == (case.label == "secret"))
    return answers


def median_us(half: str) -> float:
    """Microseconds that an ordinary sentence takes, half of them less."""
    taken = []
    for case in cases(half):
        if case.label == "ordinary":
            start = perf_counter()
            has_secret(case.text)
            taken.append(perf_counter() - start)
    return median(taken) * 1e6


def main() -> None:
    half = sys.argv[1] if len(sys.argv) > 1 else "test"
    print(f"{'figure':<18} {'group':<25} {'cases':>6} {'right':>6} {'share':>8} {'detect-secrets':>15}")
    for row in evaluate(half, with_outside=True):
        outside = "" if row.outside is None else f"{row.outside / row.total:.2%}"
        print(f"{row.part:<18} {row.group:<25} {row.total:>6} {row.right:>6} {row.share:>8.2%} {outside:>15}")
    print(f"median time of an ordinary sentence: {median_us(half):.0f} µs")


if __name__ == "__main__":
    main()
