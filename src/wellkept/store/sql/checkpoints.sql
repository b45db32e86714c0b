-- Supervisors' states, and the steps, writes and items of graphs.

-- name: checkpoint_columns
c.tenant, c.id, c.user_id, c.thread_id, c.checkpoint_data, c.version, c.created_at, c.updated_at

-- name: checkpoint_of
SELECT {checkpoint_columns} FROM supervisor_checkpoints AS c
WHERE c.tenant = :tenant AND c.user_id = :user AND c.thread_id = :thread

-- name: checkpoints_of
SELECT {checkpoint_columns} FROM supervisor_checkpoints AS c
WHERE c.tenant = :tenant AND c.user_id = :user ORDER BY c.updated_at DESC, c.thread_id LIMIT :limit

-- name: checkpoints_all
SELECT {checkpoint_columns} FROM supervisor_checkpoints AS c
WHERE c.tenant = :tenant AND c.updated_at >= 0 ORDER BY c.updated_at DESC, c.user_id, c.thread_id LIMIT :limit

-- name: checkpoint_add
INSERT INTO supervisor_checkpoints (tenant, id, user_id, thread_id, checkpoint_data, version, created_at, updated_at)
VALUES (:tenant, :id, :user_id, :thread_id, :data, :version, :created_at, :updated_at)
ON CONFLICT (tenant, user_id, thread_id) DO NOTHING

-- name: checkpoint_change
-- Only from the version before: whoever decided over an older one changes nothing.
UPDATE supervisor_checkpoints SET checkpoint_data = :data, version = :version, updated_at = :updated_at
WHERE tenant = :tenant AND user_id = :user_id AND thread_id = :thread_id AND version = :version - 1

-- name: checkpoint_remove
DELETE FROM supervisor_checkpoints WHERE tenant = :tenant AND user_id = :user AND thread_id = :thread

-- name: checkpoints_erase
DELETE FROM supervisor_checkpoints WHERE tenant = :tenant AND user_id = :user

-- name: step_put
INSERT INTO graph_steps (tenant, thread_id, ns, checkpoint_id, parent_id, run_id, body, metadata)
VALUES (:tenant, :thread_id, :ns, :checkpoint_id, :parent_id, :run_id, :checkpoint, :metadata)
ON CONFLICT (tenant, thread_id, ns, checkpoint_id) DO UPDATE SET parent_id = excluded.parent_id,
  run_id = excluded.run_id, body = excluded.body, metadata = excluded.metadata

-- name: step_columns
s.thread_id, s.ns, s.checkpoint_id, s.parent_id, s.run_id, s.body, s.metadata

-- name: steps_of_thread
SELECT {step_columns} FROM graph_steps AS s
WHERE s.tenant = :tenant AND s.thread_id = :thread
  AND (CAST(:ns AS TEXT) IS NULL OR s.ns = :ns)
  AND (CAST(:checkpoint_id AS TEXT) IS NULL OR s.checkpoint_id = :checkpoint_id)
  AND (CAST(:before AS TEXT) IS NULL OR s.checkpoint_id < :before)
ORDER BY s.checkpoint_id DESC, s.ns LIMIT :limit

-- name: steps_after
-- Threads of a tenant one after the other.
SELECT MIN(s.thread_id) FROM graph_steps AS s WHERE s.tenant = :tenant AND s.thread_id > :thread

-- name: steps_of_runs
SELECT {step_columns} FROM graph_steps AS r CROSS JOIN graph_steps AS s
WHERE r.tenant = :tenant AND r.run_id IN (SELECT x.value FROM json_each(CAST(:runs AS TEXT)) AS x)
  AND s.tenant = :tenant AND s.thread_id = r.thread_id AND s.ns = r.ns AND s.checkpoint_id = r.checkpoint_id

-- name: step_remove
DELETE FROM graph_steps
WHERE tenant = :tenant AND thread_id = :thread_id AND ns = :ns AND checkpoint_id = :checkpoint_id

-- name: step_writes_remove
DELETE FROM graph_writes
WHERE tenant = :tenant AND thread_id = :thread_id AND ns = :ns AND checkpoint_id = :checkpoint_id

-- name: thread_steps_remove
DELETE FROM graph_steps WHERE tenant = :tenant AND thread_id = :thread

-- name: thread_writes_remove
DELETE FROM graph_writes WHERE tenant = :tenant AND thread_id = :thread

-- name: graph_write_add
INSERT INTO graph_writes (tenant, thread_id, ns, checkpoint_id, task_id, idx, channel, task_path, value)
VALUES (:tenant, :thread_id, :ns, :checkpoint_id, :task_id, :idx, :channel, :task_path, :value)
ON CONFLICT (tenant, thread_id, ns, checkpoint_id, task_id, idx) DO UPDATE SET channel = excluded.channel,
  task_path = excluded.task_path, value = excluded.value
WHERE graph_writes.idx < 0

-- name: graph_writes_of
SELECT w.checkpoint_id, w.task_id, w.idx, w.channel, w.task_path, w.value FROM graph_writes AS w
WHERE w.tenant = :tenant AND w.thread_id = :thread_id AND w.ns = :ns AND w.checkpoint_id = :checkpoint_id
ORDER BY w.task_path, w.task_id, w.idx

-- name: item_columns
i.namespace, i.key, i.value, i.created_at, i.updated_at

-- name: item_of
SELECT {item_columns} FROM graph_items AS i WHERE i.tenant = :tenant AND i.namespace = :namespace AND i.key = :key

-- name: items_below
-- A namespace ends with a sign that sorts before all others, so that what is below it is one range of the index.
SELECT {item_columns} FROM graph_items AS i
WHERE i.tenant = :tenant AND i.namespace >= :first AND i.namespace < :last ORDER BY i.namespace, i.key

-- name: item_put
INSERT INTO graph_items (tenant, namespace, key, value, created_at, updated_at)
VALUES (:tenant, :namespace, :key, :value, :created_at, :updated_at)
ON CONFLICT (tenant, namespace, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at

-- name: item_remove
DELETE FROM graph_items WHERE tenant = :tenant AND namespace = :namespace AND key = :key
