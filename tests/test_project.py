"""The files by which others find, trust and use the project are well formed and say what is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

import wellkept
from scripts import site_links
from wellkept.surfaces.cli.commands import root

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCHEMAS = {
    "vendor.github-workflows": [*GITHUB.glob("workflows/*.yml")],
    "vendor.github-issue-forms": [path for path in GITHUB.glob("ISSUE_TEMPLATE/*.yml") if path.stem != "config"],
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_forms_and_workflows_follow_their_schemas(schema):
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, SCHEMAS[schema])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def workflow(name):
    return yaml.safe_load((GITHUB / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))


def test_every_system_and_python_is_tested():
    matrix = workflow("tests")["jobs"]["portable"]["strategy"]["matrix"]
    assert {one.partition("-")[0] for one in matrix["os"]} == {"ubuntu", "macos", "windows"}
    named = {one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)}
    assert set(matrix["python"]) == named
    (tests,) = [one["run"] for one in workflow("tests")["jobs"]["portable"]["steps"] if "pytest" in one.get("run", "")]
    assert all((ROOT / word).exists() for word in tests.split() if word.startswith("tests/"))


def test_a_release_is_published_by_trust_and_attested():
    jobs = workflow("release")["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["environment"] == "release"
    used = [step.get("uses", "") for job in jobs.values() for step in job["steps"]]
    assert any(one.startswith("actions/attest-build-provenance@") for one in used)
    assert any(one.startswith("actions/attest-sbom@") for one in used)
    given = [step.get("with", {}) for job in jobs.values() for step in job["steps"]]
    assert not any("password" in one for one in given)


def test_no_workflow_may_do_more_than_it_must():
    for path in GITHUB.glob("workflows/*.yml"):
        assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}


def test_the_mcp_description_names_what_is_there():
    told = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    (package,) = told["packages"]
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", told["name"])
    assert len(told["description"]) <= 100
    assert {told["version"], package["version"], wellkept.__version__} == {PROJECT["version"]}
    assert package["identifier"] == PROJECT["name"]
    (command,) = [one["value"] for one in package["packageArguments"]]
    assert command in root().list_commands(None)
    known = {option.envvar for option in root().params}
    assert {one["name"] for one in package["environmentVariables"]} <= known


def test_what_llms_are_told_leads_somewhere():
    page = (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8")
    assert page.startswith(f"# {PROJECT['name']}\n\n> ")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) > 10
    assert all((ROOT / "docs" / one).is_file() for one in links)


def test_reports_have_a_place():
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        assert "Report a vulnerability" in (ROOT / name).read_text(encoding="utf-8")


def pages(nav):
    """Every page that a part of the navigation names."""
    for one in nav:
        for part in one.values() if isinstance(one, dict) else (one,):
            yield from pages(part) if isinstance(part, list) else (part,)


def test_the_site_has_every_page_once():
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    named = list(pages(site["nav"]))
    assert sorted(named) == sorted(there - set(site["not_in_nav"].split()))
    assert site["theme"]["font"] is False, "nothing is fetched from elsewhere"
    assert all((ROOT / hook).is_file() for hook in site["hooks"])


def test_links_out_of_the_site_become_names():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="decisions/one.md"))
    before = "[a](../store.md#x) [b](../../README.md#y) ![c](../images/c.png) [d](https://d.example) [e](#here)"
    after = site_links.on_page_markdown(before, page=page)
    assert after == before.replace("[b](../../README.md#y)", "b (`README.md` in the repository)")
