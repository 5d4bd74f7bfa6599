import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc, KeywordIndex } from "./types.ts";

const worker = new URL("./testing/crashing-worker.ts", import.meta.url);
const doc = (articleId: number, title = "Harbour"): KeywordDoc => ({
  ...{ articleId, title, content: "quiet", lang: "en", sourceId: "wire", categoryId: null },
  ...{ domain: "news.example", tier: 3, publishedAt: null },
});
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error: unknown) => error);
const POSITION = { seq: 7, mark: "m" };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-keyword-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function filled(docs: readonly KeywordDoc[]): Promise<KeywordIndex> {
  const index = await openKeywordIndex({ dir });
  expect(await index.position()).toBeUndefined();
  await index.reset();
  await index.upsert(docs);
  await index.advance(POSITION);
  await index.complete();
  return index;
}

test("an index answers nothing before it is complete, so that a part is never taken for all", async () => {
  const index = await openKeywordIndex({ dir });
  const search = () => failure(index.search({ text: "harbour", limit: 5 }));
  expect(await search()).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
  await index.reset();
  await index.upsert([doc(1)]);
  expect(await search()).toMatchObject({ reason: "unavailable" });
  expect(await index.status()).toMatchObject({ state: "unavailable", complete: false });
  await index.complete();
  expect((await index.search({ text: "harbour", limit: 5 })).hits).toHaveLength(1);
  await index.close();
});

test("one that is opened for it answers from what there is while it is filled, and not before", async () => {
  const index = await openKeywordIndex({ dir, early: true });
  const search = () => index.search({ text: "harbour", limit: 5 });
  expect(await failure(search())).toMatchObject({ reason: "unavailable" });
  await index.reset();
  expect((await search()).hits).toEqual([]);
  await index.upsert([doc(1)]);
  expect((await search()).hits).toHaveLength(1);
  expect(await index.status()).toMatchObject({ state: "unavailable", complete: false });
  await index.close();
});

test("what is filled after a reset takes the place of what served when it is complete, and not before", async () => {
  const index = await filled([doc(1)]);
  await index.reset();
  await index.upsert([doc(2), doc(3)]);
  expect(await index.ids(0, 10)).toEqual([2, 3]);
  expect((await index.search({ text: "harbour", limit: 5 })).hits.map(({ articleId }) => articleId)).toEqual([1]);
  await index.complete();
  expect((await index.search({ text: "harbour", limit: 5 })).hits.map(({ articleId }) => articleId)).toEqual([3, 2]);
  await index.close();
});

test("a snapshot brings back words, documents, tiers and the position, and the index goes on from there", async () => {
  const before = await filled([doc(1), doc(2, "Merkel"), doc(3, "ميركل"), doc(4, "Lost")]);
  await before.remove([4]);
  await before.setTier("wire", 1);
  await before.save();
  const queries = ["harbour", "merkel", "ميركل", "lost", "quiet -harbour", '"quiet"'];
  const asked = (index: KeywordIndex) =>
    Promise.all(queries.map((text) => index.search({ text, limit: 9, filters: { source_tier: 1 } })));
  const said = await asked(before);
  await before.close();
  const after = await openKeywordIndex({ dir });
  expect(await after.position()).toEqual(POSITION);
  expect(await asked(after)).toEqual(said);
  await after.upsert([doc(5, "Harbours"), doc(2, "Harbour again")]);
  expect((await after.search({ text: "harbour", limit: 9 })).hits.map(({ articleId }) => articleId)).toEqual([1, 2, 5]);
  expect(await after.ids(0, 9)).toEqual([1, 2, 3, 5]);
  await after.close();
});

test.each(["truncated", "altered", "of another version"])(
  "a snapshot that is %s is dropped with a word",
  async (how) => {
    const before = await filled([doc(1)]);
    await before.save();
    await before.close();
    const file = join(dir, readdirSync(dir).find((name) => name.endsWith(".bin")) ?? "");
    if (how === "truncated") truncateSync(file, statSync(file).size - 1);
    if (how === "altered") writeFileSync(file, new Uint8Array(statSync(file).size));
    if (how === "of another version") {
      const manifest = await Bun.file(join(dir, "manifest.json")).json();
      writeFileSync(join(dir, "manifest.json"), JSON.stringify({ ...manifest, version: "0/old" }));
    }
    const warnings: object[] = [];
    const logger = { info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };
    const after = await openKeywordIndex({ dir, logger });
    expect(await after.position()).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
    await after.close();
  },
);

test("the database that an older version left is removed, and that is said", async () => {
  for (const name of ["keyword.db", "keyword.db-wal", "keyword.db-shm", "database", "follower.lock"]) {
    writeFileSync(join(dir, name), "x");
  }
  const lines: string[] = [];
  const logger = { warn() {}, error() {}, info: (_: object, message: string) => void lines.push(message) };
  const index = await openKeywordIndex({ dir, logger });
  expect(readdirSync(dir)).toEqual([]);
  expect(lines).toEqual([expect.stringContaining("older version")]);
  await index.close();
});

test("a thread that ends is replaced by one that loads the snapshot, and answers nothing before", async () => {
  const before = await filled([doc(1), doc(2)]);
  await before.save();
  await before.close();
  const index = await openKeywordIndex({ dir, worker });
  await index.position();
  const search = async () => (await index.search({ text: "harbour", limit: 5 })).hits;
  expect(await search()).toHaveLength(2);
  const crash = await failure(index.search({ text: "crash", limit: 1 }));
  expect(crash).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
  expect(String(crash)).toContain("its thread has ended: exit code 7");
  while ((index.threads()?.alive ?? 0) < 1) await Bun.sleep(5);
  expect(await failure(search())).toMatchObject({ reason: "unavailable" });
  expect(await failure(index.upsert([doc(3)]))).toMatchObject({ reason: "unavailable" });
  expect(await index.position()).toEqual(POSITION);
  expect(await search()).toHaveLength(2);
  await index.close();
});

test("an index that cannot be opened says why", async () => {
  writeFileSync(join(dir, "file"), "");
  const error = await failure(openKeywordIndex({ dir: join(dir, "file") }));
  expect(error).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
});
