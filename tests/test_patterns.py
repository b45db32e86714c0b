"""Deferred patterns: compiled by nobody who does not need them, and all of them sound."""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import wellkept.judges.english
import wellkept.policies
from wellkept import patterns
from wellkept.patterns import by_first_letter, deferred

# Some tables of words are put together with patterns while their module is read.
FOR_TABLES = 3


def test_a_deferred_pattern_is_the_pattern_it_was_given() -> None:
    word = deferred(r"(?P<first>b)(a)", re.IGNORECASE)
    found = word.search("xBAy")
    assert found is not None
    assert (found.span(), found["first"]) == ((1, 3), "B")
    assert word.sub("-", "ba BA") == "- -"
    assert word.pattern == r"(?P<first>b)(a)"
    with pytest.raises(AttributeError):
        _ = word.never_heard_of  # type: ignore[attr-defined]  # asked on purpose


def test_a_pattern_is_compiled_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def noted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return _COMPILE(source, flags)

    monkeypatch.setattr(patterns.re, "compile", noted)
    late = deferred("a+")
    assert not compiled
    assert late.match("aa")
    assert late.match("a")
    assert compiled == ["a+"]


def test_every_pattern_of_the_rules_compiles() -> None:
    found = list(_deferred_patterns())
    assert len(found) > 200
    for name, each in found:
        assert each.pattern, name


def test_a_start_compiles_next_to_no_pattern_of_the_rules() -> None:
    names = [name for package in _PACKAGES for name in _modules(package)]
    program = (
        "import re, types\nfrom wellkept import patterns\ncompiled = []\n"
        "patterns.re = types.SimpleNamespace(compile=lambda *given: compiled.append(given) or re.compile(*given))\n"
        f"for name in {names!r}: __import__(name)\n"
        "print(len(compiled))"
    )
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert int(said) <= FOR_TABLES


@pytest.mark.parametrize(
    "alternatives",
    [
        "cat|dog|cow(?:s|boy)|d?og|c[a|b]r",
        r"a (?:b|c)|\d+ ?mg|a\|b|ab?c|(?:x|y)z|ab*|ba{2}",
        r"[\]|]a|ap+le|apex|été|Ω\w+|Ωx",
    ],
)
def test_alternatives_by_their_first_letter_find_what_they_found(alternatives: str) -> None:
    plain, grouped = re.compile(rf"\b(?:{alternatives})\b"), re.compile(rf"\b(?:{by_first_letter(alternatives)})\b")
    texts = ["".join(letters) for letters in itertools.product("abcdogwsrxyz| m3", repeat=4)]
    texts += ["apple", "apex", "cowboys", "cowboy", "12 mg", "baa", "c|r", "]a", "été", "Ωω", "Ω"]
    found = [bool(plain.search(text)) for text in texts]
    assert [bool(grouped.search(text)) for text in texts] == found
    assert any(found)


def test_every_pattern_of_a_data_file_compiles_and_is_used() -> None:
    counted = 0
    for module, held in _data_patterns():
        code, own = inspect.getsource(module), patterns.pattern_sources(held._file)
        used = set(re.findall(r"\b_RE\.(\w+)", code))
        inside = {part for file in _data_files(module) for part in re.findall("<<([^<>]+)>>", file)}
        assert used <= own.keys(), module.__name__
        assert own.keys() <= used | inside, module.__name__
        assert all(re.compile(getattr(held, name).pattern) for name in own)
        counted += len(own)
    assert counted > 150


def test_a_pattern_is_put_together_of_others_and_of_word_lists() -> None:
    found = patterns.Patterns("secrets/codes.txt", words="secrets/vocabulary.txt")
    assert found.number.pattern.count("(?P<spelled>") == 1
    assert found.opens.search("1234 opens the gate")
    with pytest.raises(AttributeError):
        _ = found.never_heard_of


def _data_patterns() -> Iterator[tuple[ModuleType, patterns.Patterns]]:
    for name in _modules(wellkept.policies):
        module = importlib.import_module(name)
        if isinstance(held := vars(module).get("_RE"), patterns.Patterns):
            yield module, held


def _data_files(module: ModuleType) -> Iterator[str]:
    folder = Path(str(module.__file__)).parent
    yield from (file.read_text(encoding="utf-8") for file in folder.glob("*.txt"))


_COMPILE = re.compile
_PACKAGES = (wellkept.judges.english, wellkept.policies)


def _modules(package: object) -> Iterator[str]:
    path, prefix = package.__path__, package.__name__  # type: ignore[attr-defined]  # asked on purpose
    yield from (each.name for each in pkgutil.walk_packages(path, f"{prefix}."))


def _deferred_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for package in _PACKAGES:
        for name in _modules(package):
            for key, value in vars(importlib.import_module(name)).items():
                for each in _within(value):
                    yield f"{name}.{key}", each


def _within(value: object) -> Iterator[re.Pattern[str]]:
    if type(value).__name__ == "_Deferred":
        yield value  # type: ignore[misc]  # asked on purpose
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _within(each)
    elif isinstance(value, dict):
        yield from _within(tuple(value.values()))
