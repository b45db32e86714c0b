"""A governed session as programs hold it: recall, record, phases; each call gives its events.

An exchange is read as a whole, written as everything is, promoted where asked, and kept to the window.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept.errors import ConfigError, InvalidInput, KeyTaken, StoreBusy
from wellkept.flows.governed.run import (
    LIVE_MAX,
    OF_THE_USER,
    SPACES,
    TICK,
    Run,
    Session,
    is_anothers_own,
    is_common,
    is_governed,
)
from wellkept.flows.requests import Statement
from wellkept.flows.write.reconcile import Incoming, reconcile
from wellkept.flows.write.remember import RACES_MAX, write
from wellkept.flows.write.transitions import entry
from wellkept.judges.base import Reading, asks
from wellkept.patterns import deferred
from wellkept.policies.callers import check_limit
from wellkept.policies.governance import borders, phases, scores, traces
from wellkept.policies.governance.phases import MANUAL
from wellkept.policies.governance.policy import (
    GOVERNED_KINDS,
    PROFILE_SLOTS,
    expiry_tick,
    is_profile_slot,
    load_policy,
    retention_rule,
)
from wellkept.policies.governance.traces import scrubbed, secret_values
from wellkept.policies.secrets.detector import has_secret, has_split_secret, mask
from wellkept.policies.visibility import Facts, shown
from wellkept.policies.writing import gate
from wellkept.policies.writing.shape import clean
from wellkept.store.contract import Change, HeldKey, Latest, Listing, Living
from wellkept.types import Claim, Memory, Message
from wellkept.values import changed, frozen
from wellkept.vocabulary import LIFETIMES, Authority, EventType, Kind, MemoryType, Sensitivity, Space, Trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.flows.governed.run import Window
    from wellkept.judges.base import Judge
    from wellkept.policies.governance.borders import Ask
    from wellkept.policies.governance.phases import Item, Phase
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.governance.scores import Asked
    from wellkept.policies.governance.traces import Event, Segment
    from wellkept.store.contract import ChainEnd, Trace
    from wellkept.types import Outcome, Viewpoint
    from wellkept.vocabulary import Source


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
        require_text("query", query)
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
                require_text(name, text)
        if not isinstance(tools, (list, tuple)) or len(tools) > TOOLS_MAX:
            raise InvalidInput(f"tools is a list of at most {TOOLS_MAX} outputs.", code="invalid_tool")
        turn = Turn(
            user=user,
            ai=ai,
            tools=tuple(tool(one) for one in tools),
            promotion_target=target(promotion_target),
        )
        return record(self.session, turn)

    def start_phase(self, name: str | None = None, reason: str = MANUAL) -> list[Event]:
        """Begin the next phase of the session's own space. What is wider than the session is not divided by it."""
        phases.require_request(name, reason)
        session = self.session
        with session.engine.store.transaction():
            run = Run.look(session)
            run.secrets = traces.secret_values([name or ""])
            decision = borders.may_start_phase(session.policy)
            run.border("write", Space.SESSION, Space.SESSION, decision)
            if decision.verdict == "pass":
                run.start_phase(Space.SESSION, name=None if name is None else session.shown(name), reason=reason)
            return run.close()

    def diff(self, from_phase: str, to_phase: str, space: str = "session") -> list[Event]:
        """What one phase of a space held at its end that another had not."""
        session = self.session
        place = next((one for one in session.owners if one.value == space), None)
        if place is None:
            raise InvalidInput("space must be session, user, project or system.", code="invalid_space")
        with session.engine.store.transaction():
            run = Run.look(session)
            decision = borders.may_diff(place, session.policy)
            run.tell(session.tracer.border("read", place, None, decision))
            if decision.verdict == "pass":
                before, after = (_phase(run, place, phase_id) for phase_id in (from_phase, to_phase))
                found = phases.diff(_content(run, before), _content(run, after))
                run.tell(session.tracer.phase_diff(before, after, found))
            return run.close()

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
    steps = []
    for one in (row.entry for row in run.stored.chain(*scope, until=until)):
        if one.memory_id is not None and one.status == "ok":
            reason = one.reason or ""
            is_gone = one.op in _ENDS or reason in ("superseded", "promoted") or reason.startswith("lost:")
            steps.append(phases.Step(memory_id=one.memory_id, is_live=not is_gone))
    found: dict[Item, str] = {}
    for memory_id in phases.content(steps):
        memory = run.stored.memory(run.session.tenant, memory_id)
        if memory is not None and memory.kind is not Kind.SHORT_TERM:
            led = "profile:" if memory.kind is Kind.PROFILE else ""
            whose = "" if is_common(memory, run) else memory.subject_person_ids[0]
            found[f"{led}{traces.dedup_key(memory)}", whose] = memory_id
    return found


