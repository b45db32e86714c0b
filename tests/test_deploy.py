"""The files of `deploy/` are well formed, and what they run works from an empty database to the first memory."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

import wellkept
from bench.postgres_server import BIN
from wellkept.startup import open as open_memory
from wellkept.surfaces.cli.commands import root

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
HOME = "/var/lib/wellkept"
"""The volume of a container."""


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def manifests():
    return list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")))


def instructions():
    """Of the Dockerfile, each on one line."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.split(maxsplit=1) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def commands() -> set[str]:
    return set(root().list_commands(None))


def check(words):
    """A command that this release understands, with its options."""
    program, *rest = words
    assert program == "wellkept"
    root().make_context("wellkept", [*rest, "--help"], resilient_parsing=True)
    assert rest[0] in commands()


def test_the_compose_file_follows_the_published_schema(tmp_path):
    pytest.importorskip("check_jsonschema")

    def status(file):
        checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
        return subprocess.run(checker, capture_output=True, check=False).returncode

    assert status(DEPLOY / "compose.yaml") == 0
    broken = compose()
    broken["services"]["wellkept"]["port"] = broken["services"]["wellkept"].pop("ports")
    (tmp_path / "compose.yaml").write_text(yaml.safe_dump(broken), encoding="utf-8")
    assert status(tmp_path / "compose.yaml") == 1


def test_compose_starts_a_database_a_server_and_a_worker():
    services = compose()["services"]
    assert set(services) == {"database", "migrate", "wellkept", "worker"}
    for name in ("migrate", "wellkept", "worker"):
        check(services[name]["command"])
        assert services[name]["environment"]["WELLKEPT_DB"].startswith("postgresql://")
        assert services[name]["read_only"] is True
        assert (DEPLOY / services[name]["build"]["context"] / "Dockerfile").resolve() == ROOT / "Dockerfile"
    assert services["wellkept"]["ports"] == ["127.0.0.1:8765:8765"]
    named = {one.partition(":")[0] for service in services.values() for one in service.get("volumes", ())}
    assert named == set(compose()["volumes"])
    assert all(set(service.get("depends_on", ())) <= set(services) for service in services.values())


