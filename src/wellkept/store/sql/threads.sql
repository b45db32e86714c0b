-- Threads, what changed for them, and how far their readers were told.

-- name: thread_join
-- A thread that was spoken in; with the persona it was last spoken in for.
INSERT INTO threads (tenant, user_id, thread, persona, active_at) VALUES (:tenant, :user, :thread, :persona, :at)
ON CONFLICT (tenant, user_id, thread) DO UPDATE SET persona = excluded.persona, active_at = excluded.active_at

-- name: thread_of
SELECT t.rev, t.turns, t.active_at FROM threads AS t
WHERE t.tenant = :tenant AND t.user_id = :user AND t.thread = :thread

-- name: threads_concerned
-- Active threads of the user whose persona may be told, and in a chat the same thread as others speak in it.
SELECT t.user_id, t.thread FROM threads AS t
WHERE t.tenant = :tenant AND t.user_id = :user AND t.active_at >= :since
  AND (CAST(:persona AS TEXT) IS NULL OR t.persona = :persona)
UNION
SELECT t.user_id, t.thread FROM threads AS t
WHERE t.tenant = :tenant AND t.thread = CAST(:shared AS TEXT) AND t.active_at >= :since
ORDER BY 1, 2

-- name: thread_advance
-- So many changes more; the revision after the last and the turn they belong to.
UPDATE threads SET rev = rev + :count WHERE tenant = :tenant AND user_id = :user AND thread = :thread
RETURNING rev, turns

-- name: change_add
INSERT INTO change_log (tenant, user_id, thread, rev, turn, at, memory_id, event, meta)
VALUES (:tenant, :user, :thread, :rev, :turn, :at, :memory_id, :event, :meta)

-- name: purged_memory
-- What is left to say of a memory that goes.
SELECT m.space, m.owner, m.kind, m.category, m.importance, m.persona_id, m.confidential, m.sensitivity
FROM memories AS m WHERE m.tenant = :tenant AND m.id = :id

-- name: reader_of
SELECT r.rev, r.given FROM thread_readers AS r
WHERE r.tenant = :tenant AND r.user_id = :user AND r.thread = :thread AND r.agent = :agent

-- name: reader_put
INSERT INTO thread_readers (tenant, user_id, thread, agent, rev, given)
VALUES (:tenant, :user, :thread, :agent, :rev, :given)
ON CONFLICT (tenant, user_id, thread, agent) DO UPDATE SET rev = excluded.rev, given = excluded.given

-- name: thread_turn
-- One turn more.
UPDATE threads SET turns = turns + 1 WHERE tenant = :tenant AND user_id = :user AND thread = :thread RETURNING turns

-- name: changes_trim
DELETE FROM change_log WHERE tenant = :tenant AND user_id = :user AND thread = :thread AND turn < :turn

-- name: changes_since
-- How each changed memory stands to the view: 2 visible, 1 it was, 0 never, and null when it is gone for good.
SELECT c.rev, c.event, c.memory_id, c.meta,
  CASE WHEN m.id IS NULL THEN NULL WHEN {visible} THEN 2 WHEN {wanted} AND {admitted} THEN 1 ELSE 0 END
FROM change_log AS c LEFT JOIN memories AS m ON m.tenant = :tenant AND m.id = c.memory_id
WHERE c.tenant = :tenant AND c.user_id = :reader AND c.thread = :thread AND c.rev > :after
ORDER BY c.rev
