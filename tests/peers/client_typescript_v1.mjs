// The TypeScript SDK of the first generation: client_typescript_v1.mjs COMMAND...

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { cancellation, explain, list, page, refusals, step } from "./steps.mjs";

const [command, ...args] = process.argv.slice(2);
const faults = [];
const client = new Client({ name: "peer", version: "1.0.0" });
client.onerror = (error) => faults.push(error);
await client.connect(new StdioClientTransport({ command, args }));

step("connected", client.getServerVersion().name, client.getServerVersion());
const call = (name, input, options) => client.callTool({ name, arguments: input }, undefined, options);
await list(client);
await explain(call, "explain is answered");
await refusals(call);
await cancellation(call, async () => {
  await client.ping();
  step("ping is answered while the service stands still", true);
});
await page(call, false);
await list(client);
await client.close();
step("nothing was out of order", faults.length === 0, faults.map(String));
