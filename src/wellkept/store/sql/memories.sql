-- Memories: writing them, and reading them where no viewpoint asks.

-- name: memory_columns
-- In the order of encoding.COLUMNS, a test compares the two; then what else the two
-- checksums cover, and those of the memory and of its text.
m.id, m.tenant, m.version, v.content, v.quote, m.language, m.type, m.kind, m.event_type, m.category, m.tags, v.steps,
m.space, m.owner, m.persona_id, m.agent_id, m.run_id, m.actor_id, m.role, m.subject_person_ids, m.stated_by,
m.learned_in, m.learned_in_type, m.source, m.origin, m.source_username, m.source_display_name, m.source_session_id,
m.source_message_id, m.entity_refs, m.entity_label, m.memory_key, m.fact_key, m.discriminator, m.value, m.sensitivity,
m.portable, m.confidential, m.importance, m.pinned, m.confidence, m.authority, m.authority_reason, m.is_correction,
m.mention_count, m.access_count, m.state, m.archive_reason, m.created_at, m.observed_at, m.updated_at,
m.last_accessed_at, m.event_at, m.expires_at, m.purge_at, m.valid_from, m.valid_to, m.superseded_at, m.superseded_by,
m.tick, m.phase_id, m.meta, m.entity_type, m.fact_type, m.subject_count, m.sole_subject,
v.at, m.checksum, v.checksum

-- name: with_text
-- A memory beside its present text. The sums add nothing: a text is reached from its memory, and never from a table that
-- names the same place, for which a planner may read all texts.
memories AS m
JOIN versions AS v
  ON v.tenant = :tenant AND v.scope = m.scope + 0 AND v.num = m.num + 0 AND v.version = m.text_version

-- name: given_places
-- Places as one number each (encoding.code): one statement reads any number of scopes.
json_each(CAST(:places AS TEXT)) AS g

-- name: scope_given
(CAST(g.value AS BIGINT) / 4294967296)

-- name: num_given
(CAST(g.value AS BIGINT) % 4294967296)

-- name: newest
-- The order of "newest first", total within a tenant, and telling nothing about rows that are not compared.
m.created_at DESC, m.space, m.owner, m.num DESC

-- name: scope_of
-- By its owner, or else by the name that it has since its owner was erased.
SELECT scope, owner FROM scopes WHERE tenant = :tenant AND space = :space AND owner IN (:owner, :erased)
ORDER BY CASE WHEN owner = :owner THEN 0 ELSE 1 END LIMIT 1

-- name: scope_add
INSERT INTO scopes (tenant, scope, space, owner) VALUES (:tenant, :scope, :space, :owner)
ON CONFLICT (tenant, space, owner) DO NOTHING

-- name: scope_rename
UPDATE scopes SET owner = :owner WHERE tenant = :tenant AND scope = :scope

-- name: scope_touch
-- A new revision for a scope of which nothing else changes; its row stays locked until the end of the transaction.
UPDATE scopes SET rev = rev + 1 WHERE tenant = :tenant AND scope = :scope RETURNING rev, owner

-- name: scope_open
-- A scope that is about to change, and the number of a user in its chain; its row is held until the end of the transaction.
SELECT rev, last_num, last_actor, ledger_seq, ledger_head, owner,
  (SELECT p.actor FROM pseudonyms AS p WHERE p.tenant = :tenant AND p.user_id = :user AND p.scope = :scope)
FROM scopes WHERE tenant = :tenant AND scope = :scope

-- name: scope_held
SELECT owner FROM scopes WHERE tenant = :tenant AND scope = :scope

-- name: scope_save
UPDATE scopes
SET rev = :rev, last_num = :last_num, last_actor = :last_actor, ledger_seq = :ledger_seq, ledger_head = :ledger_head
WHERE tenant = :tenant AND scope = :scope

-- name: scope_purged
UPDATE scopes SET purge_rev = :rev WHERE tenant = :tenant AND scope = :scope

-- name: count_up
-- The next number of a counter.
INSERT INTO counters (tenant, scope, kind, n) VALUES (:tenant, :scope, :kind, 1)
ON CONFLICT (tenant, scope, kind) DO UPDATE SET n = counters.n + 1
RETURNING n

