import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc } from "./types.ts";

setDefaultTimeout(300_000);

const article = (articleId: number, content: string): KeywordDoc => ({
  ...{ articleId, content, title: "", lang: "ar", sourceId: "wire", categoryId: null, domain: "news.example" },
  ...{ tier: 3, publishedAt: null },
});

const dir = mkdtempSync(join(tmpdir(), "isnad-roots-"));
const index = await openKeywordIndex({ dir });
await index.reset();
await index.upsert([
  article(1, "أعلنت الجامعة عن دراسة عن البحر"),
  article(2, "يبدأ تدريس اللغات غداً"),
  article(3, "افتتح الوزير مصنعاً"),
]);
await index.complete();
afterAll(async () => {
  await index.close();
  rmSync(dir, { recursive: true });
});

const hits = async (text: string) => (await index.search({ text, limit: 10 })).hits;

test("a word finds articles that have only another word of its root, below those that have the word itself", async () => {
  const [first, second, ...more] = await hits("تدريس");
  expect([first?.articleId, second?.articleId]).toEqual([2, 1]);
  expect(more).toEqual([]);
  expect((await hits("صناعة")).map(({ articleId }) => articleId)).toEqual([3]);
});

test("an article that is removed is found by its root no more", async () => {
  await index.remove([3]);
  await index.complete();
  expect(await hits("صناعة")).toEqual([]);
});
