"""What the screen makes of texts, tables and long work."""

from __future__ import annotations

import io
import json
import re
import sys
import threading

import pytest

from wellkept.surfaces.cli import screen as screen_module
from wellkept.surfaces.cli.screen import Bar, Column, Screen, progress, shortened


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


@pytest.mark.parametrize(("total", "shown"), [(4_000, ["1,000/4,000", "25%", "left"]), (None, ["1,000"])])
def test_long_work_shows_how_much_is_done_and_left(monkeypatch, total, shown):
    watched = Terminal()
    monkeypatch.setattr(sys, "stderr", watched)
    monkeypatch.setenv("COLUMNS", "120")
    bar = Bar("Counting sheep", total)
    bar.tell(10)
    assert watched.getvalue() == ""
    bar.show()
    bar.tell(1_000)
    bar.end()
    assert all(one in watched.getvalue() for one in ["Counting sheep", *shown])


def test_work_that_says_nothing_has_a_bar_too(monkeypatch):
    watched = Terminal()
    monkeypatch.setattr(sys, "stderr", watched)
    monkeypatch.setattr(screen_module, "PROGRESS_AFTER_S", 0)
    monkeypatch.setattr(screen_module, "Bar", Begun)
    with progress("Counting sheep"):
        assert Begun.is_shown.wait(60)
    assert "Counting sheep" in watched.getvalue()


class Begun(Bar):
    """Says when it is there."""

    is_shown = threading.Event()

    def show(self) -> None:
        super().show()
        self.is_shown.set()


def test_a_bar_that_is_over_does_not_come_back(monkeypatch):
    watched = Terminal()
    monkeypatch.setattr(sys, "stderr", watched)
    bar = Bar("Counting sheep")
    bar.end()
    bar.show()
    assert watched.getvalue() == ""


def test_nobody_watching_means_no_bar(monkeypatch):
    unwatched = io.StringIO()
    monkeypatch.setattr(sys, "stderr", unwatched)
    monkeypatch.setattr(screen_module, "PROGRESS_AFTER_S", 0)
    with progress("Counting sheep", 2) as tell:
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
