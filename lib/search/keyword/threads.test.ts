import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { indexFile } from "./database.ts";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc } from "./types.ts";

const worker = new URL("./testing/crashing-worker.ts", import.meta.url);
const doc = (articleId: number): KeywordDoc => ({
  articleId,
  title: "Harbour",
  content: "quiet",
  lang: "en",
  sourceId: "wire",
  categoryId: null,
  domain: "news.example",
  tier: 3,
  publishedAt: null,
});
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error: unknown) => error);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-keyword-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("searches go on while threads that ended are started again", async () => {
  const writer = await openKeywordIndex({ dir, mode: "write" });
  await writer.upsert([doc(1), doc(2)]);
  await writer.markComplete();
  const reader = await openKeywordIndex({ dir, mode: "read", readers: 3, worker });
  const search = () => reader.search({ text: "harbour", limit: 5 });
  const before = Array.from({ length: 12 }, search);
  // The search that ends its thread is made again by another one, and ends that as well.
  const crash = await failure(reader.search({ text: "crash", limit: 1 }));
  expect(crash).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
  expect(String(crash)).toContain("its thread has ended: exit code 7");
  for (const hits of [...(await Promise.all(before)), await search()]) expect(hits).toHaveLength(2);
  while ((reader.threads()?.alive ?? 0) < 3) await Bun.sleep(5);
  expect(reader.threads()).toMatchObject({ failing: 0, restarts: 2 });
  const after = await Promise.all(Array.from({ length: 12 }, search));
  expect(after.every((hits) => hits.length === 2)).toBe(true);
  await Promise.all([reader.close(), writer.close()]);
});

test("a change whose thread ends is made by the next one, in its place", async () => {
  const writer = await openKeywordIndex({ dir, mode: "write", worker });
  const changes = [writer.upsert([doc(1)]), writer.setTier("crash", 1), writer.remove([1]), writer.upsert([doc(2)])];
  await Promise.all(changes);
  expect(await writer.ids(0, 10)).toEqual([2]);
  expect(writer.threads()).toMatchObject({ alive: 1, restarts: 1 });
  await writer.close();
});

test("an index that was damaged when its thread ended is not made anew in silence", async () => {
  const writer = await openKeywordIndex({ dir, mode: "write", worker });
  await writer.upsert([doc(1)]);
  const crash = writer.setTier("crash", 1);
  for (const suffix of ["-wal", "-shm"]) rmSync(indexFile(dir) + suffix, { force: true });
  writeFileSync(join(dir, "damaged"), "no database any more ".repeat(400));
  renameSync(join(dir, "damaged"), indexFile(dir));
  expect(await failure(crash)).toMatchObject({ name: "KeywordIndexError", reason: "corrupt" });
  expect(await failure(writer.upsert([doc(2)]))).toMatchObject({ reason: "corrupt" });
  await writer.close();
});

test("an index that cannot be opened says why", async () => {
  writeFileSync(join(dir, "file"), "");
  const error = await failure(openKeywordIndex({ dir: join(dir, "file"), mode: "write" }));
  expect(error).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
  expect(String(error)).toMatch(/EEXIST|ENOTDIR/);
});
