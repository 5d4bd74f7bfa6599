import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { testStore } from "../testing.ts";
import type { AskerInput } from "./testing-asker.ts";

setDefaultTimeout(300_000);

const { store, sql, url: databaseUrl, close } = await testStore();
const closing: (() => void)[] = [];

afterAll(async () => {
  for (const end of closing) end();
  await close();
});

/** Serves on loopback what `handle` prepares, noting who asked when and how many were under way at once. */
async function site(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) {
  const asked: { by: string; path: string; at: number; under: number }[] = [];
  let under = 0;
  const server = createServer(async (request, response) => {
    under++;
    asked.push({ by: request.headers["user-agent"] ?? "", path: request.url ?? "", at: performance.now(), under });
    await handle(request, response);
    under--;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
}

/** Starts a process of its own that asks these addresses. */
function asker(input: Omit<AskerInput, "databaseUrl">) {
  const script = join(import.meta.dir, "testing-asker.ts");
  const child = Bun.spawn([process.execPath, script, JSON.stringify({ databaseUrl, ...input })], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const outcomes = async (): Promise<(number | string)[]> => JSON.parse(await new Response(child.stdout).text());
  return { child, outcomes };
}

const addresses = (url: string, count: number) => Array.from({ length: count }, (_, i) => `${url}/${i}`);

test("two processes never ask a host more at once than it bears, and both get their turn", async () => {
  const three = Promise.withResolvers<void>();
  const { asked, url } = await site(async () => {
    if (asked.at(-1)?.under === 3) three.resolve();
    await three.promise;
    await Bun.sleep(15);
  });
  const manners = { respectRobots: false, concurrency: 3, minDelayMs: 0 };
  const ask = (name: string) => asker({ name, addresses: addresses(url, 10), manners }).outcomes();
  const outcomes = await Promise.all([ask("one"), ask("two")]);
  expect(outcomes.flat()).toEqual(Array(20).fill(200));
  expect(Math.max(...asked.map(({ under }) => under))).toBe(3);
  expect(new Set(asked.map(({ by }) => by))).toEqual(new Set(["one/1", "two/1"]));
});

test("two processes keep one distance from start to start", async () => {
  const { asked, url } = await site(() => undefined);
  const manners = { respectRobots: false, concurrency: 4, minDelayMs: 200 };
  const ask = (name: string) => asker({ name, addresses: addresses(url, 5), manners }).outcomes();
  await Promise.all([ask("one"), ask("two")]);
  expect(asked).toHaveLength(10);
  // Nine distances. Each process for itself would need four; the first request may be heard late.
  expect((asked.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThan(900);
});

test("both processes keep to a Retry-After that one of them is told", async () => {
  let refusedAt: number | undefined;
  const { asked, url } = await site((_, response) => {
    if (refusedAt === undefined) response.writeHead(429, { "retry-after": "1" });
    refusedAt ??= performance.now();
  });
  const manners = { respectRobots: false, concurrency: 1, minDelayMs: 0 };
  const ask = (name: string) => asker({ name, addresses: addresses(url, 3), manners }).outcomes();
  const outcomes = await Promise.all([ask("one"), ask("two")]);
  expect(outcomes.flat()).toEqual(Array(6).fill(200));
  expect(asked).toHaveLength(7);
  for (const { at } of asked.slice(1)) expect(at - (refusedAt ?? 0)).toBeGreaterThanOrEqual(1000);
});

test("a process killed while it asks keeps its lease only for its time", async () => {
  const { asked, url, host } = await site(() => new Promise(() => undefined));
  const manners = { respectRobots: false, concurrency: 1, minDelayMs: 0, timeoutMs: 60_000 };
  const { child } = asker({ name: "dead", addresses: [`${url}/`], manners });
  while (asked.length === 0) await Bun.sleep(5);
  child.kill("SIGKILL");
  await child.exited;
  const limits = { concurrency: 1, minDelayMs: 0 };
  expect(await store.scraper.hostLeases.acquire(host, limits, 1000)).toHaveProperty("waitMs");
  await sql`update host_leases set lease_until = now() where host = ${host}`;
  expect(await store.scraper.hostLeases.acquire(host, limits, 1000)).toHaveProperty("lease");
});

test("robots.txt and its crawl delay hold in every process", async () => {
  const { asked, url } = await site((request, response) => {
    if (request.url === "/robots.txt") response.write("User-agent: *\nDisallow: /private\nCrawl-delay: 0.3");
  });
  const manners = { concurrency: 4, minDelayMs: 0 };
  const ask = (name: string) =>
    asker({ name, addresses: [`${url}/private/a`, ...addresses(url, 3)], manners }).outcomes();
  const outcomes = await Promise.all([ask("one"), ask("two")]);
  expect(outcomes).toEqual([
    ["robots-denied", 200, 200, 200],
    ["robots-denied", 200, 200, 200],
  ]);
  const pages = asked.filter(({ path }) => path !== "/robots.txt");
  expect(pages).toHaveLength(6);
  // Five distances of 300 ms; each process for itself would need two, and the first request may be heard late.
  expect((pages.at(-1)?.at ?? 0) - (pages[0]?.at ?? 0)).toBeGreaterThan(750);
});
