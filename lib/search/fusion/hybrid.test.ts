import { describe, expect, test } from "bun:test";
import type { KeywordAnswer } from "../keyword/types.ts";
import { type Branches, fuseHybrid, searchBranches, type VectorHit } from "./hybrid.ts";

const near = (articleId: number, score: number) => ({ articleId, score, chunkNo: 0, start: 0, end: 1 });
const found = {
  keyword: [
    { articleId: 1, score: 16 },
    { articleId: 2, score: 8 },
  ],
  vector: [near(3, 0.9), near(2, 0.8), near(4, 0.5)],
};

describe("fuseHybrid()", () => {
  test("by ranks: the score is the sum over the branches of 1 / (k + rank)", () => {
    const { hits, cut } = fuseHybrid(found, { k: 60, fusion: "rrf" });
    expect(cut).toBe(3);
    expect(hits.map(({ articleId }) => articleId)).toEqual([2, 1, 3, 4]);
    for (const { keywordRank, vectorRank, score, rrfScore } of hits) {
      expect(score).toBe(rrfScore);
      expect(score).toBeCloseTo(1 / (60 + (keywordRank ?? Infinity)) + 1 / (60 + (vectorRank ?? Infinity)), 12);
    }
  });

  test("by scores: 0.2 · bm25 / √(best bm25) + 0.8 · cosine orders, the rest stays", () => {
    const { hits } = fuseHybrid(found, { k: 60, fusion: "score" });
    const expected = new Map([
      [1, 0.2 * 4 + 0.8 * 0.5],
      [2, 0.2 * 2 + 0.8 * 0.8],
      [3, 0.8 * 0.9],
      [4, 0.8 * 0.5],
    ]);
    expect(hits.map(({ articleId }) => articleId)).toEqual([1, 2, 3, 4]);
    for (const { articleId, score } of hits) expect(score).toBeCloseTo(expected.get(articleId) ?? Number.NaN, 12);
    const byRanks = fuseHybrid(found, { k: 60, fusion: "rrf" }).hits;
    for (const { articleId, rrfScore, keywordRank, vectorRank } of hits) {
      const same = byRanks.find((hit) => hit.articleId === articleId);
      expect([rrfScore, keywordRank, vectorRank]).toEqual([
        same?.score ?? 0,
        same?.keywordRank ?? null,
        same?.vectorRank ?? null,
      ]);
    }
  });

  test("the hits are the same with every fusion, and those beyond the cut are none", () => {
    const keyword = Array.from({ length: 30 }, (_, i) => ({ articleId: i + 1, score: 30 - i }));
    const vector = Array.from({ length: 100 }, (_, i) => near(i + 25, 0.3 - i / 10_000));
    const ranks = fuseHybrid({ keyword, vector }, { k: 60, fusion: "rrf" });
    const scores = fuseHybrid({ keyword, vector }, { k: 60, fusion: "score" });
    const ids = ({ hits }: typeof ranks) => hits.map(({ articleId }) => articleId).toSorted((a, b) => a - b);
    expect(ids(scores)).toEqual(ids(ranks));
    expect(ranks.cut).toBeLessThan(vector.length);
    const beyond = new Set(vector.slice(ranks.cut).map(({ articleId }) => articleId));
    for (const { articleId, vectorRank, keywordRank } of ranks.hits) {
      if (beyond.has(articleId)) expect([vectorRank, keywordRank === null]).toEqual([null, false]);
    }
  });

  test("one branch alone keeps its order", () => {
    expect(fuseHybrid({ keyword: [], vector: found.vector }, { k: 60, fusion: "score" }).hits).toHaveLength(3);
    const { hits } = fuseHybrid({ keyword: found.keyword, vector: [] }, { k: 60, fusion: "score" });
    expect(hits.map(({ articleId }) => articleId)).toEqual([1, 2]);
    expect(fuseHybrid({ keyword: [], vector: [] }, { k: 60, fusion: "rrf" })).toEqual({ hits: [], cut: 0 });
  });
});

const hit = (articleId: number): VectorHit => ({ articleId, score: 0.5, chunkNo: 0, start: 0, end: 10 });
const query = { text: "خبر", filters: {}, kKeyword: 10, kVector: 10 };
const works: Branches = {
  keyword: async () => ({ hits: [{ articleId: 1, score: 3 }], corrections: [] }),
  vector: async () => ({ hits: [hit(2), hit(1)], candidates: 7 }),
};
const fails = async () => Promise.reject(new Error("away"));

