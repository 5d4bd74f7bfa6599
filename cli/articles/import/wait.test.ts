import { afterEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { waitUntilIndexed } from "./wait.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * A loopback API whose answers come from `answer`: a text for /metrics, a value for the other routes, null for a 503.
 */
async function api(answer: (url: URL) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    const body = answer(new URL(request.url ?? "", "http://x"));
    response.writeHead(body === null ? 503 : 200).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return `http://127.0.0.1:${address.port}`;
}

function options(url: string, sample: number[], more: { patienceMs?: number; onProgress?: (n: number) => void } = {}) {
  const target = { url, ingestToken: "t", dataDir: "" };
  return { target, sample, signal: new AbortController().signal, patienceMs: 2000, everyMs: 5, ...more };
}

test("it waits for the queues, then until every article of the sample is indexed, and searches for none of them", async () => {
  const pending = [7, 3, 0];
  const seen: number[] = [];
  const lookedUp: string[] = [];
  const url = await api(({ pathname }) => {
    if (pathname === "/metrics") return `# HELP x\narticles_pending ${pending.shift() ?? 0}\nother 9\n`;
    lookedUp.push(pathname);
    return { state: lookedUp.length < 4 ? "normalized" : "indexed" };
  });
  await waitUntilIndexed(options(url, [1, 2], { onProgress: (n) => seen.push(n) }));
  expect(seen).toEqual([7, 3, 0]);
  expect(new Set(lookedUp)).toEqual(new Set(["/v1/articles/1", "/v1/articles/2"]));
});

test("pending articles are summed over labels, and an API that is away for a moment is waited for", async () => {
  const answers = [null, 'articles_pending{state="accepted"} 2\narticles_pending{state="normalized"} 3\n'];
  const seen: number[] = [];
  const url = await api(() => (answers.length > 0 ? answers.shift() : "articles_pending 0\n"));
  await waitUntilIndexed(options(url, [], { onProgress: (n) => seen.push(n) }));
  expect(seen).toEqual([5, 0]);
});

test("an article that failed in the queues is not waited for", async () => {
  const url = await api(({ pathname }) => (pathname === "/metrics" ? "articles_pending 0\n" : { state: "failed" }));
  await waitUntilIndexed(options(url, [1]));
});

test("when nothing moves any more the waiting ends with what is missing", async () => {
  const stuck = await api(() => "articles_pending 4\n");
  await expect(waitUntilIndexed(options(stuck, [], { patienceMs: 30 }))).rejects.toThrow(
    "4 articles that wait for the queues",
  );
  const never = await api(({ pathname }) =>
    pathname === "/metrics" ? "articles_pending 0\n" : { state: "normalized" },
  );
  await expect(waitUntilIndexed(options(never, [1], { patienceMs: 30 }))).rejects.toThrow(
    "1 articles that are not indexed",
  );
  await Bun.sleep(100);
});

test("metrics without the count are an error, not an endless wait", async () => {
  const url = await api(() => "something_else 1\n");
  await expect(waitUntilIndexed(options(url, []))).rejects.toThrow("do not tell how many articles wait");
});
