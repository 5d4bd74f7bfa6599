import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createLogger, createMetrics } from "../service/process/mod.ts";
import { admitItems, queueWork, testItem, testStore } from "../store/testing.ts";
import type { WorkItem } from "../store/mod.ts";
import { createStages, type Stage, type StagesOptions } from "./stages.ts";
import { until } from "../std/testing-until.ts";

setDefaultTimeout(300_000);

const { store, sql, another, close } = await testStore();
const stops: (() => Promise<void>)[] = [];
const lines: Record<string, unknown>[] = [];
const logger = createLogger({
  service: "test",
  stream: { write: (line: string) => void lines.push(JSON.parse(line)) },
});

beforeEach(async () => {
  lines.length = 0;
  await sql`delete from articles`;
  await sql`delete from work`;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(close);

const stageOf = (over: Partial<Stage> = {}): Stage => {
  const stage: Stage = { name: "first", batch: 10, leaseS: 600, retry: { baseMs: 1, maxMs: 1 }, run: async () => ({}) };
  return { ...stage, ...over };
};

/** Runs the stages in a process of its own, as far as they can tell. */
function start(stages: readonly Stage[], over: Partial<StagesOptions> = {}) {
  const metrics = createMetrics();
  const options = { store, stages, logger, metrics, instance: `test-${stops.length}`, pollMs: 20, ...over };
  const running = createStages(options);
  const stopping = new AbortController();
  const ended = running.run(stopping.signal);
  const stop = async () => {
    stopping.abort(new Error("stop"));
    await ended;
  };
  stops.push(stop);
  return { ...running, metrics, stop };
}

async function queued(count: number, stage = "first"): Promise<number[]> {
  const items = Array.from({ length: count }, () => testItem());
  const ids = (await admitItems(store, items)).toSorted((a, b) => a - b);
  await sql`delete from work where article_id = any(${ids}::bigint[])`;
  await queueWork(sql, stage, ids);
  return ids;
}

type Row = { id: number; stage: string; attempts: number; reason: string | null; aside: boolean };
const rows = async () => [
  ...(await sql<Row[]>`
    select article_id as id, stage, attempts, reason, set_aside_at is not null as aside from work order by 1, 2`),
];

const empty = () => until("no work is left", async () => (await rows()).length === 0);
const idsOf = (items: readonly WorkItem[]) => items.map(({ articleId }) => articleId);

test("an article goes through its stages in their order, the newest first, and to all that follow one", async () => {
  const seen: [string, number][] = [];
  const noting = (name: string, after?: string) =>
    stageOf({
      name,
      ...(after !== undefined && { after }),
      batch: 1,
      run: async (items) => {
        for (const id of idsOf(items)) seen.push([name, id]);
        return {};
      },
    });
  const [old = 0, late = 0] = await queued(2);
  const { metrics } = start([noting("first"), noting("second", "first"), noting("third", "first")], { pollMs: 60_000 });
  await empty();
  expect(seen.filter(([name]) => name === "first")).toEqual([
    ["first", late],
    ["first", old],
  ]);
  expect(seen.map(([name, id]) => `${name} ${id}`).sort()).toEqual(
    ["first", "second", "third"].flatMap((name) => [`${name} ${old}`, `${name} ${late}`]).sort(),
  );
  expect(await metrics.metrics()).toContain('worker_stage_articles_total{stage="third",outcome="done"} 2');
});

test("a batch that fails is tried article by article, and the one to blame is set aside with its reason", async () => {
  const ids = await queued(5);
  const [, poison = 0] = ids;
  const runs: number[][] = [];
  const { metrics, measure } = start([
    stageOf({
      run: async (items) => {
        runs.push(idsOf(items));
        if (idsOf(items).includes(poison)) throw new Error("it is odd");
        return {};
      },
    }),
    stageOf({ name: "second", after: "first", run: undefined }),
  ]);
  await until("it is set aside", async () => (await rows()).some(({ aside }) => aside));
  await until("the others went on", async () => (await rows()).filter(({ stage }) => stage === "second").length === 4);
  expect(runs[0]).toHaveLength(5);
  expect(runs.slice(1).every((run) => run.length === 1)).toBe(true);
  expect(runs.filter((run) => run.includes(poison))).toHaveLength(5);
  expect((await rows()).find(({ id }) => id === poison)).toMatchObject({
    attempts: 5,
    reason: "it is odd",
    aside: true,
  });
  await measure();
  const text = await metrics.metrics();
  expect(text).toContain('worker_stage_backlog{stage="first",state="set-aside"} 1');
  expect(text).toContain('worker_stage_set_aside_total{stage="first"} 1');
  expect(lines).toContainEqual(expect.objectContaining({ msg: "articles were set aside", article_ids: [poison] }));
});

test("an article that a run names as failed stops no other", async () => {
  const [bad = 0, ...good] = await queued(3);
  let isMended = false;
  start([
    stageOf({
      run: async (items) => ({
        failures: isMended || !idsOf(items).includes(bad) ? [] : [{ articleId: bad, error: new Error("odd") }],
      }),
    }),
  ]);
  await until("the others are done", async () => (await rows()).every(({ id }) => !good.includes(id)));
  isMended = true;
  await until("it is done or set aside", async () => (await rows()).every(({ aside }) => aside));
});

test("while what all need is away no attempt counts, and it goes on by itself", async () => {
  const ids = await queued(2);
  let tries = 0;
  const away = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  start([
    stageOf({
      isAway: (error) => error === away,
      run: async () => {
        if (++tries <= 2) throw away;
        return {};
      },
    }),
  ]);
  await until("it was tried twice", () => tries >= 2);
  await empty();
  expect(ids).toHaveLength(2);
});

test("a lost database counts no attempt, whatever the stage says", async () => {
  await queued(1);
  let tries = 0;
  start([
    stageOf({
      run: async () => {
        if (++tries === 1) throw Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });
        return {};
      },
    }),
  ]);
  await empty();
  expect(tries).toBe(2);
});

