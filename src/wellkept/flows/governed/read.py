"""What is said in a governed turn, read before anything is written: turns, facts, tool output, secrets, asks."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.judges.base import Reading
from wellkept.patterns import deferred
from wellkept.policies.governance import borders
from wellkept.policies.governance.traces import scrubbed, secret_values
from wellkept.policies.secrets.detector import has_secret, has_split_secret, mask
from wellkept.policies.writing import gate
from wellkept.policies.writing.shape import clean
from wellkept.types import Claim, Message
from wellkept.values import changed, frozen
from wellkept.vocabulary import LIFETIMES, EventType, Kind, MemoryType, Sensitivity, Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.flows.governed.run import Session, Window
    from wellkept.judges.base import Judge
    from wellkept.policies.governance.borders import Ask
    from wellkept.vocabulary import Source

TOOLS_MAX = 50
WINDOW = 6
"""Turns before this one that help with its pronouns, and with secrets said in two parts."""
TOOL_KEYS = frozenset({"text", "name", "key", "value", "promotion_target"})
KEY_MAX = 200
"""Characters of the slot that a tool names."""
OF_THE_USER = deferred(
    r"(?i)^\W*(?:(?:verified|confirmed|result|profile|record|crm|lookup|note)\s*:\s*)?(?:the |this |our )?"
    r"(?:user|customer|client|member|caller)(?:['’]s\s+|\s+(?P<verb>is|has|lives|works|uses|speaks|drives|owns|prefers"
    r"|likes)\s+|\s+(?=(?:name|timezone|time zone|city|language|job|employer|birthday|editor|pronouns|country)\b))"
)
"""How a tool begins to tell of the user."""
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
    before = [memory for memory in window.turns[-WINDOW:] if "summary_of" not in memory.meta]
    given = (turn.user, *(text for one in turn.tools for text in (one.text, *one.details)), turn.ai)
    secrets = secret_values(text for text in given if text is not None)
    reader = _Reader(
        session=session,
        judge=engine.judge,
        window=tuple(Message(role=_ROLES[memory.source], content=memory.content) for memory in before),
        secrets=secrets,
        name=session.held.name if is_held else _name(session),
    )
    return Reads(said=tuple(reader.read(turn)), secrets=secrets, window=window, name=reader.name)


def _name(session: Session) -> str | None:
    """Of the user who speaks, where it is known."""
    place = session.place
    person = None if place.user is None else session.engine.store.person(place.tenant, user=place.user, is_whole=False)
    return None if person is None else person.name


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
