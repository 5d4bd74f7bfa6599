import { afterAll, expect, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { failure, runStage } from "../testing/run-stage.ts";
import { openPlatform } from "../testing/platform.ts";
import { articleTexts } from "./run.ts";
import { type AnalysisDeps, analysis } from "./analysis.ts";
import { summary } from "../stages.ts";

const platform = await openPlatform();
const { store, embedder } = platform;
const { signal } = new AbortController();

afterAll(() => platform.close());

async function normalized(count: number): Promise<number[]> {
  const ids = await admitItems(
    store,
    Array.from({ length: count }, () => testItem()),
  );
  await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
  return ids;
}

function run(articleIds: number[], over: Partial<AnalysisDeps> = {}, stop = signal) {
  const deps = { store, embedder, texts: articleTexts(store), ...over };
  return runStage(analysis(deps), articleIds, { signal: stop });
}

const stateOf = async (id: number) => (await store.articles.get(id))?.state;

test("a batch is in the log in the transaction that says it is indexed, and the counts tell", async () => {
  const ids = await normalized(3);
  const before = await store.log.head();
  const { counts, failures } = await run(ids);
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({ taken: 3, indexed: 3, gone: 0, chunks: 3 });
  expect(counts).toHaveProperty("embed_ms");
  expect(await Promise.all(ids.map(stateOf))).toEqual(["indexed", "indexed", "indexed"]);
  const { entries } = await store.log.read(before, { limit: 10 });
  expect(entries.map(({ articleId }) => articleId).toSorted()).toEqual(ids.toSorted());
  expect(entries.every(({ deleted }) => !deleted)).toBe(true);
});

test("what is indexed already, was given up, or is no article is passed over", async () => {
  const [done = 0, failed = 0, fresh = 0] = await normalized(3);
  await run([done]);
  await store.articles.markFailed(failed, "no");
  const { counts } = await run([done, failed, fresh, 8_000_000]);
  expect(counts).toMatchObject({ taken: 1, indexed: 1 });
  expect(await stateOf(failed)).toBe("failed");
});

test("an article that is deleted while it is embedded is not indexed, and the others are", async () => {
  const [doomed = 0, other = 0] = await normalized(2);
  const embed: typeof embedder.embed = async (...call) => {
    await store.articles.remove(doomed);
    return await embedder.embed(...call);
  };
  const { counts } = await run([doomed, other], { embedder: { modelId: embedder.modelId, embed } });
  expect(counts).toMatchObject({ taken: 2, indexed: 1, gone: 1 });
  expect(await stateOf(other)).toBe("indexed");
});

test("two runs over the same article at the same time leave one set of passages", async () => {
  const ids = await normalized(5);
  await Promise.all([run(ids), run(ids), run(ids.toReversed())]);
  const { changes } = await store.chunks.since(embedder.modelId, 0, 10_000);
  for (const id of ids) {
    const last = changes.filter(({ articleId }) => articleId === id);
    const cut = last.findLastIndex(({ kind }) => kind === "delete");
    expect(last.slice(cut + 1)).toHaveLength(1);
  }
});

test("while the model fails, no row says that it is indexed", async () => {
  const [id = 0] = await normalized(1);
  const fails = async () => {
    throw new Error("out of order");
  };
  expect(await failure(run([id], { embedder: { modelId: embedder.modelId, embed: fails } }))).toContain("out of order");
  expect(await stateOf(id)).toBe("normalized");
});

test("a stop leaves the article for the next worker", async () => {
  const [id = 0] = await normalized(1);
  const stop = new AbortController();
  stop.abort(new Error("the worker stops"));
  expect(await failure(run([id], {}, stop.signal))).toContain("the worker stops");
  expect(await stateOf(id)).toBe("normalized");
});

test("an article gets its summary in a stage of its own, in its own words", async () => {
  const [summarised = 0, without = 0] = await normalized(2);
  await run([summarised, without]);
  await runStage(summary({ store, embedder }), [summarised, 8_000_000]);
  const [made, none] = await Promise.all([store.articles.get(summarised), store.articles.get(without)]);
  expect(made?.summary?.length).toBeGreaterThan(0);
  expect(made?.content).toContain(made?.summary?.slice(0, 20) ?? "?");
  expect(none?.summary).toBeNull();
});
