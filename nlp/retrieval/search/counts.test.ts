import { expect, test } from "bun:test";
import { SearchParams } from "@isnad/lib/contract";
import { type CountStore, countsOf } from "./counts.ts";
import type { Hits } from "./hits.ts";

const branches = { keyword: [], corrections: [], vector: [], quoted: false, candidates: 0, keywordMs: 0, vectorMs: 0 };
const source = [
  { value: "wire", count: 2 },
  { value: "unnamed", count: 1 },
];
const hits: Hits = {
  ...{ found: branches, cut: 0, total: 3, isDeep: false, rrfMs: 0, surveyMs: 0 },
  evidence: { keywordScore: () => undefined, passages: new Map() },
  ranked: { length: 0, slice: () => [] },
  survey: { total: 3, facets: { source }, histogram: undefined, keys: new Float64Array(0), last: 0, lacking: [] },
  keys: async () => [],
  all: async () => [],
};

test("sources are counted with their names, which are asked for once in a while", async () => {
  const asked: (readonly string[])[] = [];
  const store: CountStore = {
    hits: {
      entities: async () => [],
      async sourceNames(keys) {
        asked.push(keys);
        return new Map([["wire", "The Wire"]]);
      },
    },
    stories: { count: async () => [], byIds: async () => [], idsOf: async () => new Map(), keysOf: async () => [] },
  };
  const params = SearchParams.parse({ facets: "source" });
  for (let turn = 0; turn < 2; turn++) {
    expect((await countsOf(store, params, hits)).facets?.source).toEqual([
      { value: "wire", label: "The Wire", count: 2 },
      { value: "unnamed", count: 1 },
    ]);
  }
  expect(asked).toEqual([["wire", "unnamed"]]);
});
