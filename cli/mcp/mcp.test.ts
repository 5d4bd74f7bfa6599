import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

test("a program that starts its tools itself gets them over standard input and output, under its key", async () => {
  const keys: (string | null)[] = [];
  const api = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      keys.push(request.headers.get("x-api-key"));
      return Response.json({ entities: [{ entity_id: 3, name: "القدس", types: ["GPE"], mentions: 9, articles: 4 }] });
    },
  });
  const env = { PATH: process.env.PATH ?? "", API_URL: `http://127.0.0.1:${api.port}`, ISNAD_KEY: "reader" };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("search");
  const { content } = await client.callTool({ name: "entities", arguments: { name: "القدس" } });
  expect(content[0]).toMatchObject({ type: "text", text: expect.stringContaining("4 articles, 9 times · entity 3") });
  expect(keys).toEqual(["reader"]);
  await client.close();
  await api.stop(true);
});
