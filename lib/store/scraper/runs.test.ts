import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { InvalidCursorError } from "../values.ts";
import type { Store } from "../store.ts";
import { discovery, newItem, testStore } from "../testing.ts";
import { type NewRun, NO_COUNTS, NO_DETAILS, type Run } from "./runs.ts";

setDefaultTimeout(300_000);

const { store, another, sql, close } = await testStore();
const [a, b] = [store.scraper, another().scraper];
afterAll(close);

let names = 0;

const newProfile = () => `profile-${names++}`;

async function queued(profileId: string, fields: Partial<NewRun> = {}): Promise<Run> {
  const made = await a.runs.create({ profileId, provider: "rss", trigger: "api", ...fields });
  if (!("run" in made)) throw new Error("the profile has a run already");
  return made.run;
}

/** Queues a run of a profile of its own and claims it. */
async function running(owner: string): Promise<Run> {
  const { profileId } = await queued(newProfile());
  const run = await a.runs.claim(owner, { leaseS: 60, profileIds: [profileId] });
  if (run === undefined) throw new Error("nothing to claim");
  return run;
}

/** Lets the lease of a run end in so many seconds; a negative number: so long ago. */
const endLease = (runId: string, seconds: number) =>
  sql`update scraper_runs set lease_until = now() + make_interval(secs => ${seconds}) where run_id = ${runId}`;

describe("creating runs", () => {
  test("gives a queued run", async () => {
    const profileId = newProfile();
    const run = await queued(profileId, { limit: 7, options: { full: true }, trigger: "cli" });
    expect(run).toMatchObject({
      profileId,
      provider: "rss",
      trigger: "cli",
      status: "queued",
      limit: 7,
      options: { full: true },
      counts: NO_COUNTS,
      startedAt: null,
      finishedAt: null,
      error: null,
    });
    expect(run.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await b.runs.get(run.runId)).toEqual({ ...run, ...NO_DETAILS });
  });

  test("gives one run to a profile, however many ask at once through two pools", async () => {
    const profileId = newProfile();
    const ask = (store: Store["scraper"]) => store.runs.create({ profileId, provider: "rss", trigger: "api" });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => ask(i % 2 === 0 ? a : b)));
    expect(answers.filter((answer) => "run" in answer)).toHaveLength(1);
    const ids = answers.map((answer) => ("run" in answer ? answer.run : answer.running).runId);
    expect(new Set(ids).size).toBe(1);
  });

  test("is refused while a run is in work, and possible again when it is over", async () => {
    const run = await running("o1");
    const request = { profileId: run.profileId, provider: "rss", trigger: "api" as const };
    expect(await b.runs.create(request)).toMatchObject({ running: { runId: run.runId, status: "running" } });
    await a.runs.finish(run.runId, "o1", { status: "failed", counts: NO_COUNTS, error: "no" });
    expect(await b.runs.create(request)).toHaveProperty("run");
  });

  test("no run has an id that is no uuid", async () => {
    expect(await a.runs.get("latest")).toBeUndefined();
  });
});

describe("claiming runs", () => {
  test("hands them out oldest first, and only those of the profiles named", async () => {
    const [first, second] = [await queued(newProfile()), await queued(newProfile())];
    const profileIds = [second.profileId, first.profileId];
    const claim = () => a.runs.claim("o", { leaseS: 60, profileIds });
    expect((await claim())?.runId).toBe(first.runId);
    expect(await claim()).toMatchObject({ runId: second.runId, status: "running" });
    expect(await claim()).toBeUndefined();
  });

  test("never hands one run to two", async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => queued(newProfile())));
    const profileIds = runs.map((run) => run.profileId);
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? a : b).runs.claim(`o${i}`, { leaseS: 60, profileIds })),
    );
    const ids = claims.flatMap((run) => (run === undefined ? [] : [run.runId]));
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await Promise.all(runs.map(() => a.runs.claim("late", { leaseS: 60, profileIds })));
    const late = rest.flatMap((run) => (run === undefined ? [] : [run.runId]));
    expect([...ids, ...late].toSorted()).toEqual(runs.map((run) => run.runId).toSorted());
  });

  test("takes a run up again whose owner is silent, with the articles in its hands; the old owner hears of it", async () => {
    const run = await running("dead");
    const { runId, profileId } = run;
    await a.frontier.discover(runId, profileId, [discovery("1"), discovery("2")]);
    expect(await a.frontier.take(profileId, { limit: 1, owner: "dead", leaseS: 600 })).toHaveLength(1);
    const claim = () => b.runs.claim("heir", { leaseS: 30, profileIds: [profileId] });
    await endLease(runId, 30);
    expect(await claim()).toBeUndefined();
    await endLease(runId, -1);
    expect(await claim()).toMatchObject({ runId, status: "running", startedAt: run.startedAt });
    const rows = await b.frontier.take(profileId, { limit: 5, owner: "heir", leaseS: 600 });
    // What was in the dead process's hands comes after what nobody has tried yet.
    expect(rows.map((row) => row.url)).toEqual(["https://desk.example/2", "https://desk.example/1"]);
    expect(await a.runs.heartbeat(runId, "dead", { leaseS: 60 })).toBe(false);
    expect(await a.runs.finish(runId, "dead", { status: "succeeded", counts: NO_COUNTS })).toBe(false);
    expect(await a.runs.release(runId, "dead")).toBe(false);
    expect(await b.runs.heartbeat(runId, "heir", { leaseS: 60 })).toBe(true);
  });

  test("a silent run is taken up by one of many", async () => {
    const { runId, profileId } = await running("dead");
    await endLease(runId, -1);
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? a : b).runs.claim(`h${i}`, { leaseS: 30, profileIds: [profileId] }),
      ),
    );
    expect(claims.filter((run) => run !== undefined)).toHaveLength(1);
  });
});

