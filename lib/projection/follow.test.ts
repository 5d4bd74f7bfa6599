import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { articleIdOfKey, LOG_START, type LogEntry, type LogPosition } from "../store/mod.ts";
import { indexedArticles, testStore } from "../store/testing.ts";
import { type Follower, follow, type Sink } from "./follow.ts";
import { until } from "../std/testing-until.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
const open: Follower[] = [];
afterAll(async () => {
  await Promise.all(open.map((follower) => follower.close()));
  await close();
});

/** An index in memory that says what it was asked for. */
class MemorySink implements Sink {
  serving: ReadonlySet<number> = new Set();
  building = new Set<number>();
  at: LogPosition | undefined;
  resets = 0;
  applied: { entries: readonly LogEntry[]; to: LogPosition | undefined }[] = [];
  fail: ((call: string) => void) | undefined;

  async position() {
    this.fail?.("position");
    return this.at;
  }
  async reset() {
    this.resets++;
    this.building = new Set();
    this.at = LOG_START;
  }
  async apply(entries: readonly LogEntry[], to?: LogPosition) {
    this.fail?.("apply");
    this.applied.push({ entries, to });
    for (const { key, deleted } of entries) deleted ? this.building.delete(key) : this.building.add(key);
    this.at = to ?? this.at;
  }
  async complete() {
    this.serving = this.building;
  }
  async keys(after: number, limit: number) {
    return [...this.building]
      .filter((key) => key > after)
      .sort((a, b) => a - b)
      .slice(0, limit);
  }
}

type Lines = { level: string; message: string; reason?: unknown }[];

function begin(sink: Sink, over: Partial<Parameters<typeof follow>[0]> = {}): { follower: Follower; lines: Lines } {
  const lines: Lines = [];
  const line = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  const logger = { info: line("info"), warn: line("warn") };
  const follower = follow({
    name: "memory",
    store,
    sink,
    logger,
    reportAs: "memory@here",
    pollMs: 20,
    batch: 3,
    ...over,
  });
  open.push(follower);
  return { follower, lines };
}

const keys = async () => new Set(await store.log.keys(0, 100_000));
const equal = async (sink: MemorySink) => {
  const wanted = await keys();
  return sink.serving.size === wanted.size && [...wanted].every((key) => sink.serving.has(key));
};

beforeEach(async () => {
  await Promise.all(open.splice(0).map((follower) => follower.close()));
});

test("an index is filled from the beginning and follows what comes, what goes, and nothing twice", async () => {
  const ids = await indexedArticles(store, 7);
  const sink = new MemorySink();
  const { follower } = begin(sink);
  await follower.whenCaughtUp();
  expect(await equal(sink)).toBe(true);
  expect(sink.applied.every(({ entries }) => entries.length <= 3)).toBe(true);
  const [gone = 0] = ids;
  await store.articles.remove(gone);
  await indexedArticles(store, 2);
  await until(() => equal(sink));
  expect([...sink.serving].map(articleIdOfKey)).not.toContain(gone);
  expect(sink.resets).toBe(1);
  expect(follower.status()).toMatchObject({ state: "following", caughtUp: true, behind: 0 });
  await until(async () => (await store.followers.list()).some(({ state }) => state === "following"));
  await follower.close();
  expect(await store.followers.list()).toEqual([]);
});

test("a position of another history is noticed while it follows, and the index made equal by itself, with a word", async () => {
  const sink = new MemorySink();
  const { follower, lines } = begin(sink);
  await follower.whenCaughtUp();
  const lost = await indexedArticles(store, 3);
  await until(() => equal(sink));
  // As a replica that was promoted without them: the rows are gone, and others get their numbers.
  await sql.begin(async (tx) => {
    for (const table of ["article_log", "outbox", "chunks", "articles"]) {
      await tx`delete from ${tx(table)} where article_id = any(${lost}::bigint[])`;
    }
    const [head] = await tx<{ seq: number }[]>`select max(seq) as seq from article_log`;
    await tx`select setval('change_seq', ${head?.seq ?? 0})`;
    await tx`select setval(pg_get_serial_sequence('articles', 'article_id'), ${Math.min(...lost) - 1})`;
  });
  const again = await indexedArticles(store, 4);
  expect(again.filter((id) => lost.includes(id))).toHaveLength(3);
  await until(async () => follower.status().state === "following" && (await equal(sink)));
  expect(sink.resets).toBe(1);
  expect(lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    "index is compared with the database",
    "index was made equal to the database",
  ]);
  expect(follower.status()).toMatchObject({ state: "following", resets: 2 });
});

