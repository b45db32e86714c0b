"""The Plain view: JSON as one `key: value` a line, without brackets, safe for a terminal, read back to the same JSON.

Nested keys are joined by dots, list items are numbered from 1 after a `.count` line, keys are sorted. A text stands
bare where that is unambiguous, else as a JSON string; control characters are always escaped.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNSAFE = deferred(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_BARE_KEY = deferred(r"[^\W\d][\w-]*")
_SEGMENT = deferred(r'(?:"(?:[^"\\]|\\.)*"|[\w-]+)(?=[.:])')
_COUNT = "count"
_EMPTY = "(empty)"


def render(value: object) -> str:
    """A JSON value as its Plain view.

    >>> print(render({"hits": [{"id": "m_1", "score": 0.5}], "verdict": "found"}))
    hits.count: 1
    hits.1.id: m_1
    hits.1.score: 0.5
    verdict: found
    """
    return "\n".join(f"{'.'.join(path)}: {text}" for path, text in _lines(value, ()))


def parse(text: str) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """The JSON value of a Plain view.

    >>> parse(render([1, "1", {"a": []}]))
    [1, '1', {'a': []}]
    """
    tree: dict[str, Any] = {}
    for line in text.split("\n"):
        path, scalar = _read(line)
        if not path:
            return scalar
        node = tree
        for segment in path[:-1]:
            node = node.setdefault(segment, {})
        node[path[-1]] = scalar
    return _grown(tree)


def printable(text: str) -> str:
    r"""The text without line ends, control or bidi characters: each is written as its escape.

    >>> printable("a\x1b[31mb")
    'a\\u001b[31mb'
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def printable_json(value: object, *, indent: int | None = None) -> str:
    """A JSON value as JSON text that holds no raw control character."""
    return _escaped(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent))


def _escaped(document: str) -> str:
    """In JSON text such characters stand inside strings only, so their escape means the same. Line ends stay."""
    return _UNSAFE.sub(lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", document)


def _lines(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from _lines(value[key], (*path, _key(key)))
    elif isinstance(value, (list, tuple)):
        yield (*path, _COUNT), str(len(value))
        for number, item in enumerate(value, start=1):
            yield from _lines(item, (*path, str(number)))
    else:
        yield path, _EMPTY if isinstance(value, dict) else _scalar_text(value)


def _key(key: str) -> str:
    # `count` is what a list says of itself; an object's own key of that name is quoted.
    return key if _BARE_KEY.fullmatch(key) and key != _COUNT else printable_json(key)


def _scalar_text(value: object) -> str:
    if isinstance(value, str):
        is_bare = value == value.strip() and value[:1] not in {"", '"', "("} and not _UNSAFE.search(value)
        return value if is_bare and _scalar(value) == value else printable_json(value)
    return json.dumps(value, allow_nan=False)


def _scalar(text: str) -> Any:  # noqa: ANN401 -- JSON is what it gives
    if text == _EMPTY:
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(found, (dict, list)) else found


def _read(line: str) -> tuple[tuple[str, ...], Any]:
    path: list[str] = []
    at = 0
    while (segment := _SEGMENT.match(line, at)) is not None:
        path.append(segment[0])
        at = segment.end()
        if line[at] == ":":
            break
        at += 1
    if not line.startswith(": ", at):
        raise ValueError(f"Not a line of a Plain view: {printable(line)}")
    return tuple(path), _scalar(line[at + 2 :])


def _grown(node: Any) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """The tree with numbered nodes as lists and quoted keys as they are meant."""
    if not isinstance(node, dict):
        return node
    if _COUNT in node:
        return [_grown(node[str(number)]) for number in range(1, node[_COUNT] + 1)]
    return {json.loads(key) if key.startswith('"') else key: _grown(item) for key, item in node.items()}
