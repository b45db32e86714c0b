"""What a program holds besides memory and viewpoint: people, keys, upkeep and the rest for operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any, Literal, Self

from wellkept import flows
from wellkept.flows.upkeep import schedule
from wellkept.policies.callers import check_days, check_limit, check_number
from wellkept.policies.summaries import Conversation, RollingSummary, Spine
from wellkept.store.contract import CheckpointKey, Due, PendingJob
from wellkept.types import Viewpoint

if TYPE_CHECKING:
    from wellkept.config import ServerTable
    from wellkept.flows.engine import Engine
    from wellkept.flows.people.amend_people import Forgotten, Merged
    from wellkept.flows.read.events import Event
    from wellkept.flows.read.show import Acquaintance
    from wellkept.flows.serving.api_keys import NewKey, NewToken
    from wellkept.flows.sessions.checkpoints import Saved
    from wellkept.flows.sessions.turn import SessionShown
    from wellkept.flows.upkeep.consolidate import Consolidated, Curated
    from wellkept.flows.upkeep.doctor import Diagnosis
    from wellkept.flows.upkeep.erase import Certificate
    from wellkept.flows.upkeep.transfer import Held, Transferred
    from wellkept.jobs import Done as JobDone
    from wellkept.jobs import Runner
    from wellkept.policies.people.profile_fields import State as ConsentState
    from wellkept.policies.summaries import RollingSummary, Session, SessionState
    from wellkept.policies.todos import Todo
    from wellkept.store.contract import ApiKey, Chain, Done, Job, JobKey, Proposal


Progress = Callable[[int], None]
"""Told how many are done."""


def silent(_done: int) -> None:
    """Nobody wants to know."""


class _OfTenant:
    """What an operator holds of one tenant."""

    def __init__(self, engine: Engine, tenant: str = "default") -> None:
        self._engine = engine
        self._tenant = tenant

    def of(self, tenant: str) -> Self:
        """That of another tenant."""
        return type(self)(self._engine, tenant)

    def _place(self, user: str | None = None, persona: str | None = None) -> Viewpoint:
        return Viewpoint(tenant=self._tenant, user=user, persona=persona)


class People(_OfTenant):
    """The people of one tenant, named by id or handle. `at(user=…)` gives them as a user knows them."""

    def list(self, *, limit: int = 50) -> tuple[Acquaintance, ...]:
        """Everybody, latest first."""
        return flows.show.everybody(self._tenant, self._engine, limit=limit)

    def show(self, reference: str, *, limit: int = 20) -> Acquaintance:
        """One person; of memories only those of the system."""
        return flows.show.acquaintance(reference, self._place(), self._engine, limit=limit)

    def alias(self, reference: str, alias: str) -> Acquaintance:
        """Also call a person so, for everybody."""
        return flows.amend_people.alias(reference, alias, self._place(), self._engine)

    def rename(self, reference: str, name: str) -> Acquaintance:
        """Another name; the earlier one stays as an alias."""
        return flows.amend_people.rename(reference, name, self._place(), self._engine)

    def merge(self, primary: str, secondary: str) -> Merged:
        """Two people are one: the first stays."""
        return flows.amend_people.merge(primary, secondary, self._place(), self._engine)

    def split(self, reference: str) -> tuple[Acquaintance, Acquaintance]:
        """Take a merge back."""
        return flows.amend_people.split(reference, self._place(), self._engine)

    def forget(self, reference: str, *, delete_record: bool = False) -> Forgotten:
        """Archive everything about a person, whoever keeps it."""
        return flows.amend_people.forget_person(reference, self._place(), self._engine, delete_record=delete_record)


class Consents(_OfTenant):
    """Changes of the profiles of one tenant's users that wait for a yes, as an operator sees them."""

    def list(self, *, state: ConsentState | None = "pending", limit: int = 100) -> tuple[Proposal, ...]:
        """Of everybody, oldest first."""
        return flows.consent.proposals(self._place(), self._engine, state=state, limit=limit)

    def approve(self, proposal_id: str) -> Proposal:
        """Yes, in the user's name."""
        return flows.consent.approve(proposal_id, self._place(), self._engine)

    def reject(self, proposal_id: str) -> Proposal:
        """No, in the user's name."""
        return flows.consent.reject(proposal_id, self._place(), self._engine)

    def expire(self) -> int:
        """Close what nobody answered in time; how many."""
        return flows.consent.expire(schedule.Sweep(self._tenant, self._engine))


