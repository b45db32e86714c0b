"""Work outside the hot path, as a program holds it: jobs, copies of the store, and the right to be forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any, Literal

from wellkept import flows
from wellkept.flows.upkeep import schedule
from wellkept.flows.upkeep.embedding import embed_missing
from wellkept.policies.callers.limits import check_days

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.consolidate import Consolidated
    from wellkept.flows.upkeep.curate import Curated
    from wellkept.flows.upkeep.doctor import Diagnosis
    from wellkept.flows.upkeep.erase import Certificate
    from wellkept.flows.upkeep.transfer import Transferred
    from wellkept.jobs import Done, Runner
    from wellkept.store.contract import Job, JobKey

WorkerMode = Literal["auto", "on", "off"]
SMALL_ROUND = 100
"""So few memories are collected in a moment."""


class Upkeep:
    """Work outside the hot path: by itself in a background thread, or by hand."""

    def __init__(self, engine: Engine, worker: WorkerMode = "off") -> None:
        """`auto` starts the thread at the first queued job, `on` at once; with `off` jobs wait for `run`."""
        self._engine = engine
        self._worker = worker
        self._runner: Runner | None = None
        self._own: dict[JobKey, None] = {}

    def begin(self, *, auto_gc: bool) -> None:
        """What opening a memory starts: garbage collection once a day, and the thread where there is work for it.

        Where little is to be collected, that is done when this returns.
        """
        store, now = self._engine.store, self._engine.clock()
        tenants = store.tenants() if auto_gc else ()
        collected = [tenant for tenant in tenants if schedule.tick_now(tenant, "gc", schedule.DAY, self._engine)]
        store.watch_jobs(self._queued)
        if self._worker == "off":
            self._own = {(tenant, "gc", ""): None for tenant in collected}
            return
        small = [tenant for tenant in collected if len(store.due(tenant, now=now, limit=SMALL_ROUND)) < SMALL_ROUND]
        self.finish((tenant, "gc", "") for tenant in small)
        if self._worker == "on" or store.has_jobs():
            self.runner.start()

    @property
    def runner(self) -> Runner:
        """What runs the jobs of this memory; loaded when it is first needed."""
        if self._runner is None:
            from wellkept.jobs import Runner

            self._runner = Runner(self._engine, worker=token_hex(8))
        return self._runner

    def _queued(self, about: JobKey) -> None:
        if self._worker == "off":
            self._own[about] = None
        else:
            self.runner.start()
            self.runner.wake()

    def run(
        self,
        names: Sequence[str] | None = None,
        *,
        tenant: str = "default",
        progress: Callable[[int], None] = lambda _done: None,
    ) -> tuple[Done, ...]:
        """Run these jobs now, or all: those that are queued, due or not, and a round through the whole tenant."""
        return self.runner.run_now(tenant, names or None, progress)

    def finish(self, keys: Iterable[JobKey] | None = None) -> tuple[Done, ...]:
        """Run these jobs to their end, due or not; without a word, those that this memory has queued (worker off)."""
        if keys is None:
            keys, self._own = self._own, {}
        wanted = tuple(keys)
        return self.runner.finish(wanted) if wanted else ()

    def jobs(
        self, *, tenant: str = "default", limit: int = 100, progress: Callable[[int], None] = lambda _done: None
    ) -> Mapping[str, tuple[Job, ...]]:
        """Jobs that wait or are being done (`pending`), earliest first, and those given up (`dead`), latest first."""
        store = self._engine.store
        found = {"pending": store.pending(tenant, limit=limit), "dead": store.dead_letters(tenant, limit=limit)}
        progress(sum(map(len, found.values())))
        return found

    def retry(self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None) -> int:
        """Put all dead letters back into the queue; how many could be."""
        now, done = self._engine.clock(), 0
        for job in self._engine.store.dead_letters(tenant, limit=1_000_000):
            done += self._engine.store.retry(job, at=now)
            progress(done)
        return done

    def export(
        self,
        file: IO[str],
        *,
        user: str | None = None,
        tenants: Sequence[str] = ("default",),
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Transferred:
        """Write everything of these tenants, or what belongs to one user, as lines of JSON."""
        return flows.transfer.export(self._engine, file, tenants=tenants, user=user, progress=progress)

    def import_(
        self,
        file: IO[str],
        *,
        merge: bool = False,
        tenant: str | None = None,
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Transferred:
        """Take in an export, all or nothing: into an empty place, or merged with what is there."""
        return flows.transfer.import_(self._engine, file, merge=merge, tenant=tenant, progress=progress)

    def backup(self, path: str | Path) -> int:
        """Copy the whole store into a new file while it is used; its bytes."""
        return self._engine.store.backup(Path(path))

    def export_user(
        self, user_id: str, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None
    ) -> list[Mapping[str, Any]]:
        """What belongs to one user, as the lines of an export."""
        lines = list(self._engine.store.lines(tenant, user_id))
        progress(len(lines))
        return lines

    def erase(
        self,
        user_id: str,
        *,
        mentions: bool = False,
        tenant: str = "default",
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Certificate:
        """Remove everything a user owns or stated (`mentions`: also what others said of them), with a proof."""
        request = flows.erase.EraseRequest(tenant=tenant, user=user_id, mentions=mentions)
        return flows.erase.erase(request, self._engine, worker=token_hex(8), progress=progress)

    def stop(self) -> None:
        """End the thread after the job that it is doing; what waits stays queued."""
        if self._runner is not None:
            self._runner.stop()

    def gc(self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None) -> Mapping[str, int]:
        """Archive what is superseded, expired or past its lifetime; how many, by reason."""
        return flows.gc.gc(tenant, self._engine, progress=progress)

    def compact(
        self,
        *,
        after_days: float | None = None,
        tenant: str = "default",
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Mapping[str, int]:
        """Remove what was archived so long ago (`lifecycle.compact_after_days`, else 90 days)."""
        sweep = flows.lifetime.Sweep(tenant=tenant, engine=self._engine, progress=progress)
        days = next(
            given
            for given in (after_days, self._engine.lifecycle.compact_after_days, flows.lifetime.COMPACT_DAYS)
            if given is not None
        )
        check_days(days, name="after_days")
        return flows.lifetime.compact(sweep, after_days=days)

    def embed(self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None) -> int:
        """Give vectors to the memories that have none of the present embedder."""
        return embed_missing(tenant, self._engine, progress=progress)

    def consolidate(
        self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None
    ) -> Consolidated:
        """Join what is the same, retire what is contradicted, add missing links; within the day's limits."""
        return flows.consolidate.consolidate(tenant, self._engine, progress=progress)

    def curate(self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None) -> Curated:
        """Keep equal texts once, and fold many notes on one thing into one."""
        return flows.curate.curate(tenant, self._engine, progress=progress)

    def unfold(self, memory_id: str, *, tenant: str = "default") -> tuple[str, ...]:
        """Take a fold back; the ids of the memories that live again."""
        return flows.curate.unfold(tenant, memory_id, self._engine)

    def doctor(
        self,
        checks: Sequence[str] = (),
        *,
        fix: bool = False,
        tenant: str = "default",
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Diagnosis:
        """Look for what is wrong in the store; change it only with `fix`."""
        return flows.doctor.doctor(tenant, self._engine, checks, fix=fix, progress=progress)

    def rebuild_index(self, *, tenant: str = "default") -> int:
        """Make the word index anew from the texts."""
        return self._engine.store.rebuild_index(tenant)

    def rebuild(
        self, *, tenant: str = "default", progress: Callable[[int], None] = lambda _done: None
    ) -> Mapping[str, int]:
        """The word index anew, and vectors for the memories that have none; how many of each."""
        return {"indexed": self.rebuild_index(tenant=tenant), "embedded": self.embed(tenant=tenant, progress=progress)}

    def stats(self, *, tenant: str = "default") -> Mapping[str, int]:
        """Memories by state, for operators."""
        return {state.value: number for state, number in self._engine.store.counts(tenant).items()}
