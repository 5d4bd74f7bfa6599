import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles } from "@isnad/lib/store/testing";
import { COPIES_VERSION } from "@isnad/lib/stories";
import { openCommandBench } from "../workers/testing/commands.ts";
import { enlistAll } from "../workers/upkeep.ts";
import { copiesRebuild, storiesRebuild } from "./rebuild.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
afterAll(() => bench.close());
const [first = 0] = await indexedArticles(bench.store, 3);

test("all indexed articles are put on the list, once; by itself only those that these rules have not read", async () => {
  const { store } = bench;
  const [text] = await store.copies.texts([first]);
  const { signal } = new AbortController();
  await store.copies.register([
    {
      ...{ articleId: first, revision: text?.revision ?? 0, version: COPIES_VERSION },
      ...{ words: 1, anchors: new Int32Array(), credits: [] },
    },
  ]);
  const enlist = (each: { afterId: number; limit: number }) =>
    store.copies.enlist({ ...each, version: COPIES_VERSION });
  expect(await enlistAll(enlist, { signal, stretch: 2 })).toBe(2);
  expect((await bench.json(copiesRebuild, [])).data).toEqual({ enlisted: 1, waiting: 3, set_aside: 0 });
  expect((await bench.json(copiesRebuild, [])).data).toEqual({ enlisted: 0, waiting: 3, set_aside: 0 });
});

test("all indexed articles are put on the list, once, behind what is new", async () => {
  expect((await bench.json(storiesRebuild, [])).data).toEqual({ enlisted: 3, waiting: 3, set_aside: 0 });
  expect((await bench.json(storiesRebuild, [])).data).toEqual({ enlisted: 0, waiting: 3, set_aside: 0 });
  const [claimed] = await bench.store.work.claim({ stage: "stories", owner: "o", leaseS: 60, limit: 1 });
  expect(claimed?.attempts).toBe(1);
});