class Sessions(_OfTenant):
    """Conversations of any user of one tenant, as an operator sees them."""

    def list(self, user: str, *, persona: str | None = None, limit: int = 20) -> tuple[Session, ...]:
        """Of a user and a persona, newest first."""
        return flows.turn.sessions(self._place(user, persona), self._engine, limit=limit)

    def show(self, session_id: str, user: str, *, persona: str | None = None) -> SessionShown:
        """One with its summary and messages."""
        return flows.turn.session(session_id, self._place(user, persona), self._engine)

    def state(self, user: str, *, persona: str | None = None) -> SessionState:
        """What lasts from session to session."""
        return flows.turn.state(self._place(user, persona), self._engine)

    def summaries(self, user: str, *, persona: str | None = None) -> tuple[RollingSummary, ...]:
        """Every version of the rolling summary, oldest first."""
        return flows.turn.rolling_versions(self._place(user, persona), self._engine)

    def spines(self, user: str, *, limit: int = 20) -> tuple[Spine, ...]:
        """Every version of the long-term summary, newest first."""
        return self._engine.store.summaries(Conversation(tenant=self._tenant, owner=user), Spine, limit=limit)


class Todos(_OfTenant):
    """Todos of any user of one tenant, as an operator sees them."""

    def list(
        self, user: str, *, persona: str | None = None, status: str = "PENDING", limit: int = 50
    ) -> tuple[Todo, ...]:
        """Of a user and a persona, oldest first; `ALL`: whatever became of them."""
        return flows.todos.listing(self._place(user, persona), self._engine, status=status, limit=limit)

    def complete(self, todo_id: str, user: str, *, persona: str | None = None) -> Todo:
        """It is done; a habit goes on."""
        return flows.todos.end(todo_id, self._place(user, persona), self._engine, "done")

    def dismiss(self, todo_id: str, user: str, *, persona: str | None = None) -> Todo:
        """It is no longer wanted."""
        return flows.todos.end(todo_id, self._place(user, persona), self._engine, "dismissed")


class Keys:
    """The rights of programs to call the server: API keys, and context tokens for sandboxes."""

    def __init__(self, engine: Engine, server: ServerTable) -> None:
        self._engine = engine
        self._server = server

    def add(
        self, name: str, *, scope: Sequence[str] = (), expires_in_days: float | None = None, tenant: str = "default"
    ) -> NewKey:
        """A new key with these scopes: `operator`, `tenant`, `user:<id>`, `agent:<name>`. It is told once."""
        if expires_in_days is not None:
            check_number(expires_in_days, name="expires_in_days")
        request = flows.api_keys.KeyRequest(tenant=tenant, name=name, scopes=scope, expires_in_days=expires_in_days)
        return flows.api_keys.add(request, self._engine, chance=token_hex)

    def add_first(self, *, tenant: str = "default") -> NewKey | None:
        """A key for the operator of a store that never had one; None when it had."""
        return flows.api_keys.add_first(tenant, self._engine, chance=token_hex)

    def rotate(self, key_id: str, *, grace_hours: float = 24, tenant: str = "default") -> NewKey:
        """Another key with the same name, scopes and lifetime; the old one opens nothing after so many hours."""
        check_number(grace_hours, name="grace_hours")
        return flows.api_keys.rotate(key_id, tenant, self._engine, grace_hours=grace_hours, chance=token_hex)

    def list(self, *, tenant: str = "default") -> tuple[ApiKey, ...]:
        """Keys of a tenant, oldest first, revoked ones included."""
        return self._engine.store.keys(tenant)

    def revoke(self, key_id: str, *, tenant: str = "default") -> ApiKey:
        """From now on the key opens nothing."""
        return flows.api_keys.revoke_key(key_id, tenant, self._engine)

    def token(self, place: Viewpoint, *, minutes: float = 60) -> NewToken:
        """A context token: whoever shows it to the server is this viewpoint for so long, and nobody else."""
        keys = flows.api_keys.TokenKeys(verifying=self._server.token_key, signing=self._server.token_signing_key)
        return flows.api_keys.mint(place, minutes, keys, self._engine, chance=token_hex)

    def revoke_token(self, token_id: str, *, tenant: str = "default") -> ApiKey:
        """From now on the token with this id opens nothing."""
        return flows.api_keys.revoke_token(token_id, tenant, self._engine)


