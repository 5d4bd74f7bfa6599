import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { NO_COUNTS } from "@isnad/lib/store";
import { testProfile } from "../testing/profiles.ts";
import { type TestScraper, testScraper } from "../testing/scraper.ts";

let scraper: TestScraper;
beforeAll(async () => {
  scraper = await testScraper();
}, 300_000);
afterAll(() => scraper.close());

/** Puts a profile in force that no other test uses, and gives its name. */
function newProfile(over: Record<string, unknown> = {}): string {
  const name = `p-${randomUUID().slice(0, 8)}`;
  scraper.profiles.put(...scraper.profiles.all(), testProfile({ name, provider: "prov", ...over }));
  return name;
}

/** Queues a run and ends it. */
async function endedRun(profileId: string, status: "succeeded" | "failed" = "succeeded"): Promise<string> {
  const { body } = await scraper.post("/runs", { profile_id: profileId });
  const { runs } = scraper.store.scraper;
  const owner = randomUUID();
  await runs.claim(owner, { leaseS: 3_600, profileIds: [profileId] });
  const error = status === "failed" ? "no answer" : null;
  await runs.finish(String(body.run_id), owner, { status, counts: { ...NO_COUNTS, sent: 2 }, error });
  return String(body.run_id);
}

describe("POST /runs", () => {
  test("queues a run and answers 202 with its record", async () => {
    const name = newProfile();
    const before = scraper.queued();
    const { status, body } = await scraper.post("/runs", { profile_id: name, limit: 5 });
    expect(status).toBe(202);
    expect(body).toEqual({ run_id: expect.stringMatching(/^[0-9a-f-]{36}$/), profile_id: name, status: "queued" });
    expect(scraper.queued()).toBe(before + 1);
    expect((await scraper.get(`/runs/${body.run_id}`)).body).toMatchObject({
      provider: "prov",
      trigger: "api",
      limit: 5,
    });
  });

  test("runs a profile that is not enabled, and records who asked", async () => {
    const name = newProfile({ enabled: false });
    const { status, body } = await scraper.post("/runs", { profile_id: name, limit: null, trigger: "cli" });
    expect(status).toBe(202);
    expect((await scraper.get(`/runs/${body.run_id}`)).body).toMatchObject({ trigger: "cli", limit: null });
  });

  test("an unknown profile is 404", async () => {
    const { status, body } = await scraper.post("/runs", { profile_id: "nobody" });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      type: "/errors/not-found",
      detail: 'There is no profile "nobody".',
      instance: "/runs",
    });
  });

  test.each(["switched off", "removed"])("a profile whose source is %s is 409 unless it is forced", async (state) => {
    const key = `s-${randomUUID()}`;
    const name = newProfile({ source: { id: key, name: "S", tier: 3, homepage: "https://s.test/" } });
    const { sources, sourceStates } = scraper.store;
    await sources.upsert([{ key }]);
    if (state === "removed") await sourceStates.remove(key);
    else await sourceStates.switch(key, false);
    const { status, body } = await scraper.post("/runs", { profile_id: name });
    expect([status, body.type]).toEqual([409, "/errors/conflict"]);
    expect(body.detail).toBe(`The source ${key} is ${state}; \`force\` runs it all the same.`);
    expect((await scraper.get(`/runs?profile_id=${name}`)).body.runs).toEqual([]);
    expect((await scraper.post("/runs", { profile_id: name, force: true })).status).toBe(202);
  });

  test("while a run is queued or running another is 409 and names it", async () => {
    const name = newProfile();
    const { body: first } = await scraper.post("/runs", { profile_id: name });
    const second = await scraper.post("/runs", { profile_id: name });
    expect(second.status).toBe(409);
    expect(second.headers.get("content-type")).toBe("application/problem+json");
    expect(second.body).toMatchObject({ type: "/errors/conflict", run_id: first.run_id, run_status: "queued" });
    await scraper.store.scraper.runs.claim("someone", { leaseS: 3_600, profileIds: [name] });
    expect((await scraper.post("/runs", { profile_id: name })).body).toMatchObject({
      run_id: first.run_id,
      run_status: "running",
    });
  });

  test("of many requests at once, one queues a run and the others are told of it", async () => {
    const name = newProfile();
    const answers = await Promise.all(Array.from({ length: 10 }, () => scraper.post("/runs", { profile_id: name })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
  });

  test.each([
    [{}, ["profile_id"]],
    [{ profile_id: 7 }, ["profile_id"]],
    [{ profile_id: "" }, ["profile_id"]],
    [{ profile_id: "a", limit: 0 }, ["limit"]],
    [{ profile_id: "a", limit: 1.5 }, ["limit"]],
    [{ profile_id: "a", limit: "5" }, ["limit"]],
    [{ profile_id: "a", trigger: "schedule" }, ["trigger"]],
    [{ profile_id: [], limit: -1 }, ["profile_id", "limit"]],
    [[], ["body"]],
  ])("%j is 422 with errors by field", async (sent, fields) => {
    const { status, body } = await scraper.post("/runs", sent);
    expect(status).toBe(422);
    expect(body.type).toBe("/errors/validation-error");
    expect(Object.keys(Object(body.errors)).sort()).toEqual([...fields].sort());
  });
});

