"""Find one memory by id or unique prefix, and say who may change it. Invisible and absent look the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import Ambiguous, MemoryNotFound
from wellkept.flows import views
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import MemoryRequest
    from wellkept.policies.visibility.memories import View
    from wellkept.types import Memory

PREFIX_MIN = 3
ID_MAX = 64


def one(request: MemoryRequest, engine: Engine) -> tuple[Memory, View]:
    """The memory and the view it was found through; `not_found` for what the asker cannot see."""
    view = views.view_of(request.viewpoint, engine, engine.clock())
    wanted = request.memory_id
    if not PREFIX_MIN <= len(wanted) <= ID_MAX:
        raise MemoryNotFound(wanted)
    found = engine.store.find(view, wanted)
    if not found:
        raise MemoryNotFound(wanted)
    exact = [memory for memory in found if memory.id == wanted]
    if exact:
        return exact[0], view
    if len(found) > 1:
        raise Ambiguous("That id", tuple(memory.id for memory in found))
    return found[0], view


def refusal(memory: Memory, view: View, engine: Engine) -> str | None:
    """Why this view may not change the memory, if so: a personal one is its owner's, a chat's its participants'."""
    if memory.space is Space.CHAT:
        taking_part = engine.store.attendance(memory.tenant, [memory.owner]).get(memory.owner, frozenset())
        # Without a user it is work of the chat itself; a user who is nobody yet took part in nothing.
        return None if view.user is None or view.person in taking_part else "not_participant"
    if memory.space is Space.USER:
        return None if memory.owner == view.user else "not_owner"
    return None if (memory.space, memory.owner) in view.spaces else "not_owner"
