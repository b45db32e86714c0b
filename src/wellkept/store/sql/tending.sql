-- What upkeep asks of the memories of a tenant.

-- name: scopes_after
-- Scopes with a chain, or those that hold live memories, in batches. The scopes of messages have no chain.
SELECT s.space, s.owner, s.ledger_seq FROM scopes AS s
WHERE s.tenant = :tenant AND (s.space > :space OR (s.space = :space AND s.owner > :owner))
  AND s.space NOT IN ('room', 'transcript')
  AND (:live = 0
    OR EXISTS (SELECT 1 FROM memories AS m WHERE m.tenant = :tenant AND m.scope = s.scope AND m.state = 'active'))
ORDER BY s.space, s.owner LIMIT :limit

-- name: pair_checked
SELECT p.fingerprint FROM pair_checks AS p
WHERE p.tenant = :tenant AND p.fingerprint IN (SELECT k.value FROM json_each(CAST(:fingerprints AS TEXT)) AS k)
  AND p.at > :since

-- name: pair_check_put
INSERT INTO pair_checks (tenant, fingerprint, scope, verdict, at)
VALUES (:tenant, :fingerprint, :scope, :verdict, :at)
ON CONFLICT (tenant, fingerprint) DO UPDATE SET verdict = excluded.verdict, at = excluded.at

-- name: pair_checks_since
SELECT COUNT(*) FROM pair_checks AS p WHERE p.tenant = :tenant AND p.scope = :scope AND p.at > :since

-- name: folded_into
SELECT e.dst FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'fold_of' AND e.src = :memory_id ORDER BY e.dst

-- name: every_after
-- Live memories of the long term, in batches, whoever may see them; turns of governed sessions have no index.
SELECT m.scope, m.num, {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND (m.scope > :scope OR (m.scope = :scope AND m.num > :num)) AND m.state = 'active'
  AND m.kind <> 'short_term'
ORDER BY m.scope, m.num LIMIT :limit

-- name: words_of_places
SELECT p.num, p.term, p.tf FROM postings AS p
WHERE p.tenant = :tenant AND p.scope = :scope AND p.num >= :first AND p.num <= :last

-- name: unembedded_count
-- Two ranges around the model's name, so that both are counted in the index.
SELECT (SELECT COUNT(*) FROM memories AS m WHERE m.tenant = :tenant AND m.state = 'active' AND m.embedded_model < :model)
  + (SELECT COUNT(*) FROM memories AS n WHERE n.tenant = :tenant AND n.state = 'active' AND n.embedded_model > :model)

-- name: never_embedded
SELECT m.id FROM memories AS m WHERE m.tenant = :tenant AND m.embedded_model = '' AND m.state = 'active'
  AND m.id IN (SELECT k.value FROM json_each(CAST(:ids AS TEXT)) AS k)

-- name: ever_stored
-- Numbers are given out once, so the last one is how many there were.
SELECT s.last_num FROM scopes AS s WHERE s.tenant = :tenant AND s.scope = :scope

-- name: every_in_scope
-- The same of one scope.
SELECT m.scope, m.num, {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.num > :num AND m.state = 'active'
ORDER BY m.num LIMIT :limit
