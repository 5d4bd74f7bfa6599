import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { createMetrics, createRunner, type RunnerOptions } from "@isnad/lib/service/process";
import { NO_COUNTS, NO_DETAILS, type Run, type Store } from "@isnad/lib/store";
import type { Crawler } from "../crawl/types.ts";
import { scraperMetrics } from "../metrics.ts";
import { type TestStore, testStore } from "@isnad/lib/store/testing";
import { collectingLogger, endLeases } from "../testing/process.ts";
import { testProfile, testProfiles } from "../testing/profiles.ts";
import { type RunDeps, runWork } from "./run-work.ts";

let opened: TestStore;
let store: Store;
beforeAll(async () => {
  opened = await testStore();
  store = opened.store;
}, 300_000);
afterAll(() => opened.close());

/** A profile that no other test runs. */
let name: string;
beforeEach(() => {
  name = `p-${randomUUID().slice(0, 8)}`;
});

/** What is logged of a run whose lease was lost. */
const LOST = "the lease was lost: the work is left to another process";

type Crawl = Crawler["crawl"];

/** A runner over this crawl, started, with its log and metrics. `stop()` resolves when it has ended. */
function running(
  crawl: Crawl,
  over: Partial<RunDeps & Pick<RunnerOptions, "concurrency" | "pollMs" | "heartbeatMs">> = {},
) {
  const profiles = testProfiles(testProfile({ name, provider: "prov" }), testProfile({ name: `${name}-2` }));
  const { logger, lines } = collectingLogger();
  const registry = createMetrics();
  const metrics = scraperMetrics(registry, { store: store.scraper, profiles });
  const stopping = new AbortController();
  const { leaseS = 60, concurrency = 2, pollMs = 20, heartbeatMs = 20_000, ...deps } = over;
  const runs = { ...store.scraper.runs, claim: claimOwn(leaseS) };
  const work = runWork({ store: runs, profiles, crawler: { crawl }, logger, metrics, leaseS, ...deps });
  const runner = createRunner(work, { logger, instance: "test", concurrency, leaseS, pollMs, heartbeatMs });
  const ended = runner.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  return { runner, stop, lines, metricLines: async () => (await registry.metrics()).split("\n") };
}

/** Takes up only this test's runs: the database is shared with the others of this file. */
function claimOwn(leaseS: number) {
  const profileIds = [name, `${name}-2`, `${name}-gone`];
  return (owner: string) => store.scraper.runs.claim(owner, { leaseS, profileIds });
}

async function queue(profileId = name): Promise<string> {
  const made = await store.scraper.runs.create({ profileId, provider: "prov", trigger: "api", limit: 7 });
  if ("running" in made) throw new Error("there is a run already");
  return made.run.runId;
}

async function runAt(runId: string, reached: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const run = await store.scraper.runs.get(runId);
    if (run !== undefined && reached(run)) return run;
    await Bun.sleep(5);
  }
}

const isOver = (run: Run) => run.finishedAt !== null;

/** A crawl that goes on until it is aborted, and says when it began. */
function endless() {
  const began = Promise.withResolvers<void>();
  const crawl: Crawl = async (_profile, _run, { signal, onProgress }) => {
    onProgress?.({ counts: { ...NO_COUNTS, discovered: 3 }, details: NO_DETAILS });
    began.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    throw signal.reason;
  };
  return { crawl, began: began.promise };
}

