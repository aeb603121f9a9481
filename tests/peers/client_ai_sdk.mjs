// The AI SDK's own client, without or with its probe: client_ai_sdk.mjs legacy|auto COMMAND...

import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { cancellation, explain, list, page, refusals, step } from "./steps.mjs";

const [mode, command, ...args] = process.argv.slice(2);
const faults = [];
const client = await createMCPClient({
  transport: new StdioMCPTransport({ command, args }),
  protocolVersionDiscovery: mode === "auto",
  onUncaughtError: (error) => faults.push(String(error)),
});

const version = client.initializeResult.protocolVersion;
step("connected", version === (mode === "auto" ? "2026-07-28" : "2025-11-25"), client.initializeResult);
const call = (name, input, options) => client.callTool({ name, arguments: input, options });
await list(client);
await explain(call, "explain is answered");
await refusals(call);
await cancellation(call);
await page(call, mode === "auto");
await list(client);
await client.close();
// It gives calls up without a word to the server, and is surprised by their answers.
const surprises = faults.filter((fault) => !fault.includes("unknown message ID"));
step("nothing was out of order", surprises.length === 0, surprises);
