"""The one way in for callers from outside: who they are is settled, what they may do is checked, then it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect import flows
from recollect.errors import IdentityMismatch, InvalidInput, NotAllowed
from recollect.flows.once import OnceRequest
from recollect.policies.grants import PLACE_NAMES, Grant, contradiction, placed
from recollect.surfaces.spans import span
from recollect.values import frozen

if TYPE_CHECKING:
    from recollect.app import Memory, Viewpoint
    from recollect.operation import Operation


@frozen
class Call:
    """An operation with its arguments, as a caller asks for it."""

    operation: Operation
    arguments: Mapping[str, Any]
    place: Mapping[str, Any]
    """The viewpoint that the caller claims."""
    grant: Grant
    surface: str
    key: str | None = None
    """Idempotency key of a write."""


class Gateway:
    """A memory for callers from outside."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def run(self, call: Call) -> Any:  # noqa: ANN401 -- JSON is what it gives
        """The answer of a call as JSON."""
        viewpoint = self.viewpoint(call.grant, call.place)
        arguments = call.operation.given(call.arguments)
        call.operation.permit(arguments, is_operator=call.grant.is_operator)

        def work() -> Any:  # noqa: ANN401 -- JSON is what it gives
            return call.operation.run(viewpoint, arguments)

        with span(call.operation, viewpoint.place, surface=call.surface):
            if call.key is None or not call.operation.is_write or call.operation.is_secret:
                return work()
            return self._once(call, viewpoint, work)

    def _once(self, call: Call, viewpoint: Viewpoint, work: Callable[[], Any]) -> Any:  # noqa: ANN401 -- JSON
        asked = [call.operation.name, dict(call.arguments), dict(call.place)]
        request = OnceRequest(viewpoint=viewpoint.place, caller=call.grant.caller, key=call.key or "", asked=asked)
        return flows.once.once(request, work, self.memory.engine)

    def viewpoint(self, grant: Grant, asked: Mapping[str, Any]) -> Viewpoint:
        """The memory as this caller may see it."""
        unknown = sorted(set(asked) - set(PLACE_NAMES))
        if unknown:
            known = ", ".join(PLACE_NAMES)
            raise InvalidInput(
                f"Unknown part of a viewpoint: {unknown[0]!r}. Known: {known}.", code="invalid_viewpoint"
            )
        for name, value in asked.items():
            is_list = isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
            if value is not None and not (is_list if name == "participants" else isinstance(value, str)):
                kind = "a list of texts" if name == "participants" else "a text"
                raise InvalidInput(f"{name} of a viewpoint must be {kind}.", code="invalid_viewpoint")
        claimed = contradiction(grant, asked)
        if claimed is not None:
            raise IdentityMismatch(claimed)
        viewpoint = self.memory.at(**placed(grant, asked))
        if grant.must_take_part:
            self._check_presence(viewpoint)
        return viewpoint

    def _check_presence(self, viewpoint: Viewpoint) -> None:
        """A user's own key opens the chats that the user is known to be in, with the people known to be there."""
        place, store = viewpoint.place, self.memory.engine.store
        present = (
            store.attendance(place.tenant, [place.chat]).get(place.chat, frozenset()) if place.chat else frozenset()
        )
        wanted = [place.user, *place.participants] if present else list(place.participants)
        people = store.persons_of(place.tenant, [user for user in wanted if user is not None])
        if any(user not in people or people[user].id not in present for user in wanted if user is not None):
            raise NotAllowed("This key opens only chats in which its user takes part.", code="not_participant")
