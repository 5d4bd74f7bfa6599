import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles } from "@isnad/lib/store/testing";
import { COPIES_VERSION } from "@isnad/lib/stories";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { enlistCopies } from "../../workers/upkeep.ts";
import { copiesRebuild } from "./rebuild.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
afterAll(() => bench.close());

test("all indexed articles are put on the list, once; by itself only those that these rules have not read", async () => {
  const { store } = bench;
  const [read = 0] = await indexedArticles(store, 3);
  const [text] = await store.copies.texts([read]);
  const { signal } = new AbortController();
  await store.copies.register([
    {
      ...{ articleId: read, revision: text?.revision ?? 0, version: COPIES_VERSION },
      ...{ words: 1, anchors: new Int32Array(), credits: [] },
    },
  ]);
  expect(await enlistCopies({ store, signal, stretch: 2 })).toBe(2);
  expect((await bench.json(copiesRebuild, [])).data).toEqual({ enlisted: 1, waiting: 3, set_aside: 0 });
  expect((await bench.json(copiesRebuild, [])).data).toEqual({ enlisted: 0, waiting: 3, set_aside: 0 });
});