-- name: clock_on
-- The time of a scope's own clock: that of the wall clock, and never earlier than the last one and a microsecond.
INSERT INTO counters (tenant, scope, kind, n) VALUES (:tenant, :scope, 'clock', :now)
ON CONFLICT (tenant, scope, kind)
DO UPDATE SET n = CASE WHEN counters.n < excluded.n THEN excluded.n ELSE counters.n + 1 END
RETURNING kind, n

-- name: clock_and_tick_on
-- The same, and the next tick: what arrives has both.
INSERT INTO counters (tenant, scope, kind, n) VALUES (:tenant, :scope, 'clock', :now), (:tenant, :scope, 'tick', 1)
ON CONFLICT (tenant, scope, kind) DO UPDATE
SET n = CASE WHEN counters.kind = 'clock' AND counters.n < excluded.n THEN excluded.n ELSE counters.n + 1 END
RETURNING kind, n

-- name: counters_of
-- The counters of a scope; they are held until the end of the transaction.
SELECT kind, n FROM counters WHERE tenant = :tenant AND scope = :scope ORDER BY kind

-- name: counted
UPDATE counters SET n = :number WHERE tenant = :tenant AND scope = :scope AND kind = :kind AND n < :number

-- name: searchable
-- Has entries in the index (`is_searchable`).
(m.state IN ('active', 'superseded') OR COALESCE(m.archive_reason, '') = 'superseded')

-- name: memory_places
-- Where memories stand, and what a change of them must know.
SELECT m.id, m.scope, m.num, m.version, CASE WHEN {searchable} THEN 1 ELSE 0 END, m.words, m.embedded_model,
  m.subject_person_ids, m.stated_by, m.learned_in, m.entity_refs
FROM json_each(CAST(:ids AS TEXT)) AS i CROSS JOIN memories AS m
WHERE m.tenant = :tenant AND m.id = i.value

-- name: memory_add
INSERT INTO memories (
  tenant, scope, num, rev, state, kind, type, category, sensitivity, portable, confidential, pinned, subject_count,
  sole_subject, importance, created_at, updated_at, observed_at, dies_at, valid_from, valid_to, archive_reason, id, space, owner,
  persona_id, stated_by, learned_in, learned_in_type, version, text_version, language, event_type, agent_id, run_id,
  actor_id, role, source, origin, source_username, source_display_name, source_session_id, source_message_id,
  entity_label, entity_type, fact_type, memory_key, fact_key, discriminator, value, confidence, authority,
  authority_reason, is_correction, mention_count, access_count, last_accessed_at, event_at, expires_at, purge_at,
  superseded_at, superseded_by, tick, phase_id, subject_person_ids, tags, entity_refs, meta, words, embedded_model,
  state_at, checksum
) VALUES (
  :tenant, :scope, :num, :rev, :state, :kind, :type, :category, :sensitivity, :portable, :confidential, :pinned,
  :subject_count, :sole_subject, :importance, :created_at, :updated_at, :observed_at, :dies_at, :valid_from, :valid_to,
  :archive_reason, :id, :space, :owner, :persona_id, :stated_by, :learned_in, :learned_in_type, :version, :version,
  :language, :event_type, :agent_id, :run_id, :actor_id, :role, :source, :origin, :source_username,
  :source_display_name, :source_session_id, :source_message_id, :entity_label, :entity_type, :fact_type, :memory_key,
  :fact_key, :discriminator, :value, :confidence, :authority, :authority_reason, :is_correction, :mention_count,
  :access_count, :last_accessed_at, :event_at, :expires_at, :purge_at, :superseded_at, :superseded_by, :tick,
  :phase_id, :subject_person_ids, :tags, :entity_refs, :meta, :words, :embedded_model, :at, :checksum
)

