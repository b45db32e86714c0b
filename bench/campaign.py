"""The campaign: every harness against loss, leaks and overload, each with its control, in one table.

    wellkept bench campaign [--size short|middle|full] [--only NAME…] [--seed 1] [--state campaign.json] [--list]

Each part is a bench of its own, run as a process with a seed; its control is the same harness over something that is
broken on purpose, and has to find faults. What is done is put into the file of `--state`, and not done again when the
campaign is started again with the same size and seed: it may be stopped at any time. The table says how many trials
there were and, where none did harm, the bound at 95 %: 3 / trials.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZES = ("short", "middle", "full")
TAIL = 12
"""Lines of the output that are kept."""
_FAULTS = re.compile(r"faults: (\d+)")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A harness, and how often it tries in each size."""

    name: str
    shows: str
    command: tuple[str, ...]
    """File of the bench and its options; `{n}` is the number of trials, `{seed}` the seed."""
    trials: tuple[int, int, int]
    """Short, middle, full."""
    unit: str
    control: tuple[str, ...] | None = None
    """Options that break something; None where the bench runs its control itself, or a test does."""
    control_trials: int = 0
    """Of the control; 0: as many as the part has in the short size."""
    control_status: int = 0
    """What the control ends with when it found faults, as it has to."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a part came to."""

    name: str
    trials: int
    is_held: bool
    faults: int | None
    control: str
    """`found`, `missed`, or `own` where the campaign runs none."""
    seconds: int
    tail: tuple[str, ...] = ()


PARTS: tuple[Part, ...] = (
    Part(name="kill", shows="writers killed at random moments: nothing acknowledged is lost, nothing is half",
         command=("kill.py", "--kills", "{n}", "--seed", "{seed}"), trials=(10, 300, 10_000), unit="kills",
         control=("--broken",), control_trials=30),
    Part(name="kill-jobs", shows="erasure, move, upkeep and every job killed and started again: done exactly once",
         command=("jobs_kill.py", "--kills", "{n}", "--seed", "{seed}"), trials=(1, 4, 400), unit="kills a job",
         control=("--broken",), control_trials=5),
    Part(name="kill-reading", shows="learning in the background killed: every exchange is read once",
         command=("extraction_kill.py", "--kills", "{n}", "--seed", "{seed}"), trials=(4, 40, 1_000), unit="kills",
         control=("--broken",), control_trials=20),
    Part(name="power", shows="power cuts with torn sectors, every second one again in the recovery",
         command=("disk.py", "cuts", "--cuts", "{n}", "--seed", "{seed}"), trials=(20, 1_000, 10_000), unit="cuts",
         control=("--lying",)),
    Part(name="disk-errors", shows="EIO and a full disk at every call, once and from then on",
         command=("disk.py", "errors", "--limit", "{n}", "--seed", "{seed}"), trials=(20, 300, 100_000),
         unit="failing calls", control=("--careless",)),
    Part(name="bit-rot", shows="single bits turned over: told, by a typed error or the doctor",
         command=("bit_rot.py", "--flips", "{n}", "--seed", "{seed}"), trials=(8, 320, 10_000), unit="flips",
         control=("--unsummed",), control_trials=40),
    Part(name="register", shows="edits of one memory by many processes are linearizable",
         command=("histories.py", "register", "--seconds", "{n}"), trials=(3, 20, 3_600), unit="seconds",
         control=("--stale",), control_trials=5),
    Part(name="slot", shows="values of one slot by many processes: no read is older than an acknowledged value",
         command=("histories.py", "slot", "--seconds", "{n}"), trials=(3, 20, 3_600), unit="seconds",
         control=("--stale",), control_trials=5),
    Part(name="retries", shows="calls with an idempotency key killed and made again: stored once, answered alike",
         command=("histories.py", "retries", "--kills", "{n}", "--seed", "{seed}"), trials=(3, 40, 2_000), unit="kills",
         control=("--keyless",)),
    Part(name="fuzz", shows="whatever goes into a parser, only typed errors come out",
         command=("fuzz.py", "--inputs", "{n}", "--seed", "{seed}"), trials=(100, 3_000, 500_000),
         unit="inputs a parser", control=("--broken",)),
    Part(name="hostile", shows="hostile requests: no 5xx, no growth, still serving",
         command=("hostile.py", "--requests", "{n}", "--seed", "{seed}"), trials=(100, 2_000, 22_000), unit="requests",
         control=("--broken",), control_status=1),
    Part(name="intruder", shows="others' keys and tokens with all of a user's names: nothing told, nothing changed",
         command=("intruder.py", "--requests", "{n}", "--seed", "{seed}"), trials=(300, 10_000, 100_000),
         unit="requests", control=("--unbound",), control_trials=1_000),
    Part(name="bombs", shows="texts cost what their size costs, and no more",
         command=("hostile_text.py", "--drawn", "{n}", "--seed", "{seed}"), trials=(0, 4, 60), unit="drawn tokens",
         control=("--quadratic",), control_status=1),
    Part(name="leaks", shows="canary facts: no answer holds what the asker may not meet",
         command=("leaks.py", "--queries", "{n}", "--seed", "{seed}"), trials=(200, 4_000, 200_000), unit="questions"),
    Part(name="interference", shows="answers are the same bytes with and without others' private data",
         command=("interference.py", "--worlds", "{n}", "--seed", "{seed}"), trials=(3, 40, 1_000), unit="worlds"),
    Part(name="echo", shows="what memory said comes back and teaches nothing",
         command=("echo.py", "--turns", "{n}"), trials=(20, 300, 1_000), unit="turns", control=("--broken",)),
    Part(name="year", shows="a simulated time of users and upkeep: lifetimes hold and nothing grows without end",
         command=("year.py", "--users", "2", "--days", "{n}"), trials=(20, 120, 365), unit="days"),
    Part(name="load", shows="clients read and write while the server is stopped: every begun request is answered",
         command=("server_load.py", "--clients", "8", "--seconds", "{n}"), trials=(3, 20, 7_200), unit="seconds",
         control=("--forgetful",), control_status=1),
    Part(name="postgres-kill", shows="the same kills over PostgreSQL",
         command=("kill.py", "--postgres", "--kills", "{n}", "--seed", "{seed}"), trials=(0, 40, 2_000), unit="kills",
         control=("--broken",), control_trials=20),
    Part(name="postgres-hammer", shows="processes on one user's slots: one live value, unbroken chains",
         command=("postgres_hammer.py", "--processes", "4", "--seconds", "{n}"), trials=(0, 20, 3_600), unit="seconds"),
    Part(name="postgres-crash", shows="servers stopped and backends killed under writers",
         command=("postgres_faults.py", "crash", "--rounds", "{n}"), trials=(0, 4, 100), unit="rounds"),
    Part(name="failover", shows="a primary is killed and its standby takes over",
         command=("postgres_faults.py", "failover", "--rounds", "{n}"), trials=(0, 3, 100), unit="rounds",
         control=("--asynchronous",)),
)  # fmt: skip