Found = tuple["Memory", dict[str, Any]]


def recall_by_ticks(session: Session, query: str) -> list[Event]:
    """What the session may know now that bears on the query, and what was forgotten on the way."""
    engine = session.engine
    with engine.store.transaction():
        run = Run.look(session)
        run.secrets = traces.secret_values([query])
        end = engine.store.chain_end(*run.scope(Space.SESSION))
        run.catch_up(end)
        consulted = tuple([space for space in session.policy.spaces.read_order if space in session.owners])
        # All of them before one is forgotten: what is read beside changes that wait is held for nobody.
        living = session.held.living
        for space in consulted:  # read anew as far as it is not as it was at the last look
            known = living.get(space, Living())
            living[space] = run.stored.live_now(*run.scope(space), GOVERNED_KINDS, limit=LIVE_MAX, held=known)
        # After retention: only what governed sessions wrote lives by ticks.
        found_in = {space: living[space].memories for space in consulted}
        live = {one: run.retained(found, tick=run.tick(one)) if found else () for one, found in found_in.items()}
        shadowed = frozenset[str]().union(*[living[space].shadowed for space in consulted])
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


def _check_borders(run: Run, consulted: Sequence[Space], found: str) -> None:
    """One row for the whole look: reads change nothing and are in no chain."""
    checks = [*consulted, *[space for space in SPACES if space not in consulted]]
    decisions = [(space, borders.may_read(space, run.policy)) for space in checks]
    for space, decision in decisions:
        run.tell(run.session.tracer.border("read", space, None, decision))
    codes = [f"{space}:{decision.reason}" for space, decision in decisions]
    run.searched(reason="governed", hash=found, borders=codes)


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


TOOLS_MAX = 50
WINDOW = 6
"""Turns before this one that help with its pronouns, and with secrets said in two parts."""
TOOL_KEYS = frozenset({"text", "name", "key", "value", "promotion_target"})
KEY_MAX = 200
"""Characters of the slot that a tool names."""
SHOUTED_MIN = 3
"""Words in capitals that are no row of abbreviations."""
_SPEAKER = deferred(r"\bi\b")
_FIRST_PERSON = {"is": "am", "has": "have"}
_LEVELS = {level: rank for rank, level in enumerate(Sensitivity)}
_ROLES: Mapping[str, Any] = {"user": "user", "ai": "assistant", "tool": "tool", "system": "system"}


@frozen
class Tool:
    """What a tool gave back. `key`: the slot that it fills, such as `city`."""

    text: str
    name: str | None = None
    key: str | None = None
    value: str | None = None
    promotion_target: Space | None = None

    @property
    def details(self) -> tuple[str, ...]:
        """What it says beside its text."""
        return tuple(one for one in (self.key, self.value) if one is not None)


@frozen
class Turn:
    """One exchange: what the user said, what the tools gave, what the assistant answered."""

    user: str | None = None
    ai: str | None = None
    tools: tuple[Tool, ...] = ()
    promotion_target: Space | None = None


@frozen
class Said:
    """One text of the exchange as it was read. A text that was refused has no claims, and its words are gone."""

    source: Source
    turn: Claim | None = None
    """The text as a turn of the conversation; tools take no turns."""
    facts: tuple[Claim, ...] = ()
    ask: Ask | None = None
    refusal: str | None = None


@frozen
class Reads:
    """Everything said in one exchange, in the order it was said."""

    said: tuple[Said, ...]
    secrets: frozenset[str] = frozenset()
    window: Window
    """The turns of the session before it."""
    name: str | None = None
    """Of the user who speaks, where it is known."""


