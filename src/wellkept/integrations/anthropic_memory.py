"""Anthropic's memory tool: the files that Claude writes under /memories, kept per user, beside what is known."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from wellkept.integrations.adapter import ABOUT_ME, Records, block, missing, on_thread

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ImportError as error:
    raise missing("Anthropic's memory tool", "anthropic") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence

    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from wellkept.api import Viewpoint

__all__ = ["AsyncMemoryTool", "MemoryTool"]
P = ParamSpec("P")
ROOT = "/memories"
KNOWN = f"{ROOT}/about_the_user.md"
"""Not a file that anybody writes: what the user's memory says at this moment."""
DEPTH_SHOWN = 2
PATH_MAX = 512
LINES_MAX = 999_999
NUMBER_WIDTH = 6
AROUND = 2
"""Lines shown before and after a change."""
TEXT = "text"
"""The field of a record that holds a file; secrets in it are masked."""


class MemoryTool(BetaAbstractMemoryTool):
    """For `client.beta.messages.tool_runner(tools=[…])`: the files of one user, which nobody else's tool can reach.

    Answers are worded as Anthropic's own tool words them. `/memories/about_the_user.md` is read-only and shows what the
    memory knows; what Claude writes into files is kept as it is, without secrets, and erased with the user.
    """

    def __init__(self, view: Viewpoint) -> None:
        super().__init__()
        self._view = view
        self._files = Records(view, "anthropic-memory")

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = _checked(command.path)
        files = self._texts() | {KNOWN: block(self._view, ABOUT_ME)}
        if path in files:
            return _numbered_file(command.path, files[path], command.view_range)
        below = [name for name in files if name.startswith(f"{path}/")]
        if not below:
            raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
        shown = [f"{_size(files[name] for name in below)}\t{command.path}"]
        for name in sorted(_entries(path, below)):
            inside = [one for one in below if one == f"{path}/{name}" or one.startswith(f"{path}/{name.rstrip('/')}/")]
            shown.append(f"{_size(files[one] for one in inside)}\t{command.path}/{name}")
        header = f"Here're the files and directories up to 2 levels deep in {command.path}, excluding hidden items:"
        return "\n".join([header, *shown])

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path = _checked(command.path)
        with self._files.together():
            files = self._texts()
            if path in {*files, ROOT, KNOWN} or any(name.startswith(f"{path}/") for name in files):
                raise ToolError(f"File {command.path} already exists")
            above = posixpath.dirname(path)
            while above != ROOT:
                if above in files:
                    raise ToolError(f"The path {above} is not a directory.")
                above = posixpath.dirname(above)
            self._write(path, command.file_text)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Other words in a file, where they stand once."""
        with self._files.together():
            path, text = self._file(command.path)
            found = _positions(text, command.old_str)
            if not found:
                raise ToolError(
                    f"No replacement was performed, old_str `{command.old_str}` did not appear verbatim in "
                    f"{command.path}."
                )
            if len(found) > 1:
                lines = ", ".join(str(text[:position].count("\n") + 1) for position in found)
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{command.old_str}` in lines: "
                    f"{lines}. Please ensure it is unique"
                )
            changed = text.replace(command.old_str, command.new_str)
            self._write(path, changed)
        line = text[: found[0]].count("\n")
        first = max(0, line - AROUND)
        snippet = _numbered(changed.split("\n")[first : line + AROUND + 1], first + 1)
        return "\n".join(
            ["The memory file has been edited. Here is the snippet showing the change (with line numbers):", *snippet]
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        with self._files.together():
            path, text = self._file(command.path)
            lines = text.removesuffix("\n").split("\n") if text else []
            if not 0 <= command.insert_line <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {command.insert_line}. "
                    f"It should be within the range [0, {len(lines)}]."
                )
            lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
            joined = "\n".join(lines)
            self._write(path, joined if joined.endswith("\n") else f"{joined}\n")
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = _checked(command.path)
        if path == ROOT:
            raise ToolError("Cannot delete the /memories directory itself")
        _check_writable(path)
        with self._files.together():
            gone = [name for name in self._files.all() if name == path or name.startswith(f"{path}/")]
            if not gone:
                raise ToolError(f"The path {command.path} does not exist")
            self._files.remove(gone)
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = _checked(command.old_path), _checked(command.new_path)
        if old == ROOT:
            raise ToolError("Cannot rename the /memories directory itself")
        for path in (old, new):
            _check_writable(path)
        with self._files.together():
            files = self._files.all()
            if any(name == new or name.startswith(f"{new}/") for name in (*files, ROOT)):
                raise ToolError(f"The destination {command.new_path} already exists")
            moved = [name for name in files if name == old or name.startswith(f"{old}/")]
            if not moved:
                raise ToolError(f"The path {command.old_path} does not exist")
            for name in moved:
                self._files.put(new + name.removeprefix(old), files[name])
            self._files.remove(moved)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Remove all files; memories stay."""
        with self._files.together():
            self._files.remove(self._files.all())
        return "All memory cleared"

    def _texts(self) -> dict[str, str]:
        """Path → text of every file."""
        return {path: file[TEXT] for path, file in self._files.all().items()}

    def _file(self, asked: str) -> tuple[str, str]:
        path = _checked(asked)
        _check_writable(path)
        files = self._texts()
        if path in files:
            return path, files[path]
        if path == ROOT or any(name.startswith(f"{path}/") for name in files):
            raise ToolError(f"The path {asked} is not a file.")
        raise ToolError(f"The path {asked} does not exist. Please provide a valid path.")

    def _write(self, path: str, text: str) -> None:
        _check_writable(path)
        self._files.put(path, {TEXT: text})


