-- Reading for a viewpoint. Everything here stands on `visible` (visible.sql) and on `filtered`, and on nothing else.

-- name: filtered
-- What the caller wants of what is visible; a parameter that is null lets all through. Somebody else's user id gives nothing.
(
  (CAST(:f_user_id AS TEXT) IS NULL OR (m.space = 'user' AND m.owner = :f_user_id AND m.owner = :user))
  AND (CAST(:f_agent_id AS TEXT) IS NULL OR m.agent_id = :f_agent_id)
  AND (CAST(:f_run_id AS TEXT) IS NULL OR m.run_id = :f_run_id)
  AND (CAST(:f_learned_in AS TEXT) IS NULL OR m.learned_in = :f_learned_in)
  AND (CAST(:f_actor_id AS TEXT) IS NULL OR m.actor_id = :f_actor_id)
  AND (CAST(:f_role AS TEXT) IS NULL OR m.role = :f_role)
  AND (CAST(:f_pinned AS BIGINT) IS NULL OR m.pinned = :f_pinned)
  AND (CAST(:f_importance_min AS DOUBLE PRECISION) IS NULL OR m.importance >= :f_importance_min)
  AND (CAST(:f_importance_max AS DOUBLE PRECISION) IS NULL OR m.importance <= :f_importance_max)
  AND (CAST(:f_updated_after AS BIGINT) IS NULL OR m.updated_at >= :f_updated_after)
  AND (CAST(:f_updated_before AS BIGINT) IS NULL OR m.updated_at < :f_updated_before)
  AND (CAST(:f_categories AS TEXT) IS NULL
       OR m.category IN (SELECT x.value FROM json_each(CAST(:f_categories AS TEXT)) AS x))
  AND (CAST(:f_types AS TEXT) IS NULL OR m.type IN (SELECT x.value FROM json_each(CAST(:f_types AS TEXT)) AS x))
  AND (CAST(:f_sensitivity AS TEXT) IS NULL OR COALESCE(m.sensitivity, 'public') = :f_sensitivity)
  AND (CAST(:f_fact_keys AS TEXT) IS NULL
       OR m.fact_key IN (SELECT x.value FROM json_each(CAST(:f_fact_keys AS TEXT)) AS x))
  AND (CAST(:f_entity AS TEXT) IS NULL OR EXISTS (
    SELECT 1 FROM entity_refs AS r
    WHERE r.tenant = :tenant AND r.scope = m.scope AND r.ref = :f_entity AND r.num = m.num))
  AND (CAST(:f_about AS TEXT) IS NULL OR EXISTS (
    SELECT 1 FROM edges AS a WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = m.id
      AND a.dst IN (SELECT x.value FROM json_each(CAST(:f_about AS TEXT)) AS x)))
)

-- name: told_elsewhere
-- Places of memories about somebody present in scopes that are not in sight: how others' memories are reached. What is
-- for everybody by all who are present; the rest by the asker, or by the owner where the own scope is not in sight. What
-- can never be shown is not touched, so that the time taken tells nothing of it. The people come first: CROSS JOIN says
-- so to SQLite, which without statistics would read the whole tenant.
(SELECT q.scope, q.num FROM json_each(CAST(:present AS TEXT)) AS p CROSS JOIN {out_of_sight} AS g
   CROSS JOIN subjects AS q
 WHERE q.tenant = :tenant AND q.person_id = p.value AND q.reach = 'everybody' AND {between}
 UNION
 SELECT q.scope, q.num FROM {out_of_sight} AS g CROSS JOIN subjects AS q
 WHERE q.tenant = :tenant AND q.person_id = :person AND q.reach = 'subjects' AND {between}
 UNION
 SELECT q.scope, q.num FROM scopes AS o CROSS JOIN json_each(CAST(:present AS TEXT)) AS p CROSS JOIN subjects AS q
 WHERE o.tenant = :tenant AND o.space = 'user' AND o.owner = :user
   AND o.scope NOT IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:scopes AS TEXT)) AS x)
   AND q.tenant = :tenant AND q.scope = o.scope AND q.person_id = p.value AND q.reach = 'subjects'
   AND q.is_live >= :is_live_min)