class Events:
    """The ledger as a table of what was done when."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list(
        self,
        *,
        tenant: str = "default",
        of: str | None = None,
        node: str | None = None,
        op: str | None = None,
        housekeeping: bool = True,
        limit: int = 50,
        before: str | None = None,
    ) -> tuple[Event, ...]:
        """Newest first: in the memory of one user, or of everybody. `before` is the last id of the page before."""
        request = flows.events.EventsRequest(
            tenant=tenant, owner=of, node=node, op=op, housekeeping=housekeeping, limit=limit, before=before
        )
        return flows.events.events(request, self._engine)

    def growth(self, *, tenant: str = "default", of: str | None = None) -> Mapping[date, int]:
        """Memories made a day (UTC), the earliest first: in the memory of one user, or of everybody."""
        made = self._engine.store.counts(tenant, by="day", owner=of)
        return {date.fromisoformat(day): number for day, number in made.items()}

    def activity(self, *, tenant: str = "default", of: str | None = None, days: int = 30) -> tuple[Done, ...]:
        """What was done a day (UTC), where and how often: in the memory of one user, or of everybody."""
        return flows.events.activity(tenant, self._engine, owner=of, days=days)

    def owners(self, *, tenant: str = "default", limit: int = 50) -> tuple[Chain, ...]:
        """Users and chats that something was decided for, the longest chain first."""
        return flows.events.owners(tenant, self._engine, limit=limit)


class Checkpoints:
    """The latest state of supervisors, by user and thread. JSON only; two cannot overwrite each other unseen."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def save(
        self, user: str, thread: str, data: Mapping[str, Any], *, version: int = 0, tenant: str = "default"
    ) -> Saved:
        """Save over the version that was loaded (0: the thread has none), or raise `CheckpointConflict`.

        Texts under `history` lose their secrets; everything else is stored as it is given.
        """
        request = flows.checkpoints.SaveRequest(tenant=tenant, user=user, thread=thread, data=data, version=version)
        return flows.checkpoints.save(request, self._engine)

    def load(self, user: str, thread: str, *, tenant: str = "default") -> Saved | None:
        """The latest state of a thread."""
        found = next(iter(self._engine.store.checkpoints(tenant, user=user, thread=thread)), None)
        return None if found is None else flows.checkpoints.saved(found)

    def list(self, user: str | None = None, *, limit: int = 100, tenant: str = "default") -> tuple[Saved, ...]:
        """Latest states, the last saved first."""
        found = self._engine.store.checkpoints(tenant, user=user, limit=limit)
        return tuple(flows.checkpoints.saved(one) for one in found)

    def delete(self, user: str, thread: str, *, tenant: str = "default") -> bool:
        """Remove a thread's state; False when there was none."""
        return self._engine.store.drop(CheckpointKey(tenant=tenant, user=user, thread=thread)) > 0


