import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { indexedArticles, testStore } from "../../store/testing.ts";
import { indexFile } from "../keyword/database.ts";
import { type KeywordIndex, openKeywordIndex } from "../keyword/mod.ts";
import { followKeyword } from "./follow-keyword.ts";

setDefaultTimeout(60_000);

const { store, close } = await testStore();
const folders: string[] = [];
const logger = { info() {}, warn() {}, error() {} };

afterAll(async () => {
  await close();
  for (const dir of folders) rmSync(dir, { recursive: true });
});

/** The folder of a machine of its own, with what it finds. */
async function machine() {
  const dir = mkdtempSync(join(tmpdir(), "isnad-follow-"));
  folders.push(dir);
  const follow = () => followKeyword({ store, dir, logger, pollMs: 20 });
  return { dir, follow };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 25_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("it did not happen within 25 s");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const holds = (keyword: KeywordIndex, ids: readonly number[]) => async () => {
  try {
    return (await keyword.missing(ids)).length === 0;
  } catch {
    return false;
  }
};

test("a machine without workers gets what is there, what comes, and loses what goes", async () => {
  const before = await indexedArticles(store, 3);
  const { dir, follow } = await machine();
  const follower = follow();
  const keyword = await openKeywordIndex({ dir, mode: "read" });
  await until(holds(keyword, before));
  const later = await indexedArticles(store, 2);
  await until(holds(keyword, later));
  expect(await keyword.search({ text: "harbour nightfall", limit: 10 })).toHaveLength(5);
  const [gone = 0] = before;
  await store.articles.remove(gone);
  await until(async () => (await keyword.missing([gone])).length === 1);
  await until(async () => (await keyword.status()).complete);
  await follower.close();
  await keyword.close();
});

test("what happened while it was away is caught up with; what a worker has written is not written again", async () => {
  const { dir, follow } = await machine();
  const first = follow();
  const writer = await openKeywordIndex({ dir, mode: "write" });
  await until(async () => (await writer.status()).complete);
  await first.close();
  const ids = await indexedArticles(store, 3);
  const [gone = 0, ...stays] = ids;
  await store.articles.remove(gone);
  const second = follow();
  await until(holds(writer, stays));
  expect(await writer.missing([gone])).toEqual([gone]);
  await second.close();
  await writer.close();
});

test("two processes of one folder: one follows, and when it ends the other does", async () => {
  const { dir, follow } = await machine();
  const [first, second] = [follow(), follow()];
  const keyword = await openKeywordIndex({ dir, mode: "read" });
  await until(async () => (await keyword.status()).complete);
  await first.close();
  const ids = await indexedArticles(store, 1);
  await until(holds(keyword, ids));
  await second.close();
  await keyword.close();
});

test("an index of another database is made anew", async () => {
  const { dir, follow } = await machine();
  const keyword = await openKeywordIndex({ dir, mode: "write" });
  const ghost = { articleId: 1, title: "Ghost", content: "of another database", lang: "en", sourceId: "s", tier: 3 };
  const [id = 0] = await indexedArticles(store, 1);
  await keyword.upsert([{ ...ghost, articleId: id, categoryId: null, domain: "x.example", publishedAt: null }]);
  writeFileSync(join(dir, "database"), "another/1/2");
  const follower = follow();
  await until(async () => (await keyword.status()).complete);
  expect(await keyword.search({ text: "ghost", limit: 10 })).toEqual([]);
  expect(await keyword.missing([id])).toEqual([]);
  await follower.close();
  await keyword.close();
});

test("an index that is removed, or found damaged, while it is followed is made anew, and never serves a part", async () => {
  const ids = await indexedArticles(store, 3);
  const { dir } = await machine();
  let warnings = 0;
  const counting = { ...logger, warn: () => void warnings++ };
  const follower = followKeyword({ store, dir, logger: counting, pollMs: 20 });
  const keyword = await openKeywordIndex({ dir, mode: "read" });
  const found = () => keyword.search({ text: "harbour nightfall", limit: 100 }).then((hits) => hits.length);
  await until(async () => (await keyword.status()).complete);
  const whole = await found();
  expect(whole).toBeGreaterThanOrEqual(ids.length);
  const remove = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(indexFile(dir) + suffix, { force: true });
  };
  const damage = async () => {
    const db = new DatabaseSync(indexFile(dir));
    db.exec("pragma busy_timeout = 5000; update doc set words = x'0102'");
    db.close();
    const reader = await openKeywordIndex({ dir, mode: "read" });
    await reader.search({ text: "harbour", limit: 1 }).catch(() => undefined);
    await reader.close();
  };
  for (const lose of [remove, damage]) {
    const before = warnings;
    await lose();
    await until(async () => warnings > before);
    const counts: (number | undefined)[] = [];
    await until(async () => {
      counts.push(await found().catch(() => undefined));
      return counts.at(-1) !== undefined;
    });
    expect(counts.filter((count) => count !== undefined)).toEqual([whole]);
  }
  await follower.close();
  await keyword.close();
});
