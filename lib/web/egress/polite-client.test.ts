import { afterEach, expect, test } from "bun:test";
import { EgressError } from "./address.ts";
import { createFetcher } from "./fetcher.ts";
import { createPoliteClient, type PoliteClient } from "./polite-client.ts";
import { type LocalSite, serveSite } from "./testing.ts";
import { type Clock, createMemoryLeaseStore } from "./turns.ts";

const sites: LocalSite[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

type Page = (
  path: string,
  headers: Record<string, string | string[] | undefined>,
) => { status?: number; headers?: Record<string, string>; body?: string };

async function site(page: Page): Promise<LocalSite> {
  const made = await serveSite((request, response) => {
    const { status = 200, headers = {}, body = "" } = page(request.url ?? "", request.headers);
    response.writeHead(status, headers).end(body);
  });
  sites.push(made);
  return made;
}

/** A clock that jumps when somebody sleeps. */
function jumpingClock(): Clock & { slept: number[] } {
  let now = 1_700_000_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(Math.round(ms));
      now += ms;
    },
  };
}

function client(clock?: Clock, store = createMemoryLeaseStore(clock)): PoliteClient {
  return createPoliteClient({
    fetcher: createFetcher({
      userAgent: "IsnadBot/1 (+http://isnad.example)",
      allowPrivateHosts: "127.0.0.1",
    }),
    leases: store,
    product: "IsnadBot",
    random: () => 0.5,
    ...(clock !== undefined && { clock }),
  });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error: unknown) => (error instanceof EgressError ? error.code : String(error)),
  );
}

test("what robots.txt forbids is not asked for, and the file is fetched once", async () => {
  const local = await site((path) =>
    path === "/robots.txt" ? { body: "User-agent: IsnadBot\nDisallow: /private" } : { body: "ok" },
  );
  const fetch = client(jumpingClock());
  expect(await codeOf(fetch(`${local.url}/private/a`))).toBe("robots-denied");
  expect((await fetch(`${local.url}/open`)).status).toBe(200);
  expect(local.seen).toEqual(["/robots.txt", "/open"]);
});

test("a source may be told to ignore robots.txt", async () => {
  const local = await site(() => ({ body: "User-agent: *\nDisallow: /" }));
  expect((await client(jumpingClock())(`${local.url}/a`, { respectRobots: false })).status).toBe(200);
  expect(local.seen).toEqual(["/a"]);
});

test("a redirect into what robots.txt forbids is not followed", async () => {
  const local = await site((path) => {
    if (path === "/robots.txt") return { body: "User-agent: *\nDisallow: /private" };
    return { status: 302, headers: { location: "/private" } };
  });
  expect(await codeOf(client(jumpingClock())(`${local.url}/a`))).toBe("robots-denied");
  expect(local.seen).toEqual(["/robots.txt", "/a"]);
});

test("a missing robots.txt allows everything, a broken one nothing for ten minutes", async () => {
  let status = 404;
  const local = await site((path) => (path === "/robots.txt" ? { status } : {}));
  expect(await codeOf(client(jumpingClock())(`${local.url}/a`))).toBe("no error");
  status = 500;
  const clock = jumpingClock();
  const fetch = client(clock);
  expect(await codeOf(fetch(`${local.url}/a`))).toBe("robots-unreachable");
  status = 404;
  expect(await codeOf(fetch(`${local.url}/a`))).toBe("robots-unreachable");
  await clock.sleep(600_001);
  expect(await codeOf(fetch(`${local.url}/a`))).toBe("no error");
});

test("a site that cannot be reached is told apart from one whose robots.txt is broken, the second time too", async () => {
  const down = await site(() => ({}));
  await down.close();
  const broken = await site(() => ({ status: 503 }));
  const fetch = client(jumpingClock());
  const why = (url: string) => fetch(`${url}/a`, { retries: 0 }).catch((error: unknown) => error);
  for (const round of ["asked", "remembered"]) {
    const [first, second] = [await why(down.url), await why(broken.url)];
    expect([round, first]).toMatchObject([round, { code: "robots-unreachable", cause: { code: "connect-failed" } }]);
    expect(String(first)).toMatch(
      /cannot be had: connect-failed: .*refused.* \(http:\/\/127\.0\.0\.1:\d+\/robots\.txt\)$/i,
    );
    expect([round, second]).toMatchObject([round, { code: "robots-unreachable", cause: undefined }]);
    expect(String(second)).toContain("cannot be had: the site answers 503");
  }
});

test("a robots.txt in a private network is refused like any other address", async () => {
  const inside = await site(() => ({ body: "User-agent: *\nAllow: /" }));
  const outside = await site((path) =>
    path === "/robots.txt" ? { status: 302, headers: { location: `${inside.url}/robots.txt` } } : {},
  );
  const fetch = createPoliteClient({
    fetcher: createFetcher({ userAgent: "t", allowPrivateHosts: `127.0.0.1:${outside.port}` }),
    leases: createMemoryLeaseStore(),
    product: "IsnadBot",
  });
  expect(await codeOf(fetch(`${outside.url}/a`))).toBe("private-address");
  expect(inside.seen).toEqual([]);
});

