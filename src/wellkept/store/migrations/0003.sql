-- Row policies without subqueries, which Citus takes. Lists come to PostgreSQL as arrays now: `json_each` stays for servers
-- of the release before, which may run beside this one, and goes with the release after.

-- only: postgres
DO $$ BEGIN
  IF to_regprocedure('tenants_of_role()') IS NULL THEN
    CREATE FUNCTION tenants_of_role() RETURNS TEXT[] LANGUAGE sql STABLE PARALLEL SAFE
    AS $said$SELECT ARRAY(SELECT t FROM pg_catalog.jsonb_array_elements_text('{}'::pg_catalog.jsonb OPERATOR(pg_catalog.->) (current_user::pg_catalog.text)) AS t)$said$;
  END IF;
END $$;

-- What the row policies ask: the tenants of the role that asks. Every change of `tenant_roles` writes the function anew, with
-- the rows in its body, so that it asks no table and says the same on every worker of a cluster. All names in it are
-- qualified: a search_path of the caller's own changes nothing.
CREATE FUNCTION settle_tenant_roles() RETURNS TRIGGER LANGUAGE plpgsql AS $settle$
DECLARE said TEXT;
BEGIN
  IF TG_WHEN = 'BEFORE' THEN
    -- One at a time, so that none is written from rows that somebody else is changing.
    PERFORM pg_catalog.pg_advisory_xact_lock(7234911066045114208);
    RETURN NULL;
  END IF;
  EXECUTE pg_catalog.format(
    'SELECT COALESCE(pg_catalog.jsonb_object_agg(r.role, r.tenants), ''{}'')::pg_catalog.text FROM '
    '(SELECT role, pg_catalog.jsonb_agg(tenant ORDER BY tenant) AS tenants FROM %I.%I GROUP BY role) AS r',
    TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO said;
  EXECUTE pg_catalog.format(
    'CREATE OR REPLACE FUNCTION %I.tenants_of_role() RETURNS TEXT[] LANGUAGE sql STABLE PARALLEL SAFE AS %L',
    TG_TABLE_SCHEMA, pg_catalog.format(
      'SELECT ARRAY(SELECT t FROM pg_catalog.jsonb_array_elements_text('
      '%L::pg_catalog.jsonb OPERATOR(pg_catalog.->) (current_user::pg_catalog.text)) AS t)', said));
  RETURN NULL;
END $settle$;

CREATE TRIGGER tenant_roles_change BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON tenant_roles
FOR EACH STATEMENT EXECUTE FUNCTION settle_tenant_roles();
CREATE TRIGGER tenant_roles_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tenant_roles
FOR EACH STATEMENT EXECUTE FUNCTION settle_tenant_roles();

-- Everybody goes on seeing what they saw.
UPDATE tenant_roles SET role = role WHERE false;

DO $$
DECLARE walled RECORD;
BEGIN
  FOR walled IN SELECT p.polrelid::regclass AS name FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
    WHERE p.polname = 'tenant_sees_own' AND c.relnamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER POLICY tenant_sees_own ON %s USING (tenant = ANY (tenants_of_role()))', walled.name);
  END LOOP;
END $$;
-- end