-- name: out_of_sight
-- The numbers of scopes between those in sight: what lies in sight is passed over, however much it is.
(SELECT gaps.after, COALESCE((SELECT MIN(CAST(y.value AS BIGINT)) FROM json_each(CAST(:scopes AS TEXT)) AS y
   WHERE CAST(y.value AS BIGINT) > gaps.after), 9223372036854775807) AS until
 FROM (SELECT CAST(x.value AS BIGINT) AS after FROM json_each(CAST(:scopes AS TEXT)) AS x UNION ALL SELECT -1) AS gaps)

-- name: between
-- A subject's row of such a scope; of what is over, only where the past is asked for.
q.is_live IN (1, :is_live_min) AND q.scope > g.after AND q.scope < g.until

-- name: scope_revs
-- Grow whenever a memory of the scope changes, and when one is removed.
SELECT s.scope, s.rev, s.purge_rev FROM scopes AS s WHERE s.tenant = :tenant
  AND s.scope IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:scopes AS TEXT)) AS x)

-- name: sight_revs
-- The same, and of the people watched, with scope -1: the first grows when one of them takes part in a chat for the first
-- time, the second when a scope that is not in sight says something about one of them.
{scope_revs}
UNION ALL
SELECT -1, CAST(COALESCE(SUM(CASE WHEN r.scope = 0 THEN r.rev ELSE 0 END), 0) AS BIGINT),
  CAST(COALESCE(SUM(CASE WHEN r.scope = 0 THEN 0 ELSE r.rev END), 0) AS BIGINT)
FROM json_each(CAST(:watched AS TEXT)) AS x CROSS JOIN person_revs AS r
WHERE r.tenant = :tenant AND r.person_id = x.value
  AND r.scope NOT IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:scopes AS TEXT)) AS x)

-- name: scope_place
SELECT space, owner FROM scopes WHERE tenant = :tenant AND scope = :scope

-- name: sight_columns
-- `is_open`: no word of the person concerned hides it. `lifts_at`: when the first such word may die.
m.num, m.words, m.created_at, m.dies_at, m.embedded_model,
CASE WHEN {unshadowed} THEN 1 ELSE 0 END,
CASE WHEN m.shadowed = 0 THEN NULL ELSE (
  SELECT MIN(s.dies_at) FROM edges AS o JOIN memories AS s ON s.tenant = :tenant AND s.id = o.src
  WHERE o.tenant = :tenant AND o.kind = 'SUPERSEDES' AND o.dst = m.id AND s.state = 'active') END

-- name: sight_own
-- One scope in sight, whole.
SELECT {sight_columns} FROM memories AS m
WHERE m.tenant = :tenant AND m.scope = :scope AND {filtered} AND {seen}

-- name: sight_changed
-- One scope in sight, as far as it changed; rows that are not seen are told too, with a 0 first.
SELECT CASE WHEN {filtered} AND {seen} THEN 1 ELSE 0 END, {sight_columns} FROM memories AS m
WHERE m.tenant = :tenant AND m.scope = :scope AND m.rev > :since

-- name: sight_across
-- What others said about those present.
SELECT m.scope, m.space, m.owner, {sight_columns}
FROM {elsewhere} WHERE {filtered} AND {seen}

-- name: live_own
-- One scope's live memories, whoever may see them.
SELECT m.num, m.words, m.created_at, m.dies_at, m.embedded_model, 1, NULL FROM memories AS m
WHERE m.tenant = :tenant AND m.scope = :scope AND {filtered} AND {wanted} AND {alive}

-- name: live_changed
SELECT CASE WHEN {filtered} AND {wanted} AND {alive} THEN 1 ELSE 0 END,
  m.num, m.words, m.created_at, m.dies_at, m.embedded_model, 1, NULL FROM memories AS m
WHERE m.tenant = :tenant AND m.scope = :scope AND m.rev > :since

