"""The privacy matrix: every cell of matrix.csv, against the rule, the store and every way to read."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from bench import matrix
from tests.privacy import oracle, readers
from tests.privacy.world import HUB, as_memory, build
from wellkept.policies.visibility import Facts, visible

IDS = 120
WORDS = 8
CELLS = 72
"""How much the slower paths look at here; `python bench/matrix.py` looks at all."""


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    """Built when first asked for: a chat's cells, each a row of a store."""
    built = {}

    def world(chat):
        if chat not in built:
            built[chat] = build(chat, str(tmp_path_factory.mktemp(chat) / "memory.db"))
        return built[chat]

    return world


def test_the_oracle_imports_nothing_it_judges():
    for name in ("oracle.py", "make_matrix.py"):
        tree = ast.parse(Path(__file__).with_name(name).read_text(encoding="utf-8"))
        modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        assert not [module for module in modules if module.startswith(("wellkept", "tests"))]


def test_the_table_has_every_combination(record_property):
    total = sum(len(oracle.cells(chat)) for chat in oracle.CHATS)
    record_property("cells", total)
    record_property("verdicts", total * len(oracle.SETTINGS))
    # Up to one subject: 3 kinds alone, 4 of two and in a group; 2 or 3 speakers; 5 scopes, 6 places, 4 levels, 12 marks
    # Several subjects: 1, 3 and 3 kinds, and no marks.
    single = (3 * 2 + 2 * 4 * 3) * 5 * 6 * 4 * 12
    several = (1 * 2 + 2 * 3 * 3) * 5 * 6 * 4
    assert total == single + several == 45_600
    assert all(any(cell.is_shown() for cell in oracle.cells(chat)) for chat in oracle.CHATS)
    assert all(not all(cell.is_shown() for cell in oracle.cells(chat)) for chat in oracle.CHATS)


@pytest.mark.parametrize("chat", oracle.CHATS)
def test_rule(worlds, chat):
    """The pure function says what the table says, under every setting."""
    world = worlds(chat)
    memories = [(as_memory(cell, place), cell) for place, cell in enumerate(world.ids.values())]
    for setting in oracle.SETTINGS:
        app = world.open(setting)
        view = world.view(app)
        facts = Facts(attendance=app.engine.store.attendance("default", world.chats()))
        verdicts = ((cell, visible(memory, view, facts).verdict == "shown") for memory, cell in memories)
        wrong = [cell for cell, is_shown in verdicts if is_shown != cell.is_shown(setting)]
        app.close()
        assert not wrong


@pytest.mark.parametrize("setting", oracle.SETTINGS)
@pytest.mark.parametrize("chat", oracle.CHATS)
def test_store(worlds, chat, setting):
    """Every read of the store shows exactly the cells that the table shows."""
    world = worlds(chat)
    app = world.open(setting)
    view, store = world.view(app), app.engine.store
    for name, reader in readers.STORE_READERS.items():
        shown = reader(world, store, view) - {HUB}
        assert shown == world.shown(setting), name
    assert sum(store.counts(view.tenant, view=view).values()) == len(world.shown(setting)) + 1
    app.close()


@pytest.mark.parametrize("setting", oracle.SETTINGS)
@pytest.mark.parametrize("chat", oracle.CHATS)
def test_list(worlds, chat, setting):
    world = worlds(chat)
    app = world.open(setting)
    found = list(readers.listed(world.at(app)))
    app.close()
    assert len(found) == len(set(found))
    assert set(found) - {HUB} == world.shown(setting)


@pytest.mark.parametrize("chat", oracle.CHATS)
def test_recall(worlds, chat):
    """Every cell is asked for by a word that it shares with fewer others than a recall gives."""
    world = worlds(chat)
    app = world.open()
    at = world.at(app)
    for word, ids in world.batches():
        assert readers.recalled(at, word) == world.shown() & ids
    app.close()


@pytest.mark.parametrize("path", [readers.in_context, readers.in_chat, readers.beside], ids=lambda path: path.__name__)
@pytest.mark.parametrize("chat", oracle.CHATS)
def test_what_is_told_in_words(worlds, chat, path):
    """A block, a reply and the lines beside a hit hold a few memories only: all of them visible."""
    world = worlds(chat)
    app = world.open()
    at = world.at(app)
    told = set()
    for word, ids in random.Random(1).sample(list(world.batches()), WORDS):
        found = path(at, word, world.numbers)
        assert found <= world.shown()
        told |= found & ids
    app.close()
    assert told


@pytest.mark.parametrize("chat", oracle.CHATS)
def test_history_text_and_reasons(worlds, chat):
    world = worlds(chat)
    app = world.open()
    ids = random.Random(2).sample(sorted(world.ids), IDS)
    assert readers.by_id(world.at(app), ids) == world.shown() & set(ids)
    app.close()


@pytest.mark.parametrize("chat", oracle.CHATS)
def test_people_and_counts(worlds, chat):
    world = worlds(chat)
    app = world.open()
    at = world.at(app)
    assert readers.by_person(world, at) == world.shown()
    assert sum(at.stats().values()) == len(world.shown()) + 1
    app.close()


@pytest.mark.parametrize("chat", oracle.CHATS)
def test_postgres_shows_the_same(databases, chat):
    """Some cells of every kind, on every path and under every setting."""
    chosen = random.Random(4).sample(oracle.cells(chat), CELLS)
    for trait in ("subjects", "scope", "stated_by", "learned_in", "attended", "sensitivity", "portable", "persona"):
        assert {getattr(cell, trait) for cell in chosen} == {getattr(cell, trait) for cell in oracle.cells(chat)}
    found = list(matrix.judged(build(chat, databases.new(), chosen)))
    assert [line for line, wrong in found if wrong] == []
    assert len(found) == 9 + 3 + 4 * 5


def test_swapping_any_one_cell_is_found(worlds):
    """A table with one wrong character no longer agrees with what the store shows, in just that cell."""
    chance = random.Random(3)
    for chat in oracle.CHATS:
        world = worlds(chat)
        app = world.open()
        shown = readers.seen(world, app.engine.store, world.view(app)) - {HUB}
        app.close()
        lines = [line for line in oracle.lines() if line["chat"] == chat]
        for _ in range(40):
            line = chance.choice(lines)
            level = chance.choice(oracle.LEVELS)
            place = chance.randrange(len(line[level]))
            wrong = list(oracle.read([oracle.swapped(line, level, place)]))
            said = {world.id_of(cell) for cell in wrong if cell.is_shown()}
            stored = {world.id_of(cell) for cell in wrong} & shown
            assert len(said ^ stored) == 1


def test_the_matrix_is_the_one_that_its_script_makes():
    from tests.privacy import make_matrix

    made = [",".join(line) for line in make_matrix.lines()]
    assert oracle.PATH.read_text(encoding="utf-8").splitlines()[1:] == made


def test_nobody_sees_a_hidden_cell_without_a_persona(worlds):
    """Without a persona in the viewpoint, what was told to one persona is not told."""
    world = worlds("alone")
    app = world.open()
    at = app.at(user="ada", chat="here", project="apollo")
    found = {world.ids[name] for name in readers.listed(at) if name != HUB}
    app.close()
    assert found == {cell for cell in world.ids.values() if cell.is_shown() and cell.persona == "none"}
