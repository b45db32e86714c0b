"""The style page, as far as a machine can hold it; an exception stands in EXCEPTIONS with its reason."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "src/wellkept/"

FUNCTION_LINES_MAX = 60
FILE_LINES_MAX = 1_000
PARAMETERS_MAX = 6
DEPTH_MAX = 3
FOLDER_MODULES_MAX = 25

# (rule, place) -> why this one place may break the rule. A place is a path, or path::name.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("unsafe", "src/wellkept/values.py::_init"): (
        "a method is made from the names of a class's fields, as `dataclasses` itself makes it"
    ),
    ("many_parameters", "src/wellkept/api/handles.py::Events.list"): (
        "keyword-only options of a public method, like those of a viewpoint"
    ),
    (
        "long_function",
        "tests/flows/sessions/test_turn.py::test_the_timeline",
    ): "one story of an hour, read from top to bottom",
    ("own_clock_or_chance", "src/wellkept/startup.py::_now"): "the one clock that is used when none is handed in",
    ("broad_except", "src/wellkept/jobs.py::Runner._do"): (
        "the outermost loop of the jobs: whatever one of them raises is put on record, and the next one runs"
    ),
    ("broad_except", "src/wellkept/judges/llm/model.py::Caller.fill"): (
        "a third party's client may raise anything, and the message it stumbles over must still reach the rules"
    ),
}

VAGUE_NAMES = {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
UNSAFE_MODULES = {"cloudpickle", "dill", "marshal", "pickle", "shelve"}
UNSAFE_CALLS = {"compile", "eval", "exec"}
CLOCK_OR_CHANCE = re.compile(
    r"(?:^|\.)(?:datetime\.(?:now|today|utcnow)|date\.today|time\.time(?:_ns)?|uuid\.uuid[14]|uuid[14]|os\.urandom"
    r"|secrets\.(?:choice|rand\w+|token_\w+)|random\.(?!Random$)\w+)$"
)
# Settings are read once, where the memory is opened, and handed on as values.
READS_SETTINGS = (f"{PACKAGE}config.py", f"{PACKAGE}surfaces/")

# In pieces, so that this file does not find itself.
MACHINE_PATHS = re.compile("|".join(["/" + "work/", "/" + "root/", "/" + "opt/dev", "/" + r"home/\w+/"]))
REGISTRIES = re.compile("|".join(["pypi" + r"\.", "python" + "hosted", "npm" + r"js\.", "conda" + r"\.anaconda"]))
SET_ASIDE = re.compile("# (?:no" + "qa|type: " + "ignore)")
EXPLAINED = re.compile(r"noqa: [A-Z]+\d+(?:, ?[A-Z]+\d+)* -- \S|ignore\[[\w, -]+\]  # (?!noqa)\S")
LINK = re.compile(r"(?<!`)\[[^\]]*\]\((?!\w+:)([^)#\s]+)")


@dataclass(frozen=True, kw_only=True)
class Module:
    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, self.path)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def calls(self) -> list[tuple[str, int]]:
        """What is called, by its dotted name, and in which line."""
        found = [node for node in self.nodes if isinstance(node, ast.Call)]
        return [(dotted(node.func), node.lineno) for node in found if isinstance(node.func, ast.Name | ast.Attribute)]

    @property
    def in_package(self) -> bool:
        return self.path.startswith(PACKAGE)

    @cached_property
    def functions(self) -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        """Every function with its dotted name, nested ones included. Statements hold them, expressions never do."""
        found: list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]] = []

        def walk(node: ast.AST, prefix: str) -> None:
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                    continue
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                    found.append((f"{prefix}{child.name}", child))
                named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                walk(child, f"{prefix}{child.name}." if named else prefix)

        walk(self.tree, "")
        return found

    def place(self, line: int) -> str:
        """The function a line stands in, or the module itself."""
        inside = [name for name, node in self.functions if node.lineno <= line <= (node.end_lineno or 0)]
        return f"{self.path}::{inside[-1]}" if inside else self.path


def dotted(node: ast.AST) -> str:
    """`a.b.c` as it is written; what stands before the dots and is no name is a question mark."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id if isinstance(node, ast.Name) else "?", *reversed(parts)])


Problems = Iterator[tuple[str, str]]  # place, what is wrong there


