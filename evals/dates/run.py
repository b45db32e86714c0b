"""Dates and durations in words, around month, year and clock-change borders, with the dates they must give."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from wellkept.judges.english.dates import times

TABLE = Path(__file__).parent / "table.txt"
HALVES = ("all",)
TARGETS = {"right": 1.0}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One expression, said at a moment in a zone, and what it must give."""

    now: datetime
    kind: str
    text: str
    expected: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """What a case gave."""

    case: Case
    got: str

    @property
    def is_right(self) -> bool:
        """Whether it gave what it must."""
        return self.got == self.case.expected


def cases() -> tuple[Case, ...]:
    """The whole table."""
    rows = [line.split(" | ") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return tuple(
        Case(now=datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone)), kind=kind, text=text, expected=expected)
        for now, zone, kind, text, expected in rows
    )


def _span(from_: datetime, to: datetime) -> str:
    if from_ == to:
        return f"{from_:%Y-%m-%dT%H:%M}"
    first, last = from_.date(), (to - timedelta(seconds=1)).date()
    return f"{first}" if first == last else f"{first}..{last}"


def _mentions(case: Case) -> str:
    found = times.mentions(case.text, case.now)
    return "; ".join(f"{one.text} => {_span(one.from_, one.to)}" for one in found) or "-"


def _expiry(case: Case) -> str:
    moment, rest = times.expiry(case.text, case.now)
    return "-" if moment is None else f"{moment.astimezone(case.now.tzinfo):%Y-%m-%dT%H:%M} => {rest}"


def _period(case: Case) -> str:
    found = times.period(case.text, case.now)
    return "-" if found is None else f"{found[0].date()}..{(found[1] - timedelta(seconds=1)).date()}"


def evaluate() -> list[Row]:
    """Every case with what it gave."""
    by_kind = {
        "mention": _mentions,
        "expiry": _expiry,
        "period": _period,
        "annotate": lambda case: times.annotate(case.text, case.now),
    }
    return [Row(case=case, got=by_kind[case.kind](case)) for case in cases()]


def key_figures(_half: str) -> dict[str, float]:
    """For the table of all sets."""
    rows = evaluate()
    return {"right": sum(row.is_right for row in rows) / len(rows)}


if __name__ == "__main__":
    rows = evaluate()
    for row in rows:
        if not row.is_right:
            print(f"{row.case.kind}: {row.case.text}\n  expected {row.case.expected}\n  got      {row.got}")
    print(f"dates: {sum(row.is_right for row in rows)} of {len(rows)}")