describe("GET /runs", () => {
  test("lists runs newest first, page by page, and none twice", async () => {
    const name = newProfile();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await endedRun(name));
    const seen: unknown[] = [];
    let cursor: unknown = "";
    while (cursor !== null) {
      const { status, body } = await scraper.get(
        `/runs?profile_id=${name}&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      seen.push(...Object(body.runs).map(({ run_id }: { run_id: string }) => run_id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test("filters by status, trigger and time", async () => {
    const name = newProfile();
    const good = await endedRun(name);
    const bad = await endedRun(name, "failed");
    const idsOf = async (filter: string) => {
      const { body } = await scraper.get(`/runs?profile_id=${name}&${filter}`);
      return Object(body.runs).map(({ run_id }: { run_id: string }) => run_id);
    };
    expect(await idsOf("status=failed")).toEqual([bad]);
    expect(await idsOf("trigger=api")).toEqual([bad, good]);
    expect(await idsOf("trigger=schedule")).toEqual([]);
    expect(await idsOf("since=2020-01-01")).toEqual([bad, good]);
    expect(await idsOf("until=2020-01-01")).toEqual([]);
    expect(await idsOf(`until=${new Date().toISOString().slice(0, 10)}`)).toEqual([bad, good]);
  });

  test("of a profile without runs it is an empty page", async () => {
    expect((await scraper.get("/runs?profile_id=never")).body).toEqual({ runs: [], next_cursor: null });
  });

  test.each([
    ["status=done", "status"],
    ["trigger=me", "trigger"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["since=yesterday", "since"],
    ["cursor=xyz", "cursor"],
    ["profile_id=a%00b", "profile_id"],
    ["since=2026-02-01&until=2026-01-01", "body"],
  ])("?%s is 422 and names %s", async (query, field) => {
    const { status, body } = await scraper.get(`/runs?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(Object(body.errors))).toEqual([field]);
  });
});

describe("GET /runs/{run_id}", () => {
  test("shows the run with times, counts and error", async () => {
    const runId = await endedRun(newProfile(), "failed");
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect((await scraper.get(`/runs/${runId}`)).body).toEqual({
      run_id: runId,
      profile_id: expect.any(String),
      provider: "prov",
      status: "failed",
      trigger: "api",
      attempts: 1,
      limit: null,
      created_at: time,
      started_at: time,
      finished_at: time,
      counts: { ...NO_COUNTS, sent: 2 },
      selectors: {},
      error: "no answer",
      errors: [],
      feeds: [],
      too_old: {},
    });
  });

  test("says why articles did not come, newest first, and what each feed answered; lists leave that out", async () => {
    const { runs } = scraper.store.scraper;
    const profileId = newProfile();
    await runs.create({ profileId, provider: "prov", trigger: "api" });
    const run = await runs.claim("o", { leaseS: 3_600, profileIds: [profileId] });
    const error = (n: number) => ({
      url: `https://a.test/${n}`,
      reason: "http-500",
      at: "2026-01-01T00:00:00.000Z",
      retried: true,
    });
    const feed = { url: "https://a.test/feed", kind: "feed" as const, status: 200, entries: 9, error: null };
    const selectors = { content: { matched: 0, unmatched: 7 } };
    const details = {
      errors: [error(1), error(2)],
      feeds: [{ ...feed, tooOld: 3 }],
      selectors,
      tooOld: { metadata: 2 },
    };
    const runId = run?.runId ?? "";
    await runs.heartbeat(runId, "o", { leaseS: 3_600, details });
    expect((await scraper.get(`/runs/${runId}`)).body).toMatchObject({
      status: "running",
      errors: [error(2), error(1)],
      feeds: [{ ...feed, too_old: 3 }],
      too_old: { metadata: 2 },
      selectors,
    });
    const { body } = await scraper.get(`/runs?profile_id=${profileId}`);
    expect(body.runs).toMatchObject([{ run_id: runId, selectors }]);
    expect(body.runs).not.toMatchObject([{ errors: [] }]);
  });

  test.each([randomUUID(), "nonsense", "1"])("%s is 404", async (id) => {
    expect((await scraper.get(`/runs/${id}`)).status).toBe(404);
  });
});
