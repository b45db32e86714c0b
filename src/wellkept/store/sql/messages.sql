-- The transcript: writing messages, and reading them for a viewpoint. `t` is the message under judgement.
-- The rule is that of policies/visibility.py; a test proves the two equal. Besides the parameters of visible.sql: rooms
-- (numbers of the scopes whose messages may be in sight) and stale (1: what has been replaced or has expired, too).

-- name: message_columns
-- The checksum, the place, and the fields of `Message` in their order.
t.checksum, t.num, t.id, t.role, t.content, t.speaker, t.at, t.tenant, t.user_id, t.persona_id, t.chat_id, t.chat_type,
t.session_id, t.arrived_at, t.confidential

-- name: message_add
INSERT INTO messages (tenant, scope, num, rev, waits, confidential, chat_type, audience, words, at, arrived_at, embedded_model,
  id, user_id, persona_id, chat_id, session_id, role, speaker, content, traits, checksum)
VALUES (:tenant, :scope, :num, :rev, :waits, :confidential, :chat_type, :audience, :words, :at, :arrived_at, :embedded_model,
  :id, :user_id, :persona_id, :chat_id, :session_id, :role, :speaker, :content, :traits, :checksum)

-- name: message_ids_taken
-- Which of these ids the chat has already.
SELECT t.id FROM messages AS t WHERE t.tenant = :tenant AND t.scope = :scope
  AND t.id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
  AND COALESCE(t.chat_id, '') = COALESCE(CAST(:chat_id AS TEXT), '')
  AND COALESCE(t.persona_id, '') = COALESCE(CAST(:persona_id AS TEXT), '')

-- name: audience_add
INSERT INTO audiences (tenant, scope, audience, person_id) VALUES (:tenant, :scope, :audience, :person)

-- name: audiences_of
SELECT audience, person_id FROM audiences WHERE tenant = :tenant AND scope = :scope ORDER BY audience, person_id

-- name: rooms_heard
-- Groups in which somebody heard at least one message.
SELECT DISTINCT a.scope FROM audiences AS a JOIN scopes AS s ON s.tenant = :tenant AND s.scope = a.scope
WHERE a.tenant = :tenant AND s.space = 'room' AND (a.person_id = :person OR a.person_id IN (
  SELECT o.src FROM edges AS o WHERE o.tenant = :tenant AND o.kind = 'MERGED_INTO' AND o.dst = :person))

-- name: heard
-- Everybody who listens now was there.
(NOT EXISTS (
  SELECT 1 FROM json_each(CAST(:present AS TEXT)) AS p WHERE NOT EXISTS (
    SELECT 1 FROM audiences AS a
    WHERE a.tenant = :tenant AND a.scope = t.scope AND a.audience = t.audience AND (
      a.person_id = p.value OR EXISTS (
        SELECT 1 FROM edges AS o
        WHERE o.tenant = :tenant AND o.kind = 'MERGED_INTO' AND o.src = a.person_id AND o.dst = p.value)))))

-- name: among_us
-- Said in private, and nobody heard it but those who listen now.
(t.chat_type = 'private' AND NOT EXISTS (
  SELECT 1 FROM audiences AS a
  WHERE a.tenant = :tenant AND a.scope = t.scope AND a.audience = t.audience
    AND a.person_id NOT IN (SELECT p.value FROM json_each(CAST(:present AS TEXT)) AS p)
    AND NOT EXISTS (
      SELECT 1 FROM edges AS o WHERE o.tenant = :tenant AND o.kind = 'MERGED_INTO' AND o.src = a.person_id
        AND o.dst IN (SELECT p.value FROM json_each(CAST(:present AS TEXT)) AS p))))

-- name: placed
-- In a group its own messages. In private what the asker said in private to the same persona, and what was said in
-- groups; both only as far as everybody who listens was there. An agent with an allowlist reads no transcript.
(
  CASE WHEN :chat_type = 'group' THEN t.chat_type = 'group' AND t.chat_id = CAST(:chat AS TEXT)
  ELSE {heard} AND ((t.chat_type = 'group' AND CAST(:person AS TEXT) IS NOT NULL) OR (t.chat_type = 'private' AND
    t.user_id IS NOT DISTINCT FROM CAST(:user AS TEXT) AND t.persona_id IS NOT DISTINCT FROM CAST(:persona AS TEXT)
    AND (CAST(:user AS TEXT) IS NOT NULL OR t.chat_id = CAST(:chat AS TEXT)))) END
  AND (t.confidential = 0 OR t.chat_id IS NOT DISTINCT FROM CAST(:chat AS TEXT))
  AND (CAST(:as_of AS BIGINT) IS NULL OR COALESCE(t.at, t.arrived_at) <= :as_of)
  AND CAST(:categories AS TEXT) IS NULL
)

