-- Sessions, what lasts between them, their summaries, and todos.

-- name: session_columns
s.id, s.number, NULLIF(s.persona, ''), s.started_at, s.last_activity_at, s.ended_at, s.turn_count

-- name: sessions_of
SELECT {session_columns} FROM sessions AS s
WHERE s.tenant = :tenant AND s.owner = :owner AND s.persona = :persona ORDER BY s.number DESC LIMIT :limit

-- name: session_by_id
SELECT s.owner, {session_columns} FROM sessions AS s WHERE s.tenant = :tenant AND s.id = :id

-- name: session_put
INSERT INTO sessions (tenant, owner, persona, number, id, started_at, last_activity_at, ended_at, turn_count)
VALUES (:tenant, :owner, :persona, :number, :id, :started_at, :last_activity_at, :ended_at, :turn_count)
ON CONFLICT (tenant, owner, persona, number) DO UPDATE SET last_activity_at = excluded.last_activity_at,
  ended_at = excluded.ended_at, turn_count = excluded.turn_count

-- name: state_of
SELECT s.message_count, s.last_interaction, s.last_user_message, s.curator, s.last_rolling_attempt_at,
  s.last_rolling_success_at, s.last_rolling_error
FROM session_states AS s WHERE s.tenant = :tenant AND s.owner = :owner AND s.persona = :persona

-- name: state_put
INSERT INTO session_states (tenant, owner, persona, message_count, last_interaction, last_user_message, curator,
  last_rolling_attempt_at, last_rolling_success_at, last_rolling_error, checksum)
VALUES (:tenant, :owner, :persona, :message_count, :last_interaction, :last_user_message, :curator,
  :last_rolling_attempt_at, :last_rolling_success_at, :last_rolling_error, :checksum)
ON CONFLICT (tenant, owner, persona) DO UPDATE SET message_count = excluded.message_count,
  last_interaction = excluded.last_interaction, last_user_message = excluded.last_user_message,
  curator = excluded.curator, last_rolling_attempt_at = excluded.last_rolling_attempt_at,
  last_rolling_success_at = excluded.last_rolling_success_at, last_rolling_error = excluded.last_rolling_error,
  checksum = excluded.checksum

-- name: curator_put
UPDATE session_states SET curator = :books WHERE tenant = :tenant AND owner = :owner

-- name: message_total
SELECT COALESCE(SUM(s.message_count), 0) FROM session_states AS s WHERE s.tenant = :tenant AND s.owner = :owner

-- name: rolling_add
INSERT INTO rolling_summaries (tenant, owner, persona, version, at, message_count, content, checksum)
VALUES (:tenant, :owner, :persona, :version, :at, :message_count, :content, :checksum)

-- name: rolling_of
SELECT r.version, r.at, r.message_count, r.content FROM rolling_summaries AS r
WHERE r.tenant = :tenant AND r.owner = :owner AND r.persona = :persona ORDER BY r.version DESC LIMIT :limit

-- name: summary_put
INSERT INTO session_summaries (tenant, session_id, owner, persona, at, body, error, checksum)
VALUES (:tenant, :session_id, :owner, :persona, :at, :body, :error, :checksum)
ON CONFLICT (tenant, session_id) DO UPDATE SET at = excluded.at, body = excluded.body, error = excluded.error,
  checksum = excluded.checksum

-- name: summary_of
SELECT x.session_id, x.at, x.body, x.error FROM session_summaries AS x
WHERE x.tenant = :tenant AND x.session_id = :session_id

-- name: summaries_of
SELECT x.session_id, x.at, x.body, x.error FROM session_summaries AS x
WHERE x.tenant = :tenant AND x.owner = :owner AND x.persona = :persona ORDER BY x.at DESC, x.session_id LIMIT :limit

-- name: spine_add
INSERT INTO spines (tenant, owner, version, conversation_id, at, message_count, total, content, checksum)
VALUES (:tenant, :owner, :version, :conversation_id, :at, :message_count, :total, :content, :checksum)

-- name: spines_of
SELECT x.content, x.version, x.at, x.message_count, x.total, x.conversation_id FROM spines AS x
WHERE x.tenant = :tenant AND x.owner = :owner ORDER BY x.version DESC LIMIT :limit

-- name: todo_columns
t.id, t.owner, NULLIF(t.persona, ''), t.kind, t.key, t.text, t.status, t.due_at, t.created_at, t.updated_at

-- name: todo_last
SELECT COALESCE(MAX(t.number), 0) FROM todos AS t
WHERE t.tenant = :tenant AND t.owner = :owner AND t.persona = :persona

-- name: todo_add
INSERT INTO todos (tenant, owner, persona, number, id, kind, key, text, status, due_at, created_at, updated_at,
  completed_at, mention_count, session_id, checksum)
VALUES (:tenant, :owner, :persona, :number, :id, :kind, :key, :text, :status, :due_at, :created_at, :updated_at,
  :completed_at, :mention_count, :session_id, :checksum)

-- name: todo_change
UPDATE todos SET kind = :kind, text = :text, status = :status, due_at = :due_at, updated_at = :updated_at,
  completed_at = :completed_at, mention_count = :mention_count, checksum = :checksum
WHERE tenant = :tenant AND id = :id

-- name: todos_of
SELECT {todo_columns}, t.completed_at, t.mention_count, t.session_id FROM todos AS t
WHERE t.tenant = :tenant AND t.owner = :owner AND t.persona = :persona
  AND (CAST(:status AS TEXT) IS NULL OR t.status = :status)
ORDER BY t.number LIMIT :limit

-- name: win_add
INSERT INTO wins (tenant, todo_id, at) VALUES (:tenant, :id, :at) ON CONFLICT DO NOTHING

-- name: wins_of
-- Each time that one was done, which stands in the place of the last time.
SELECT {todo_columns}, w.at, t.mention_count, t.session_id FROM todos AS t JOIN wins AS w ON w.tenant = :tenant AND w.todo_id = t.id
WHERE t.tenant = :tenant AND t.owner = :owner AND t.persona = :persona AND t.completed_at >= :since AND w.at >= :since
ORDER BY w.at DESC, t.number DESC LIMIT :limit

-- name: retired_words
SELECT v.content, v.quote FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.state <> 'active' AND m.kind <> 'short_term'
ORDER BY m.updated_at DESC LIMIT :limit

-- name: wins_erase
DELETE FROM wins WHERE tenant = :tenant
  AND todo_id IN (SELECT t.id FROM todos AS t WHERE t.tenant = :tenant AND t.owner = :owner)

-- name: todos_erase
DELETE FROM todos WHERE tenant = :tenant AND owner = :owner

-- name: spines_erase
DELETE FROM spines WHERE tenant = :tenant AND owner = :owner

-- name: session_summaries_erase
DELETE FROM session_summaries WHERE tenant = :tenant AND owner = :owner

-- name: rolling_summaries_erase
DELETE FROM rolling_summaries WHERE tenant = :tenant AND owner = :owner

-- name: session_states_erase
DELETE FROM session_states WHERE tenant = :tenant AND owner = :owner

-- name: sessions_erase
DELETE FROM sessions WHERE tenant = :tenant AND owner = :owner

-- name: thread_readers_erase
DELETE FROM thread_readers WHERE tenant = :tenant AND user_id = :owner

-- name: change_log_erase
DELETE FROM change_log WHERE tenant = :tenant AND user_id = :owner

-- name: threads_erase
DELETE FROM threads WHERE tenant = :tenant AND user_id = :owner
