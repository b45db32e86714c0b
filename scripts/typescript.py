"""Write the generated half of the TypeScript client from the API's description.

    python scripts/typescript.py [--check]

`types.d.ts` has a type for every schema and a method for every operation; `operations.js` says where each is found.
`--check` changes nothing and fails when a file is stale.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wellkept.operations import OPERATIONS
from wellkept.operations.operation import Operation
from wellkept.surfaces.http import schemas

FOLDER = Path(__file__).parents[1] / "clients" / "typescript"
HEAD = "// Made by scripts/typescript.py from the description of the API. Do not edit.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = Mapping[str, Any]


def camel(name: str) -> str:
    """A name as JavaScript spells it.

    >>> camel("complete_todo")
    'completeTodo'
    """
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def typed(schema: Schema) -> str:
    """The type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typed(one) for one in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        return f"[{', '.join(typed(one) for one in schema['prefixItems'])}]"
    if kind == "array":
        return f"Array<{typed(schema['items'])}>"
    if kind == "object" and "properties" in schema:
        return f"{{ {' '.join(_members(schema))} }}" if schema["properties"] else "{ [name: string]: never }"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"{{ [name: string]: {typed(inner) if isinstance(inner, Mapping) else 'unknown'} }}"
    return _PLAIN.get(str(kind), "unknown")


def _members(schema: Schema) -> list[str]:
    required = schema.get("required", ())
    return [
        f"{name}{'' if name in required else '?'}: {typed(member)};" for name, member in schema["properties"].items()
    ]


def interface(name: str, schema: Schema) -> str:
    """A schema with a name."""
    members = "".join(f"  {member}\n" for member in _members(schema))
    return f"/** {schema.get('description', name)} */\nexport interface {name} {{\n{members}}}\n"


def request(operation: Operation, described: Schema) -> str:
    """The type of what an operation takes."""
    parts: dict[str, Schema] = {}
    required = []
    for one in described["parameters"]:
        is_own = any(one["name"] == known.name for known in operation.parameters)
        if is_own and one["in"] in ("path", "query"):
            content = one.get("content", {}).get("application/json", one)
            parts[one["name"]] = content["schema"]
            required += [one["name"]] if one["required"] else []
    if "requestBody" in described:
        body = described["requestBody"]["content"]["application/json"]["schema"]
        parts |= {name: schema for name, schema in body["properties"].items() if name != "viewpoint"}
        required += body["required"]
    is_optional = "?" if not required else ""
    return f"request{is_optional}: {typed({'type': 'object', 'properties': parts, 'required': required})}"


def files() -> dict[str, str]:
    """The generated files by name."""
    document = schemas.openapi(OPERATIONS)
    named = document["components"]["schemas"]
    types = [interface(name, schema) for name, schema in named.items()]
    verbs, places = [], []
    for operation in OPERATIONS:
        method, path = operation.http
        described = document["paths"][path][method.lower()]
        answer = typed(described["responses"]["200"]["content"]["application/json"]["schema"])
        taken = request(operation, described)
        verbs.append(f"  /** {operation.doc} */\n  {camel(operation.name)}({taken}): Promise<{answer}>;\n")
        places.append(f"  {camel(operation.name)}: {json.dumps([method, path])},\n")
    verbs_of = f"/** Every operation of the server. */\nexport interface Verbs {{\n{''.join(verbs)}}}\n"
    table = f"/** Every operation: its HTTP method and path. */\nexport const OPERATIONS = {{\n{''.join(places)}}};\n"
    return {"types.d.ts": f"{HEAD}\n" + "\n".join([*types, verbs_of]), "operations.js": f"{HEAD}\n{table}"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail when a file is stale, and change nothing")
    asked = parser.parse_args()
    stale = [name for name, text in files().items() if not _is(FOLDER / name, text)]
    for name in () if asked.check else stale:
        (FOLDER / name).write_text(files()[name], encoding="utf-8")
    print("\n".join(f"{name} {'is stale' if asked.check else 'was written'}" for name in stale) or "up to date")
    return 1 if asked.check and stale else 0


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
