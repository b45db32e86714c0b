-- The ends of lives: idle, due for removal, archived long ago.

-- name: idle_ids
SELECT m.id FROM memories AS m
WHERE m.tenant = :tenant AND m.id > :after AND m.state = 'active' AND m.pinned = 0 AND m.importance < :below
  AND COALESCE(m.last_accessed_at, m.created_at) <= :since
ORDER BY m.id LIMIT :limit

-- name: purgeable_ids
SELECT m.id FROM memories AS m
WHERE m.tenant = :tenant AND m.state = 'soft_deleted' AND m.purge_at <= :now
ORDER BY m.purge_at, m.id LIMIT :limit

-- name: archived_ids
SELECT m.id FROM memories AS m
WHERE m.tenant = :tenant AND m.id > :after AND m.state = 'archived' AND m.state_at <= :until
ORDER BY m.id LIMIT :limit
