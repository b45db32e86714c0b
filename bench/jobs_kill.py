"""Kill storm for jobs: each is killed at random moments and started again; in the end its work was done exactly once.

    python bench/jobs_kill.py [--kills 100] [--only gc] [--seed 1] [--broken] [--postgres]

A child opens a prepared store, says that its work begins, works, and says that it ended. The parent kills it at a
moment spread evenly over the time that the undisturbed work takes and starts the next, until one comes to its end;
then the store is looked at. A kill is under way when the work had begun and not ended; the four numbers behind it are
the kills in each quarter of that time. First three workers at once work on a store where nobody is killed, then two on
every second one: they must not double the work. Every kind of job has its case (`jobs_kill_cases.py`), and so have
answers to questions of consent, a repair, an import, a merging import and the forgetting of a person
(`jobs_kill_by_hand.py`). `--broken` runs a job whose effect is committed apart from its end, and others over stores
whose statements commit one by one: each is killed until a fault is found, and one must be.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import select
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import stores
from bench.jobs_kill_by_hand import BY_HAND
from bench.jobs_kill_cases import CASES, note_case
from bench.jobs_kill_world import Case, opened
from bench.stores import Places
from wellkept.api import Memory

KILLED, DONE, FAILED = "killed", "done", "failed"
BEGUN, ENDED = b"b", b"e"
"""What a child says to its parent."""
AT_ONCE = 3
QUARTERS = 4
OPEN_SECONDS = 30.0
"""Within which a child has opened its store."""
PAUSE_DAYS = 0.001
"""Between attempts: a killed worker's lease is over when the next one starts."""
TORN = ("gc", "purge", "curate", "consent", *BY_HAND)
"""What is also tried over a store without transactions."""


@dataclass(kw_only=True)
class Report:
    """What a storm found."""

    kills: int = 0
    stores: int = 0
    quarters: list[int] = field(default_factory=lambda: [0] * QUARTERS)
    """Kills that found the work begun and not ended, by the quarter of its usual time that they fell in."""
    faults: list[str] = field(default_factory=list)

    @property
    def under_way(self) -> int:
        """Kills that found the work begun and not ended."""
        return sum(self.quarters)


@dataclass(frozen=True, kw_only=True)
class _Child:
    """A process at work, and the pipe that it speaks through."""

    pid: int
    pipe: int


@dataclass(frozen=True, kw_only=True)
class _End:
    """How a child ended."""

    status: str
    is_under_way: bool


@dataclass(kw_only=True)
class _Storm:
    """One case under fire."""

    name: str
    case: Case
    chance: random.Random
    kills: int
    lasts: float = 0.0
    """Seconds that the undisturbed work takes."""
    report: Report = field(default_factory=Report)

    def rage(self, path: str, workers: int, *, is_killing: bool) -> None:
        """Kill so often; then let the work come to its end, and look."""
        report, is_done, attempt = self.report, False, 0
        while not is_done:
            days = self.case.days + attempt * PAUSE_DAYS
            is_hunted = is_killing and report.kills < self.kills
            children = [start(path, self.name, self.case, days) for _ in range(workers)]
            select.select([child.pipe for child in children], [], [], OPEN_SECONDS)
            begun = time.monotonic()
            if is_hunted:
                time.sleep(self.chance.uniform(0, self.lasts))
            worked = time.monotonic() - begun
            ends = [end(child, is_killing=is_hunted) for child in children]
            if not is_killing:
                self.lasts = time.monotonic() - begun
            self._count(ends, worked)
            left = waiting(path, self.name, self.case, days)
            is_done = all(one.status != KILLED for one in ends) and not left
            attempt += 1
            if attempt > self.kills + 100:
                report.faults.append("the work comes to no end")
                break
        report.stores += 1
        memory = opened(path, self.case, days=self.case.days + attempt * PAUSE_DAYS)
        report.faults += list(self.case.faults(memory))
        memory.close()

    def _count(self, ends: list[_End], worked: float) -> None:
        quarter = min(int(QUARTERS * worked / self.lasts), QUARTERS - 1)
        for one in ends:
            self.report.kills += one.status == KILLED
            self.report.quarters[quarter] += one.status == KILLED and one.is_under_way
            self.report.faults += ["a worker failed by itself"] * (one.status == FAILED)


def storm(name: str, case: Case, kills: int, *, chance: random.Random, places: Places | None = None) -> Report:
    """Several workers at once, undisturbed; then so many kills, on as many stores as that takes.

    A case that is broken on purpose has one worker, so that nothing but a kill can harm it, until it is found out.
    """
    raging = _Storm(name=name, case=case, chance=chance, kills=kills)
    is_broken = case.broken is not None
    with contextlib.ExitStack() as until_end:
        where = places or until_end.enter_context(stores.places("sqlite"))
        template = where.new()
        memory = opened(template, case, days=0)
        case.prepare(memory)
        memory.close()
        if not is_broken:
            raging.rage(where.copy(template), AT_ONCE, is_killing=False)
        # One alone tells how long the work takes, so that the kills hit all of it.
        raging.rage(where.copy(template), 1, is_killing=False)
        while raging.report.kills < kills and not (is_broken and raging.report.faults):
            workers = 1 if is_broken else 1 + raging.report.stores % 2
            raging.rage(where.copy(template), workers, is_killing=True)
    return raging.report


def torn(case: Case) -> Case:
    """Broken on purpose: every statement commits by itself."""

    @contextlib.contextmanager
    def no_transaction(**_given: object) -> Iterator[None]:
        yield

    def tear(memory: Memory) -> None:
        memory.engine.store._db.driver.transaction = no_transaction  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose

    return replace(case, broken=tear)


def waiting(path: str, name: str, case: Case, days: float) -> bool:
    """Whether a job of this name is not finished."""
    memory = opened(path, case, days=days)
    try:
        return bool(memory.engine.store.jobs("default", names=[name], limit=1))
    finally:
        memory.close()


def start(path: str, name: str, case: Case, days: float) -> _Child:
    """A child that runs the job and leaves."""
    hears, tells = os.pipe()
    pid = os.fork()
    if pid:
        os.close(tells)
        return _Child(pid=pid, pipe=hears)
    status = 1
    try:
        memory = opened(path, case, days=days)
        if case.broken is not None:
            case.broken(memory)
        os.write(tells, BEGUN)
        (case.run or (lambda one: one.upkeep.run([name])))(memory)
        os.write(tells, ENDED)
        status = 0
    finally:
        os._exit(status)


def end(child: _Child, *, is_killing: bool) -> _End:
    """Kill it, or wait for it; how it ended."""
    if is_killing:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
    _, code = os.waitpid(child.pid, 0)
    said = os.read(child.pipe, len(BEGUN + ENDED))
    os.close(child.pipe)
    status = KILLED if not os.WIFEXITED(code) else DONE if os.WEXITSTATUS(code) == 0 else FAILED
    return _End(status=status, is_under_way=said == BEGUN)


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
            quarters = "/".join(str(number) for number in report.quarters)
            killed = f"{report.kills:4} kills on {report.stores:3} stores, {report.under_way:4} under way ({quarters})"
            print(f"{name:12} {killed}: {found}", flush=True)
            failed |= bool(report.faults) != options.broken
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
