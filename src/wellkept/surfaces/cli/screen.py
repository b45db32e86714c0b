"""What the command line prints: tables and colour in a terminal, plain text in a pipe, JSON or Plain view if asked."""

from __future__ import annotations

import os
import sys
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from wellkept.surfaces.plain import printable, printable_json, render
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

Form = Literal["text", "json", "plain"]
Style = Literal["", "bold", "dim", "green", "red", "cyan", "yellow"]

ID_SHOWN_MIN = 10
"""Characters of an id that are shown at least; more when others start alike."""
PROGRESS_AFTER_S = 1.0
LAST_WIDTH_MIN = 32
"""Columns of a terminal that the last column of a table has at least, when it has so much to say."""
_GAP = "  "


@frozen
class Column:
    """A column of a table: its heading and how it looks in a terminal."""

    name: str
    style: Style = ""
    is_number: bool = False


def columns(text: str) -> tuple[Column, ...]:
    """Columns by their headings, each with its look in brackets: a style, or # for numbers.

    >>> columns("ID[cyan], turns[#]")
    (Column(name='ID', style='cyan', is_number=False), Column(name='turns', style='', is_number=True))
    """
    made = []
    for part in text.split(", "):
        name, _, look = part.removesuffix("]").partition("[")
        style = cast("Style", look if look != "#" else "")
        made.append(Column(name=name, style=style, is_number=look == "#"))
    return tuple(made)


def abandon() -> None:
    """Nobody reads standard output: what Python still flushes there at its end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Screen:
    """Standard output and error of one command. Control characters of stored text never reach them."""

    def __init__(self, form: Form = "text") -> None:
        self.form = form
        self.is_terminal = form == "text" and sys.stdout.isatty()

    def say(self, text: str = "", style: Style = "") -> None:
        """Lines for a person."""
        for line in text.split("\n"):
            if self.is_terminal and style:
                self._rich(printable(line), style)
            else:
                click.echo(printable(line))

    def warn(self, text: str) -> None:
        """Sentences on standard error."""
        for line in text.split("\n"):
            click.echo(printable(line), err=True)

    def data(self, value: object, *, is_one_of_many: bool = False) -> None:
        """A JSON value, in the form that was asked for; one of many is JSON on a single line."""
        click.echo(
            render(value) if self.form == "plain" else printable_json(value, indent=None if is_one_of_many else 2)
        )

    def tell(self, value: Any, sentence: str) -> None:  # noqa: ANN401 -- JSON
        """A sentence for a person, the value for a program."""
        if self.form == "text":
            self.say(sentence)
        else:
            self.data(value)

    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """Rows under headings; the last column takes what room is left."""
        cells = [[printable(cell) for cell in row] for row in rows]
        if self.is_terminal:
            self._rich_table(columns, cells)
            return
        for line in _aligned([[column.name for column in columns], *cells], columns):
            click.echo(line)

    def pairs(self, pairs: Sequence[tuple[str, str]], *, indent: int = 0) -> None:
        """Name and value a line, the values below each other."""
        width = max((len(name) for name, _ in pairs), default=0)
        for name, value in pairs:
            self.say(f"{' ' * indent}{name:<{width}}  {value}")

    def _rich(self, text: str, style: Style) -> None:
        from rich.console import Console
        from rich.text import Text

        Console(highlight=False).print(Text(text, style=style))

    def _rich_table(self, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """A table; too narrow for its last column, that one stands below each row; for the others, a line for each."""
        from rich.console import Console

        console = Console(highlight=False)
        *others, last = _widths([[column.name for column in columns], *rows])
        taken = sum(others) + len(others) * len(_GAP)
        if console.width - taken >= min(last, LAST_WIDTH_MIN):
            _side_by_side(console, columns, rows)
        elif taken <= console.width:
            _stacked(console, columns, rows)
        else:
            _listed(console, columns, rows)


def _side_by_side(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    for column in columns[:-1]:
        table.add_column(column.name, style=column.style, justify="right" if column.is_number else "left", no_wrap=True)
    last = columns[-1]
    table.add_column(last.name, style=last.style, justify="right" if last.is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _stacked(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    heading, *lines = _aligned([[column.name for column in columns[:-1]], *(row[:-1] for row in rows)], columns[:-1])
    console.print(Text(f"{heading}\n{_GAP}{columns[-1].name}", style="bold"))
    for line, row in zip(lines, rows, strict=True):
        console.print(Text(line))
        console.print(Padding(Text(row[-1], style=columns[-1].style), (0, 0, 0, len(_GAP))))


def _listed(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    for row in rows:
        pairs = Table.grid(padding=(0, len(_GAP), 0, 0))
        pairs.add_column(no_wrap=True)
        pairs.add_column(overflow="fold")
        for column, cell in zip(columns, row, strict=True):
            pairs.add_row(Text(column.name, style="dim"), Text(cell, style=column.style))
        console.print(pairs, "")


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(_width, cells)) for cells in zip(*rows, strict=True)]


def _aligned(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> Iterator[str]:
    widths = _widths(rows)
    for row in rows:
        cells = []
        for cell, width, column in zip(row, widths, columns, strict=True):
            blank = " " * (width - _width(cell))
            cells.append(blank + cell if column.is_number else cell + blank)
        yield _GAP.join(cells).rstrip()


def _width(text: str) -> int:
    """Columns that a text takes: wide letters two, marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def shortened(ids: Sequence[str]) -> dict[str, str]:
    """Each id with the beginning that tells it from the others shown."""
    length = ID_SHOWN_MIN
    while len({one[:length] for one in ids}) < len(set(ids)):
        length += 1
    return {one: one[:length] for one in ids}


def local(moment: datetime) -> str:
    """A time to the minute, where the reader is."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def local_text(text: str | None) -> str:
    """The same of a time as JSON has it; nothing of none."""
    return "" if text is None else local(datetime.fromisoformat(text))


class Bar:
    """A bar on standard error for work that takes over a second: percent and time left, where the end is known."""

    def __init__(self, title: str, total: int | None = None) -> None:
        self._title, self._total = title, total
        self._lock = threading.Lock()
        self._done = 0
        self._shown: Progress | None = None
        self._is_over = False

    def tell(self, done: int, total: int | None = None) -> None:
        """So much is done, perhaps of so much."""
        with self._lock:
            self._done, self._total = done, total or self._total
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=done, total=self._total)

    def show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        first = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn())
        columns: tuple[ProgressColumn, ...] = (*first, TextColumn("{task.completed:,.0f}"), TimeElapsedColumn())
        if self._total is not None:
            counts = TextColumn("{task.completed:,.0f}/{task.total:,.0f}"), TextColumn("{task.percentage:>3.0f}%")
            columns = (*first, *counts, TimeRemainingColumn(), TextColumn("left"))
        with self._lock:
            if self._is_over:
                return
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._shown.add_task(self._title, total=self._total, completed=self._done)
            self._shown.start()

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._shown is not None:
                self._shown.stop()


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A bar once the work inside takes over a second; nothing when nobody is watching."""
    if not sys.stderr.isatty():
        yield lambda *_done: None
        return
    bar = Bar(title, total)
    # By a clock of its own: some work says nothing of itself for long.
    later = threading.Timer(PROGRESS_AFTER_S, bar.show)
    later.daemon = True
    later.start()
    try:
        yield bar.tell
    finally:
        later.cancel()
        bar.end()
