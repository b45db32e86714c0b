-- The whole schema of both databases, as a person reads it. `migrations/` ends in exactly this; a test proves it.
-- It is written in SQLite's words with one more type, VECTOR; `dialects.py` says it in PostgreSQL's. What only one of them
-- has stands between `-- only: name` and `-- end`.
-- Every key leads with `tenant`. Times are microseconds since 1970 in UTC, truth values are 0 and 1, lists are JSON.
-- `checksum` is of the columns in encoding.SUMMED; NULL where an earlier release wrote the row.

-- A scope is a space and its owner, under a small number that vectors, terms and the ledger refer to.
-- `rev` grows with every change of a memory in the scope and tells caches that they are old; `purge_rev` is the rev of
-- the last removal. `ledger_seq` and `ledger_head` are the end of the scope's hash chain, so that a cut tail is found.
CREATE TABLE scopes (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  space TEXT NOT NULL,
  owner TEXT NOT NULL,
  last_num INTEGER NOT NULL DEFAULT 0,
  last_actor INTEGER NOT NULL DEFAULT 0,
  rev INTEGER NOT NULL DEFAULT 0,
  purge_rev INTEGER NOT NULL DEFAULT 0,
  ledger_seq INTEGER NOT NULL DEFAULT 0,
  ledger_head TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, scope),
  UNIQUE (tenant, space, owner)
) STRICT, WITHOUT ROWID;

-- How many ids of a kind a scope has given out. Scope 0 counts for the tenant: its scopes. The kind `clock` is no count: it
-- is the last time that the scope has seen.
CREATE TABLE counters (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  kind TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, scope, kind)
) STRICT, WITHOUT ROWID;

-- Everything about a memory but its text. What the visibility rule reads stands first, so that a scan reads little.
-- `num` is dense in the scope. `subject_count`, `sole_subject` (where there is one subject), `shadowed`, `dies_at`, `state_at` (when the state began) and
-- `words` are caches that each write renews.
CREATE TABLE memories (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  num INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  category TEXT NOT NULL,
  sensitivity TEXT,
  portable INTEGER NOT NULL,
  confidential INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  subject_count INTEGER NOT NULL,
  sole_subject TEXT,
  shadowed INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0,
  importance REAL NOT NULL CHECK (importance >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  dies_at INTEGER,
  valid_from INTEGER,
  valid_to INTEGER,
  archive_reason TEXT,
  state_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  space TEXT NOT NULL,
  owner TEXT NOT NULL,
  persona_id TEXT,
  stated_by TEXT,
  learned_in TEXT,
  learned_in_type TEXT,
  embedded_model TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL,
  text_version INTEGER NOT NULL,
  language TEXT,
  event_type TEXT NOT NULL,
  agent_id TEXT,
  run_id TEXT,
  actor_id TEXT,
  role TEXT,
  source TEXT NOT NULL,
  origin TEXT NOT NULL,
  source_username TEXT,
  source_display_name TEXT,
  source_session_id TEXT,
  source_message_id TEXT,
  entity_label TEXT,
  entity_type TEXT NOT NULL,
  fact_type TEXT NOT NULL,
  memory_key TEXT NOT NULL,
  fact_key TEXT,
  discriminator TEXT NOT NULL,
  value TEXT,
  confidence REAL NOT NULL,
  authority TEXT NOT NULL,
  authority_reason TEXT NOT NULL,
  is_correction INTEGER NOT NULL,
  mention_count INTEGER NOT NULL,
  access_count INTEGER NOT NULL,
  last_accessed_at INTEGER,
  event_at INTEGER,
  expires_at INTEGER,
  purge_at INTEGER,
  superseded_at INTEGER,
  superseded_by TEXT,
  tick INTEGER,
  phase_id TEXT,
  subject_person_ids TEXT NOT NULL,
  tags TEXT NOT NULL,
  entity_refs TEXT NOT NULL,
  meta TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, scope, num),
  UNIQUE (tenant, id)
) STRICT, WITHOUT ROWID;