def _asked(
    method: Callable[Concatenate[MemoryTool, P], str],
) -> Callable[Concatenate[AsyncMemoryTool, P], Coroutine[Any, Any, str]]:
    async def called(self: AsyncMemoryTool, /, *command: P.args, **named: P.kwargs) -> str:
        return await on_thread(method, self.tool, *command, **named)

    called.__doc__ = method.__doc__
    return called


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`, on threads."""

    def __init__(self, view: Viewpoint) -> None:
        super().__init__()
        self.tool = MemoryTool(view)

    view = _asked(MemoryTool.view)
    create = _asked(MemoryTool.create)
    str_replace = _asked(MemoryTool.str_replace)
    insert = _asked(MemoryTool.insert)
    delete = _asked(MemoryTool.delete)
    rename = _asked(MemoryTool.rename)
    clear_all_memory = _asked(MemoryTool.clear_all_memory)


def _checked(path: str) -> str:
    """The path without detours, which must end under /memories."""
    if not path.startswith(ROOT):
        raise ToolError(f"Path must start with {ROOT}, got: {path}")
    if len(path) > PATH_MAX or any(ord(sign) < ord(" ") for sign in path):
        raise ToolError(f"A path has at most {PATH_MAX} characters, none of them a control character.")
    plain = posixpath.normpath(path)
    if plain != ROOT and not plain.startswith(f"{ROOT}/"):
        raise ToolError(f"Path {path} would escape {ROOT} directory")
    return plain


def _check_writable(path: str) -> None:
    if path == KNOWN:
        raise ToolError(f"{KNOWN} shows what the memory knows and cannot be changed. Write another file.")


def _entries(path: str, below: Iterable[str]) -> set[str]:
    """What stands in a directory, two levels deep, directories with a slash at the end, hidden ones left out."""
    found = set()
    for name in below:
        parts = name.removeprefix(f"{path}/").split("/")
        for depth in range(1, min(len(parts), DEPTH_SHOWN) + 1):
            if not any(part.startswith(".") for part in parts[:depth]):
                found.add("/".join(parts[:depth]) + ("/" if depth < len(parts) else ""))
    return found


def _size(texts: Iterable[str]) -> str:
    size, units = float(sum(len(text.encode()) for text in texts)), list("BKMG")
    while size >= 1024 and len(units) > 1:  # noqa: PLR2004 -- a kibibyte
        size /= 1024
        units.pop(0)
    return f"{int(size)}{units[0]}" if size == int(size) else f"{size:.1f}{units[0]}"


def _positions(text: str, words: str) -> list[int]:
    found = []
    position = text.find(words)
    while position >= 0:
        found.append(position)
        position = text.find(words, position + 1)
    return found


def _numbered(lines: Sequence[str], first: int) -> list[str]:
    return [f"{number:>{NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first)]


def _numbered_file(path: str, text: str, wanted: Sequence[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > LINES_MAX:
        raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = 1, len(lines)
    if wanted and len(wanted) == 2:  # noqa: PLR2004 -- first and last line
        first, last = max(1, wanted[0]), len(lines) if wanted[1] == -1 else wanted[1]
    return "\n".join([f"Here's the content of {path} with line numbers:", *_numbered(lines[first - 1 : last], first)])
