"""Phases on request, and what changed between two of them, read from the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.flows.governed.own import is_common
from wellkept.flows.governed.run import Run
from wellkept.policies.governance import borders, phases, traces
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from wellkept.flows.governed.run import Session
    from wellkept.policies.governance.phases import Item, Phase, Step
    from wellkept.policies.governance.traces import Event
    from wellkept.store.contract import LedgerRow

_ENDS = frozenset({"delete", "ttl"})


def start_phase(session: Session, *, name: str | None, reason: str) -> list[Event]:
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


def diff(session: Session, from_phase: str, to_phase: str, *, space: Space) -> list[Event]:
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
    until = run.store.chain_end(*scope).seq if later is None else later.seq
    steps = [step for row in run.store.chain(*scope, until=until) if (step := _step(row)) is not None]
    found: dict[Item, str] = {}
    for memory_id in phases.content(steps):
        memory = run.store.memory(run.session.tenant, memory_id)
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
