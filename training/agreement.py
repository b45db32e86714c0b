"""How far two readers who had the guide alone agree, as Cohen's kappa a label.

    python -m training.agreement
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from training.corpus import HERE

FOLDER = HERE / "agreement"


def kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Agreement beyond chance: 1 is all, 0 is what guessing by the same shares gives."""
    seen = sum(one == other for one, other in zip(first, second, strict=True)) / len(first)
    shares, others = Counter(first), Counter(second)
    by_chance = sum(shares[label] * others[label] for label in shares) / len(first) ** 2
    return (seen - by_chance) / (1 - by_chance)


def read(name: str) -> dict[int, dict[str, str]]:
    lines = Path(FOLDER / name).read_text(encoding="utf-8").splitlines()
    return {line["item"]: line for line in map(json.loads, lines)}


def main() -> None:
    one, other = read("turns-a.jsonl"), read("turns-b.jsonl")
    items = sorted(one)
    print(f"{'keep':10} {kappa([one[item]['keep'] for item in items], [other[item]['keep'] for item in items]):.2f} of {len(items)}")
    both = [item for item in items if one[item]["keep"] == other[item]["keep"] == "yes"]
    for label in ("type", "holds", "about", "privacy", "todo"):
        print(f"{label:10} {kappa([one[item][label] for item in both], [other[item][label] for item in both]):.2f} of {len(both)}")
    one, other = read("statements-a.jsonl"), read("statements-b.jsonl")
    items = sorted(one)
    labels = [[side[item]["privacy"] for item in items] for side in (one, other)]
    print(f"{'statements':10} {kappa(*labels):.2f} of {len(items)}")


if __name__ == "__main__":
    main()
