import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { admitItems, indexedArticles, testItem, testStage, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
afterAll(close);

/** Makes the tables of version 0.1.0 out of those of today. */
async function asBefore(): Promise<void> {
  await sql`drop table work`;
  await sql`drop function admit_to_work, pass_to_work cascade`;
}

test("what is in the middle of a stage of version 0.1.0 goes on, and what is held stays with its process", async () => {
  const [done = 0, again = 0, held = 0, aside = 0] = await indexedArticles(store, 4);
  const [accepted = 0, normalized = 0, failed = 0] = await admitItems(store, [testItem(), testItem(), testItem()]);
  await store.articles.markNormalized([{ articleId: normalized, lang: "en" }]);
  await store.articles.markFailed(failed, "no");
  await asBefore();
  await sql`insert into entity_work (article_id, again, attempts, lease_owner, lease_until) values
    (${again}, true, 0, null, null), (${held}, false, 1, 'o', now() + interval '1 minute'), (${aside}, false, 5, null, null)`;
  await sql`insert into rerank_work (article_id) values (${done})`;
  await sql`insert into relation_work (article_id) values (${done})`;
  const text = await readFile(new URL("./migrations/0051_work.sql", import.meta.url), "utf8");
  await sql.begin((tx) => tx.unsafe(text).simple());

  const rows = await sql<{ id: number; stage: string }[]>`select article_id as id, stage from work order by 1, 2`;
  expect(
    new Map(
      Map.groupBy(rows, ({ id }) => id)
        .entries()
        .map(([id, all]) => [id, all.map(({ stage }) => stage)]),
    ),
  ).toEqual(
    new Map([
      [done, ["relations", "rerank"]],
      [again, ["entities"]],
      [held, ["entities"]],
      [aside, ["entities"]],
      [accepted, ["ingestion"]],
      [normalized, ["analysis"]],
    ]),
  );
  const entities = testStage(store, "entities");
  expect(await entities.claim({ owner: "p", leaseS: 60, limit: 9 })).toMatchObject([{ articleId: again }]);
  expect(await entities.backlog()).toEqual({ waiting: 2, setAside: 1 });
});

test("what a process of version 0.1.0 still writes during a rolling restart arrives in the table of work", async () => {
  const [id = 0] = await indexedArticles(store, 1);
  await sql`delete from work`;
  await sql`insert into entity_work (article_id) values (${id}) on conflict (article_id) do nothing`;
  await sql`insert into relation_work (article_id) values (${id}) on conflict (article_id) do nothing`;
  await sql`insert into rerank_work (article_id) values (${id}) on conflict (article_id) do nothing`;
  expect((await store.articles.get(id))?.stages.map(({ stage }) => stage)).toEqual(["entities", "relations", "rerank"]);
  expect(await sql`select from entity_work`).toHaveLength(0);
});

test("an article that a process of version 0.1.0 has taken further goes on from there", async () => {
  const [id = 0] = await admitItems(store, [testItem()]);
  const ingestion = testStage(store, "ingestion");
  await ingestion.claim({ owner: "o", leaseS: 60, limit: 9 });
  // It knows nothing of steps.
  await store.articles.markNormalized([{ articleId: id, lang: "en" }]);
  await store.work.end(ingestion.step("o", "analysis"), [id]);
  expect((await store.articles.get(id))?.stages).toMatchObject([{ stage: "analysis" }]);
});
