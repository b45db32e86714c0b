"""Gated patterns: tried only where they may find something, and never kept from a text in which they do."""

from __future__ import annotations

import importlib
import itertools
import json
import pkgutil
import re
from pathlib import Path
from typing import cast

import pytest

import wellkept.judges.english
from wellkept.gated import Gate, Gated, gate, gated, needed
from wellkept.judges.english.people.secrecy import _Spoken

EVALS = Path(__file__).parent.parent / "evals"
TRIES = 10
"""More than a pattern is tried before anybody reads what it needs."""


def test_no_pattern_of_the_rules_is_kept_from_what_it_finds() -> None:
    patterns, texts = _of_the_rules(), _said()
    kept, found = 0, 0
    for pattern in patterns:
        for text in texts:
            may, is_there = pattern.may_find(text), pattern.compiled.search(text) is not None
            assert may or not is_there, (pattern.pattern, text)
            kept, found = kept + (not may), found + is_there
    assert found > 100
    assert kept > 0.8 * len(patterns) * len(texts), "a gate that lets all through saves nothing"


def test_every_gated_pattern_of_the_rules_says_what_it_needs() -> None:
    patterns = _of_the_rules()
    assert len(patterns) > 30
    assert [one.pattern for one in patterns if needed(one.pattern) is None] == []


@pytest.mark.parametrize(
    "source",
    [
        r"\b(?:ab|ba)b?\b|a{2}c",
        r"(?<!\w)(?:a|b-)c(?!\w)|ab (?:c|\bab)",
        r"a(?:b\b|bc) ?-c|@|(?:ab|c+)(?!\w)(?: b|-)",
        r"(?i)A\bb|a(?:\b|b)-(?:\bc|[ -]b)|\bab(?=c)c|(?:ab){0,2}-{2}",
        r"(?:a|b|)c-(?:(?:a b)+|[ab]@)|a\sb\Wc",
        r"(?<!\w)(?:a|b-c|[ab]{2}c|b[ac])(?!\w)|(?:[ab]+ ){1,2}(?:ab|c)(?!\w)",
        r"\b(?:a ?)?(?:bc|b)\b|a\s*(?:b|c[ab]+)\b|c(?: |-)?(?:ab|c)",
        r"(?:a |b-)+(?:c|ab?)(?!\w)|-? ?(?:ba)c|b[ -]+(?:a|cb)|(?:a|b )(?:c[ab]|a)\b",
        r"(?:^|(?<=[-@] )|(?<= ))\s*(?:ab?|(?:c )*b)c|(?:^|a)(?:bb|cc)|a(?:^|\b)c|(?:\A|(?<=a))b-?c",
        r"(?m)(?:a|-)(?:^b|c)|@(?:(?<=@)a|(?<=-)c)b|[ -](?:(?<= )ab|(?<=-)c)",
        r"(?:a(?: |)|b)(?:bc|ca?)|\b-?(?:ab|c)b|(?:\b|a)(?:bc|cc)(?!\w)|(?: a|b)?(?:ca|cb)",
    ],
)
def test_a_gate_lets_through_whatever_its_pattern_finds(source: str) -> None:
    pattern = Gated(lambda: re.compile(source), source)
    texts = [
        "".join(letters) for size in range(7) for letters in itertools.product("abc -@"[: 6 - size // 5], repeat=size)
    ]
    assert [text for text in texts if pattern.compiled.search(text) and not _may(pattern, text)] == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"(?i)\bklaſſe\b", "KLASSE"),
        (r"(?i)kış", "KIS kiş"),
        (r"(?i)straße|don['’]t ask", "don’t ask"),
        (r"(?i)İzmir|\bnever mind\b", "NEVER MIND…"),
        (r"(?x) never  # said\n mind", "nevermind"),
        (r"(?P<one>ab)c(?P=one)", "abcab"),
    ],
)
def test_strange_letters_and_strange_patterns_are_always_tried(source: str, text: str) -> None:
    pattern = Gated(lambda: re.compile(source), source)
    assert pattern.compiled.search(text) is None or _may(pattern, text)
    assert bool(gated(source).search(text)) == bool(re.search(source, text))


def test_a_gated_pattern_gives_what_the_pattern_gives() -> None:
    word, plain = gated(r"(?i)\b(?:tea|coffee)s?\b"), re.compile(r"(?i)\b(?:tea|coffee)s?\b")
    for text in ("Tea, coffees", "no such thing", "tease") * TRIES:
        assert word.sub("-", text) == plain.sub("-", text)
        assert word.findall(text) == plain.findall(text)
        assert [one.span() for one in word.finditer(text)] == [one.span() for one in plain.finditer(text)]
        for name in ("search", "match", "fullmatch"):
            mine, theirs = getattr(word, name)(text), getattr(plain, name)(text)
            assert (mine and mine.span()) == (theirs and theirs.span())
        assert str(word.search(text, 2)) == str(plain.search(text, 2))


def test_one_gate_before_several_patterns_opens_for_each_of_them() -> None:
    both = gate(gated(r"(?i)\b(?:tea|coffee)s?\b"), re.compile(r"ill at ease|@home"))
    opens = {text: _may(both, text) for text in ("Teas", "ill, at ease", "me@home", "at ease", "illness", "")}
    assert opens == {
        "Teas": True,
        "ill, at ease": False,
        "me@home": True,
        "at ease": False,
        "illness": False,
        "": False,
    }
    assert _may(gate(gated(r"\btea\b"), re.compile(r"\d+")), "whatever"), "one of them says nothing of its needs"


def test_words_that_every_text_has_open_no_gate_where_others_must_stand_beside_them() -> None:
    pattern = gated(r"(?i)\bon the (?:down[- ]?low|quiet|sly)\b")
    assert not _may(cast("Gate", pattern), "My sister plays a song on the cello")
    assert _may(cast("Gate", pattern), "She does it on the sly")


def test_words_beyond_all_measure_are_always_tried() -> None:
    assert _may(Gated(lambda: re.compile("tea"), "tea"), "x" * 1_000_000)


def _may(pattern: Gate, text: str) -> bool:
    for _ in range(TRIES):
        pattern.may_find("")
    return pattern.may_find(text)


def _of_the_rules() -> list[Gated]:
    names = [each.name for each in pkgutil.walk_packages(wellkept.judges.english.__path__, "wellkept.judges.english.")]
    values = [value for name in names for value in vars(importlib.import_module(name)).values()]
    inner = [getattr(value, "_pattern", None) if isinstance(value, _Spoken) else value for value in values]
    found = list({id(one): one for one in inner if isinstance(one, Gated)}.values())
    for pattern in found:
        _may(pattern, "")
    return found


def _said() -> list[str]:
    rows = (EVALS / "extraction" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {text for row in rows for text in _strings(json.loads(row))}
    lines = (EVALS / "discretion" / "train.txt").read_text(encoding="utf-8").splitlines()
    return sorted(texts | set(lines))[::4]


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _strings(one)]
