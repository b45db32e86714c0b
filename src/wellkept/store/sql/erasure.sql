-- The right to be forgotten: what a user owns or stated.

-- name: memories_of_user
-- In the user's own space, said by the user's person, or written by the user in a session.
SELECT m.id FROM memories AS m WHERE m.tenant = :tenant AND m.id > :after AND (
  (m.space = 'user' AND m.owner = :user)
  OR m.actor_id = :user
  OR m.stated_by IN (SELECT u.person_id FROM users AS u WHERE u.tenant = :tenant AND u.user_id = :user)
  OR (:mentions = 1 AND EXISTS (
    SELECT 1 FROM subjects AS s JOIN users AS u ON u.tenant = :tenant AND u.person_id = s.person_id
    WHERE s.tenant = :tenant AND s.scope = m.scope AND s.num = m.num AND u.user_id = :user))
) ORDER BY m.id LIMIT :limit

-- name: places_of_actor
-- Sessions and projects in which nobody else has written; `is_empty` where nothing of them is stored any more.
SELECT c.space, c.owner, NOT EXISTS (
  SELECT 1 FROM memories AS m WHERE m.tenant = :tenant AND m.scope = c.scope) AS is_empty
FROM pseudonyms AS p JOIN scopes AS c ON c.tenant = :tenant AND c.scope = p.scope
WHERE p.tenant = :tenant AND p.user_id = :user AND c.space IN ('session', 'project') AND NOT EXISTS (
  SELECT 1 FROM pseudonyms AS o WHERE o.tenant = :tenant AND o.scope = p.scope AND o.user_id <> :user)

-- name: pseudonyms_erase
DELETE FROM pseudonyms WHERE tenant = :tenant AND user_id = :user

-- name: users_erase
DELETE FROM users WHERE tenant = :tenant AND user_id = :user

-- name: reviews_erase
DELETE FROM reviews WHERE tenant = :tenant AND asker = :user

-- name: profiles_erase
DELETE FROM profiles WHERE tenant = :tenant AND user_id = :user

-- name: proposals_erase
DELETE FROM proposals WHERE tenant = :tenant AND user_id = :user

-- name: identities_erase
-- Which person a user was, and which sessions and projects were open to them.
DELETE FROM edges WHERE tenant = :tenant AND kind IN ('IS_PERSON', 'OPENED') AND src = :user

-- name: key_scopes
SELECT id, scopes FROM api_keys WHERE tenant = :tenant

-- name: graph_namespaces
SELECT DISTINCT namespace FROM graph_items WHERE tenant = :tenant

-- name: graph_items_erase
DELETE FROM graph_items WHERE tenant = :tenant AND namespace = :namespace

-- name: key_erase
DELETE FROM api_keys WHERE tenant = :tenant AND id = :id

-- name: graph_steps_of_users
-- Threads, with what their steps say of who they were run for.
SELECT DISTINCT g.thread_id, g.metadata FROM graph_steps AS g WHERE g.tenant = :tenant

-- name: graph_writes_erase
-- The graph of a thread that a supervisor kept for this user.
DELETE FROM graph_writes WHERE tenant = :tenant AND thread_id IN (
  SELECT s.thread_id FROM supervisor_checkpoints AS s WHERE s.tenant = :tenant AND s.user_id = :user)

-- name: graph_steps_erase
DELETE FROM graph_steps WHERE tenant = :tenant AND thread_id IN (
  SELECT s.thread_id FROM supervisor_checkpoints AS s WHERE s.tenant = :tenant AND s.user_id = :user)

-- name: answers_erase
-- An answer without a user may hold anybody's words.
DELETE FROM answers WHERE tenant = :tenant AND (user_id = :user OR user_id IS NULL)

-- name: merges_erase
-- What a merge keeps of two persons was partly said by whoever asked for it.
DELETE FROM merges WHERE tenant = :tenant
  AND (secondary_id IN (SELECT p.id FROM persons AS p WHERE p.tenant = :tenant AND p.created_by = :user)
    OR primary_id IN (SELECT p.id FROM persons AS p WHERE p.tenant = :tenant AND p.created_by = :user))

-- name: tallies_erase
-- A tally names its user.
DELETE FROM tallies WHERE tenant = :tenant AND kind IN ('facts', 'tokens', 'writes') AND owner = :user

-- name: jobs_of_tenant
SELECT name, key, run, payload FROM jobs WHERE tenant = :tenant

