import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { testItem, testStore } from "../testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

describe("remove", () => {
  async function indexed(): Promise<{ id: number; item: ReturnType<typeof testItem> }> {
    const item = testItem();
    await store.admission.admit([item, { ...item, externalId: `${item.externalId}-2` }], { requireKnownSource: false });
    const [row] = await sql<
      { id: number }[]
    >`select article_id as id from articles where external_id = ${item.externalId}`;
    const id = row?.id ?? 0;
    await store.articles.markNormalized([{ articleId: id, lang: "en" }]);
    const vector = Float32Array.of(0.5, 0.25);
    await store.indexing.commit([{ articleId: id, chunks: [{ no: 0, start: 0, end: 9, vector }] }], { modelId: "m@1" });
    return { id, item };
  }

  describe("remove", () => {
    test("leaves no row of the article anywhere", async () => {
      const { id, item } = await indexed();
      await sql`insert into relations (article_id, type, args, confidence, start_offset, end_offset)
      values (${id}, 't', '{}', 1, 0, 1)`;
      expect(await store.articles.remove(id)).toBe(id);
      expect(await store.articles.get(id)).toBeUndefined();
      for (const table of ["articles", "article_pairs", "chunks", "relations", "article_entities"]) {
        expect(await sql`select 1 from ${sql(table)} where article_id = ${id}`).toHaveLength(0);
      }
      const outcome = await store.admission.admit([item], { requireKnownSource: false });
      expect(outcome).toMatchObject({ results: [{ status: "accepted" }] });
    });

    test("tells the followers of the chunks and the consumers of events", async () => {
      const { id } = await indexed();
      await store.articles.remove(id);
      const { changes } = await store.chunks.since("m@1", 0, 100);
      expect(changes.filter((change) => change.articleId === id)).toMatchObject([{ kind: "delete" }]);
      const events = await sql<{ type: string; url: string }[]>`
      select type, article->>'url' as url from outbox where article_id = ${id} order by event_id`;
      expect(events.map((event) => event.type)).toEqual(["article.upserted", "article.deleted"]);
      expect(events[1]?.url).toStartWith("https://news.example/");
    });

    test("takes a uuid as well, and does nothing for what is not there", async () => {
      const { id } = await indexed();
      const article = await store.articles.get(id);
      expect(await store.articles.remove(article?.docId ?? "")).toBe(id);
      expect(await store.articles.remove(id)).toBeUndefined();
      expect(await store.articles.remove("no id")).toBeUndefined();
    });

    test("done twice at once, happens once", async () => {
      const { id } = await indexed();
      const results = await Promise.all([store.articles.remove(id), store.articles.remove(id)]);
      expect(results.filter((result) => result === id)).toHaveLength(1);
      expect(await sql`select 1 from outbox where article_id = ${id} and type = 'article.deleted'`).toHaveLength(1);
    });
  });
});

describe("progress", () => {
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
});
