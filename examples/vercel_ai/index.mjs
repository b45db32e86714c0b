// The Vercel AI SDK with wellkept's tools over MCP. Runs offline: the model is scripted.
//
//   wellkept serve &            # http://127.0.0.1:8765, or its address as the first argument
//   npm install && npm start
//
// Who is speaking is the application's to know: it stands in the address (or is settled by the key), never in a tool call.
import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const server = process.argv[2] ?? "http://127.0.0.1:8765";
const key = process.env.WELLKEPT_API_KEY;

function memoryOf(user) {
  const url = `${server}/mcp?user=${encodeURIComponent(user)}&chat=${encodeURIComponent(`dm-${user}`)}`;
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  return createMCPClient({ transport: { type: "http", url, headers } });
}

// In place of a model: calls a tool, then says what the tool gave.
function scripted(toolName, input) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let calls = 0;
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      calls += 1;
      if (calls === 1) {
        const call = { type: "tool-call", toolCallId: "c1", toolName, input: JSON.stringify(input) };
        return { content: [call], finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] };
      }
      const text = JSON.stringify(prompt.at(-1).content);
      return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] };
    },
  });
}

async function turn(user, prompt, toolName, input) {
  const client = await memoryOf(user);
  try {
    const tools = await client.tools();
    const model = scripted(toolName, input);
    const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(2) });
    return { text, names: Object.keys(tools) };
  } finally {
    await client.close();
  }
}

const kept = await turn("alice", "Remember my favorite color.", "remember", { facts: "My favorite color is teal" });
const known = await turn("alice", "What is my favorite color?", "recall", { query: "favorite color" });
const other = await turn("bob", "What is alice's favorite color?", "recall", { query: "favorite color" });
console.log(`tools: ${kept.names.join(", ")}`);
console.log(`alice is known: ${known.text.includes("teal")}; bob sees it: ${other.text.includes("teal")}`);
