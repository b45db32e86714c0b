"""A governed session as programs hold it: recall, record, phases; each call gives its events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept.errors import ConfigError, InvalidInput
from wellkept.flows.governed import read, recall, record
from wellkept.flows.governed.run import Run, Session, is_common
from wellkept.policies.callers import check_limit
from wellkept.policies.governance import borders, phases, traces
from wellkept.policies.governance.phases import MANUAL
from wellkept.policies.governance.policy import load_policy
from wellkept.values import changed
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.policies.governance.phases import Item, Phase, Step
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.governance.traces import Event
    from wellkept.store.contract import LedgerRow, Trace
    from wellkept.types import Viewpoint


ID_MAX = 512
SHOWN_MAX = 10_000


class Governed:
    """A session with a policy. Every answer is a list of event dicts, JSON-ready and without a clock in them."""

    def __init__(
        self,
        engine: Engine,
        place: Viewpoint,
        *,
        profile: str = "assistant",
        policy: Policy | Mapping[str, Any] | Path | str | None = None,
    ) -> None:
        if place.session is None:
            raise InvalidInput("A governed session needs its id: governed(session=…).", code="no_session")
        named: tuple[tuple[str, object], ...] = (("session", place.session), ("profile", profile))
        for name, value in named:
            if not isinstance(value, str) or not 0 < len(value) <= ID_MAX or "\x00" in value:
                raise InvalidInput(f"{name} must be a text of 1 to {ID_MAX} characters without NUL.", code="invalid_id")
        # Without a user the session speaks for itself, so that two sessions never share a person by accident.
        whole = changed(place, user=place.user or place.session, project=place.project or place.session)
        self.session = Session(
            engine=changed(engine, judge=engine.judge.steady()),
            place=whole,
            session=place.session,
            profile=profile,
            policy=_policy(policy),
        )

    def recall(self, query: str) -> list[Event]:
        """What bears on the query: `memory_recall`, then the borders that were crossed and what was forgotten."""
        read.require_text("query", query)
        return recall.recall(self.session, query)

    def record(
        self,
        *,
        user: str | None = None,
        ai: str | None = None,
        tools: Sequence[str | Mapping[str, Any]] = (),
        promotion_target: str | None = None,
    ) -> list[Event]:
        """One exchange: what the user said, what tools gave, what the assistant answered."""
        for name, text in (("user", user), ("ai", ai)):
            if text is not None:
                read.require_text(name, text)
        if not isinstance(tools, (list, tuple)) or len(tools) > read.TOOLS_MAX:
            raise InvalidInput(f"tools is a list of at most {read.TOOLS_MAX} outputs.", code="invalid_tool")
        turn = read.Turn(
            user=user,
            ai=ai,
            tools=tuple(read.tool(one) for one in tools),
            promotion_target=read.target(promotion_target),
        )
        return record.record(self.session, turn)

    def start_phase(self, name: str | None = None, reason: str = MANUAL) -> list[Event]:
        """Begin the next phase of the session."""
        return _start_phase(self.session, name=name, reason=reason)

    def diff(self, from_phase: str, to_phase: str, space: str = "session") -> list[Event]:
        """What changed between two phases of a space."""
        found = next((one for one in self.session.owners if one.value == space), None)
        if found is None:
            raise InvalidInput("space must be session, user, project or system.", code="invalid_space")
        return _diff(self.session, from_phase, to_phase, space=found)

    def traces(self, *, after: int = 0, limit: int = SHOWN_MAX) -> tuple[Trace, ...]:
        """The kept events of this session, oldest first."""
        check_limit(limit, SHOWN_MAX)
        session = self.session
        return session.engine.store.traces(session.tenant, Space.SESSION, session.session, after=after, limit=limit)


def _policy(given: Policy | Mapping[str, Any] | Path | str | None) -> Policy:
    """A policy as it is, by name, from a dict, from a TOML text, or from a file of one."""
    is_file = isinstance(given, Path) or (isinstance(given, str) and given.endswith(".toml") and "\n" not in given)
    if not is_file:
        return load_policy(given)  # type: ignore[arg-type]  # no path, as was just seen
    try:
        return load_policy(Path(str(given)).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The policy {given} cannot be read: {error}.") from error


_ENDS = frozenset({"delete", "ttl"})


def _start_phase(session: Session, *, name: str | None, reason: str) -> list[Event]:
    """Begin the next phase of the session's own space. What is wider than the session is not divided by it."""
    phases.require_request(name, reason)
    with session.engine.store.transaction():
        run = Run.look(session)
        run.secrets = traces.secret_values([name or ""])
        decision = borders.may_start_phase(session.policy)
        run.border("write", Space.SESSION, Space.SESSION, decision)
        if decision.verdict == "pass":
            run.start_phase(Space.SESSION, name=None if name is None else session.shown(name), reason=reason)
        return run.close()


def _diff(session: Session, from_phase: str, to_phase: str, *, space: Space) -> list[Event]:
    """What one phase of a space held at its end that another had not."""
    with session.engine.store.transaction():
        run = Run.look(session)
        decision = borders.may_diff(space, session.policy)
        run.tell(session.tracer.border("read", space, None, decision))
        if decision.verdict == "pass":
            before, after = (_phase(run, space, phase_id) for phase_id in (from_phase, to_phase))
            found = phases.diff(_content(run, before), _content(run, after))
            run.tell(session.tracer.phase_diff(before, after, found))
        return run.close()


def _phase(run: Run, space: Space, phase_id: str) -> Phase:
    known = run.phases(space)
    found = next((phase for phase in known if phase.id == phase_id), None)
    if found is None:
        names = ", ".join(phase.id for phase in known) or "none has begun"
        raise InvalidInput(f"No such phase of the {space.value} space. Known: {names}.", code="unknown_phase")
    return found


def _content(run: Run, phase: Phase) -> dict[Item, str]:
    """Dedup key, and whose it is → id of the facts that lived at the end of a phase, also those of earlier ones."""
    scope = run.scope(phase.space)
    later = next((one for one in run.phases(phase.space) if one.number == phase.number + 1), None)
    until = run.stored.chain_end(*scope).seq if later is None else later.seq
    steps = [step for row in run.stored.chain(*scope, until=until) if (step := _step(row)) is not None]
    found: dict[Item, str] = {}
    for memory_id in phases.content(steps):
        memory = run.stored.memory(run.session.tenant, memory_id)
        if memory is not None and memory.kind is not Kind.SHORT_TERM:
            led = "profile:" if memory.kind is Kind.PROFILE else ""
            whose = "" if is_common(memory, run) else memory.subject_person_ids[0]
            found[f"{led}{traces.dedup_key(memory)}", whose] = memory_id
    return found


def _step(row: LedgerRow) -> Step | None:
    entry = row.entry
    if entry.memory_id is None or entry.status != "ok":
        return None
    reason = entry.reason or ""
    is_gone = entry.op in _ENDS or reason in ("superseded", "promoted") or reason.startswith("lost:")
    return phases.Step(memory_id=entry.memory_id, is_live=not is_gone)