-- name: memory_change
-- Only from the version before: a writer that decided over an older one changes nothing. The place never changes.
UPDATE memories SET
  rev = :rev, state_at = CASE WHEN state = :state THEN state_at ELSE :at END, state = :state, kind = :kind, type = :type, category = :category, sensitivity = :sensitivity,
  portable = :portable, confidential = :confidential, pinned = :pinned, subject_count = :subject_count,
  sole_subject = :sole_subject,
  importance = :importance, created_at = :created_at, updated_at = :updated_at, observed_at = :observed_at,
  dies_at = :dies_at, valid_from = :valid_from, valid_to = :valid_to, archive_reason = :archive_reason,
  persona_id = :persona_id, stated_by = :stated_by, learned_in = :learned_in, learned_in_type = :learned_in_type,
  version = :version, text_version = CASE WHEN :is_text_changed = 1 THEN :version ELSE text_version END,
  language = :language, event_type = :event_type, agent_id = :agent_id, run_id = :run_id, actor_id = :actor_id,
  role = :role, source = :source, origin = :origin, source_username = :source_username,
  source_display_name = :source_display_name, source_session_id = :source_session_id,
  source_message_id = :source_message_id, entity_label = :entity_label, entity_type = :entity_type,
  fact_type = :fact_type, memory_key = :memory_key, fact_key = :fact_key, discriminator = :discriminator,
  value = :value, confidence = :confidence, authority = :authority, authority_reason = :authority_reason,
  is_correction = :is_correction, mention_count = :mention_count, access_count = :access_count,
  last_accessed_at = :last_accessed_at, event_at = :event_at, expires_at = :expires_at, purge_at = :purge_at,
  superseded_at = :superseded_at, superseded_by = :superseded_by, tick = :tick, phase_id = :phase_id,
  subject_person_ids = :subject_person_ids, tags = :tags, entity_refs = :entity_refs, meta = :meta, words = :words,
  embedded_model = :embedded_model, checksum = :checksum, shadowed = {is_shadowed}
WHERE tenant = :tenant AND scope = :scope AND num = :num AND version = :version - 1

-- name: memory_retell
-- The same for a summary that is told anew: its text, whom it tells of, and when and where it was told.
UPDATE memories SET
  rev = :rev, updated_at = :updated_at, version = :version, text_version = :version, tick = :tick, phase_id = :phase_id,
  confidential = :confidential, subject_count = :subject_count, sole_subject = :sole_subject,
  subject_person_ids = :subject_person_ids, meta = :meta, words = :words, embedded_model = :embedded_model,
  checksum = :checksum
WHERE tenant = :tenant AND scope = :scope AND num = :num AND version = :version - 1

-- name: memory_leave
-- The same for a memory that leaves the living, where nothing is shadowed: most of its columns stay as they are.
UPDATE memories SET
  rev = :rev, state_at = CASE WHEN state = :state THEN state_at ELSE :at END, state = :state, archive_reason = :archive_reason,
  superseded_at = :superseded_at, superseded_by = :superseded_by, valid_to = :valid_to, updated_at = :updated_at,
  version = :version, words = :words, embedded_model = :embedded_model, checksum = :checksum, shadowed = 0
WHERE tenant = :tenant AND scope = :scope AND num = :num AND version = :version - 1

-- name: memory_index_state
UPDATE memories SET words = :words, embedded_model = :embedded_model, rev = :rev
WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: memory_remove
DELETE FROM memories WHERE tenant = :tenant AND id = :id

-- name: version_add
INSERT INTO versions (tenant, scope, num, version, at, content, quote, steps, checksum)
VALUES (:tenant, :scope, :num, :version, :at, :content, :quote, :steps, :checksum)

-- name: versions_remove
DELETE FROM versions WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: versions_of
SELECT m.id, v.version, v.at, v.checksum, v.content, v.quote, v.steps FROM memories AS m
JOIN versions AS v ON v.tenant = :tenant AND v.scope = m.scope AND v.num = m.num
WHERE m.tenant = :tenant AND m.id = :id ORDER BY v.version

-- name: postings_add
-- The terms of one text, each as often as it stands there. Led by a row of the tenant, so that a database which spreads
-- tenants over machines knows where they go.
INSERT INTO postings (tenant, scope, term, num, tf)
SELECT c.tenant, c.scope, t.value, CAST(:num AS BIGINT), COUNT(*)
FROM scopes AS c CROSS JOIN json_each(CAST(:terms AS TEXT)) AS t WHERE c.tenant = :tenant AND c.scope = :scope
GROUP BY c.tenant, c.scope, t.value

-- name: postings_remove
DELETE FROM postings WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: vector_add
INSERT INTO vectors (tenant, scope, num, piece, rev, model, vector, checksum)
VALUES (:tenant, :scope, :num, :piece, :rev, :model, :vector, :checksum)