-- name: postings_of_terms
-- Where the words of a query stand in one scope.
SELECT p.scope * 4294967296 + p.num, p.term, p.tf FROM postings AS p
WHERE p.tenant = :tenant AND p.scope = :scope
  AND p.term IN (SELECT x.value FROM json_each(CAST(:terms AS TEXT)) AS x)
ORDER BY p.term, p.num

-- name: postings_of_places
-- The same for some memories of any scopes, and no others.
SELECT p.scope * 4294967296 + p.num, p.term, p.tf FROM {given_places} CROSS JOIN postings AS p
WHERE p.tenant = :tenant AND p.scope = {scope_given} AND p.num = {num_given}
  AND p.term IN (SELECT x.value FROM json_each(CAST(:terms AS TEXT)) AS x)
ORDER BY p.term, p.scope, p.num

-- name: vectors_after
-- A scope's vectors in batches.
SELECT v.num, v.piece, v.vector FROM vectors AS v
WHERE v.tenant = :tenant AND v.scope = :scope AND v.model = :model AND (v.num > :num OR (v.num = :num AND v.piece > :piece))
ORDER BY v.num, v.piece LIMIT :limit

-- name: vectors_changed
-- In no order: SQLite would read the whole scope to find it in that of the key.
SELECT v.num, v.piece, v.vector FROM vectors AS v
WHERE v.tenant = :tenant AND v.scope = :scope AND v.model = :model AND v.rev > :since

-- name: vectors_of_places
SELECT v.scope * 4294967296 + v.num, v.vector FROM {given_places} CROSS JOIN vectors AS v
WHERE v.tenant = :tenant AND v.scope = {scope_given} AND v.num = {num_given} AND v.model = :model

-- name: in_order
-- Newest first; with a turn of -1, oldest first.
m.created_at * :turn DESC, m.space, m.owner, m.num DESC

-- name: page
-- After the row that ended the page before, in the order of `in_order`.
(CAST(:b_at AS BIGINT) IS NULL OR m.created_at * :turn < :b_at * :turn OR (m.created_at = :b_at AND (
  m.space > :b_space OR (m.space = :b_space AND (m.owner > :b_owner OR (m.owner = :b_owner AND m.num < :b_num))))))

-- name: findable
-- What is visible, and what is no longer live but would be in sight.
({wanted} AND {admitted} AND CASE WHEN {alive} THEN {unshadowed} ELSE {within} END)

-- name: page_end
-- Only a row that this view could name: where an invisible one stands is nobody's business.
SELECT m.created_at, m.space, m.owner, m.num FROM memories AS m WHERE m.tenant = :tenant AND m.id = :id AND {findable}

-- name: elsewhere
-- Memories that others own, as far as they are about somebody present.
{told_elsewhere} AS e JOIN memories AS m ON m.tenant = :tenant AND m.scope = e.scope AND m.num = e.num

-- name: seen_own
-- The page is chosen before anything else of a row is read: in a CTE of its own, or else PostgreSQL
-- adds both up, and beside what the choice takes a scan of the whole tenant looks no worse than a few keys.
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM memories AS m
  WHERE m.tenant = :tenant AND {within} AND {filtered} AND {page} AND {visible}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: seen_own_about
-- The same, led by the people asked about.
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM (
    SELECT DISTINCT q.scope, q.num FROM subjects AS q
    WHERE q.tenant = :tenant AND q.scope IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:scopes AS TEXT)) AS x)
      AND q.person_id IN (SELECT x.value FROM json_each(CAST(:f_about AS TEXT)) AS x)
  ) AS e CROSS JOIN memories AS m
  WHERE m.tenant = :tenant AND m.scope = e.scope AND m.num = e.num AND {filtered} AND {page} AND {visible}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: seen_own_slot
-- The same, led by the slots asked for, of what is active.
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM memories AS m
  WHERE m.tenant = :tenant AND {within} AND m.state = 'active' AND m.fact_key IS NOT NULL
    AND m.fact_key IN (SELECT x.value FROM json_each(CAST(:f_fact_keys AS TEXT)) AS x)
    AND {filtered} AND {page} AND {visible}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: seen_own_pinned
