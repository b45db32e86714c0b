"""Kill storm for jobs: each is killed at random moments and started again; in the end its work was done exactly once.

    python bench/jobs_kill.py [--kills 100] [--only gc] [--seed 1] [--broken] [--postgres]

A child runs the job on a prepared store, the parent kills it after a random while and starts the next, until one comes
to its end; then the store is looked at. First three workers at once work on a store where nobody is killed, then two on
every second one: they must not double the work. Every kind of job has its case, and so have a repair, an import and the
forgetting of a person (`jobs_kill_cases.py`). `--broken` runs a job whose effect is committed apart from its end, and
others over stores whose statements commit one by one: there it must find faults.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import stores
from bench.jobs_kill_cases import CASES, note_case
from bench.jobs_kill_world import Case, opened
from bench.stores import Places
from recollect.app import Memory

KILLED, DONE, FAILED = "killed", "done", "failed"
AT_ONCE = 3
LONGEST_SECONDS = 2.0
"""After which a job is killed at the latest."""
PAUSE_DAYS = 0.001
"""Between attempts: a killed worker's lease is over when the next one starts."""
TORN = ("gc", "purge", "curate")
"""Jobs that are also tried over a store without transactions."""


@dataclass(kw_only=True)
class Report:
    """What a storm found."""

    kills: int = 0
    stores: int = 0
    inside: int = 0
    """Rounds whose kill found the job begun and not finished."""
    faults: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class _Storm:
    """One case under fire."""

    name: str
    case: Case
    chance: random.Random
    kills: int
    longest: float = 0.0
    """Seconds that an undisturbed run has taken so far."""
    report: Report = field(default_factory=Report)

    def rage(self, path: str, workers: int, *, is_killing: bool) -> None:
        """Kill so often; then let the work come to its end, and look."""
        report, is_done, attempt = self.report, False, 0
        while not is_done:
            days = self.case.days + attempt * PAUSE_DAYS
            is_hunted = is_killing and report.kills < self.kills
            begun = time.monotonic()
            children = [start(path, self.name, self.case, days) for _ in range(workers)]
            if is_hunted:
                time.sleep(self.chance.uniform(0, self.longest))
            statuses = [end(child, is_killing=is_hunted) for child in children]
            left = waiting(path, self.name, self.case, days)
            is_done = KILLED not in statuses and not left
            report.kills += statuses.count(KILLED)
            report.inside += KILLED in statuses and "begun" in left
            report.faults += ["a worker failed by itself"] * statuses.count(FAILED)
            if is_done:
                self.longest = min(max(self.longest, time.monotonic() - begun), LONGEST_SECONDS)
            attempt += 1
            if attempt > self.kills + 100:
                report.faults.append("the work comes to no end")
                break
        report.stores += 1
        memory = opened(path, self.case, days=self.case.days + attempt * PAUSE_DAYS)
        report.faults += list(self.case.faults(memory))
        memory.close()


def storm(name: str, case: Case, kills: int, *, chance: random.Random, places: Places | None = None) -> Report:
    """Several workers at once, undisturbed; then so many kills, on as many stores as that takes."""
    raging = _Storm(name=name, case=case, chance=chance, kills=kills)
    with contextlib.ExitStack() as until_end:
        where = places or until_end.enter_context(stores.places("sqlite"))
        template = where.new()
        memory = opened(template, case, days=0)
        case.prepare(memory)
        memory.close()
        # The first run also tells how long one takes, so that the kills hit all of it.
        raging.rage(where.copy(template), AT_ONCE, is_killing=False)
        while raging.report.kills < kills:
            raging.rage(where.copy(template), 1 + raging.report.stores % 2, is_killing=True)
    return raging.report


def torn(case: Case) -> Case:
    """Broken on purpose: every statement commits by itself."""

    @contextlib.contextmanager
    def no_transaction(**_given: object) -> Iterator[None]:
        yield

    def tear(memory: Memory) -> None:
        memory.engine.store._db.driver.transaction = no_transaction  # type: ignore[attr-defined]  # noqa: SLF001

    return replace(case, broken=tear)


def waiting(path: str, name: str, case: Case, days: float) -> set[str]:
    """States of the jobs of this name that are not finished."""
    memory = opened(path, case, days=days)
    try:
        return {str(job.state) for job in memory.engine.store.pending("default", names=[name], limit=1_000)}
    finally:
        memory.close()


def start(path: str, name: str, case: Case, days: float) -> int:
    """A child that runs the job and leaves; its process id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        memory = opened(path, case, days=days)
        if case.broken is not None:
            case.broken(memory)
        (case.run or (lambda one: one.upkeep.run([name])))(memory)
        status = 0
    finally:
        os._exit(status)


def end(child: int, *, is_killing: bool) -> str:
    """Kill it, or wait for it; how it ended."""
    if is_killing:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            is_killing = False
    _, status = os.waitpid(child, 0)
    if not os.WIFEXITED(status):
        return KILLED
    return DONE if os.WEXITSTATUS(status) == 0 else FAILED


def main() -> int:
    """Run the storm and say what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--only", choices=list(CASES), nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    cases = {name: CASES[name] for name in options.only or CASES}
    if options.broken:
        cases = {"note": note_case(is_broken=True)} | {name: torn(CASES[name]) for name in TORN}
    failed = False
    with stores.places("postgres" if options.postgres else "sqlite") as places:
        for name, case in cases.items():
            report = storm(name, case, options.kills, chance=random.Random(options.seed), places=places)
            found = f"{len(report.faults)} faults" + (f", such as: {report.faults[0]}" if report.faults else "")
            killed = f"{report.kills} kills on {report.stores} stores, {report.inside} rounds in its midst"
            print(f"{name:12} {killed}: {found}", flush=True)
            failed |= bool(report.faults) != options.broken
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
