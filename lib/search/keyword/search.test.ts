import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc, KeywordIndex } from "./types.ts";

const doc = (articleId: number, title: string, content: string): KeywordDoc => ({
  ...{ articleId, title, content, lang: null, sourceId: "wire", categoryId: null, domain: "news.example" },
  ...{ tier: 3, publishedAt: null },
});
const far = "one two three four five six seven eight nine ten eleven twelve thirteen";

const dir = mkdtempSync(join(tmpdir(), "isnad-support-"));
let index: KeywordIndex;
beforeAll(async () => {
  index = await openKeywordIndex({ dir, partial: true });
  await index.upsert([
    doc(1, "Volcano erupts", "The volcano near the harbour erupted."),
    doc(2, "Harbour", `The harbour ${far} and a volcano.`),
    doc(3, "ثوران البركان", "ثار البركان قرب الميناء أمس"),
    doc(4, "Weather", "Rain."),
  ]);
});
afterAll(async () => {
  await index.close();
  rmSync(dir, { recursive: true });
});

const supports = async (text: string) => await index.supports({ text, typos: "auto" }, [1, 2, 3, 4, 99]);

test("an article supports a query by the share of its words that stand together, or in the title", async () => {
  const [both = 0, apart = 0, , none, gone] = await supports("volcano harbour");
  expect(both).toBe(1);
  expect(apart).toBeGreaterThan(0);
  expect(apart).toBeLessThan(1);
  expect([none, gone]).toEqual([0, 0]);
});

test("words that no article has count, so that a query without meaning has no support", async () => {
  const [half = 0] = await supports("volcano zzzqqqxx");
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(0.6);
  expect(await supports("zzzqqqxx")).toEqual([0, 0, 0, 0, 0]);
});

test("translations support as words do, and words as they are read", async () => {
  const [english = 0, , arabic = 0] = await supports("بركان");
  expect(english).toBe(1);
  expect(arabic).toBe(1);
  expect((await supports("volcnao"))[0]).toBe(1);
});
