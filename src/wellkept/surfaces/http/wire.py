"""How requests are read and errors are told: ids in paths, JSON from strangers, files, and problem documents."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, unquote_to_bytes

from wellkept import errors
from wellkept.errors import InvalidInput, TooLarge

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An application as the ASGI specification has it."""

# --- Paths: what stands between two slashes is one id, whatever is in it; a slash of its own is %2F there.


def routed(scope: Mapping[str, Any]) -> str:
    """The path by which a request finds its route: one spelling for all that mean the same, its ids still quoted.

    >>> routed({"path": "/v1/traces/a/b", "raw_path": b"/%76%31/traces/a%2Fb"})
    '/v1/traces/a%2Fb'
    """
    raw = scope.get("raw_path")
    parts = scope["path"].split("/") if raw is None else map(_read, raw.split(b"/"))
    return "/".join(map(quoted, parts))


def quoted(text: object) -> str:
    """An id as it stands in a path."""
    return quote(str(text), safe="", errors="replace")


def named(request: Request, name: str) -> str:
    """The id that stands in the path of a request under this name."""
    return _read(request.path_params[name])


def _read(part: str | bytes) -> str:
    return unquote_to_bytes(part).decode("utf-8", "replace")


# --- Bodies: read strictly, within limits, with an error that says what is wrong.


def parsed(body: bytes, *, depth_max: int) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """The value of a JSON text. Refuses what other readers would understand otherwise: repeated names, NaN."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("The body is not valid UTF-8.", code="bad_json") from None
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
    except RecursionError:
        raise TooLarge(f"JSON may be at most {depth_max} levels deep.", code="too_deep") from None
    except InvalidInput:
        raise
    except ValueError:
        raise InvalidInput("The body is not valid JSON.", code="bad_json") from None
    _check(value, depth_max)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidInput("A name occurs twice in one object.", code="bad_json")
    return found


def _constant(_name: str) -> NoReturn:
    raise InvalidInput("NaN and Infinity are not JSON.", code="bad_json")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise InvalidInput("A number is too large.", code="bad_json")
    return value


def _check(value: object, depth_max: int) -> None:
    level = [value]
    for _ in range(depth_max + 1):
        following: list[object] = []
        for item in level:
            if isinstance(item, dict):
                following += [*item, *item.values()]
            elif isinstance(item, list):
                following += item
            elif isinstance(item, str) and not is_text(item):
                raise InvalidInput("A text has half of a surrogate pair in it.", code="invalid_text")
        if not following:
            return
        level = following
    raise TooLarge(f"JSON may be at most {depth_max} levels deep.", code="too_deep")


def is_text(value: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


async def body_object(request: Request, depth_max: int) -> dict[str, Any]:
    """The JSON object that a request brings; nothing is an empty one."""
    body = await request.body()
    given = parsed(body, depth_max=depth_max) if body.strip() else {}
    if not isinstance(given, dict):
        raise InvalidInput("The body must be a JSON object.", code="bad_json")
    return given


# --- Answers.

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
    return Response(
        json_bytes(body), status_code=status, media_type="application/problem+json", headers=dict(headers or {})
    )


def refusal(error: errors.WellkeptError) -> Response:
    """An error as its problem document."""
    status = status_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}  # noqa: PLR2004 -- HTTP's own
    if status in (429, 503):
        headers["Retry-After"] = str(error.retry_seconds if isinstance(error, errors.TooMany) else 1)
    return problem(error.code, str(error), status, headers=headers)


def json_bytes(value: Any) -> bytes:  # noqa: ANN401 -- JSON
    """A value as the body of an answer."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def json_answer(value: Any, **options: Any) -> Response:  # noqa: ANN401 -- JSON, and options of a response
    """A value as an answer."""
    from starlette.responses import Response

    return Response(json_bytes(value), media_type="application/json", **options)


FILE_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""Files that pages load; a browser keeps them for an hour."""


def files_of(folder: Path) -> tuple[Callable[[Request], Awaitable[Response]], set[str]]:
    """What answers with the file of a folder that a path names, and the names of those files."""
    from starlette.responses import FileResponse

    names = {path.name for path in folder.iterdir() if path.suffix in FILE_TYPES}

    async def file(request: Request) -> Response:
        name = named(request, "name")
        if name not in names:
            return problem("unknown_path", "There is no such file.", 404)
        kind = FILE_TYPES[Path(name).suffix]
        return FileResponse(folder / name, media_type=kind, headers={"Cache-Control": "public, max-age=3600"})

    return file, names
