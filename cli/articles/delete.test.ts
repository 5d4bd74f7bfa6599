import { afterEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { articleDelete } from "./articles.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** A loopback server that answers DELETE as `status` says and remembers what it saw. */
async function api(status: (path: string) => number): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const listening = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status(request.url ?? "")).end();
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return { url: `http://127.0.0.1:${address.port}`, seen };
}

test("each article is deleted with the ingest credential", async () => {
  const { url, seen } = await api(() => 204);
  const { io, out } = captureIo({ API_URL: url, INGEST_TOKEN: "t" });
  expect(await runCommand(articleDelete, ["7", "0b7f2f0e-7a55-4d52-b8e0-6c1d1f2a9f3c"], io)).toBe(0);
  expect(out()).toBe("deleted 7\ndeleted 0b7f2f0e-7a55-4d52-b8e0-6c1d1f2a9f3c\n");
  expect(seen[0]).toBe("DELETE /v1/articles/7 Bearer t");
});

test("an unknown one is reported, the others are deleted all the same, and the exit code is 1", async () => {
  const { url } = await api((path) => (path.endsWith("/8") ? 404 : 204));
  const text = captureIo({ API_URL: url, INGEST_TOKEN: "t" });
  expect(await runCommand(articleDelete, ["7", "8", "9"], text.io)).toBe(1);
  expect([text.out(), text.err()]).toEqual(["deleted 7\ndeleted 9\n", "no article 8\n"]);
  const json = captureIo({ API_URL: url, INGEST_TOKEN: "t" });
  await runCommand(articleDelete, ["8", "--json"], json.io);
  expect(JSON.parse(json.out())).toEqual({ results: [{ id: "8", deleted: false }] });
});

test("an id cannot reach another route", async () => {
  const { url, seen } = await api(() => 404);
  await runCommand(articleDelete, ["../sources/1"], captureIo({ API_URL: url, INGEST_TOKEN: "t" }).io);
  expect(seen[0]).toStartWith("DELETE /v1/articles/..%2Fsources%2F1 ");
});

test("any other answer, and none at all, end it with one line", async () => {
  const { url } = await api(() => 500);
  const refused = captureIo({ API_URL: url, INGEST_TOKEN: "t" });
  expect(await runCommand(articleDelete, ["7"], refused.io)).toBe(1);
  expect(refused.err()).toBe("article:delete: the API answered 500 for article 7\n");
  const away = captureIo({ API_URL: "http://127.0.0.1:1", INGEST_TOKEN: "t" });
  expect(await runCommand(articleDelete, ["7"], away.io)).toBe(1);
  expect(away.err()).toBe("article:delete: the API at http://127.0.0.1:1 cannot be reached\n");
});

test("without an id it is wrong usage", async () => {
  expect(await runCommand(articleDelete, [], captureIo().io)).toBe(2);
});
