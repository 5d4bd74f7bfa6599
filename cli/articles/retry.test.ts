import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem, testStage } from "@isnad/lib/store/testing";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { articlesRetry } from "./articles.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json } = bench;
const stage = testStage(store, "ingestion");
afterAll(() => bench.close());

async function setAside(reason: string): Promise<number> {
  const [id = 0] = await admitItems(store, [testItem()]);
  await stage.claim({ owner: "o", leaseS: 3_600, limit: 1 });
  await store.work.fail(stage.step("o"), [{ articleId: id, reason, delayS: 0 }], { maxAttempts: 1 });
  return id;
}

test("what was set aside is listed with its reason, and tried again by its number, its stage or all together", async () => {
  expect((await run(articlesRetry, [])).out).toBe("nothing was set aside\n");
  const [first, second, third] = [await setAside("odd"), await setAside("odder"), await setAside("oddest")];
  expect((await run(articlesRetry, [])).out).toMatch(new RegExp(`^${third} ingestion \\S+Z oddest\n${second} `));
  expect((await json(articlesRetry, [])).data).toMatchObject({
    retried: 0,
    set_aside: [{ article_id: third }, { article_id: second }, { article_id: first, reason: "odd" }],
  });
  expect(await json(articlesRetry, [String(first)])).toMatchObject({ code: 0, data: { retried: 1 } });
  expect((await store.articles.get(first))?.state).toBe("accepted");
  expect(await json(articlesRetry, ["--all", "--stage=rerank"])).toMatchObject({ code: 0, data: { retried: 0 } });
  expect(await run(articlesRetry, ["--all"])).toMatchObject({ code: 0, out: "2 to be tried again\n" });
});

test("a number of no article is told, and what is no number is wrong usage", async () => {
  expect(await run(articlesRetry, ["999999"])).toMatchObject({ code: 1 });
  for (const wrong of [["x"], ["0"], ["--all", "1"]]) expect((await run(articlesRetry, wrong)).code).toBe(2);
});
