"""The measurements of the repository as commands: found in a clone, named, run with their own options, told in JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import wellkept
from evals import table
from evals.table import Figure
from wellkept.surfaces.cli import checkout

ROOT = Path(__file__).parents[3]


@pytest.fixture
def clone(tmp_path, monkeypatch) -> Path:
    """A small clone that the package seems to run from."""
    root = tmp_path / "clone"
    for name in ("src/wellkept", "bench", "evals/tiny"):
        (root / name).mkdir(parents=True)
    (root / "pyproject.toml").touch()
    (root / "bench" / "quick_look.py").write_text(
        '"""How quick it is.\n\nMore of it.\n"""\nimport os, sys\nfrom bench import words\nif __name__ == "__main__":\n'
        '    print("got", *sys.argv[1:], "WELLKEPT_USER" in os.environ)\n    sys.exit(len(sys.argv) - 1)\n',
        encoding="utf-8",
    )
    (root / "bench" / "words.py").write_text('"""Words for the benches."""\n', encoding="utf-8")
    (root / "evals" / "table.py").write_bytes((ROOT / "evals" / "table.py").read_bytes())
    measure(root, right=0.9)
    monkeypatch.setattr(wellkept, "__file__", str(root / "src" / "wellkept" / "__init__.py"))
    return root


def measure(root: Path, *, right: object) -> None:
    (root / "evals" / "tiny" / "run.py").write_text(
        'HALVES = ("train", "test")\nTARGETS = {"right": 0.8, "wrong": 0}\n'
        f'def key_figures(half):\n    return {{"right": {right}, "wrong": 0, "other": 3}}\n',
        encoding="utf-8",
    )


def test_benches_are_listed_with_what_they_measure(cli):
    listed = {one["name"]: one["doc"] for one in cli("bench", "--json").json}
    assert {"kill", "leaks", "interference", "matrix", "growth-users", "store-speed", "cold-start", "embedder"} <= set(
        listed
    )
    assert "worlds" not in listed, "a module that only serves the others"
    shown = cli("bench").out
    assert all(one in shown and doc in shown for one, doc in listed.items())
    assert all(listed.values())


def test_a_bench_gets_its_own_options_and_gives_its_status(cli, clone):
    assert cli("bench").out.splitlines()[1].split("  ") == ["quick-look", "How quick it is."]
    assert cli("bench", "quick-look", "7").status == 1
    done = cli("--json", "bench", "quick-look", "--deep", "--help", "--json", "figures.json")
    assert done.status == 4
    told = "got --deep --help --json figures.json False\n"
    assert done.json == {"name": "quick-look", "status": 4, "output": told}


def test_figures_are_one_table(cli, clone):
    done = cli("eval")
    assert done.status == 0
    heading, *rows = (line.split() for line in done.out.splitlines())
    assert heading == ["set", "half", "figure", "value", "target"]
    assert rows[0] == ["tiny", "train", "right", "0.900", ">=", "0.8"]
    assert len(rows) == 6
    assert cli("eval", "tiny", "--json").json[0] == {
        "set": "tiny",
        "half": "train",
        "figure": "right",
        "value": 0.9,
        "target": 0.8,
        "wanted": ">= 0.8",
        "is_reached": True,
    }


def test_a_missed_target_is_told_and_fails(cli, clone):
    measure(clone, right=0.7)
    done = cli("eval", "tiny")
    assert done.status == 1
    assert done.out.count(checkout.MISSED) == 2


def test_a_measurement_that_breaks_is_no_success(cli, clone):
    measure(clone, right="1 / 0")
    done = cli("eval", "--json")
    assert (done.status, json.loads(done.out)["error"]["code"]) == (1, "eval_failed")


@pytest.mark.parametrize("words", [("bench", "nothing"), ("eval", "nothing")])
def test_an_unknown_name_names_the_known_ones(cli, clone, words):
    done = cli(*words, "--json")
    assert (done.status, done.json["error"]["code"]) == (2, "unknown_name")
    assert "quick-look" in done.err or "tiny" in done.err


@pytest.mark.parametrize("word", ["bench", "eval"])
def test_an_installed_package_says_that_it_needs_a_clone(cli, tmp_path, monkeypatch, word):
    monkeypatch.setattr(wellkept, "__file__", str(tmp_path / "site-packages" / "wellkept" / "__init__.py"))
    done = cli(word, "--json")
    assert (done.status, done.json["error"]["code"]) == (1, "no_checkout")
    assert "clone the repository" in done.err


def test_every_set_of_the_repository_can_be_measured():
    assert set(table.names()) >= {"answers", "dates", "extraction", "pairs", "resolution", "secrets", "similarity"}
    found = table.figures("resolution")
    assert {one.half for one in found} == {"train", "test"}
    assert all(one.is_reached for one in found if one.target is not None)


def test_a_target_of_nothing_is_a_most():
    wrong = Figure(set="s", half="h", figure="f", value=1, target=0)
    assert (wrong.is_reached, wrong.wanted) == (False, "0")
    assert Figure(set="s", half="h", figure="f", value=0, target=0).is_reached
    assert Figure(set="s", half="h", figure="f", value=0.1).is_reached
    assert not Figure(set="s", half="h", figure="f", value=0.94, target=0.95).is_reached


def test_the_table_refuses_an_unknown_set(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["table", "nothing"])
    assert table.main() == 2
    assert "resolution" in capsys.readouterr().err
