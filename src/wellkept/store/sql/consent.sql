-- Profiles, and changes of them that wait for a yes.

-- name: profile_columns
p.field, p.value, p.memory_id, p.at

-- name: profile_of
SELECT {profile_columns} FROM profiles AS p WHERE p.tenant = :tenant AND p.user_id = :user
ORDER BY p.field, p.at, p.value

-- name: profile_clear
DELETE FROM profiles WHERE tenant = :tenant AND user_id = :user AND field = :field

-- name: profile_put
INSERT INTO profiles (tenant, user_id, field, value, memory_id, at)
VALUES (:tenant, :user, :field, :value, :memory_id, :at)
ON CONFLICT (tenant, user_id, field, value) DO UPDATE SET memory_id = excluded.memory_id, at = excluded.at

-- name: proposal_columns
p.id, p.tenant, p.user_id, p.field, p.old, p.new, p.evidence, p.message_id, p.signals, p.state, p.at, p.asked_in,
p.decided_at

-- name: proposal_put
INSERT INTO proposals (
  tenant, id, user_id, field, old, new, evidence, message_id, signals, state, at, asked_in, decided_at
)
VALUES (
  :tenant, :id, :user_id, :field, :old, :new, :evidence, :message_id, :signals, :state, :at, :asked_in, :decided_at
)
ON CONFLICT (tenant, id) DO UPDATE SET old = excluded.old, new = excluded.new, evidence = excluded.evidence,
  message_id = excluded.message_id, signals = excluded.signals, state = excluded.state,
  asked_in = excluded.asked_in, decided_at = excluded.decided_at

-- name: proposal_of
SELECT {proposal_columns} FROM proposals AS p WHERE p.tenant = :tenant AND p.id = :id

-- name: proposals_of_user
SELECT {proposal_columns} FROM proposals AS p WHERE p.tenant = :tenant AND p.user_id = :user
  AND (CAST(:state AS TEXT) IS NULL OR p.state = :state)
ORDER BY p.at, p.id LIMIT :limit

-- name: proposals_of_all
SELECT {proposal_columns} FROM proposals AS p WHERE p.tenant = :tenant AND p.at >= 0
  AND (CAST(:state AS TEXT) IS NULL OR p.state = :state)
ORDER BY p.at, p.id LIMIT :limit

-- name: proposals_overdue
SELECT {proposal_columns} FROM proposals AS p WHERE p.tenant = :tenant AND p.state = 'pending' AND p.at <= :until
ORDER BY p.at, p.id LIMIT :limit
