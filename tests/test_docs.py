"""The documentation runs: its Python is executed, its sessions print what they show, its generated parts are fresh.

Python blocks of one document are one program, executed in an empty folder with a fixed clock; lines `#> …` are what the
block prints. A block that cannot run here has `<!-- not run: REASON -->` above it. For the other kinds see
scripts/docs.py, which also brings stale ones up to date.
"""

from __future__ import annotations

import io
from contextlib import ExitStack, redirect_stdout
from functools import partial
from pathlib import Path

import pytest

import wellkept
from scripts import docs, seeds

pytestmark = pytest.mark.reader

NOT_RUN = "not run: "
DOCUMENTS = {str(path.relative_to(docs.ROOT)): path for path in docs.documents()}


def programs(text: str) -> list[docs.Block]:
    return [block for block in docs.blocks(text) if block.language == "python" and not block.note.startswith(NOT_RUN)]


def execute(block: docs.Block, name: str, namespace: dict[str, object]) -> None:
    """Run a block where it stands, so that a traceback names the line of the document."""
    source = "\n" * block.start + "\n".join(block.body)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(source, name, "exec"), namespace)  # noqa: S102 -- our own documentation
    expected = [line.removeprefix("#> ") for line in block.body if line.startswith("#> ")]
    if expected:
        assert docs.steady(printed.getvalue().rstrip("\n").split("\n")) == docs.steady(expected)


@pytest.fixture
def desk(tmp_path, monkeypatch, clock):
    """An empty folder to work in, where every memory opens with the fixed clock and is closed in the end."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("WELLKEPT_DB", str(tmp_path / "memory.db"))
    with ExitStack() as opened:
        if hasattr(wellkept, "open"):
            original = partial(wellkept.open, clock=clock)
            monkeypatch.setattr(wellkept, "open", lambda *args, **options: keep(opened, original(*args, **options)))
        yield tmp_path


def keep(opened: ExitStack, memory):
    opened.callback(memory.close)
    return memory


@pytest.mark.parametrize("name", DOCUMENTS)
def test_python_runs(name, desk):
    namespace: dict[str, object] = {"__name__": name}
    for block in programs(DOCUMENTS[name].read_text(encoding="utf-8")):
        execute(block, name, namespace)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_shown_output_is_real(name, tmp_path):
    shown = DOCUMENTS[name].read_text(encoding="utf-8")
    assert docs.render(shown, docs.shell(tmp_path)) == shown, "stale: run `python3 scripts/docs.py`"


def document(*lines: str) -> str:
    return "\n".join(["# A page", "", *lines, ""])


def test_session_gets_the_real_output(tmp_path):
    shown = document("<!-- run -->", "```console", "$ echo one \\", "  two", "stale", "$ true", "```", "after")
    real = document("<!-- run -->", "```console", "$ echo one \\", "  two", "one two", "$ true", "```", "after")
    assert docs.render(shown, docs.shell(tmp_path)) == real
    assert docs.render(real, docs.shell(tmp_path)) == real


def test_generated_block_gets_the_real_output(tmp_path):
    shown = document(
        "<!-- generated: printf 'a  \\n\\nb\\n' -->", "```text", "```", "<!-- run -->", "```console", "```"
    )
    real = shown.replace("```text\n", "```text\na\n\nb\n")
    assert docs.render(shown, docs.shell(tmp_path)) == real


def test_blocks_without_a_note_stay_as_they_are(tmp_path):
    shown = document(
        "```console", "$ echo one", "two", "```", "````markdown", "<!-- run -->", "```", "$ x", "```", "````"
    )
    assert docs.render(shown, docs.shell(tmp_path)) == shown


def test_timings_and_score_decimals_are_no_staleness(tmp_path):
    shown = document("<!-- generated: echo 'score 0.83 in 12.5 ms' -->", "```text", "score 0.81 in 3 ms", "```")
    assert docs.render(shown, docs.shell(tmp_path)) == shown
    other = shown.replace("score 0.81", "rank 0.81")
    assert docs.render(other, docs.shell(tmp_path)) != other


def test_failing_command_is_an_error_and_a_refusal_is_not(tmp_path):
    run = docs.shell(tmp_path)
    assert run("echo no >&2; exit 1") == "no"
    with pytest.raises(RuntimeError, match="exit status 2"):
        run("exit 2")
    with pytest.raises(RuntimeError, match="exit status 127"):
        run("no-such-command")


def test_session_has_a_place_a_user_and_a_clock_of_its_own(tmp_path):
    (tmp_path / "wellkept").write_text('#!/bin/sh\necho "$WELLKEPT_USER" "$WELLKEPT_DB" "$@"\n', encoding="utf-8")
    (tmp_path / "wellkept").chmod(0o755)
    printed = docs.shell(tmp_path)(f"PATH={tmp_path}:$PATH; wellkept memory list")
    assert printed == f"{docs.USER} {tmp_path}/memory.db --now {docs.NOW} memory list"


def test_python_is_one_program_and_prints_what_it_shows(desk):
    text = document("```python", "x = 1", "```", "```python", "print(x + 1)", "#> 2", "```")
    namespace: dict[str, object] = {}
    for block in programs(text):
        execute(block, "page.md", namespace)
    (wrong,) = programs(document("```python", "print(x)", "#> 2", "```"))
    with pytest.raises(AssertionError):
        execute(wrong, "page.md", namespace)


def test_python_with_a_reason_is_not_run():
    text = document("<!-- not run: needs a key -->", "```python", "1 / 0", "```")
    assert not programs(text)
    assert programs(text.replace("not run: needs a key", "a note"))


def test_every_document_is_read():
    assert Path(docs.ROOT / "README.md") in DOCUMENTS.values()
    assert docs.ROOT / "docs" / "glossary.md" in DOCUMENTS.values()


def test_the_table_of_the_seeds_is_what_the_commands_print():
    rows = seeds.page().split("\n")
    assert len(seeds.ROWS) == 43
    assert docs.steady(seeds.PAGE.read_text(encoding="utf-8").split("\n")) == docs.steady(rows)
