"""The verbs of a viewpoint on the checkpoints of its user's supervisors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.api.checkpointing import Checkpoints
from wellkept.errors import CheckpointNotFound, InvalidInput
from wellkept.policies.callers.limits import check_limit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.flows.engine import Engine
    from wellkept.flows.sessions.checkpoints import Saved
    from wellkept.types import Viewpoint as Place

LISTED_MAX = 1_000


class CheckpointVerbs:
    """A part of `Viewpoint`."""

    place: Place
    _engine: Engine

    def checkpoints(self, *, limit: int = 100) -> tuple[Saved, ...]:
        """The latest states of this user's threads, the last saved first."""
        check_limit(limit, LISTED_MAX)
        return Checkpoints(self._engine).list(self._owner(), limit=limit, tenant=self.place.tenant)

    def checkpoint(self, thread_id: str) -> Saved:
        """The latest state of a thread, or `CheckpointNotFound`."""
        found = Checkpoints(self._engine).load(self._owner(), thread_id, tenant=self.place.tenant)
        if found is None:
            raise CheckpointNotFound(thread_id)
        return found

    def save_checkpoint(self, thread_id: str, data: Mapping[str, Any], *, version: int = 0) -> Saved:
        """Save over the version that was loaded (0: the thread has none), or raise `CheckpointConflict`."""
        return Checkpoints(self._engine).save(self._owner(), thread_id, data, version=version, tenant=self.place.tenant)

    def delete_checkpoint(self, thread_id: str) -> Saved:
        """Remove the state of a thread; what it was."""
        found = self.checkpoint(thread_id)
        Checkpoints(self._engine).delete(self._owner(), thread_id, tenant=self.place.tenant)
        return found

    def _owner(self) -> str:
        if self.place.user is None:
            raise InvalidInput("Whose checkpoints? Name a user.", code="no_owner")
        return self.place.user
