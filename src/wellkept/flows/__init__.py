"""One page a verb. A page loads when it is first used, so that a command pays for its own verb only."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from wellkept.flows.people import amend_people, consent  # noqa: F401 -- see __getattr__
    from wellkept.flows.read import context, events, recall, show, transcript  # noqa: F401 -- see __getattr__
    from wellkept.flows.serving import api_keys, once, webhooks  # noqa: F401 -- see __getattr__
    from wellkept.flows.sessions import chat, checkpoints, summarise, todos, turn  # noqa: F401 -- see __getattr__
    from wellkept.flows.upkeep import consolidate, doctor, erase, lifetime, transfer  # noqa: F401 -- see __getattr__
    from wellkept.flows.write import amend, extract_messages, observe, remember  # noqa: F401 -- see __getattr__

_ROOMS = {
    "people": ("amend_people", "consent"),
    "read": ("context", "events", "recall", "show", "transcript"),
    "serving": ("api_keys", "once", "webhooks"),
    "sessions": ("chat", "checkpoints", "summarise", "todos", "turn"),
    "upkeep": ("consolidate", "doctor", "erase", "lifetime", "transfer"),
    "write": ("amend", "extract_messages", "observe", "remember"),
}


def __getattr__(name: str) -> ModuleType:
    room = next((room for room, pages in _ROOMS.items() if name in pages), None)
    if room is None:
        raise AttributeError(f"module 'wellkept.flows' has no attribute {name!r}")
    page = globals()[name] = import_module(f"wellkept.flows.{room}.{name}")
    return page
