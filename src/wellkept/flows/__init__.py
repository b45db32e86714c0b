"""One page a verb. A page loads when it is first used, so that a command pays for its own verb only."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from wellkept.flows.people import consent, forget_person, people_by_hand
    from wellkept.flows.read import context, events, explain, listing, query, recall, reveal, showing, transcript
    from wellkept.flows.serving import keys, once, tokens, webhooks
    from wellkept.flows.sessions import chat, checkpoints, conversation, insights, summarise, todos, turn
    from wellkept.flows.upkeep import consolidate, curate, doctor, erase, gc, lifetime, seal, subject_access, transfer
    from wellkept.flows.write import amend, extract_messages, observe, preview, remember

__all__ = [
    "amend",
    "chat",
    "checkpoints",
    "consent",
    "consolidate",
    "context",
    "conversation",
    "curate",
    "doctor",
    "erase",
    "events",
    "explain",
    "extract_messages",
    "forget_person",
    "gc",
    "insights",
    "keys",
    "lifetime",
    "listing",
    "observe",
    "once",
    "people_by_hand",
    "preview",
    "query",
    "recall",
    "remember",
    "reveal",
    "seal",
    "showing",
    "subject_access",
    "summarise",
    "todos",
    "tokens",
    "transcript",
    "transfer",
    "turn",
    "webhooks",
]


_ROOMS = {
    "amend": "write",
    "chat": "sessions",
    "checkpoints": "sessions",
    "consent": "people",
    "consolidate": "upkeep",
    "context": "read",
    "conversation": "sessions",
    "curate": "upkeep",
    "doctor": "upkeep",
    "erase": "upkeep",
    "events": "read",
    "explain": "read",
    "extract_messages": "write",
    "forget_person": "people",
    "gc": "upkeep",
    "insights": "sessions",
    "keys": "serving",
    "lifetime": "upkeep",
    "listing": "read",
    "observe": "write",
    "once": "serving",
    "people_by_hand": "people",
    "preview": "write",
    "query": "read",
    "recall": "read",
    "remember": "write",
    "reveal": "read",
    "seal": "upkeep",
    "showing": "read",
    "subject_access": "upkeep",
    "summarise": "sessions",
    "todos": "sessions",
    "tokens": "serving",
    "transcript": "read",
    "transfer": "upkeep",
    "turn": "sessions",
    "webhooks": "serving",
}


def __getattr__(name: str) -> ModuleType:
    if name not in _ROOMS:
        raise AttributeError(f"module 'wellkept.flows' has no attribute {name!r}")
    return import_module(f"wellkept.flows.{_ROOMS[name]}.{name}")
