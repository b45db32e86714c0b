"""What can be said of Citus without a cluster; `wellkept bench citus` runs the rest on one."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput, StoreError
from wellkept.store.opening import describe, distribute, open_driver
from wellkept.store.postgres.citus import LISTING_TENANTS, LOCKING, Layout, Worker, statements
from wellkept.store.tables import POSTGRES, table_names


def test_a_database_without_citus_says_what_to_do(new_database):
    url = new_database()
    with pytest.raises(StoreError, match="CREATE EXTENSION citus") as refused:
        distribute(url)
    assert refused.value.code == "no_citus"
    assert describe(url).layout is None
    assert not describe(url).faults


def test_a_file_is_not_distributed(tmp_path):
    with pytest.raises(InvalidInput, match="PostgreSQL with Citus"):
        distribute(tmp_path / "memory.db")


def test_every_statement_is_checked_as_it_is_sent():
    sent = dict(statements())
    assert not LISTING_TENANTS & sent.keys()
    assert sent["scope_open"].endswith(LOCKING["scope_open"])
    assert "scan" in sent
    assert len(sent) > 300


def test_a_table_that_was_left_out_is_missing():
    every = table_names(POSTGRES)
    whole = Layout(
        citus="13.2-1",
        workers=(
            Worker(address="a:5432", shards=16, is_active=True),
            Worker(address="b:5432", shards=16, is_active=True),
        ),
        shards=32,
        distributed=tuple(name for name in every if name not in ("api_keys", "tenant_roles")),
        references=("api_keys",),
        local=("tenant_roles",),
    )
    assert not whole.missing
    assert whole.lines[1:] == ("a:5432: 16 shards", "b:5432: 16 shards")
    left_out = Layout(**{**vars(whole), "distributed": whole.distributed[:-1]})
    assert left_out.missing == whole.distributed[-1:]


def test_a_change_of_roles_writes_the_function_anew(new_database):
    driver = open_driver(new_database())
    body = "SELECT prosrc FROM pg_proc WHERE proname = 'tenants_of_role'"
    for statement, said in (
        ("INSERT INTO tenant_roles (tenant, role) VALUES ('it''s', 'a'), ('b', 'a')", '{"a": ["b", "it\'\'s"]}'),
        ("DELETE FROM tenant_roles WHERE tenant = 'b'", '{"a": ["it\'\'s"]}'),
        ("TRUNCATE tenant_roles", "{}"),
    ):
        driver.run(statement, {})
        assert f"'{said}'::pg_catalog.jsonb" in driver.rows(body, {})[0][0]
    driver.close()
