"""The second wall: whatever SQL a tenant's own role writes, the database shows it nobody else's rows."""

from __future__ import annotations

import psycopg
import pytest

from wellkept.store.opening import open_store
from wellkept.store.tables import POSTGRES, table_names
from wellkept.testing.world import ALICE, BOB, World, search

GRANTS = """
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO acme;
REVOKE INSERT, UPDATE, DELETE ON tenant_roles FROM acme;
INSERT INTO tenant_roles (tenant, role) VALUES ('acme', 'acme');
"""


@pytest.fixture
def url(postgres, new_database):
    """A store with two tenants, as the role of one of them reaches it."""
    if not postgres.execute("SELECT 1 FROM pg_roles WHERE rolname = 'acme'"):
        postgres.execute("CREATE ROLE acme LOGIN")
    owner = new_database()
    store = open_store(owner)
    for tenant in ("acme", "zenith"):
        world = World(store)
        for number in range(3):
            world.tell(f"{tenant} keeps tea {number}.", tenant=tenant, subject_person_ids=(ALICE, BOB))
    store.close()
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(GRANTS)
    return owner.replace("//app@", "//acme@")


def tenants_seen(connection, table: str) -> set[str]:
    return {row[0] for row in connection.execute(f"SELECT tenant FROM {table}")}  # noqa: S608 -- ours


def test_hand_written_sql_shows_nobody_elses_rows(url):
    with psycopg.connect(url, autocommit=True) as connection:
        seen = set().union(*(tenants_seen(connection, table) for table in table_names(POSTGRES)))
        assert seen == {"acme"}
        with psycopg.connect(url.replace("//acme@", "//app@")) as owner:
            assert tenants_seen(owner, "memories") == {"acme", "zenith"}
        for trick in (
            "SET row_security = off",
            "SET ROLE app",
            "SET SESSION AUTHORIZATION app",
            "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
            "DROP POLICY tenant_sees_own ON memories",
            "INSERT INTO tenant_roles (tenant, role) VALUES ('zenith', 'acme')",
            "UPDATE tenant_roles SET tenant = 'zenith'",
            "SELECT set_config('wellkept.tenant', 'zenith', false)",
            "CREATE TEMP TABLE tenant_roles AS SELECT 'zenith' AS tenant, 'acme' AS role",
            "SET search_path = pg_temp, public",
        ):
            try:
                connection.execute(trick)
                found = connection.execute("SELECT 1 FROM memories WHERE tenant = 'zenith'").fetchall()
            except psycopg.Error:
                found = []
            assert found == [], trick
            connection.execute("RESET ALL")
        assert connection.execute("SELECT 1 FROM versions WHERE content LIKE '%zenith%'").fetchall() == []


def test_nobody_elses_rows_can_be_written(url):
    with psycopg.connect(url, autocommit=True) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO watermarks (tenant, name, at) VALUES ('zenith', 'x', 1)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("UPDATE memories SET tenant = 'zenith'")
        assert connection.execute("UPDATE memories SET importance = 9 WHERE tenant = 'zenith'").rowcount == 0
        assert connection.execute("DELETE FROM vectors WHERE tenant = 'zenith'").rowcount == 0


def test_a_role_without_a_tenant_sees_nothing(url):
    with psycopg.connect(url.replace("//acme@", "//app@"), autocommit=True) as owner:
        owner.execute("DELETE FROM tenant_roles")
    with psycopg.connect(url, autocommit=True) as connection:
        assert not set().union(*(tenants_seen(connection, table) for table in table_names(POSTGRES)))


def test_the_store_works_for_the_role_of_one_tenant(url):
    store = open_store(url)
    world = World(store)
    world.tell("acme keeps coffee.", tenant="acme", discriminator="new")
    assert len(store.candidates(search("keeps", tenant="acme"))) == 4
    assert store.candidates(search("keeps", tenant="zenith")) == ()
    assert store.tenants() == ("acme",)
    assert not list(store.verify("acme"))
    store.close()


def test_every_table_is_walled(url):
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert {name for name, *_ in rows} == set(table_names(POSTGRES))
    assert all(is_walled for _, is_walled, _ in rows)
    # Only the owner, who says who sees what, is let past the wall of the table that says it.
    assert {name for name, _, is_forced in rows if not is_forced} == {"tenant_roles"}