def tracked() -> list[PurePosixPath]:
    """The files of the repository, new ones included; of an unpacked archive, all that no run has made."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        names = done.stdout.split("\0")[:-1]
    else:
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
        names = [name for name in names if not re.search(r"(^|/)(\.venv|\.\w+_cache|__pycache__|\.hypothesis)/", name)]
    return [PurePosixPath(name) for name in sorted(names) if (ROOT / name).is_file()]


FILES = tracked()
MODULES = [
    Module(path=str(path), source=(ROOT / path).read_text(encoding="utf-8")) for path in FILES if path.suffix == ".py"
]


def text_of(path: PurePosixPath) -> str:
    """The text of a file; of a binary one, nothing."""
    content = (ROOT / path).read_bytes()
    return "" if b"\0" in content else content.decode("utf-8")


def long_function(module: Module) -> Problems:
    for name, node in module.functions:
        lines = (node.end_lineno or 0) - node.lineno + 1
        if ast.get_docstring(node) is not None:
            lines -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
        if lines > FUNCTION_LINES_MAX:
            yield f"{module.path}::{name}", f"{lines} lines, at most {FUNCTION_LINES_MAX}"


def long_file(module: Module) -> Problems:
    lines = module.source.count("\n")
    if lines > FILE_LINES_MAX:
        yield module.path, f"{lines} lines, at most {FILE_LINES_MAX}"


def many_parameters(module: Module) -> Problems:
    """Keyword-only parameters of a viewpoint's public methods are the contract's options and are not counted."""
    viewpoints = {f"{PACKAGE}api/__init__.py"}
    for name, node in module.functions:
        named = [*node.args.posonlyargs, *node.args.args]
        if not (module.path in viewpoints and not name.rpartition(".")[2].startswith("_")):
            named += node.args.kwonlyargs
        count = len([parameter for parameter in named if parameter.arg not in {"self", "cls"}])
        if count > PARAMETERS_MAX:
            yield f"{module.path}::{name}", f"{count} parameters, at most {PARAMETERS_MAX}"


def no_opening_sentence(module: Module) -> Problems:
    """A module opens with one sentence on one line; more may follow after an empty line."""
    if not module.in_package or (module.path.endswith("__init__.py") and not module.tree.body):
        return
    first, _, more = (ast.get_docstring(module.tree) or "").partition("\n")
    if not first.endswith(".") or (more and not more.startswith("\n")):
        yield module.path, "opens without a one-line sentence"


def unexplained(module: Module) -> Problems:
    """A rule that is set aside says beside it why."""
    for number, line in enumerate(module.source.splitlines(), start=1):
        if SET_ASIDE.search(line) and not EXPLAINED.search(line):
            yield module.path, f"line {number} sets a rule aside and does not say why"


def printing(module: Module) -> Problems:
    """Only a surface speaks to a person."""
    if module.in_package and not module.path.startswith(f"{PACKAGE}surfaces/"):
        for name, line in module.calls:
            if name == "print":
                yield module.place(line), "prints"


def broad_except(module: Module) -> Problems:
    if module.in_package:
        for node in module.nodes:
            if isinstance(node, ast.ExceptHandler):
                caught = {ast.unparse(kind) for kind in getattr(node.type, "elts", [node.type]) if kind}
                if not caught or caught & {"Exception", "BaseException"}:
                    yield module.place(node.lineno), "catches everything"


def unsafe(module: Module) -> Problems:
    if module.in_package:
        for name, line in imports(module.tree):
            if name.split(".")[0] in UNSAFE_MODULES:
                yield module.place(line), f"imports {name}"
        for name, line in module.calls:
            if name in UNSAFE_CALLS:
                yield module.place(line), f"calls {name}"


def own_clock_or_chance(module: Module) -> Problems:
    """Time and chance are arguments; a function that looks at the clock by itself cannot be replayed."""
    if module.in_package:
        for name, line in module.calls:
            if CLOCK_OR_CHANCE.search(name):
                yield module.place(line), f"calls {name}"


def own_settings(module: Module) -> Problems:
    if module.in_package and not module.path.startswith(READS_SETTINGS):
        for node in module.nodes:
            if isinstance(node, ast.Attribute) and dotted(node) in {"os.environ", "os.getenv"}:
                yield module.place(node.lineno), "reads the environment"


def needless_lazy_import(module: Module) -> Problems:
    """Inside a function stand only imports that are heavy or optional; the standard library is neither."""
    if module.in_package:
        for _, function in module.functions:
            for name, line in imports(function):
                if name.split(".")[0] in sys.stdlib_module_names:
                    yield module.place(line), f"imports {name} inside a function"


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno


CHECKS: tuple[Callable[[Module], Problems], ...] = (
    long_function,
    long_file,
    many_parameters,
    no_opening_sentence,
    unexplained,
    printing,
    broad_except,
    unsafe,
    own_clock_or_chance,
    own_settings,
    needless_lazy_import,
)


@cache
def problems(check: Callable[[Module], Problems]) -> list[tuple[str, str]]:
    """What a check finds in the whole repository."""
    return [problem for module in MODULES for problem in check(module)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_code_is_tidy(check):
    unexcused = [f"{place}: {what}" for place, what in problems(check) if (check.__name__, place) not in EXCEPTIONS]
    assert not unexcused, "\n".join(unexcused)


def test_every_exception_is_needed_and_has_a_reason():
    found = {(check.__name__, place) for check in CHECKS for place, _ in problems(check)}
    assert set(EXCEPTIONS) <= found
    assert all(reason.strip() for reason in EXCEPTIONS.values())


BODY = "    x = 1\n" * 60
BAD = [
    (long_function, "flows/bad.py", f"class A:\n  def f(self):\n{BODY}"),
    (long_file, "flows/bad.py", "x = 1\n" * 1_001),
    (many_parameters, "flows/bad.py", "def f(a, b, c, d, *, e, f, g): ..."),
    (many_parameters, "api/__init__.py", "class Memory:\n    def _open(self, a, b, c, *, d, e, f, g): ..."),
    (no_opening_sentence, "flows/bad.py", "x = 1"),
    (no_opening_sentence, "flows/bad.py", '"""Two lines\nof summary."""'),
    (no_opening_sentence, "flows/__init__.py", "x = 1"),
    (printing, "flows/bad.py", "print(1)"),
    (unexplained, "flows/bad.py", "x = 1  # no" + "qa: E501"),
    (unexplained, "flows/bad.py", "x = 1  # type: " + "ignore[misc]  # no" + "qa: E501"),
    (broad_except, "flows/bad.py", "try: ...\nexcept Exception: ..."),
    (broad_except, "flows/bad.py", "try: ...\nexcept (ValueError, BaseException): ..."),
    (broad_except, "flows/bad.py", "try: ...\nexcept: ..."),
    (unsafe, "flows/bad.py", "from pickle import loads"),
    (unsafe, "flows/bad.py", "eval('1')"),
    (own_clock_or_chance, "flows/bad.py", "import datetime as d\nd.datetime.now()"),
    (own_clock_or_chance, "flows/bad.py", "from uuid import uuid4\nuuid4()"),
    (own_clock_or_chance, "flows/bad.py", "import random\nrandom.choice([1])"),
    (own_settings, "flows/bad.py", "import os\nos.environ['HOME']"),
    (needless_lazy_import, "flows/bad.py", "def f():\n    import json"),
]
GOOD = [
    (long_function, "flows/good.py", f'def f():\n    """{BODY}"""\n    return 1'),
    (many_parameters, "api/__init__.py", "class Memory:\n    def open(self, a, b, c, *, d, e, f, g): ..."),
    (no_opening_sentence, "flows/good.py", '"""Says what it is for."""'),
    (no_opening_sentence, "flows/__init__.py", ""),
    (printing, "surfaces/cli/main.py", "print(1)"),
    (
        unexplained,
        "flows/good.py",
        "x = 1  # no" + "qa: E501, S101 -- it is so\nx = 2  # type: " + "ignore[misc]  # so",
    ),
    (broad_except, "flows/good.py", "try: ...\nexcept ValueError: ..."),
    (unsafe, "flows/good.py", "import re\nre.compile('x')"),
    (own_clock_or_chance, "flows/good.py", "self.clock()\nrandom.Random(7)\ntime.monotonic()"),
    (own_settings, "surfaces/cli/main.py", "import os\nos.environ['HOME']"),
    (needless_lazy_import, "flows/good.py", "import json\ndef f():\n    import numpy"),
]


@pytest.mark.parametrize(("check", "path", "source"), BAD)
def test_checks_find_what_they_look_for(check, path, source):
    assert list(check(Module(path=PACKAGE + path, source=source)))


@pytest.mark.parametrize(("check", "path", "source"), GOOD)
def test_checks_let_good_code_pass(check, path, source):
    assert not list(check(Module(path=PACKAGE + path, source=source)))


def test_names_say_what_is_inside():
    names = [path for path in FILES if path.suffix == ".py"]
    vague = [str(path) for path in names if set(path.stem.split("_")) & VAGUE_NAMES or re.search(r"_?v\d+$", path.stem)]
    assert not vague


def test_a_large_folder_has_rooms():
    counts = Counter(path.parent for path in FILES if path.is_relative_to(PACKAGE) and path.suffix == ".py")
    assert not {str(folder): count for folder, count in counts.items() if count > FOLDER_MODULES_MAX}


def test_folders_are_three_levels_deep():
    deep = [
        path for path in FILES if path.is_relative_to(PACKAGE) and len(path.relative_to(PACKAGE).parts) > DEPTH_MAX + 1
    ]
    assert not deep


@pytest.mark.parametrize("pattern", [MACHINE_PATHS, REGISTRIES], ids=["machine paths", "package registries"])
def test_text_names_no_machine(pattern):
    found = [f"{path}: {match[0]}" for path in FILES if (match := pattern.search(text_of(path)))]
    assert not found


def test_machine_patterns_find_what_they_look_for():
    assert MACHINE_PATHS.search("see /" + "home/somebody/notes")
    assert REGISTRIES.search("https://files.python" + "hosted.org/x")
    assert not MACHINE_PATHS.search("/tmp/x, ~/x, homework/it")


def test_local_links_lead_somewhere():
    broken = []
    for path in FILES:
        if path.suffix == ".md":
            links = LINK.findall(re.sub(r"```.*?```", "", text_of(path), flags=re.DOTALL))
            broken += [f"{path}: {link}" for link in links if not (ROOT / path.parent / link).exists()]
    assert not broken