@pytest.fixture
def container(tmp_path, new_database):
    """Runs a command of a compose service as it stands, with its volume and database put in their places."""
    volume = tmp_path / "volume"
    volume.mkdir()
    database = new_database("template1")
    running = []

    def words(command):
        given = [sys.executable, "-m", *(one.replace(HOME, str(volume)) for one in command)]
        # Every port of this machine may be taken; this one is free.
        return [*given, "--port", "0", "--json"] if "serve" in command else given

    def start(service):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WELLKEPT_")}
        given = compose()["services"][service]
        environment |= given["environment"] | {"WELLKEPT_DB": database, "WELLKEPT_EMBEDDER__PROVIDER": "none"}
        process = subprocess.Popen(
            words(given["command"]), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        running.append(process)
        return process

    yield volume, start
    for process in running:
        process.kill()
        process.communicate()


def healthy(port):
    """Whether the health check of the image passes."""
    text = next(rest for name, rest in instructions() if name == "HEALTHCHECK")
    program, *arguments = json.loads(text[text.index("CMD ") + 4 :].replace("8765", port))
    assert program == "python"
    return subprocess.run([sys.executable, *arguments], capture_output=True, check=False).returncode == 0


def test_what_compose_runs_leads_from_an_empty_database_to_the_first_memory(container):
    volume, start = container
    migrated = start("migrate")
    assert "steps taken" in migrated.communicate(timeout=120)[0]
    assert migrated.returncode == 0
    server, worker = start("wellkept"), start("worker")
    port = json.loads(server.stdout.readline())["listening"].rpartition(":")[2]
    key = (volume / "first-key").read_text(encoding="utf-8").strip()
    assert (volume / "first-key").stat().st_mode & 0o777 == 0o600
    with httpx.Client(
        base_url=f"http://localhost:{port}", timeout=90, transport=httpx.HTTPTransport(retries=20)
    ) as http:
        assert http.get("/readyz").json() == {"status": "ready"}
        assert healthy(port)
        asked = {"facts": "My wife Sarah likes Italian food", "viewpoint": {"user": "alice"}}
        assert http.post("/v1/remember", json=asked).status_code == 401
        http.headers["Authorization"] = f"Bearer {key}"
        outcome = http.post("/v1/remember", json=asked).json()
        assert outcome["outcome"] == "created"
        recalled = http.post(
            "/v1/recall", json={"query": "What does Sarah like?", "viewpoint": {"user": "alice"}}
        ).json()
        assert [hit["id"] for hit in recalled["hits"]] == [outcome["id"]]
    assert worker.poll() is None
    for process in (server, worker):
        process.terminate()
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert not healthy(port)
    again = start("wellkept")
    assert "listening" in again.stdout.readline(), "a restart makes no other key"
    assert (volume / "first-key").read_text(encoding="utf-8").strip() == key


def test_the_image_is_small_and_not_roots():
    found = instructions()
    users = [rest for name, rest in found if name == "USER"]
    assert users == ["10001:10001"]
    assert all("-slim" in rest for name, rest in found if name == "FROM")
    check(json.loads(next(rest for name, rest in found if name == "CMD")))
    copied = [rest.split()[:-1] for name, rest in found if name == "COPY" and not rest.startswith("--from")]
    needed = {one for names in copied for one in names}
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"}
    assert needed == let_in
    assert all((ROOT / one).exists() for one in needed)


def test_kubernetes_runs_two_servers_and_a_worker_that_are_not_roots():
    found = {(one["kind"], one["metadata"]["name"]): one for one in manifests()}
    assert found["Deployment", "wellkept"]["spec"]["replicas"] == 2
    assert set(found) >= {("Deployment", "wellkept-worker"), ("Job", "wellkept-migrate"), ("Service", "wellkept")}
    for kind, name in found:
        if kind not in ("Deployment", "Job"):
            continue
        pod = found[kind, name]["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        for one in pod["containers"]:
            check(one["command"])
            assert one["securityContext"]["readOnlyRootFilesystem"] is True
            assert one["image"] == f"wellkept:{wellkept.__version__}"
            assert one["envFrom"] == [{"secretRef": {"name": "wellkept"}}]
    (server,) = found["Deployment", "wellkept"]["spec"]["template"]["spec"]["containers"]
    for probe in ("readinessProbe", "startupProbe", "livenessProbe"):
        # The server answers to its names only, and the address of a pod is none.
        assert server[probe]["httpGet"]["httpHeaders"] == [{"name": "Host", "value": "localhost"}]
    labels = found["Deployment", "wellkept"]["spec"]["template"]["metadata"]["labels"]
    assert found["Service", "wellkept"]["spec"]["selector"].items() <= labels.items()


def test_the_unit_runs_commands_that_exist():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(DEPLOY / "wellkept.service", encoding="utf-8")
    for key in ("ExecStart", "ExecStartPre"):
        program, *rest = unit["Service"][key].split()
        check([Path(program).name, *rest])
    assert unit["Service"]["NoNewPrivileges"] == "yes"


def test_the_unit_begins_without_a_database(tmp_path):
    """What the unit runs before the server, on the file that it names when nothing else is said."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WELLKEPT_")}
    environment["WELLKEPT_DB"] = str(tmp_path / "memory.db")
    before = [sys.executable, "-m", "wellkept", "db", "migrate"]
    for _ in range(2):
        assert subprocess.run(before, env=environment, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_understands_the_unit(tmp_path):
    text = (DEPLOY / "wellkept.service").read_text(encoding="utf-8")
    unit = tmp_path / "wellkept.service"
    unit.write_text(text.replace("/usr/local/bin/wellkept", sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "wellkept.service" not in done.stderr, done.stderr


def test_the_drill_on_postgresql_brings_everything_back(new_database, postgres, clock, tmp_path):
    """The commands of docs/running.md, by the tools of the server that runs here."""
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    source, dump = new_database(), tmp_path / "monday.dump"
    with open_memory(source, clock=clock, embedder="none") as memory:
        memory.at(user="alice").remember("My wife Sarah likes Italian food")
        before = [one.content for one in memory.at(user="alice").list()]
    target = new_database("template1")
    name = str(conninfo_to_dict(target)["dbname"])
    for command in (
        ["pg_dump", "--format=custom", "--enable-row-security", f"--file={dump}", source],
        ["pg_restore", "--exit-on-error", "--username=postgres", f"--host={postgres.folder}", f"--dbname={name}", dump],
    ):
        assert " ".join(command[:3]).partition("=/")[0] in page
        done = subprocess.run([BIN / command[0], *command[1:]], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
    with open_memory(target, clock=clock, embedder="none") as memory:
        assert [one.content for one in memory.at(user="alice").list()] == before
        assert memory.upkeep.doctor().findings == ()


def test_the_sums_add_up():
    page = (DEPLOY / "scaling.md").read_text(encoding="utf-8")
    users, recalls, writes, peak = 10_000_000, 20, 3, 4
    for daily, shown in ((recalls, 9_300), (writes, 1_400)):
        assert abs(users * daily / 86_400 * peak / shown - 1) < 0.05
        assert f"{shown:,} a second" in page
    assert round(9_300 * 0.010 / 0.6) == 155
    assert round(9_300 * 0.008 / 0.6) == 124
    memories, each = users * 100, int(re.search(r"([\d,]+) bytes a memory", page)[1].replace(",", ""))
    assert f"{memories:,} × {each / 1000:.1f} kB = {memories * each / 1e12:.1f} TB" in page
    assert f"each {memories * each / 8e12:.2f} TB" in page
    assert re.search(r"1,400 writes × about 45 rows = 63,000", page)