-- One live memory a key: racing writers are serialised here. A turn of a conversation has no rivals.
CREATE UNIQUE INDEX memories_live_key ON memories (tenant, scope, memory_key, discriminator)
WHERE state = 'active' AND kind <> 'short_term';
CREATE INDEX memories_slot ON memories (tenant, scope, fact_key, substr(value, 1, 100))
WHERE state = 'active' AND fact_key IS NOT NULL;
CREATE INDEX memories_live ON memories (tenant, scope, kind, tick) WHERE state = 'active';
CREATE INDEX memories_changed ON memories (tenant, scope, rev);
CREATE INDEX memories_dying ON memories (tenant, dies_at) WHERE state = 'active' AND dies_at IS NOT NULL;
CREATE INDEX memories_purge ON memories (tenant, purge_at) WHERE state = 'soft_deleted';
CREATE INDEX memories_superseded ON memories (tenant, superseded_at) WHERE state = 'superseded';
CREATE INDEX memories_pinned ON memories (tenant, scope, num) WHERE state = 'active' AND pinned = 1;
CREATE INDEX memories_category ON memories (tenant, scope, category) WHERE state = 'active' AND kind <> 'short_term';
CREATE INDEX memories_gone ON memories (tenant, scope, updated_at) WHERE state <> 'active' AND kind <> 'short_term';
CREATE INDEX memories_confidential ON memories (tenant, scope, learned_in) WHERE state = 'active' AND confidential = 1;
CREATE INDEX memories_embedded ON memories (tenant, embedded_model) WHERE state = 'active';

-- The one place that holds text: every wording a memory had, the present one included. Texts that were told one after
-- the other lie side by side, as their memories do.
CREATE TABLE versions (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  num INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  content TEXT NOT NULL,
  quote TEXT,
  steps TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, scope, num, version),
  FOREIGN KEY (tenant, scope, num) REFERENCES memories (tenant, scope, num)
) STRICT, WITHOUT ROWID;

-- Typed relations between ids of memories, persons, users and chats.
CREATE TABLE edges (
  tenant TEXT NOT NULL,
  kind TEXT NOT NULL,
  src TEXT NOT NULL,
  dst TEXT NOT NULL,
  strength REAL,
  stated_by TEXT,
  at INTEGER NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, kind, src, dst)
) STRICT, WITHOUT ROWID;

CREATE INDEX edges_back ON edges (tenant, kind, dst, src);

-- The ABOUT edges again, by place: who is spoken of in a scope, and in which scopes somebody is spoken of. `reach`,
-- `is_live` and `is_hearsay` are caches that each write renews: how far the memory may be told beyond its scope, is it
-- active, and did somebody other than this person state it.
CREATE TABLE subjects (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  person_id TEXT NOT NULL,
  num INTEGER NOT NULL,
  reach TEXT NOT NULL,
  is_live INTEGER NOT NULL,
  is_hearsay INTEGER NOT NULL,
  PRIMARY KEY (tenant, scope, person_id, num)
) STRICT, WITHOUT ROWID;

CREATE INDEX subjects_person ON subjects (tenant, person_id, reach, is_live, scope, num);
CREATE INDEX subjects_hearsay ON subjects (tenant, person_id, scope, num) WHERE is_live = 1 AND is_hearsay = 1;

-- Which words stand in which memory or message, and how often. A scope holds the one or the other.
CREATE TABLE postings (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  term TEXT NOT NULL,
  num INTEGER NOT NULL,
  tf INTEGER NOT NULL,
  PRIMARY KEY (tenant, scope, term, num)
) STRICT, WITHOUT ROWID;

CREATE INDEX postings_of ON postings (tenant, scope, num);

-- One vector a piece of the text of a memory or message: little-endian 16-bit floats, of length one.
CREATE TABLE vectors (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  num INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  model TEXT NOT NULL,
  vector VECTOR NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, scope, num, piece)
) STRICT, WITHOUT ROWID;

CREATE INDEX vectors_changed ON vectors (tenant, scope, rev);

