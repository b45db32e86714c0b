"""An import of many messages, killed again and again and begun again: nothing is missing, nothing is there twice.

    python bench/importing.py [--messages 20000] [--kills 3] [--embedder none] [--forgetful]

Prints the progress that a person sees, the messages a second and the memory of the process. `--forgetful` gives every
message another id each time, as an importer without ids of the source would: there it must fail.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHOWN = re.compile(r"(\d+)% (\d+:\d+:\d+)")
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, kw_only=True)
class Report:
    """What became of an import."""

    messages: int
    stored: int
    kills: int
    seconds: float
    rss_mib: float
    progress: list[str]

    @property
    def is_good(self) -> bool:
        """Whether every message is there once, and progress was shown with percent and time left."""
        return self.stored == self.messages and bool(self.progress)


def write(path: Path, messages: int, salt: str = "") -> None:
    """An export of ChatGPT with so many messages, twenty in a conversation."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[\n")
        for talk in range(0, messages, 20):
            count = min(20, messages - talk)
            nodes = {f"{salt}{talk}-{place}": _node(f"{salt}{talk}", place) for place in range(count)}
            told = {"conversation_id": f"talk-{talk}", "current_node": f"{salt}{talk}-{count - 1}", "mapping": nodes}
            file.write(("," if talk else "") + json.dumps(told) + "\n")
        file.write("]\n")


def _node(talk: str, place: int) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [f"In talk {talk} bird number {place} sang at dawn for a while."]}
    message = {
        "id": f"{talk}-{place}",
        "author": {"role": "assistant" if place % 2 else "user"},
        "create_time": 1_700_000_000 + place,
        "content": content,
    }
    return {"parent": f"{talk}-{place - 1}" if place else None, "message": message}


def run(messages: int, kills: int, *, embedder: str = "none", is_forgetful: bool = False) -> Report:
    """Import, kill, go on; then count what is there."""
    with tempfile.TemporaryDirectory(prefix="wellkept-import-") as folder:
        path = Path(folder) / "conversations.json"
        write(path, messages)
        variables = {**os.environ, "WELLKEPT_DB": f"{folder}/memory.db", "WELLKEPT_EMBEDDER__PROVIDER": embedder}
        variables |= {"WELLKEPT_USER": "alice", "TERM": "xterm", "COLUMNS": "100"}
        started, said, peak, killed = time.monotonic(), "", 0.0, 0
        is_done = False
        while not is_done:
            if is_forgetful:
                write(path, messages, salt=f"{killed}x")
            is_done, told, most = _attempt(
                path, variables, kill_at=None if killed >= kills else 100 * (killed + 1) // (kills + 1)
            )
            said, peak, killed = said + told, max(peak, most), killed + (not is_done)
        stored = _count(variables)
        seen = [f"{percent}% {left}" for percent, left in _shown(said)]
        took = time.monotonic() - started
        return Report(messages=messages, stored=stored, kills=killed, seconds=took, rss_mib=peak, progress=seen)


def _attempt(path: Path, variables: dict[str, str], *, kill_at: int | None) -> tuple[bool, str, float]:
    """One try, killed at a percentage: whether it came to its end, what was shown, and its memory at most, in MiB."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "wellkept", "import", "chatgpt", str(path), "--no-extract"]
    process = subprocess.Popen(command, env=variables, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    os.set_blocking(ours, False)
    said, peak = b"", 0.0
    while process.poll() is None:
        try:
            said += os.read(ours, 65_536)
        except OSError:
            time.sleep(0.05)
        pages = Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()
        peak = max(peak, int(pages[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 if pages else 0.0)
        if kill_at is not None and any(int(percent) >= kill_at for percent, _ in _shown(said.decode(errors="replace"))):
            process.send_signal(signal.SIGKILL)
            process.wait()
    os.close(ours)
    return process.returncode == 0, said.decode(errors="replace"), peak


def _shown(said: str) -> list[tuple[str, str]]:
    """Percent and time left, as they were shown."""
    return SHOWN.findall(COLOURS.sub("", said))


def _count(variables: dict[str, str]) -> int:
    """Messages in the transcript, counted in the file itself."""
    import apsw

    connection = apsw.Connection(variables["WELLKEPT_DB"], flags=apsw.SQLITE_OPEN_READONLY)
    return int(next(connection.execute("SELECT count(*) FROM messages"))[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--embedder", default="none", help="none, or bundled")
    parser.add_argument("--forgetful", action="store_true", help="the negative control")
    asked = parser.parse_args()
    report = run(asked.messages, asked.kills, embedder=asked.embedder, is_forgetful=asked.forgetful)
    print(f"messages             {report.messages:,}")
    print(f"killed               {report.kills} times")
    print(f"stored               {report.stored:,}")
    print(f"seconds              {report.seconds:.1f} ({report.messages / report.seconds:,.0f} messages a second)")
    print(f"memory of a process  {report.rss_mib:.0f} MiB at most")
    print(f"progress             {', '.join(report.progress[:: max(1, len(report.progress) // 8)])}")
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
