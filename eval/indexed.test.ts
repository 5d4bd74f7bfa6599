import { afterAll, beforeAll, expect, test } from "bun:test";
import { indexCollection, type Indexed } from "./indexed.ts";

/** Counts the letters a, b and c of a text: a vector that can be followed by hand. */
const embedder = {
  dims: 3,
  asked: [] as { kind: string; count: number }[],
  async embed(texts: readonly string[], kind: string) {
    this.asked.push({ kind, count: texts.length });
    return texts.map((text) => {
      const counts = ["a", "b", "c"].map((letter) => text.split(letter).length - 1);
      const length = Math.hypot(...counts) || 1;
      return Float32Array.from(counts, (count) => count / length);
    });
  },
};

// More than are written at a time; what is asked for stands in the second batch.
const documents = Array.from({ length: 620 }, (_, n) => ({
  id: `d${n}`,
  title: n === 555 ? "Quay" : "",
  text: n === 555 ? "bbbb harbour" : `aaaa number${n}`,
}));

const { signal } = new AbortController();
let indexed: Indexed;
beforeAll(async () => {
  indexed = await indexCollection({ documents }, embedder);
});
afterAll(async () => {
  await indexed[Symbol.asyncDispose]();
});

test("the id of an article is its place in the collection, from 1, in both branches", async () => {
  const words = await indexed.branches.keyword({ text: "harbour", limit: 5 });
  expect(words.hits.map(({ articleId }) => articleId)).toEqual([556]);
  expect((await indexed.branches.keyword({ text: "number0", limit: 5 })).hits[0]?.articleId).toBe(1);
  const { hits, candidates } = await indexed.branches.vector({ text: "bbb" }, 3, {}, signal);
  expect(candidates).toBe(620);
  expect(hits[0]).toMatchObject({
    articleId: 556,
    chunkNo: 0,
    start: 0,
    end: [...(documents[555]?.text ?? "")].length,
  });
  expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 1);
});

test("titles and texts are both searched", async () => {
  expect((await indexed.branches.keyword({ text: "quay", limit: 5 })).hits.map(({ articleId }) => articleId)).toEqual([
    556,
  ]);
});

test("passages are embedded as such, in batches, and questions as questions", () => {
  const passages = embedder.asked.filter(({ kind }) => kind === "passage").map(({ count }) => count);
  expect(passages).toEqual([500, 120]);
  expect(embedder.asked.some(({ kind, count }) => kind === "query" && count >= 1)).toBe(true);
});

test("a text of several chunks is one hit, with the chunk that is nearest", async () => {
  const filler = "aaaa word ".repeat(400);
  await using long = await indexCollection(
    { documents: [{ id: "x", title: "", text: `${filler}cccc cccc cccc.` }] },
    embedder,
  );
  const { hits } = await long.branches.vector({ text: "ccc" }, 5, {}, signal);
  expect(hits).toHaveLength(1);
  expect(hits[0]?.chunkNo).toBeGreaterThan(0);
  expect(hits[0]?.end).toBe(filler.length + "cccc cccc cccc.".length);
});

test("without an embedder the search by meaning finds nothing, and the one by word all the same", async () => {
  await using plain = await indexCollection({ documents: documents.slice(550, 560) });
  expect((await plain.branches.vector({ text: "bbb" }, 3, {}, signal)).hits).toEqual([]);
  expect((await plain.branches.keyword({ text: "harbour", limit: 5 })).hits).toHaveLength(1);
  expect(plain.exact).toBeUndefined();
});

test("an empty collection can be asked", async () => {
  await using empty = await indexCollection({ documents: [] }, embedder);
  expect((await empty.branches.keyword({ text: "harbour", limit: 5 })).hits).toEqual([]);
  expect((await empty.branches.vector({ text: "bbb" }, 3, {}, signal)).hits).toEqual([]);
});
