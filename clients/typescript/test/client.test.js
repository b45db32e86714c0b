// Run against a real server: WELLKEPT_URL=http://127.0.0.1:8765 node --test

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, WellkeptError } from "../index.js";
import { OPERATIONS } from "../operations.js";

const url = process.env.WELLKEPT_URL;
assert.ok(url, "WELLKEPT_URL has to name a server");
const alice = new Client(url).at({ user: "alice", chat: "dm-alice", participants: ["bob"] });

test("a memory lives over HTTP", async () => {
  const stored = await alice.remember({ facts: "My wife Sarah likes Italian food" });
  assert.equal(stored.outcome, "created");
  const found = await alice.recall({ query: "what does my wife like?", about: ["my wife"] });
  assert.deepEqual(found.hits.map((hit) => hit.id), [stored.id]);
  const [record] = await alice.list({ filters: { pinned: false }, limit: 5, include_expired: true });
  assert.deepEqual(record.about, ["Sarah"]);
  assert.equal((await alice.pin({ memory_id: stored.id })).outcome, "updated");
  assert.equal((await alice.forget({ memory_id: stored.id })).reason, "user_deleted");
  assert.equal((await alice.history({ memory_id: stored.id })).events[0].event, "DELETE");
});

test("ids with slashes and an object in a body", async () => {
  const saved = await alice.saveCheckpoint({ thread_id: "a thread/é", data: { step: 1 } });
  assert.equal(saved.version, 1);
  assert.deepEqual((await alice.checkpoint({ thread_id: "a thread/é" })).data, { step: 1 });
});

test("an idempotency key makes a write happen once", async () => {
  const options = { idempotencyKey: "once" };
  const first = await alice.add({ content: "The wifi of the cabin is called Marmot." }, options);
  assert.deepEqual(await alice.add({ content: "The wifi of the cabin is called Marmot." }, options), first);
});

test("an error has the code of every surface", async () => {
  await assert.rejects(alice.forget({ memory_id: "m_none" }), (error) => {
    assert.ok(error instanceof WellkeptError);
    assert.deepEqual([error.code, error.status], ["not_found", 404]);
    return true;
  });
  await assert.rejects(alice.recall({ query: "tea", limit: 0 }), { code: "invalid_limit", status: 422 });
  await assert.rejects(alice.forget({}), { code: "invalid_parameter" });
  await assert.rejects(new Client("http://127.0.0.1:9").at().list(), { code: "unreachable" });
});

test("a call can be given up", async () => {
  await assert.rejects(alice.list({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("every operation has a method", () => {
  assert.deepEqual(Object.keys(alice), Object.keys(OPERATIONS));
});
