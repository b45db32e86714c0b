"""How well facts are read from messages: precision, recall, and the fields of the facts that were found."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wellkept.judges.base import Reading
from wellkept.judges.reader.judge import ReaderJudge
from wellkept.policies.people import relations
from wellkept.policies.writing.shape import Draft, shape
from wellkept.types import Claim, Message, Reference

HERE = Path(__file__).parent
HALVES = ("train", "test", "fresh")
"""The fresh half was written after the rules of the others, and looked at once its first figures were known."""
TARGETS = {
    "precision": 0.83,
    "recall": 0.80,
    "type": 0.70,
    "portable": 0.68,
    "slot": 0.80,
    "subjects": 0.75,
    "confidential": 0.99,
    "sensitive called public": 0,
}
"""Of the judge that is shipped. Rules that were written beside these sentences reached 0.92 and more of each.

`sensitivity` has no target: what is public has to be earned, so that most of these plain facts are held back as
personal. `portable` counts what is said of others and held back as wrong. `format` counts facts in the speaker's own
words as wrong.
"""
NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
FIELDS = ("type", "sensitivity", "portable", "confidential", "slot", "subjects", "polarity", "correction", "format")
"""`format`: facts that keep to the writing constraints as they were read, before anything is trimmed."""


@dataclass(kw_only=True)
class Table:
    """The counts of one run; `misses` holds one line for every difference."""

    found: int = 0
    wanted: int = 0
    matched: int = 0
    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    leaks: int = 0
    """Sensitive facts that were called public."""
    misses: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of the facts read that were to be read."""
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of the facts to be read that were read."""
        return self.matched / self.wanted if self.wanted else 1.0

    def share(self, name: str) -> float:
        """How often a field was right."""
        return self.right[name] / self.asked[name] if self.asked[name] else 1.0

    def check(self, name: str, *, is_right: bool, note: str) -> None:
        """Counts one field of one matched fact."""
        self.asked[name] += 1
        self.right[name] += is_right
        if not is_right:
            self.misses.append(f"{name}: {note}")

    def lines(self) -> list[str]:
        """The table as text."""
        out = [
            f"facts wanted {self.wanted}, found {self.found}",
            f"precision    {self.precision:.3f}",
            f"recall       {self.recall:.3f}",
        ]
        out += [f"{name:12s} {self.share(name):.3f}  ({self.asked[name]})" for name in FIELDS if self.asked[name]]
        return [*out, f"sensitive called public: {self.leaks}"]


def reading_of(case: dict[str, Any]) -> Reading:
    """What the judge is given for a case."""
    window = [Message(role=item["role"], content=item["content"]) for item in case.get("window", ())]
    message = Message(id="m", role="user", content=case["message"])
    return Reading(
        messages=(*window, message), is_explicit=case.get("explicit", False), speaker=case.get("speaker"), now=NOW
    )


def _has(word: str, content: str) -> bool:
    folded = content.casefold()
    if word.casefold() in folded:
        return True
    wanted = relations.canonical(word)
    return wanted is not None and any(
        relations.canonical(item) == wanted for item in re.findall(r"[\w'-]+", re.sub(r"['’]s\b", "", folded))
    )


def _matches(fact: dict[str, Any], claim: Claim) -> bool:
    return all(_has(word, claim.content) for word in fact["words"])


def _names(who: Reference, wanted: str) -> bool:
    plain = wanted.casefold()
    told = {(item or "").casefold() for item in (who.name, who.relation, who.handle)}
    return plain in told or relations.canonical(wanted) in told


def evaluate(path: Path) -> Table:
    """Reads every case of a file and counts what came out right."""
    judge = ReaderJudge()
    table = Table()
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        claims = list(judge.extract(reading_of(case)))
        table.found += len(claims)
        for claim in claims if not case.get("explicit", False) else ():
            shaped = shape(Draft(text=claim.content, language=claim.language or "en"))
            table.check("format", is_right=shaped.verdict == "pass", note=f"{claim.content!r}: {shaped.reason}")
        table.wanted += len(case["facts"])
        for fact in case["facts"]:
            claim = next((item for item in claims if _matches(fact, item)), None)
            if claim is None:
                table.misses.append(
                    f"missed: {case['message']!r} -> {fact['words']} among {[item.content for item in claims]}"
                )
                continue
            claims.remove(claim)
            table.matched += 1
            _compare(table, case["message"], fact, claim)
        table.misses += [f"extra: {case['message']!r} -> {item.content!r}" for item in claims]
    return table


def _compare(table: Table, message: str, fact: dict[str, Any], claim: Claim) -> None:
    table.check("type", is_right=claim.type == fact["type"], note=f"{message!r}: {claim.type} not {fact['type']}")
    table.check(
        "sensitivity",
        is_right=claim.sensitivity == fact["sensitivity"],
        note=f"{message!r}: {claim.sensitivity} not {fact['sensitivity']}",
    )
    table.leaks += fact["sensitivity"] == "sensitive" and claim.sensitivity == "public"
    table.check(
        "portable", is_right=claim.portable == fact["portable"], note=f"{message!r}: {claim.portable} ({claim.type})"
    )
    table.check(
        "confidential",
        is_right=claim.confidential == fact.get("confidential", False),
        note=f"{message!r}: {claim.confidential}",
    )
    table.check(
        "polarity", is_right=claim.polarity == fact.get("polarity", "assert"), note=f"{message!r}: {claim.polarity}"
    )
    if "is_correction" in fact:
        table.check("correction", is_right=claim.is_correction, note=repr(message))
    if "slot" in fact:
        is_right = (
            claim.slot == fact["slot"]
            and fact.get("cardinality", claim.cardinality) == claim.cardinality
            and fact.get("value", claim.value) == claim.value
        )
        table.check(
            "slot",
            is_right=is_right,
            note=f"{message!r}: {claim.slot}={claim.value!r} {claim.cardinality} not "
            f"{fact['slot']}={fact.get('value')!r} {fact.get('cardinality')}",
        )
    if "subjects" in fact:
        is_right = all(any(_names(who, wanted) for who in claim.subjects) for wanted in fact["subjects"])
        table.check(
            "subjects",
            is_right=is_right,
            note=f"{message!r}: {[(who.name, who.relation, who.handle) for who in claim.subjects]} not "
            f"{fact['subjects']}",
        )


def key_figures(half: str) -> dict[str, float]:
    """For the table of all sets."""
    table = evaluate(HERE / f"{half}.jsonl")
    # The fresh half labels fewer fields than the others: what is found counts.
    shares = {name: table.share(name) for name in FIELDS} if half != "fresh" else {}
    return {"precision": table.precision, "recall": table.recall, **shares, "sensitive called public": table.leaks}


def main() -> None:
    """Prints the table of each half; `--misses` prints the differences of the train half too."""
    for half in HALVES:
        table = evaluate(HERE / f"{half}.jsonl")
        print(f"== {half}")
        print("\n".join(table.lines()))
        if half == "train" and "--misses" in sys.argv:
            print("\n".join(table.misses))


if __name__ == "__main__":
    main()
