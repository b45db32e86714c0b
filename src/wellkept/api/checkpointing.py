"""A memory's checkpoints: the latest state of supervisors, as Python calls them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wellkept import flows

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.sessions.checkpoints import Saved


class Checkpoints:
    """The latest state of supervisors, by user and thread. JSON only; two cannot overwrite each other unseen."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def save(
        self, user: str, thread: str, data: Mapping[str, Any], *, version: int = 0, tenant: str = "default"
    ) -> Saved:
        """Save over the version that was loaded (0: the thread has none), or raise `CheckpointConflict`.

        Texts under `history` lose their secrets; everything else is stored as it is given.
        """
        request = flows.checkpoints.SaveRequest(tenant=tenant, user=user, thread=thread, data=data, version=version)
        return flows.checkpoints.save(request, self._engine)

    def load(self, user: str, thread: str, *, tenant: str = "default") -> Saved | None:
        """The latest state of a thread."""
        found = self._engine.store.checkpoint(tenant, user, thread)
        return None if found is None else flows.checkpoints.saved(found)

    def list(self, user: str | None = None, *, limit: int = 100, tenant: str = "default") -> tuple[Saved, ...]:
        """Latest states, the last saved first."""
        found = self._engine.store.checkpoints(tenant, user=user, limit=limit)
        return tuple(flows.checkpoints.saved(one) for one in found)

    def delete(self, user: str, thread: str, *, tenant: str = "default") -> bool:
        """Remove a thread's state; False when there was none."""
        return self._engine.store.drop_checkpoint(tenant, user, thread)
