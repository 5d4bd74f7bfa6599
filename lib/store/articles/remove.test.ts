import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { testItem, testStore } from "../testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

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
