import { expect, test } from "bun:test";
import { chunkText, codePointSlice } from "@isnad/lib/text";
import { candidates, documentVectors, evalRerank, rerank } from "./rerank.ts";

const filler = (word: string, count = 400): string => `${`${word} `.repeat(count).trim()}. `;
/** Three chunks and more, of which one alone speaks of ferries. */
const LONG = `${filler("harbour")}${filler("ferries and boats")}${filler("museum")}`;
const documents = [
  { id: "short", title: "Ferry", text: "It sails at noon." },
  { id: "long", title: "Quay", text: LONG },
  { id: "none", title: "", text: "" },
];

const found = (...ids: number[]) => ({
  hits: ids.map((articleId, i) => ({ articleId, score: 9 - i })),
  corrections: [],
});
const branchesOf = (keyword: number[], vector: { articleId: number; start: number; end: number }[] = []) => ({
  keyword: async () => found(...keyword),
  vector: async () => ({ hits: vector.map((hit, i) => ({ ...hit, score: 0.9 - i / 100, chunkNo: 0 })), candidates: 3 }),
});

test("a candidate that was found by meaning has the passage that was found", async () => {
  const branches = branchesOf([2], [{ articleId: 2, start: 4, end: 11 }]);
  const [candidate] = await candidates(branches, { documents }, "harbour", { stage: "hybrid", count: 5 });
  expect(candidate).toMatchObject({
    document: 1,
    passage: { title: "Quay", text: LONG.slice(4, 11), keywordScore: 9 },
  });
});

test("one that was found by word alone has the chunk with most of the words that are asked for", async () => {
  const [candidate] = await candidates(branchesOf([2]), { documents }, "ferries museum boats", {
    stage: "hybrid",
    count: 5,
  });
  const chunks = chunkText("Quay", LONG).map(({ start, end }) => codePointSlice(LONG, start, end));
  expect(chunks.length).toBeGreaterThan(2);
  const best = chunks.find((chunk) => chunk.includes("ferries"));
  expect(chunks.find((chunk) => chunk === candidate?.passage.text)).toContain("ferries");
  expect(candidate?.passage.text).toBe(
    chunks.find((chunk) => chunk.includes("ferries") && chunk.includes("museum")) ?? best ?? "",
  );
});

test("a short text is its own passage, an empty one an empty one, and no more are taken than are asked for", async () => {
  const all = await candidates(branchesOf([1, 3, 2]), { documents }, "noon", { stage: "hybrid", count: 2 });
  expect(all.map(({ document, passage }) => [document, passage.text])).toEqual([
    [0, "It sails at noon."],
    [2, ""],
  ]);
});

test("scores reorder the candidates alone, and are averaged over all questions", async () => {
  const collection = {
    documents,
    queries: [
      { id: "q1", text: "ferry" },
      { id: "q2", text: "nothing" },
    ],
    grades: new Map([["q1", new Map([["long", 1]])]]),
  };
  const reranker = {
    rerank: async (_: string, passages: readonly object[]) => Float32Array.from(passages, (_, i) => i),
  };
  const { before, after, rankings } = await evalRerank({ branches: branchesOf([1, 2]) }, { reranker }, collection);
  expect([before, after]).toEqual([1 / Math.log2(3) / 2, 1 / 2]);
  expect(rankings[0]).toEqual({ query: "q1", ids: ["long", "short"], scores: [1, 0] });
});

test("a document is read once, whoever asks, and its vectors are one row", async () => {
  let reads = 0;
  const reader = {
    read: async (passages: readonly string[]) => {
      reads++;
      return passages.map((text) => Int8Array.of(text.length, 7));
    },
  };
  const vectorsOf = documentVectors(reader, documents);
  const [one, same] = await Promise.all([vectorsOf(0), vectorsOf(0)]);
  expect([reads, one === same]).toEqual([1, true]);
  expect([...one]).toEqual(["Ferry\nIt sails at noon.".length, 7]);
  expect((await vectorsOf(1)).length).toBeGreaterThan(2);
});

test("larger sets are sampled, and say so in their names; whole they are by the names of the sets", () => {
  const sampled = rerank.sets("/data", { full: false });
  const whole = rerank.sets("/data", { full: true });
  expect(sampled.map(({ path }) => path)).toEqual(whole.map(({ path }) => path));
  for (const [i, { set, every }] of sampled.entries()) {
    const suffix = every === undefined ? "" : `, every ${every === 3 ? "3rd" : `${every}th`} question`;
    expect(set).toBe(`${whole[i]?.set}${suffix}`);
    expect(whole[i]?.every).toBeUndefined();
  }
  expect(sampled.filter(({ every }) => every !== undefined)).toHaveLength(3);
});
