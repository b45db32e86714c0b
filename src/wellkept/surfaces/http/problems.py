"""Errors as HTTP answers: one table of statuses, one form (problem+json), the same codes as everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wellkept import errors

if TYPE_CHECKING:
    from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"

STATUSES: Mapping[type[errors.WellkeptError], int] = {
    errors.InvalidInput: 422,
    errors.MemoryNotFound: 404,
    errors.PersonNotFound: 404,
    errors.KeyNotFound: 404,
    errors.Ambiguous: 409,
    errors.NotAllowed: 403,
    errors.Unauthorized: 401,
    errors.Refused: 422,
    errors.RestoreRefused: 409,
    errors.KeyTaken: 409,
    errors.CheckpointConflict: 412,
    errors.VersionConflict: 412,
    errors.IdempotencyMismatch: 422,
    errors.TooLarge: 413,
    errors.TooMany: 429,
    errors.StoreBusy: 503,
    # The messages are stored: whoever repeats a 503 by themselves must not repeat this.
    errors.KeptUnread: 500,
    errors.StoreError: 503,
    errors.EmbedderUnavailable: 503,
    errors.MissingExtra: 501,
}
"""By class; a class that is not here has the status of its nearest ancestor."""
BY_CODE: Mapping[str, int] = {
    "bad_json": 400,
    "body_timeout": 408,
    "forbidden_host": 421,
    "forbidden_origin": 403,
    "invalid_text": 422,
    "unknown_path": 404,
    "unsupported": 501,
    "unknown_method": 405,
}
DEFAULT_STATUS = 422


def status_of(error: errors.WellkeptError) -> int:
    """The status of an error."""
    if error.code in BY_CODE:
        return BY_CODE[error.code]
    if isinstance(error, LookupError) and error.code == "not_found":
        return 404
    return next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), DEFAULT_STATUS)


def problem(code: str, message: str, status: int, *, headers: Mapping[str, str] | None = None) -> Response:
    """A problem document. `type` is a URN made of the code, for there is no page to look at."""
    from starlette.responses import Response

    body = {"type": f"urn:wellkept:{code}", "title": code, "status": status, "detail": message, "code": code}
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(text, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def answer(error: errors.WellkeptError) -> Response:
    """An error as its problem document."""
    status = status_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}  # noqa: PLR2004 -- HTTP's own
    if status in (429, 503):
        headers["Retry-After"] = str(error.retry_seconds if isinstance(error, errors.TooMany) else 1)
    return problem(error.code, str(error), status, headers=headers)