def tool(given: object) -> Tool:
    """A tool's output as callers give it: a text, or a table with a text in it."""
    table = {"text": given} if isinstance(given, str) else given
    if not isinstance(table, Mapping) or not isinstance(table.get("text"), str):
        raise InvalidInput("A tool gives a text, or a table with text.", code="invalid_tool")
    unknown = sorted(set(table) - TOOL_KEYS)
    if unknown:
        raise InvalidInput(f"Unknown key {unknown[0]!r} of a tool. Known: {', '.join(sorted(TOOL_KEYS))}.")
    texts = {name: table[name] for name in ("name", "key", "value") if table.get(name) is not None}
    if not all(isinstance(value, str) and value for value in texts.values()):
        raise InvalidInput("name, key and value of a tool are texts.", code="invalid_tool")
    if len(texts.get("key", "")) > KEY_MAX:
        raise InvalidInput(f"key of a tool has at most {KEY_MAX} characters.", code="invalid_tool")
    for name, value in (("text of a tool", table["text"]), *((f"{name} of a tool", texts[name]) for name in texts)):
        require_text(name, value)
    return Tool(text=table["text"], promotion_target=target(table.get("promotion_target")), **texts)


def require_text(name: str, text: object) -> None:
    """A text that can be stored, or an error that names it."""
    try:
        if isinstance(text, str) and text.encode() is not None:
            return
    except UnicodeEncodeError:  # half of a surrogate pair
        pass
    raise InvalidInput(f"{name} must be a valid text.", code="invalid_text")


def target(name: str | None) -> Space | None:
    """A space to promote to, by its name."""
    try:
        return None if name is None else Space(name)
    except ValueError:
        known = ", ".join(space.value for space in Space)
        raise InvalidInput(f"promotion_target must be one of {known}.", code="invalid_space") from None


def read(turn: Turn, session: Session, *, is_anew: bool = False) -> Reads:
    """Everything that needs language, outside the transaction. The judge has no clock here.

    The window and the name that the last call left are taken as they are: the write sees whether they still stand, and
    else reads anew.
    """
    engine = session.engine
    held = session.held.window
    is_held = held.end.seq > 0 and not is_anew
    window = held if is_held else session.window()
    before = [memory for memory in window.turns[-WINDOW:] if not is_summary(memory)]
    name = session.held.name
    if not is_held:
        place = session.place
        speaker = engine.store.person(place.tenant, user=place.user or "", is_whole=False)
        name = None if speaker is None else speaker.name
    given = (turn.user, *(text for one in turn.tools for text in (one.text, *one.details)), turn.ai)
    secrets = secret_values(text for text in given if text is not None)
    reader = _Reader(
        session=session,
        judge=engine.judge,
        window=tuple(Message(role=_ROLES[memory.source], content=memory.content) for memory in before),
        secrets=secrets,
        name=name,
    )
    return Reads(said=tuple(reader.read(turn)), secrets=secrets, window=window, name=reader.name)


def _unshouted(text: str) -> str:
    """A text in capitals as it would be said, so that the same statement has the same key.

    >>> _unshouted("I PREFER CONCISE UPDATES"), _unshouted("USE SQL")
    ('I prefer concise updates', 'USE SQL')
    """
    is_shouted = text.isupper() and len(text.split()) >= SHOUTED_MIN
    return _SPEAKER.sub("I", text.lower()) if is_shouted else text


def _by_the_user(text: str) -> str:
    """What a tool says of the user as the user would say it, so that it fills the same slot.

    >>> _by_the_user("Verified: the user's name is Robert"), _by_the_user("User lives in Lima")
    ('my name is Robert', 'I live in Lima')
    """
    found = OF_THE_USER.match(text)
    if found is None:
        return text
    verb = found["verb"]
    rest = text[found.end() :]
    if verb is None:
        return f"my {rest}"
    return f"I {_FIRST_PERSON.get(verb.lower(), verb[:-1])} {rest}"