-- name: job_erase
DELETE FROM jobs WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run

-- name: persons_by_user
SELECT p.id FROM persons AS p WHERE p.tenant = :tenant AND p.created_by = :user
UNION SELECT a.person_id FROM aliases AS a WHERE a.tenant = :tenant AND a.added_by = :user
UNION SELECT r.person_id FROM relationships AS r WHERE r.tenant = :tenant AND r.stated_by = :user

-- name: spoken_of
SELECT 1 FROM subjects AS s WHERE s.tenant = :tenant AND s.person_id = :person_id
UNION ALL SELECT 1 FROM users AS u WHERE u.tenant = :tenant AND u.person_id = :person_id LIMIT 1

-- name: message_texts_of_user
SELECT role, content FROM messages WHERE tenant = :tenant AND user_id = :user

-- name: same_text
-- A memory, a word of somebody else, a reply that rests on a memory which is left, or a name that others use.
-- `replies` is 1 where any other reply with this text will do.
SELECT 1 FROM versions WHERE tenant = :tenant AND (REPLACE(content, :text, '') <> content
  OR REPLACE(quote, :text, '') <> quote)
UNION ALL SELECT 1 FROM messages AS t WHERE t.tenant = :tenant AND REPLACE(t.content, :text, '') <> t.content
  AND (t.role = 'user' OR :replies = 1 OR {rests})
UNION ALL SELECT 1 FROM aliases WHERE tenant = :tenant AND REPLACE(value, :text, '') <> value
UNION ALL SELECT 1 FROM todos WHERE tenant = :tenant AND REPLACE(text, :text, '') <> text LIMIT 1

-- name: rests
-- The message `t` rests on a memory that is stored.
EXISTS (SELECT 1 FROM evidence AS e JOIN memories AS m ON m.tenant = :tenant AND m.id = e.memory_id
  WHERE e.tenant = :tenant AND e.scope = t.scope AND e.num = t.num)

-- name: messages_resting
SELECT DISTINCT t.scope, t.num, t.role, t.speaker, t.content FROM evidence AS e
  JOIN messages AS t ON t.tenant = :tenant AND t.scope = e.scope AND t.num = e.num
WHERE e.tenant = :tenant AND e.memory_id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
ORDER BY t.scope, t.num

-- name: messages_that_may_retell
-- Replies that rest on nothing that is stored, and what others said.
SELECT t.scope, t.num, t.role, t.content FROM messages AS t WHERE t.tenant = :tenant
  AND (t.scope > :scope OR (t.scope = :scope AND t.num > :num))
  AND ((t.role <> 'user' AND NOT {rests}) OR (t.role = 'user' AND :mentions = 1))
ORDER BY t.scope, t.num LIMIT :limit

-- name: rolling_that_may_retell
SELECT owner, persona, version, content FROM rolling_summaries WHERE tenant = :tenant

-- name: rolling_remove
DELETE FROM rolling_summaries WHERE tenant = :tenant AND owner = :owner AND persona = :persona AND version = :version

-- name: session_summaries_that_may_retell
SELECT session_id, body FROM session_summaries WHERE tenant = :tenant

-- name: session_summary_remove
DELETE FROM session_summaries WHERE tenant = :tenant AND session_id = :session_id

-- name: spines_that_may_retell
SELECT owner, version, content FROM spines WHERE tenant = :tenant

-- name: spine_remove
DELETE FROM spines WHERE tenant = :tenant AND owner = :owner AND version = :version

-- name: answers_that_may_retell
SELECT caller, idempotency_key, body FROM answers WHERE tenant = :tenant

-- name: answer_remove
DELETE FROM answers WHERE tenant = :tenant AND caller = :caller AND idempotency_key = :idempotency_key

-- name: fingerprint_add
INSERT INTO fingerprints (tenant, key, digest, tag, length, way, is_reply)
VALUES (:tenant, :key, :digest, :tag, :length, :way, :is_reply)
ON CONFLICT (tenant, key, digest) DO UPDATE SET is_reply = fingerprints.is_reply * excluded.is_reply

-- name: fingerprints_of
SELECT tag, length, digest, way, is_reply FROM fingerprints WHERE tenant = :tenant AND key = :key ORDER BY digest

-- name: fingerprints_remove
DELETE FROM fingerprints WHERE tenant = :tenant AND key = :key