WorkerMode = Literal["auto", "on", "off"]
JOBS_MAX = 1_000
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
        store.job_listeners.append(self._queued)
        if self._worker == "off":
            self._own = {(tenant, "gc", ""): None for tenant in collected}
            return
        small = [
            tenant
            for tenant in collected
            if len(store.memories(Due(tenant=tenant, now=now, limit=SMALL_ROUND))) < SMALL_ROUND
        ]
        self.finish((tenant, "gc", "") for tenant in small)
        if self._worker == "on" or store.has(PendingJob()):
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
        self, names: str | Sequence[str] | None = None, *, tenant: str = "default", progress: Progress = silent
    ) -> tuple[JobDone, ...]:
        """Run these jobs now, or all: those that are queued, due or not, and a round through the whole tenant."""
        wanted = (names,) if isinstance(names, str) else names
        return self.runner.run_now(tenant, wanted or None, progress)

    def finish(self, keys: Iterable[JobKey] | None = None, *, progress: Progress = silent) -> tuple[JobDone, ...]:
        """Run these jobs to their end, due or not; without a word, those that this memory has queued (worker off)."""
        if keys is None:
            keys, self._own = self._own, {}
        wanted = tuple(keys)
        return self.runner.finish(wanted, progress) if wanted else ()

    def jobs(
        self, *, tenant: str = "default", limit: int = 100, progress: Progress = silent
    ) -> Mapping[str, tuple[Job, ...]]:
        """Jobs that wait or are being done (`pending`), earliest first, and those given up (`dead`), latest first."""
        check_limit(limit, JOBS_MAX)
        store = self._engine.store
        found = {"pending": store.jobs(tenant, limit=limit), "dead": store.jobs(tenant, dead=True, limit=limit)}
        progress(sum(map(len, found.values())))
        return found

    def retry(self, *, tenant: str = "default", progress: Progress = silent) -> int:
        """Put all dead letters back into the queue; how many could be."""
        now, done = self._engine.clock(), 0
        for job in self._engine.store.jobs(tenant, dead=True, limit=1_000_000):
            done += self._engine.store.retry(job, at=now)
            progress(done)
        return done

    def export(
        self,
        file: IO[str],
        *,
        user: str | None = None,
        tenants: Sequence[str] = ("default",),
        progress: Progress = silent,
    ) -> Transferred:
        """Write everything of these tenants, or what belongs to one user, as lines of JSON."""
        return flows.transfer.export(self._engine, file, tenants=tenants, user=user, progress=progress)

    def import_(
        self, file: IO[str], *, merge: bool = False, tenant: str | None = None, progress: Progress = silent
    ) -> Transferred:
        """Take in an export, all or nothing: into an empty place, or merged with what is there."""
        return flows.transfer.import_(self._engine, file, merge=merge, tenant=tenant, progress=progress)

    def backup(self, path: str | Path) -> int:
        """Copy the whole store into a new file while it is used; its bytes."""
        return self._engine.store.backup(Path(path))

    def export_user(
        self, user_id: str, *, tenant: str = "default", progress: Progress = silent
    ) -> list[Mapping[str, Any]]:
        """What belongs to one user, as the lines of an export."""
        lines = list(self._engine.store.lines(tenant, user_id))
        progress(len(lines))
        return lines

    def bundle(self, user_id: str, *, tenant: str = "default", progress: Progress = silent) -> Held:
        """Everything that is held about a user, in sections that a person can read; `text` is the document."""
        held = flows.transfer.subject_access(tenant, user_id, self._engine)
        progress(sum(map(len, held.sections.values())))
        return held

    def erase(
        self, user_id: str, *, mentions: bool = False, tenant: str = "default", progress: Progress = silent
    ) -> Certificate:
        """Remove everything a user owns or stated (`mentions`: also what others said of them), with a proof."""
        request = flows.erase.EraseRequest(tenant=tenant, user=user_id, mentions=mentions)
        return flows.erase.erase(request, self._engine, taken_over=self.runner.taken_over, progress=progress)

    def stop(self) -> None:
        """End the thread after the job that it is doing; what waits stays queued."""
        if self._runner is not None:
            self._runner.stop()

    def gc(self, *, tenant: str = "default", progress: Progress = silent) -> Mapping[str, int]:
        """Archive what is superseded, expired or past its lifetime; how many, by reason."""
        return flows.lifetime.gc(schedule.Sweep(tenant, self._engine, progress))

    def compact(
        self, *, after_days: float | None = None, tenant: str = "default", progress: Progress = silent
    ) -> Mapping[str, int]:
        """Remove what was archived so long ago (`lifecycle.compact_after_days`, else 90 days)."""
        days = next(
            given
            for given in (after_days, self._engine.lifecycle_of(tenant).compact_after_days, flows.lifetime.COMPACT_DAYS)
            if given is not None
        )
        check_days(days, name="after_days")
        return flows.lifetime.compact(schedule.Sweep(tenant, self._engine, progress), after_days=days)

    def embed(self, *, tenant: str = "default", progress: Progress = silent) -> int:
        """Give vectors to the memories that have none of the present embedder."""
        return flows.consolidate.embed_missing(schedule.Sweep(tenant, self._engine, progress))

    def consolidate(self, *, tenant: str = "default", progress: Progress = silent) -> Consolidated:
        """Join what is the same, retire what is contradicted, add missing links; within the day's limits."""
        return flows.consolidate.consolidate(schedule.Sweep(tenant, self._engine, progress))

    def curate(self, *, tenant: str = "default", progress: Progress = silent) -> Curated:
        """Keep equal texts once, and fold many notes on one thing into one."""
        return flows.consolidate.curate(schedule.Sweep(tenant, self._engine, progress))

    def unfold(self, memory_id: str, *, tenant: str = "default") -> tuple[str, ...]:
        """Take a fold back; the ids of the memories that live again."""
        return flows.consolidate.unfold(tenant, memory_id, self._engine)

    def doctor(
        self, checks: Sequence[str] = (), *, fix: bool = False, tenant: str = "default", progress: Progress = silent
    ) -> Diagnosis:
        """Look for what is wrong in the store; change it only with `fix`."""
        return flows.doctor.doctor(tenant, self._engine, checks, fix=fix, progress=progress)

    def rebuild_index(self, *, tenant: str = "default") -> int:
        """Make the word index anew from the texts."""
        return self._engine.store.repair(tenant, "wrong_words")

    def rebuild(self, *, tenant: str = "default", progress: Progress = silent) -> Mapping[str, int]:
        """The word index anew, and vectors for the memories that have none; how many of each."""
        return {"indexed": self.rebuild_index(tenant=tenant), "embedded": self.embed(tenant=tenant, progress=progress)}

    def stats(self, *, tenant: str = "default") -> Mapping[str, int]:
        """Memories by state, for operators."""
        return self._engine.store.counts(tenant)
