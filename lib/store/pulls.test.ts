import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { NO_PULL_COUNTS, type PullRun } from "./pulls.ts";
import { testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

let serial = 0;

const key = () => `source-${++serial}`;
const request = (sourceKey: string, options = {}) =>
  store.pulls.request({ sourceKey, provider: "rss", trigger: "cli", options });
const start = (sourceKey: string, owner: string, leaseS = 60) =>
  store.pulls.start({ sourceKey, provider: "rss", trigger: "cli" }, { owner, leaseS });

/** Closes whatever waits or is in work, so that a test's claims find only what it asked for. */
async function clear(): Promise<void> {
  await sql`update pull_runs set status = 'failed', finished_at = now() where status in ('queued', 'running')`;
}

/** Makes the owner of a run look silent for an hour. */
async function silence(runId: string): Promise<void> {
  await sql`update pull_runs set lease_until = now() - interval '1 hour' where run_id = ${runId}`;
}

function begun(outcome: { run: PullRun } | { running: PullRun }): PullRun {
  if ("running" in outcome) throw new Error("the source is held");
  return outcome.run;
}

describe("the lock of a source", () => {
  test("of many that start at once exactly one holds it, and the others are told which", async () => {
    const source = key();
    const owners = Array.from({ length: 8 }, (_, n) => `owner-${n}`);
    const outcomes = await Promise.all(owners.map((owner) => start(source, owner)));
    const held = outcomes.flatMap((outcome) => ("run" in outcome ? [outcome.run.runId] : []));
    const refused = outcomes.flatMap((outcome) => ("running" in outcome ? [outcome.running.runId] : []));
    expect(held).toHaveLength(1);
    expect(refused).toEqual(Array.from({ length: 7 }, () => held[0] ?? ""));
  });

  test("is free again when the pull has ended, however it ended", async () => {
    const source = key();
    for (const status of ["succeeded", "failed"] as const) {
      const run = begun(await start(source, "a"));
      expect(await store.pulls.finish(run.runId, "a", { status, counts: NO_PULL_COUNTS })).toBe(true);
    }
    expect((await store.pulls.list({ sourceKey: source })).map(({ status }) => status)).toEqual([
      "failed",
      "succeeded",
    ]);
  });

  test("goes over when its owner is silent for longer than the lease; the owner of then can do nothing more", async () => {
    const source = key();
    const first = begun(await start(source, "a"));
    expect(await start(source, "b")).toHaveProperty("running");
    await silence(first.runId);
    const second = begun(await start(source, "b"));
    expect(await store.pulls.get(first.runId)).toMatchObject({ status: "failed", error: "its process ended" });
    expect(await store.pulls.heartbeat(first.runId, { owner: "a", leaseS: 60 }, NO_PULL_COUNTS)).toBe(false);
    const end = { status: "succeeded", counts: NO_PULL_COUNTS, state: { etag: "a" } } as const;
    expect(await store.pulls.finish(first.runId, "a", end)).toBe(false);
    expect(await store.pulls.state(source)).toBeUndefined();
    expect(await store.pulls.heartbeat(second.runId, { owner: "b", leaseS: 60 }, NO_PULL_COUNTS)).toBe(true);
  });
});

describe("pulls that are asked for", () => {
  test("wait until one owner takes them, the oldest first", async () => {
    await clear();
    const [a, b] = [key(), key()];
    await request(a);
    await request(b);
    const holder = { owner: "w", leaseS: 60 };
    const taken = [await store.pulls.claim(holder), await store.pulls.claim(holder), await store.pulls.claim(holder)];
    expect(taken.map((run) => run?.sourceKey)).toEqual([a, b, undefined]);
    expect(taken[0]).toMatchObject({ status: "running", attempts: 1, startedAt: expect.any(String) });
  });

  test("asked for twice they wait once; other options are another pull", async () => {
    await clear();
    const source = key();
    const first = await request(source);
    const again = await request(source);
    const other = await request(source, { mode: "archive", from: "2024-01-01" });
    expect([first.fresh, again.fresh, other.fresh]).toEqual([true, false, true]);
    expect(again.run.runId).toBe(first.run.runId);
    expect(other.run.options).toEqual({ mode: "archive", from: "2024-01-01" });
  });

  test("of one source are never in work together, whoever claims them at once", async () => {
    await clear();
    const source = key();
    for (let n = 0; n < 4; n++) await request(source, { n });
    const claims = () =>
      Promise.all(Array.from({ length: 6 }, (_, n) => store.pulls.claim({ owner: `w-${n}`, leaseS: 60 })));
    for (let round = 0; round < 4; round++) {
      const taken = (await claims()).map((run, n) => ({ run, owner: `w-${n}` })).filter(({ run }) => run !== undefined);
      expect(taken).toHaveLength(1);
      const [only] = taken;
      await store.pulls.finish(only?.run?.runId ?? "", only?.owner ?? "", {
        status: "succeeded",
        counts: NO_PULL_COUNTS,
      });
    }
    expect(await store.pulls.claim({ owner: "w", leaseS: 60 })).toBeUndefined();
  });

  test("are taken up again when their owner falls silent, and given up when that happens each time", async () => {
    await clear();
    const { run } = await request(key());
    for (let attempt = 1; attempt <= 5; attempt++) {
      const taken = await store.pulls.claim({ owner: `w-${attempt}`, leaseS: 60 });
      expect(taken).toMatchObject({ runId: run.runId, attempts: attempt });
      expect(await store.pulls.claim({ owner: "other", leaseS: 60 })).toBeUndefined();
      await silence(run.runId);
    }
    expect(await store.pulls.claim({ owner: "w-6", leaseS: 60 })).toBeUndefined();
    expect(await store.pulls.get(run.runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("given up"),
    });
  });

  test("given back they wait again; when the same waits already, that one will do", async () => {
    await clear();
    const source = key();
    await request(source);
    const taken = await store.pulls.claim({ owner: "w", leaseS: 60 });
    expect(await store.pulls.release(taken?.runId ?? "", "w")).toBe(true);
    const again = await store.pulls.claim({ owner: "w", leaseS: 60 });
    expect(again?.runId).toBe(taken?.runId ?? "");
    await request(source);
    expect(await store.pulls.release(again?.runId ?? "", "w")).toBe(true);
    expect(await store.pulls.get(again?.runId ?? "")).toMatchObject({ status: "failed" });
    expect(await store.pulls.claim({ owner: "w", leaseS: 60 })).toMatchObject({ sourceKey: source });
  });
});

describe("sources that are due", () => {
  const due = (everyS = 900) => store.pulls.requestDue({ providers: ["rss"], everyS });

  test("are asked for once, also by two processes at once, and only when active and of a pull provider", async () => {
    await clear();
    await sql`delete from sources`;
    await store.sources.upsert([
      { key: "due-a", provider: "rss" },
      { key: "due-b", provider: "rss" },
      { key: "due-inactive", provider: "rss", active: false },
      { key: "due-push", provider: "scraper-push" },
      { key: "due-none" },
    ]);
    const asked = await Promise.all([due(), due(), due()]);
    expect(asked.toSorted()).toEqual([0, 0, 2]);
    const first = await store.pulls.claim({ owner: "w", leaseS: 60 });
    expect(first).toMatchObject({ sourceKey: "due-a", provider: "rss", trigger: "schedule", options: {} });
    await store.pulls.finish(first?.runId ?? "", "w", { status: "succeeded", counts: NO_PULL_COUNTS });
    expect(await due()).toBe(0);
    await sql`update pull_runs set created_at = created_at - interval '901 seconds' where run_id = ${first?.runId ?? ""}`;
    expect(await due()).toBe(1);
  });

  test("a pull with options does not stand in for the regular one", async () => {
    await clear();
    await sql`delete from sources`;
    const source = key();
    await store.sources.upsert([{ key: source, provider: "rss" }]);
    await request(source, { mode: "archive" });
    expect(await due()).toBe(1);
  });
});

describe("the record", () => {
  test("carries the counts of the last heartbeat, then those of the end, and the error in one storable text", async () => {
    const source = key();
    const run = begun(await start(source, "a"));
    const counted = { ...NO_PULL_COUNTS, discovered: 3, accepted: 2 };
    await store.pulls.heartbeat(run.runId, { owner: "a", leaseS: 60 }, counted);
    expect((await store.pulls.get(run.runId))?.counts).toMatchObject({ discovered: 3, accepted: 2, failed: 0 });
    const counts = { discovered: 4, accepted: 2, duplicate: 1, conflict: 1, failed: 0 };
    await store.pulls.finish(run.runId, "a", {
      status: "partial",
      counts,
      error: `feed\u0000 gone ${"x".repeat(2_000)}`,
    });
    const [record] = await store.pulls.list({ sourceKey: source, limit: 1 });
    expect(record).toMatchObject({ status: "partial", counts, finishedAt: expect.any(String) });
    expect(record?.error).toStartWith("feed gone");
    expect(record?.error).toHaveLength(1_000);
    expect((await store.pulls.latest()).get(source)?.runId).toBe(run.runId);
  });

  test("closing twice keeps the first state; a state stays when a later pull brings none", async () => {
    const source = key();
    const run = begun(await start(source, "a"));
    const end = { status: "succeeded", counts: NO_PULL_COUNTS, state: { etag: '"1"' } } as const;
    expect(await store.pulls.finish(run.runId, "a", end)).toBe(true);
    expect(await store.pulls.finish(run.runId, "a", end)).toBe(true);
    const next = begun(await start(source, "a"));
    await store.pulls.finish(next.runId, "a", { status: "failed", counts: NO_PULL_COUNTS, error: "gone" });
    expect(await store.pulls.state(source)).toEqual({ etag: '"1"' });
  });

  test("old pulls are dropped, but never the last one of a source", async () => {
    const source = key();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const run = begun(await start(source, "a"));
      ids.push(run.runId);
      await store.pulls.finish(run.runId, "a", { status: "succeeded", counts: NO_PULL_COUNTS });
    }
    await sql`update pull_runs set finished_at = now() - interval '2 days' where source_key = ${source}`;
    await store.pulls.prune({ olderThanS: 86_400 });
    expect((await store.pulls.list({ sourceKey: source })).map(({ runId }) => runId)).toEqual([ids[2] ?? ""]);
  });
});
