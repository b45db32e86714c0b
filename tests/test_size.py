"""The figures of the house are counted by the rules that docs/architecture.md states."""

from __future__ import annotations

import pytest

from scripts import size

CONTRACT = """
class Store(Protocol):
    url: str

    def apply(self) -> None: ...
    def near(self) -> None: ...
    def _own(self) -> None: ...

class Other(Protocol):
    def nothing(self) -> None: ...
"""
LAYERS = """
[[tool.importlinter.contracts]]
id = "layers"
layers = ["flows | testing", "(jobs)", "store | judges", "policies"]
"""
WALKS = {
    "remember, first fact": (34, 1_400, 25),
    "remember, another": (34, 1_400, 18),
    "recall": (24, 600, 12),
}
"""Files, lines of flows and policies, SQL."""
FILES = {
    "pyproject.toml": LAYERS,
    "src/wellkept/jobs.py": "x = 1\n",
    "src/wellkept/flows/__init__.py": "",
    "src/wellkept/flows/people.py": "x = 1\ny = 2\n",
    "src/wellkept/flows/rank.py": "x = 1\n",
    "src/wellkept/testing/people.py": "x = 1\n",
    "src/wellkept/store/contract.py": CONTRACT,
    "src/wellkept/store/parts/people.py": "x = 1\n",
    "src/wellkept/judges/reader.py": "x = 1\n",
    "src/wellkept/policies/rank.py": "x = 1\n",
    "tests/test_jobs.py": "",
    "tests/flows/test_people.py": "",
    "tests/test_rank.py": "",
}


@pytest.fixture
def house(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_methods_of_the_store_are_its_public_functions(house):
    assert size.store_methods(house) == 2


def test_a_name_counts_in_neighbouring_layers_only(house):
    assert {name for name, _, _ in size.names_twice(house)} == {"people"}, "rank.py is two layers apart"


def test_tests_are_found_where_the_name_says(house):
    assert size.has_tests(house, size.Path("flows/people.py"))
    assert not size.has_tests(house, size.Path("flows/rank.py")), "another folder is not where one looks"
    assert size.tested(house) == (2, 7), "the suite itself and an empty module are not counted"


def test_a_folder_with_many_files_is_named(house):
    for number in range(size.FOLDER_FILES_MAX):
        (house / "src/wellkept/policies" / f"rule_{number:02}.py").write_text("x = 1\n", encoding="utf-8")
    assert "folders over 25 files    policies (26)" in list(size.figures(house))


def test_the_way_of_a_fact_grows_no_longer():
    """Ceilings: what one has to read and what the database has to do. Lower them when the way gets shorter."""
    walks = size.paths()
    found = {name: (len(one.files), one.lines, one.statements) for name, one in walks.items()}
    for name, ceiling in WALKS.items():
        assert all(now <= most for now, most in zip(found[name], ceiling, strict=True)), (name, found[name])
    assert not any(path.parts[0] in size.LEFT_OUT for one in walks.values() for path in one.files)


def test_the_figures_of_this_tree_can_be_counted():
    assert len(list(size.figures(size.ROOT))) == 6