describe("a run whose process ends each time", () => {
  const claimAndDie = async (profileId: string) => {
    const run = await b.runs.claim("victim", { leaseS: 60, profileIds: [profileId] });
    if (run === undefined) return undefined;
    await b.frontier.take(profileId, { limit: 1, owner: "victim", leaseS: 600 });
    await endLease(run.runId, -1);
    return run.attempts;
  };

  test("is begun five times, then ended as failed with the reason, and the article in its hands with it", async () => {
    const { runId, profileId } = await queued(newProfile());
    await a.frontier.discover(runId, profileId, [discovery("poison")]);
    const begun: unknown[] = [];
    for (let i = 0; i < 6; i++) begun.push(await claimAndDie(profileId));
    expect(begun).toEqual([1, 2, 3, 4, 5, undefined]);
    expect(await a.runs.giveUp({ profileIds: [profileId] })).toMatchObject([{ runId, status: "failed", attempts: 5 }]);
    expect(await a.runs.get(runId)).toMatchObject({
      status: "failed",
      error: "given up: its process ended 5 times while it ran",
      finishedAt: expect.any(String),
    });
    expect(await a.runs.giveUp({ profileIds: [profileId] })).toEqual([]);
    const rows = await sql`select state, reason from scraper_frontier where profile_id = ${profileId}`;
    expect([...rows]).toEqual([{ state: "failed", reason: "process-ended" }]);
    expect(await queued(profileId)).toMatchObject({ status: "queued", attempts: 0 });
  });

  test("is not given up while its fifth owner is alive, and one that was released each time is never", async () => {
    const { runId, profileId } = await queued(newProfile());
    for (let i = 0; i < 8; i++) {
      expect(await a.runs.claim("o", { leaseS: 60, profileIds: [profileId] })).toMatchObject({ attempts: 1 });
      await a.runs.release(runId, "o");
    }
    for (let i = 0; i < 5; i++) await claimAndDie(profileId);
    await endLease(runId, 60);
    expect(await a.runs.giveUp({ profileIds: [profileId] })).toEqual([]);
    expect(await a.runs.get(runId)).toMatchObject({ status: "running" });
  });
});

describe("a run in work", () => {
  test("is another's to claim no more after a heartbeat, and keeps its end", async () => {
    const { runId, profileId } = await running("o");
    const counts = { ...NO_COUNTS, discovered: 12, fetched: 3 };
    await endLease(runId, -1);
    expect(await a.runs.heartbeat(runId, "o", { leaseS: 60 })).toBe(true);
    expect(await a.runs.claim("other", { leaseS: 30, profileIds: [profileId] })).toBeUndefined();
    const end = { status: "partial" as const, counts: { ...counts, failed: 1 }, error: "one\u0000 of twelve" };
    expect(await a.runs.finish(runId, "o", end)).toBe(true);
    const over = await b.runs.get(runId);
    expect(over).toMatchObject({ status: "partial", counts: end.counts, error: "one of twelve" });
    expect(over?.finishedAt).not.toBeNull();
    expect(await a.runs.heartbeat(runId, "o", { leaseS: 60 })).toBe(false);
  });

  test("counts what is found, kept and settled for it, each once, together with the rows", async () => {
    const { runId, profileId } = await running("o");
    const [first, second, third] = [discovery("1"), discovery("2"), discovery("3")];
    const urls = [first, second, third];
    await a.frontier.discover(runId, profileId, urls);
    await a.frontier.discover(runId, profileId, urls);
    const counts = { fetched: 1, extracted: 1 };
    expect(await a.items.keep(newItem(profileId, "1", { runId, counts }))).toBe("new");
    expect(await a.items.keep(newItem(profileId, "1", { runId, counts }))).toBe("unchanged");
    await a.items.keep(newItem(profileId, "not counted", { runId }));
    const failed = { state: "failed" as const, counted: { runId, counts: { fetched: 1, failed: 1 } } };
    await Promise.all([
      a.frontier.settle(profileId, second.url, failed),
      b.frontier.settle(profileId, second.url, failed),
      b.frontier.settle(profileId, third.url, { state: "retry", counted: { runId, counts: { fetched: 1 } } }),
    ]);
    expect((await b.runs.get(runId))?.counts).toEqual({
      ...NO_COUNTS,
      ...{ discovered: 3, fetched: 4, extracted: 2, skipped: 1, failed: 1 },
    });
    await a.runs.finish(runId, "o", { status: "succeeded", counts: NO_COUNTS });
    await a.frontier.settle(profileId, third.url, failed);
    expect((await b.runs.get(runId))?.counts).toEqual(NO_COUNTS);
  });

  test("may be ended twice by its owner, and in no other way", async () => {
    const { runId } = await running("o");
    const end = { status: "succeeded" as const, counts: NO_COUNTS };
    expect(await a.runs.finish(runId, "o", end)).toBe(true);
    expect(await a.runs.finish(runId, "o", end)).toBe(true);
    expect(await a.runs.finish(runId, "o", { ...end, status: "failed" })).toBe(false);
  });

  test("can be released, to be claimed by the next with what was in hand", async () => {
    const { runId, profileId } = await running("stopping");
    await a.frontier.discover(runId, profileId, [discovery("1")]);
    await a.frontier.take(profileId, { limit: 1, owner: "stopping", leaseS: 600 });
    expect(await a.runs.release(runId, "stopping", { counts: { ...NO_COUNTS, discovered: 1 } })).toBe(true);
    expect(await b.runs.get(runId)).toMatchObject({ status: "queued", counts: { discovered: 1 } });
    expect((await b.runs.claim("next", { leaseS: 60, profileIds: [profileId] }))?.runId).toBe(runId);
    expect(await b.frontier.take(profileId, { limit: 1, owner: "next", leaseS: 600 })).toHaveLength(1);
  });
});

