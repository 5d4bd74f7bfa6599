import { describe, expect, test } from "bun:test";
import { InferenceError, NOT_LOADED, type Passage } from "@isnad/lib/models";
import { articleKey } from "@isnad/lib/store";
import type { Branches, VectorHit } from "@isnad/lib/search";
import { createBranches, noVectors, queryVectors } from "./branches.ts";
import { documentOf } from "./documents.ts";

const article = (articleId: number, content: string) => {
  const docId = `00000000-0000-4000-8000-00000000000${articleId}`;
  const fields = { url: "", sourceId: "s", lang: "en", categoryId: null, publishedAt: null };
  return documentOf({ ...fields, articleId, docId, title: `Title ${articleId}`, content });
};
const documents = [article(1, "The ferry waits outside of the harbour."), article(2, "Rates stay as they are.")];
const keys = [...documents.map(({ articleId, docId }) => articleKey(articleId, docId)), 77];

test("neighbours are judged by what was read beforehand, the others by their nearest passage, as the query is read", async () => {
  const asked: unknown[] = [];
  const read = new Map([[2, Int8Array.of(1, 2)]]);
  const unused = () => Promise.reject(new Error("not asked"));
  const deps = {
    keyword: {
      ...{ search: unused, allowed: unused, survey: unused, status: unused, suggest: unused, supports: unused },
      reading: async () => ({ text: "boats", translation: "" }),
    },
    vectors: { search: unused, searchChunks: unused, check: unused },
    store: { rerank: { vectorsOf: async () => read } },
    documents: { byKeys: async (some: readonly number[]) => documents.filter(({ key }) => some.includes(key)) },
  };
  const likeness = async (query: string, passages: readonly Passage[]) => {
    asked.push(query, passages);
    return passages.map(() => 0.4);
  };
  const judge = { rerank: unused, likeness, dims: 2, modelId: "m" };
  const hits = keys.map((key) => ({ articleId: key, score: 0.3, chunkNo: 0, start: 0, end: 20 }));
  const { signal } = new AbortController();
  const branches = createBranches({ ...deps, reranker: { model: judge } }, unused);
  const told = (among: Branches, some: readonly VectorHit[]) =>
    Array.fromAsync(among.likeness?.({ text: "baots" }, some, signal) ?? []);
  expect(await told(branches, hits)).toEqual([0.4, 0.4, 0.4]);
  const first = { title: "Title 1", text: "The ferry waits outs", vectors: undefined };
  const second = { title: "", text: "", vectors: read.get(2) };
  expect(asked).toEqual(["boats", [first], "boats", [second], "boats", [{ title: "", text: "", vectors: undefined }]]);
  asked.length = 0;
  const [one, other] = hits;
  if (one === undefined || other === undefined) throw new Error("there are three");
  await told(branches, [other, other, one]);
  expect(asked).toEqual(["boats", [second, second], "boats", [first]]);
  for await (const _ of branches.likeness?.({ text: "baots" }, hits, signal) ?? []) break;
  expect(asked.slice(4)).toEqual(["boats", [first]]);
  const without = createBranches({ ...deps, reranker: NOT_LOADED }, unused);
  expect(await told(without, hits)).toEqual([]);
});

test("without an embedding model every call to the vectors says which model and what to do", async () => {
  const problem = new InferenceError("model-altered", "tiny: model.onnx has 3 bytes, not 4", { model: "tiny" });
  const vectors = noVectors({ problem });
  const said = expect.objectContaining({
    slug: "model-not-installed",
    status: 503,
    message: expect.stringContaining("tiny"),
  });
  const calls = [vectors.search(Float32Array.of(1), 1, {}), vectors.check(), vectors.status()];
  for (const call of calls) expect(await call.catch((error: unknown) => error)).toEqual(said);
  expect(await vectors.close()).toBeUndefined();
});

const { signal } = new AbortController();

describe("queryVectors()", () => {
  test("embeds a query once, and forgets the one that was not used for longest", async () => {
    const asked: string[] = [];
    const embed = queryVectors(
      {
        embed: async (texts) => {
          asked.push(...texts);
          return texts.map((text) => new Float32Array([text.length]));
        },
      },
      { size: 2 },
    );
    for (const text of ["a", "bb", "a", "ccc", "bb", "a"])
      expect((await embed([text], signal))[0]?.[0]).toBe(text.length);
    expect(asked.splice(0)).toEqual(["a", "bb", "ccc", "bb", "a"]);
    expect((await embed(["bb", "dddd", "a", "eeeee"], signal)).map(([length]) => length)).toEqual([2, 4, 1, 5]);
    expect(asked).toEqual(["dddd", "eeeee"]);
  });

  test("does not remember a failure", async () => {
    let fails = true;
    const embed = queryVectors({
      embed: async () => (fails ? Promise.reject(new Error("down")) : [new Float32Array(1)]),
    });
    await expect(embed(["x"], signal)).rejects.toThrow("down");
    fails = false;
    expect(await embed(["x"], signal)).toHaveLength(1);
  });
});
