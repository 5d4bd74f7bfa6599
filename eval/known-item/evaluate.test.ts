import { expect, test } from "bun:test";
import { meanReciprocalRanks, placesOfItems } from "./evaluate.ts";
import { QUERY_KINDS } from "./queries.ts";

const articles = ["First headline", "Second headline"].map((title) => ({ title, text: `${title} in a text` }));
/** Both branches find both articles, in these orders, whatever is asked. */
const branches = {
  keyword: async () => [2, 1].map((articleId) => ({ articleId, score: 1 })),
  vector: async () => ({
    hits: [1].map((articleId) => ({ articleId, score: 1, chunkNo: 0, start: 0, end: 1 })),
    candidates: 2,
  }),
};

test("each target is asked for in each way, and has its place in each mode", async () => {
  const places = await placesOfItems({ branches }, { articles, targets: [1, 0] });
  expect(places.map(({ kind }) => kind)).toEqual(QUERY_KINDS.flatMap((kind) => [kind, kind]));
  expect(places[0]).toEqual({ kind: "title", query: "Second headline", target: 1, keyword: 1, vector: 0, hybrid: 2 });
  expect(places[1]).toMatchObject({ query: "First headline", target: 0, keyword: 2, vector: 1, hybrid: 1 });
});

test("the reciprocal ranks are averaged by kind and mode; an article that is not found counts as 0", () => {
  const place = { query: "", target: 0, kind: "title" as const };
  const figures = meanReciprocalRanks([
    { ...place, keyword: 1, vector: 0, hybrid: 2 },
    { ...place, keyword: 4, vector: 0, hybrid: 1 },
  ]);
  expect(figures).toMatchObject({ "MRR title, keyword": 0.625, "MRR title, vector": 0, "MRR title, hybrid": 0.75 });
});
