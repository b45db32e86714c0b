"""Print every setting as a configuration file: its meaning, its values and its default.

The text of `docs/configuration.md` is made by it, so that no setting is missing there and no default is stale.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from wellkept.config import TABLES

WIDTH = 110


def main() -> None:
    for name in sorted(TABLES):
        print("\n".join(table(name)), end="\n\n")


def table(name: str) -> Iterator[str]:
    """A table with its keys, in their order."""
    kind = TABLES[name]
    told = (inspect.getdoc(kind) or "").partition("\n")[0].removeprefix(f"`[{name}]`: ")
    yield from comment(told[:1].upper() + told[1:])
    yield f"[{name}]"
    said, hints = docs(kind), get_type_hints(kind)
    for item in fields(kind):
        yield from comment(" ".join(filter(None, (said.get(item.name, ""), choices(hints[item.name])))))
        value = default(item)
        yield f"# {item.name} =" if value is None else f"{item.name} = {value}"


def docs(kind: type[Any]) -> Mapping[str, str]:
    """What stands below each field of a class."""
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(found, ast.ClassDef), "a table is a class"
    told: dict[str, str] = {}
    for before, after in zip(found.body, found.body[1:], strict=False):
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and is_text:
            told[before.target.id] = " ".join(str(ast.literal_eval(after.value)).split())  # type: ignore[attr-defined]  # an expression
    return told


def choices(hint: Any) -> str:  # noqa: ANN401 -- a type hint has no narrower type
    """The values of a closed set."""
    return f"One of {', '.join(map(str, get_args(hint)))}." if get_origin(hint) is Literal else ""


def default(item: Field[Any]) -> str | None:
    """As TOML has it; None for what is unset."""
    value = item.default_factory() if item.default_factory is not MISSING else item.default
    if value is None:
        return None
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {json.dumps(one)}" for key, one in value.items()) + " }" if value else "{}"
    return json.dumps(list(value) if isinstance(value, (tuple, frozenset)) else value)


def comment(text: str) -> Iterator[str]:
    for line in textwrap.wrap(text, WIDTH):
        yield f"# {line}"


if __name__ == "__main__":
    main()
