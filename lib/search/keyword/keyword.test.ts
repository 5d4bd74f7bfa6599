import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "./open.ts";

test("smoke", async () => {
  const dir = join(mkdtempSync(join(tmpdir(), "isnad-")), "keyword");
  const reader = await openKeywordIndex({ dir, mode: "read" });
  expect((await reader.status()).state).toBe("missing");
  const index = await openKeywordIndex({ dir, mode: "write" });
  expect(index.fresh).toBe(true);
  const base = { lang: "ar", sourceId: "s", categoryId: null, domain: "a.com", tier: 2, publishedAt: 5 };
  await index.upsert([
    { ...base, articleId: 1, title: "مراكش", content: "مدينة في المغرب" },
    { ...base, articleId: 2, title: "b", content: "المغرب" },
  ]);
  expect(
    (await reader.search({ text: "المغرب", limit: 5, filters: { domain: "a.com" } })).map((h) => h.articleId),
  ).toEqual([2, 1]);
  await index.remove([2]);
  expect(await reader.ids(0, 10)).toEqual([1]);
  await index.close();
  await reader.close();
});
