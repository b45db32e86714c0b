"""How far two readers who had the guide alone agree: `python -m training.agreement` prints Cohen's kappa a label."""

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


def say(label: str, figure: float, count: int) -> None:
    print(f"{label:10} {figure:.2f} of {count}")


def main() -> None:
    one, other = read("turns-a.jsonl"), read("turns-b.jsonl")
    items = sorted(one)
    say("keep", kappa(*([side[item]["keep"] for item in items] for side in (one, other))), len(items))
    both = [item for item in items if one[item]["keep"] == other[item]["keep"] == "yes"]
    for label in ("type", "holds", "about", "privacy", "todo"):
        say(label, kappa(*([side[item][label] for item in both] for side in (one, other))), len(both))
    one, other = read("statements-a.jsonl"), read("statements-b.jsonl")
    items = sorted(one)
    say("statements", kappa(*([side[item]["privacy"] for item in items] for side in (one, other))), len(items))


if __name__ == "__main__":
    main()