test("a run that never ends is given up after its time, and its article set aside", async () => {
  const [id = 0] = await queued(1);
  const signals: AbortSignal[] = [];
  start([
    stageOf({
      timeoutS: 0.05,
      run: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    }),
  ]);
  await until("it is set aside", async () => (await rows())[0]?.aside === true);
  expect((await rows())[0]).toMatchObject({ id, attempts: 5, reason: "it did not end within 0.05 s" });
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test("a stop gives back what is in flight without an attempt, also where the run takes no notice", async () => {
  await queued(1);
  const begun = Promise.withResolvers<void>();
  const { stop } = start([
    stageOf({
      run: () => {
        begun.resolve();
        return new Promise(() => {});
      },
    }),
  ]);
  await begun.promise;
  await stop();
  expect(await rows()).toMatchObject([{ attempts: 0, reason: null }]);
});

test("two workers share the work, and no article is worked on twice", async () => {
  const ids = await queued(40);
  const seen: number[] = [];
  const runners = new Set<string>();
  const both = Promise.withResolvers<void>();
  const stage = stageOf({
    batch: 4,
    run: async (items, { step }) => {
      runners.add(step.owner.split("/")[0] ?? "");
      if (runners.size === 2) both.resolve();
      seen.push(...idsOf(items));
      await both.promise;
      return {};
    },
  });
  start([stage]);
  start([stage], { store: another() });
  await empty();
  expect(seen.toSorted((a, b) => a - b)).toEqual(ids);
  expect(runners.size).toBe(2);
});

test("what was attempted by processes that ended is set aside in the end; the last attempts run by themselves", async () => {
  const [poison = 0] = await queued(1);
  await queued(3, "second");
  await sql`update work set attempts = 3, lease_owner = 'dead', lease_until = now() where article_id = ${poison}`;
  let besides = 0;
  let others = 0;
  const isMet = Promise.withResolvers<void>();
  start([
    stageOf({
      run: async () => {
        besides = others;
        isMet.resolve();
        await Bun.sleep(50);
        besides = Math.max(besides, others);
        return {};
      },
    }),
    stageOf({
      name: "second",
      batch: 1,
      run: async () => {
        others++;
        await Bun.sleep(10);
        others--;
        return {};
      },
    }),
  ]);
  await isMet.promise;
  await empty();
  expect(besides).toBe(0);
  const [dead = 0] = await queued(1);
  await sql`update work set attempts = 5, lease_owner = 'dead', lease_until = now() where article_id = ${dead}`;
  await until("it is set aside", async () => (await rows())[0]?.aside === true);
  expect((await rows())[0]).toMatchObject({ id: dead, reason: "each attempt ended with its process" });
});

test("what another version set aside is tried again at the start, what this one did is not", async () => {
  const [old = 0, own = 0] = await queued(2);
  await sql`update work set set_aside_at = now(), attempts = 5, version = case article_id when ${old} then 'm@1' else 'm@2' end`;
  start([stageOf({ version: "m@2" })]);
  await until("the old one is done", async () => (await rows()).length === 1);
  expect(await rows()).toMatchObject([{ id: own, aside: true }]);
});

test("a stage hears at once of work that another process queues", async () => {
  const [id = 0] = await queued(1);
  const { promise, resolve } = Promise.withResolvers<number>();
  const hears = stageOf({
    name: "second",
    after: "first",
    run: async (items) => {
      resolve(items[0]?.articleId ?? 0);
      return {};
    },
  });
  start([stageOf({ run: undefined }), hears], { store: another(), pollMs: 600_000 });
  // It has looked once by the time it listens.
  await until("it listens", async () => {
    const listening = await sql`select from pg_stat_activity where query ilike 'listen "isnad_work"%'`;
    return listening.length > 0;
  });
  start([stageOf(), { ...hears, run: undefined }]);
  expect(await promise).toBe(id);
});
