// Made by scripts/typescript.py from the description of the API. Do not edit.

/** How many were archived, in all and by reason. */
export interface Archived {
  archived: number;
  reasons: { [name: string]: number };
}

/** One line of an answer; the rest only when everything is asked for. */
export interface Bullet {
  id: string;
  category: string;
  text: string;
  score?: number | null;
  why?: Array<string>;
  about?: Array<string>;
  said_by?: string | null;
  metadata?: Memory | null;
}

/** Everything that is held about a user; `text` is the same as a document. */
export interface Bundle {
  tenant: string;
  user: string;
  at: string;
  sections: { [name: string]: Array<{ [name: string]: unknown }> };
  text: string;
}

/** What else is known of one entity. */
export interface Card {
  ref: string;
  facts: Array<string>;
}

/** What was erased, and what was looked for and found afterwards. It names the user by a digest only. */
export interface Certificate {
  tenant: string;
  user: string;
  at: string;
  status: "complete" | "incomplete";
  mentions: boolean;
  counts: { [name: string]: number };
  sentences: number;
  found: number;
  files: number;
  bytes: number;
  not_covered: Array<string>;
  hash: string;
}

/** A supervisor's state as it is loaded; save the next one with `version=` this one. */
export interface Checkpoint {
  id: string;
  user_id: string;
  thread_id: string;
  data: { [name: string]: unknown };
  version: number;
  created_at: string;
  updated_at: string;
}

