import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { testItem, testStore } from "../testing.ts";

setDefaultTimeout(300_000);

const { store, close } = await testStore();
afterAll(close);

async function accepted(count = 1, fields = {}): Promise<number[]> {
  const items = Array.from({ length: count }, () => testItem(fields));
  const outcome = await store.admission.admit(items, { requireKnownSource: false });
  return "results" in outcome ? outcome.results.flatMap((r) => ("articleId" in r ? [r.articleId ?? 0] : [])) : [];
}

describe("markNormalized", () => {
  test("moves accepted articles on with what was found out", async () => {
    const [id = 0] = await accepted(1, { categoryLabel: "kora" });
    const row = {
      articleId: id,
      lang: "ar",
      categoryId: "sports",
      categorySource: "provider",
    };
    expect(await store.articles.markNormalized([row])).toEqual([id]);
    expect(await store.articles.get(id)).toMatchObject({ state: "normalized", lang: "ar", categoryId: "sports" });
  });

  test("keeps a category that the item came with when it is told of none", async () => {
    const [id = 0] = await accepted(1, { categoryId: "politics", categoryConfidence: 40 });
    await store.articles.markNormalized([{ articleId: id, lang: "en" }]);
    expect(await store.articles.get(id)).toMatchObject({ categoryId: "politics", categoryConfidence: 40 });
  });

  test("leaves alone what is no longer accepted, and says which it moved", async () => {
    const [first = 0, second = 0] = await accepted(2);
    await store.articles.remove(first);
    const rows = [first, second].map((articleId) => ({ articleId, lang: "en" }));
    expect(await store.articles.markNormalized(rows)).toEqual([second]);
    expect(await store.articles.markNormalized(rows)).toEqual([]);
    expect(await store.articles.markNormalized([])).toEqual([]);
  });
});

describe("taking", () => {
  test("gives only the rows in the asked state, with the fields asked for", async () => {
    const [first = 0, second = 0] = await accepted(2);
    await store.articles.markNormalized([{ articleId: first, lang: "en" }]);
    const waiting = await store.articles.inState([first, second], "accepted", ["articleId", "content"]);
    expect(waiting.map((row) => row.articleId)).toEqual([second]);
    expect(waiting[0]?.content).toContain("The harbour");
    expect(
      (await store.articles.inState([first, second], "normalized", ["articleId"])).map((row) => row.articleId),
    ).toEqual([first]);
    expect(await store.articles.inState([], "accepted", ["articleId"])).toEqual([]);
  });
});

describe("markFailed", () => {
  test("keeps the reason, and does not touch what is indexed or gone", async () => {
    const [id = 0] = await accepted();
    expect(await store.articles.markFailed(id, "unsupported-language\u0000")).toBe(true);
    expect(await store.articles.get(id)).toMatchObject({ state: "failed", stateReason: "unsupported-language" });
    expect(await store.articles.markFailed(id, "again")).toBe(false);
    expect(await store.articles.markFailed(999_999, "gone")).toBe(false);
  });
});
