// Compiled, never run: `npx --package typescript tsc --noEmit --strict --module nodenext --target es2022 --lib es2022,dom test/types.ts`

import { Client, type Outcome, type Recall, WellkeptError } from "../index.js";

const alice = new Client("http://127.0.0.1:8765", { key: "rk_…" }).at({ user: "alice", chat_type: "private" });
const found: Promise<Recall> = alice.recall({ query: "tea", limit: 3, filters: { pinned: true } }, { idempotencyKey: "k" });
const stored: Promise<Outcome | Outcome[]> = alice.remember({ facts: ["I like tea", { content: "I play chess" }] });
const listed: Promise<string[]> = alice.list().then((records) => records.map((record) => record.content));
export const all = [found, stored, listed, new WellkeptError("no", "not_found", 404).code];

// @ts-expect-error -- the query is needed
alice.recall({ limit: 3 });
// @ts-expect-error -- a strategy that there is not
alice.recall({ query: "tea", strategy: "luck" });
// @ts-expect-error -- an unknown field of an answer
found.then((one) => one.surprise);
