"""Paths of requests: what stands between two slashes is one id, whatever is in it; a slash of its own is %2F there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_to_bytes

if TYPE_CHECKING:
    from starlette.requests import Request


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
