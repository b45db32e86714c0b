"""The one way in for callers from outside: who they are is settled, what they may do is checked, then it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect import flows
from recollect.errors import IdentityMismatch, InvalidInput, NotAllowed
from recollect.flows.once import OnceRequest
from recollect.policies.grants import PLACE_NAMES, Grant, Vouched, bound, contradiction, is_of_another, placed
from recollect.surfaces.spans import span
from recollect.values import frozen
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from recollect.app import Memory, Viewpoint
    from recollect.operation import Operation
    from recollect.types import Viewpoint as Place


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
        if call.grant.is_bound:
            _check_speakers(call.operation, arguments, viewpoint.place)

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
        if not grant.is_bound:
            return viewpoint
        self._check_presence(viewpoint.place)
        mine = bound(viewpoint.place, self._vouched(viewpoint.place))
        if mine is None:
            raise InvalidInput("Whose session or project is it? Name the user.", code="no_owner")
        return self.memory.at(**vars(mine))

    def _vouched(self, place: Place) -> Vouched:
        """What the store knows of the places that a viewpoint names."""
        if place.user is None:
            return Vouched()
        named = ((Space.SESSION, place.session), (Space.PROJECT, place.project))
        places = [(space, owner) for space, owner in named if owner is not None]
        opened = self.memory.engine.store.opened(place.tenant, place.user, places)
        return Vouched(opened=frozenset(str(space) for space, _ in opened))

    def _check_presence(self, place: Place) -> None:
        """A user's own key opens the chats that the user is known to be in, with the people known to be there."""
        store = self.memory.engine.store
        present = (
            store.attendance(place.tenant, [place.chat]).get(place.chat, frozenset()) if place.chat else frozenset()
        )
        wanted = [place.user, *place.participants] if present else list(place.participants)
        people = store.persons_of(place.tenant, [user for user in wanted if user is not None])
        if any(user not in people or people[user].id not in present for user in wanted if user is not None):
            raise NotAllowed("This key opens only chats in which its user takes part.", code="not_participant")


def _check_speakers(operation: Operation, arguments: Mapping[str, Any], place: Place) -> None:
    """Messages that a bound key brings are its user's own words, or replies."""
    told = (arguments.get(one.name, ()) for one in operation.parameters if one.kind == "messages")
    if any(isinstance(message, Mapping) and is_of_another(message, place) for said in told for message in said):
        raise IdentityMismatch("speaker")
