"""Reading an exchange from a file: JSON, a JSON object a line, or plain lines such as "Alice: hi"."""

from __future__ import annotations

import json
import re
from typing import Any

from wellkept.errors import InvalidInput

MESSAGES_HELP = (
    'A file, or - for standard input: a JSON list, a JSON object a line ({"role": …, "content": …}), or plain lines, '
    'each a message such as "Alice: hi".'
)
_NAMED = re.compile(r"(?P<name>[^\s:][^:\n]{0,39}?)\s?[:：]\s+(?P<said>\S.*)")
_ROLES = {"assistant": "assistant", "ai": "assistant", "bot": "assistant", "system": "system", "tool": "tool"}
_SPEAKERLESS = {*_ROLES, "user", "human", "me", "you"}


def exchange(text: str) -> list[Any]:
    """The messages of a text, as `observe` takes them. What is no JSON is taken as lines that were spoken."""
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            found = json.loads(stripped)
        except ValueError:
            found = None
        if isinstance(found, list):
            return found
    lines = [line for line in text.splitlines() if line.strip()]
    return [
        _object(number, line) if line.lstrip().startswith("{") else _spoken(line) for number, line in enumerate(lines)
    ]


def _object(number: int, line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        raise InvalidInput(f"Line {number + 1} is not valid JSON.", code="damaged_file") from None


def _spoken(line: str) -> dict[str, str]:
    named = _NAMED.fullmatch(line.strip())
    if named is None:
        return {"role": "user", "content": line.strip()}
    name = named["name"]
    role = _ROLES.get(name.casefold(), "user")
    speaker = {} if name.casefold() in _SPEAKERLESS else {"speaker": name}
    return {"role": role, "content": named["said"]} | speaker
