"""What the screen makes of texts, tables and long work."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

from wellkept.surfaces.cli import screen as screen_module
from wellkept.surfaces.cli.screen import Column, Screen, progress, shortened


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_ids_are_as_long_as_they_must_be():
    assert shortened(["m_abcdefghij", "m_zyxwvutsrq"]) == {
        "m_abcdefghij": "m_abcdefgh",
        "m_zyxwvutsrq": "m_zyxwvuts",
    }
    assert shortened(["m_abcdefghij", "m_abcdefghxy"]) == {
        "m_abcdefghij": "m_abcdefghi",
        "m_abcdefghxy": "m_abcdefghx",
    }
    assert shortened(["m_abcdefghij", "m_abcdefghij"]) == {"m_abcdefghij": "m_abcdefgh"}


def test_wide_letters_keep_the_columns_below_each_other(capsys):
    columns = (Column(name="name"), Column(name="n", is_number=True), Column(name="text"))
    Screen().table(columns, [("你好", "5", "x"), ("ab", "10", "y\x1b[31m")])
    assert capsys.readouterr().out == "name   n  text\n你好   5  x\nab    10  y\\u001b[31m\n"


def test_long_work_shows_a_bar_after_a_second(monkeypatch):
    now = [0.0]
    watched = Terminal()
    monkeypatch.setattr(screen_module, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "stderr", watched)
    with progress("Counting sheep") as tell:
        tell(10)
        assert watched.getvalue() == ""
        now[0] = 1.5
        tell(1_234)
    assert "Counting sheep" in watched.getvalue()


def test_nobody_watching_means_no_bar(monkeypatch):
    now = iter([0.0, 9.0, 9.0])
    unwatched = io.StringIO()
    monkeypatch.setattr(screen_module, "monotonic", lambda: next(now))
    monkeypatch.setattr(sys, "stderr", unwatched)
    with progress("Counting sheep") as tell:
        tell(1)
    assert unwatched.getvalue() == ""


@pytest.mark.parametrize("form", ["json", "plain"])
def test_data_has_no_raw_control_characters(capsys, form):
    Screen(form).data({"text": "a\x1b[2J\x9b\u202e"})
    shown = capsys.readouterr().out
    assert not set(shown) & set("\x1b\x9b\u202e")
    if form == "json":
        assert json.loads(shown) == {"text": "a\x1b[2J\x9b\u202e"}


def test_one_of_many_is_a_line(capsys):
    Screen("json").data({"a": [1, 2]}, is_one_of_many=True)
    assert capsys.readouterr().out == '{"a": [1, 2]}\n'


@pytest.mark.parametrize("width", [30, 80, 110])
def test_a_narrow_terminal_hides_nothing(monkeypatch, width):
    watched = Terminal()
    monkeypatch.setattr(sys, "stdout", watched)
    monkeypatch.setenv("COLUMNS", str(width))
    names = ("ID", "type", "about", "said by", "trust", "created", "content")
    cells = (
        "m_2zkbqzcx",
        "preference",
        "Sarah",
        "you",
        "hearsay",
        "2026-11-16",
        "Sarah likes Italian food at the trattoria",
    )
    Screen().table([Column(name=name, style="bold") for name in names], [cells])
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in watched.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    assert set(" ".join((*names, *cells)).split()) <= set(" ".join(lines).split())
    assert (lines[0].split() == ["ID", "m_2zkbqzcx"]) == (width == 30), "a line for each where the columns have no room"
    assert lines[0].endswith("content") == (width == 110)
