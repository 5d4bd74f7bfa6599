import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { SearchBody } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import { openStore } from "@isnad/lib/store";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { prepareData, startRetrieval } from "../testing-process.ts";

setDefaultTimeout(300_000);

const titles = Array.from({ length: 40 }, (_, i) => `Harbour strike ${"of the dockers ".repeat(i % 4)}${i}`);
const data = await prepareData(titles);
const store = openStore(data.env.DATABASE_URL, { max: 1 });
let service = await startRetrieval(data.env);
await service.loaded();
afterAll(async () => {
  await service.end();
  await store.close();
  await data.remove();
});

const get = async (query: Record<string, string>): Promise<SearchBody | undefined> => {
  const { status, body } = await service.ask(`/search?${new URLSearchParams(query)}`);
  // While it does not know yet what it held, it says so.
  if (status === 503) return undefined;
  return SearchBody.parse(body);
};

/** Asks until there is an answer, as a client does whose connection broke off or who is told to come later. */
async function page(query: Record<string, string>): Promise<SearchBody> {
  for (;;) {
    const body = await get(query);
    if (body !== undefined) return body;
    await Bun.sleep(10);
  }
}

test("a process that is killed between the pages of a walk or in the middle of one loses and doubles nothing", async () => {
  const query = { q: "harbour strike", limit: "12" };
  const ids = ({ results }: SearchBody) => results.map(({ article_id }) => article_id);
  const before = ids(await page({ ...query, limit: "100" }));
  expect(before).toHaveLength(titles.length);
  const first = await page(query);
  const walked = [...ids(first)];
  let kills = 0;
  for (let { next_cursor: cursor } = first.meta; cursor; ) {
    // Of two pages one is being answered when it is killed.
    const lost = kills++ % 2 === 0 ? undefined : get({ ...query, cursor }).catch(() => undefined);
    await service.end("SIGKILL");
    await lost;
    if (kills === 1) {
      await store.articles.remove(at(before, 30));
      const arrived = await admitItems(store, [testItem({ title: "Harbour strike ends" })]);
      await store.articles.markNormalized(arrived.map((articleId) => ({ articleId, lang: "en" })));
    }
    service = await startRetrieval(data.env);
    const next = await page({ ...query, cursor });
    walked.push(...ids(next));
    cursor = next.meta.next_cursor;
  }
  expect(kills).toBe(3);
  expect(walked.toSorted()).toEqual(before.filter((_, i) => i !== 30).toSorted());
});
