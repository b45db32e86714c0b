"""A supervisor's checkpoints: its latest state as JSON, saved over the version that was read, its history masked."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, uuid5

from wellkept.errors import InvalidInput
from wellkept.policies.secrets.detector import mask
from wellkept.store.contract import Checkpoint
from wellkept.store.encoding import canonical
from wellkept.store.tagged import PLAIN
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.flows.engine import Engine

ID_MAX = 512


@frozen
class Saved:
    """A supervisor's state as it is loaded; save the next one with `version=` this one."""

    id: str
    user_id: str
    thread_id: str
    data: Mapping[str, Any]
    version: int
    created_at: datetime
    updated_at: datetime


@frozen
class SaveRequest:
    """A state to be saved over the version that was loaded; 0 for a thread that has none."""

    tenant: str
    user: str
    thread: str
    data: Mapping[str, Any]
    version: int = 0


def save(request: SaveRequest, engine: Engine) -> Saved:
    """Save, or raise `CheckpointConflict`: then another supervisor was there first."""
    for name in ("tenant", "user", "thread"):
        value = getattr(request, name)
        if not isinstance(value, str) or not 0 < len(value) <= ID_MAX or "\0" in value:
            raise InvalidInput(f"{name} must be a text of 1 to {ID_MAX} characters without NUL.", code="invalid_id")
    data = {key: masked(item) for key, item in request.data.items()}
    now = engine.clock()
    before = next(iter(engine.store.checkpoints(request.tenant, user=request.user, thread=request.thread)), None)
    made = uuid5(NAMESPACE_OID, canonical([request.tenant, request.user, request.thread]))
    checkpoint = Checkpoint(
        tenant=request.tenant,
        id=str(made) if before is None else before.id,
        user_id=request.user,
        thread_id=request.thread,
        data=PLAIN.dumps(data),
        version=request.version + 1,
        created_at=now if before is None else before.created_at,
        updated_at=now,
    )
    engine.store.keep(checkpoint)
    return saved(checkpoint)


def saved(checkpoint: Checkpoint) -> Saved:
    """As the caller sees it."""
    fields = {name: value for name, value in vars(checkpoint).items() if name not in ("tenant", "data")}
    return Saved(**fields, data=PLAIN.loads(checkpoint.data))


def tagged(data: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """A state as JSON says it, with tags for what JSON has no word for."""
    return json.loads(PLAIN.dumps(dict(data)))


def untagged(data: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- whatever was saved
    """The state that such JSON says; an unknown tag is an error."""
    return PLAIN.loads(json.dumps(dict(data)))


def masked(value: Any) -> Any:  # noqa: ANN401 -- walks any value
    """A value with every text in it without its secrets."""
    match value:
        case str():
            return mask(value)
        case dict():
            return {key: masked(item) for key, item in value.items()}
        case list():
            return [masked(item) for item in value]
        case tuple():
            return tuple(masked(item) for item in value)
        case _:
            return value