-- name: vectors_remove
DELETE FROM vectors WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: entity_ref_add
INSERT INTO entity_refs (tenant, scope, ref, num) VALUES (:tenant, :scope, :ref, :num) ON CONFLICT DO NOTHING

-- name: entity_refs_remove
DELETE FROM entity_refs WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: subject_put
INSERT INTO subjects (tenant, scope, person_id, num, reach, is_live, is_hearsay)
VALUES (:tenant, :scope, :person, :num, :reach, :is_live, :is_hearsay)
ON CONFLICT (tenant, scope, person_id, num) DO UPDATE
SET reach = excluded.reach, is_live = excluded.is_live, is_hearsay = excluded.is_hearsay

-- name: subject_remove
DELETE FROM subjects WHERE tenant = :tenant AND scope = :scope AND person_id = :person AND num = :num

-- name: edge_add
-- Said again with another strength, an edge is the one said last; said again as it was, nothing changes.
INSERT INTO edges (tenant, kind, src, dst, strength, stated_by, at, checksum)
VALUES (:tenant, :kind, :src, :dst, :strength, :stated_by, :at, :checksum)
ON CONFLICT (tenant, kind, src, dst) DO UPDATE
SET strength = excluded.strength, stated_by = excluded.stated_by, at = excluded.at, checksum = excluded.checksum
WHERE edges.strength IS DISTINCT FROM excluded.strength

-- name: edge_remove
DELETE FROM edges WHERE tenant = :tenant AND kind = :kind AND src = :src AND dst = :dst

-- name: edges_remove_from
-- Every edge that starts at a node that goes.
DELETE FROM edges WHERE tenant = :tenant AND kind IN (SELECT k.value FROM json_each(CAST(:kinds AS TEXT)) AS k)
  AND src = :node

-- name: edges_remove_to
DELETE FROM edges WHERE tenant = :tenant AND kind IN (SELECT k.value FROM json_each(CAST(:kinds AS TEXT)) AS k)
  AND dst = :node

-- name: superseded_ids
-- Everything that stands below this memory, any number of steps down.
WITH RECURSIVE below (id) AS (
  SELECT e.dst FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'SUPERSEDES' AND e.src = :src
  UNION
  SELECT e.dst FROM below AS b JOIN edges AS e ON e.tenant = :tenant AND e.kind = 'SUPERSEDES' AND e.src = b.id
)
SELECT id FROM below

-- name: superseded_by_ids
-- What memories stand above: when they change, what they hide may change.
SELECT e.dst FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'SUPERSEDES'
  AND e.src IN (SELECT i.value FROM json_each(CAST(:ids AS TEXT)) AS i)

-- name: indexed_text
SELECT v.content FROM {with_text} WHERE m.tenant = :tenant AND m.id = :id

-- name: live_places_of
-- Of those that are alive; nothing hides the others.
SELECT m.scope, m.num, m.subject_person_ids FROM memories AS m WHERE m.tenant = :tenant AND m.state = 'active'
  AND m.id IN (SELECT i.value FROM json_each(CAST(:ids AS TEXT)) AS i) ORDER BY m.scope, m.num

-- name: has_word_above
EXISTS (SELECT 1 FROM edges AS e WHERE e.tenant = :tenant AND e.kind = 'SUPERSEDES' AND e.dst = memories.id)

-- name: is_shadowed
-- A live memory with a word above it is shadowed: whether it is hidden depends on who asks.
CASE WHEN CAST(:state AS TEXT) = 'active' AND {has_word_above} THEN 1 ELSE 0 END

-- name: shadow
UPDATE memories SET rev = :rev, shadowed = CASE WHEN state = 'active' AND {has_word_above} THEN 1 ELSE 0 END
WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: person_touch
INSERT INTO person_revs (tenant, person_id, scope, rev) VALUES (:tenant, :person, :scope, 1)
ON CONFLICT (tenant, person_id, scope) DO UPDATE SET rev = person_revs.rev + 1

-- name: memory_by_id
SELECT {memory_columns} FROM {with_text} WHERE m.tenant = :tenant AND m.id = :id

-- name: memories_of_places
SELECT m.scope * 4294967296 + m.num, {memory_columns} FROM {given_places} CROSS JOIN {with_text}
WHERE m.tenant = :tenant AND m.scope = {scope_given} AND m.num = {num_given}