describe("listing runs", () => {
  const over = async (profileId: string, status: "succeeded" | "failed", fields: Partial<NewRun> = {}) => {
    const { runId } = await queued(profileId, fields);
    await a.runs.claim("o", { leaseS: 60, profileIds: [profileId] });
    await a.runs.finish(runId, "o", { status, counts: NO_COUNTS, error: status === "failed" ? `of ${runId}` : null });
    return runId;
  };

  test("gives the newest first, page by page, whatever is added meanwhile", async () => {
    const profileId = newProfile();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push(await over(profileId, "succeeded"));
    const first = await b.runs.list({ profileId, limit: 2 });
    expect(first.runs.map((run) => run.runId)).toEqual(made.slice(3).toReversed());
    await over(profileId, "succeeded");
    const pages: string[] = [];
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await b.runs.list({ profileId, limit: 2, cursor });
      pages.push(...page.runs.map((run) => run.runId));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(made.slice(0, 3).toReversed());
  });

  test("filters by status, trigger and time, bounds included", async () => {
    const profileId = newProfile();
    const failed = await over(profileId, "failed", { trigger: "schedule" });
    const fine = await over(profileId, "succeeded", { trigger: "api" });
    const waits = (await queued(profileId, { trigger: "cli" })).runId;
    const ids = async (filter: Partial<Parameters<typeof a.runs.list>[0]>) =>
      (await a.runs.list({ profileId, limit: 10, ...filter })).runs.map((run) => run.runId);
    expect(await ids({})).toEqual([waits, fine, failed]);
    expect(await ids({ status: "failed" })).toEqual([failed]);
    expect(await ids({ trigger: "cli" })).toEqual([waits]);
    await sql`update scraper_runs set created_at = '2026-01-02T00:00:00Z' where run_id = ${fine}`;
    expect(await ids({ until: "2026-01-02T00:00:00Z" })).toEqual([fine]);
    expect(await ids({ since: "2026-01-02T00:00:00.001Z" })).toEqual([waits, failed]);
    expect(await ids({ since: "2026-01-02T00:00:00Z" })).toEqual([waits, fine, failed]);
  });

  test("throws for a cursor that it has not given out", async () => {
    const error = await a.runs.list({ limit: 1, cursor: "1; drop table scraper_runs" }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InvalidCursorError);
  });

  test("names the latest run and the latest error of each profile", async () => {
    const [plain, broken, unused] = [newProfile(), newProfile(), newProfile()];
    await over(plain, "succeeded");
    const last = await over(plain, "succeeded");
    await over(broken, "failed");
    const error = await over(broken, "failed");
    const mended = await over(broken, "succeeded");
    const latest = await b.runs.latest([plain, broken, unused]);
    expect([...latest].map(([profileId, run]) => [profileId, run.runId]).toSorted()).toEqual(
      [
        [plain, last],
        [broken, mended],
      ].toSorted(),
    );
    const errors = await b.runs.lastErrors([plain, broken, unused]);
    expect([...errors.values()]).toMatchObject([{ profileId: broken, runId: error, error: `of ${error}` }]);
  });
});
