"""Every table has been thought about: whether it is exported, and whose its rows are."""

from __future__ import annotations

from wellkept.store.portable import TYPES
from wellkept.store.tables import KEPT, tables


def test_every_table_is_classified():
    assert set(KEPT) == set(tables()), "say in KEPT what the table is, for exports and for erasing"


def test_tables_are_read_whole():
    assert len(tables()["memories"].columns) > 60
    assert tables()["ledger"].key == ("scope", "seq")
    assert all(table.key and table.columns for table in tables().values())


def test_types_have_names_of_their_own():
    assert len(TYPES) == len([kept for kept in KEPT.values() if kept.type is not None])


def test_a_row_belongs_by_a_column_that_is_there():
    columns = {
        "scope": "scope",
        "user": "user_id",
        "memory": "memory_id",
        "edge": "src",
        "asker": "asker",
        "owner": "owner",
    }
    columns |= {"merge": "secondary_id", "person": "person_id"}
    for name, kept in KEPT.items():
        if kept.whose in columns and name != "persons":
            assert columns[kept.whose] in tables()[name].columns, name