-- name: stale
-- Replaced or expired.
(m.state = 'superseded' OR m.archive_reason IN ('superseded', 'expired', 'ephemeral_decay')
 OR (m.state = 'active' AND m.dies_at <= :now))

-- name: happened
-- An event, plan or state that was overheard and is over: the memory leaves, but what was said of it is asked for all the same.
(m.origin = 'shadow_extraction'
 AND (m.type IN ('event', 'preference', 'knowledge', 'identity', 'relationship')
      OR (m.type = 'context' AND m.event_at IS NOT NULL))
 AND ((m.state = 'active' AND m.dies_at <= :now)
      OR (m.state = 'archived' AND m.archive_reason IN ('expired', 'ephemeral_decay'))))

-- name: was_heard
-- Learned from what was said in this group; or in another one, and neither sensitive nor confided: whoever was there may
-- be told again what was said, even where the memory made from it is somebody else's.
(m.learned_in_type = 'group' AND (m.persona_id IS NULL OR m.persona_id = :persona) AND
  CASE WHEN :chat_type = 'group' THEN m.learned_in = CAST(:chat AS TEXT)
  ELSE m.confidential = 0 AND COALESCE(m.sensitivity, 'public') <> 'sensitive' END)

-- name: stands
-- The memory that rests on the span `e` may be shown, or the span was heard; of what is stale, also what is overridden.
EXISTS (SELECT 1 FROM memories AS m WHERE m.tenant = :tenant AND m.id = e.memory_id AND {wanted}
  AND ({admitted} OR {was_heard})
  AND ((({alive} OR {happened}) AND {unshadowed}) OR (:stale = 1 AND {stale})))

-- name: whole
-- No span of it has to be left out.
(t.cited = 0 OR NOT EXISTS (
  SELECT 1 FROM evidence AS e WHERE e.tenant = :tenant AND e.scope = t.scope AND e.num = t.num AND NOT {stands}))

-- name: message_sight_columns
-- In the order of `sight_columns`. A message with a span left out has words of its own making and no vector. It is looked
-- at anew when a memory that rests on it dies, or a word that hides such a memory.
t.num, t.words, COALESCE(t.at, t.arrived_at), NULL, CASE WHEN {whole} THEN t.embedded_model ELSE '' END, 1,
CASE WHEN t.cited = 0 THEN NULL ELSE (
  SELECT MIN(CASE WHEN s.dies_at > :now AND (m.dies_at IS NULL OR m.dies_at <= :now OR s.dies_at < m.dies_at)
    THEN s.dies_at WHEN m.dies_at > :now THEN m.dies_at END)
  FROM evidence AS e JOIN memories AS m ON m.tenant = :tenant AND m.id = e.memory_id
    LEFT JOIN edges AS o ON o.tenant = :tenant AND o.kind = 'SUPERSEDES' AND o.dst = e.memory_id
    LEFT JOIN memories AS s ON s.tenant = :tenant AND s.id = o.src
  WHERE e.tenant = :tenant AND e.scope = t.scope AND e.num = t.num) END

-- name: message_sight
SELECT {message_sight_columns} FROM messages AS t WHERE t.tenant = :tenant AND t.scope = :scope AND {placed}

-- name: message_sight_changed
SELECT CASE WHEN {placed} THEN 1 ELSE 0 END, {message_sight_columns} FROM messages AS t
WHERE t.tenant = :tenant AND t.scope = :scope AND t.rev > :since

-- name: spoken_since
-- Who said it in which talk, of the messages that changed after a revision; in no order, like `vectors_changed`.
SELECT t.num, t.chat_id, t.persona_id, t.session_id, t.speaker, t.role, t.traits FROM messages AS t
WHERE t.tenant = :tenant AND t.scope = :scope AND t.rev > :since

-- name: spans_left_out
-- Of the messages of one scope that changed since: the spans that this view may not be shown. Messages come first:
-- CROSS JOIN says so to SQLite, which would read all evidence of the scope.
SELECT t.num, t.content, e.start, e.stop FROM messages AS t CROSS JOIN evidence AS e
WHERE t.tenant = :tenant AND t.scope = :scope AND t.rev > :since AND t.cited = 1
  AND e.tenant = :tenant AND e.scope = t.scope AND e.num = t.num AND {placed} AND NOT {stands}

