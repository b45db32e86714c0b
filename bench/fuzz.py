"""Fuzz of everything that reads what others wrote: only typed errors come out, whatever goes in.

    wellkept bench fuzz [--inputs 5000] [--seed 1] [--broken]

Inputs are drawn from a seed: JSON of any shape, texts with halves of letters, control characters, long runs and numbers
beyond every bound, and known good inputs with something changed. They go to every operation through the gateway, to
lines of an import, policies, and the detector of secrets. `--broken` adds a parser that trusts its input; there it must
find faults.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench.histories import opened
from wellkept.api import Memory
from wellkept.errors import WellkeptError
from wellkept.operations import OPERATIONS
from wellkept.policies import callers
from wellkept.policies.governance.policy import from_toml, load_policy
from wellkept.policies.secrets.detector import find_secrets
from wellkept.store.portable import check_line
from wellkept.surfaces.http.gateway import Call, Gateway

PIECES = (
    "", " ", "a", "I live in Oslo", "password is ", "2026-13-45", "next friday", "\ud800", "\0", "\u202e", "👩‍👩‍👧",
    "é" * 9,
    "'; DROP TABLE memories; --", "{{7*7}}", "../../etc/passwd", "%s%n", "1e309", "-1", "NaN", "m_", "@", "own:bob/x",
    "x" * 300, "\u0301" * 40, "٣", "ﬀ", "[1, 2", '{"a":', "2 weeks", "36h", "999999999999999999999 days",
)  # fmt: skip
NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 1.5, float("inf"), float("nan"), True)
FAULTS_MAX = 20
DANGEROUS = frozenset({"erase_user", "doctor", "gc", "compact", "run", "rebuild_index"})
"""Left out: they take nothing to parse, and would change the store that the others read."""


def text(chance: random.Random) -> str:
    return "".join(chance.choices(PIECES, k=chance.randint(0, 4)))


def value(chance: random.Random, depth: int = 0) -> Any:  # noqa: ANN401 -- JSON of any shape
    """Anything that JSON can say."""
    kind = chance.randrange(7 if depth < 3 else 4)
    if kind < 3:
        return text(chance)
    if kind == 3:
        return chance.choice(NUMBERS)
    if kind == 4:
        return None
    items = range(chance.randint(0, 4))
    if kind == 5:
        return [value(chance, depth + 1) for _ in items]
    names = ("role", "content", "speaker", "id", "at", "AND", "OR", "user_id", "type", "updated_after")
    return {chance.choice(names): value(chance, depth + 1) for _ in items}


def fitting(kind: str, chance: random.Random) -> Any:  # noqa: ANN401 -- of any kind
    """Something of the right type, with anything in it."""
    match kind:
        case "texts" | "pair":
            return [text(chance) for _ in range(2)]
        case "messages":
            return [{"role": chance.choice(("user", "assistant", "x")), "content": text(chance)}]
        case "integer" | "number":
            return chance.choice(NUMBERS)
        case "flag":
            return chance.random() < 0.5
        case "object":
            return {chance.choice(("type", "user_id", "AND", "updated_after")): value(chance, 2)}
        case _:
            return text(chance)


def operations(memory: Memory) -> Callable[[random.Random], None]:
    """A call of any operation with anything, by Bob's key or an operator's."""
    gateway = Gateway(memory)
    verbs = [one for one in OPERATIONS if one.name not in DANGEROUS]
    keys = [callers.of_scopes([scope], tenant="default", caller="fuzz") for scope in ("user:bob", "operator")]

    def call(chance: random.Random) -> None:
        operation = chance.choice(verbs)
        wanted = [one for one in operation.parameters if one.is_required or chance.random() < 0.3]
        given = {one.name: fitting(one.kind, chance) if chance.random() < 0.8 else value(chance) for one in wanted}
        place = {chance.choice(callers.PLACE_NAMES): value(chance) for _ in range(chance.randint(0, 2))}
        asked = Call(operation=operation, arguments=given, place=place, grant=chance.choice(keys), surface="fuzz")
        json.dumps(gateway.run(asked))

    return call


def import_lines(memory: Memory) -> Callable[[random.Random], None]:
    """A line of an export with something changed."""
    good = list(memory.engine.store.lines("default"))

    def check(chance: random.Random) -> None:
        line = dict(chance.choice(good))
        for name in chance.sample(sorted(line), k=min(2, len(line))):
            line[name] = value(chance)
        check_line(line)

    return check


def policies(_memory: Memory) -> Callable[[random.Random], None]:
    """A policy as a table or as TOML."""

    def load(chance: random.Random) -> None:
        if chance.random() < 0.5:
            load_policy({chance.choice(("write", "forget", "privacy", "spaces", "phase", "x")): value(chance)})
        else:
            from_toml("\n".join(f"{chance.choice(PIECES)} = {text(chance)!r}" for _ in range(3)))

    return load


def secrets(_memory: Memory) -> Callable[[random.Random], None]:
    """Any text, for the detector."""
    return lambda chance: _spans("".join(text(chance) for _ in range(6)))


def _spans(said: str) -> None:
    for span in find_secrets(said):
        assert 0 <= span.start <= span.end <= len(said), "a span lies in its text"


def trusting(_memory: Memory) -> Callable[[random.Random], None]:
    """Broken on purpose."""
    return lambda chance: int(text(chance))  # type: ignore[arg-type,return-value]  # broken on purpose


TARGETS: Mapping[str, Callable[[Memory], Callable[[random.Random], None]]] = {
    "operations": operations, "import lines": import_lines, "policies": policies, "secrets": secrets,
}  # fmt: skip


def run(inputs: int, *, seed: int = 1, is_broken: bool = False) -> tuple[Counter[str], list[str]]:
    """So many inputs for each target; how many were refused and accepted, and what was no typed error."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder, opened(str(Path(folder) / "memory.db")) as memory:
        memory.at(user="bob").remember("I live in Oslo")
        memory.at(user="alice").remember("My sister Tess plays the cello")
        for name, make in ({"trusting": trusting} if is_broken else TARGETS).items():
            chance, target = random.Random(f"{seed} {name}"), make(memory)
            for number in range(inputs):
                try:
                    target(chance)
                    counts[f"{name} accepted"] += 1
                except WellkeptError:
                    counts[f"{name} refused"] += 1
                except Exception as error:
                    faults.append(f"{name} {number}: {type(error).__name__}: {str(error)[:120]}")
                    if len(faults) >= FAULTS_MAX:
                        return counts, faults
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=5_000, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true")
    given = parser.parse_args()
    counts, faults = run(given.inputs, seed=given.seed, is_broken=given.broken)
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    bound = "" if faults else f"; 95 % sure that fewer than {3 / max(sum(counts.values()), 1):.3%} of inputs do harm"
    print(f"faults: {len(faults)}{bound}")
    for fault in faults:
        print(f"  {fault}")
    return int(bool(faults) != given.broken)


if __name__ == "__main__":
    sys.exit(main())
