"""`wellkept serve --first-key`: the key of an operator, made once and told once."""

from __future__ import annotations

import stat

import httpx
import pytest

from tests.surfaces.conftest import Done
from wellkept.surfaces.cli.main import main

PATIENCE_S = 90
"""A first request loads the model, and machines may be busy."""


@pytest.fixture
def here(settings, capsys):
    """Call the command in this process, by the real clock: `here("memory", "list")`."""

    def call(*words):
        capsys.readouterr()
        status = main(list(words))
        printed = capsys.readouterr()
        return Done(status=status, out=printed.out, err=printed.err)

    return call


def test_the_first_key_is_told_once_on_the_screen(serve, process):
    command = ("--first-key",)
    with pytest.raises(KeyError):  # the first line is the key, not the address
        serve(*command)
    (kept,) = process("--json", "keys", "list").json
    assert (kept["name"], kept["scopes"]) == ("first key", ["operator"])
    _, (address,) = serve(*command)
    assert httpx.get(f"{address}/v1/keys", timeout=PATIENCE_S).status_code == 401


def test_the_first_key_opens_everything_and_is_in_its_file_alone(serve, tmp_path):
    file = tmp_path / "first-key"
    _, (address,) = serve("--first-key", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    key = file.read_text(encoding="utf-8").strip()
    found = httpx.get(f"{address}/v1/keys", headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE_S)
    assert [one["name"] for one in found.json()] == ["first key"]


def test_a_file_that_is_there_is_not_written_over(process, tmp_path):
    file = tmp_path / "first-key"
    file.write_text("another store's", encoding="utf-8")
    done = process("--json", "serve", "--first-key", str(file))
    assert (done.status, done.json["error"]["code"]) == (1, "file_exists")
    assert file.read_text(encoding="utf-8") == "another store's"
    assert process("--json", "keys", "list").json == []


def test_a_first_key_that_cannot_be_written_is_not_made(process, tmp_path):
    done = process("--json", "serve", "--first-key", str(tmp_path / "nowhere" / "first-key"))
    assert done.status == 1
    assert process("--json", "keys", "list").json == []
