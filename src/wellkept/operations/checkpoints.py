"""The operations on checkpoints: the latest state of a user's supervisors, by thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellkept import flows
from wellkept.operations.operation import Operation, Parameter
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.flows.sessions.checkpoints import Saved

_HEAD = ("id", "user_id", "thread_id", "version", "created_at", "updated_at")
THREAD = Parameter(name="thread_id", doc="The thread of the supervisor.", is_required=True)


def _head(value: Saved) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return {name: as_json(getattr(value, name)) for name in _HEAD}


def _heads(value: Sequence[Saved]) -> Any:  # noqa: ANN401 -- JSON is what it gives
    return [_head(one) for one in value]


def _whole(value: Saved) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """With the data as it is stored: JSON, and tags for what JSON has no word for."""
    return _head(value) | {"data": flows.checkpoints.tagged(value.data)}


def _save(viewpoint: Viewpoint, given: Mapping[str, Any]) -> Saved:
    """Tags are read as `_whole` writes them, so that what was loaded can be saved again."""
    return viewpoint.save_checkpoint(**{**given, "data": flows.checkpoints.untagged(given["data"])})


CHECKPOINTS: tuple[Operation, ...] = (
    Operation(
        name="checkpoints",
        python="checkpoints",
        cli=("checkpoint", "list"),
        rpc="checkpoint.list",
        http=("GET", "/v1/checkpoints"),
        doc="List the threads that have a checkpoint, the last saved first.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=100),),
        answer=_heads,
    ),
    Operation(
        name="checkpoint",
        python="checkpoint",
        cli=("checkpoint", "show"),
        rpc="checkpoint.show",
        http=("GET", "/v1/checkpoints/{thread_id}"),
        doc="Show the latest state of a thread.",
        parameters=(THREAD,),
        answer=_whole,
        etag="version",
    ),
    Operation(
        name="save_checkpoint",
        python="save_checkpoint",
        cli=("checkpoint", "save"),
        rpc="checkpoint.save",
        http=("POST", "/v1/checkpoints/{thread_id}"),
        doc="Save the state of a thread over the version that was loaded; refused when another was there first.",
        parameters=(
            THREAD,
            Parameter(name="data", kind="object", doc="The state, a JSON object.", is_required=True),
            Parameter(name="version", kind="integer", doc="The one that was loaded; 0: there was none.", default=0),
        ),
        answer=_head,
        call=_save,
        if_match="version",
    ),
    Operation(
        name="delete_checkpoint",
        python="delete_checkpoint",
        cli=("checkpoint", "delete"),
        rpc="checkpoint.delete",
        http=("DELETE", "/v1/checkpoints/{thread_id}"),
        doc="Remove the state of a thread.",
        parameters=(THREAD,),
        answer=_head,
    ),
)
