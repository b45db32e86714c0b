"""One page a verb. A page loads when it is first used, so that a command pays for its own verb only."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from wellkept.flows.people import amend_people, consent, forget_person  # noqa: F401 -- see __getattr__
    from wellkept.flows.read import context, events, explain, query, recall, show, transcript  # noqa: F401 -- see __getattr__
    from wellkept.flows.serving import api_keys, once, webhooks  # noqa: F401 -- see __getattr__
    from wellkept.flows.sessions import chat, checkpoints, conversation, summarise, todos, turn  # noqa: F401 -- see __getattr__
    from wellkept.flows.upkeep import consolidate, curate, doctor, erase, lifetime, transfer  # noqa: F401 -- see __getattr__
    from wellkept.flows.write import amend, extract_messages, observe, remember  # noqa: F401 -- see __getattr__

_ROOMS = {
    "people": ("amend_people", "consent", "forget_person"),
    "read": ("context", "events", "explain", "query", "recall", "show", "transcript"),
    "serving": ("api_keys", "once", "webhooks"),
    "sessions": ("chat", "checkpoints", "conversation", "summarise", "todos", "turn"),
    "upkeep": ("consolidate", "curate", "doctor", "erase", "lifetime", "transfer"),
    "write": ("amend", "extract_messages", "observe", "remember"),
}
_ROOM_OF = {page: room for room, pages in _ROOMS.items() for page in pages}


def __getattr__(name: str) -> ModuleType:
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'wellkept.flows' has no attribute {name!r}")
    return import_module(f"wellkept.flows.{_ROOM_OF[name]}.{name}")
