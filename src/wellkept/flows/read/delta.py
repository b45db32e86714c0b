"""Delta: what changed for a thread since its agent was last told, as the lines of the header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.policies.context import delta
from wellkept.store.contract import Reader

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility.memories import View
    from wellkept.store.contract import Changes
    from wellkept.types import Viewpoint


def reader_of(viewpoint: Viewpoint) -> Reader | None:
    """Who is told; nobody without a thread or a user."""
    if viewpoint.thread is None or viewpoint.user is None:
        return None
    return Reader(
        tenant=viewpoint.tenant,
        user=viewpoint.user,
        thread=viewpoint.thread,
        agent=viewpoint.agent,
        persona=viewpoint.persona,
    )


def peek(viewpoint: Viewpoint, view: View, engine: Engine) -> tuple[str, ...]:
    """The header as it would be given now; it will be given again."""
    reader = reader_of(viewpoint)
    return () if reader is None else _lines(engine.store.changed(view, reader), view, engine)


def take(viewpoint: Viewpoint, view: View, engine: Engine) -> tuple[str, ...]:
    """The header, once: whoever asks next is told of what comes after."""
    reader = reader_of(viewpoint)
    if reader is None:
        return ()
    changes = engine.store.take_changes(view, reader, at=view.now, keep_turns=engine.keep_turns)
    return _lines(changes, view, engine)


def _lines(changes: Changes, view: View, engine: Engine) -> tuple[str, ...]:
    live = sorted({one.memory_id for one in changes.changes if one.is_live})
    memories = engine.store.memories(view.tenant, live) if live else {}
    speakers = {memory.stated_by for memory in memories.values() if memory.stated_by is not None}
    known = views.persons(speakers, view, engine)
    texts = {memory_id: views.told(memory, known, view) for memory_id, memory in memories.items()}
    told = [
        delta.Told(
            rev=one.rev,
            event=one.event,
            memory_id=one.memory_id,
            category=one.category,
            importance=one.importance,
            text=texts.get(one.memory_id),
            topic=memories[one.memory_id].value if one.memory_id in memories else None,
            notes=max(memories[one.memory_id].mention_count, 2) if one.memory_id in memories else 2,
        )
        for one in changes.changes
    ]
    return delta.header(changes.since, told)