describe("searchBranches()", () => {
  test("gives what both branches found", async () => {
    const result = await searchBranches(works, query);
    expect(result).toMatchObject({ keyword: [{ articleId: 1, score: 3 }], vector: [hit(2), hit(1)], candidates: 7 });
    expect(result).not.toHaveProperty("vectorError");
  });

  test("tells what words found only while meaning still searches, and only where they found something", async () => {
    const told: number[] = [];
    const onKeyword = ({ hits }: KeywordAnswer) => void told.push(...hits.map((each) => each.articleId));
    const slow: Branches["vector"] = async () => {
      await Bun.sleep(5);
      return { hits: [hit(2)], candidates: 7 };
    };
    await searchBranches({ ...works, vector: slow }, query, { onKeyword });
    expect(told.splice(0)).toEqual([1]);
    await searchBranches({ keyword: async () => ({ hits: [], corrections: [] }), vector: slow }, query, {
      onKeyword,
    });
    await searchBranches({ ...works, vector: slow }, { ...query, kVector: 0 }, { onKeyword });
    const late = async () => {
      await Bun.sleep(5);
      return { hits: [{ articleId: 1, score: 3 }], corrections: [] };
    };
    await searchBranches({ ...works, keyword: late }, query, { onKeyword });
    await searchBranches({ keyword: fails, vector: slow }, query, { onKeyword });
    expect(told).toEqual([]);
  });

  test("asks the branches at the same time", async () => {
    let running = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, ++running);
      await Bun.sleep(20);
      running--;
    };
    const branches: Branches = {
      keyword: (asked) => slow().then(() => works.keyword(asked)),
      vector: (...asked) => slow().then(() => works.vector(...asked)),
    };
    await searchBranches(branches, query);
    expect(most).toBe(2);
  });

  test("skips a branch with k 0", async () => {
    const keyword = await searchBranches({ ...works, vector: fails }, { ...query, kVector: 0 });
    expect([keyword.keyword.length, keyword.vector.length, keyword.candidates]).toEqual([1, 0, 0]);
    const vector = await searchBranches({ ...works, keyword: fails }, { ...query, kKeyword: 0 });
    expect([vector.keyword.length, vector.vector.length]).toEqual([0, 2]);
  });

  test("serves one branch when the other fails, and says so", async () => {
    const noVector = await searchBranches({ ...works, vector: fails }, query);
    expect([noVector.keyword.length, noVector.vector.length]).toEqual([1, 0]);
    expect(noVector.vectorError).toEqual(new Error("away"));
    const noKeyword = await searchBranches({ ...works, keyword: fails }, query);
    expect([noKeyword.keyword.length, noKeyword.vector.length]).toEqual([0, 2]);
    expect(noKeyword.keywordError).toEqual(new Error("away"));
  });

  test("rejects when all that was asked fails", async () => {
    expect(searchBranches({ keyword: fails, vector: fails }, query)).rejects.toThrow("away");
    expect(searchBranches({ ...works, vector: fails }, { ...query, kKeyword: 0 })).rejects.toThrow("away");
    expect(searchBranches({ ...works, keyword: fails }, { ...query, kVector: 0 })).rejects.toThrow("away");
  });

  test("the vector branch keeps to the query's syntax: it gets the text, and loses what is ruled out", async () => {
    const asked: string[] = [];
    const branches: Branches = {
      ...works,
      vector: async (given, ...rest) => {
        asked.push(given.text);
        return await works.vector(given, ...rest);
      },
      allowed: async ({ text }, ids) => (text.includes("-") ? ids.filter((id) => id !== 1) : [...ids]),
    };
    const vectorOf = async (text: string) =>
      (await searchBranches(branches, { ...query, text })).vector.map(({ articleId }) => articleId);
    expect(await vectorOf("harbour -quiet")).toEqual([2]);
    expect(await vectorOf('"harbour town"')).toEqual([2, 1]);
    expect(await vectorOf("-quiet")).toEqual([]);
    expect(await searchBranches(branches, { ...query, text: 'old "harbour town"' })).toMatchObject({ quoted: true });
    expect(await searchBranches(branches, { ...query, text: "harbour -quiet" })).toMatchObject({ quoted: false });
    expect(asked.slice(0, 2)).toEqual(["harbour ", '"harbour town"']);
  });

  test("what the syntax leaves of the neighbours is one list, however many of it are asked for", async () => {
    const near = Array.from({ length: 1500 }, (_, i) => hit(i + 1));
    const branches: Branches = {
      ...works,
      vector: async (_text, k) => ({ hits: near.slice(0, k), candidates: near.length }),
      allowed: async (_query, ids) => ids.filter((id) => id % 5 === 0),
    };
    const ask = (kVector: number) => searchBranches(branches, { ...query, text: "harbour -quiet", kVector });
    const [few, all] = await Promise.all([ask(60), ask(1000)]);
    expect([few.vector.length, all.vector.length]).toEqual([60, 200]);
    expect(few.vector).toEqual(all.vector.slice(0, 60));
    expect([few.candidates, all.candidates]).toEqual([200, 200]);
  });

  test("neighbours without a word that the begun one may become are less near, however many are asked for", async () => {
    const near = Array.from({ length: 1500 }, (_, i) => ({ ...hit(i + 1), score: 0.9 - 0.001 * i }));
    const branches: Branches = {
      ...works,
      vector: async (_text, k) => ({ hits: near.slice(0, k), candidates: near.length }),
      lackingBegun: async ({ text, prefix }, ids) => (text === "old harb" && prefix ? ids.filter((id) => id < 4) : []),
    };
    const ask = async (kVector: number, prefix: boolean) =>
      (await searchBranches(branches, { ...query, text: "old harb", prefix, kVector })).vector;
    const idsOf = (hits: readonly { articleId: number }[]) => hits.map(({ articleId }) => articleId);
    expect(idsOf(await ask(3, false))).toEqual([1, 2, 3]);
    const begun = await ask(60, true);
    expect(idsOf(begun).slice(0, 3)).toEqual([4, 5, 6]);
    expect(idsOf(begun).filter((id) => id < 4)).toEqual([1, 2, 3]);
    expect(begun.find(({ articleId }) => articleId === 1)?.score).toBeCloseTo(0.86, 9);
    expect(begun.map(({ score }) => score)).toEqual(begun.map(({ score }) => score).toSorted((a, b) => b - a));
    expect((await ask(3, true)).map(({ articleId }) => articleId)).toEqual([4, 5, 6]);
    expect((await ask(1000, true)).slice(0, 60)).toEqual(begun);
    const away: Branches = { ...branches, lackingBegun: () => Promise.reject(new Error("away")) };
    const { vector } = await searchBranches(away, { ...query, text: "old harb", prefix: true, kVector: 3 });
    expect(idsOf(vector)).toEqual([1, 2, 3]);
  });

  test("a term narrows the keyword branch alone, whatever syntax the query has", async () => {
    const asked: unknown[] = [];
    const branches: Branches = {
      keyword: async ({ term }) => {
        asked.push(term);
        return { hits: [], corrections: [] };
      },
      vector: works.vector,
      allowed: async (asks, ids) => ("term" in asks && asks.term !== undefined ? [] : [...ids]),
    };
    const term = { field: "lang", value: "ar" } as const;
    const { vector } = await searchBranches(branches, { ...query, text: "harbour -quiet", term });
    expect([vector.length, asked]).toEqual([2, [term]]);
  });

  test("a vector branch that does not answer counts as failed", async () => {
    const hangs: Branches["vector"] = (_text, _k, _filters, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const result = await searchBranches({ ...works, vector: hangs }, query, { branchMs: 20 });
    expect([result.keyword.length, result.vector.length]).toEqual([1, 0]);
    expect(result.vectorError).toBeInstanceOf(Error);
  });

  test("a branch that goes on for ever counts as failed, and the other one's list is served", async () => {
    const forever = () => new Promise<never>(() => {});
    const noKeyword = await searchBranches({ ...works, keyword: forever }, query, { branchMs: 20 });
    expect([noKeyword.keyword.length, noKeyword.vector.length]).toEqual([0, 2]);
    expect(noKeyword.keywordError).toMatchObject({ name: "KeywordIndexError", reason: "away" });
    const noVector = await searchBranches({ ...works, vector: forever }, query, { branchMs: 20 });
    expect([noVector.keyword.length, noVector.vector.length]).toEqual([1, 0]);
    const neither = searchBranches({ keyword: forever, vector: forever }, query, { branchMs: 20 });
    await expect(neither).rejects.toMatchObject({ name: "KeywordIndexError", reason: "away" });
  });

  test("neighbours that nothing supports are left out where a floor is asked for, and counted as far as they count", async () => {
    const near = Array.from({ length: 1500 }, (_, i) => hit(i + 1));
    const asked: number[] = [];
    const branches: Branches = {
      ...works,
      vector: async (_query, k) => {
        asked.push(k);
        return { hits: near.slice(0, k), candidates: near.length };
      },
      supports: async ({ text }, ids) => ids.map(() => (text === "meant" ? 1 : 0)),
    };
    const ask = (text: string, more: object = {}) =>
      searchBranches(branches, { ...query, text, kKeyword: 0, floor: true, ...more });
    expect(await ask("zzzqqqxx")).toMatchObject({ vector: [], candidates: 0 });
    expect(await ask("meant")).toMatchObject({ candidates: 1000 });
    expect(asked).toEqual([10, 10, 1000]);
    expect((await ask("meant")).vector).toHaveLength(10);
    expect((await ask("zzzqqqxx", { floor: false })).vector).toHaveLength(10);
    const beside = await searchBranches(branches, { ...query, text: "zzzqqqxx", floor: true });
    expect(beside.vector).toHaveLength(10);
    const wordless = { ...branches, keyword: async () => ({ hits: [], corrections: [] }) };
    expect((await searchBranches(wordless, { ...query, text: "zzzqqqxx", floor: true })).vector).toEqual([]);
    const away = { ...branches, supports: fails };
    expect((await searchBranches(away, { ...query, kKeyword: 0, floor: true })).vector).toHaveLength(10);
  });

  test("an encoder is asked of the first neighbours where cosine and words leave it open; when it fails they decide", async () => {
    const near = Array.from({ length: 12 }, (_, i) => hit(i + 1));
    const read: number[] = [];
    const branches = (likeness: number, support = 0): Branches => ({
      ...works,
      vector: async () => ({ hits: near.map((each) => ({ ...each, score: 0.3 })), candidates: near.length }),
      supports: async (_query, ids) => ids.map(() => support),
      async *likeness(_query, hits) {
        for (const { articleId } of hits) {
          read.push(articleId);
          yield likeness;
        }
      },
    });
    const ask = async (likeness: number, support?: number) =>
      (await searchBranches(branches(likeness, support), { ...query, text: "what of it", kKeyword: 0, floor: true }))
        .vector;
    expect(await ask(0.05)).toEqual([]);
    expect(await ask(0.5)).toHaveLength(near.length);
    expect(read).toEqual([1, 2, 3, 4, 5, 1]);
    expect(await ask(0.05, 1)).toHaveLength(near.length);
    expect(read).toHaveLength(6);
    const failing: Branches = {
      ...branches(0.5),
      // biome-ignore lint/correctness/useYield: it fails before it tells anything.
      async *likeness() {
        await fails();
      },
    };
    expect((await searchBranches(failing, { ...query, text: "what of it", kKeyword: 0, floor: true })).vector).toEqual(
      [],
    );
  });

  test("where words are not asked for, it still says which were read as others", async () => {
    const corrections = [{ word: "harbuor", readAs: ["harbour"] }];
    const branches: Branches = {
      ...works,
      reading: async ({ text }) => ({ text, translation: "", corrections }),
    };
    const typo = { ...query, text: "harbuor", kKeyword: 0, typos: "auto" as const };
    expect(await searchBranches(branches, typo)).toMatchObject({ corrections, alternatives: ["harbour"] });
    expect(await searchBranches(branches, { ...typo, typos: "off" })).toMatchObject({ corrections: [] });
  });

  test("rejects with the caller's reason when the caller goes away", async () => {
    const controller = new AbortController();
    controller.abort(new Error("gone"));
    expect(searchBranches(works, query, { signal: controller.signal })).rejects.toThrow("gone");
  });
});
