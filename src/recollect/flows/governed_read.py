"""What is said in a governed turn, read before anything is written: turns, facts, tool output, secrets, asks."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput
from recollect.judges.base import Reading
from recollect.policies import borders, gate
from recollect.policies.secrets import has_split_secret, mask
from recollect.policies.shape import clean
from recollect.policies.traces import scrubbed, secret_values
from recollect.types import Claim, Message
from recollect.values import changed, frozen
from recollect.vocabulary import LIFETIMES, EventType, Kind, MemoryType, Sensitivity, Space

if TYPE_CHECKING:
    from recollect.flows.governed_run import Session, Window
    from recollect.judges.base import Judge
    from recollect.policies.borders import Ask
    from recollect.vocabulary import Source

TOOLS_MAX = 50
WINDOW = 6
"""Turns before this one that help with its pronouns, and with secrets said in two parts."""
TOOL_KEYS = frozenset({"text", "name", "key", "value", "promotion_target"})
_ROLES: Mapping[str, Any] = {"user": "user", "ai": "assistant", "tool": "tool", "system": "system"}


@frozen
class Tool:
    """What a tool gave back. `key`: the slot that it fills, such as `city`."""

    text: str
    name: str | None = None
    key: str | None = None
    value: str | None = None
    promotion_target: Space | None = None


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
    is_held: bool = False
    """The window and the name are those that the last call left; the store was not asked."""
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
    return Tool(text=table["text"], promotion_target=target(table.get("promotion_target")), **texts)


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
    before = [memory for memory in window.turns[-WINDOW:] if "summary_of" not in memory.meta]
    texts = [text for text in (turn.user, *(one.text for one in turn.tools), turn.ai) if text is not None]
    secrets = secret_values(texts)
    reader = _Reader(
        session=session,
        judge=engine.judge,
        window=tuple(Message(role=_ROLES[memory.source], content=memory.content) for memory in before),
        secrets=secrets,
        name=session.held.name if is_held else _name(session),
    )
    said = [] if turn.user is None else [reader.user(turn.user, turn.promotion_target)]
    said += [reader.tool(one) for one in turn.tools]
    said += [] if turn.ai is None else [reader.ai(turn.ai)]
    return Reads(said=tuple(said), secrets=secrets, window=window, is_held=is_held, name=reader.name)


def _name(session: Session) -> str | None:
    """Of the user who speaks, where it is known."""
    place = session.place
    person = None if place.user is None else session.engine.store.person_of(place.tenant, place.user, is_whole=False)
    return None if person is None else person.name


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

    def user(self, text: str, wished: Space | None) -> Said:
        refused = self._refusal("user", text)
        if refused is not None:
            return refused
        body = clean(borders.without_ask(clean(text)))
        claims = tuple(self._fact(claim) for claim in _with_signs(self._claims(body), body))
        if borders.is_request(text):
            # What somebody asks to be kept is not passing, whatever it is about.
            claims = tuple(
                changed(claim, event_type=EventType.FACT) if claim.event_type is EventType.CONTEXT else claim
                for claim in claims
            )
        ask = borders.asked(text) if wished is None else borders.Ask(space=wished, reason="promotion_target")
        levels = [Sensitivity.PUBLIC, *(claim.sensitivity for claim in claims)]
        turn = Claim(
            content=clean(text),
            kind=Kind.SHORT_TERM,
            event_type=claims[0].event_type if claims else self.judge.classify(clean(text))[0],
            sensitivity=max(levels, key=list(Sensitivity).index),
            confidential=any(claim.confidential for claim in claims),
            is_correction=any(claim.is_correction for claim in claims),
        )
        return Said(source="user", turn=turn, facts=claims, ask=ask)

    def ai(self, text: str) -> Said:
        refused = self._refusal("ai", text)
        if refused is not None:
            return refused
        return Said(source="ai", turn=Claim(content=clean(text), kind=Kind.SHORT_TERM, event_type=EventType.CONTEXT))

    def tool(self, given: Tool) -> Said:
        refused = self._refusal("tool", given.text)
        if refused is not None:
            return refused
        text = clean(given.text)
        claims = self._claims(text)
        # A tool's output is one item: the slot is what the caller names, or what all of it says.
        first = claims[0] if len(claims) == 1 else Claim(content=text)
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
        wished = given.promotion_target
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

    def _refusal(self, source: Source, text: str) -> Said | None:
        decision = gate.admit_text(text)
        reason = decision.reason if decision.verdict == "refuse" else None
        before = [one.content for one in self.window if one.role == "user"][-1:] if source == "user" else []
        if reason is None and not clean(text):
            reason = "empty_content"
        if reason is None and (
            any(value in text for value in self.secrets) or (before and has_split_secret(before, text))
        ):
            reason = "privacy_deny_sensitive"
        if reason is None:
            return None
        # What is left of a refused text is never shown; it only gives the attempt a key that holds no secret.
        rest = scrubbed(mask(text[: gate.CONTENT_MAX], before), self.secrets)
        turn = Claim(content=clean(rest), kind=Kind.SHORT_TERM, event_type=EventType.CONTEXT)
        return Said(source=source, turn=turn, refusal=reason)
