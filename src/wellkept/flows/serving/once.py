"""Once: do a write and keep its answer with it, or give the answer that is kept."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from wellkept.errors import IdempotencyMismatch, InvalidInput, KeptUnread, StoreError, WellkeptError
from wellkept.store.contract import Answer, AnswersBefore
from wellkept.store.driver import UniqueClash
from wellkept.store.encoding import from_json
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellkept.flows.engine import Engine
    from wellkept.types import Viewpoint

KEPT_FOR = timedelta(days=1)
KEY_LENGTH_MAX = 200


@frozen
class OnceRequest:
    """A write under a key of the caller's own choice."""

    viewpoint: Viewpoint
    caller: str
    key: str
    asked: Any
    """What is asked for, as JSON: the same key with something else is an error."""

    @property
    def hash(self) -> str:
        """Of what is asked for."""
        said = json.dumps(self.asked, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(said.encode()).hexdigest()


def once(request: OnceRequest, work: Callable[[], Any], engine: Engine) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """The answer of `work`, which is done at most once a key and day, whatever fails in between."""
    if not 0 < len(request.key) <= KEY_LENGTH_MAX or not request.key.isprintable() or not request.key.isascii():
        raise InvalidInput(
            f"An idempotency key has 1 to {KEY_LENGTH_MAX} printable ASCII characters.", code="invalid_idempotency_key"
        )
    store, place = engine.store, request.viewpoint
    kept = store.answered(place.tenant, request.caller, request.key)
    if kept is not None:
        return _given_before(kept, request)
    failed: WellkeptError | None = None
    answer: Any = None
    try:
        with store.transaction(is_lazy=True):
            try:
                answer = work()
            except KeptUnread as error:
                # Here the messages and what they teach are one transaction: neither is stored.
                raise error.failure from error
            except StoreError:
                raise
            except WellkeptError as error:
                # What was put on record about the refusal stays; an error is not an answer to keep.
                failed = error
            else:
                now = engine.clock()
                store.drop(AnswersBefore(tenant=place.tenant, since=now - KEPT_FOR))
                store.keep(_answer(request, answer, engine))
    except UniqueClash:
        # Somebody did the same in the same moment: theirs is stored, and nothing of ours.
        kept = store.answered(place.tenant, request.caller, request.key)
        if kept is None:
            raise
        return _given_before(kept, request)
    if failed is not None:
        raise failed
    return answer


def _answer(request: OnceRequest, answer: object, engine: Engine) -> Answer:
    return Answer(
        tenant=request.viewpoint.tenant,
        caller=request.caller,
        key=request.key,
        request=request.hash,
        user=request.viewpoint.user,
        body=json.dumps(answer, ensure_ascii=False),
        at=engine.clock(),
    )


def _given_before(kept: Answer, request: OnceRequest) -> Any:  # noqa: ANN401 -- JSON is what it gives
    if kept.request != request.hash:
        raise IdempotencyMismatch
    return from_json(kept.body)
