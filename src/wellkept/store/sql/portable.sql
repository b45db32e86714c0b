-- What belongs to a user, as conditions on the rows of any table; see `tables.py`.

-- name: of_scope
scope IN (SELECT c.scope FROM scopes AS c WHERE c.tenant = :tenant AND c.space IN ('user', 'transcript') AND c.owner = :user)

-- name: of_edge
src IN (SELECT o.id FROM memories AS o WHERE o.tenant = :tenant AND o.{of_scope})

-- name: known_persons
-- The user's own person, those that the user has made, and those that the user's memories are about.
SELECT u.person_id FROM users AS u WHERE u.tenant = :tenant AND u.user_id = :user
UNION SELECT n.id FROM persons AS n WHERE n.tenant = :tenant AND n.created_by = :user
UNION SELECT s.person_id FROM subjects AS s WHERE s.tenant = :tenant AND s.{of_scope}

-- name: of_person
person_id IN ({known_persons})

-- name: of_merge
secondary_id IN ({known_persons})

-- name: of_todo
todo_id IN (SELECT o.id FROM todos AS o WHERE o.tenant = :tenant AND o.owner = :user)

-- name: any_scope
SELECT 1 FROM scopes WHERE tenant = :tenant LIMIT 1

-- name: counter_raise
INSERT INTO counters (tenant, scope, kind, n) VALUES (:tenant, :scope, :kind, :number)
ON CONFLICT (tenant, scope, kind) DO UPDATE SET n = CASE WHEN counters.n < excluded.n THEN excluded.n ELSE counters.n END
