import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { createMetrics, createRunner, type RunnerOptions } from "@isnad/lib/service/process";
import { NO_COUNTS, NO_DETAILS, type Run, type Store } from "@isnad/lib/store";
import { type TestStore, testStore } from "@isnad/lib/store/testing";
import type { Crawler } from "./crawl/types.ts";
import { scraperMetrics } from "./metrics.ts";
import { createScheduler, lastSlot, nextSlot, type RunDeps, runWork } from "./scheduler.ts";
import { collectingLogger, endLeases } from "./testing/scraper.ts";
import { testProfile, testProfiles } from "./testing/profiles.ts";

describe("scheduler", () => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await testStore();
    store = opened.store;
  }, 300_000);
  afterAll(() => opened.close());

  /** A name that no other test uses: schedules and runs are kept by profile. */
  let name: string;
  beforeEach(() => {
    name = `p-${randomUUID().slice(0, 8)}`;
  });

  const MINUTE = 60_000;

  /**
   * A scheduler at a time that the test sets; runs created now have the database's time, so tests begin at the present
   * hour.
   */
  function scheduled(over: Record<string, unknown> = {}) {
    const profiles = testProfiles(testProfile({ name, schedule: "0 * * * *", ...over }));
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const clock = { at: hour + 30 * MINUTE, now: () => clock.at, pause: async () => undefined };
    const { logger, lines } = collectingLogger();
    let queued = 0;
    const make = () =>
      createScheduler({
        profiles,
        store: store.scraper,
        sourcesOff: store.sourceStates.off,
        logger,
        clock,
        onQueued: () => queued++,
      });
    return { profiles, clock, hour, lines, make, queued: () => queued, ...make() };
  }

  const runsOf = async () => (await store.scraper.runs.list({ profileId: name, limit: 50 })).runs;

  /** Ends the profile's run, as if it had been executed. */
  async function endRun(): Promise<void> {
    const owner = randomUUID();
    const run = await store.scraper.runs.claim(owner, { leaseS: 3_600, profileIds: [name] });
    if (run === undefined) throw new Error("there is no run to end");
    await store.scraper.runs.finish(run.runId, owner, { status: "succeeded", counts: run.counts });
  }

  describe("the scheduler", () => {
    test("queues a run at each slot, once, and tells", async () => {
      const { tick, clock, hour, queued } = scheduled();
      await tick();
      expect(await runsOf()).toEqual([]);
      clock.at = hour + 60 * MINUTE;
      await tick();
      await tick();
      expect(await runsOf()).toEqual([
        expect.objectContaining({ profileId: name, trigger: "schedule", status: "queued" }),
      ]);
      expect(queued()).toBe(1);
      await endRun();
      clock.at = hour + 119 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(1);
      clock.at = hour + 120 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(2);
    });

    test("leaves a profile alone while its source is off or removed, and makes up for nothing afterwards", async () => {
      const key = `${name}-source`;
      const { tick, clock, hour } = scheduled({
        source: { id: key, name: "S", tier: 2, homepage: "https://s.example/" },
      });
      await store.sources.upsert([{ key, provider: "scraper-push" }]);
      await tick();
      await store.sourceStates.switch(key, false);
      clock.at = hour + 60 * MINUTE;
      await tick();
      await store.sourceStates.switch(key, true);
      clock.at = hour + 90 * MINUTE;
      await tick();
      expect(await runsOf()).toEqual([]);
      clock.at = hour + 120 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(1);
      expect((await store.sourceStates.overviews({ key, limit: 1 }))[0]?.lastPull).toMatchObject({ by: "scraper" });
      await endRun();
      await store.sourceStates.remove(key);
      clock.at = hour + 180 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(1);
    });

    test("skips a slot while the profile's run goes on, and says so", async () => {
      const { tick, clock, hour, lines } = scheduled();
      await tick();
      const { runId } = await runOf({ profileId: name, provider: name, trigger: "api" });
      clock.at = hour + 60 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(1);
      expect(lines).toContainEqual(
        expect.objectContaining({ msg: "slot skipped: the profile is still running", profile: name, run_id: runId }),
      );
      await endRun();
      await tick();
      expect(await runsOf()).toHaveLength(1);
    });

    test("several processes at one slot queue one run", async () => {
      const { clock, hour, make } = scheduled();
      const schedulers = Array.from({ length: 5 }, () => make());
      for (const { tick } of schedulers) await tick();
      clock.at = hour + 60 * MINUTE;
      await Promise.all(schedulers.map(({ tick }) => tick()));
      await endRun();
      await Promise.all(schedulers.map(({ tick }) => tick()));
      expect(await runsOf()).toHaveLength(1);
    });

    test("after a downtime the last slot that was missed is made up for, once", async () => {
      const first = scheduled();
      await runOf({ profileId: name, provider: name, trigger: "api" });
      await endRun();
      first.clock.at = first.hour + 330 * MINUTE;
      const restarted = first.make();
      await restarted.tick();
      await endRun();
      await restarted.tick();
      await first.make().tick();
      const [made, ...others] = await runsOf();
      expect(made?.trigger).toBe("schedule");
      expect(others).toHaveLength(1);
    });

    test("a start with no slot missed since the last run queues none", async () => {
      const { tick, clock, hour } = scheduled();
      await runOf({ profileId: name, provider: name, trigger: "api" });
      await endRun();
      clock.at = Math.max(clock.at, Math.min(Date.now() + 1, hour + 60 * MINUTE - 1));
      await tick();
      expect(await runsOf()).toHaveLength(1);
    });

    test("a profile that was never run waits for its next slot", async () => {
      const { tick, clock, hour } = scheduled({ schedule: "0 0 * * *" });
      clock.at = hour;
      await tick();
      await tick();
      expect(await runsOf()).toEqual([]);
    });

    test("one that is not enabled has no slots; once it is, they count from then on", async () => {
      const { tick, clock, hour, profiles } = scheduled({ enabled: false });
      await tick();
      clock.at = hour + 61 * MINUTE;
      await tick();
      profiles.put(testProfile({ name, schedule: "0 * * * *" }));
      await tick();
      expect(await runsOf()).toEqual([]);
      clock.at = hour + 120 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(1);
    });

    test("with another schedule, slots that would have passed today do not count", async () => {
      const { tick, clock, hour, profiles } = scheduled();
      await tick();
      profiles.put(testProfile({ name, schedule: "15 * * * *" }));
      await tick();
      expect(await runsOf()).toEqual([]);
      clock.at = hour + 75 * MINUTE;
      await tick();
      expect(await runsOf()).toHaveLength(1);
    });

    test("a slot whose run could not be queued is tried again", async () => {
      const profiles = testProfiles(testProfile({ name, schedule: "0 * * * *" }));
      const { clock, hour } = scheduled();
      let fail = true;
      const runs = {
        ...store.scraper.runs,
        create: (run: Parameters<typeof store.scraper.runs.create>[0]) =>
          fail ? Promise.reject(new Error("connection lost")) : store.scraper.runs.create(run),
      };
      const { logger } = collectingLogger();
      const { tick } = createScheduler({ profiles, store: { ...store.scraper, runs }, logger, clock });
      await tick();
      clock.at = hour + 60 * MINUTE;
      await expect(tick()).rejects.toThrow("connection lost");
      fail = false;
      await tick();
      await tick();
      expect(await runsOf()).toHaveLength(1);
    });

    test("waits for the next slot, no longer than half a minute, and looks again after a reload and an error", async () => {
      const stop = new AbortController();
      const waits: number[] = [];
      const profiles = testProfiles(testProfile({ name, schedule: "0 * * * *" }));
      const { logger, lines } = collectingLogger();
      let at = Date.parse("2026-01-01T00:59:50.000Z");
      let looks = 0;
      const latest = async () => {
        if (++looks === 1) throw new Error("connection lost");
        return new Map();
      };
      const clock = {
        now: () => at,
        pause: async (ms: number, signal: AbortSignal) => {
          waits.push(ms);
          if (waits.length === 2) {
            const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
            profiles.put(testProfile({ name, schedule: "0 0 * * *" }));
            await aborted;
          }
          if (waits.length === 4) stop.abort();
          at += 1;
        },
      };
      const scheduler = createScheduler({
        profiles,
        store: { ...store.scraper, runs: { ...store.scraper.runs, latest } },
        logger,
        clock,
      });
      await scheduler.run(stop.signal);
      expect(waits).toEqual([1000, 9_999, 30_000, 30_000]);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: "warn", msg: expect.stringContaining("tried again") }),
      );
    });
  });

  describe("a clock that jumps", () => {
    const DAY = 1_440 * MINUTE;

    /** Slots of the next hours for which a run is queued, by a scheduler and by one that is started meanwhile. */
    async function slotsAfter(
      jump: number,
    ): Promise<{ runs: number; restarted: number; lines: Record<string, unknown>[] }> {
      const { tick, make, clock, hour, lines } = scheduled();
      await tick();
      clock.at += jump;
      await tick();
      clock.at -= jump - MINUTE;
      await tick();
      const idle = async () => {
        if ((await runsOf()).some(({ status }) => status === "queued")) await endRun();
      };
      await idle();
      const before = (await runsOf()).length;
      for (let i = 2; i <= 6; i++) {
        clock.at = hour + i * 30 * MINUTE;
        await tick();
        await idle();
      }
      const runs = (await runsOf()).length - before;
      const other = make();
      await other.tick();
      await idle();
      const between = (await runsOf()).length;
      clock.at = hour + 240 * MINUTE;
      await Promise.all([tick(), other.tick()]);
      return { runs, restarted: (await runsOf()).length - between, lines };
    }

    test.each([
      ["a day ahead", DAY],
      ["ten years ahead", 3_650 * DAY],
      ["a day back", -DAY],
      ["ten years back", -3_650 * DAY],
    ])("%s for one tick silences no slot, here or elsewhere, and is logged", async (_, jump) => {
      const { runs, restarted, lines } = await slotsAfter(jump);
      expect(runs).toBe(3);
      expect(restarted).toBe(1);
      const jumps = lines.filter(({ level, jump_ms: ms }) => level === "warn" && ms !== undefined);
      expect(jumps.slice(0, 2).map(({ jump_ms: ms }) => ms)).toEqual([jump, MINUTE - jump]);
    });

    test("by less than a slot gives no slot twice", async () => {
      const { tick, clock, hour } = scheduled();
      await tick();
      clock.at = hour + 60 * MINUTE;
      await tick();
      await endRun();
      for (const ms of [-5, 10, -59_000, 60_000]) {
        clock.at += ms;
        await tick();
      }
      expect(await runsOf()).toHaveLength(1);
    });

    test("at the change of summer time is none: every hour has its slot", async () => {
      for (const day of ["2026-03-29", "2026-10-25"]) {
        name = `p-${randomUUID().slice(0, 8)}`;
        const { tick, clock, lines } = scheduled({ timezone: "Europe/Berlin" });
        const start = Date.parse(`${day}T00:00:00Z`) - 1;
        clock.at = start;
        await tick();
        for (let minutes = 1; minutes <= 240; minutes += 1) {
          clock.at = start + minutes * MINUTE;
          await tick();
          if (lines.at(-1)?.msg === "run queued by schedule" && minutes % 60 === 1) await endRun();
        }
        expect(await runsOf()).toHaveLength(4);
        expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
      }
    });
  });

  async function runOf(run: Parameters<Store["scraper"]["runs"]["create"]>[0]) {
    const made = await store.scraper.runs.create(run);
    if ("running" in made) throw new Error("there is a run already");
    return made.run;
  }

  const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

  /** The slots within two times, found forwards and backwards. */
  function slots(schedule: string, timezone: string, from: string, to: string) {
    const due = { schedule, timezone };
    const forwards: (string | undefined)[] = [];
    for (
      let at = nextSlot(due, Date.parse(from) - 1);
      at !== undefined && at <= Date.parse(to);
      at = nextSlot(due, at)
    ) {
      forwards.push(iso(at));
    }
    const backwards: (string | undefined)[] = [];
    for (
      let at = lastSlot(due, Date.parse(to));
      at !== undefined && at >= Date.parse(from);
      at = lastSlot(due, at - 1)
    ) {
      backwards.unshift(iso(at));
    }
    expect(backwards).toEqual(forwards);
    return forwards;
  }

  describe("the slots of a schedule", () => {
    test("are those of the zone's clock", () => {
      expect(slots("30 6 * * *", "Asia/Amman", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")).toEqual([
        "2026-01-01T03:30:00.000Z",
        "2026-01-02T03:30:00.000Z",
      ]);
    });

    test("a fixed time that clocks skip in spring comes right after the gap", () => {
      expect(slots("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z")).toEqual([
        "2026-03-28T01:30:00.000Z",
        "2026-03-29T01:00:00.000Z",
        "2026-03-30T00:30:00.000Z",
      ]);
    });

    test("a fixed time that clocks repeat in autumn comes once", () => {
      expect(slots("30 2 * * *", "Europe/Berlin", "2026-10-24T00:00:00Z", "2026-10-26T12:00:00Z")).toEqual([
        "2026-10-24T00:30:00.000Z",
        "2026-10-25T00:30:00.000Z",
        "2026-10-26T01:30:00.000Z",
      ]);
    });

    test("an interval goes on evenly through both changes", () => {
      for (const day of ["2026-03-29", "2026-10-25"]) {
        const found = slots("*/30 * * * *", "Europe/Berlin", `${day}T00:00:00Z`, `${day}T03:00:00Z`);
        expect(found.map((slot) => slot?.slice(11, 16))).toEqual([
          "00:00",
          "00:30",
          "01:00",
          "01:30",
          "02:00",
          "02:30",
          "03:00",
        ]);
      }
    });

    test("a slot is past from its very moment on", () => {
      const due = { schedule: "*/5 * * * *", timezone: "UTC" };
      expect(iso(lastSlot(due, Date.parse("2026-01-01T00:05:00.000Z")))).toBe("2026-01-01T00:05:00.000Z");
      expect(iso(lastSlot(due, Date.parse("2026-01-01T00:04:59.999Z")))).toBe("2026-01-01T00:00:00.000Z");
      expect(iso(nextSlot(due, Date.parse("2026-01-01T00:05:00.000Z")))).toBe("2026-01-01T00:10:00.000Z");
    });
  });
});

describe("run work", () => {
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
          return await crawl(profile, run, {
            ...context,
            onProgress: ({ counts }) => onProgress?.({ counts, details }),
          });
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
});
