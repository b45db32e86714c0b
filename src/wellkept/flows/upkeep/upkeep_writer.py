"""Who writes when upkeep does: nobody in particular, with sight of one scope."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.write import draft, reconcile
from wellkept.policies.writing import conflict
from wellkept.store.contract import Change
from wellkept.types import Viewpoint
from wellkept.vocabulary import Space, State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Node
    from wellkept.types import Memory


def of_place(tenant: str, space: Space, owner: str, engine: Engine, *, node: Node = "worker") -> draft.Writer:
    """The writer of one scope's upkeep."""
    is_personal = space is Space.USER
    asker = Viewpoint(tenant=tenant, user=owner if is_personal else None, chat=None if is_personal else owner)
    view = views.view_of(asker, engine, engine.clock())
    return draft.Writer(viewpoint=Viewpoint(tenant=tenant), view=view, speaker=None, engine=engine, node=node)


def archive(memory: Memory, reason: str, by: str | None, writer: draft.Writer) -> None:
    """Take a memory out of recall because another says it: kept, restorable."""
    now = writer.view.now
    gone = replace(
        memory,
        state=State.ARCHIVED,
        archive_reason=reason,
        superseded_by=by,
        updated_at=now,
        version=memory.version + 1,
    )
    entry = reconcile.entry("merge", gone, writer, reason, into=by)
    writer.engine.store.apply([Change(memory=gone, entry=entry)], at=now)


def retire(settled: conflict.Conflict, writer: draft.Writer) -> None:
    """The loser of two that contradict each other is superseded by the winner."""
    over = reconcile.superseded(settled.loser, settled.winner, writer)
    entry = reconcile.entry("update", over, writer, "superseded", by=settled.winner.id, rule=settled.rule)
    edge = reconcile.supersedes(settled.winner, settled.loser)
    writer.engine.store.apply([Change(memory=over, entry=entry, edges=(edge,))], at=writer.view.now)
