-- The tenant's own chain: the ends of its scopes' chains, sealed by upkeep.

-- name: heads_to_seal
-- Scopes whose chain has grown since its end was sealed.
SELECT c.scope, c.ledger_seq, c.ledger_head FROM scopes AS c
WHERE c.tenant = :tenant AND c.scope > :after AND c.ledger_seq > COALESCE((SELECT MAX(h.seq) FROM sealed_heads AS h
  WHERE h.tenant = :tenant AND h.scope = c.scope), 0)
ORDER BY c.scope LIMIT :limit

-- name: head_add
INSERT INTO sealed_heads (tenant, number, at, scope, seq, head, fault, hash)
VALUES (:tenant, :number, :at, :scope, :seq, :head, :fault, :hash)

-- name: head_numbered
SELECT hash FROM sealed_heads WHERE tenant = :tenant AND number = :number

-- name: heads_counted
-- How many heads were ever sealed: a cut tail is found by it.
SELECT n FROM counters WHERE tenant = :tenant AND scope = 0 AND kind = :kind

-- name: heads_of
SELECT seq, head FROM sealed_heads WHERE tenant = :tenant AND scope = :scope

-- name: heads
-- All of them in their order; the last column is 1 where the scope they tell of is there.
SELECT h.number, h.hash, h.at, h.seq, h.head, h.fault,
  CASE WHEN h.scope = 0 OR c.scope IS NOT NULL THEN 1 ELSE 0 END
FROM sealed_heads AS h LEFT JOIN scopes AS c ON c.tenant = :tenant AND c.scope = h.scope
WHERE h.tenant = :tenant ORDER BY h.number
