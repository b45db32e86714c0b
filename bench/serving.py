"""A real server for benches: started as a process, asked over its port, watched while it works."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

STARTING_SECONDS = 60


@dataclass(frozen=True, kw_only=True)
class Running:
    """A server that listens."""

    process: subprocess.Popen[str]
    host: str
    port: int
    store: Path

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def rss_mib(self) -> float:
        """Memory of the process, in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self) -> int:
        """SIGTERM; the exit status once it has drained."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


@contextmanager
def running(folder: Path | None = None, *, program: str | None = None, **variables: str) -> Iterator[Running]:
    """A server on a store of its own; settings as environment variables. `program` is run in place of the command."""
    with tempfile.TemporaryDirectory(prefix="wellkept-bench-") as temporary:
        store = (folder or Path(temporary)) / "memory.db"
        environment = {**os.environ, "WELLKEPT_DB": str(store), **variables}
        start = ["-m", "wellkept"] if program is None else ["-c", program]
        command = [sys.executable, *start, "--json", "serve", "--port", "0"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        said = process.stdout
        try:
            address = json.loads(said.readline() if said else "")["listening"]
            host, _, port = address.removeprefix("http://").rpartition(":")
            _wait(host, int(port))
            yield Running(process=process, host=host, port=int(port), store=store)
        finally:
            process.kill()
            process.wait()
            if said:
                said.close()


def _wait(host: str, port: int) -> None:
    until = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex((host, port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the server does not listen")