-- name: messages_by_num
SELECT {message_columns} FROM messages AS t WHERE t.tenant = :tenant AND t.scope = :scope
  AND t.num IN (SELECT CAST(n.value AS BIGINT) FROM json_each(CAST(:nums AS TEXT)) AS n)

-- name: messages_heard
-- Places of the newest messages in sight, by arrival.
SELECT t.scope, t.num FROM messages AS t
WHERE t.tenant = :tenant AND t.scope IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:rooms AS TEXT)) AS x)
  AND (CAST(:in_chat AS TEXT) IS NULL OR t.chat_id = :in_chat)
  AND (CAST(:in_session AS TEXT) IS NULL OR t.session_id = :in_session)
  AND (:is_alone = 0 OR {among_us})
  AND (CAST(:since_at AS BIGINT) IS NULL OR COALESCE(t.at, t.arrived_at) >= :since_at)
  AND (CAST(:until_at AS BIGINT) IS NULL OR COALESCE(t.at, t.arrived_at) < :until_at)
  AND (CAST(:before_at AS BIGINT) IS NULL OR t.arrived_at < :before_at
       OR (t.arrived_at = :before_at AND (t.scope, t.num) < (:before_scope, :before_num)))
  AND {placed}
ORDER BY t.arrived_at DESC, t.scope DESC, t.num DESC LIMIT :limit

-- name: messages_before
-- The last messages of one chat up to a number, newest first.
SELECT {message_columns} FROM messages AS t WHERE t.tenant = :tenant AND t.scope = :scope AND t.num <= :num
  AND COALESCE(t.chat_id, '') = COALESCE(CAST(:chat_id AS TEXT), '')
  AND COALESCE(t.persona_id, '') = COALESCE(CAST(:persona_id AS TEXT), '')
ORDER BY t.num DESC LIMIT :limit

-- name: messages_waiting
-- Those of one chat that nobody has read for facts yet, oldest first.
SELECT {message_columns} FROM messages AS t WHERE t.tenant = :tenant AND t.scope = :scope AND t.waits = 1
  AND COALESCE(t.chat_id, '') = COALESCE(CAST(:chat_id AS TEXT), '')
  AND COALESCE(t.persona_id, '') = COALESCE(CAST(:persona_id AS TEXT), '')
ORDER BY t.num LIMIT :limit

-- name: message_read
-- Of several readers only the first finds it waiting.
UPDATE messages SET waits = 0 WHERE tenant = :tenant AND scope = :scope AND num = :num AND waits = 1

-- name: tally_add
INSERT INTO tallies (tenant, kind, owner, day, n) VALUES (:tenant, :kind, :owner, :day, :n)
ON CONFLICT (tenant, kind, owner, day) DO UPDATE SET n = tallies.n + excluded.n
RETURNING n

-- name: tally_of
SELECT n FROM tallies WHERE tenant = :tenant AND kind = :kind AND owner = :owner AND day = :day

-- name: tallies_drop
DELETE FROM tallies WHERE tenant = :tenant AND kind = :kind AND owner = :owner AND day < :day

-- name: evidence_add
INSERT INTO evidence (tenant, scope, num, memory_id, start, stop)
VALUES (:tenant, :scope, :num, :memory_id, :start, :stop) ON CONFLICT DO NOTHING

-- name: message_cited
UPDATE messages SET cited = 1, rev = :rev WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: message_stirred
-- A memory that rests on it has changed: what may be shown of it is looked at anew.
UPDATE messages SET rev = :rev WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: rests_on
SELECT DISTINCT e.scope, e.num FROM evidence AS e WHERE e.tenant = :tenant
  AND e.memory_id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x) ORDER BY e.scope, e.num

-- name: cited_spans
SELECT e.memory_id, t.id, e.scope, e.num, e.start, e.stop FROM evidence AS e
  JOIN messages AS t ON t.tenant = :tenant AND t.scope = e.scope AND t.num = e.num
WHERE e.tenant = :tenant AND e.memory_id IN (SELECT x.value FROM json_each(CAST(:ids AS TEXT)) AS x)
ORDER BY e.memory_id, e.scope, e.num, e.start