-- Entities that a memory names, for entity cards.
CREATE TABLE entity_refs (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  ref TEXT NOT NULL,
  num INTEGER NOT NULL,
  PRIMARY KEY (tenant, scope, ref, num)
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_refs_of ON entity_refs (tenant, scope, num);

-- Every decision, a hash chain a scope: references and codes, never text, names, keys or user ids.
CREATE TABLE ledger (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  tick INTEGER,
  actor INTEGER,
  node TEXT NOT NULL,
  op TEXT NOT NULL,
  status TEXT NOT NULL,
  memory_id TEXT,
  version INTEGER,
  category TEXT,
  sim REAL,
  reason TEXT,
  thread TEXT,
  payload TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant, scope, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX ledger_of_memory ON ledger (tenant, memory_id, at) WHERE memory_id IS NOT NULL;
CREATE INDEX ledger_by_time ON ledger (tenant, at);

-- The tenant's own chain: where the chains of its scopes ended when upkeep looked. `seq` and `head` are the number and hash
-- of a ledger row, `hash` follows from the row before. Where `fault` is set the row seals a break of this chain at `seq`.
CREATE TABLE sealed_heads (
  tenant TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  fault TEXT,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX sealed_heads_of ON sealed_heads (tenant, scope, seq, head);

-- Who the actors of a chain are. Emptying it leaves a ledger without people in it, and every chain whole.
CREATE TABLE pseudonyms (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  actor INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (tenant, scope, actor),
  UNIQUE (tenant, user_id, scope)
) STRICT, WITHOUT ROWID;

-- Searches, in no chain: they change nothing and are written in batches.
CREATE TABLE searches (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor INTEGER,
  node TEXT NOT NULL,
  status TEXT NOT NULL,
  sim REAL,
  reason TEXT,
  thread TEXT,
  payload TEXT NOT NULL,
  PRIMARY KEY (tenant, scope, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX searches_by_time ON searches (tenant, at);

-- Parts of a governed conversation, counted from 1 in each scope. `seq` is the ledger row that began one; what a phase
-- held in the end is read from the ledger. Names are words of people: erasing empties them.
CREATE TABLE phases (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT,
  reason TEXT NOT NULL,
  tick INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (tenant, scope, number)
) STRICT, WITHOUT ROWID;

-- Policies that governed sessions were opened with, by their hash.
CREATE TABLE policies (
  tenant TEXT NOT NULL,
  hash TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, hash)
) STRICT, WITHOUT ROWID;

-- What a governed session was told of each call, beside the ledger row `seq` of the session that the call ended with.
-- `body` is its events as JSON, texts included, numbered in their session from `first` to `last`; erasing leaves nothing
-- in it but codes, references and counts. A body is too long for a page, and to compare two keys of a table that lies in
-- the order of its keys is to read both rows whole: so SQLite keeps these rows apart from their key.
CREATE TABLE traces (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  last INTEGER NOT NULL,
  first INTEGER NOT NULL,
  call INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, scope, last)
) STRICT;

-- Which traces show which memory, so that a memory that goes takes its words out of them. `last` is theirs.
CREATE TABLE trace_mentions (
  tenant TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  scope INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (tenant, memory_id, scope, last)
) STRICT, WITHOUT ROWID;

-- What was said, word for word, secrets masked. Private messages stand in the scope of their user, those of a group in
-- the scope of their chat; `num` is the order of arrival there. Words and vectors are those of `postings` and `vectors`.
-- `at` is NULL where nobody knows when it was said. `cited` is 1 where a memory rests on it, `waits` is 1 until it has
-- been read for facts.
CREATE TABLE messages (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  num INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  cited INTEGER NOT NULL DEFAULT 0,
  waits INTEGER NOT NULL DEFAULT 0,
  confidential INTEGER NOT NULL,
  chat_type TEXT NOT NULL,
  audience INTEGER NOT NULL,
  words INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  at INTEGER,
  arrived_at INTEGER NOT NULL,
  embedded_model TEXT NOT NULL DEFAULT '',
  id TEXT NOT NULL,
  user_id TEXT,
  persona_id TEXT,
  chat_id TEXT,
  session_id TEXT,
  role TEXT NOT NULL,
  speaker TEXT,
  content TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, scope, num)
) STRICT, WITHOUT ROWID;

-- A message id is unique in its chat: the same one again changes nothing.
CREATE UNIQUE INDEX messages_id ON messages (tenant, scope, id, COALESCE(chat_id, ''), COALESCE(persona_id, ''));
CREATE INDEX messages_changed ON messages (tenant, scope, rev);
CREATE INDEX messages_waiting ON messages (tenant, scope, num) WHERE waits = 1;
CREATE INDEX messages_session ON messages (tenant, scope, session_id, num) WHERE session_id IS NOT NULL;
CREATE INDEX messages_time ON messages (tenant, scope, at) WHERE at IS NOT NULL;
CREATE INDEX messages_embedded ON messages (tenant, embedded_model);
CREATE INDEX messages_user ON messages (tenant, user_id) WHERE user_id IS NOT NULL;

-- Who heard a message: the people of an audience, numbered in each scope.
CREATE TABLE audiences (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  audience INTEGER NOT NULL,
  person_id TEXT NOT NULL,
  PRIMARY KEY (tenant, scope, audience, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX audiences_person ON audiences (tenant, person_id, scope);

-- Which span of which message a memory rests on, in characters. The row outlives the memory: what was forgotten is not
-- found again in the transcript.
CREATE TABLE evidence (
  tenant TEXT NOT NULL,
  scope INTEGER NOT NULL,
  num INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  stop INTEGER NOT NULL,
  PRIMARY KEY (tenant, scope, num, memory_id, start, stop)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_of ON evidence (tenant, memory_id);

-- What was used of a daily allowance: facts learned from a user's words, tokens of a model. `owner` is a user id, or
-- empty for the tenant; `day` is that of UTC, as text.
CREATE TABLE tallies (
  tenant TEXT NOT NULL,
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  day TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, kind, owner, day)
) STRICT, WITHOUT ROWID;

-- Somebody in somebody's life.
CREATE TABLE persons (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  merged_into TEXT,
  checksum INTEGER,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX persons_created_by ON persons (tenant, created_by) WHERE created_by IS NOT NULL;

-- How often what a scope says of a person has changed; in scope 0, where the person takes part. For caches.
CREATE TABLE person_revs (
  tenant TEXT NOT NULL,
  person_id TEXT NOT NULL,
  scope INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  PRIMARY KEY (tenant, person_id, scope)
) STRICT, WITHOUT ROWID;

-- Names by which a person is found, the own name included (`is_name`); `norm` is how names are compared.
CREATE TABLE aliases (
  tenant TEXT NOT NULL,
  norm TEXT NOT NULL,
  person_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_name INTEGER NOT NULL,
  value TEXT NOT NULL,
  added_by TEXT,
  checksum INTEGER,
  PRIMARY KEY (tenant, person_id, position),
  FOREIGN KEY (tenant, person_id) REFERENCES persons (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX aliases_norm ON aliases (tenant, norm, person_id);
CREATE INDEX aliases_added_by ON aliases (tenant, added_by) WHERE added_by IS NOT NULL;

-- What a person is to another, as a user said it.
CREATE TABLE relationships (
  tenant TEXT NOT NULL,
  person_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  relationship TEXT NOT NULL,
  stated_by TEXT,
  other_person_id TEXT,
  checksum INTEGER,
  PRIMARY KEY (tenant, person_id, position),
  FOREIGN KEY (tenant, person_id) REFERENCES persons (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX relationships_stated ON relationships (tenant, stated_by, relationship) WHERE stated_by IS NOT NULL;

-- Provider identities and the persons they are.
CREATE TABLE users (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  username TEXT,
  display_name TEXT,
  PRIMARY KEY (tenant, user_id),
  FOREIGN KEY (tenant, person_id) REFERENCES persons (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX users_person ON users (tenant, person_id);

-- Merges that can be taken back: what both persons were, and what was moved, as JSON. Erasing a person removes its rows.
CREATE TABLE merges (
  tenant TEXT NOT NULL,
  secondary_id TEXT NOT NULL,
  primary_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (tenant, secondary_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX merges_primary ON merges (tenant, primary_id, at);

-- Two persons who may be one, for a user to decide; `decision` is NULL until then. `one` is the lesser id.
CREATE TABLE reviews (
  tenant TEXT NOT NULL,
  asker TEXT NOT NULL,
  one TEXT NOT NULL,
  other TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  decision TEXT,
  PRIMARY KEY (tenant, asker, one, other)
) STRICT, WITHOUT ROWID;

-- What applications address a user by: one value a field, of goals several. `memory_id` is where it came from.
CREATE TABLE profiles (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  memory_id TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id, field, value)
) STRICT, WITHOUT ROWID;

-- Changes of a profile that wait for a yes, and what was answered. `asked_in` is the chat whose context asked last.
CREATE TABLE proposals (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  field TEXT NOT NULL,
  old TEXT,
  new TEXT NOT NULL,
  evidence TEXT,
  message_id TEXT,
  signals INTEGER NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  asked_in TEXT,
  decided_at INTEGER,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposals_of ON proposals (tenant, user_id, at, id);
CREATE INDEX proposals_by_time ON proposals (tenant, at, id);

-- Pairs of memories that a judge has looked at, by fingerprint: none is judged again for two weeks.
CREATE TABLE pair_checks (
  tenant TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  scope INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX pair_checks_of ON pair_checks (tenant, scope, at);

CREATE TABLE chats (
  tenant TEXT NOT NULL,
  chat TEXT NOT NULL,
  chat_type TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (tenant, chat)
) STRICT, WITHOUT ROWID;

-- Work outside the hot path, written in the transaction that causes it; what is done has no row. `run` is empty while a
-- job waits; the first claim names it, and whoever takes over keeps the name. `due_at` is when it may be claimed: while a
-- worker has it, the end of the lease. References and codes only, never text.
CREATE TABLE jobs (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  run TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  crashes INTEGER NOT NULL DEFAULT 0,
  lease TEXT NOT NULL,
  error TEXT,
  payload TEXT NOT NULL,
  PRIMARY KEY (tenant, name, key, run)
) STRICT, WITHOUT ROWID;

-- The same work is done by one worker at a time.
CREATE UNIQUE INDEX jobs_begun ON jobs (tenant, name, key) WHERE state = 'begun';
CREATE INDEX jobs_due ON jobs (tenant, due_at) WHERE state <> 'dead';

-- How far schedules have come.
CREATE TABLE watermarks (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- Fingerprints of what an erasure has removed, until it is proved that they stand in no file. `key` is that of its job.
-- `tag` is of the last bytes; `is_reply` is 1 for what was said to the user.
CREATE TABLE fingerprints (
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  tag INTEGER NOT NULL,
  length INTEGER NOT NULL,
  way TEXT NOT NULL,
  is_reply INTEGER NOT NULL,
  PRIMARY KEY (tenant, key, digest)
) STRICT, WITHOUT ROWID;

-- Rights of programs to call the server. A key itself is nowhere; `hash` is of its secret part.
CREATE TABLE api_keys (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Answers to writes that came with an idempotency key, stored with the write and kept for a day. `user_id` is whose words
-- may stand in `body`: erasing a user removes the row.
CREATE TABLE answers (
  tenant TEXT NOT NULL,
  caller TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  at INTEGER NOT NULL,
  request TEXT NOT NULL,
  user_id TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, caller, idempotency_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answers_by_time ON answers (tenant, at);

-- Lines of work of a user, each with the count of changes it could be told of and of its turns.
CREATE TABLE threads (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  thread TEXT NOT NULL,
  persona TEXT,
  rev INTEGER NOT NULL DEFAULT 0,
  turns INTEGER NOT NULL DEFAULT 0,
  active_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id, thread)
) STRICT, WITHOUT ROWID;

CREATE INDEX threads_active ON threads (tenant, user_id, active_at);
CREATE INDEX threads_named ON threads (tenant, thread, user_id);

-- What changed for a thread, numbered without gaps. `turn` is the thread's turn at which it did; `meta` has codes only.
CREATE TABLE change_log (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  thread TEXT NOT NULL,
  rev INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  at INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  event TEXT NOT NULL,
  meta TEXT NOT NULL,
  PRIMARY KEY (tenant, user_id, thread, rev)
) STRICT, WITHOUT ROWID;

CREATE INDEX change_log_turns ON change_log (tenant, user_id, thread, turn);

-- How far each agent of a thread was told: the last revision, and how many changes it was shown.
CREATE TABLE thread_readers (
  tenant TEXT NOT NULL,
  user_id TEXT NOT NULL,
  thread TEXT NOT NULL,
  agent TEXT NOT NULL,
  rev INTEGER NOT NULL,
  given INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id, thread, agent)
) STRICT, WITHOUT ROWID;

-- Conversations of a user and a persona (empty: none), or of a group, whose owner is `chat:` and its id.
CREATE TABLE sessions (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  persona TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL,
  ended_at INTEGER,
  turn_count INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, persona, number),
  UNIQUE (tenant, id)
) STRICT, WITHOUT ROWID;

-- What lasts from session to session; the newest row of `rolling_summaries` belongs to it.
CREATE TABLE session_states (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  persona TEXT NOT NULL,
  message_count INTEGER NOT NULL,
  last_interaction INTEGER NOT NULL,
  last_user_message TEXT NOT NULL,
  curator TEXT NOT NULL DEFAULT '{}',
  last_rolling_attempt_at INTEGER,
  last_rolling_success_at INTEGER,
  last_rolling_error TEXT,
  checksum INTEGER,
  PRIMARY KEY (tenant, owner, persona)
) STRICT, WITHOUT ROWID;

-- Every version of the rolling summary.
CREATE TABLE rolling_summaries (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  persona TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  content TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, owner, persona, version)
) STRICT, WITHOUT ROWID;

-- What a session was about; `error` says why there is none yet.
CREATE TABLE session_summaries (
  tenant TEXT NOT NULL,
  session_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  persona TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  error TEXT,
  checksum INTEGER,
  PRIMARY KEY (tenant, session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_summaries_of ON session_summaries (tenant, owner, persona, at);

-- The long-term summary of a user, every version. `content` names the memories its lines rest on.
CREATE TABLE spines (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  total INTEGER NOT NULL,
  content TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (tenant, owner, version)
) STRICT, WITHOUT ROWID;

-- What a user means to do, with one persona.
CREATE TABLE todos (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  persona TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  text TEXT NOT NULL,
  status TEXT NOT NULL,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER,
  mention_count INTEGER NOT NULL,
  session_id TEXT,
  checksum INTEGER,
  PRIMARY KEY (tenant, owner, persona, number),
  UNIQUE (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX todos_open ON todos (tenant, owner, persona, kind, key) WHERE status = 'PENDING';
CREATE INDEX todos_done ON todos (tenant, owner, persona, completed_at) WHERE completed_at IS NOT NULL;

-- Each time a todo was done.
CREATE TABLE wins (
  tenant TEXT NOT NULL,
  todo_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant, todo_id, at)
) STRICT, WITHOUT ROWID;

-- The latest state of a supervisor's thread. `version` counts up by one with every save, so that nobody overwrites what
-- they have not read.
CREATE TABLE supervisor_checkpoints (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  checkpoint_data JSON NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id, thread_id),
  UNIQUE (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX supervisor_checkpoints_latest ON supervisor_checkpoints (tenant, updated_at DESC);

-- Graphs: each step of a thread, what tasks wrote after it, and items that outlive threads. Values are tagged JSON.
CREATE TABLE graph_steps (
  tenant TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  ns TEXT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  parent_id TEXT,
  run_id TEXT,
  body TEXT NOT NULL,
  metadata TEXT NOT NULL,
  PRIMARY KEY (tenant, thread_id, ns, checkpoint_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX graph_steps_of_run ON graph_steps (tenant, run_id) WHERE run_id IS NOT NULL;

CREATE TABLE graph_writes (
  tenant TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  ns TEXT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  idx INTEGER NOT NULL,
  channel TEXT NOT NULL,
  task_path TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (tenant, thread_id, ns, checkpoint_id, task_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE graph_items (
  tenant TEXT NOT NULL,
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, namespace, key)
) STRICT, WITHOUT ROWID;

-- How far each webhook has been told of each chain of the ledger.
CREATE TABLE webhook_marks (
  tenant TEXT NOT NULL,
  hook TEXT NOT NULL,
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (tenant, hook, scope)
) STRICT, WITHOUT ROWID;

-- only: postgres
-- What SQLite has and PostgreSQL has to be given: the items of a JSON array of texts or numbers.
-- STRICT, so that the planner does not look inside and take every list for a hundred items: most have two or three, and
-- what it takes to judge a memory must not seem more than to read a whole tenant.
CREATE FUNCTION json_each(list TEXT) RETURNS TABLE (value TEXT) LANGUAGE sql IMMUTABLE STRICT ROWS 2
AS 'SELECT json_array_elements_text(list::json)';

-- Which tenants a database role sees. The role that owns the tables sees all of them, and so does every role that it was
-- granted to; anybody else sees these and no others. No setting that a client can change has a say in it.
CREATE TABLE tenant_roles (
  tenant TEXT NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (tenant, role)
) STRICT, WITHOUT ROWID;

CREATE INDEX tenant_roles_of ON tenant_roles (role);

-- What the row policies ask: the tenants of the role that asks. Every change of `tenant_roles` writes the function anew, with
-- the rows in its body, so that it asks no table and says the same on every worker of a cluster. All names in it are
-- qualified: a search_path of the caller's own changes nothing.
CREATE FUNCTION settle_tenant_roles() RETURNS TRIGGER LANGUAGE plpgsql AS $settle$
DECLARE said TEXT;
BEGIN
  IF TG_WHEN = 'BEFORE' THEN
    -- One at a time, so that none is written from rows that somebody else is changing.
    PERFORM pg_catalog.pg_advisory_xact_lock(7234911066045114208);
    RETURN NULL;
  END IF;
  EXECUTE pg_catalog.format(
    'SELECT COALESCE(pg_catalog.jsonb_object_agg(r.role, r.tenants), ''{}'')::pg_catalog.text FROM '
    '(SELECT role, pg_catalog.jsonb_agg(tenant ORDER BY tenant) AS tenants FROM %I.%I GROUP BY role) AS r',
    TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO said;
  EXECUTE pg_catalog.format(
    'CREATE OR REPLACE FUNCTION %I.tenants_of_role() RETURNS TEXT[] LANGUAGE sql STABLE PARALLEL SAFE AS %L',
    TG_TABLE_SCHEMA, pg_catalog.format(
      'SELECT ARRAY(SELECT t FROM pg_catalog.jsonb_array_elements_text('
      '%L::pg_catalog.jsonb OPERATOR(pg_catalog.->) (current_user::pg_catalog.text)) AS t)', said));
  RETURN NULL;
END $settle$;

CREATE TRIGGER tenant_roles_change BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON tenant_roles
FOR EACH STATEMENT EXECUTE FUNCTION settle_tenant_roles();
CREATE TRIGGER tenant_roles_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tenant_roles
FOR EACH STATEMENT EXECUTE FUNCTION settle_tenant_roles();
-- end

-- only: sqlite
-- How many rows share the first columns of each index, told once: without it SQLite takes `tenant = ?` for a handful of
-- rows and reads everybody's to find somebody's. Told, not measured, so that a plan never depends on what a store holds.
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('edges', 'edges', '1000000 1000000 250000 3 1'),
  ('edges', 'edges_back', '1000000 1000000 250000 20 1'),
  ('memories', 'memories', '100000 100000 100 1'),
  ('memories', 'sqlite_autoindex_memories_2', '100000 100000 1'),
  ('memories', 'memories_live_key', '100000 100000 100 10 1'),
  ('memories', 'memories_slot', '100000 100000 100 2 1'),
  ('memories', 'memories_live', '100000 100000 100 30 1'),
  ('memories', 'memories_changed', '100000 100000 100 2'),
  ('memories', 'memories_dying', '10000 10000 2'),
  ('memories', 'memories_purge', '1000 1000 2'),
  ('memories', 'memories_superseded', '1000 1000 2'),
  ('memories', 'memories_pinned', '1000 1000 2 1'),
  ('memories', 'memories_category', '100000 100000 100 10'),
  ('memories', 'memories_gone', '20000 20000 20 1'),
  ('memories', 'memories_confidential', '1000 1000 20 5'),
  ('memories', 'memories_embedded', '100000 100000 50000'),
  ('versions', 'versions', '100000 100000 100 1 1'),
  ('subjects', 'subjects', '100000 100000 100 10 1'),
  ('subjects', 'subjects_person', '100000 100000 100 50 50 10 1'),
  ('subjects', 'subjects_hearsay', '10000 10000 10 2 1'),
  ('postings', 'postings', '1000000 1000000 1000 5 1'),
  ('postings', 'postings_of', '1000000 1000000 1000 10'),
  ('vectors', 'vectors', '100000 100000 100 1 1'),
  ('vectors', 'vectors_changed', '100000 100000 100 2'),
  ('entity_refs', 'entity_refs', '100000 100000 100 5 1'),
  ('entity_refs', 'entity_refs_of', '100000 100000 100 1'),
  ('ledger', 'ledger', '200000 200000 200 1'),
  ('ledger', 'ledger_of_memory', '200000 200000 2 1'),
  ('ledger', 'ledger_by_time', '200000 200000 2'),
  ('pair_checks', 'pair_checks', '10000 10000 1'),
  ('pair_checks', 'pair_checks_of', '10000 10000 50 1'),
  ('proposals', 'proposals', '10000 10000 1'),
  ('proposals', 'proposals_of', '10000 10000 10 1 1'),
  ('proposals', 'proposals_by_time', '10000 10000 1 1'),
  ('messages', 'messages', '100000 100000 500 1'),
  ('messages', 'messages_id', '100000 100000 500 1 1 1'),
  ('messages', 'messages_changed', '100000 100000 500 2'),
  ('messages', 'messages_waiting', '1000 1000 20 1'),
  ('messages', 'messages_session', '100000 100000 500 20 1'),
  ('messages', 'messages_time', '100000 100000 500 1'),
  ('messages', 'messages_embedded', '100000 100000 50000'),
  ('messages', 'messages_user', '100000 100000 500'),
  ('audiences', 'audiences', '10000 10000 20 3 1'),
  ('audiences', 'audiences_person', '10000 10000 10 2'),
  ('evidence', 'evidence', '100000 100000 100 2 1 1 1'),
  ('evidence', 'evidence_of', '100000 100000 2'),
  ('persons', 'persons', '10000 10000 1'),
  ('persons', 'persons_created_by', '10000 10000 10'),
  ('users', 'users', '1000 1000 1'),
  ('users', 'users_person', '1000 1000 1'),
  ('aliases', 'aliases', '20000 20000 2 1'),
  ('aliases', 'aliases_norm', '20000 20000 2 1'),
  ('aliases', 'aliases_added_by', '20000 20000 20'),
  ('relationships', 'relationships', '10000 10000 1 1'),
  ('relationships', 'relationships_stated', '10000 10000 10 2'),
  ('jobs', 'jobs', '1000 1000 200 1 1'),
  ('jobs', 'jobs_begun', '10 10 2 1'),
  ('jobs', 'jobs_due', '1000 1000 2'),
  ('sessions', 'sessions', '50000 50000 50 25 1'),
  ('sessions', 'sqlite_autoindex_sessions_2', '50000 50000 1'),
  ('session_states', 'session_states', '2000 2000 2 1'),
  ('rolling_summaries', 'rolling_summaries', '50000 50000 50 25 1'),
  ('session_summaries', 'session_summaries', '50000 50000 1'),
  ('session_summaries', 'session_summaries_of', '50000 50000 50 25 1'),
  ('spines', 'spines', '10000 10000 10 1'),
  ('todos', 'todos', '50000 50000 50 25 1'),
  ('todos', 'sqlite_autoindex_todos_2', '50000 50000 1'),
  ('todos', 'todos_open', '10000 10000 10 5 2 1'),
  ('todos', 'todos_done', '20000 20000 20 10 1'),
  ('wins', 'wins', '20000 20000 2 1'),
  ('threads', 'threads', '10000 10000 5 1'),
  ('threads', 'threads_active', '10000 10000 5 1'),
  ('threads', 'threads_named', '10000 10000 2 1'),
  ('change_log', 'change_log', '500000 500000 500 100 1'),
  ('change_log', 'change_log_turns', '500000 500000 500 100 2'),
  ('thread_readers', 'thread_readers', '20000 20000 10 2 1'),
  ('supervisor_checkpoints', 'supervisor_checkpoints', '100000 100000 10 1'),
  ('supervisor_checkpoints', 'supervisor_checkpoints_latest', '100000 100000 2'),
  ('scopes', 'scopes', '1000 1000 1'),
  ('scopes', 'sqlite_autoindex_scopes_2', '1000 1000 500 1');
ANALYZE sqlite_schema;
-- end
