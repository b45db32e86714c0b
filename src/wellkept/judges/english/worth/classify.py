"""What a statement does, for governance: corrects, prefers, decides, states a fact, or gives context."""

from __future__ import annotations

from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.slots.fact_keys import slot_of
from wellkept.judges.english.worth.standing import orders
from wellkept.judges.english.worth.traits import event_type_of
from wellkept.vocabulary import EventType


def classify(text: str) -> tuple[EventType, float]:
    """The governance class of a text, with a confidence 0..1."""
    found = _classified(text)
    # "No more jokes, please", "could you stop using tables from now on?": what is wanted for good is preferred.
    return (EventType.PREFERENCE, 0.9) if found[0] is EventType.CONTEXT and orders(text) else found


def _classified(text: str) -> tuple[EventType, float]:
    clauses = parse(text)
    told = [clause for clause in clauses if clause.type in {"declarative", "imperative", "fragment"}]
    if not told:
        return EventType.CONTEXT, 0.6
    stated = [clause for clause in told if clause.type == "declarative" and clause.subject is not None]
    return event_type_of(text, has_slot=any(map(slot_of, told)), is_declarative=bool(stated))
