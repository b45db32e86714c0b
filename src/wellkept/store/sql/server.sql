-- API keys, answers that were given, and the ledger as events.

-- name: key_put
INSERT INTO api_keys (tenant, id, name, hash, scopes, created_at, revoked_at, expires_at)
VALUES (:tenant, :id, :name, :hash, :scopes, :created_at, :revoked_at, :expires_at)
ON CONFLICT (tenant, id) DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at

-- name: key_columns
tenant, id, name, hash, scopes, created_at, revoked_at, expires_at

-- name: key_of
SELECT {key_columns} FROM api_keys WHERE id = :id

-- name: keys_of_tenant
SELECT {key_columns} FROM api_keys WHERE tenant = :tenant ORDER BY created_at, id

-- name: key_any
SELECT 1 FROM api_keys WHERE hash <> '' LIMIT 1

-- name: answer_of
SELECT request, user_id, body, at FROM answers
WHERE tenant = :tenant AND caller = :caller AND idempotency_key = :key

-- name: answer_add
INSERT INTO answers (tenant, caller, idempotency_key, at, request, user_id, body)
VALUES (:tenant, :caller, :key, :at, :request, :user, :body)

-- name: answers_drop
DELETE FROM answers WHERE tenant = :tenant AND at < :since

-- name: events
-- Of one instant, chains stand side by side, each in its own order.
SELECT {ledger_columns} FROM {with_actor}
WHERE l.tenant = :tenant AND c.tenant = :tenant AND c.scope = l.scope
  AND (CAST(:node AS TEXT) IS NULL OR l.node = :node)
  AND (CAST(:op AS TEXT) IS NULL OR l.op = :op)
  AND (:housekeeping = 1 OR (l.node <> 'worker' AND l.op NOT IN ('classify', 'link', 'ttl')
    AND (l.op <> 'admin' OR l.node = 'admin')))
  AND (CAST(:owner AS TEXT) IS NULL OR (c.space = 'user' AND c.owner = :owner))
  AND (CAST(:at AS BIGINT) IS NULL OR l.at < :at OR (l.at = :at AND (c.space > :space OR (c.space = :space
    AND (c.owner > :last_owner OR (c.owner = :last_owner AND l.seq < :seq))))))
ORDER BY l.at DESC, c.space, c.owner, l.seq DESC LIMIT :limit

-- name: events_searched
-- The same of searches. Each stands in the scope of whoever searched; its number is shown below zero.
SELECT c.space, c.owner, -l.seq, l.at, '', l.node, 'search', l.status, NULL, NULL, NULL, l.sim, l.reason, l.payload, NULL,
  l.thread, COALESCE(p.user_id, CASE WHEN c.space = 'user' AND c.owner NOT LIKE 'erased:%' THEN c.owner END)
FROM searches AS l CROSS JOIN scopes AS c
LEFT JOIN pseudonyms AS p ON p.tenant = :tenant AND p.scope = l.scope AND p.actor = l.actor
WHERE l.tenant = :tenant AND c.tenant = :tenant AND c.scope = l.scope
  AND (CAST(:node AS TEXT) IS NULL OR l.node = :node)
  AND (CAST(:owner AS TEXT) IS NULL OR (c.space = 'user' AND c.owner = :owner))
  AND (CAST(:at AS BIGINT) IS NULL OR l.at < :at OR (l.at = :at AND (c.space > :space OR (c.space = :space
    AND (c.owner > :last_owner OR (c.owner = :last_owner AND -l.seq < :seq))))))
ORDER BY l.at DESC, c.space, c.owner, l.seq LIMIT :limit

-- name: growth
-- Memories that were made, by the day since 1970 (UTC).
SELECT l.at / 86400000000 AS day, COUNT(*) FROM ledger AS l JOIN scopes AS c ON c.tenant = :tenant AND c.scope = l.scope
WHERE l.tenant = :tenant AND l.op = 'create' AND l.status = 'ok' AND l.memory_id IS NOT NULL
  AND (CAST(:owner AS TEXT) IS NULL OR (c.space = 'user' AND c.owner = :owner))
GROUP BY 1 ORDER BY 1

-- name: activity
-- What was done, by the day since 1970 (UTC), where and what.
SELECT l.at / 86400000000 AS day, l.node, l.op, COUNT(*) FROM ledger AS l
JOIN scopes AS c ON c.tenant = :tenant AND c.scope = l.scope
WHERE l.tenant = :tenant AND l.at >= :since
  AND (CAST(:owner AS TEXT) IS NULL OR (c.space = 'user' AND c.owner = :owner))
GROUP BY 1, 2, 3
UNION ALL
SELECT e.at / 86400000000 AS day, e.node, 'search', COUNT(*) FROM searches AS e
JOIN scopes AS d ON d.tenant = :tenant AND d.scope = e.scope
WHERE e.tenant = :tenant AND e.at >= :since
  AND (CAST(:owner AS TEXT) IS NULL OR (d.space = 'user' AND d.owner = :owner))
GROUP BY 1, 2
ORDER BY 1, 2, 3

-- name: event_counts
SELECT node, op, status, COUNT(*) FROM ledger WHERE tenant = :tenant GROUP BY node, op, status
UNION ALL
SELECT node, 'search', status, COUNT(*) FROM searches WHERE tenant = :tenant GROUP BY node, status

-- name: feed_begin
INSERT INTO webhook_marks (tenant, hook, scope, seq)
SELECT c.tenant, :hook, c.scope, c.ledger_seq FROM scopes AS c WHERE c.tenant = :tenant AND c.ledger_seq > 0
ON CONFLICT (tenant, hook, scope) DO NOTHING

-- name: feed
-- Scopes with something new come first, then their rows by key.
SELECT {ledger_columns} FROM scopes AS c
LEFT JOIN webhook_marks AS w ON w.tenant = :tenant AND w.scope = c.scope AND w.hook = :hook
JOIN ledger AS l ON l.tenant = :tenant AND l.scope = c.scope AND l.seq > COALESCE(w.seq, 0)
LEFT JOIN pseudonyms AS p ON p.tenant = :tenant AND p.scope = l.scope AND p.actor = l.actor
WHERE c.tenant = :tenant AND c.ledger_seq > COALESCE(w.seq, 0)
ORDER BY c.scope, l.seq LIMIT :limit

-- name: feed_move
INSERT INTO webhook_marks (tenant, hook, scope, seq) VALUES (:tenant, :hook, :scope, :seq)
ON CONFLICT (tenant, hook, scope) DO UPDATE SET seq = excluded.seq
