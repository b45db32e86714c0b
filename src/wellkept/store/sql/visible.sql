-- The visibility rule of policies/visibility.py, in SQL. `m` is the memory under judgement.
-- Every read of memories is built on `visible`; a property test proves the two equal on every combination.
-- Parameters: tenant, now, as_of, include_expired, user, person, chat, chat_type, persona, mode, fail_open,
--   and JSON arrays: scopes (numbers of the scopes in sight), present, partners, kinds, categories (or null).

-- name: about_present
-- Is somebody of the chat among its subjects?
(m.sole_subject IN (SELECT p.value FROM json_each(CAST(:present AS TEXT)) AS p)
 OR (m.subject_count > 1 AND EXISTS (
   SELECT 1 FROM edges AS a WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = m.id
     AND a.dst IN (SELECT p.value FROM json_each(CAST(:present AS TEXT)) AS p))))

-- name: about_absent
-- Is somebody who is not in the chat among its subjects?
((m.subject_count = 1 AND m.sole_subject NOT IN (SELECT p.value FROM json_each(CAST(:present AS TEXT)) AS p))
 OR (m.subject_count > 1 AND EXISTS (
   SELECT 1 FROM edges AS a WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = m.id
     AND a.dst NOT IN (SELECT p.value FROM json_each(CAST(:present AS TEXT)) AS p))))

-- name: heard_by_others
-- Is somebody in the chat who is not among its subjects?
EXISTS (SELECT 1 FROM json_each(CAST(:present AS TEXT)) AS p
        WHERE NOT EXISTS (SELECT 1 FROM edges AS a
                          WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = m.id AND a.dst = p.value))

-- name: about_asker
(m.sole_subject = :person
 OR (m.subject_count > 1 AND EXISTS (
   SELECT 1 FROM edges AS a WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = m.id AND a.dst = :person)))

-- name: alive
(
  (m.dies_at IS NULL OR m.dies_at > COALESCE(CAST(:as_of AS BIGINT), :now) OR :include_expired = 1)
  AND (
    (CAST(:as_of AS BIGINT) IS NULL AND (m.state = 'active'
        OR (:include_expired = 1 AND m.state = 'archived' AND m.archive_reason IN ('expired', 'ephemeral_decay'))))
    OR (CAST(:as_of AS BIGINT) IS NOT NULL
        AND (m.state IN ('active', 'superseded') OR m.archive_reason = 'superseded')
        AND COALESCE(m.valid_from, m.observed_at) <= :as_of
        AND (m.valid_to IS NULL OR m.valid_to > :as_of))
  )
)

-- name: disclosure
-- Public to all, personal to the subject or owner, sensitive only in private with the subject: everybody who listens
-- is a subject, and every subject listens.
(
  COALESCE(m.sensitivity, 'public') = 'public'
  OR (m.sensitivity = 'personal' AND m.space = 'user' AND m.owner = :user)
  OR ({about_asker} AND (
    m.sensitivity = 'personal' OR (:chat_type = 'private' AND NOT {about_absent} AND NOT {heard_by_others})))
)

-- name: in_group
-- Public to all; personal where a subject listens; sensitive where it was told to a group and every subject listens;
-- about nobody, where it was said.
(
  COALESCE(m.sensitivity, 'public') = 'public'
  OR (m.subject_count = 0 AND :mode <> 'seed' AND (m.space = 'chat' OR m.learned_in = CAST(:chat AS TEXT)))
  OR ({about_present} AND (
    m.sensitivity = 'personal' OR :mode = 'seed' OR (m.learned_in_type = 'group' AND NOT {about_absent})))
)

-- name: may_be_overheard
-- Alone with the asker everything may be told; in front of others what is public, and what is personal about somebody.
(
  :mode = 'seed'
  OR COALESCE(m.sensitivity, 'public') = 'public'
  OR (m.sensitivity = 'personal' AND m.subject_count > 0)
  OR NOT EXISTS (
    SELECT 1 FROM json_each(CAST(:present AS TEXT)) AS h
    WHERE h.value NOT IN (SELECT l.value FROM json_each(CAST(:partners AS TEXT)) AS l))
)