-- name: holder
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.memory_key = :memory_key AND m.discriminator = :discriminator
  AND m.state = 'active' AND m.kind <> 'short_term'

-- name: in_slot
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.fact_key = :fact_key AND m.state = 'active'
ORDER BY {newest}

-- name: in_slots
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.state = 'active'
  AND m.fact_key IN (SELECT x.value FROM json_each(CAST(:fact_keys AS TEXT)) AS x)
  AND (CAST(:value AS TEXT) IS NULL OR m.value = :value)
ORDER BY {newest}

-- name: in_slot_of_value
-- The index has the beginnings of values: a slot may hold thousands of them, and one may be longer than a key can be.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.fact_key = :fact_key AND m.state = 'active'
  AND substr(m.value, 1, 100) = substr(CAST(:value AS TEXT), 1, 100) AND m.value = :value
ORDER BY {newest}

-- name: retracted
-- What was said to be no longer so, or never to have been. Upkeep archives it like everything that was superseded.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.superseded_at IS NOT NULL AND m.superseded_by IS NULL
  AND (m.state = 'superseded' OR (m.state = 'archived' AND m.archive_reason = 'superseded'))
ORDER BY m.superseded_at DESC, m.num DESC LIMIT :limit

-- name: said_about
-- Live memories about a person, in every scope but one.
SELECT {memory_columns} FROM {with_text} JOIN subjects AS q ON q.tenant = :tenant AND q.scope = m.scope AND q.num = m.num
WHERE m.tenant = :tenant AND q.person_id = :person AND q.scope <> :besides AND q.is_live = 1 AND m.state = 'active'
ORDER BY {newest} LIMIT :limit

-- name: hearsay_about
-- The same of what others stated: what people say of themselves is passed over, however much it is.
SELECT {memory_columns} FROM {with_text} JOIN subjects AS q ON q.tenant = :tenant AND q.scope = m.scope AND q.num = m.num
WHERE m.tenant = :tenant AND q.person_id = :person AND q.scope <> :besides AND q.is_live = 1 AND q.is_hearsay = 1
  AND m.state = 'active'
ORDER BY {newest} LIMIT :limit

-- name: living
-- One scope's live memories, unexpired, whoever may see them.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.state = 'active' AND (m.dies_at IS NULL OR m.dies_at > :now)
ORDER BY m.num

-- name: living_count
SELECT COUNT(*) FROM memories AS m
WHERE m.tenant = :tenant AND m.scope = :scope AND m.state = 'active' AND (m.dies_at IS NULL OR m.dies_at > :now)

-- name: due_superseded
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.state = 'superseded'
ORDER BY m.superseded_at, m.scope, m.num LIMIT :limit

-- name: due_dead
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.state = 'active' AND m.dies_at IS NOT NULL AND m.dies_at <= :now
ORDER BY m.dies_at, m.scope, m.num LIMIT :limit

-- name: unembedded
-- Two ranges around the model's name, so that both are read from the index.
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.state = 'active' AND m.embedded_model < :model
ORDER BY m.embedded_model, m.scope, m.num LIMIT :limit

-- name: unembedded_after
SELECT {memory_columns} FROM {with_text}
WHERE m.tenant = :tenant AND m.state = 'active' AND m.embedded_model > :model
ORDER BY m.embedded_model, m.scope, m.num LIMIT :limit

-- name: counts
SELECT m.state, COUNT(*) FROM memories AS m WHERE m.tenant = :tenant GROUP BY m.state

-- name: privacy_counts
-- Live memories by who may hear them.
SELECT COALESCE(m.sensitivity, 'public'), COUNT(*) FROM memories AS m WHERE m.tenant = :tenant AND m.state = 'active'
GROUP BY 1 ORDER BY 1

-- name: searchable_after
-- Memories that have index entries, in batches.
SELECT m.scope, m.num, v.content, v.quote, m.embedded_model FROM {with_text}
WHERE m.tenant = :tenant AND (m.scope > :scope OR (m.scope = :scope AND m.num > :num))
  AND {searchable}
ORDER BY m.scope, m.num LIMIT :limit

-- name: accessed
UPDATE memories SET access_count = access_count + :times, last_accessed_at = :at
WHERE tenant = :tenant AND id = :id AND (CAST(:reader AS TEXT) IS NULL OR space <> 'user' OR owner = :reader)
