"""A governed session as programs hold it: recall, record, phases; each call gives its events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept.errors import ConfigError, InvalidInput
from wellkept.flows.governed import phases, read, recall, record
from wellkept.flows.governed.run import Session
from wellkept.policies.callers.limits import check_limit
from wellkept.policies.governance.phases import MANUAL
from wellkept.policies.governance.policy_loader import load_policy
from wellkept.values import changed
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.policies.governance.policy import Policy
    from wellkept.policies.governance.traces import Event
    from wellkept.store.contract import Trace
    from wellkept.types import Viewpoint

ID_MAX = 512
SHOWN_MAX = 10_000


class Governed:
    """A session with a policy. Every answer is a list of event dicts, JSON-ready and without a clock in them."""

    def __init__(
        self,
        engine: Engine,
        place: Viewpoint,
        *,
        profile: str = "assistant",
        policy: Policy | Mapping[str, Any] | Path | str | None = None,
    ) -> None:
        if place.session is None:
            raise InvalidInput("A governed session needs its id: governed(session=…).", code="no_session")
        named: tuple[tuple[str, object], ...] = (("session", place.session), ("profile", profile))
        for name, value in named:
            if not isinstance(value, str) or not 0 < len(value) <= ID_MAX or "\x00" in value:
                raise InvalidInput(f"{name} must be a text of 1 to {ID_MAX} characters without NUL.", code="invalid_id")
        # Without a user the session speaks for itself, so that two sessions never share a person by accident.
        whole = changed(place, user=place.user or place.session, project=place.project or place.session)
        self.session = Session(
            engine=changed(engine, judge=engine.judge.steady()),
            place=whole,
            session=place.session,
            profile=profile,
            policy=_policy(policy),
        )

    def recall(self, query: str) -> list[Event]:
        """What bears on the query: `memory_recall`, then the borders that were crossed and what was forgotten."""
        read.require_text("query", query)
        return recall.recall(self.session, query)

    def record(
        self,
        *,
        user: str | None = None,
        ai: str | None = None,
        tools: Sequence[str | Mapping[str, Any]] = (),
        promotion_target: str | None = None,
    ) -> list[Event]:
        """One exchange: what the user said, what tools gave, what the assistant answered."""
        for name, text in (("user", user), ("ai", ai)):
            if text is not None:
                read.require_text(name, text)
        if not isinstance(tools, (list, tuple)) or len(tools) > read.TOOLS_MAX:
            raise InvalidInput(f"tools is a list of at most {read.TOOLS_MAX} outputs.", code="invalid_tool")
        turn = read.Turn(
            user=user,
            ai=ai,
            tools=tuple(read.tool(one) for one in tools),
            promotion_target=read.target(promotion_target),
        )
        return record.record(self.session, turn)

    def start_phase(self, name: str | None = None, reason: str = MANUAL) -> list[Event]:
        """Begin the next phase of the session."""
        return phases.start_phase(self.session, name=name, reason=reason)

    def diff(self, from_phase: str, to_phase: str, space: str = "session") -> list[Event]:
        """What changed between two phases of a space."""
        found = next((one for one in self.session.owners if one.value == space), None)
        if found is None:
            raise InvalidInput("space must be session, user, project or system.", code="invalid_space")
        return phases.diff(self.session, from_phase, to_phase, space=found)

    def traces(self, *, after: int = 0, limit: int = SHOWN_MAX) -> tuple[Trace, ...]:
        """The kept events of this session, oldest first."""
        check_limit(limit, SHOWN_MAX)
        session = self.session
        return session.engine.store.traces(session.tenant, Space.SESSION, session.session, after=after, limit=limit)


def _policy(given: Policy | Mapping[str, Any] | Path | str | None) -> Policy:
    """A policy as it is, by name, from a dict, from a TOML text, or from a file of one."""
    is_file = isinstance(given, Path) or (isinstance(given, str) and given.endswith(".toml") and "\n" not in given)
    if not is_file:
        return load_policy(given)  # type: ignore[arg-type]  # no path, as was just seen
    try:
        return load_policy(Path(str(given)).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The policy {given} cannot be read: {error}.") from error
