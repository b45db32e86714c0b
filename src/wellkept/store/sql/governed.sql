-- Governed sessions: ticks, phases, and the texts of traces beside the ledger rows they tell of.

-- name: opened
-- Which of these sessions and projects a user has worked in.
SELECT e.dst FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'OPENED' AND e.src = :user
  AND e.dst IN (SELECT i.value FROM json_each(CAST(:places AS TEXT)) AS i)

-- name: live_in_scope
-- What is alive of one kind in one scope, the newest first.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.kind = :kind AND m.state = 'active'
ORDER BY m.tick DESC NULLS LAST, m.num DESC LIMIT :limit

-- name: live_marks
-- The same by what tells it from itself before a change: a place is never given again, `rev` grows with every change of a
-- row, and where a backup was put back and another change came to the same number, it came at another time. Last, whether
-- a word stands above it.
SELECT COALESCE(m.tick, 0), m.scope * 4294967296 + m.num, m.rev, m.text_version, m.updated_at, m.shadowed
FROM memories AS m
WHERE m.tenant = :tenant AND m.scope = :scope AND m.kind = :kind AND m.state = 'active'
ORDER BY m.tick DESC NULLS LAST, m.num DESC LIMIT :limit

-- name: memories_by_id
SELECT {memory_columns} FROM {with_text} WHERE m.tenant = :tenant
  AND m.id IN (SELECT i.value FROM json_each(CAST(:ids AS TEXT)) AS i)

-- name: names_a_phase
-- Has a phase of the scope `c` a name? Erasing takes it away, and is in no chain.
CASE WHEN EXISTS (SELECT 1 FROM phases AS h WHERE h.tenant = :tenant AND h.scope = c.scope AND h.name IS NOT NULL)
  THEN 1 ELSE 0 END

-- name: chain_end
SELECT c.ledger_seq, c.ledger_head, {names_a_phase} FROM scopes AS c WHERE c.tenant = :tenant AND c.scope = :scope

-- name: chain_of
SELECT {ledger_columns} FROM {with_actor}
WHERE l.tenant = :tenant AND l.scope = :scope AND l.seq > :after AND l.seq <= :until AND c.tenant = :tenant AND c.scope = l.scope
ORDER BY l.seq

-- name: phase_add
INSERT INTO phases (tenant, scope, number, name, reason, tick, seq)
VALUES (:tenant, :scope, :number, :name, :reason, :tick, :seq)

-- name: phases_of
SELECT number, name, reason, tick, seq FROM phases WHERE tenant = :tenant AND scope = :scope ORDER BY number

-- name: phases_trim
DELETE FROM phases WHERE tenant = :tenant AND scope = :scope AND number < :number

-- name: phase_names_erase
UPDATE phases SET name = NULL WHERE tenant = :tenant AND scope = :scope

-- name: policy_add
INSERT INTO policies (tenant, hash, snapshot, checksum) VALUES (:tenant, :hash, :snapshot, :checksum) ON CONFLICT DO NOTHING

-- name: policies_of
SELECT hash, snapshot FROM policies WHERE tenant = :tenant
  AND hash IN (SELECT h.value FROM json_each(CAST(:hashes AS TEXT)) AS h)

-- name: trace_end
-- The last trace of a session, its call, and the end of the chain, beside which the next ones stand; and whether their
-- policy is kept.
SELECT COALESCE(t.last, 0), COALESCE(t.call, 0),
  (SELECT COUNT(*) FROM policies AS p WHERE p.tenant = :tenant AND p.hash = :hash),
  c.ledger_seq, c.ledger_head, {names_a_phase}
FROM scopes AS c LEFT JOIN traces AS t ON t.tenant = :tenant AND t.scope = c.scope
  AND t.last = (SELECT MAX(n.last) FROM traces AS n WHERE n.tenant = :tenant AND n.scope = :scope)
WHERE c.tenant = :tenant AND c.scope = :scope

-- name: trace_add
INSERT INTO traces (tenant, scope, last, first, call, seq, body, checksum)
VALUES (:tenant, :scope, :last, :first, :call, :seq, :body, :checksum)

-- name: trace_mention_add
INSERT INTO trace_mentions (tenant, memory_id, scope, last)
SELECT c.tenant, i.value, c.scope, CAST(:last AS BIGINT)
FROM scopes AS c CROSS JOIN json_each(CAST(:ids AS TEXT)) AS i WHERE c.tenant = :tenant AND c.scope = :scope

-- name: trace_newest
SELECT body FROM traces WHERE tenant = :tenant AND scope = :scope ORDER BY last DESC LIMIT :limit

-- name: trace_last
SELECT seq FROM traces WHERE tenant = :tenant AND scope = :scope ORDER BY last DESC LIMIT 1

-- name: traces_of
SELECT last, first, call, seq, body FROM traces
WHERE tenant = :tenant AND scope = :scope AND last > :after
ORDER BY last LIMIT :limit

-- name: governed_sessions
-- Sessions that have traces: how many, how many phases, and when something was last decided.
SELECT c.owner,
  (SELECT MAX(t.last) FROM traces AS t WHERE t.tenant = :tenant AND t.scope = c.scope) AS events,
  (SELECT COUNT(*) FROM phases AS p WHERE p.tenant = :tenant AND p.scope = c.scope),
  (SELECT l.at FROM ledger AS l WHERE l.tenant = :tenant AND l.scope = c.scope AND l.seq = c.ledger_seq) AS last_at
FROM scopes AS c WHERE c.tenant = :tenant AND c.space = 'session'
  AND EXISTS (SELECT 1 FROM traces AS e WHERE e.tenant = :tenant AND e.scope = c.scope)
ORDER BY last_at DESC NULLS LAST, c.owner LIMIT :limit

-- name: traces_mentioning
SELECT t.scope, t.last, t.body FROM trace_mentions AS n
JOIN traces AS t ON t.tenant = :tenant AND t.scope = n.scope AND t.last = n.last
WHERE n.tenant = :tenant AND n.memory_id = :id

-- name: trace_rewrite
UPDATE traces SET body = :body, checksum = :checksum WHERE tenant = :tenant AND scope = :scope AND last = :last

-- name: trace_mentions_remove
DELETE FROM trace_mentions WHERE tenant = :tenant AND memory_id = :id
