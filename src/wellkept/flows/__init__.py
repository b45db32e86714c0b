"""One page a verb. A page loads when it is first used, so that a command pays for its own verb only."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from wellkept.flows import (
        amend,
        chat,
        checkpoints,
        consent,
        consolidate,
        context,
        conversation,
        curate,
        doctor,
        erase,
        events,
        explain,
        extract_messages,
        forget_person,
        gc,
        insights,
        keys,
        lifetime,
        listing,
        observe,
        once,
        people_by_hand,
        query,
        recall,
        remember,
        seal,
        showing,
        summarise,
        todos,
        tokens,
        transfer,
        turn,
    )

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
    "query",
    "recall",
    "remember",
    "seal",
    "showing",
    "summarise",
    "todos",
    "tokens",
    "transfer",
    "turn",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module 'wellkept.flows' has no attribute {name!r}")
    return import_module(f"wellkept.flows.{name}")
