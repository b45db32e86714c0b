-- Persons, users, chats and the edges between them.

-- name: person_columns
p.id, p.name, p.created_by, p.created_at, p.merged_into, (
  SELECT MIN(u.user_id) FROM users AS u WHERE u.tenant = :tenant AND u.person_id = p.id)

-- name: persons_by_id
-- Rows of three kinds: 0 the person, 1 the aliases, 2 the relationships, in their order.
SELECT 0 AS kind, 0 AS position, {person_columns} FROM persons AS p
WHERE p.tenant = :tenant AND p.id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
UNION ALL
SELECT 1, a.position, a.person_id, a.value, a.added_by, 0, NULL, NULL FROM aliases AS a
WHERE a.tenant = :tenant AND a.is_name = 0
  AND a.person_id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
UNION ALL
SELECT 2, r.position, r.person_id, r.relationship, r.stated_by, 0, r.other_person_id, NULL FROM relationships AS r
WHERE r.tenant = :tenant AND r.person_id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
ORDER BY 1, 2

-- name: person_by_id
-- The same of one person: most are asked for alone, and a list of one takes several times as long to look up.
SELECT 0 AS kind, 0 AS position, {person_columns} FROM persons AS p WHERE p.tenant = :tenant AND p.id = :id
UNION ALL
SELECT 1, a.position, a.person_id, a.value, a.added_by, 0, NULL, NULL FROM aliases AS a
WHERE a.tenant = :tenant AND a.is_name = 0 AND a.person_id = :id
UNION ALL
SELECT 2, r.position, r.person_id, r.relationship, r.stated_by, 0, r.other_person_id, NULL FROM relationships AS r
WHERE r.tenant = :tenant AND r.person_id = :id
ORDER BY 1, 2

-- name: person_of_user
-- With whether there is more to the person than this row, where that is asked: other names, relationships.
SELECT {person_columns}, CASE WHEN :is_whole = 1 THEN
  EXISTS (SELECT 1 FROM aliases AS a WHERE a.tenant = :tenant AND a.person_id = p.id AND a.is_name = 0)
  OR EXISTS (SELECT 1 FROM relationships AS r WHERE r.tenant = :tenant AND r.person_id = p.id) ELSE FALSE END
FROM users AS w JOIN persons AS p ON p.tenant = :tenant AND p.id = w.person_id
WHERE w.tenant = :tenant AND w.user_id = :user

-- name: persons_of_users
SELECT u.user_id, u.person_id FROM users AS u
WHERE u.tenant = :tenant AND u.user_id IN (SELECT x.value FROM json_each(CAST(:users AS TEXT)) AS x)

-- name: person_put
INSERT INTO persons (tenant, id, name, created_by, created_at, merged_into, checksum)
VALUES (:tenant, :id, :name, :created_by, :created_at, :merged_into, :checksum)
ON CONFLICT (tenant, id) DO UPDATE SET name = excluded.name, created_by = excluded.created_by,
  created_at = excluded.created_at, merged_into = excluded.merged_into, checksum = excluded.checksum

-- name: aliases_remove
DELETE FROM aliases WHERE tenant = :tenant AND person_id = :id

-- name: alias_add
INSERT INTO aliases (tenant, norm, person_id, position, is_name, value, added_by, checksum)
VALUES (:tenant, :norm, :id, :position, :is_name, :value, :added_by, :checksum)

-- name: relationships_remove
DELETE FROM relationships WHERE tenant = :tenant AND person_id = :id

-- name: relationship_add
INSERT INTO relationships (tenant, person_id, position, relationship, stated_by, other_person_id, checksum)
VALUES (:tenant, :id, :position, :relationship, :stated_by, :other_person_id, :checksum)

-- name: person_edges_remove
-- Edges that follow from the person's row, before they are written anew.
DELETE FROM edges WHERE tenant = :tenant AND kind IN ('HAS_RELATIONSHIP', 'MERGED_INTO') AND src = :id

-- name: persons_after
SELECT p.id FROM persons AS p WHERE p.tenant = :tenant AND p.id > :after AND p.merged_into IS NULL
ORDER BY p.id LIMIT :limit

-- name: everybody
SELECT p.id FROM persons AS p WHERE p.tenant = :tenant AND p.merged_into IS NULL
ORDER BY p.created_at DESC, p.id LIMIT :limit

