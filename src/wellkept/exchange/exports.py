"""A user's memories as a file: JSON lines for programs, Markdown for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Literal, assert_never

from wellkept import flows
from wellkept.flows import answers

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.flows.read.show import Shown

Format = Literal["jsonl", "markdown"]
FORMATS: tuple[Format, ...] = ("jsonl", "markdown")
PAGE = 500


def run(viewpoint: Viewpoint, file: IO[str], form: Format, progress: Callable[[int], None] = lambda _done: None) -> int:
    """Write the live memories that this viewpoint sees; how many. JSON lines can be imported again."""
    match form:
        case "jsonl":
            lines = (
                json.dumps({"item": "memory"} | answers.record(one), ensure_ascii=False) for one in _all(viewpoint)
            )
            return _written(file, lines, progress)
        case "markdown":
            return _markdown(viewpoint, file, progress)
        case _:
            assert_never(form)


def _all(viewpoint: Viewpoint) -> Iterator[Shown]:
    """Newest first, a page in memory at a time."""
    before = None
    while page := viewpoint.list(limit=PAGE, before=before):
        yield from flows.show.shown(page, viewpoint.place, viewpoint.memory.engine)
        before = page[-1].id


def _written(file: IO[str], lines: Iterator[str], progress: Callable[[int], None]) -> int:
    done = 0
    for done, line in enumerate(lines, start=1):
        file.write(f"{line}\n")
        progress(done)
    return done


def _markdown(viewpoint: Viewpoint, file: IO[str], progress: Callable[[int], None]) -> int:
    """A heading for each month, newest first; each memory with whom it is about and who said it."""
    done, month = 0, ""
    file.write("# Memories\n")
    for done, shown in enumerate(_all(viewpoint), start=1):
        memory = shown.memory
        if memory.observed_at.strftime("%Y-%m") != month:
            month = memory.observed_at.strftime("%Y-%m")
            file.write(f"\n## {month}\n\n")
        told = [f"{memory.observed_at:%Y-%m-%d}", memory.type.value]
        told += [f"about {', '.join(shown.about)}"] if shown.about else []
        told += [f"said by {shown.said_by}"] if shown.said_by else []
        content = " ".join(memory.content.split())
        file.write(f"- {content} ({'; '.join(told)})\n")
        progress(done)
    return done
