"""One call of a governed session: the session, its ticks and phases, and what the call did, as events."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wellkept.errors import Ambiguous
from wellkept.flows import views
from wellkept.flows.views import SYSTEM_OWNER
from wellkept.flows.write import draft, transitions
from wellkept.flows.write.draft import Rules, Writer
from wellkept.flows.write.remember import asked_ahead
from wellkept.flows.write.transitions import entry
from wellkept.patterns import deferred
from wellkept.policies.governance import phases, scores, traces
from wellkept.policies.governance.policy import PROFILE_SLOTS, expiry_tick, retain
from wellkept.policies.governance.traces import Event, Segment, Tracer
from wellkept.policies.people.names import is_named
from wellkept.policies.secrets.detector import REDACTED, redact
from wellkept.policies.writing import conflict, keys
from wellkept.policies.writing.gate import GateOptions, is_denied
from wellkept.store.contract import ChainEnd, Change, Counters, Entry, Latest, NewPhase, Note, Trace, TracedUntil
from wellkept.store.core import make_id
from wellkept.store.encoding import EPOCH
from wellkept.types import Claim, Subtype
from wellkept.values import changed, frozen
from wellkept.vocabulary import EventType, Kind, MemoryType, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import Statement
    from wellkept.policies.governance.phases import Phase
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.visibility import View
    from wellkept.policies.writing.conflict import Conflict, Rule
    from wellkept.store.contract import Living, Op, Status, Store
    from wellkept.types import Decision, Memory, Person, Viewpoint

Scope = tuple[str, "Space", str]
TICK = "tick"
"""The counter that moves on whenever something is written or denied."""


class Counts:
    """Lives as long as its transaction, which holds the counters: nobody else moves them meanwhile."""

    def __init__(self, store: Store, scopes: Mapping[Space, Scope]) -> None:
        self._store = store
        self._scopes = scopes
        self._numbers: dict[Space, dict[str, int]] = {}
        self._saved: dict[Space, dict[str, int]] = {}

    def next_id(self, space: Space, kind: Kind) -> str:
        """The id of an item that is about to be written."""
        tenant, _, owner = self._scopes[space]
        counter = str(kind)
        return make_id(tenant, str(space), owner, counter, self.next(space, counter))

    def tick(self, space: Space) -> int:
        """The last one that was given; 0 before the first."""
        if space in self._numbers and TICK in self._numbers[space]:
            return self._numbers[space][TICK]
        return self._store.counters(*self._scopes[space], hold=False).get(TICK, 0)

    def save(self) -> None:
        """Write what the store does not have yet."""
        for space, numbers in sorted(self._numbers.items()):
            saved = self._saved[space]
            moved = {counter: number for counter, number in numbers.items() if number != saved[counter]}
            if moved:
                tenant, _, owner = self._scopes[space]
                self._store.keep(Counters(tenant=tenant, space=space, owner=owner, numbers=moved))
                saved.update(moved)

    def next(self, space: Space, counter: str) -> int:
        """The next number of a counter: `tick`, or a kind."""
        if space not in self._numbers:
            known = self._store.counters(*self._scopes[space])
            self._numbers[space], self._saved[space] = dict(known), dict(known)
        numbers = self._numbers[space]
        if counter in numbers:
            numbers[counter] += 1
        else:
            # The first number ever is counted in the store, which holds the counter from then on.
            numbers[counter] = self._saved[space][counter] = self._store.next_number(*self._scopes[space], counter)
        return numbers[counter]


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
_HIDDEN = frozenset({"privacy_deny_sensitive", "privacy_deny_pattern"})
"""Refusals after which the text is shown nowhere."""
_OF_A_TURN: Mapping[str, Any] = {
    "memory_key": keys.memory_key("PROFILE", Subtype(), "self"),
    "portable": False,
    "entity_refs": (),
}
"""A turn is what was said, whatever it is about; it fills no slot."""


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
        turns = store.memories(Latest(scope=scope, kinds=(Kind.SHORT_TERM,), limit=LIVE_MAX))
        return Window(end=end, turns=turns)

    def shown(self, text: str) -> str:
        """A text that is not stored as an item, as far as a trace may show it."""
        return REDACTED if is_denied(text, self.gate) else redact(text)

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


@dataclass(kw_only=True, eq=False)
class Run(Rules):
    """One call of a governed session: the rules its writes live by, and what it has done so far, as events.

    Lives as long as its transaction.
    """

    is_governed = True

    session: Session
    view: View
    speaker: Person | None = None
    judged: Engine | None = None
    """The engine whose judge asks no model; None for a call that only reads."""
    told: list[Trace] = field(default_factory=list)
    written: dict[str, Memory] = field(default_factory=dict)
    """Items in the order they were first written, each as it stands now."""
    secrets: frozenset[str] = frozenset()
    """Values that may stand in no field of any event of this call."""
    window: Window = _NO_TURNS
    """The turns of the session as they stood before a write."""
    end: ChainEnd | None = None
    """Of the session's chain, where it was seen as the call was closed."""
    people: tuple[Claim, ...] = ()
    """The facts of what is being said: its turn is about everybody they are about."""
    more: Mapping[str, object] = field(default_factory=dict)
    """What else the item that is being written is told with."""
    writer: Writer = field(init=False)
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
        self.now, self.policy = self.view.now, self.session.policy
        engine = self.judged or self.session.engine
        self.writer = Writer(
            viewpoint=self.session.place, view=self.view, speaker=self.speaker, engine=engine, rules=self
        )
        self.counts = Counts(self.session.engine.store, self.session.scopes)

    @classmethod
    def begin(cls, session: Session) -> Run:
        """Inside the transaction of a write: the speaker becomes known, as somebody with an id."""
        engine, now, place = session.engine, session.engine.clock(), session.place
        speaker = engine.store.person(place.tenant, user=place.user or "", is_whole=False)
        if speaker is not None:
            if not session.held.is_open:
                views.open_places(place, engine, now)
            view = session.view(speaker, now)
        else:
            view, speaker = views.view_of_writer(place, engine, now)
        return cls(session=session, view=view, speaker=speaker, judged=asked_ahead((), place, engine, now))

    @classmethod
    def look(cls, session: Session) -> Run:
        """For a call that only reads: nobody becomes known by it."""
        engine, now, place = session.engine, session.engine.clock(), session.place
        speaker = engine.store.person(place.tenant, user=place.user or "", is_whole=False)
        view = views.view_of(place, engine, now) if speaker is None else session.view(speaker, now)
        return cls(session=session, view=view)

    def store(self, engine: Engine) -> Store:
        """For whoever asks after facts: turns that wait to be written are no rivals of any."""
        if self._has_facts:
            self.flush()
        return engine.store

    @property
    def stored(self) -> Store:
        """Where everything is kept, with all that this call has done."""
        self.flush()
        return self.session.engine.store

    @property
    def turns(self) -> list[Memory]:
        """The live turns with the summary, and those of this call after them."""
        return [*self.window.turns, *[one for one in self.written.values() if one.kind is Kind.SHORT_TERM]]

    def apply(self, changes: Sequence[Change], _writer: Writer) -> None:
        """Write changes, at the latest when somebody looks."""
        if any(change.memory.id in self._waiting for change in changes):
            self.flush()
        for change in changes:
            memory = change.memory
            leaves = not change.is_new and memory.state is not State.ACTIVE
            self._waiting[memory.id] = changed(change, how="leave") if leaves else change
            self._has_facts = self._has_facts or memory.kind is not Kind.SHORT_TERM

    def gate(self, _engine: Engine) -> GateOptions:
        """The policy, as the gate reads it."""
        return self.session.gate

    def place(self, _claim: Claim, _statement: Statement, _viewpoint: Viewpoint) -> tuple[Space, str]:
        """Everything that is said is written to the session."""
        return Space.SESSION, self.session.session

    def home(self, _viewpoint: Viewpoint) -> tuple[Space, str]:
        """What ends, ends in the session."""
        return Space.SESSION, self.session.session

    def subjects(self, claim: Claim, _statement: Statement, _writer: Writer) -> tuple[Person, ...]:
        """Whom a fact is about; a turn is about all of them, so that forgetting a person takes it along."""
        if claim.kind is not Kind.SHORT_TERM:
            return self.about(claim)
        found: dict[str, Person] = {}
        for fact in self.people:
            with suppress(Ambiguous):
                found |= {person.id: person for person in self.about(fact)}
        return tuple(found.values())

    def dated(self, drafted: Memory, claim: Claim, statement: Statement, _writer: Writer) -> Memory:
        """The item with its tick and phase, as the policy weighs it. A fact that may have a rival has no id yet."""
        is_stored = statement.fault is None
        phase_id = self.phase_for_write(Space.SESSION, begins=is_stored)
        tick = self.counts.next(Space.SESSION, TICK)
        is_turn = claim.kind is Kind.SHORT_TERM
        weight = scores.importance(
            claim.event_type, statement.source, claim.quote or claim.content, is_correction=claim.is_correction
        )
        return changed(
            drafted,
            id=self.counts.next_id(Space.SESSION, claim.kind) if is_turn or not is_stored else "",
            quote=None if claim.quote == claim.content else claim.quote,
            value=None if claim.value is None else keys.signs(claim.value),
            importance=float(weight.importance),
            # What looks like an instruction is refused by the gate; a trace says whose word it was.
            authority=draft.AUTHORITY_OF[statement.source],
            authority_reason=f"source:{statement.source}",
            learned_in=None,
            learned_in_type=None,
            tick=tick,
            phase_id=phase_id,
            meta={**self._meta(claim, weight.reasons, tick), **self.more},
            **(_OF_A_TURN if is_turn else {}),
        )

    def _meta(self, claim: Claim, reasons: Sequence[str], tick: int) -> dict[str, Any]:
        meta: dict[str, Any] = {
            "importance_reason": list(reasons),
            "policy_tags": list(self.session.tags[claim.kind]),
        }
        if claim.cardinality == "many" and claim.slot is not None:
            meta["is_many"] = True
        if claim.is_suspect:
            meta["suspect_instruction"] = True
        end = expiry_tick(self.policy.retention[claim.kind][claim.event_type], tick)
        if end is not None:
            meta["expires_at"] = end
        return meta

    def next_id(self, memory: Memory, _engine: Engine) -> str:
        """Counted in one go with the ticks."""
        return self.counts.next_id(memory.space, memory.kind)

    def discriminator(self, claim: Claim, memory: Memory, realm: str) -> str:
        """A profile entry and the fact it came from both live, and so does each turn."""
        of = realm if realm.startswith("by ") else ""
        found = keys.discriminator(claim, memory.fact_key, ("|" if claim.confidential else "") + of)
        is_alone = claim.kind is Kind.SHORT_TERM or (not self.policy.dedupe_enabled and memory.fact_key is None)
        found = f"{found}:{memory.tick or 0}" if is_alone else found
        return f"profile:{found}" if claim.kind is Kind.PROFILE else found

    def is_anothers(self, holder: Memory, _writer: Writer) -> bool:
        """What another user of the session said of themself stands beside it."""
        return is_anothers_own(holder, self)

    def meets(self, old: Memory, new: Memory) -> bool:
        """Of one kind, kept to the same circle, and about the same people or both about nobody."""
        if old.kind is not new.kind or old.persona_id is not None or old.confidential != new.confidential:
            return False
        if not set(new.subject_person_ids).isdisjoint(old.subject_person_ids):
            return True
        return is_common(new, self) and is_common(old, self)

    def keeps(self, old: Memory) -> bool:
        """By the retention rules at this tick."""
        return bool(self.retained([old], tick=self.tick(old.space)))

    def settle(self, one: Memory, other: Memory) -> Conflict:
        """By the order of the policy, with ticks in the place of the clock."""
        return conflict.settle_governed(_clockless(one), _clockless(other), order=self.policy.authority_order)

    def merged(self, old: Memory, new: Memory) -> Mapping[str, Any]:
        """It is of this tick and phase, and lives on by the rule of what it is, whatever the event it was said in."""
        reasons = (*old.meta.get("importance_reason", ()), *new.meta["importance_reason"], "conflict_merge")
        turns = dict.fromkeys((*old.meta.get("source_turn_ids", ()), *new.meta.get("source_turn_ids", ())))
        meta = {**old.meta, **new.meta, "importance_reason": list(dict.fromkeys(reasons)), "source_turn_ids": [*turns]}
        end = expiry_tick(self.policy.retention[new.kind][old.event_type], new.tick or 0)
        meta.pop("expires_at", None)
        meta |= {} if end is None else {"expires_at": end}
        return {"tick": new.tick, "phase_id": new.phase_id, "meta": meta}

    def denied(self, code: str, claim: Claim | None, statement: Statement, writer: Writer) -> None:
        """The attempt is told and on record; its text only where that may be shown."""
        claim = claim or Claim(content="")
        self.more = {**self.more, "policy_tags": None}
        memory = draft.memory(claim, changed(statement, fault=code), (), writer)
        self.note("create", Space.SESSION, status="denied", reason=code)
        attempted = traces.item(memory, self.current(Space.SESSION), hidden=code in _HIDDEN)
        self.tell(self.session.tracer.denied(attempted, code))

    def wrote(self, memory: Memory) -> None:
        """It is among what the call has written."""
        self.written[memory.id] = memory

    def superseded(self, old: Memory, by: Memory | None, rule: Rule) -> None:
        """Who won is told with the rule, and that the other has gone."""
        self.written.pop(old.id, None)
        if by is not None:
            self._bring_along(by, old)
            self.tell(self.session.tracer.conflict(by, old, rule), by, old)
        self.tell(self.session.tracer.deleted(old, "superseded"))

    def _bring_along(self, winner: Memory, loser: Memory) -> None:
        """What wins over something of the present phase stands in it from now on: its recall would show neither."""
        is_of_one_place = (winner.space, winner.owner) == (loser.space, loser.owner)
        if not is_of_one_place or winner.phase_id == loser.phase_id or not is_governed(winner):
            return
        if loser.phase_id != self.phase_for_write(winner.space):
            return  # what lost is of an earlier phase
        stands = changed(winner, phase_id=loser.phase_id, updated_at=self.now, version=winner.version + 1)
        self.apply([Change(memory=stands, entry=entry("update", stands, self.writer, "phase"))], self.writer)
        self.wrote(stands)

    def leave(self, memories: Sequence[Memory], *, op: Op, reason: str) -> None:
        """Take items out of the living."""
        gone = [transitions.archived(memory, reason, now=self.now) for memory in memories]
        self.apply([Change(memory=one, entry=entry(op, one, self.writer, reason)) for one in gone], self.writer)

    def forget(self, memories: Sequence[Memory], reason: Callable[[Memory], str]) -> None:
        """Let items go because their time is over, and tell each of them."""
        self.leave(memories, op="ttl", reason="expired")
        tracer = self.session.tracer
        for memory in memories:
            self.tell(tracer.forget(memory, reason(memory)))
            self.tell(tracer.deleted(memory, "expired"))
            self.written.pop(memory.id, None)

    def retained(self, memories: Sequence[Memory], *, tick: int) -> list[Memory]:
        """Those that the rules keep at this tick; the others have left. What no session wrote has no ticks."""
        policy = self.policy
        verdicts = {one.id: retain(one, policy, tick=tick) for one in memories if is_governed(one)}
        over = [one for one in memories if one.id in verdicts and verdicts[one.id].verdict == "forget"]
        if over:
            self.forget(over, lambda memory: verdicts[memory.id].reason)
        gone = {one.id for one in over}
        return [one for one in memories if one.id not in gone]

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
        turns = Latest(scope=self.scope(Space.SESSION), kinds=(Kind.SHORT_TERM,), limit=LIVE_MAX)
        live = store.memories(turns)
        earlier = tuple(memory for memory in live if memory.id not in self.written)
        self.window = changed(self.window, turns=earlier, left=())
        self.written |= store.memories_by_id(tenant, [one for one in self.written if one not in self._waiting])

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
        self.stored.record(*self.scope(Space.SESSION), entry, at=self.now)

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
        seq = self.stored.chain_end(*self.scope(space)).seq
        _, _, owner = self.scope(space)
        phase = phases.Phase(
            space=space, owner=owner, number=number, name=name, reason=reason, started_at=tick, seq=seq
        )
        most = self.policy.phase.max_phases
        self._phases[space] = (*begun, phase) if most is None else (*begun, phase)[-most:]
        self.stored.keep(NewPhase(tenant=self.session.tenant, phase=phase, first=self._phases[space][0].number))
        self.tell(self.session.tracer.phase_started(phase))
        return phase

    def catch_up(self, end: ChainEnd) -> None:
        """Tell what left the session since its last call: deleted, or gone with a person who was forgotten.

        `end`: of the session's chain.
        """
        if not self.session.engine.keeps_traces or end == self.session.held.window.end:
            return
        scope = self.scope(Space.SESSION)
        after, until = self.stored.count(TracedUntil(scope=scope)), end.seq
        for row in self.stored.chain(*scope, after=after, until=until) if after < until else ():
            entry = row.entry
            is_told = entry.op == "delete" and entry.status == "ok" and entry.reason in ("user_deleted", "forgotten")
            memory = self.stored.memory(self.session.tenant, entry.memory_id or "") if is_told else None
            if memory is not None:
                self.tell(self.session.tracer.deleted(memory, entry.reason or ""))

    def close(self) -> list[Event]:
        """The events of the call in their order, kept beside its last ledger row if traces are kept."""
        self.flush()
        self.counts.save()
        told = sorted(self.told, key=lambda trace: traces.place(trace.event["type"]))
        if self.secrets:
            told = [changed(one, event=traces.scrubbed(one.event, self.secrets)) for one in told]
        engine = self.session.engine
        if engine.keeps_traces and told:
            self.end = engine.store.keep_traces(*self.scope(Space.SESSION), told, policy=self.policy.snapshot)
        return traces.handed_out([trace.event for trace in told], self.policy.handed_out())