/** The state of a thread without its data. */
export interface CheckpointHead {
  id: string;
  user_id: string;
  thread_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** The block for a system prompt, and its sections by name; `str()` is its text. */
export interface Context {
  text: string;
  verdict: string;
  tokens: number;
  sections: Array<Section>;
  memory_ids: Array<string>;
}

/** A chat on a day (UTC), with whom, and what came of it. */
export interface ConversationShown {
  user: string | null;
  chat: string | null;
  chat_type: string;
  persona: string | null;
  session: string | null;
  day: string;
  people: Array<string>;
  messages: number;
  waiting: number;
  first_at: string;
  last_at: string;
  learned: number;
}

/** How often something was done on a day. */
export interface DayCount {
  day: string;
  node: string;
  op: string;
  times: number;
}

/** What was found, and what was done about it. */
export interface Diagnosis {
  findings: Array<Finding>;
  counts: { [name: string]: number };
  fixed: number;
  sealed: Array<Finding>;
  dead_letters: number;
  is_well: boolean;
}

/** Two people who may be one, and why it is asked. */
export interface Doubt {
  one: Person;
  other: Person;
  reason: string;
}

/** One decision, in the names of the `events` view. */
export interface Event {
  id: string;
  user_id: string | null;
  thread_id: string | null;
  node: string;
  op: string;
  status: string;
  memory_id: string | null;
  category: string | null;
  sim: number | null;
  ts: string;
  reason: string | null;
  space: string;
  owner: string;
}

/** A fact of a batch, as `remember` takes it. */
export interface Fact {
  content: string;
  about?: string | Array<string>;
  subjects?: string | Array<string>;
  expires_in_days?: number | null;
  shared?: boolean;
}

/** What narrows a list or a search. */
export interface Filters {
  user_id?: string | null;
  agent_id?: string | null;
  run_id?: string | null;
  actor_id?: string | null;
  entity?: string | null;
  learned_in?: string | null;
  role?: "user" | "assistant" | "tool" | "system" | null;
  pinned?: boolean | null;
  importance_min?: number | null;
  importance_max?: number | null;
  updated_after?: string | null;
  updated_before?: string | null;
  category?: string | Array<string> | null;
  type?: "preference" | "identity" | "relationship" | "knowledge" | "insight" | "procedural" | "context" | "event" | "task" | "observation" | Array<"preference" | "identity" | "relationship" | "knowledge" | "insight" | "procedural" | "context" | "event" | "task" | "observation"> | null;
  sensitivity?: "public" | "personal" | "sensitive" | null;
}

/** One thing that is wrong. Ids and codes only. */
export interface Finding {
  check: string;
  code: string;
  id: string;
  can_fix: boolean;
}

/** What became of a person for the asker. */
export interface Forgotten {
  person_id: string;
  name: string;
  archived: number;
  kept: number;
  is_record_deleted: boolean;
}

/** A session with traces, in numbers. */
export interface GovernedSession {
  session: string;
  events: number;
  phases: number;
  last_at: string | null;
}

/** A memory with every text it had and everything that was done to it, newest first. */
export interface History {
  memory: Memory;
  events: Array<HistoryEvent>;
  versions: Array<Version>;
}

/** One change of a memory: what happened, by whom, when, by which rule, from which version to which. */
export interface HistoryEvent {
  id: string;
  memory_id: string;
  event: string;
  old_ref: string | null;
  new_ref: string | null;
  actor: string | null;
  meta: { [name: string]: unknown };
  ts: string;
}

/** A memory or a message that was found, with what tells it apart. */
export interface Hit {
  id: string;
  source: "memory" | "message";
  text: string;
  score: number;
  why: Array<string>;
  about: Array<string>;
  stated_by: string | null;
  at: string | null;
  parts: { [name: string]: number };
  arms: { [name: string]: number };
  related: Array<string>;
  quote?: string | null;
  message_ids?: Array<string>;
  type?: "preference" | "identity" | "relationship" | "knowledge" | "insight" | "procedural" | "context" | "event" | "task" | "observation" | null;
  trust?: "fact" | "hearsay" | "unknown" | null;
  created_at?: string | null;
  role?: "user" | "assistant" | "tool" | "system" | null;
  chat_id?: string | null;
  session_id?: string | null;
}

/** Why one memory was recalled, and why it stands where it does. */
export interface HitWhy {
  id: string;
  rank: number;
  score: number;
  found_by: { [name: string]: number };
  parts: { [name: string]: number };
  reasons: Array<string>;
  rule: string;
}

/** A job as it is stored. What `claim` gave is the right to finish it, until somebody else takes over. */
export interface Job {
  tenant: string;
  name: string;
  key: string;
  payload: { [name: string]: unknown };
  state: "queued" | "begun" | "dead";
  due_at: string;
  attempts: number;
  crashes: number;
  run: string;
  lease: string;
  error: string | null;
}

/** What became of one claimed job. */
export interface JobDone {
  job: string;
  tenant: string;
  key: string;
  status: "ok" | "skipped" | "denied" | "error" | "retry" | "dead" | "lost";
  counts: { [name: string]: number };
  error: string | null;
}

/** Jobs that wait or run, and those that were given up. */
export interface Jobs {
  pending: Array<Job>;
  dead: Array<Job>;
}

/** A key or token of a program, without its secret. */
export interface Key {
  tenant: string;
  id: string;
  name: string;
  scopes: Array<string>;
  created_at: string;
  revoked_at: string | null;
  expires_at: string | null;
}

/** A memory that rests on a message; `start` and `stop` are the characters, both 0 for the whole message. */
export interface Learned {
  memory_id: string;
  content: string;
  type: string;
  sensitivity: "public" | "personal" | "sensitive" | null;
  state: "active" | "superseded" | "archived" | "soft_deleted";
  start: number;
  stop: number;
}

/** A memory that was not shown, and the rule that hid it. For operators only. */
export interface LeftOut {
  id: string;
  rule: string;
  space: "session" | "user" | "chat" | "project" | "system";
  owner: string;
}

/** One fact in one or two sentences, with its metadata. Times are aware and in UTC. */
export interface Memory {
  id: string;
  tenant: string;
  version: number;
  content: string;
  quote: string | null;
  language: string | null;
  type: "preference" | "identity" | "relationship" | "knowledge" | "insight" | "procedural" | "context" | "event" | "task" | "observation";
  kind: "short_term" | "semantic" | "episodic" | "profile" | "procedural" | "insight";
  event_type: "preference" | "decision" | "fact" | "correction" | "execution" | "context";
  category: string;
  tags: Array<string>;
  steps: Array<string>;
  space: "session" | "user" | "chat" | "project" | "system";
  owner: string;
  persona_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  actor_id: string | null;
  role: string | null;
  subject_person_ids: Array<string>;
  stated_by: string | null;
  learned_in: string | null;
  source: "user" | "ai" | "tool" | "system";
  origin: "explicit" | "shadow_extraction" | "seeded_profile" | "curated_fold" | "consolidation" | "import" | "promotion" | "theory_of_mind";
  source_username: string | null;
  source_display_name: string | null;
  source_session_id: string | null;
  source_message_id: string | null;
  entity_refs: Array<string>;
  entity_label: string | null;
  subtype: Subtype;
  memory_key: string;
  fact_key: string | null;
  sensitivity: "public" | "personal" | "sensitive" | null;
  portable: boolean;
  confidential: boolean;
  importance: number;
  pinned: boolean;
  confidence: number;
  authority: "ai_inferred" | "user_asserted" | "tool_verified" | "system_imposed";
  authority_reason: string;
  mention_count: number;
  access_count: number;
  state: "active" | "superseded" | "archived" | "soft_deleted";
  archive_reason: string | null;
  created_at: string;
  observed_at: string;
  updated_at: string;
  last_accessed_at: string | null;
  event_at: string | null;
  expires_at: string | null;
  purge_at: string | null;
  valid_from: string | null;
  valid_to: string | null;
  superseded_at: string | null;
  superseded_by: string | null;
  tick: number | null;
  phase_id: string | null;
  meta: { [name: string]: unknown };
  owner_user_id: string | null;
  chat_id: string | null;
  trust: "fact" | "hearsay" | "unknown";
  ends_at: string | null;
}

/** Why a memory is known, and why this viewpoint sees it. */
export interface MemoryWhy {
  id: string;
  content: string;
  is_shown: boolean;
  rule: string;
  state: "active" | "superseded" | "archived" | "soft_deleted";
  archive_reason?: string | null;
  trust: string;
  said_by?: string | null;
  about: Array<string>;
  said_at: string;
  learned_in?: string | null;
  source: string;
  origin: string;
  authority: string;
  authority_reason: string;
  sensitivity?: string | null;
  importance: number;
  importance_effective: number;
  mention_count: number;
  access_count: number;
  ends_at?: string | null;
  supersedes: Array<string>;
  superseded_by?: string | null;
}

/** Who was made one with a person, and which of the memories shown a split gives back to them. */
export interface MergedPart {
  id: string;
  name: string;
  relation: string | null;
  memory_ids: Array<string>;
}

/** Who stayed, and the id by which a split takes it back. */
export interface MergedPerson {
  id: string;
  name: string;
  relation: string | null;
  aliases: Array<string>;
  relations: Array<Tie>;
  merged: string;
}

/** A message as `observe` takes it. */
export interface Message {
  content: string;
  role?: "user" | "assistant" | "tool" | "system";
  speaker?: string | null;
  at?: string | null;
  id?: string | null;
  session?: string | null;
}

/** What the judge makes of a message; without sentences where the judge gives no probabilities. */
export interface MessageReading {
  message_id: string;
  judge: string;
  keep_from: number | null;
  sentences: Array<SentenceRead>;
}

/** A message that may be read, with what was learned from it. */
export interface MessageShown {
  id: string;
  role: string;
  speaker: string | null;
  content: string;
  at: string | null;
  chat: string | null;
  persona: string | null;
  session: string | null;
  learned: Array<Learned>;
}

/** A key or token of a program, without its secret. */
export interface NewKey {
  tenant: string;
  id: string;
  name: string;
  scopes: Array<string>;
  created_at: string;
  revoked_at: string | null;
  expires_at: string | null;
  key: string;
}

/** A context token, and the viewpoint it stands for. */
export interface NewToken {
  token: string;
  id: string;
  viewpoint: { [name: string]: unknown };
  expires_at: string;
}

/** Ids of the messages that were new, and what was learned, when it was waited for. */
export interface Observed {
  messages: Array<string>;
  outcomes: Array<Outcome>;
}

/** What became of one write. */
export interface Outcome {
  outcome: "created" | "updated" | "merged" | "superseded_old" | "duplicate" | "queued_for_consent" | "denied";
  id: string | null;
  reason: string | null;
  replaced: string | null;
  others?: Array<Outcome>;
}

/** A scope's chain of ledger rows, by its length. */
export interface Owner {
  space: "session" | "user" | "chat" | "project" | "system";
  owner: string;
  length: number;
}

/** Somebody the asker knows, as the asker may see them. */
export interface Person {
  id: string;
  name: string;
  relation: string | null;
  aliases: Array<string>;
  relations: Array<Tie>;
}

/** One person with their memories, and who was made one with them. */
export interface PersonShown {
  id: string;
  name: string;
  relation: string | null;
  aliases: Array<string>;
  relations: Array<Tie>;
  memories: Array<Record>;
  merged: Array<MergedPart>;
}

/** A phase of a governed session. */
export interface Phase {
  phase_id: string;
  phase_name: string | null;
  phase_started_at: number;
  phase_reason: string;
}

/** What would become of one fact of the text. */
export interface Previewed {
  outcome: "created" | "updated" | "merged" | "superseded_old" | "duplicate" | "queued_for_consent" | "denied";
  reason: string | null;
  content: string | null;
  type: string | null;
  sensitivity: "public" | "personal" | "sensitive" | null;
  replaced: string | null;
  replaced_content: string | null;
}

/** What is wrong, with a stable code and what to do. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
}

/** A change of a profile that somebody has to agree to. */
export interface Proposal {
  id: string;
  tenant: string;
  user_id: string;
  field: "preferred_name" | "pronouns" | "city" | "language" | "tone" | "goals";
  old?: string | null;
  new: string;
  evidence?: string | null;
  message_id?: string | null;
  signals: number;
  state: "pending" | "approved" | "rejected" | "expired";
  at: string;
  asked_in?: string | null;
  decided_at?: string | null;
}

/** How many memories were indexed and embedded. */
export interface Rebuilt {
  indexed: number;
  embedded: number;
}

/** What was found, best first; delta, cards, notices and reasons only where there are any. */
export interface Recall {
  hits: Array<Hit>;
  verdict: "found" | "nothing" | "below_threshold";
  delta?: Array<string>;
  cards?: Array<Card>;
  notices?: Array<string>;
  why?: RecallWhy | null;
}

/** Why a recall answered as it did. */
export interface RecallWhy {
  query: string;
  verdict: string;
  hits: Array<HitWhy>;
  left_out?: Array<LeftOut> | null;
}

/** A memory; `about` and `said_by` are names for the asker. */
export interface Record {
  id: string;
  tenant: string;
  version: number;
  content: string;
  quote: string | null;
  language: string | null;
  type: "preference" | "identity" | "relationship" | "knowledge" | "insight" | "procedural" | "context" | "event" | "task" | "observation";
  kind: "short_term" | "semantic" | "episodic" | "profile" | "procedural" | "insight";
  event_type: "preference" | "decision" | "fact" | "correction" | "execution" | "context";
  category: string;
  tags: Array<string>;
  steps: Array<string>;
  space: "session" | "user" | "chat" | "project" | "system";
  owner: string;
  persona_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  actor_id: string | null;
  role: string | null;
  subject_person_ids: Array<string>;
  stated_by: string | null;
  learned_in: string | null;
  source: "user" | "ai" | "tool" | "system";
  origin: "explicit" | "shadow_extraction" | "seeded_profile" | "curated_fold" | "consolidation" | "import" | "promotion" | "theory_of_mind";
  source_username: string | null;
  source_display_name: string | null;
  source_session_id: string | null;
  source_message_id: string | null;
  entity_refs: Array<string>;
  entity_label: string | null;
  subtype: Subtype;
  memory_key: string;
  fact_key: string | null;
  sensitivity: "public" | "personal" | "sensitive" | null;
  portable: boolean;
  confidential: boolean;
  importance: number;
  pinned: boolean;
  confidence: number;
  authority: "ai_inferred" | "user_asserted" | "tool_verified" | "system_imposed";
  authority_reason: string;
  mention_count: number;
  access_count: number;
  state: "active" | "superseded" | "archived" | "soft_deleted";
  archive_reason: string | null;
  created_at: string;
  observed_at: string;
  updated_at: string;
  last_accessed_at: string | null;
  event_at: string | null;
  expires_at: string | null;
  purge_at: string | null;
  valid_from: string | null;
  valid_to: string | null;
  superseded_at: string | null;
  superseded_by: string | null;
  tick: number | null;
  phase_id: string | null;
  meta: { [name: string]: unknown };
  about: Array<string>;
  said_by: string | null;
  is_expired: boolean;
  owner_user_id: string | null;
  chat_id: string | null;
  trust: "fact" | "hearsay" | "unknown";
  ends_at: string | null;
}

/** What was said back, and what it did or rests on. */
export interface Reply {
  reply: string;
  outcomes: Array<Outcome>;
  memory_ids: Array<string>;
}

/** How many jobs were queued again. */
export interface Retried {
  retried: number;
}

/** What was answered, if anything was, and what waits. */
export interface Reviewed {
  same: MergedPerson | null;
  different: Array<Person>;
  waiting: Array<Doubt>;
}

/** One version of the short text about a running conversation. */
export interface RollingSummary {
  version: number;
  at: string;
  message_count: number;
  content: string;
}

/** A named part of the block. */
export interface Section {
  name: string;
  title: string;
  lines: Array<string>;
  keep: number;
}

/** What the reader says of a sentence: each question it answers, with the probability of every answer. */
export interface SentenceRead {
  start: number;
  text: string;
  is_kept: boolean;
  likelihoods: { [name: string]: { [name: string]: number } };
}

/** A conversation from its first message to half an hour of silence. */
export interface Session {
  id: string;
  number: number;
  persona_id: string | null;
  started_at: string;
  last_activity_at: string;
  ended_at: string | null;
  turn_count: number;
}

/** A session with what it was about and what was said in it. */
export interface SessionShown {
  session: Session;
  summary?: SessionSummary | null;
  messages: Array<TranscriptMessage>;
}

/** What a session was about. With an `error` there is none yet. */
export interface SessionSummary {
  session_id: string;
  at: string;
  one_liner: string;
  what_mattered: Array<string>;
  open_loops: Array<string>;
  commitments: Array<string>;
  people: Array<string>;
  tone: string;
  sources: { [name: string]: string };
  error: { [name: string]: string } | null;
}

/** One version of the long-term summary of a user. */
export interface Spine {
  version: number;
  at: string;
  message_count: number;
  total: number;
  content: { [name: string]: Array<SpineLine> };
  conversation_id: string;
}

/** A durable fact, and the memory it rests on. */
export interface SpineLine {
  memory_id: string;
  text: string;
}

/** What lasts from session to session. */
export interface State {
  message_count: number;
  last_interaction?: string | null;
  last_user_message: string;
  curator: { [name: string]: unknown };
  last_rolling_attempt_at?: string | null;
  last_rolling_success_at?: string | null;
  last_rolling_error?: { [name: string]: string } | null;
  rolling_summary: string;
}

/** Memories by type as the asker sees them, and by state in the whole store. */
export interface Stats {
  visible: { [name: string]: number };
  states: { [name: string]: number };
  privacy: { [name: string]: number };
  bytes: { [name: string]: number };
}

/** What the primary entity is, and what is said of it. */
export interface Subtype {
  entityType: "person" | "place" | "org" | "project";
  factType: "fact" | "preference" | "relationship" | "friction" | "habit";
}

/** Bullets, and what changed for the thread that asks. */
export interface ThreadBullets {
  delta: Array<string>;
  bullets: Array<Bullet>;
}

/** What somebody is to a third person, as the asker said it. */
export interface Tie {
  relation: string;
  to: string;
}

/** One intent of a user with one persona. */
export interface Todo {
  id: string;
  tenant: string;
  user_id: string;
  persona_id?: string | null;
  kind: "COMMITMENT" | "HABIT" | "THREAD" | "FRICTION";
  key: string;
  text: string;
  status: "PENDING" | "COMPLETED" | "SKIPPED";
  due_at?: string | null;
  created_at: string;
  updated_at: string;
  completed_at?: string | null;
  mention_count: number;
  session_id?: string | null;
}

/** One event of a governed session as it is kept. */
export interface Trace {
  number: number;
  call: number;
  event: { [name: string]: unknown };
}

/** One message of a conversation: as a judge reads it, and as the transcript keeps it. */
export interface TranscriptMessage {
  id: string | null;
  role: "user" | "assistant" | "tool" | "system";
  content: string;
  speaker: string | null;
  at: string | null;
  tenant: string;
  user_id: string | null;
  persona_id: string | null;
  chat_id: string | null;
  chat_type: "private" | "group";
  session_id: string | null;
  arrived_at: string | null;
  confidential: boolean;
  place: [number, number];
}

/** The context of the reply, and what the message did. */
export interface Turn {
  context: Context;
  session: Session;
  state: State;
  todos: Array<Todo>;
  message_id: string | null;
}

/** An earlier (or the present) text of a memory. */
export interface Version {
  memory_id: string;
  version: number;
  content: string;
  quote: string | null;
  at: string;
}

/** Who speaks or asks, and where. A key or token may settle some of it. */
export interface Viewpoint {
  tenant?: string | null;
  user?: string | null;
  chat?: string | null;
  chat_type?: "private" | "group" | null;
  participants?: Array<string> | null;
  persona?: string | null;
  agent?: string | null;
  thread?: string | null;
  session?: string | null;
  project?: string | null;
  run?: string | null;
  username?: string | null;
  display_name?: string | null;
}

/** Every operation of the server. */
export interface Verbs {
  /** Remember what you are told: one text, or a batch of up to 20 facts. */
  remember(request?: { facts?: string | Array<string | Fact> | null; about?: Array<string> | null; expires_in_days?: number | null; shared?: boolean | null; only_persona?: boolean | null; procedure?: string | Array<string> | boolean | null; }): Promise<Outcome | Array<Outcome>>;
  /** Store a text exactly as it is given. */
  add(request: { content: string; type?: "auto" | "preference" | "identity" | "relationship" | "knowledge" | "insight" | "procedural" | "context" | "event" | "task" | "observation" | null; about?: Array<string> | null; sensitivity?: "public" | "personal" | "sensitive" | null; expires?: string | number | null; shared?: boolean | null; source?: "user" | "ai" | "tool" | "system" | null; only_persona?: boolean | null; category?: string | null; }): Promise<Outcome>;
  /** Say what remembering a text would do and what it would replace; nothing is stored. */
  preview(request: { text: string; about?: Array<string> | null; shared?: boolean | null; }): Promise<Array<Previewed>>;
  /** Put messages into the transcript, and learn from them in the background. */
  observe(request: { messages: Array<Message>; extract?: boolean | null; wait?: boolean | null; }): Promise<Observed>;
  /** List where something was said, by chat and day, and how much was learned from it. */
  conversations(request?: { limit?: number; }): Promise<Array<ConversationShown>>;
  /** List what was said in this chat, oldest first, with what was learned from each message. */
  messages(request?: { in_session?: string; since?: string; until?: string; before?: string; limit?: number; }): Promise<Array<MessageShown>>;
  /** Show how the reader judges a message: what is worth keeping, how private, with probabilities. */
  reading(request: { message_id: string; }): Promise<MessageReading>;
  /** Find memories and messages by meaning, words and people, best first. */
  recall(request: { query: string; limit?: number | null; sources?: Array<"memories" | "messages"> | null; include_stale?: boolean | null; filters?: Filters | null; about?: Array<string> | null; as_of?: string | null; now?: string | null; threshold?: number | null; strategy?: "hybrid" | "blended" | "supervisor" | "governed" | null; this_chat?: boolean | null; why?: boolean | null; left_out?: boolean | null; }): Promise<Recall>;
  /** Print the block that an agent would get before it answers. */
  context(request: { query: string; budget_tokens?: number | null; peek?: boolean | null; }): Promise<Context>;
  /** Ask as an agent: bullets of what its allowlist and the filters let through, within a budget. */
  query(request: { query: string; agent?: string | null; categories?: Array<string> | null; filters?: Filters | null; about?: Array<string> | null; top_k?: number | null; threshold?: number | null; returns?: "bullets" | "full" | null; budget_tokens?: number | null; as_of?: string | null; }): Promise<Array<Bullet> | ThreadBullets>;
  /** Take in what a user just said: session, todos, transcript; gives the context of the reply. */
  turn(request: { user_text: string; budget_tokens?: number | null; }): Promise<Turn>;
  /** Take the reply to a turn into the transcript. */
  finishTurn(request: { session_id: string; text: string; }): Promise<string | null>;
  /** List your conversations with this persona, newest first. */
  sessions(request?: { limit?: number; }): Promise<Array<Session>>;
  /** Show one conversation: what it was about and what was said. */
  session(request: { session_id: string; }): Promise<SessionShown>;
  /** Show what lasts from session to session with this persona. */
  state(request?: { [name: string]: never }): Promise<State>;
  /** List every version of the rolling summary with this persona, oldest first. */
  summaries(request?: { [name: string]: never }): Promise<Array<RollingSummary>>;
  /** List the versions of your long-term summary, newest first. */
  spines(request?: { limit?: number; }): Promise<Array<Spine>>;
  /** List what you mean to do, as you told this persona. */
  todos(request?: { status?: "PENDING" | "COMPLETED" | "SKIPPED" | "ALL"; limit?: number; }): Promise<Array<Todo>>;
  /** Mark a todo as done; a habit continues. */
  completeTodo(request: { todo_id: string; }): Promise<Todo>;
  /** Drop a todo that is no longer wanted. */
  dismissTodo(request: { todo_id: string; }): Promise<Todo>;
  /** List memories, newest first: the live ones unless another state is asked for. */
  list(request?: { limit?: number; filters?: Filters; about?: Array<string>; include_expired?: boolean; as_of?: string; before?: string; state?: "active" | "superseded" | "archived" | "soft_deleted"; oldest_first?: boolean; }): Promise<Array<Record>>;
  /** Show one memory with everything that is known of it. */
  show(request: { memory_id: string; }): Promise<Record>;
  /** Show a memory to an operator, whoever it belongs to; its owner's ledger says so. */
  reveal(request: { memory_id: string; }): Promise<Record>;
  /** Take a memory out of recall; it can be restored. */
  forget(request: { memory_id: string; }): Promise<Outcome>;
  /** Bring a memory back, unless a live one holds its place. */
  restore(request: { memory_id: string; }): Promise<Outcome>;
  /** Keep a memory in every context, and never evict it. */
  pin(request: { memory_id: string; }): Promise<Outcome>;
  /** Treat a pinned memory like any other again. */
  unpin(request: { memory_id: string; }): Promise<Outcome>;
  /** Give a memory another text, or say who may hear it; the old text stays in its history. */
  edit(request: { memory_id: string; content?: string | null; sensitivity?: "public" | "personal" | "sensitive" | null; if_version?: number | null; }): Promise<Outcome>;
  /** Tell what was done to a memory: when, by whom and by which rule. */
  history(request: { memory_id: string; }): Promise<History>;
  /** Say why a memory is known and why it is shown here. */
  why(request: { memory_id: string; }): Promise<MemoryWhy>;
  /** Tell something or ask something; without a text, a conversation. */
  chat(request: { text: string; }): Promise<Reply>;
  /** List the people you know. */
  people(request?: { limit?: number; }): Promise<Array<Person>>;
  /** Show one person and what you may see of them. */
  person(request: { reference: string; limit?: number; }): Promise<PersonShown>;
  /** Give a person another name. Only you and the person will see it. */
  aliasPerson(request: { reference: string; alias: string; }): Promise<Person>;
  /** Give a person another name; the earlier one stays as an alias. */
  renamePerson(request: { reference: string; name: string; }): Promise<Person>;
  /** Say what a person is to you, or to somebody else; an empty relation takes it back. */
  relatePerson(request: { reference: string; relation?: string | null; to?: string | null; }): Promise<Person>;
  /** Say that two people are the same person: the first stays, the second becomes part of it. */
  mergePeople(request: { primary: string; secondary: string; }): Promise<MergedPerson>;
  /** Undo a merge: of the person with this id, or the last one into the named person. */
  splitPerson(request: { reference: string; }): Promise<[Person, Person]>;
  /** List pairs that may be one person, or answer one. */
  reviewPeople(request?: { same?: Array<string> | null; different?: Array<string> | null; }): Promise<Reviewed>;
  /** Take everything you keep about a person out of recall; each memory can be restored. */
  forgetPerson(request: { reference: string; delete_record?: boolean; }): Promise<Forgotten>;
  /** Show your profile: what applications may call you and know about you. */
  profile(request?: { [name: string]: never }): Promise<{ [name: string]: string | Array<string> }>;
  /** List the changes to your profile that wait for your consent. */
  consents(request?: { state?: "pending" | "approved" | "rejected" | "expired"; limit?: number; }): Promise<Array<Proposal>>;
  /** Approve a change to your profile. */
  approve(request: { proposal_id: string; }): Promise<Proposal>;
  /** Reject a change to your profile. */
  reject(request: { proposal_id: string; }): Promise<Proposal>;
  /** List the threads that have a checkpoint, the last saved first. */
  checkpoints(request?: { limit?: number; }): Promise<Array<CheckpointHead>>;
  /** Show the latest state of a thread. */
  checkpoint(request: { thread_id: string; }): Promise<Checkpoint>;
  /** Save the state of a thread over the version that was loaded; refused when another was there first. */
  saveCheckpoint(request: { thread_id: string; data: { [name: string]: unknown }; version?: number | null; }): Promise<CheckpointHead>;
  /** Remove the state of a thread. */
  deleteCheckpoint(request: { thread_id: string; }): Promise<CheckpointHead>;
  /** List the governed sessions, the one of the latest decision first. */
  governedSessions(request?: { limit?: number; }): Promise<Array<GovernedSession>>;
  /** List the phases of a governed session, oldest first. */
  phases(request: { session: string; }): Promise<Array<Phase>>;
  /** Start the next phase of a governed session, under its policy. */
  startPhase(request: { session: string; name?: string | null; reason?: string | null; }): Promise<Array<{ [name: string]: unknown }>>;
  /** Show the kept events of a governed session, oldest first. */
  traces(request: { session: string; after?: number; limit?: number; }): Promise<Array<Trace>>;
  /** Say what changed between two phases of a governed session. */
  phaseDiff(request: { session: string; from_phase: string; to_phase: string; space?: "session" | "user" | "project" | "system" | null; project?: string | null; }): Promise<Array<{ [name: string]: unknown }>>;
  /** Run jobs now, all or these: what is queued, and a round through the whole store. */
  runUpkeep(request?: { names?: Array<string> | null; }): Promise<Array<JobDone>>;
  /** List the jobs that wait or run, and those that were given up. */
  jobs(request?: { limit?: number; }): Promise<Jobs>;
  /** Queue the jobs again that were given up. */
  retryJobs(request?: { [name: string]: never }): Promise<Retried>;
  /** Find what is wrong in the store; with fix, repair it. */
  doctor(request?: { checks?: Array<"embed-missing" | "normalize" | "provenance" | "self-facts" | "subjects" | "attribution" | "names" | "reclassify" | "quality" | "duplicates" | "contradictions" | "entities" | "index" | "ledger" | "integrity" | "all"> | null; fix?: boolean | null; }): Promise<Diagnosis>;
  /** Archive what is superseded, expired or past its lifetime. */
  gc(request?: { [name: string]: never }): Promise<Archived>;
  /** Remove what was archived long ago, for good. */
  compact(request?: { after_days?: number | null; }): Promise<{ [name: string]: number }>;
  /** Write everything of the tenant, or what belongs to a user, as lines of JSON. */
  exportUser(request: { user_id: string; }): Promise<Array<{ [name: string]: unknown }>>;
  /** Write everything that is held about a user as a document that a person can read. */
  bundleUser(request: { user_id: string; }): Promise<Bundle>;
  /** Remove everything that a user owns or stated, and prove it. */
  eraseUser(request: { user_id: string; mentions?: boolean; }): Promise<Certificate>;
  /** Rebuild the word index, and make the vectors that are missing. */
  rebuildIndex(request?: { [name: string]: never }): Promise<Rebuilt>;
  /** Count memories: by type as you see them, by state in the whole store. */
  stats(request?: { [name: string]: never }): Promise<Stats>;
  /** Make a key for a program that calls the server. It is shown once. */
  addKey(request: { name: string; scope?: Array<string> | null; expires_in_days?: number | null; }): Promise<NewKey>;
  /** List the keys, revoked ones included. */
  keys(request?: { [name: string]: never }): Promise<Array<Key>>;
  /** Make another key of the same name and scopes, shown once; the old one expires after a grace period. */
  rotateKey(request: { key_id: string; grace_hours?: number | null; }): Promise<NewKey>;
  /** Revoke a key: it stops working at once. */
  revokeKey(request: { key_id: string; }): Promise<Key>;
  /** Make a context token: a program that shows it acts as this user in this chat, nobody else. */
  makeToken(request?: { minutes?: number | null; }): Promise<NewToken>;
  /** Revoke a context token before it expires: it stops working at once. */
  revokeToken(request: { token_id: string; }): Promise<Key>;
  /** List what was decided and done in your memory, newest first. */
  events(request?: { of?: string; node?: "hotpath" | "context" | "episodic" | "worker" | "admin"; op?: string; housekeeping?: boolean; limit?: number; before?: string; }): Promise<Array<Event>>;
  /** Count the memories that were made, by day. */
  growth(request?: { of?: string; }): Promise<{ [name: string]: number }>;
  /** Count what was done in your memory, by day, place and kind. */
  activity(request?: { of?: string; days?: number; }): Promise<Array<DayCount>>;
  /** List the users and chats that something was decided for, those with most of it first. */
  owners(request?: { limit?: number; }): Promise<Array<Owner>>;
}
