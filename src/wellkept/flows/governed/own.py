"""Whose a governed item is: a user's own, told of themself, or common to all who speak in its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.governed.read import OF_THE_USER
from wellkept.patterns import deferred
from wellkept.policies.governance.policy import PROFILE_SLOTS
from wellkept.policies.people.names import is_named
from wellkept.vocabulary import EventType, MemoryType, Space

if TYPE_CHECKING:
    from wellkept.flows.governed.run import Run
    from wellkept.types import Memory, Person

_PERSONAL = frozenset({MemoryType.IDENTITY, MemoryType.PREFERENCE, MemoryType.RELATIONSHIP})
_SLOTS_OF_A_USER = PROFILE_SLOTS - {"project"}
_TOGETHER = deferred(r"(?i)\b(?:we|us|our|ours|let['’]?s)\b")


def is_anothers_own(memory: Memory, run: Run) -> bool:
    """Whether another user of the session said it of themself: "the user" in it is not the one who speaks now."""
    actor = memory.actor_id
    if memory.space is not Space.SESSION or actor is None or actor == run.session.place.user:
        return False
    other = _person(actor, run)
    return other is not None and memory.subject_person_ids == (other.id,) and _tells_of(memory, other)


def is_common(memory: Memory, run: Run) -> bool:
    """Whether it is about nobody: it counts as its user's word only because they said it."""
    if not memory.subject_person_ids:
        return True
    user = None if memory.actor_id is None else _person(memory.actor_id, run)
    return user is not None and memory.subject_person_ids == (user.id,) and not _tells_of(memory, user)


def _person(user: str, run: Run) -> Person | None:
    session = run.session
    return session.engine.store.person_of(session.tenant, user, is_whole=False)


def _tells_of(memory: Memory, user: Person) -> bool:
    """Whether its words, or the slot that a tool filled, are about the user with whom it was recorded."""
    if memory.event_type is EventType.DECISION and _TOGETHER.search(memory.quote or memory.content):
        return False
    if views.named(memory.content, "") != memory.content or is_named(memory.content, (user.name,)):
        return True
    if memory.source == "tool":
        slot = (memory.fact_key or "").split(":", 1)[0]
        return slot in _SLOTS_OF_A_USER or OF_THE_USER.match(memory.content) is not None
    # Words of other languages stay as they were said; a name may be another one by now.
    is_retold = memory.quote is not None or memory.language not in (None, "en")
    return is_retold and memory.type in _PERSONAL