test("a robots.txt counts among the requests that a host is asked at once", async () => {
  let under = 0;
  let most = 0;
  const made = await serveSite(async (_, response) => {
    most = Math.max(most, ++under);
    await Bun.sleep(20);
    under--;
    response.end();
  });
  sites.push(made);
  const store = createMemoryLeaseStore();
  const clients = [client(undefined, store), client(undefined, store)];
  await Promise.all(clients.map((fetch, i) => fetch(`${made.url}/${i}`, { minDelayMs: 0, concurrency: 1 })));
  expect(most).toBe(1);
  expect(made.seen).toHaveLength(4);
});

test("requests to a host keep the delay of the profile or of the site, whichever is longer", async () => {
  const local = await site((path) => (path === "/robots.txt" ? { body: "User-agent: *\nCrawl-delay: 3" } : {}));
  const clock = jumpingClock();
  const fetch = client(clock);
  for (const path of ["/1", "/2", "/3"]) await fetch(`${local.url}${path}`, { minDelayMs: 100 });
  expect(clock.slept).toEqual([3000, 3000]);
  await fetch(`${local.url}/4`, { minDelayMs: 5000 });
  await fetch(`${local.url}/5`, { minDelayMs: 5000 });
  expect(clock.slept).toEqual([3000, 3000, 3000, 5000]);
});

test("two clients with one lease store never ask a host more at once than it bears", async () => {
  let under = 0;
  let most = 0;
  const two = Promise.withResolvers<void>();
  const made = await serveSite(async (_, response) => {
    most = Math.max(most, ++under);
    if (most === 2) two.resolve();
    await two.promise;
    await Bun.sleep(20);
    under--;
    response.end();
  });
  sites.push(made);
  const store = createMemoryLeaseStore();
  const clients = [client(undefined, store), client(undefined, store)];
  const manners = { respectRobots: false, minDelayMs: 0, concurrency: 2 };
  await Promise.all(Array.from({ length: 12 }, (_, i) => clients[i % 2]?.(`${made.url}/${i}`, manners)));
  expect(most).toBe(2);
  expect(made.seen).toHaveLength(12);
});

test("waiting for a turn does not count against the time limit of the fetch", async () => {
  const local = await site(() => ({}));
  const fetch = client();
  const manners = { respectRobots: false, minDelayMs: 1_700, concurrency: 1, timeoutMs: 1_500 };
  const all = await Promise.all([1, 2].map((n) => codeOf(fetch(`${local.url}/${n}`, manners))));
  expect(all).toEqual(["no error", "no error"]);
});

test("Retry-After is waited for, and holds for every other client", async () => {
  let busy = true;
  const local = await site(() => (busy ? { status: 429, headers: { "retry-after": "20" } } : { body: "at last" }));
  const clock = jumpingClock();
  const store = createMemoryLeaseStore(clock);
  const sleep = clock.sleep;
  clock.sleep = async (ms) => {
    busy = false;
    await sleep(ms);
  };
  const answer = await client(clock, store)(local.url, { respectRobots: false, minDelayMs: 0 });
  expect(answer.text().text).toBe("at last");
  expect(clock.slept).toEqual([20_000]);
  await store.defer(new URL(local.url).host, 5000);
  await client(clock, store)(local.url, { respectRobots: false });
  expect(clock.slept).toEqual([20_000, 5000]);
});

test("a Retry-After beyond patience comes back with the answer, and the host stays unasked", async () => {
  const local = await site(() => ({ status: 503, headers: { "retry-after": "3600" } }));
  const clock = jumpingClock();
  const fetch = client(clock);
  expect(await fetch(local.url, { respectRobots: false })).toMatchObject({ status: 503, retryAfterMs: 3_600_000 });
  expect(await codeOf(fetch(local.url, { respectRobots: false, retries: 0 }))).toBe("busy-host");
  expect(local.seen).toHaveLength(1);
});

test("passing failures are tried again with growing waits, lasting ones are not", async () => {
  const answers = [500, 503, 200];
  const local = await site(() => ({ status: answers.shift() ?? 404 }));
  const clock = jumpingClock();
  const fetch = client(clock);
  const manners = { respectRobots: false, minDelayMs: 0 };
  expect((await fetch(local.url, manners)).status).toBe(200);
  expect(clock.slept).toEqual([375, 750]);
  expect((await fetch(local.url, manners)).status).toBe(404);
  expect(local.seen).toHaveLength(4);
  expect(await codeOf(fetch("http://10.0.0.1/", manners))).toBe("private-address");
  expect(clock.slept).toHaveLength(2);
});

test("who gives up between two attempts hears that it was given up", async () => {
  const local = await site(() => ({ status: 500 }));
  const abort = new AbortController();
  const clock: Clock = {
    now: () => 0,
    sleep: async (_, signal) => {
      abort.abort();
      signal?.throwIfAborted();
    },
  };
  expect(await codeOf(client(clock)(local.url, { respectRobots: false, signal: abort.signal }))).toBe("aborted");
  expect(local.seen).toHaveLength(1);
});