def run_part(part: Part, size: str, seed: int) -> Done:
    """The harness and its control, as processes."""
    trials = part.trials[SIZES.index(size)]
    start = time.monotonic()
    status, output = _run(part, trials, seed, ())
    control = "own"
    if part.control is not None:
        found, _ = _run(part, part.control_trials or part.trials[0] or part.trials[1], seed, part.control)
        control = "found" if found == part.control_status else "missed"
    faults = [int(one) for one in _FAULTS.findall(output)]
    return Done(
        name=part.name,
        trials=trials,
        is_held=status == 0,
        faults=sum(faults) if faults else None,
        control=control,
        seconds=round(time.monotonic() - start),
        tail=tuple(output.splitlines()[-TAIL:]),
    )


def _run(part: Part, trials: int, seed: int, more: Sequence[str]) -> tuple[int, str]:
    given = [one.format(n=trials, seed=seed) for one in part.command]
    command = [sys.executable, str(ROOT / "bench" / given[0]), *given[1:], *more]
    paths = (str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", ""))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(one for one in paths if one)}
    done = subprocess.run(command, env=environment, check=False, capture_output=True)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def table(done: Mapping[str, Done]) -> str:
    """What the campaign came to, as Markdown."""
    rows = ["| part | what it shows | trials | faults | bound (95 %) | control | seconds |", "|---" * 7 + "|"]
    for part in PARTS:
        one = done.get(part.name)
        if one is None:
            continue
        is_counted = one.is_held and one.trials > 0 and part.unit not in ("seconds", "days")
        bound = f"< {3 / one.trials:.2%}" if is_counted else "–"
        faults = "none" if one.is_held else str(one.faults or "yes")
        trials = f"{one.trials:,} {part.unit}"
        rows.append(f"| {part.name} | {part.shows} | {trials} | {faults} | {bound} | {one.control} | {one.seconds} |")
    return "\n".join(rows)


def campaign(size: str, seed: int, state: Path, only: Sequence[str] = ()) -> dict[str, Done]:
    """Run what is not done yet; what is done is in the file."""
    kept = json.loads(state.read_text(encoding="utf-8")) if state.is_file() else {}
    mine = f"{size} {seed}"
    done = {name: Done(**one) for name, one in kept.get(mine, {}).items()}
    for part in PARTS:
        if part.name in done or (only and part.name not in only) or part.trials[SIZES.index(size)] == 0:
            continue
        print(f"{part.name}: {part.shows} …", flush=True)
        done[part.name] = run_part(part, size, seed)
        kept[mine] = {name: asdict(one) for name, one in done.items()}
        state.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return done


def is_good(done: Done) -> bool:
    """Whether nothing did harm, and the control was found out."""
    return done.is_held and done.control != "missed"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="short")
    parser.add_argument("--only", nargs="*", default=[], choices=[part.name for part in PARTS], metavar="NAME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, default=Path("campaign.json"))
    parser.add_argument("--list", action="store_true", help="say what there is, and run nothing")
    given = parser.parse_args()
    if given.list:
        for part in PARTS:
            print(f"{part.name:16} {part.shows} ({part.trials[SIZES.index(given.size)]:,} {part.unit})")
        return 0
    done = campaign(given.size, given.seed, given.state, given.only)
    print(table(done))
    bad = [one for one in done.values() if not is_good(one)]
    for one in bad:
        print(f"\n{one.name}: control {one.control}", *one.tail, sep="\n  ")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
