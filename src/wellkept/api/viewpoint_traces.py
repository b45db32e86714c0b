"""The verbs of a viewpoint on governed sessions: what they decided, and what changed from phase to phase."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.policies.callers.limits import check_limit
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.governed.session import Governed
    from wellkept.policies.governance.phases import Phase
    from wellkept.policies.governance.traces import Event
    from wellkept.store.contract import GovernedSession, Trace
    from wellkept.types import Viewpoint as Place

LIMIT_MAX = 1_000
MANUAL = "manual"


class TraceVerbs:
    """A part of `Viewpoint`."""

    place: Place
    _engine: Engine

    def traces(self, session: str, *, after: int = 0, limit: int = 200) -> tuple[Trace, ...]:
        """The kept events of a governed session, oldest first, of those numbered above `after`."""
        return self._governed(session).traces(after=after, limit=limit)

    def governed_sessions(self, *, limit: int = 50) -> tuple[GovernedSession, ...]:
        """Governed sessions that have traces, the one of the latest decision first."""
        check_limit(limit, LIMIT_MAX)
        return self._engine.store.governed_sessions(self.place.tenant, limit=limit)

    def phases(self, session: str) -> tuple[Phase, ...]:
        """The phases of a governed session's own space, oldest first."""
        return self._engine.store.phases(self.place.tenant, Space.SESSION, session)

    def start_phase(self, session: str, *, name: str | None = None, reason: str = MANUAL) -> list[Event]:
        """Begin the next phase of a governed session, by the policy it lives by."""
        if not self.traces(session, limit=1):
            raise InvalidInput("There is no governed session of that name.", code="unknown_session")
        return self._governed(session).start_phase(name, reason)

    def phase_diff(
        self, session: str, from_phase: str, to_phase: str, *, space: str = "session", project: str | None = None
    ) -> list[Event]:
        """What changed between two phases of a governed session of this user."""
        return self._governed(session, project).diff(from_phase, to_phase, space=space)

    def _governed(self, session: str, project: str | None = None) -> Governed:
        from wellkept.flows.governed.session import Governed

        policy = self._engine.store.lived_by(self.place.tenant, Space.SESSION, session)
        return Governed(self._engine, replace(self.place, session=session, project=project), policy=policy)
