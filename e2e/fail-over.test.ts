import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVectorIndex, openKeywordIndex } from "@isnad/lib/search";
import { followKeyword } from "@isnad/lib/search/sync";
import { articleIdOfKey, migrate, openStore, type Store } from "@isnad/lib/store";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { VectorIndexLoading } from "../lib/search/vector/vector-index.ts";
import { connect as connectSql } from "../lib/store/client.ts";
import { until as untilHolds } from "@isnad/lib/std/testing-until";
import { testProxy } from "../lib/std/testing-proxy.ts";
import { type PostgresPair, postgresPair } from "./testing-postgres-pair.ts";

setDefaultTimeout(300_000);

const MODEL = "axes@1";
const DIMS = 64;
const pair = await postgresPair();
if (typeof pair === "string") process.stderr.write(`${pair}: the tests of a fail-over are skipped\n`);
afterAll(async () => {
  if (typeof pair !== "string") await pair.stop();
});

/** A word that no other article has, and a vector that no other article is near to. */
const wordOf = (n: number) => String(1_000_000 + n * 7_919);
function vectorOf(n: number): Float32Array {
  let state = n * 2_654_435_761;
  return Float32Array.from({ length: DIMS }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + n) | 0;
    return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
  });
}

/** Imports articles by their numbers; returns which article each became. */
async function importArticles(store: Store, numbers: readonly number[]): Promise<Map<number, number>> {
  const ids = await admitItems(
    store,
    numbers.map((n) => testItem({ title: `${wordOf(n)} reported`, content: `The harbour. ${wordOf(n)}. `.repeat(20) })),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  await store.indexing.commit(
    ids.map((articleId, i) => ({
      articleId,
      chunks: [{ no: 0, start: 0, end: 10, vector: vectorOf(numbers[i] ?? 0) }],
    })),
    { modelId: MODEL },
  );
  return new Map(ids.map((id, i) => [numbers[i] ?? 0, id]));
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

/** The indexes of a retrieval service over a database. */
async function indexesOver(store: Store, dir: string, lines: string[]) {
  const line = (_: object, message: string) => void lines.push(message);
  const logger = { info() {}, error() {}, warn: line };
  const keyword = await openKeywordIndex({ dir: join(dir, "keyword"), logger });
  const follower = followKeyword({ store, keyword, logger, pollMs: 100, saveMs: 0 });
  const vectors = await createVectorIndex({
    ...{ store, dir: join(dir, "vectors"), modelId: MODEL, dims: DIMS, logger, pollMs: 100, saveMs: 0 },
  });
  return {
    keyword,
    vectors,
    followers: [follower, vectors.follower],
    async close() {
      await follower.close();
      await keyword.close();
      await vectors.close();
    },
  };
}

/** How many articles are not found by their word or by their vector, and how many texts lead to another one. */
async function wrong(
  { keyword, vectors }: Pick<Awaited<ReturnType<typeof indexesOver>>, "keyword" | "vectors">,
  store: Store,
  expected: ReadonlyMap<number, number>,
  gone: readonly number[],
): Promise<{ missing: number; misled: number }> {
  const valid = new Set(await store.log.keys(0, 100_000));
  let missing = 0;
  let misled = 0;
  for (const [n, id] of expected) {
    const words = (await keyword.search({ text: wordOf(n), limit: 1 })).hits.map(({ articleId }) => articleId);
    const near = [...(await vectors.search(vectorOf(n), 1, {})).articleIds];
    for (const [key] of [words, near])
      if (key === undefined || articleIdOfKey(key) !== id || !valid.has(key)) missing++;
  }
  for (const n of gone) {
    const words = (await keyword.search({ text: wordOf(n), limit: 1 })).hits.filter(({ articleId }) =>
      valid.has(articleId),
    );
    const near = await vectors.search(vectorOf(n), 1, {});
    if (words.length > 0 || (near.scores[0] ?? 0) > 0.99) misled++;
  }
  return { missing, misled };
}

/** Waits until something holds; while an index is being loaded nothing does. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const holdsNow = async (): Promise<boolean> => {
    try {
      return await holds();
    } catch (error) {
      if (error instanceof VectorIndexLoading) return false;
      throw error;
    }
  };
  await untilHolds(String(holds), holdsNow);
}

test.skipIf(typeof pair === "string")(
  "a replica is promoted after a part of an import was lost: indexes heal by themselves, every article is found, no text leads astray",
  async () => {
    if (typeof pair === "string") return;
    const { primary, replica }: PostgresPair = pair;
    await migrate(primary.url);
    const proxy = await testProxy(primary.url);
    const dir = mkdtempSync(join(tmpdir(), "isnad-fail-over-"));
    const store = openStore(proxy.url, { max: 8 });
    const lines: string[] = [];
    const indexes = await indexesOver(store, dir, lines);
    const expected = await importArticles(store, range(1, 300));
    await until(async () => (await replica.query("select count(*)::int as n from article_log")) === 300);
    await replica.pause();
    const lost = await importArticles(store, range(1_001, 160));
    await until(() => indexes.followers.every((follower) => follower.status().position.seq > 0));
    await until(async () => (await wrong(indexes, store, lost, [])).missing === 0);
    const before = indexes.followers.map((follower) => follower.status().resets);

    await primary.kill();
    await replica.promote();
    proxy.leadTo(replica.url);
    // Connections of the pool that were cut are made anew by whoever asks next.
    const asks = () => Promise.all(Array.from({ length: 16 }, () => store.log.keys(0, 1)));
    await until(() =>
      asks().then(
        () => true,
        () => false,
      ),
    );
    for (let from = 2_001; from < 2_401; from += 100) {
      for (const [n, id] of await importArticles(store, range(from, 100))) expected.set(n, id);
    }
    // Numbers are given out again: what this is about.
    const again = new Set(expected.values());
    expect([...lost.values()].filter((id) => again.has(id)).length).toBeGreaterThan(50);
    await until(async () => {
      const { missing, misled } = await wrong(indexes, store, expected, [...lost.keys()]);
      const isCalm = indexes.followers.every((follower) => follower.status().state === "following");
      return isCalm && missing + misled === 0;
    });
    indexes.followers.forEach((follower, i) => {
      expect(follower.status()).toMatchObject({ state: "following", resets: (before[i] ?? 0) + 1 });
    });
    expect(lines.filter((line) => line === "index was made equal to the database")).toHaveLength(2);
    expect(await replica.query("select count(distinct timeline)::int as n from log_epochs")).toBe(2);
    await indexes.close();
    await store.close();
    await proxy.close();
    rmSync(dir, { recursive: true });
  },
);

test.skipIf(typeof pair === "string")(
  "an older copy of the database under newer indexes: numbers that are given out again mislead nobody",
  async () => {
    if (typeof pair === "string") return;
    const url = pair.replica.url;
    const admin = connectSql(url, { max: 1 });
    const named = (name: string) => Object.assign(new URL(url), { pathname: name }).href;
    await admin`create database older template template0`;
    await migrate(named("older"));
    const dir = mkdtempSync(join(tmpdir(), "isnad-older-"));
    const lines: string[] = [];
    const early = openStore(named("older"), { max: 4 });
    const expected = await importArticles(early, range(1, 120));
    await early.close();
    // As a snapshot of the disk from then.
    await admin`create database copy template older`;

    const newer = openStore(named("older"), { max: 4 });
    const lost = await importArticles(newer, range(1_001, 100));
    const first = await indexesOver(newer, dir, lines);
    await Promise.all(first.followers.map((follower) => follower.whenCaughtUp()));
    expect(await wrong(first, newer, lost, [])).toEqual({ missing: 0, misled: 0 });
    await first.close();
    await newer.close();

    const store = openStore(named("copy"), { max: 4 });
    for (const [n, id] of await importArticles(store, range(2_001, 150))) expected.set(n, id);
    const taken = new Set(expected.values());
    expect([...lost.values()].filter((id) => taken.has(id)).length).toBe(100);
    const second = await indexesOver(store, dir, lines);
    await Promise.all(second.followers.map((follower) => follower.whenCaughtUp()));
    expect(await wrong(second, store, expected, [...lost.keys()])).toEqual({ missing: 0, misled: 0 });
    expect(lines.filter((line) => line === "index was made equal to the database")).toHaveLength(2);
    await second.close();
    await store.close();
    await admin`drop database copy with (force)`;
    await admin`drop database older with (force)`;
    await admin.end();
    rmSync(dir, { recursive: true });
  },
);
