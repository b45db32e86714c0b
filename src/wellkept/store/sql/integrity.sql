-- Rows whose owner is gone, and memories whose text is gone: what no write leaves behind, and the doctor looks for.

-- name: no_memory_at
NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.tenant = :tenant AND m.scope = t.scope AND m.num = t.num)

-- name: nothing_at
-- For rows that memories and messages have alike.
{no_memory_at}
AND NOT EXISTS (SELECT 1 FROM messages AS s WHERE s.tenant = :tenant AND s.scope = t.scope AND s.num = t.num)

-- name: no_person
NOT EXISTS (SELECT 1 FROM persons AS p WHERE p.tenant = :tenant AND p.id = t.person_id)

-- name: no_end
-- Edges of memories begin at one, and some end at one.
((t.kind IN ('ABOUT', 'STATED_BY', 'LEARNED_IN', 'SUPERSEDES', 'related_to', 'promoted_from', 'fold_of')
    AND NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.tenant = :tenant AND m.id = t.src))
  OR (t.kind IN ('SUPERSEDES', 'related_to', 'promoted_from', 'fold_of')
    AND NOT EXISTS (SELECT 1 FROM memories AS n WHERE n.tenant = :tenant AND n.id = t.dst)))

-- name: orphan_versions
SELECT COUNT(*) FROM versions AS t WHERE t.tenant = :tenant AND {no_memory_at}

-- name: orphan_versions_remove
DELETE FROM versions AS t WHERE t.tenant = :tenant AND {no_memory_at}

-- name: orphan_vectors
SELECT COUNT(*) FROM vectors AS t WHERE t.tenant = :tenant AND {nothing_at}

-- name: orphan_vectors_remove
DELETE FROM vectors AS t WHERE t.tenant = :tenant AND {nothing_at}

-- name: orphan_words
SELECT COUNT(*) FROM postings AS t WHERE t.tenant = :tenant AND {nothing_at}

-- name: orphan_words_remove
DELETE FROM postings AS t WHERE t.tenant = :tenant AND {nothing_at}

-- name: orphan_subjects
SELECT COUNT(*) FROM subjects AS t WHERE t.tenant = :tenant AND {no_memory_at}

-- name: orphan_subjects_remove
DELETE FROM subjects AS t WHERE t.tenant = :tenant AND {no_memory_at}

-- name: orphan_refs
SELECT COUNT(*) FROM entity_refs AS t WHERE t.tenant = :tenant AND {no_memory_at}

-- name: orphan_refs_remove
DELETE FROM entity_refs AS t WHERE t.tenant = :tenant AND {no_memory_at}

-- name: orphan_edges
SELECT COUNT(*) FROM edges AS t WHERE t.tenant = :tenant AND {no_end}

-- name: orphan_edges_remove
DELETE FROM edges AS t WHERE t.tenant = :tenant AND {no_end}

-- name: orphan_aliases
SELECT COUNT(*) FROM aliases AS t WHERE t.tenant = :tenant AND {no_person}

-- name: orphan_aliases_remove
DELETE FROM aliases AS t WHERE t.tenant = :tenant AND {no_person}

-- name: orphan_relationships
SELECT COUNT(*) FROM relationships AS t WHERE t.tenant = :tenant AND {no_person}

-- name: orphan_relationships_remove
DELETE FROM relationships AS t WHERE t.tenant = :tenant AND {no_person}

-- name: textless
SELECT m.id FROM memories AS m WHERE m.tenant = :tenant
  AND NOT EXISTS (
    SELECT 1 FROM versions AS v
    WHERE v.tenant = :tenant AND v.scope = m.scope AND v.num = m.num AND v.version = m.text_version
  )
ORDER BY m.id

-- name: text_fall_back
-- The newest wording that is left becomes the present one.
UPDATE memories AS m
SET text_version = (
  SELECT MAX(v.version) FROM versions AS v WHERE v.tenant = :tenant AND v.scope = m.scope AND v.num = m.num
)
WHERE m.tenant = :tenant AND m.id = :id
  AND EXISTS (SELECT 1 FROM versions AS w WHERE w.tenant = :tenant AND w.scope = m.scope AND w.num = m.num)

-- name: no_vector_of_it
-- A live memory that is said to have vectors, and has none.
m.tenant = :tenant AND m.state = 'active' AND m.embedded_model <> ''
  AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.tenant = :tenant AND v.scope = m.scope AND v.num = m.num)

-- name: lost_vectors
SELECT COUNT(*) FROM memories AS m WHERE {no_vector_of_it}

-- name: lost_vectors_own_up
UPDATE memories AS m SET embedded_model = '' WHERE {no_vector_of_it}
