"""One call of a governed session: the session, its ticks and phases, and what the call did, as events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wellkept.flows import views
from wellkept.flows.governed.counts import TICK, Counts
from wellkept.flows.people.identity import SYSTEM_OWNER
from wellkept.flows.write import draft, remember
from wellkept.policies.governance import phases, traces
from wellkept.policies.governance.traces import Event, Segment, Tracer
from wellkept.policies.secrets.detector import REDACTED
from wellkept.policies.writing.gate import GateOptions, is_denied
from wellkept.store.contract import ChainEnd, Entry, Note, Trace
from wellkept.values import changed, frozen
from wellkept.vocabulary import EventType, Kind, Space

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.governed.counts import Scope
    from wellkept.policies.governance.phases import Phase
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.visibility.memories import View
    from wellkept.store.contract import Change, Living, Op, Status, Store
    from wellkept.types import Claim, Decision, Memory, Person, Viewpoint

SPACES: tuple[Space, ...] = (Space.SESSION, Space.USER, Space.PROJECT, Space.SYSTEM)
"""The spaces that a governed session has an owner for."""
LIVE_MAX = 2_000
"""Live items of one kind and space that are looked at; retention keeps a governed space far below."""


@frozen
class Window:
    """The turns of a session and its phases, as they are while its chain ends there."""

    end: ChainEnd = ChainEnd()
    turns: tuple[Memory, ...] = ()
    """The live ones, with the summary of earlier ones; oldest first."""
    left: tuple[Segment, ...] = ()
    """The turns that the summary tells of, where they are known."""
    phases: tuple[Phase, ...] | None = None


_NO_TURNS = Window()


class Held:
    """What a session remembers from one call to the next, so that it need not be read again."""

    def __init__(self) -> None:
        self.window = Window()
        self.name: str | None = None
        """Of the user who speaks."""
        self.is_open = False
        """Whether the store knows that the session and project are open to the user."""
        self.view: View | None = None
        """What the user who speaks may see; but for the time it stays as it is."""
        self.living: dict[Space, Living] = {}
        """What lived when recall last looked."""


@frozen
class Session:
    """A governed session: where it is, who speaks in it, and the policy it lives by."""

    engine: Engine
    place: Viewpoint
    session: str
    profile: str
    policy: Policy
    held: Held = field(default_factory=Held, compare=False, repr=False)

    def window(self, *known: Window) -> Window:
        """Its turns as they are now: one of those that are known, if nothing was written to the session since."""
        store, scope = self.engine.store, self.scopes[Space.SESSION]
        # The end of the chain is read before the turns: whatever is written between the two makes it another one.
        end = store.chain_end(*scope)
        for one in (self.held.window, *known):
            if one.end == end:
                return one
        return Window(end=end, turns=store.live(*scope, (Kind.SHORT_TERM,), limit=LIVE_MAX))

    def shown(self, text: str) -> str:
        """A text that is not stored as an item, as far as a trace may show it."""
        return REDACTED if is_denied(text, self.gate) else traces.redact(text)

    def view(self, speaker: Person, now: datetime) -> View:
        """What the user who speaks may see; in a chat it is looked up each time, for who is there may change."""
        held = self.held.view
        if held is None or held.person != speaker.id or self.place.chat is not None or self.place.participants:
            held = self.held.view = views.view_of(self.place, self.engine, now, own=speaker)
        return changed(held, now=now)

    @cached_property
    def tenant(self) -> str:
        """Whose installation it is."""
        return self.place.tenant

    @cached_property
    def owners(self) -> Mapping[Space, str]:
        """Who owns each space as this session sees it; without a user or project, the session itself does."""
        return {
            Space.SESSION: self.session,
            Space.USER: self.place.user or self.session,
            Space.PROJECT: self.place.project or self.session,
            Space.SYSTEM: SYSTEM_OWNER,
        }

    @cached_property
    def scopes(self) -> Mapping[Space, Scope]:
        """Its spaces as the store knows them."""
        return {space: (self.tenant, space, owner) for space, owner in self.owners.items()}

    @cached_property
    def tracer(self) -> Tracer:
        """Makes its events."""
        return Tracer(ai_profile=self.profile, session=self.session, policy=self.policy)

    @cached_property
    def tags(self) -> Mapping[Kind, tuple[str, ...]]:
        """Of an item of each kind: the rules of the policy that could have kept it out, and did not."""
        policy = self.policy
        has_types = bool(policy.allow_event_types or policy.deny_event_types)
        of_types = ("allowed_by:policy_event_types",) if has_types else ()
        of_kind = {
            kind: ("allowed_by:promotion_rule",) if set(types) != set(EventType) else ()
            for kind, types in policy.promotion.items()
        }
        led = ("allowed_by:privacy", f"allowed_by:write_policy:{policy.write_policy}")
        return {kind: (*led, *of_types, *rule) for kind, rule in of_kind.items()}

    @cached_property
    def gate(self) -> GateOptions:
        """The policy as the write gate reads it; what the whole installation denies is denied here too."""
        keys = self.policy.privacy.allow_profile_keys
        return GateOptions(
            write_policy=self.policy.write_policy,
            allow_event_types=frozenset(self.policy.allow_event_types),
            deny_event_types=frozenset(self.policy.deny_event_types),
            deny_patterns=(*self.policy.privacy.deny_patterns, *self.engine.gate.deny_patterns),
            write_spaces=frozenset(self.policy.spaces.write_spaces),
            profile_keys=None if keys is None else frozenset(keys),
            promotion=self.policy.promotion,
            keeps_context=False,
        )


@dataclass(kw_only=True)
class Run:
    """What one call has done so far. Lives as long as its transaction."""

    session: Session
    writer: draft.Writer
    told: list[Trace] = field(default_factory=list)
    written: dict[str, Memory] = field(default_factory=dict)
    """Items in the order they were first written, each as it stands now."""
    secrets: frozenset[str] = frozenset()
    """Values that may stand in no field of any event of this call."""
    window: Window = _NO_TURNS
    """The turns of the session as they stood before a write."""
    end: ChainEnd | None = None
    """Of the session's chain, where it was seen as the call was closed."""
    now: datetime = field(init=False)
    """The wall clock, for rows; it stands in no event."""
    policy: Policy = field(init=False)
    """What the session lives by."""
    counts: Counts = field(init=False)
    """Ticks and numbers of ids."""
    _notes: list[Note] = field(default_factory=list)
    _waiting: dict[str, Change] = field(default_factory=dict)
    """Changes that nothing has asked for yet, by what they change: most calls write all of theirs in one go."""
    _has_facts: bool = False
    """Something other than a turn is waiting."""
    _phases: dict[Space, tuple[Phase, ...]] = field(default_factory=dict)
    _people: dict[object, tuple[Person, ...]] = field(default_factory=dict)
    _checked: set[tuple[str, Space, Space]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.now, self.policy = self.writer.view.now, self.session.policy
        self.counts = Counts(self.session.engine.store, self.session.scopes)

    @classmethod
    def begin(cls, session: Session) -> Run:
        """Inside the transaction of a write: the speaker becomes known, as somebody with an id."""
        engine, now, place = session.engine, session.engine.clock(), session.place
        speaker = engine.store.person_of(place.tenant, place.user or "", is_whole=False)
        if speaker is not None:
            if not session.held.is_open:
                views.open_places(place, engine, now)
            view = session.view(speaker, now)
        else:
            view = views.view_of_writer(place, engine, now)
            speaker = engine.store.person_of(place.tenant, place.user or "", is_whole=False)
        ruled = remember.asked_ahead((), place, engine, now)
        return cls(session=session, writer=draft.Writer(viewpoint=place, view=view, speaker=speaker, engine=ruled))

    @classmethod
    def look(cls, session: Session) -> Run:
        """For a call that only reads: nobody becomes known by it."""
        engine, now, place = session.engine, session.engine.clock(), session.place
        speaker = engine.store.person_of(place.tenant, place.user or "", is_whole=False)
        view = views.view_of(place, engine, now) if speaker is None else session.view(speaker, now)
        writer = draft.Writer(viewpoint=place, view=view, speaker=None, engine=engine)
        return cls(session=session, writer=writer)

    @property
    def store(self) -> Store:
        """Where everything is kept, with all that this call has done."""
        self.flush()
        return self.session.engine.store

    @property
    def standing(self) -> Store:
        """The same for whoever asks after facts: turns that wait to be written are no rivals of any."""
        self.flush_facts()
        return self.session.engine.store

    @property
    def turns(self) -> list[Memory]:
        """The live turns with the summary, and those of this call after them."""
        return [*self.window.turns, *[one for one in self.written.values() if one.kind is Kind.SHORT_TERM]]

    def apply(self, *changes: Change) -> None:
        """Write changes, at the latest when somebody looks."""
        for change in changes:
            if change.memory.id in self._waiting:
                self.flush()
        for change in changes:
            self._waiting[change.memory.id] = change
            self._has_facts = self._has_facts or change.memory.kind is not Kind.SHORT_TERM

    def flush_facts(self) -> None:
        """Write what waits, unless only turns do."""
        if self._has_facts:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting or self._notes:
            waiting, self._waiting, notes, self._notes = [*self._waiting.values()], {}, self._notes, []
            self._has_facts = False
            # Whoever finds a key taken decides anew over the whole call.
            self.session.engine.store.apply(waiting, at=self.now, notes=notes, is_apart=False)

    def scope(self, space: Space) -> Scope:
        """A space as the store knows it."""
        return self.session.scopes[space]

    def about(self, claim: Claim) -> tuple[Person, ...]:
        """Whom a claim is about, created where they are new: asked for the turn, the fact and the profile alike."""
        if not claim.introduces and not claim.subjects:
            return ()
        key = (claim.introduces, claim.subjects)
        found = self._people.get(key)
        if found is None:
            store, scope = self.session.engine.store, self.scope(Space.SESSION)
            is_of_others = bool(claim.introduces) or any(not one.is_speaker for one in claim.subjects)
            before = store.chain_end(*scope) if is_of_others else None
            found = self._people[key] = draft.subjects(claim, (), self.writer)
            if before is not None and store.chain_end(*scope) != before:
                self._read_again()
        return found

    def _read_again(self) -> None:
        """Two people turned out to be one, and what the session tells of them was changed: see it as it is now."""
        store, tenant = self.session.engine.store, self.session.tenant
        live = store.live(*self.scope(Space.SESSION), (Kind.SHORT_TERM,), limit=LIVE_MAX)
        earlier = tuple(memory for memory in live if memory.id not in self.written)
        self.window = changed(self.window, turns=earlier, left=())
        self.written |= store.memories(tenant, [one for one in self.written if one not in self._waiting])

    def tick(self, space: Space) -> int:
        """The last one that was given."""
        return self.counts.tick(space)

    def tell(self, event: Event, *mentioned: Memory) -> None:
        """Something was done. `mentioned`: whose words the event shows, so that they can be taken out of it."""
        mentions = tuple(dict.fromkeys([memory.id for memory in mentioned])) if mentioned else ()
        self.told.append(Trace(event=event, mentions=mentions))

    def note(self, op: Op, space: Space, *, status: Status, reason: str, **payload: Any) -> None:  # noqa: ANN401 -- codes
        """A ledger row that goes with no change of a memory."""
        entry = Entry(op=op, status=status, reason=reason, payload=payload, actor=self.session.place.user)
        tenant, _, owner = self.session.scopes[space]
        self._notes.append(Note(tenant=tenant, space=space, owner=owner, entry=entry, after=len(self._waiting)))

    def searched(self, *, reason: str, **payload: Any) -> None:  # noqa: ANN401 -- codes
        """A look of this session: it changes nothing and stands in no chain."""
        entry = Entry(op="search", reason=reason, payload=payload, actor=self.session.place.user)
        self.store.record(*self.scope(Space.SESSION), entry, at=self.now)

    def border(self, action: str, from_space: Space, to_space: Space, decision: Decision) -> None:
        """A border is checked, traced and put on record once a call."""
        if (action, from_space, to_space) in self._checked:
            return
        self._checked.add((action, from_space, to_space))
        op: Op = "promote" if action == "promote" else "create"
        status: Status = "ok" if decision.verdict == "pass" else "denied"
        self.note(
            op,
            Space.SESSION,
            status=status,
            reason=f"border:{decision.reason}",
            from_space=str(from_space),
            to_space=str(to_space),
        )
        self.tell(self.session.tracer.border(action, from_space, to_space, decision))

    def phases(self, space: Space) -> tuple[Phase, ...]:
        """The phases of a space, oldest first; none when the policy has none."""
        if space not in self._phases:
            known = self.window.phases if space is Space.SESSION else None
            if not self.policy.phase.enabled:
                known = ()
            self._phases[space] = self.session.engine.store.phases(*self.scope(space)) if known is None else known
        return self._phases[space]

    def current(self, space: Space) -> Phase | None:
        """The phase that a space is in, if one has begun."""
        begun = self.phases(space)
        return begun[-1] if begun else None

    def phase_of(self, memory: Memory) -> Phase | None:
        """The phase of an item, if it is known still."""
        if memory.phase_id is None or memory.space not in self.session.owners:
            return None
        for phase in reversed(self.phases(memory.space)):
            if phase.id == memory.phase_id:
                return phase
        return None

    def phase_for_write(self, space: Space, *, begins: bool = True) -> str | None:
        """The id of the phase that something written now belongs to; the first one begins by itself."""
        begun = self.phases(space)
        if begun:
            return begun[-1].id
        is_first = begins and self.policy.phase.enabled
        return self.start_phase(space, name=None, reason=phases.AUTO).id if is_first else None

    def start_phase(self, space: Space, *, name: str | None, reason: str) -> Phase:
        """Begin the next phase of a space."""
        begun = self.phases(space)
        number = begun[-1].number + 1 if begun else 1
        tick = self.counts.next(space, TICK)
        self.note("admin", space, status="ok", reason="phase_started", phase=f"phase-{number}", tick=tick)
        seq = self.store.chain_end(*self.scope(space)).seq
        _, _, owner = self.scope(space)
        phase = phases.Phase(
            space=space, owner=owner, number=number, name=name, reason=reason, started_at=tick, seq=seq
        )
        self.store.add_phase(self.session.tenant, phase)
        self._phases[space] = (*begun, phase)
        most = self.policy.phase.max_phases
        if most is not None and len(self._phases[space]) > most:
            self._phases[space] = self._phases[space][-most:]
            self.store.trim_phases(*self.scope(space), before=self._phases[space][0].number)
        self.tell(self.session.tracer.phase_started(phase))
        return phase

    def catch_up(self, end: ChainEnd) -> None:
        """Tell what left the session since its last call: deleted, or gone with a person who was forgotten.

        `end`: of the session's chain.
        """
        if not self.session.engine.keeps_traces or end == self.session.held.window.end:
            return
        scope = self.scope(Space.SESSION)
        after, until = self.store.traced(*scope), end.seq
        for row in self.store.chain(*scope, after=after, until=until) if after < until else ():
            entry = row.entry
            is_told = entry.op == "delete" and entry.status == "ok" and entry.reason in ("user_deleted", "forgotten")
            memory = self.store.memory(self.session.tenant, entry.memory_id or "") if is_told else None
            if memory is not None:
                self.tell(self.session.tracer.deleted(memory, entry.reason or ""))

    def close(self) -> list[Event]:
        """The events of the call in their order, kept beside its last ledger row if traces are kept."""
        self.flush()
        self.counts.save()
        told = sorted(self.told, key=lambda trace: traces.PLACE[trace.event["type"]])
        if self.secrets:
            told = [changed(one, event=traces.scrubbed(one.event, self.secrets)) for one in told]
        engine = self.session.engine
        if engine.keeps_traces and told:
            self.end = engine.store.keep_traces(*self.scope(Space.SESSION), told, policy=self.policy.snapshot)
        return traces.handed_out([trace.event for trace in told], self.policy.handed_out())