-- The same, led by what is pinned and active.
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM memories AS m
  WHERE m.tenant = :tenant AND {within} AND m.state = 'active' AND m.pinned = 1 AND {filtered} AND {page} AND {visible}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: seen_own_category
-- The same, led by the categories asked for, of what is active and no turn of a conversation.
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM memories AS m
  WHERE m.tenant = :tenant AND {within} AND m.state = 'active' AND m.kind <> 'short_term'
    AND m.category IN (SELECT x.value FROM json_each(CAST(:f_categories AS TEXT)) AS x)
    AND {filtered} AND {page} AND {visible}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: seen_gone
-- What is no longer live in the spaces in sight: nobody else's is ever looked up.
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM memories AS m
  WHERE m.tenant = :tenant AND {within} AND m.state <> 'active' AND m.kind <> 'short_term' AND m.state = :state
    AND {filtered} AND {page} AND {wanted} AND {admitted}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: seen_elsewhere
WITH w AS MATERIALIZED (
  SELECT m.scope, m.num FROM {elsewhere} WHERE {filtered} AND {page} AND {visible}
  ORDER BY {in_order} LIMIT :limit
)
SELECT m.num, {memory_columns} FROM w, {with_text}
WHERE m.tenant = :tenant AND m.scope = w.scope AND m.num = w.num

-- name: find
-- By the beginning of an id.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.id >= :prefix AND m.id < :prefix_end AND {findable}
ORDER BY m.id LIMIT :limit

-- name: with_refs
-- In sight by the index of refs; others' memories by the people present, then by ref.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.id IN (
    SELECT n.id FROM entity_refs AS r JOIN memories AS n ON n.tenant = :tenant AND n.scope = r.scope AND n.num = r.num
    WHERE r.tenant = :tenant
      AND r.scope IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:scopes AS TEXT)) AS x)
      AND r.ref IN (SELECT x.value FROM json_each(CAST(:refs AS TEXT)) AS x)
    UNION ALL
    SELECT n.id FROM {told_elsewhere} AS e
      JOIN memories AS n ON n.tenant = :tenant AND n.scope = e.scope AND n.num = e.num
      JOIN entity_refs AS r ON r.tenant = :tenant AND r.scope = n.scope AND r.num = n.num
    WHERE r.ref IN (SELECT x.value FROM json_each(CAST(:refs AS TEXT)) AS x))
  AND (m.pinned = 1 OR m.importance >= :importance_min) AND {visible}
ORDER BY m.pinned DESC, m.importance DESC, {newest} LIMIT :limit

-- name: linked
-- Related memories, from either end of the edge.
SELECT l.near, l.strength, {memory_columns}
FROM (
  SELECT e.src AS near, e.dst AS far, e.strength AS strength FROM edges AS e
  WHERE e.tenant = :tenant AND e.kind = 'related_to' AND e.src IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
  UNION ALL
  SELECT e.dst, e.src, e.strength FROM edges AS e
  WHERE e.tenant = :tenant AND e.kind = 'related_to' AND e.dst IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
) AS l, {with_text}
WHERE m.tenant = :tenant AND m.id = l.far AND {visible}
ORDER BY COALESCE(l.strength, 0) DESC, {newest}, l.near LIMIT :limit

-- name: ties
-- How strongly these memories are related to each other.
SELECT e.src, e.dst, COALESCE(e.strength, 0) FROM edges AS e
WHERE e.tenant = :tenant AND e.kind = 'related_to'
  AND e.src IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
  AND e.dst IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
ORDER BY e.src, e.dst

-- name: in_sight
SELECT m.id FROM memories AS m
WHERE m.tenant = :tenant AND m.id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x) AND {visible}

-- name: count_own
SELECT m.type, COUNT(*) FROM memories AS m WHERE m.tenant = :tenant AND {within} AND {visible} GROUP BY m.type

-- name: count_elsewhere
SELECT m.type, COUNT(*) FROM {elsewhere} WHERE {visible} GROUP BY m.type