test("a position ahead of the log is said to be that", async () => {
  const sink = new MemorySink();
  sink.at = { seq: 1_000_000_000, mark: "never" };
  sink.building.add(17);
  const { follower, lines } = begin(sink);
  await follower.whenCaughtUp();
  expect(await equal(sink)).toBe(true);
  expect(lines.find(({ level }) => level === "warn")).toMatchObject({ reason: expect.stringContaining("went back") });
});

test("an index that answers while it is filled again serves the old one until the new one is whole", async () => {
  const sink = new MemorySink();
  const { follower } = begin(sink);
  await follower.whenCaughtUp();
  await until(async () => (await store.followers.list()).some(({ name }) => name === "memory@here"));
  const before = new Set(sink.serving);
  let smallest = before.size;
  sink.fail = () => {
    smallest = Math.min(smallest, sink.serving.size);
  };
  expect(await store.followers.ask("memory", "rebuild")).toEqual(["memory@here"]);
  await until(async () => (await store.followers.list()).every(({ wanted }) => wanted === null));
  await until(() => equal(sink));
  expect(sink.resets).toBe(2);
  expect(smallest).toBe(before.size);
  expect(sink.serving).toEqual(before);
  expect(sink.serving).not.toBe(before);
});

test("what an operator asks to be compared is, and what was wrong is right afterwards", async () => {
  const sink = new MemorySink();
  const { follower } = begin(sink);
  await follower.whenCaughtUp();
  const [some = 0] = sink.building;
  sink.building.delete(some);
  sink.building.add(3);
  await store.followers.ask("memory", "compare");
  await until(() => equal(sink));
  expect(sink.resets).toBe(1);
});

test("what fails is tried again, and the state says so", async () => {
  const sink = new MemorySink();
  let isFull = true;
  sink.fail = (call) => {
    if (call === "apply" && isFull) throw new Error("the disk is full");
  };
  const { follower, lines } = begin(sink);
  await until(() => follower.status().state === "failing");
  expect(follower.status().reason).toContain("the disk is full");
  isFull = false;
  await follower.whenCaughtUp();
  expect(await equal(sink)).toBe(true);
  expect(lines.some(({ message }) => message === "index cannot follow the database")).toBe(true);
});

test("of two processes one feeds an engine, and when it ends the other does", async () => {
  const [one, two] = [new MemorySink(), new MemorySink()];
  const first = begin(one, { owner: "a", reportAs: "memory@shared" });
  await first.follower.whenCaughtUp();
  const second = begin(two, { owner: "b", reportAs: "memory@shared" });
  await indexedArticles(store, 1);
  await until(() => equal(one));
  expect(two.applied).toEqual([]);
  expect(second.follower.status().leads).toBe(false);
  await first.follower.close();
  await until(() => equal(two));
});

test("a row of the log that is long past and changed since is dropped; an index that stood there is compared", async () => {
  const [id = 0] = await indexedArticles(store, 1);
  const sink = new MemorySink();
  const { follower } = begin(sink);
  await follower.whenCaughtUp();
  await until(() => equal(sink));
  await follower.close();
  const chunk = { no: 0, start: 0, end: 10, vector: new Float32Array([0, 1, 0, 0]) };
  await store.indexing.commit([{ articleId: id, chunks: [chunk] }], { modelId: "test@2" });
  await sql`update article_log set at = now() - interval '8 days'`;
  expect(await store.log.prune({ olderThanS: 7 * 86_400 })).toBeGreaterThan(0);
  expect(await keys()).toEqual(new Set(sink.serving));
  const { follower: again } = begin(sink);
  await again.whenCaughtUp();
  expect(again.status().resets).toBe(1);
  expect(await equal(sink)).toBe(true);
});