describe("a runner of runs", () => {
  test("takes up a queued run, hands the crawler profile and run, and writes its end", async () => {
    const seen: unknown[] = [];
    const { stop, lines, metricLines } = running(async (profile, run, { onProgress }) => {
      seen.push({ profile: profile.name, ...run });
      onProgress?.({ counts: { ...NO_COUNTS, discovered: 4, fetched: 2 }, details: NO_DETAILS });
      onProgress?.({ counts: { ...NO_COUNTS, discovered: 4, fetched: 3, skipped: 1 }, details: NO_DETAILS });
      return {
        status: "partial",
        counts: { ...NO_COUNTS, discovered: 4, fetched: 4, sent: 3, skipped: 1 },
        error: "1 of 4",
      };
    });
    const runId = await queue();
    const run = await runAt(runId, isOver);
    await stop();
    expect(run).toMatchObject({ status: "partial", error: "1 of 4", counts: { discovered: 4, fetched: 4, sent: 3 } });
    expect(seen).toEqual([
      expect.objectContaining({ profile: name, runId, limit: 7, owner: expect.stringMatching(/^test\/.{36}$/) }),
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: "run ended",
        run_id: runId,
        profile: name,
        trigger: "api",
        status: "partial",
        sent: 3,
      }),
    );
    expect(await metricLines()).toEqual(
      expect.arrayContaining([
        `scraper_runs_total{profile="${name}",outcome="partial"} 1`,
        'scraper_provider_requests_total{provider="prov",outcome="success"} 1',
        'scraper_items_total{stage="discover",outcome="found"} 4',
        'scraper_items_total{stage="fetch",outcome="ok"} 4',
        'scraper_items_total{stage="deliver",outcome="sent"} 3',
        'scraper_items_total{stage="extract",outcome="skipped"} 1',
        `scraper_run_duration_seconds_count{profile="${name}"} 1`,
      ]),
    );
  });

  test("keeps what a run says beside its counts, also while it goes on, and hands it on when the run is taken up", async () => {
    const { began, crawl } = endless();
    const details = {
      errors: [{ url: "https://a.test/1", reason: "http-500", at: "2026-01-01T00:00:00.000Z", retried: true }],
      feeds: [],
      selectors: { content: { matched: 1, unmatched: 2 } },
      tooOld: { metadata: 2 },
    };
    const first = running(
      async (profile, run, context) => {
        const { onProgress } = context;
        return await crawl(profile, run, { ...context, onProgress: ({ counts }) => onProgress?.({ counts, details }) });
      },
      { heartbeatMs: 20 },
    );
    const runId = await queue();
    await began;
    for (;;) {
      const run = await store.scraper.runs.get(runId);
      if (run?.errors.length === 1) break;
      await Bun.sleep(5);
    }
    await first.stop();
    const handed: unknown[] = [];
    const second = running(async (_profile, { errors, feeds, selectors, tooOld }) => {
      handed.push({ errors, feeds, selectors, tooOld });
      return { status: "succeeded", counts: NO_COUNTS, error: null };
    });
    await runAt(runId, isOver);
    await second.stop();
    expect(handed).toEqual([details]);
    expect(await store.scraper.runs.get(runId)).toMatchObject(details);
    expect(await first.metricLines()).toEqual(
      expect.arrayContaining([
        `scraper_selector_pages_total{profile="${name}",selector="content",outcome="matched"} 1`,
        `scraper_selector_pages_total{profile="${name}",selector="content",outcome="unmatched"} 2`,
      ]),
    );
  });

  test("is woken at once by a run that was queued here", async () => {
    const ended = Promise.withResolvers<void>();
    const { runner, stop } = running(
      async () => {
        ended.resolve();
        return { status: "succeeded", counts: NO_COUNTS, error: null };
      },
      { pollMs: 3_600_000 },
    );
    await queue();
    runner.wake();
    await ended.promise;
    await stop();
  });

  test("a crawl that throws ends the run as failed, with the reason", async () => {
    const { stop, metricLines } = running(async (_profile, _run, { onProgress }) => {
      onProgress?.({ counts: { ...NO_COUNTS, discovered: 2 }, details: NO_DETAILS });
      throw new RangeError("no such thing");
    });
    const run = await runAt(await queue(), isOver);
    await stop();
    expect(run).toMatchObject({ status: "failed", error: "RangeError: no such thing", counts: { discovered: 2 } });
    expect(await metricLines()).toContain('scraper_provider_requests_total{provider="prov",outcome="failure"} 1');
  });

  test("a run whose profile is gone fails", async () => {
    const { stop } = running(endless().crawl);
    const run = await runAt(await queue(`${name}-gone`), isOver);
    await stop();
    expect(run).toMatchObject({ status: "failed", error: `there is no profile ${name}-gone` });
  });

  test("when it is stopped the run goes back with its counts, and another takes it up", async () => {
    const { crawl, began } = endless();
    const first = running(crawl);
    const runId = await queue();
    await began;
    await first.stop();
    const given = await runAt(runId, () => true);
    expect(given).toMatchObject({ status: "queued", counts: { discovered: 3 } });
    expect(first.lines).toContainEqual(expect.objectContaining({ msg: "work is given back", run_id: runId }));
    const second = running(async (_profile, { counts }) => ({
      status: "succeeded",
      counts: { ...NO_COUNTS, ...counts, sent: 3 },
      error: null,
    }));
    expect(await runAt(runId, isOver)).toMatchObject({ status: "succeeded", counts: { discovered: 3, sent: 3 } });
    await second.stop();
  });

  test("a run whose process has fallen silent is taken up by another, and the first one stops", async () => {
    const { crawl, began } = endless();
    const { runs } = store.scraper;
    let mute = true;
    const heartbeat: typeof runs.heartbeat = async (...args) => (mute ? true : await runs.heartbeat(...args));
    // With room for one, so that it does not take the run up itself.
    const silent = { concurrency: 1, heartbeatMs: 20, store: { ...runs, claim: claimOwn(60), heartbeat } };
    const first = running(crawl, silent);
    const runId = await queue();
    await began;
    await endLeases(opened.sql.unsafe);
    const second = running(async () => ({ status: "succeeded", counts: NO_COUNTS, error: null }));
    expect(await runAt(runId, isOver)).toMatchObject({ status: "succeeded" });
    mute = false;
    while (!first.lines.some(({ msg }) => msg === LOST)) await Bun.sleep(5);
    await first.stop();
    await second.stop();
  });

  test("a run that goes on is not taken up by another: each of its heartbeats renews the whole lease", async () => {
    const { crawl, began } = endless();
    const first = running(crawl, { concurrency: 1, heartbeatMs: 20 });
    const runId = await queue();
    await began;
    const left = async () => {
      const [row] = await opened.sql<{ s: number }[]>`
        select extract(epoch from lease_until - now())::float8 as s from scraper_runs where run_id = ${runId}`;
      return row?.s ?? 0;
    };
    for (let beats = 0; beats < 5; beats++) {
      await endLeases(opened.sql.unsafe);
      while ((await left()) < 30) await Bun.sleep(5);
      expect(await claimOwn(1)(randomUUID())).toBeUndefined();
    }
    await first.stop();
    expect(await store.scraper.runs.get(runId)).toMatchObject({ status: "queued", attempts: 0 });
  });

  test("stops a crawl whose heartbeats cannot be written for longer than its lease", async () => {
    const { crawl, began } = endless();
    const heartbeat = async () => Promise.reject(new Error("connection lost"));
    const { stop, lines } = running(crawl, {
      leaseS: 0.1,
      store: { ...store.scraper.runs, claim: claimOwn(60), heartbeat },
    });
    const runId = await queue();
    await began;
    const left = { msg: LOST, run_id: runId };
    while (!lines.some((line) => line.msg === left.msg)) await Bun.sleep(5);
    expect(lines).toContainEqual(expect.objectContaining(left));
    expect(lines).toContainEqual(expect.objectContaining({ level: "warn", run_id: runId }));
    await stop();
  });

  test("goes through as many runs at a time as it may", async () => {
    let together = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const { stop } = running(async () => {
      most = Math.max(most, ++together);
      if (together === 2) both.resolve();
      await both.promise;
      together--;
      return { status: "succeeded", counts: NO_COUNTS, error: null };
    });
    const ids = await Promise.all([queue(), queue(`${name}-2`)]);
    await Promise.all(ids.map((id) => runAt(id, isOver)));
    await stop();
    expect(most).toBe(2);
  });

  test("with room for one, the second run waits for the first", async () => {
    const order: string[] = [];
    const { stop } = running(
      async (profile) => {
        order.push(`${profile.name} begins`);
        await Bun.sleep(1);
        order.push(`${profile.name} ends`);
        return { status: "succeeded", counts: NO_COUNTS, error: null };
      },
      { concurrency: 1 },
    );
    const ids = [await queue(), await queue(`${name}-2`)];
    await Promise.all(ids.map((id) => runAt(id, isOver)));
    await stop();
    expect(order).toEqual([`${name} begins`, `${name} ends`, `${name}-2 begins`, `${name}-2 ends`]);
  });

  test("while the database is away it says so and goes on looking", async () => {
    let away = true;
    const lost = Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
    const own = claimOwn(60);
    const claim = (owner: string) => (away ? Promise.reject(lost) : own(owner));
    const { stop, lines } = running(async () => ({ status: "succeeded", counts: NO_COUNTS, error: null }), {
      store: { ...store.scraper.runs, claim },
    });
    const runId = await queue();
    while (!lines.some(({ msg }) => msg === "database cannot be reached")) await Bun.sleep(5);
    away = false;
    expect(await runAt(runId, isOver)).toMatchObject({ status: "succeeded" });
    await stop();
  });

  test("a database that fails in the middle of a crawl leaves the run to be taken up again", async () => {
    let tries = 0;
    const { stop } = running(async () => {
      if (++tries === 1) throw Object.assign(new Error("terminated"), { code: "57P01" });
      return { status: "succeeded", counts: NO_COUNTS, error: null };
    });
    expect(await runAt(await queue(), isOver)).toMatchObject({ status: "succeeded" });
    await stop();
    expect(tries).toBe(2);
  });
});
