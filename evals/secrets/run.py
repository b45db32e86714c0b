"""Secrets that must be refused, plain and disguised, and ordinary sentences that must not."""

from __future__ import annotations

from collections import defaultdict

from evals.secrets.make import HALVES, Case, cases
from recollect.policies.secrets import has_secret, has_split_secret

__all__ = ["HALVES", "TARGETS", "key_figures"]

TARGETS = {"plain refused": 0.999, "disguised refused": 0.95, "ordinary kept": 0.995}


def is_refused(case: Case) -> bool:
    """Whether the gate would refuse the message, alone or after what was said before."""
    return has_secret(case.text) or has_split_secret(case.previous, case.text)


def evaluate(half: str) -> list[tuple[Case, bool]]:
    """Every case of a half and whether it came out right."""
    return [(case, is_refused(case) == (case.label == "secret")) for case in cases(half)]


def _figure(case: Case) -> str:
    return "ordinary kept" if case.label == "ordinary" else "disguised refused" if case.disguise else "plain refused"


def key_figures(half: str) -> dict[str, float]:
    """The share that came out right of each kind; for the table of all sets."""
    right: dict[str, list[bool]] = defaultdict(list)
    for case, is_right in evaluate(half):
        right[_figure(case)].append(is_right)
    return {name: sum(right[name]) / len(right[name]) for name in TARGETS}


if __name__ == "__main__":
    for half in HALVES:
        print(half, ", ".join(f"{name} {share:.4f}" for name, share in key_figures(half).items()))
