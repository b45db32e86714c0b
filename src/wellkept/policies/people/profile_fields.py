"""Consent: which fields of a user's profile change by which word, and when a question about them is over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from wellkept.patterns import Patterns
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import Origin

_RE = Patterns("people/profile_fields.txt")

Field = Literal["preferred_name", "pronouns", "city", "language", "tone", "goals"]
Answer = Literal["yes", "no"]
State = Literal["pending", "approved", "rejected", "expired"]

STATES: tuple[State, ...] = ("pending", "approved", "rejected", "expired")

SENSITIVE: frozenset[Field] = frozenset({"preferred_name", "pronouns", "city", "language"})
"""Change only when the user says yes."""
BENIGN: frozenset[Field] = frozenset({"tone", "goals"})
"""Change on two separate signals, or on one insight that is nearly certain."""
MANY_VALUED: frozenset[Field] = frozenset({"goals"})

WAITS = timedelta(days=7)
SIGNALS_MIN = 2
INSIGHT_CONFIDENCE_MIN = 0.9

SAME_MIN = 0.92
UNSURE_MIN = 0.75
"""Between this and SAME_MIN a judge decides whether two values of a field are the same."""

_QUESTIONS: dict[Field, str] = {
    "preferred_name": "Should I call you {new} from now on?",
    "pronouns": "Should I use {new} for you from now on?",
    "city": "Should I note {new} as the city you live in?",
    "language": "Should I speak {new} with you from now on?",
    "tone": "Should I answer in this tone from now on: {new}?",
    "goals": "Should I note this as a goal of yours: {new}?",
}
_POLITE = frozenset(
    (
        "thanks", "thank you", "please", "danke", "bitte", "merci", "gracias", "grazie", "por favor", "obrigado",
        "obrigada",
    )
)  # fmt: skip


@frozen
class Signal:
    """A word that would change a field."""

    field: Field
    origin: Origin
    confidence: float = 1.0
    signals: int = 1
    """How often it was said, in separate messages, this time included."""


def decide(signal: Signal) -> Decision:
    """Whether the field changes at once (`apply`) or waits for a yes (`propose`).

    >>> decide(Signal(field="city", origin="explicit")).verdict
    'apply'
    >>> decide(Signal(field="city", origin="shadow_extraction", signals=9)).verdict
    'propose'
    """
    if signal.origin in ("explicit", "seeded_profile"):
        return Decision(verdict="apply", reason=str(signal.origin))
    if signal.field in SENSITIVE:
        return Decision(verdict="propose", reason="needs_consent")
    if signal.origin == "theory_of_mind" and signal.confidence >= INSIGHT_CONFIDENCE_MIN:
        return Decision(verdict="apply", reason="certain_insight")
    if signal.origin != "theory_of_mind" and signal.signals >= SIGNALS_MIN:
        return Decision(verdict="apply", reason="two_signals")
    return Decision(verdict="propose", reason="one_signal")


def field_of(slot: str | None) -> Field | None:
    """The field of the profile that a slot of the speaker's own fills."""
    for field in (*SENSITIVE, *BENIGN):
        if slot == field:
            return field
    return None


def state_at(state: State, at: datetime, now: datetime) -> State:
    """What a proposal of that time is now: nobody can say yes to an old question."""
    return "expired" if state == "pending" and now - at >= WAITS else state


def sameness(similarity: float) -> Literal["same", "unsure", "different"]:
    """What a calibrated similarity says of two values of one field: stricter than for memories."""
    if similarity >= SAME_MIN:
        return "same"
    return "unsure" if similarity >= UNSURE_MIN else "different"


def question(field: Field, new: str, old: str | None) -> str:
    """What to ask the user.

    >>> question("city", "Lyon", "Paris")
    'Should I note Lyon as the city you live in? (So far: Paris.)'
    """
    asked = _QUESTIONS[field].format(new=new)
    return f"{asked} (So far: {old}.)" if old else asked


def answer(text: str) -> Answer | None:
    """A plain yes or no; anything that says more is no answer.

    >>> answer("Yes, please do!"), answer("nah"), answer("Yes, and I moved to Rome")
    ('yes', 'no', None)
    """
    parts = [part.strip().casefold().replace("\u2019", "'") for part in _RE.parts.split(text) if part.strip()]
    parts = [part for part in parts if part]
    if not parts:
        return None
    if _RE.no.fullmatch(parts[0]) and parts[0] not in _POLITE and all(_RE.no.fullmatch(part) for part in parts):
        return "no"
    words = [word for part in parts for word in _split(part)]
    return "yes" if words and all(words) and not _is_only_thanks(parts) else None


def _split(part: str) -> list[bool]:
    """Whether a part is made of words of agreement alone: "yes please", "sure go ahead"."""
    rest = part
    while rest:
        found = _RE.yes.match(rest)
        if found is None or (len(found[0]) < len(rest) and not rest[len(found[0])].isspace()):
            return [False]
        rest = rest[len(found[0]) :].strip()
    return [True]


def _is_only_thanks(parts: list[str]) -> bool:
    return all(part in _POLITE for part in parts)


def is_order(text: str) -> bool:
    """Whether a user tells the assistant what to do: an order to be called something is as explicit as a yes.

    >>> is_order("From now on, call me Bea"), is_order("People call me Bea"), is_order("I live in Lyon")
    (True, False, False)
    """
    return _RE.order.match(text) is not None
