"""Golden files name ids, hashes and policies by symbols, so that a person can derive them from the specification.

`@session/s1/semantic/2`: the second id of that kind given out in that space. `@policy`: the snapshot of the call's
policy. `@hash`: sha256 over `kind:id` of the event's recalled items, joined by `|`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from wellkept.policies.governance.policy import load_policy
from wellkept.store.core import make_id

FOLDER = Path(__file__).parent


def goldens(folder: str) -> dict[str, dict[str, Any]]:
    """Name → content of the golden files of one folder."""
    paths = sorted((FOLDER / folder).glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def resolved(value: Any, policy: Any) -> Any:
    """The value with its symbols replaced by what they stand for."""
    if isinstance(value, str) and value.startswith("@"):
        return load_policy(policy).snapshot if value == "@policy" else _id(value)
    if isinstance(value, list):
        return [resolved(one, policy) for one in value]
    if not isinstance(value, dict):
        return value
    found = {key: resolved(one, policy) for key, one in value.items() if one != "@hash"}
    if value.get("deterministic_hash") == "@hash":
        said = "|".join(f"{one['kind']}:{one['id']}" for one in found["recalled"])
        found["deterministic_hash"] = hashlib.sha256(said.encode()).hexdigest()
    return found


def _id(symbol: str) -> str:
    space, owner, kind, number = symbol.removeprefix("@").split("/")
    return make_id("default", space, owner, kind, int(number))
