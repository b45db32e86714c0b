-- The ledger: chains of decisions, and who their actors are.

-- name: ledger_add
INSERT INTO ledger (tenant, scope, seq, at, tick, actor, node, op, status, memory_id, version, category, sim, reason,
  thread, payload, hash)
VALUES (:tenant, :scope, :seq, :at, :tick, :actor, :node, :op, :status, :memory_id, :version, :category, :sim, :reason,
  :thread, :payload, :hash)

-- name: search_add
INSERT INTO searches (tenant, scope, seq, at, actor, node, status, sim, reason, thread, payload)
SELECT c.tenant, c.scope,
  (SELECT COALESCE(MAX(s.seq), 0) + 1 FROM searches AS s WHERE s.tenant = :tenant AND s.scope = :scope),
  CAST(:at AS BIGINT), CAST(:actor AS BIGINT), CAST(:node AS TEXT), CAST(:status AS TEXT), CAST(:sim AS DOUBLE PRECISION),
  CAST(:reason AS TEXT), CAST(:thread AS TEXT), CAST(:payload AS TEXT)
FROM scopes AS c WHERE c.tenant = :tenant AND c.scope = :scope

-- name: actor_of
SELECT actor FROM pseudonyms WHERE tenant = :tenant AND user_id = :user AND scope = :scope

-- name: actor_add
INSERT INTO pseudonyms (tenant, scope, actor, user_id) VALUES (:tenant, :scope, :actor, :user)

-- name: ledger_columns
c.space, c.owner, l.seq, l.at, l.hash, l.node, l.op, l.status, l.memory_id, l.version, l.category, l.sim, l.reason,
l.payload, l.tick, l.thread, p.user_id

-- name: with_actor
-- Rows of the ledger come first, in the order of their index; then their scope and actor.
ledger AS l CROSS JOIN scopes AS c
LEFT JOIN pseudonyms AS p ON p.tenant = :tenant AND p.scope = l.scope AND p.actor = l.actor

-- name: ledger_of_memory
-- In the order of the chain: clocks of several machines may disagree, the chain does not.
SELECT {ledger_columns} FROM {with_actor}
WHERE l.tenant = :tenant AND l.memory_id = :memory_id AND c.tenant = :tenant AND c.scope = l.scope
ORDER BY c.space, c.owner, l.seq DESC LIMIT :limit

-- name: ledger_newest
SELECT {ledger_columns} FROM {with_actor}
WHERE l.tenant = :tenant AND l.seq > :after AND c.tenant = :tenant AND c.scope = l.scope
ORDER BY l.at DESC, c.space, c.owner, l.seq DESC LIMIT :limit

-- name: chains
-- The scopes of messages have no chain.
SELECT scope, space, owner, ledger_seq, ledger_head FROM scopes
WHERE tenant = :tenant AND space NOT IN ('room', 'transcript') ORDER BY space, owner

-- name: chain_rows
SELECT seq, hash, at, tick, actor, node, op, status, memory_id, version, category, sim, reason, thread, payload
FROM ledger WHERE tenant = :tenant AND scope = :scope ORDER BY seq
