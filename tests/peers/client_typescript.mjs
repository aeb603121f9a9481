// The TypeScript SDK's client in one of its modes: client_typescript.mjs legacy|auto|pin COMMAND...

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { cancellation, explain, list, page, refusals, step } from "./steps.mjs";

const [mode, command, ...args] = process.argv.slice(2);
const NEW = "2026-07-28";
const faults = [];
const client = new Client(
  { name: "peer", version: "1.0.0" },
  {
    versionNegotiation: { mode: mode === "pin" ? { pin: NEW } : mode },
    listChanged: { tools: { onChanged: () => {} } },
  },
);
client.onerror = (error) => faults.push(error);
await client.connect(new StdioClientTransport({ command, args }));

const version = client.getNegotiatedProtocolVersion();
step("connected", version === (mode === "legacy" ? "2025-11-25" : NEW), version);
const call = (name, input, options) => client.callTool({ name, arguments: input }, options);
await list(client);
await explain(call, "explain is answered");
await refusals(call);
await cancellation(call, async () => {
  if (mode !== "legacy") return;
  await client.ping();
  step("ping is answered while the service stands still", true);
});
if (mode !== "legacy") {
  step("a subscription came with the connection", client.autoOpenedSubscription);
  const more = await client.listen({ toolsListChanged: true, promptsListChanged: true });
  step("a second one is acknowledged", more.honoredFilter.toolsListChanged, more.honoredFilter);
  step("prompts are not honoured", !more.honoredFilter.promptsListChanged, more.honoredFilter);
  await explain(call, "a call beside a subscription is answered");
  await more.close();
}
await page(call, mode !== "legacy");
await list(client);
await client.close();
step("nothing was out of order", faults.length === 0, faults.map(String));
