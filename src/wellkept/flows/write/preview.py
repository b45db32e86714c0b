"""Preview: what remembering a text would do and what it would replace. It is done, looked at, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows.write import remember
from wellkept.values import frozen
from wellkept.vocabulary import OutcomeKind, Sensitivity

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import RememberRequest
    from wellkept.types import Outcome


@frozen
class Previewed:
    """What would become of one fact of the text."""

    outcome: OutcomeKind
    reason: str | None
    content: str | None
    """The text as it would be kept."""
    type: str | None
    sensitivity: Sensitivity | None
    replaced: str | None
    """Id of the memory whose place it would take."""
    replaced_content: str | None


class _Done(Exception):
    """Ends the transaction without storing anything, with what was seen in it."""

    def __init__(self, found: tuple[Previewed, ...]) -> None:
        super().__init__()
        self.found = found


def preview(request: RememberRequest, engine: Engine) -> tuple[Previewed, ...]:
    """One or more a statement, in order. Nothing is stored, and nothing is put on record."""
    try:
        with engine.store.held():
            _try(request, engine)
    except _Done as done:
        return done.found
    return ()


def _try(request: RememberRequest, engine: Engine) -> None:
    outcomes = remember.remember(request, engine)
    flat = (one for outcome in outcomes for one in (outcome, *outcome.others))
    raise _Done(tuple(_previewed(one, request.viewpoint.tenant, engine) for one in flat))


def _previewed(outcome: Outcome, tenant: str, engine: Engine) -> Previewed:
    made = engine.store.memory(tenant, outcome.id) if outcome.id is not None else None
    old = engine.store.memory(tenant, outcome.replaced) if outcome.replaced is not None else None
    return Previewed(
        outcome=outcome.outcome,
        reason=outcome.reason,
        content=outcome.content if made is None else made.content,
        type=None if made is None else made.type.value,
        sensitivity=None if made is None else made.sensitivity,
        replaced=outcome.replaced,
        replaced_content=None if old is None else old.content,
    )