-- name: cited_spans_in
-- What rests on these messages of one scope, whoever may see it.
SELECT e.memory_id, t.id, e.scope, e.num, e.start, e.stop FROM evidence AS e
  JOIN messages AS t ON t.tenant = :tenant AND t.scope = e.scope AND t.num = e.num
WHERE e.tenant = :tenant AND e.scope = :scope
  AND e.num IN (SELECT CAST(n.value AS BIGINT) FROM json_each(CAST(:nums AS TEXT)) AS n)
ORDER BY e.num, e.start, e.memory_id

-- name: chat_day_columns
-- A chat on a day (UTC), with a persona, in a session: how much was said in it and when, and how much is still to be read.
t.scope, CASE WHEN t.chat_type = 'group' THEN NULL ELSE t.user_id END, t.chat_id, t.chat_type, t.persona_id, t.session_id,
COALESCE(t.at, t.arrived_at) / 86400000000, COUNT(*), CAST(SUM(t.waits) AS BIGINT),
MIN(COALESCE(t.at, t.arrived_at)), MAX(COALESCE(t.at, t.arrived_at))

-- name: chat_days
SELECT {chat_day_columns} FROM messages AS t
WHERE t.tenant = :tenant AND t.scope IN (SELECT CAST(x.value AS BIGINT) FROM json_each(CAST(:rooms AS TEXT)) AS x)
  AND (CAST(:in_chat AS TEXT) IS NULL OR t.chat_id = :in_chat)
  AND {placed}
GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 11 DESC, 1, 2, 3, 5, 6 LIMIT :limit

-- name: chat_days_of_all
-- The same of a whole tenant, for operators: counts and times, nothing that was said.
SELECT {chat_day_columns} FROM messages AS t WHERE t.tenant = :tenant
GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 11 DESC, 1, 2, 3, 5, 6 LIMIT :limit

-- name: taught_by_chat_day
-- Memories that rest on what was said in a chat on a day, whoever may see them.
SELECT DISTINCT e.memory_id FROM messages AS t JOIN evidence AS e
  ON e.tenant = :tenant AND e.scope = t.scope AND e.num = t.num
WHERE t.tenant = :tenant AND t.scope = :scope AND t.cited = 1
  AND t.chat_id IS NOT DISTINCT FROM CAST(:chat AS TEXT) AND t.persona_id IS NOT DISTINCT FROM CAST(:persona AS TEXT)
  AND t.session_id IS NOT DISTINCT FROM CAST(:session AS TEXT)
  AND COALESCE(t.at, t.arrived_at) >= :since_at AND COALESCE(t.at, t.arrived_at) < :until_at
ORDER BY e.memory_id

-- name: messages_unembedded
SELECT t.scope, {message_columns} FROM messages AS t WHERE t.tenant = :tenant AND t.embedded_model < :model
ORDER BY t.embedded_model, t.scope, t.num LIMIT :limit

-- name: messages_unembedded_after
SELECT t.scope, {message_columns} FROM messages AS t WHERE t.tenant = :tenant AND t.embedded_model > :model
ORDER BY t.embedded_model, t.scope, t.num LIMIT :limit

-- name: messages_indexed_after
-- All messages, in batches.
SELECT t.scope, t.embedded_model, {message_columns} FROM messages AS t
WHERE t.tenant = :tenant AND (t.scope > :scope OR (t.scope = :scope AND t.num > :num))
ORDER BY t.scope, t.num LIMIT :limit

-- name: message_index_state
UPDATE messages SET words = :words, embedded_model = :embedded_model, rev = :rev
WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: messages_of_user
SELECT t.scope, t.num FROM messages AS t WHERE t.tenant = :tenant AND t.user_id = :user ORDER BY t.scope, t.num

-- name: messages_before_time
-- In the order of the key, in which the oldest of each chat come first: nothing is sorted.
SELECT t.scope, t.num FROM messages AS t WHERE t.tenant = :tenant AND t.arrived_at < :until
ORDER BY t.scope, t.num LIMIT :limit

-- name: message_remove
DELETE FROM messages WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: evidence_remove
DELETE FROM evidence WHERE tenant = :tenant AND scope = :scope AND num = :num

-- name: confidences
-- What was told in a chat to be kept in it.
SELECT v.content, v.quote FROM {with_text}
WHERE m.tenant = :tenant AND m.scope = :scope AND m.learned_in = :chat AND m.confidential = 1 AND m.state = 'active'