-- name: in_private
-- Known to every partner: about them, said by them, or said where they were. Without a partner: said in this chat.
(
  ({may_be_overheard} AND (
    m.subject_count = 0
    OR (m.learned_in IS NULL AND :fail_open = 1)
    OR {about_asker}))
  OR (EXISTS (SELECT 1 FROM json_each(CAST(:partners AS TEXT))) AND NOT EXISTS (
    SELECT 1 FROM json_each(CAST(:partners AS TEXT)) AS p
    WHERE NOT (
      p.value = COALESCE(m.stated_by, '')
      OR EXISTS (SELECT 1 FROM edges AS a
                 WHERE a.tenant = :tenant AND a.kind = 'ABOUT' AND a.src = m.id AND a.dst = p.value)
      OR EXISTS (SELECT 1 FROM edges AS t
                 WHERE t.tenant = :tenant AND t.kind = 'PARTICIPATES_IN' AND t.src = p.value AND t.dst = m.learned_in))))
  OR (NOT EXISTS (SELECT 1 FROM json_each(CAST(:partners AS TEXT))) AND m.learned_in = CAST(:chat AS TEXT))
)

-- name: by_chat
-- The table of the chat's type.
((:chat_type = 'group' AND {in_group}) OR (:chat_type = 'private' AND {in_private}))

-- name: own
-- Own, this chat's, or another space in sight: for this persona or for all, and confidential only where it was said.
(
  (m.persona_id IS NULL OR m.persona_id = :persona)
  AND (m.confidential = 0 OR m.learned_in IS NOT DISTINCT FROM CAST(:chat AS TEXT))
)

-- name: others
-- Owned by others, about somebody present, and told to be carried on.
(
  m.space IN ('user', 'chat') AND m.portable = 1 AND m.confidential = 0 AND m.persona_id IS NULL AND {about_present}
)

-- name: wanted
-- The right kind, and in the allowlist where there is one.
(
  m.kind IN (SELECT k.value FROM json_each(CAST(:kinds AS TEXT)) AS k)
  AND (CAST(:categories AS TEXT) IS NULL
       OR m.category IN (SELECT c.value FROM json_each(CAST(:categories AS TEXT)) AS c))
)

-- name: within
(m.scope IN (SELECT CAST(s.value AS BIGINT) FROM json_each(CAST(:scopes AS TEXT)) AS s))

-- name: admitted
-- What is in sight passes the table of the chat's type, what others own the table of disclosure; in strict mode both
-- pass both.
(
  CASE WHEN {within} THEN {own} ELSE {others} END
  AND ((:mode <> 'strict' AND {within}) OR {disclosure})
  AND ((:mode <> 'strict' AND NOT {within}) OR {by_chat})
)

-- name: seen
-- Everything but the word of the person concerned.
({alive} AND {wanted} AND {admitted})

-- name: said_before
-- Said openly in a group that the asker takes part in: heard, even where it could not be looked up.
(
  m.learned_in_type = 'group' AND COALESCE(m.sensitivity, 'public') = 'public' AND m.confidential = 0
  AND m.persona_id IS NULL
  AND EXISTS (SELECT 1 FROM edges AS t WHERE t.tenant = :tenant AND t.kind = 'PARTICIPATES_IN'
                AND t.src = :person AND t.dst = m.learned_in)
)

-- name: unshadowed
-- No word of the person concerned stands above it that this viewpoint may hear. `{seen@s}` is `seen` said of the alias s.
(m.shadowed = 0 OR NOT EXISTS (
  SELECT 1 FROM edges AS o JOIN memories AS s ON s.tenant = :tenant AND s.id = o.src
  WHERE o.tenant = :tenant AND o.kind = 'SUPERSEDES' AND o.dst = m.id AND {alive@s}
    AND (s.stated_by = :person OR {said_before@s} OR {seen@s})))

-- name: visible
-- Seen, and not overridden by the word of the person concerned.
({seen} AND {unshadowed})