def _begun(spoken: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """What a secret may have begun in: the last words of the user and of anybody, such as a question for it."""
    own = [text for role, text in spoken if role == "user"][-1:]
    return tuple(dict.fromkeys(own + [text for _, text in spoken[-1:]]))


def _with_signs(claims: tuple[Claim, ...], text: str) -> tuple[Claim, ...]:
    """A sign such as an emoji may be all that is said: where retelling lost one, the speaker's own words stand."""
    if text.isascii():
        return claims
    first = claims[0]
    said = text[max(first.evidence.start, 0) :].strip() or text
    if len(claims) > 1 or not any(unicodedata.category(sign) == "So" and sign not in first.content for sign in said):
        return claims
    return (changed(first, content=said, quote=said, slot=None, value=None, cardinality="many"),)


@frozen
class _Reader:
    session: Session
    judge: Judge
    window: tuple[Message, ...]
    secrets: frozenset[str]
    name: str | None
    """Of the user who speaks, where it is known."""

    def read(self, turn: Turn) -> Iterator[Said]:
        """Everything that was said, each with what was said and kept before it."""
        spoken = [(one.role, one.content) for one in self.window]
        is_confided = False
        if turn.user is not None:
            said = self.user(turn.user, turn.promotion_target, _begun(spoken))
            is_confided = said.turn is not None and said.turn.confidential
            spoken += [] if said.refusal else [("user", turn.user)]
            yield said
        for given in turn.tools:
            # Where nobody speaks, a wish for the exchange is one for what the tools gave.
            wished = given.promotion_target or (turn.promotion_target if turn.user is None else None)
            said = self.tool(given, wished, _begun(spoken))
            spoken += [] if said.refusal else [("tool", given.text)]
            yield said
        if turn.ai is not None:
            yield self.ai(turn.ai, _begun(spoken), is_confided=is_confided)

    def user(self, text: str, wished: Space | None, begun: Sequence[str]) -> Said:
        refused = self._refusal("user", text, begun)
        if refused is not None:
            return refused
        content = clean(text)
        body = _unshouted(clean(borders.without_ask(content)))
        # A wish alone means what was said before it.
        claims = tuple(self._fact(claim) for claim in _with_signs(self._claims(body), body)) if body else ()
        if borders.is_request(text):
            # What somebody asks to be kept is not passing, whatever it is about.
            claims = tuple(
                changed(claim, event_type=EventType.FACT) if claim.event_type is EventType.CONTEXT else claim
                for claim in claims
            )
        ask = borders.asked(text) if wished is None else borders.Ask(space=wished, reason="promotion_target")
        levels = [Sensitivity.PUBLIC, *(claim.sensitivity for claim in claims)]
        turn = Claim(
            content=content,
            kind=Kind.SHORT_TERM,
            event_type=claims[0].event_type if claims else self.judge.classify(content)[0],
            sensitivity=max(levels, key=_LEVELS.__getitem__),
            confidential=any(claim.confidential for claim in claims),
            is_correction=any(claim.is_correction for claim in claims),
        )
        return Said(source="user", turn=turn, facts=claims, ask=ask)

    def ai(self, text: str, begun: Sequence[str], *, is_confided: bool) -> Said:
        """What the assistant said. `is_confided`: it answers a confidence, and may repeat it."""
        refused = self._refusal("ai", text, begun)
        if refused is not None:
            return refused
        turn = Claim(content=clean(text), kind=Kind.SHORT_TERM, event_type=EventType.CONTEXT, confidential=is_confided)
        return Said(source="ai", turn=turn)

    def tool(self, given: Tool, wished: Space | None, begun: Sequence[str]) -> Said:
        refused = self._refusal("tool", given.text, begun, *given.details)
        if refused is not None:
            return refused
        text = clean(given.text)
        told = _by_the_user(text)
        claims = self._claims(told)
        # A tool's output is one item: the slot is what the caller names, or what all of it says.
        first = claims[0] if len(claims) == 1 else Claim(content=text)
        if told != text:
            # The words are the tool's: nobody is introduced by them.
            first = changed(first, subjects=(), introduces=())
        slot, value = (given.key, given.value or first.value or text) if given.key else (first.slot, first.value)
        fact = changed(
            self._fact(first),
            content=text,
            quote=None,
            # A tool that names the slot it fills vouches for a fact; everything else is something that was run.
            event_type=EventType.FACT if given.key else EventType.EXECUTION,
            slot=slot,
            value=value,
            cardinality="one" if given.key else first.cardinality,
            is_correction=False,
            corrects=None,
            polarity="assert",
            is_suspect=any(claim.is_suspect for claim in claims),
        )
        ask = None if wished is None else borders.Ask(space=wished, reason="promotion_target")
        return Said(source="tool", facts=(fact,), ask=ask)

    def _claims(self, text: str) -> tuple[Claim, ...]:
        messages = (*self.window, Message(content=text, speaker=self.session.place.user))
        return self.judge.extract(Reading(messages=messages, is_explicit=True, speaker=self.name, now=None)) or (
            Claim(content=text, quote=text, event_type=EventType.CONTEXT),
        )

    def _fact(self, claim: Claim) -> Claim:
        """A claim as a governed item: timeless, of one channel, with the class that its words have."""
        is_timed = claim.type in LIFETIMES or claim.type is MemoryType.PROCEDURAL
        event = claim.event_type
        if claim.is_correction:
            event = EventType.CORRECTION
        elif claim.language == "en":
            event = self.judge.classify(claim.quote or claim.content)[0]
        return changed(
            claim,
            kind=Kind.SEMANTIC,
            type=MemoryType.KNOWLEDGE if is_timed else claim.type,
            event_type=event,
            expires_at=None,
        )

    def _refusal(self, source: Source, text: str, begun: Sequence[str], *details: str) -> Said | None:
        decision = gate.admit_text(text)
        reason = decision.reason if decision.verdict == "refuse" else None
        if reason is None and not clean(text):
            reason = "empty_content"
        if reason is None and self._gives_away(text, begun, details):
            reason = "privacy_deny_sensitive"
        if reason is None:
            return None
        # What is left of a refused text is never shown; it only gives the attempt a key that holds no secret.
        rest = text[: gate.CONTENT_MAX]
        for one in begun or ("",):
            rest = mask(rest, [one] if one else [])
        turn = Claim(content=clean(scrubbed(rest, self.secrets)), kind=Kind.SHORT_TERM, event_type=EventType.CONTEXT)
        return Said(source=source, turn=turn, refusal=reason)

    def _gives_away(self, text: str, begun: Sequence[str], details: Sequence[str]) -> bool:
        """Whether it repeats a secret of this exchange, ends one that was begun or asked for, or has one beside it."""
        if self.secrets and any(scrubbed(one, self.secrets) != one for one in (text, *details)):
            return True
        return any(has_secret(one) for one in details) or any(has_split_secret([one], text) for one in begun)


READ_AGAIN_MAX = 2
"""How often a turn is read again before other writers of its session have to wait for it."""


class _WindowMoved(Exception):
    """Somebody has written to the session since its turns were read, or named its user otherwise."""


def record(session: Session, turn: Turn) -> list[Event]:
    """The events of one exchange. Everything is written, or nothing."""
    reads = read(turn, session)
    for attempt in range(RACES_MAX):
        try:
            with session.engine.store.transaction():
                return _write(session, turn, reads, waits=attempt < READ_AGAIN_MAX)
        except KeyTaken:
            continue
        except _WindowMoved:
            reads = read(turn, session, is_anew=True)
    raise StoreBusy("Too many writers on one key; nothing was written, try again.")


def _write(session: Session, turn: Turn, reads: Reads, *, waits: bool) -> list[Event]:
    """`waits`: what was read beside a window that has moved is read again; else now, while nobody writes."""
    run = Run.begin(session)
    run.window = session.window(reads.window)
    name = None if run.writer.speaker is None else run.writer.speaker.name
    if run.window.end != reads.window.end or name != reads.name:
        if waits:
            raise _WindowMoved
        # A model would be waited for: what it read stands.
        reads = reads if asks(session.engine.judge) else read(turn, session, is_anew=True)
    run.secrets = reads.secrets
    run.catch_up(run.window.end)
    run.border("write", Space.SESSION, Space.SESSION, borders.may_write(Space.SESSION, session.policy))
    tools_at = run.tick(Space.SESSION) + 1 if "tool" in [said.source for said in reads.said] else None
    for said in reads.said:
        _say(run, said, moment=tools_at if said.source == "tool" else None)
    after = _close_window(run)
    written = [traces.item(memory, run.phase_of(memory)) for memory in run.written.values()]
    run.tell(session.tracer.write(written), *run.written.values())
    told = run.close()
    session.held.name, session.held.is_open = name, True
    end = run.end or session.engine.store.chain_end(*run.scope(Space.SESSION))
    session.held.window = changed(after, end=end, phases=run.phases(Space.SESSION))
    return told


def _say(run: Run, said: Said, *, moment: int | None) -> None:
    """One text: as a turn, as facts, as entries of the profile; and further where that was asked for."""
    run.people = said.facts
    turn = None if said.turn is None else _attempt(run, said, said.turn, {})
    if said.refusal is not None:
        return
    more: dict[str, object] = {} if turn is None or turn.id is None else {"source_turn_ids": [turn.id]}
    more |= {} if moment is None else {"moment": moment}
    items: list[str] = []
    for claim in said.facts:
        for one in _forms(claim, run) if said.source == "user" else (claim,):
            found = _attempt(run, said, one, more)
            if found.outcome == "denied" and found.id is not None:
                break  # a statement that lost gives the profile nothing
            items += [] if found.id is None else [found.id]
    if said.ask is not None and said.ask.space is not Space.SESSION:
        # What is said twice in a turn is one item, as it stands by now.
        told = [run.written[one] for one in dict.fromkeys(items) if one in run.written]
        for item in told if said.facts else _meant(run):
            _promote(run, item, said.ask)


def _attempt(run: Run, said: Said, claim: Claim, more: Mapping[str, object]) -> Outcome:
    """Write it as everything is written, by the rules of the session."""
    run.more = more
    statement = Statement(text=claim.content, source=said.source, fault=said.refusal)
    return write(claim, statement, None, run.writer, same=None)[0]


def _forms(claim: Claim, run: Run) -> tuple[Claim, ...]:
    """A fact, and beside it an entry of the profile when it fills a slot of the speaker's own."""
    if claim.slot is None or not is_profile_slot(claim.slot, run.policy):
        return (claim,)
    is_own = all(
        one.is_speaker or (run.writer.speaker is not None and claim.slot in {"name", "preferred_name", "nickname"})
        for one in claim.subjects
    )
    is_kept = claim.cardinality == "one" or claim.slot in (run.policy.privacy.allow_profile_keys or ())
    if not is_own or not is_kept:
        return (claim,)
    return (claim, changed(claim, kind=Kind.PROFILE))


def _promote(run: Run, item: Memory, ask: Ask) -> None:
    """Move an item to the space that was asked for, or say why not. If it loses there, it stays here."""
    source = _source(run, item, ask.space)
    run.border("promote", source.space, ask.space, borders.may_cross(source.space, ask.space, run.policy))
    decision = borders.may_promote(source, ask.space, run.policy)
    if decision.verdict == "refuse":
        run.note("promote", source.space, status="denied", reason=decision.reason)
        run.tell(run.session.tracer.promotion_denied(source, ask.space, decision.reason))
        return
    wider = _widened(run, source, ask)
    outcome = reconcile(Incoming.of(wider, _claim_of(wider)), run.writer)
    if outcome.outcome == "denied" or outcome.id is None:
        return
    run.tell(run.session.tracer.promoted(source, run.written[outcome.id], ask.reason))
    run.leave([source], op="promote", reason="promoted")
    run.tell(run.session.tracer.deleted(source, "promoted"))


def _meant(run: Run) -> list[Memory]:
    """What "remember this for me" means when nothing else is said: the facts of the user's last turn."""
    user = run.session.place.user
    said = (turn.id for turn in reversed(run.window.turns) if turn.source == "user" and turn.actor_id == user)
    last = next(said, None)
    if last is None:
        return []
    live = run.writer.store.memories(
        Latest(scope=run.scope(Space.SESSION), kinds=(Kind.SEMANTIC, Kind.PROFILE), limit=LIVE_MAX)
    )
    return [memory for memory in live if last in memory.meta.get("source_turn_ids", ())]


def _source(run: Run, item: Memory, to_space: Space) -> Memory:
    """What the user's own space holds already may go on to the project from there."""
    if to_space is not Space.PROJECT or borders.may_promote(item, to_space, run.policy).verdict == "pass":
        return item
    key = run.discriminator(_claim_of(item), item, "")
    tenant, space, owner = run.scope(Space.USER)
    held = HeldKey(space=space, owner=owner, memory_key=item.memory_key, discriminator=key)
    twin = run.writer.store.memory(tenant, held)
    # Who holds the slot there may say something else of it.
    is_same = twin is not None and twin.value == item.value
    if twin is None or not is_same or borders.may_promote(twin, to_space, run.policy).verdict != "pass":
        return item
    return twin


def _widened(run: Run, source: Memory, ask: Ask) -> Memory:
    """The item as it would stand in the wider space, with a tick and a phase of that space."""
    phase_id = run.phase_for_write(ask.space)
    _, space, owner = run.scope(ask.space)
    tick = run.counts.next(space, TICK)
    kept = {name: source.meta[name] for name in ("source_turn_ids", "policy_tags", "is_many") if name in source.meta}
    meta = {
        "importance_reason": list(source.meta.get("importance_reason", ())),
        **kept,
        "promoted_from": source.id,
        "promotion_reason": ask.reason,
    }
    end = expiry_tick(retention_rule(source, run.policy), tick)
    if end is not None:
        meta["expires_at"] = end
    wider = changed(
        source,
        id="",
        version=1,
        space=space,
        owner=owner,
        origin="promotion",
        fact_key=_fact_key(source, space),
        created_at=run.now,
        updated_at=run.now,
        mention_count=1,
        tick=tick,
        phase_id=phase_id,
        meta=meta,
    )
    return changed(wider, discriminator=run.discriminator(_claim_of(wider), wider, ""))


def _claim_of(item: Memory) -> Claim:
    """What an item says, for whoever compares it. It is no correction once more, and fills the slot it has."""
    return Claim(
        content=item.content,
        quote=item.quote,
        value=item.value,
        kind=item.kind,
        cardinality="many" if item.meta.get("is_many", False) else "one",
        confidential=item.confidential,
    )


def _fact_key(source: Memory, space: Space) -> str | None:
    """Where several people write, a slot of a person is led by whose it is; what a tool names is nobody's."""
    key = source.fact_key
    if key is None or space is Space.USER or key.startswith("p_") or not source.subject_person_ids:
        return key
    first = key.split(":", 1)[0]
    is_shared = first == "project" or (source.source == "tool" and first not in PROFILE_SLOTS)
    return key if is_shared else f"{source.subject_person_ids[0]}:{key}"


def is_summary(memory: Memory) -> bool:
    """Stands for turns that left."""
    return "summary_of" in memory.meta


def _close_window(run: Run) -> Window:
    """Let the oldest turns leave, and renew the summary when some did; the window after that."""
    live = run.turns
    turns = [memory for memory in live if not is_summary(memory)]
    gone = turns[: max(len(turns) - run.policy.short_term_max_turns, 0)]
    if not gone:
        return changed(run.window, turns=tuple(live))
    run.forget(gone, lambda _memory: "decay")
    old = next((memory for memory in live if is_summary(memory)), None)
    text, left = traces.summary([*_left(run, old), *traces.segments(gone)])
    summary = _summarise(run, old, gone[-1], text, [one.turn for one in left])
    return changed(run.window, turns=(*turns[len(gone) :], summary), left=left)


def _left(run: Run, summary: Memory | None) -> Sequence[Segment]:
    """The turns that a summary tells of; one that was erased meanwhile is not among them."""
    ids = [] if summary is None else summary.meta["summary_of"]
    if [one.turn.id for one in run.window.left] == ids:
        return run.window.left
    known = run.session.engine.store.memories_by_id(run.session.tenant, ids)
    return traces.segments([known[one] for one in ids if one in known])


def _summarise(run: Run, old: Memory | None, last: Memory, text: str, told_of: Sequence[Memory]) -> Memory:
    """Store the summary, which is renewed where there was one. `last`: of the turns that left."""
    now = {
        "content": text,
        "phase_id": run.phase_for_write(Space.SESSION),
        "tick": run.counts.next(Space.SESSION, TICK),
        "meta": {"importance_reason": ["event:context", "summary"], "summary_of": [turn.id for turn in told_of]},
        "updated_at": run.now,
        # It tells of everybody its turns tell of: whoever is forgotten takes it along.
        "subject_person_ids": tuple(dict.fromkeys([one for turn in told_of for one in turn.subject_person_ids])),
        "confidential": True in [turn.confidential for turn in told_of],
    }
    if old is None:
        first = _first_summary(run, changed(last, **now))
        outcome = reconcile(Incoming.of(first, _claim_of(first)), run.writer)
        return run.written[outcome.id or ""]
    renewed = changed(old, **now, version=old.version + 1)
    change = Change(
        memory=renewed,
        entry=entry("update", renewed, run.writer, "summary"),
        is_text_changed=True,
        how="retell",
        terms={},
    )
    run.writer.apply(change)
    run.wrote(renewed)
    return renewed


def _first_summary(run: Run, turn: Memory) -> Memory:
    """A turn with the words of a summary, as the first summary of its session."""
    memory = changed(
        turn,
        id="",
        version=1,
        quote=None,
        source="system",
        role="system",
        stated_by=None,
        event_type=EventType.CONTEXT,
        authority=Authority.AI_INFERRED,
        authority_reason="composed:summary",
        is_correction=False,
        importance=1.0,
        created_at=run.now,
    )
    return changed(memory, discriminator=run.discriminator(_claim_of(memory), memory, ""))
