-- Durable jobs and how far schedules have come.

-- name: job_columns
j.tenant, j.name, j.key, j.payload, j.state, j.due_at, j.attempts, j.crashes, j.run, j.lease, j.error

-- name: job_is_free
-- A queued job waits until the same work is no longer being done.
(j.state = 'begun' OR NOT EXISTS (
  SELECT 1 FROM jobs AS b WHERE b.tenant = :tenant AND b.name = j.name AND b.key = j.key AND b.state = 'begun'))

-- name: job_add
-- Said again before it is claimed, a job takes the newer time, and the newer payload if there is one.
INSERT INTO jobs (tenant, name, key, run, state, due_at, attempts, lease, payload)
VALUES (:tenant, :name, :key, '', 'queued', :due_at, 0, '', :payload)
ON CONFLICT (tenant, name, key, run) DO UPDATE SET due_at = excluded.due_at,
  payload = CASE WHEN :is_given = 1 THEN excluded.payload ELSE jobs.payload END

-- name: jobs_claimable
SELECT {job_columns} FROM jobs AS j
WHERE j.tenant = :tenant AND j.state <> 'dead' AND j.due_at <= :now AND {job_is_free}
  AND j.name IN (SELECT k.value FROM json_each(CAST(:names AS TEXT)) AS k)
ORDER BY j.due_at LIMIT :limit

-- name: job_claimable
-- One job, due or not; of a begun one the lease must be over, unless it is taken over.
SELECT {job_columns} FROM jobs AS j
WHERE j.tenant = :tenant AND j.name = :name AND j.key = :key AND {job_is_free}
  AND (j.state = 'queued' OR (j.state = 'begun' AND (:takes_over = 1 OR j.lease = '' OR j.due_at <= :now)))

-- name: job_take
-- As it was read, or not at all: whoever came first has it.
UPDATE jobs SET state = 'begun', lease = :worker, due_at = :until, attempts = attempts + 1,
  crashes = crashes + CASE WHEN lease = '' THEN 0 ELSE 1 END,
  run = CASE WHEN run = '' THEN :worker ELSE run END
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = :state AND lease = :lease
  AND due_at = :due_at

-- name: job_beat
UPDATE jobs SET due_at = :until
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = 'begun' AND lease = :lease

-- name: job_hold
UPDATE jobs SET lease = lease
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = 'begun' AND lease = :lease

-- name: job_rewrite
UPDATE jobs SET payload = :payload
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = 'begun' AND lease = :lease

-- name: job_remove
DELETE FROM jobs
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = 'begun' AND lease = :lease

-- name: job_fail
UPDATE jobs SET state = :after, lease = '', due_at = :due_at, error = :error
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = 'begun' AND lease = :lease

-- name: jobs_pending
SELECT {job_columns} FROM jobs AS j
WHERE j.tenant = :tenant AND j.state <> 'dead' AND (CAST(:names AS TEXT) IS NULL
  OR j.name IN (SELECT k.value FROM json_each(CAST(:names AS TEXT)) AS k))
ORDER BY j.due_at, j.name, j.key LIMIT :limit

-- name: job_pending
SELECT 1 FROM jobs WHERE tenant = :tenant AND name = :name AND key = :key AND state <> 'dead' LIMIT 1

-- name: jobs_dead
SELECT {job_columns} FROM jobs AS j WHERE j.tenant = :tenant AND j.state = 'dead'
ORDER BY j.due_at DESC, j.name, j.key LIMIT :limit

-- name: job_retry
UPDATE jobs SET state = 'begun', attempts = 0, crashes = 0, lease = '', due_at = :at
WHERE tenant = :tenant AND name = :name AND key = :key AND run = :run AND state = 'dead' AND NOT EXISTS (
  SELECT 1 FROM jobs AS b WHERE b.tenant = :tenant AND b.name = :name AND b.key = :key AND b.state = 'begun')

-- name: jobs_tenant_after
SELECT MIN(j.tenant) FROM jobs AS j WHERE j.tenant > :tenant AND j.state <> 'dead'

-- name: tenant_after
SELECT MIN(c.tenant) FROM scopes AS c WHERE c.tenant > :tenant

-- name: watermark_of
SELECT at FROM watermarks WHERE tenant = :tenant AND name = :name

-- name: watermark_add
INSERT INTO watermarks (tenant, name, at) VALUES (:tenant, :name, :to) ON CONFLICT DO NOTHING

-- name: watermark_move
UPDATE watermarks SET at = :to WHERE tenant = :tenant AND name = :name AND at = :since
