"""The command line under test: in this process where that is enough, as a process of its own where it is not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wellkept.surfaces.cli.main import main

NOW = "2026-03-02T09:00:00+00:00"


@dataclass(frozen=True, kw_only=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def settings(tmp_path, monkeypatch) -> Path:
    """A home of its own, a store of its own, and nothing from the caller's settings."""
    for name in list(os.environ):
        if name.startswith(("WELLKEPT_", "_WELLKEPT")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("WELLKEPT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("WELLKEPT_USER", "alice")
    return tmp_path


@pytest.fixture
def cli(settings, capsys):
    """Call the command in this process: `cli("memory", "list")`."""

    def call(*arguments: str, now: str = NOW) -> Done:
        capsys.readouterr()
        status = main(["--now", now, *arguments])
        printed = capsys.readouterr()
        return Done(status=status, out=printed.out, err=printed.err)

    return call


@pytest.fixture
def process(settings):
    """Call the command as a process of its own: `process("memory", "list")`."""

    def call(*arguments: str, stdin: str = "", **variables: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "wellkept", *arguments],
            input=stdin,
            env={**os.environ, **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return Done(status=done.returncode, out=done.stdout, err=done.stderr)

    return call


@pytest.fixture
def serve(settings, tmp_path):
    """Start `wellkept serve`; the process and its addresses."""
    running = []

    def start(*arguments, **variables):
        command = [sys.executable, "-m", "wellkept", "--json", "serve", "--port", "0", *arguments]
        env = {**os.environ, "WELLKEPT_EMBEDDER__PROVIDER": "none", **variables}
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        lines = [process.stdout.readline() for _ in range(2 if "--unix" in arguments else 1)]
        addresses = [json.loads(line)["listening"] for line in lines]
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(addresses[0].rpartition(":")[2]))) == 0:
                    break
            time.sleep(0.05)
        return process, addresses

    yield start
    for process in running:
        process.kill()
        process.communicate()
