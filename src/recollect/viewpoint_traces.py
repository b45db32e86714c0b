"""The verbs of a viewpoint on governed sessions: what they decided, and what changed from phase to phase."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.flows.engine import Engine
    from recollect.flows.governed import Governed
    from recollect.policies.traces import Event
    from recollect.store.base_governed import Trace
    from recollect.types import Viewpoint as Place


class TraceVerbs:
    """A part of `Viewpoint`."""

    place: Place
    _engine: Engine

    def traces(self, session: str, *, after: int = 0, limit: int = 200) -> tuple[Trace, ...]:
        """The kept events of a governed session, oldest first, of those numbered above `after`."""
        return self._governed(session).traces(after=after, limit=limit)

    def phase_diff(
        self, session: str, from_phase: str, to_phase: str, *, space: str = "session", project: str | None = None
    ) -> list[Event]:
        """What changed between two phases of a governed session of this user."""
        return self._governed(session, project).diff(from_phase, to_phase, space=space)

    def _governed(self, session: str, project: str | None = None) -> Governed:
        from recollect.flows.governed import Governed

        return Governed(self._engine, replace(self.place, session=session, project=project))
