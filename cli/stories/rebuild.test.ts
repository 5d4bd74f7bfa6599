import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles } from "@isnad/lib/store/testing";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { storiesRebuild } from "./rebuild.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
afterAll(() => bench.close());

test("all indexed articles are put on the list, once, behind what is new", async () => {
  await indexedArticles(bench.store, 3);
  expect((await bench.json(storiesRebuild, [])).data).toEqual({ enlisted: 3, waiting: 3, set_aside: 0 });
  expect((await bench.json(storiesRebuild, [])).data).toEqual({ enlisted: 0, waiting: 3, set_aside: 0 });
  const [first] = await bench.store.work.claim({ stage: "stories", owner: "o", leaseS: 60, limit: 1 });
  expect(first?.attempts).toBe(1);
});
