"""Who writes when upkeep does: nobody in particular, with sight of one scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows import draft, views
from recollect.types import Viewpoint
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from recollect.flows.engine import Engine


def of_place(tenant: str, space: Space, owner: str, engine: Engine) -> draft.Writer:
    """The writer of one scope's upkeep."""
    is_personal = space is Space.USER
    asker = Viewpoint(tenant=tenant, user=owner if is_personal else None, chat=None if is_personal else owner)
    view = views.view_of(asker, engine, engine.clock())
    return draft.Writer(viewpoint=Viewpoint(tenant=tenant), view=view, speaker=None, engine=engine, node="worker")