def is_governed(memory: Memory) -> bool:
    """Written by a governed session: only these live by ticks."""
    return "importance_reason" in memory.meta


def _clockless(memory: Memory) -> Memory:
    return changed(memory, observed_at=EPOCH, tick=memory.meta.get("moment", memory.tick))


OF_THE_USER = deferred(
    r"(?i)^\W*(?:(?:verified|confirmed|result|profile|record|crm|lookup|note)\s*:\s*)?(?:the |this |our )?"
    r"(?:user|customer|client|member|caller)(?:['’]s\s+|\s+(?P<verb>is|has|lives|works|uses|speaks|drives|owns|prefers"
    r"|likes)\s+|\s+(?=(?:name|timezone|time zone|city|language|job|employer|birthday|editor|pronouns|country)\b))"
)
"""How a tool begins to tell of the user."""
_PERSONAL = frozenset({MemoryType.IDENTITY, MemoryType.PREFERENCE, MemoryType.RELATIONSHIP})
_SLOTS_OF_A_USER = PROFILE_SLOTS - {"project"}
_TOGETHER = deferred(r"(?i)\b(?:we|us|our|ours|let['’]?s)\b")


def is_anothers_own(memory: Memory, run: Run) -> bool:
    """Whether another user of the session said it of themself: "the user" in it is not the one who speaks now."""
    actor = memory.actor_id
    if memory.space is not Space.SESSION or actor is None or actor == run.session.place.user:
        return False
    other = _person(actor, run)
    return other is not None and memory.subject_person_ids == (other.id,) and _tells_of(memory, other)


def is_common(memory: Memory, run: Run) -> bool:
    """Whether it is about nobody: it counts as its user's word only because they said it."""
    if not memory.subject_person_ids:
        return True
    user = None if memory.actor_id is None else _person(memory.actor_id, run)
    return user is not None and memory.subject_person_ids == (user.id,) and not _tells_of(memory, user)


def _person(user: str, run: Run) -> Person | None:
    session = run.session
    return session.engine.store.person(session.tenant, user=user, is_whole=False)


def _tells_of(memory: Memory, user: Person) -> bool:
    """Whether its words, or the slot that a tool filled, are about the user with whom it was recorded."""
    if memory.event_type is EventType.DECISION and _TOGETHER.search(memory.quote or memory.content):
        return False
    if views.named(memory.content, "") != memory.content or is_named(memory.content, (user.name,)):
        return True
    if memory.source == "tool":
        slot = (memory.fact_key or "").split(":", 1)[0]
        return slot in _SLOTS_OF_A_USER or OF_THE_USER.match(memory.content) is not None
    # Words of other languages stay as they were said; a name may be another one by now.
    is_retold = memory.quote is not None or memory.language not in (None, "en")
    return is_retold and memory.type in _PERSONAL