-- name: person_redirects
-- A person and everybody who was merged into them, directly or by way of others.
WITH RECURSIVE below (id) AS (
  SELECT p.id FROM persons AS p WHERE p.tenant = :tenant AND p.id = :id
  UNION
  SELECT e.src FROM below AS b JOIN edges AS e ON e.tenant = :tenant AND e.kind = 'MERGED_INTO' AND e.dst = b.id
)
SELECT id FROM below

-- name: given_ids
(SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)

-- name: persons_aliases_remove
DELETE FROM aliases WHERE tenant = :tenant AND person_id IN {given_ids}

-- name: persons_relationships_remove
-- What they are to others, and what others are to them.
DELETE FROM relationships WHERE tenant = :tenant AND (
  person_id IN {given_ids}
  OR (other_person_id IN {given_ids} AND person_id IN (
    SELECT e.src FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'HAS_RELATIONSHIP' AND e.dst IN {given_ids})))

-- name: persons_edges_remove
-- ABOUT and STATED_BY follow from the rows of memories and go with those.
DELETE FROM edges WHERE tenant = :tenant
  AND kind IN ('HAS_RELATIONSHIP', 'IS_PERSON', 'MERGED_INTO', 'PARTICIPATES_IN')
  AND (src IN {given_ids} OR dst IN {given_ids})

-- name: persons_users_remove
DELETE FROM users WHERE tenant = :tenant AND person_id IN {given_ids}

-- name: persons_merges_remove
-- Whoever was merged into one of them is among them.
DELETE FROM merges WHERE tenant = :tenant AND secondary_id IN {given_ids}

-- name: persons_reviews_remove
DELETE FROM reviews WHERE tenant = :tenant AND (one IN {given_ids} OR other IN {given_ids})

-- name: persons_remove
DELETE FROM persons WHERE tenant = :tenant AND id IN {given_ids}

-- name: user_edges_remove
DELETE FROM edges WHERE tenant = :tenant AND kind = 'IS_PERSON' AND src = :user

-- name: user_remove
DELETE FROM users WHERE tenant = :tenant AND user_id = :user

-- name: user_put
INSERT INTO users (tenant, user_id, person_id, username, display_name)
VALUES (:tenant, :user, :person, :username, :display_name)
ON CONFLICT (tenant, user_id) DO UPDATE SET person_id = excluded.person_id,
  username = COALESCE(excluded.username, users.username),
  display_name = COALESCE(excluded.display_name, users.display_name)

-- name: holding_alias
SELECT DISTINCT p.id FROM aliases AS a JOIN persons AS p ON p.tenant = :tenant AND p.id = a.person_id
WHERE a.tenant = :tenant AND a.norm = :norm AND p.merged_into IS NULL ORDER BY p.id

-- name: related
SELECT DISTINCT p.id FROM relationships AS r JOIN persons AS p ON p.tenant = :tenant AND p.id = r.person_id
WHERE r.tenant = :tenant AND r.stated_by = :stated_by AND r.relationship = :relationship AND p.merged_into IS NULL
ORDER BY p.id

-- name: chat_put
INSERT INTO chats (tenant, chat, chat_type, since) VALUES (:tenant, :chat, :chat_type, :at)
ON CONFLICT (tenant, chat) DO UPDATE SET chat_type = excluded.chat_type

-- name: chat_type_of
SELECT chat_type FROM chats WHERE tenant = :tenant AND chat = :chat

-- name: attending
SELECT e.dst, e.src FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'PARTICIPATES_IN'
  AND e.dst IN (SELECT x.value FROM json_each(CAST(:chats AS TEXT)) AS x)
ORDER BY e.dst, e.src

-- name: edges_from
SELECT e.kind, e.src, e.dst, e.strength, e.stated_by FROM edges AS e
WHERE e.tenant = :tenant AND e.kind IN (SELECT x.value FROM json_each(CAST(:kinds AS TEXT)) AS x) AND e.src = :node
ORDER BY e.kind, e.dst

-- name: edges_to
SELECT e.kind, e.src, e.dst, e.strength, e.stated_by FROM edges AS e
WHERE e.tenant = :tenant AND e.kind IN (SELECT x.value FROM json_each(CAST(:kinds AS TEXT)) AS x) AND e.dst = :node
ORDER BY e.kind, e.src

