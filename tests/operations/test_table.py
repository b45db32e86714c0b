"""The table of operations agrees with the Python surface and with what the command line offers."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.surfaces import conftest as surfaces
from wellkept import api
from wellkept.api import Viewpoint
from wellkept.errors import VersionConflict
from wellkept.operations import BY_NAME, OPERATIONS, Operation
from wellkept.startup import open as open_memory
from wellkept.surfaces.cli.commands import COVERED, STORE_COMMANDS, root
from wellkept.surfaces.cli.views import VIEWS

cli, settings = surfaces.cli, surfaces.settings

# Names of spec 7 that other programs rely on.
CONTRACT = {
    "remember": ("remember", "memory.remember", ("POST", "/v1/remember"), "remember"),
    "add": ("memory add", "memory.add", ("POST", "/v1/memories"), None),
    "recall": ("memory search", "memory.search", ("POST", "/v1/recall"), "recall"),
    "query": ("memory query", "memory.query", ("POST", "/v1/query"), "query"),
    "list": ("memory list", "memory.list", ("GET", "/v1/memories"), None),
    "forget": ("memory delete", "memory.delete", ("DELETE", "/v1/memories/{memory_id}"), "forget"),
    "restore": ("memory restore", "memory.restore", ("POST", "/v1/memories/{memory_id}/restore"), "restore"),
    "history": ("memory history", "memory.history", ("GET", "/v1/memories/{memory_id}/history"), "history"),
    "pin": ("memory pin", "memory.pin", ("POST", "/v1/memories/{memory_id}/pin"), "pin"),
}
UPKEEP_ONLY = {"tenant", "progress"}


def method(operation: Operation):
    handle, is_of_handle, name = operation.python.partition(".")
    return getattr(getattr(api, handle.title()), name) if is_of_handle else getattr(Viewpoint, operation.python)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_parameters_are_those_of_the_python_method(operation):
    signature = inspect.signature(method(operation)).parameters
    known = {name: one for name, one in signature.items() if name not in {"self", *UPKEEP_ONLY}}
    if operation.name == "why":  # the method also takes a whole recall; a surface names a memory
        assert set(known) == {"found", "left_out"}
        return
    declared = {one.name: one for one in operation.parameters if not one.is_of_surface}
    assert list(declared) == list(known)
    for name, one in declared.items():
        default = known[name].default
        assert one.is_required == (default is inspect.Parameter.empty), name
        assert one.is_required or one.default == default, name


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_command_line_offers_it_with_its_doc_and_parameters(operation, cli):
    shown = cli(*operation.cli, "--help")
    assert shown.status == 0
    flat = " ".join(shown.out.split())
    assert operation.doc in flat
    for parameter in operation.parameters:
        if parameter.is_required or parameter.is_argument:
            assert parameter.name.upper() in flat
        elif parameter.kind == "object":
            assert "--filter NAME=VALUE" in flat
        elif parameter.name not in COVERED:
            assert f"--{parameter.name.replace('_', '-')}" in flat


def test_every_operation_has_a_page_and_a_place_in_the_docs():
    assert sorted(VIEWS) == sorted(BY_NAME)
    documented = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    for operation in OPERATIONS:
        words = f"wellkept {' '.join(operation.cli)}"
        assert f"### {words}\n\n<!-- generated: {words} --help -->" in documented


@pytest.mark.parametrize("name", CONTRACT)
def test_names_are_those_of_the_contract(name):
    operation = BY_NAME[name]
    assert (" ".join(operation.cli), operation.rpc, operation.http, operation.mcp) == CONTRACT[name]


def test_no_two_operations_share_a_name():
    for names in ("name", "cli", "rpc", "http"):
        assert len({getattr(one, names) for one in OPERATIONS}) == len(OPERATIONS)


def test_groups_of_the_command_line_have_nothing_else():
    cli = root()
    context = cli.make_context("wellkept", ["--help"], resilient_parsing=True)
    words = {
        (group, name)
        for group in {one.cli[0] for one in OPERATIONS if len(one.cli) > 1}
        for name in cli.get_command(context, group).list_commands(context)
    }
    # A store is copied and brought up to date by whoever has its files.
    files = {("db", name) for name in STORE_COMMANDS["db"]}
    # Recordings are files of whoever runs the command; only the sessions themselves are in the store.
    assert words == {one.cli for one in OPERATIONS if len(one.cli) > 1} | files | {
        ("trace", "record"),
        ("trace", "replay"),
    }


@pytest.fixture
def alice(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none") as memory:
        yield memory.at(user="alice")


def test_run_gives_json_by_name(alice):
    stored = BY_NAME["remember"].run(alice, {"facts": "My favorite color is teal"})
    assert set(stored) == {"outcome", "id", "reason", "replaced"}
    assert stored["outcome"] == "created"
    listed = BY_NAME["list"].run(alice, {"limit": 5.0, "about": None})
    assert [one["id"] for one in listed] == [stored["id"]]
    assert BY_NAME["gc"].run(alice, {}) == {"archived": 0, "reasons": {}}


def test_forgetting_a_person_has_the_names_of_the_contract():
    operation = BY_NAME["forget_person"]
    assert operation.rpc == "memory.forget_person"
    assert [one.rpc for one in operation.parameters] == ["person_id", "delete_person_record"]


def test_the_people_of_the_system_are_those_of_the_operations(alice):
    alice.remember("My sister Sarah lives in Oslo")
    people = alice.memory.people
    (sarah,) = (one for one in people.list() if one.name == "Sarah")
    assert people.rename(sarah.id, "Sara").name == "Sara"
    assert "Sal" in people.alias(sarah.id, "Sal").aliases
    alice.remember("My boss Olga lives in Bergen")
    (olga,) = (one for one in people.list() if one.name == "Olga")
    assert people.merge(sarah.id, olga.id).merged_id == olga.id
    assert [one.id for one in people.split(olga.id)] == [sarah.id, olga.id]
    assert people.show(olga.id).name == "Olga"
    assert people.of("elsewhere").list() == ()
    assert people.forget(sarah.id).archived == 1


def test_edit_of_another_version_is_refused(alice):
    stored = alice.remember("My favorite color is teal")
    alice.edit(stored.id, "My favorite color is green", if_version=1)
    with pytest.raises(VersionConflict):
        alice.edit(stored.id, "My favorite color is red", if_version=1)
    assert alice.show(stored.id).memory.content == "My favorite color is green"


def test_what_the_rows_promise_is_there(alice):
    """A cursor and a precondition are parameters of their row; a mark stands in its answer."""
    for operation in OPERATIONS:
        names = {one.name for one in operation.parameters}
        assert {operation.cursor, operation.if_match} <= names | {None}
    stored = alice.remember("My favorite color is teal")
    assert BY_NAME["show"].run(alice, {"memory_id": stored.id})[BY_NAME["show"].etag] == 1
