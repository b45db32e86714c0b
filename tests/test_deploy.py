"""The files of `deploy/` are well formed and name commands that exist."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import yaml

from wellkept.surfaces.cli.commands import root

DEPLOY = Path(__file__).parents[1] / "deploy"


class Loader(yaml.SafeLoader):
    """Compose has a tag of its own for what a service takes back."""


Loader.add_constructor("!reset", lambda _loader, _node: None)


def commands() -> set[str]:
    return set(root().list_commands(None))


def test_compose_starts_a_database_a_server_and_a_worker():
    services = yaml.load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"), Loader=Loader)["services"]  # noqa: S506 -- our own file
    assert set(services) == {"database", "wellkept", "worker"}
    for name in ("wellkept", "worker"):
        program, command, *_ = services[name]["command"]
        assert program == "wellkept"
        assert command in commands()
    assert services["wellkept"]["environment"]["WELLKEPT_DB"].startswith("postgresql://")
    assert services["wellkept"]["ports"] == ["127.0.0.1:8765:8765"]


def test_the_unit_runs_commands_that_exist():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(DEPLOY / "wellkept.service", encoding="utf-8")
    for key in ("ExecStart", "ExecStartPre"):
        assert unit["Service"][key].split()[1] in commands()
    assert unit["Service"]["NoNewPrivileges"] == "yes"


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
