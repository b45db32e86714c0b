"""Print how large the house is: lines, files, folders, names, tests by name, and methods of the store.

`python3 scripts/size.py` reads the working tree and starts nothing; docs/architecture.md keeps the figures of a day.
With `--paths` it also remembers and recalls one fact on a new store, and counts what one has to read to follow that.
"""

from __future__ import annotations

import ast
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "src/wellkept"
FOLDER_FILES_MAX = 25


def modules(root: Path) -> list[Path]:
    """The modules of the package, by their path in it."""
    package = root / PACKAGE
    return sorted(path.relative_to(package) for path in package.rglob("*.py"))


def lines(root: Path, paths: Iterable[Path]) -> int:
    """How many lines they have together, empty ones and docstrings included."""
    return sum(len((root / PACKAGE / path).read_text(encoding="utf-8").splitlines()) for path in paths)


def layers(root: Path) -> list[frozenset[str]]:
    """The folders of each layer from the top down, as the import contract names them; single modules are left out."""
    tools = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(one for one in tools["contracts"] if one["id"] == "layers")
    named = [frozenset(part.strip(" ()") for part in layer.split("|")) for layer in contract["layers"]]
    folders = [frozenset(part for part in layer if (root / PACKAGE / part).is_dir()) for layer in named]
    return [layer for layer in folders if layer]


def names_twice(root: Path) -> Iterator[tuple[str, Path, Path]]:
    """Module names that stand in a layer and in the one below it: whoever reads both has to say which is meant.

    The shipped suite is named after what it checks, as tests are, and is left out.
    """
    found = [path for path in modules(root) if path.stem != "__init__" and path.parts[0] != "testing"]
    for upper, lower in pairwise(layers(root)):
        for one in found:
            for other in found:
                if one.parts[0] in upper and other.parts[0] in lower and one.stem == other.stem:
                    yield one.stem, one, other


def has_tests(root: Path, module: Path) -> bool:
    """Whether its tests are where its name says: `a/b.py` in `tests/a/test_b.py`, `a/__init__.py` in `tests/test_a.py`.

    The tests of a folder may also stand in it: `tests/a/test_a.py`.
    """
    tests = root / "tests"
    if module.stem != "__init__":
        return (tests / module.parent / f"test_{module.stem}.py").exists()
    folder = module.parent
    places = (tests / folder.parent / f"test_{folder.name}.py", tests / folder / f"test_{folder.name}.py")
    return any(place.exists() for place in places)


def tested(root: Path) -> tuple[int, int]:
    """How many modules have tests by name, and of how many; empty modules and the shipped suite need none."""
    own = [path for path in modules(root) if path.parts[0] != "testing" and lines(root, [path])]
    return sum(has_tests(root, path) for path in own), len(own)


def store_methods(root: Path) -> int:
    """The functions in the body of `Store` without a leading underscore; attributes are not counted."""
    tree = ast.parse((root / PACKAGE / "store/contract.py").read_text(encoding="utf-8"))
    store = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Store")
    return sum(isinstance(node, ast.FunctionDef) and not node.name.startswith("_") for node in store.body)


def figures(root: Path) -> Iterator[str]:
    """The figures, one a line."""
    found = modules(root)
    judges = [path for path in found if path.parts[0] == "judges"]
    others = [path for path in found if path.parts[0] != "judges"]
    folders = Counter(path.parent for path in found)
    large = sorted(f"{folder} ({count})" for folder, count in folders.items() if count > FOLDER_FILES_MAX)
    twice = sorted({name for name, _, _ in names_twice(root)})
    by_name, of_all = tested(root)
    yield f"src without judges       {lines(root, others):,} lines in {len(others)} files"
    yield f"judges                   {lines(root, judges):,} lines in {len(judges)} files"
    yield f"folders over {FOLDER_FILES_MAX} files    {', '.join(large) or 'none'}"
    yield f"names in two layers      {len(twice)}: {', '.join(twice)}" if twice else "names in two layers      none"
    yield f"modules tested by name   {by_name} of {of_all}, {by_name / of_all:.0%}"
    yield f"methods of the store     {store_methods(root)}"


@dataclass(frozen=True, kw_only=True)
class Walk:
    """What a call of the API went through, the judge and the embedder left out."""

    files: frozenset[Path]
    """Modules of which a function ran, by their path in the package."""
    lines: int
    """Of the functions that ran in flows and policies, from the first line to the last."""
    statements: int
    """SQL that ran, without what begins and ends transactions."""


LEFT_OUT = ("judges", "models")
READ = ("flows", "policies")
CONTROL = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA")


def walk(work: Callable[[], object], connection: Any) -> Walk:  # noqa: ANN401 -- of apsw, which need not be there
    """Do it and watch: every function that is entered, every statement that the database runs."""
    from apsw import SQLITE_TRACE_STMT

    entered: set[CodeType] = set()
    ran: list[str] = []

    def watch(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            entered.add(frame.f_code)

    connection.trace_v2(SQLITE_TRACE_STMT, lambda told: None if told["trigger"] else ran.append(told["sql"]))
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
        connection.trace_v2(0, None)
    package = ROOT / PACKAGE
    inside = [code for code in entered if Path(code.co_filename).is_relative_to(package)]
    lines_of: dict[Path, set[int]] = {}
    for code in inside:
        path = Path(code.co_filename).relative_to(package)
        if path.parts[0] not in LEFT_OUT and code.co_name != "<module>":
            numbers = [code.co_firstlineno, *(line for _, _, line in code.co_lines() if line)]
            lines_of.setdefault(path, set()).update(range(min(numbers), max(numbers) + 1))
    return Walk(
        files=frozenset(lines_of),
        lines=sum(len(found) for path, found in lines_of.items() if path.parts[0] in READ),
        statements=sum(not sql.startswith(CONTROL) for sql in ran),
    )


def paths() -> dict[str, Walk]:
    """The walks of a user's first fact, of a second one, and of a recall, in a process that has done each before."""
    import wellkept
    from wellkept.config import Config
    from wellkept.judges.english import RulesJudge

    with (
        tempfile.TemporaryDirectory() as folder,
        wellkept.open(Path(folder) / "size.db", config=Config(), judge=RulesJudge(), embedder="none") as memory,
    ):
        before, ana = memory.at(user="before"), memory.at(user="ana")
        before.remember("My locker has number 4")
        before.recall("Which number has my locker?")
        store: Any = memory.engine.store
        connection = store._db.driver._session.connection  # noqa: SLF001 -- what it runs is counted
        return {
            "remember, first fact": walk(lambda: ana.remember("My locker has number 12"), connection),
            "remember, another": walk(lambda: ana.remember("My bicycle is red"), connection),
            "recall": walk(lambda: ana.recall("Which number has my locker?"), connection),
        }


def main() -> int:
    """Print the figures of this tree; with `--names`, also where each name stands twice, with `--paths`, the walks."""
    print("\n".join(figures(ROOT)))
    if "--paths" in sys.argv[1:]:
        for name, one in paths().items():
            print(f"{name:<24} {len(one.files)} files, {one.lines:,} lines of flows and policies, {one.statements} SQL")
    if "--names" in sys.argv[1:]:
        print("\n".join(f"{name}: {one}, {other}" for name, one, other in sorted(names_twice(ROOT))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