-- name: told_of_here
-- Of the scopes in sight, whom each speaks of: from one person to the next, however much is said of them.
(WITH RECURSIVE spoken (scope, person_id) AS (
  SELECT s.scope, (SELECT MIN(q.person_id) FROM subjects AS q WHERE q.tenant = :tenant AND q.scope = s.scope)
  FROM (SELECT CAST(x.value AS BIGINT) AS scope FROM json_each(CAST(:scopes AS TEXT)) AS x) AS s
  UNION ALL
  SELECT spoken.scope, (SELECT MIN(q.person_id) FROM subjects AS q
    WHERE q.tenant = :tenant AND q.scope = spoken.scope AND q.person_id > spoken.person_id)
  FROM spoken WHERE spoken.person_id IS NOT NULL
)
SELECT scope, person_id FROM spoken WHERE person_id <> COALESCE(CAST(:person AS TEXT), ''))

-- name: newest_told
-- When the newest memory came that the view may see, of those of `w`: with a reach and a life given, the first that is
-- found is it.
(SELECT m.created_at FROM subjects AS q CROSS JOIN memories AS m
 WHERE q.tenant = :tenant AND q.person_id = w.person_id AND q.reach = reaches.reach AND q.is_live = lives.is_live
   AND q.scope = w.scope AND q.num >= w.least AND q.num <= w.most
   AND m.tenant = :tenant AND m.scope = q.scope AND m.num = q.num AND {visible}
 ORDER BY q.num DESC LIMIT 1)

-- name: known_here_rows
-- Who is present, and whom something visible is about. Of what is over only where the past may be asked for. With a limit
-- the rule is planned once; without, once for each half.
SELECT x.value AS person_id, 0 AS at FROM json_each(CAST(:present AS TEXT)) AS x
  UNION ALL
  SELECT w.person_id, {newest_told} FROM (
    SELECT h.scope, h.person_id, 0 AS least, 9223372036854775807 AS most FROM {told_of_here} AS h
    UNION ALL
    SELECT l.scope, a.dst, l.num, l.num FROM (
      SELECT e.scope, e.num, (SELECT n.id FROM memories AS n
        WHERE n.tenant = :tenant AND n.scope = e.scope AND n.num = e.num AND n.subject_count > 1) AS id
      FROM {told_elsewhere} AS e
    ) AS l CROSS JOIN edges AS a WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = l.id
    LIMIT 9223372036854775807
  ) AS w
  CROSS JOIN (SELECT 'everybody' AS reach UNION ALL SELECT 'subjects' UNION ALL SELECT 'nobody') AS reaches
  CROSS JOIN (SELECT 1 AS is_live UNION SELECT CAST(:is_live_min AS BIGINT)) AS lives

-- name: known
-- Created or mentioned by the asker, met in a chat, or the subject of something visible; the latest such moment counts.
-- Most memories are about the asker alone and tell of nobody else: they are passed over before anything is looked up.
-- The same for others' memories with one subject: that is somebody present, who is known already.
-- Whoever was only confided is nobody's (`created_by` is NULL), and known where a memory about them may be seen.
SELECT k.person_id FROM (
  SELECT p.id AS person_id, p.created_at AS at FROM persons AS p WHERE p.tenant = :tenant AND p.created_by = :user
  UNION ALL
  SELECT a.person_id, p.created_at FROM aliases AS a JOIN persons AS p ON p.tenant = :tenant AND p.id = a.person_id
  WHERE a.tenant = :tenant AND a.added_by = :user AND p.created_by IS NOT NULL
  UNION ALL
  SELECT r.person_id, p.created_at FROM relationships AS r
    JOIN persons AS p ON p.tenant = :tenant AND p.id = r.person_id
  WHERE r.tenant = :tenant AND r.stated_by = :user AND p.created_by IS NOT NULL
  UNION ALL
  SELECT o.src, o.at FROM edges AS t
    JOIN edges AS o ON o.tenant = :tenant AND o.kind = 'PARTICIPATES_IN' AND o.dst = t.dst
  WHERE t.tenant = :tenant AND t.kind = 'PARTICIPATES_IN' AND t.src = :person
  UNION ALL
  {known_here_rows}
) AS k CROSS JOIN persons AS p
WHERE p.tenant = :tenant AND p.id = k.person_id AND p.merged_into IS NULL
GROUP BY k.person_id HAVING MAX(k.at) IS NOT NULL ORDER BY MAX(k.at) DESC, k.person_id LIMIT :limit

-- name: known_here
-- The same of what may be told before everybody present: nobody whom only the asker knows.
SELECT k.person_id FROM (
  {known_here_rows}
) AS k CROSS JOIN persons AS p
WHERE p.tenant = :tenant AND p.id = k.person_id AND p.merged_into IS NULL
GROUP BY k.person_id HAVING MAX(k.at) IS NOT NULL ORDER BY MAX(k.at) DESC, k.person_id LIMIT :limit
