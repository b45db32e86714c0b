-- Merges of persons and the questions whether two are one.

-- name: merge_put
INSERT INTO merges (tenant, secondary_id, primary_id, at, record)
VALUES (:tenant, :secondary, :primary, :at, :record)

-- name: merge_of
SELECT g.record FROM merges AS g WHERE g.tenant = :tenant AND g.secondary_id = :secondary

-- name: merges_into
SELECT g.record FROM merges AS g WHERE g.tenant = :tenant AND g.primary_id = :primary
ORDER BY g.at DESC, g.secondary_id

-- name: merge_remove
DELETE FROM merges WHERE tenant = :tenant AND secondary_id = :secondary

-- name: review_put
-- An answer stays: only a row without one takes a new reason or an answer.
INSERT INTO reviews (tenant, asker, one, other, reason, at, decision)
VALUES (:tenant, :asker, :one, :other, :reason, :at, :decision)
ON CONFLICT (tenant, asker, one, other) DO UPDATE SET decision = excluded.decision
WHERE reviews.decision IS NULL AND excluded.decision IS NOT NULL

-- name: reviews_open
SELECT r.one, r.other, r.reason, r.at FROM reviews AS r
WHERE r.tenant = :tenant AND r.asker = :asker AND r.decision IS NULL ORDER BY r.at, r.one, r.other
