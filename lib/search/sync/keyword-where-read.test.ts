import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryExclusive } from "../../service/process/file-lock.ts";
import { FOLLOWER_LOCK, keywordWhereRead } from "./keyword-where-read.ts";

const doc = (articleId: number) => ({
  ...{ articleId, title: "Harbour", content: "A harbour.", lang: "en", sourceId: "s", tier: 3, categoryId: null },
  ...{ domain: "x.example", publishedAt: null },
});

test("documents are written while somebody follows the index, and make no file while nobody does", async () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-where-read-"));
  const keyword = keywordWhereRead({ dir, knownMs: 0 });
  const files = () => existsSync(join(dir, "keyword.db"));
  await keyword.upsert([doc(1)]);
  await keyword.remove([1]);
  await keyword.setTier("s", 1);
  expect(await keyword.missing([1])).toEqual([]);
  expect(keyword.threads()).toBeUndefined();
  expect(files()).toBe(false);

  const follower = tryExclusive(join(dir, FOLLOWER_LOCK));
  await keyword.upsert([doc(2)]);
  expect(await keyword.missing([1, 2])).toEqual([1]);
  expect(keyword.threads()).toBeDefined();
  expect(files()).toBe(true);

  follower?.release();
  await keyword.upsert([doc(3)]);
  const again = tryExclusive(join(dir, FOLLOWER_LOCK));
  expect(await keyword.missing([2, 3])).toEqual([3]);
  again?.release();
  await keyword.close();
  rmSync(dir, { recursive: true });
});

test("an index that was removed under a writer's hands is opened again, and the change is made", async () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-where-read-"));
  const follower = tryExclusive(join(dir, FOLLOWER_LOCK));
  const keyword = keywordWhereRead({ dir, knownMs: 0 });
  await keyword.upsert([doc(1)]);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(dir, `keyword.db${suffix}`), { force: true });
  await Promise.all([keyword.upsert([doc(2)]), keyword.upsert([doc(3)]), keyword.remove([4])]);
  expect(await keyword.missing([1, 2, 3])).toEqual([1]);
  follower?.release();
  await keyword.close();
  rmSync(dir, { recursive: true });
});
