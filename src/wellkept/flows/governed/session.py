"""A governed session as programs hold it: recall, record, phases; each call gives its events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept.errors import ConfigError, InvalidInput
from wellkept.flows.governed import exchange
from wellkept.flows.governed.exchange import is_summary
from wellkept.flows.governed.run import LIVE_MAX, SPACES, Run, Session, is_anothers_own, is_common, is_governed
from wellkept.policies.callers import check_limit
from wellkept.policies.governance import borders, phases, scores, traces
from wellkept.policies.governance.phases import MANUAL
from wellkept.policies.governance.policy import GOVERNED_KINDS, load_policy, retention_rule
from wellkept.policies.visibility import Facts, shown
from wellkept.store.contract import Listing, Living
from wellkept.values import changed
from wellkept.vocabulary import Kind, Space, Trust

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.policies.governance.phases import Item, Phase, Step
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.governance.scores import Asked
    from wellkept.policies.governance.traces import Event
    from wellkept.store.contract import ChainEnd, LedgerRow, Trace
    from wellkept.types import Memory, Viewpoint


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
        exchange.require_text("query", query)
        return recall_by_ticks(self.session, query)

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
                exchange.require_text(name, text)
        if not isinstance(tools, (list, tuple)) or len(tools) > exchange.TOOLS_MAX:
            raise InvalidInput(f"tools is a list of at most {exchange.TOOLS_MAX} outputs.", code="invalid_tool")
        turn = exchange.Turn(
            user=user,
            ai=ai,
            tools=tuple(exchange.tool(one) for one in tools),
            promotion_target=exchange.target(promotion_target),
        )
        return exchange.record(self.session, turn)

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


Found = tuple["Memory", dict[str, Any]]


def recall_by_ticks(session: Session, query: str) -> list[Event]:
    """What the session may know now that bears on the query, and what was forgotten on the way."""
    engine = session.engine
    with engine.store.transaction():
        run = Run.look(session)
        run.secrets = traces.secret_values([query])
        end = engine.store.chain_end(*run.scope(Space.SESSION))
        run.catch_up(end)
        consulted = _consulted(session)
        # All of them before one is forgotten: what is read beside changes that wait is held for nobody.
        living = {space: _living(run, space) for space in consulted}
        live = {space: _retained(run, space, found.memories) for space, found in living.items()}
        shadowed = frozenset[str]().union(*[found.shadowed for found in living.values()])
        seen = _visible(run, consulted, [memory for found in live.values() for memory in found], shadowed)
        asked = scores.Asked.of(query)
        found = [
            one
            for kind in GOVERNED_KINDS
            for space in consulted
            for one in _channel(
                run, kind, space, [one for one in live[space] if one.kind is kind and one.id in seen], asked
            )
        ]
        shown_query, phase = session.shown(query), run.current(Space.SESSION)
        event = session.tracer.recall(shown_query, _items(run, found), consulted=consulted, phase=phase)
        run.tell(event, *[memory for memory, _ in found])
        _check_borders(run, consulted, event["deterministic_hash"])
        told = run.close()
        _carry_on(run, end, live.get(Space.SESSION))
        return told


def _carry_on(run: Run, before: ChainEnd, live: Sequence[Memory] | None) -> None:
    """Facts that were forgotten move the end of the chain: the window that is held stands, if all its turns do."""
    held = run.session.held.window
    if held.end != before:
        return
    end = run.end or run.session.engine.store.chain_end(*run.scope(Space.SESSION))
    if end != before and (live is None or {turn.id for turn in held.turns} <= {memory.id for memory in live}):
        run.session.held.window = changed(held, end=end)


def _consulted(session: Session) -> tuple[Space, ...]:
    owners = session.owners
    return tuple([space for space in session.policy.spaces.read_order if space in owners])


def _check_borders(run: Run, consulted: Sequence[Space], found: str) -> None:
    """One row for the whole look: reads change nothing and are in no chain."""
    checks = [*consulted, *[space for space in SPACES if space not in consulted]]
    decisions = [(space, borders.may_read(space, run.policy)) for space in checks]
    for space, decision in decisions:
        run.tell(run.session.tracer.border("read", space, None, decision))
    codes = [f"{space}:{decision.reason}" for space, decision in decisions]
    run.searched(reason="governed", hash=found, borders=codes)


def _living(run: Run, space: Space) -> Living:
    """What lives in a space, read anew as far as it is not as it was at the last look."""
    held = run.session.held.living
    known = held.get(space, Living())
    found = held[space] = run.stored.live_now(*run.scope(space), GOVERNED_KINDS, limit=LIVE_MAX, held=known)
    return found


def _retained(run: Run, space: Space, living: Sequence[Memory]) -> Sequence[Memory]:
    """Live items of a space after retention. Only what governed sessions wrote lives by ticks."""
    return run.retained(living, tick=run.tick(space)) if living else ()


def _visible(run: Run, consulted: Sequence[Space], live: Sequence[Memory], shadowed: frozenset[str]) -> frozenset[str]:
    """Ids that the visibility rule lets this session see. `shadowed`: those with a word above them."""
    owners = run.session.owners
    live = [memory for memory in live if not _is_anothers(run, memory)]
    view = changed(
        run.writer.view,
        spaces=tuple([(space, owners[space]) for space in consulted]),
        kinds=frozenset(GOVERNED_KINDS),
    )
    # Only hearsay can have another word above it, and only the store knows whether this view may hear that.
    if shadowed and any(memory.id in shadowed and memory.trust is Trust.HEARSAY for memory in live):
        seen = run.stored.seen(view, Listing(limit=LIVE_MAX))
        return frozenset([memory.id for memory in seen]) & {memory.id for memory in live}
    chats = sorted({memory.learned_in for memory in live if memory.learned_in is not None})
    facts = Facts(attendance=run.stored.attendance(view.tenant, chats) if chats else {})
    return frozenset([memory.id for memory in shown(live, view, facts)])


def _is_anothers(run: Run, memory: Memory) -> bool:
    """Whether it is of another user who spoke in the session: a fact they told of themself, or a confidence of theirs.

    A confidence is a turn, a fact, the reply to it, or the summary that tells of it.
    """
    if memory.space is not Space.SESSION:
        return False
    if not memory.confidential:
        return memory.kind is not Kind.SHORT_TERM and is_anothers_own(memory, run)
    ids = memory.meta.get("summary_of")
    told = [memory] if ids is None else run.stored.memories_by_id(run.session.tenant, ids).values()
    return any(one.confidential and one.actor_id != run.session.place.user for one in told)


def _channel(run: Run, kind: Kind, space: Space, items: Sequence[Memory], asked: Asked) -> list[Found]:
    """The items of one kind and space that are recalled, the newest phase first."""
    if not items:
        return []
    limit = {Kind.SEMANTIC: run.policy.semantic_top_k, Kind.PROFILE: scores.PROFILE_MAX}.get(kind)
    groups: dict[str | None, list[Memory]] = {phase: [] for phase in _phases(run, space)}
    for memory in items:
        if memory.phase_id in groups:
            groups[memory.phase_id].append(memory)
    found: list[Found] = []
    for group in groups.values():
        if group and (limit is None or len(found) < limit):
            found += _ranked(run, kind, group, asked)
    return found[:limit]


def _items(run: Run, found: Sequence[Found]) -> list[dict[str, Any]]:
    """What is recalled, as traces show it, each with its phase."""
    of_phase = {(memory.space, memory.phase_id): memory for memory, _ in found}
    phases = {key: run.phase_of(memory) for key, memory in of_phase.items()}
    told = {key: {} if phase is None else phase.as_json() for key, phase in phases.items()}
    return [traces.recalled(memory, told[memory.space, memory.phase_id], **why) for memory, why in found]


def _phases(run: Run, space: Space) -> list[str | None]:
    """The phases that recall looks into, newest first; what ordinary viewpoints wrote is in none, and in all."""
    current = run.current(space)
    if current is None:
        return [None]
    if not run.policy.phase.allow_cross_phase_recall:
        return [current.id, None]
    return [*(f"phase-{number}" for number in range(current.number, 0, -1)), None]


def _ranked(run: Run, kind: Kind, group: Sequence[Memory], asked: Asked) -> list[Found]:
    if kind is Kind.SEMANTIC:
        best = scores.rank(group, asked, limit=run.policy.semantic_top_k)
        return [(one.memory, _why(run, one.memory, *one.reasons) | {"score": one.score}) for one in best]
    if kind is Kind.PROFILE:
        return [(memory, _why(run, memory, "active_rule")) for memory in group[: scores.PROFILE_MAX]]
    turns = [memory for memory in group if not is_summary(memory)]
    found = [(memory, _why(run, memory, "active_rule")) for memory in group if is_summary(memory)]
    return found + [(memory, _why(run, memory, "recency")) for memory in _within_budget(run, turns)]


def _within_budget(run: Run, turns: Sequence[Memory]) -> list[Memory]:
    """The last turns that fit into the budget, oldest first."""
    budget = run.policy.short_term_token_budget
    kept: list[Memory] = []
    for memory in reversed(turns[-run.policy.short_term_max_turns :]):
        cost = -(-len(memory.content) // 4)
        if budget is not None and cost > budget:
            break
        budget = None if budget is None else budget - cost
        kept.insert(0, memory)
    return kept


def _why(run: Run, memory: Memory, *reasons: str) -> dict[str, Any]:
    tags = [*(memory.meta.get("policy_tags") or ())]
    if is_governed(memory) and retention_rule(memory, run.policy).rule != "never":
        tags.append("kept_by:retention_rule")
    return {"recall_reason": [*reasons, f"space:{memory.space}"], "policy_tags": tags or None}
