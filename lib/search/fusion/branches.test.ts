import { describe, expect, test } from "bun:test";
import { type Branches, searchBranches, type VectorHit } from "./branches.ts";

const hit = (articleId: number): VectorHit => ({ articleId, score: 0.5, chunkNo: 0, start: 0, end: 10 });
const query = { text: "خبر", filters: {}, kKeyword: 10, kVector: 10, kRrf: 60 };
const works: Branches = {
  keyword: async () => [{ articleId: 1, score: 3 }],
  vector: async () => [hit(2), hit(1)],
};
const fails = async () => Promise.reject(new Error("away"));

describe("searchBranches()", () => {
  test("fuses both lists and keeps scores and passages", async () => {
    const result = await searchBranches(works, query);
    expect(result.fused.map((f) => f.articleId)).toEqual([1, 2]);
    expect(result.keywordScores.get(1)).toBe(3);
    expect(result.passages.get(2)).toEqual(hit(2));
    expect(result).not.toHaveProperty("vectorError");
  });

  test("asks the branches at the same time", async () => {
    let running = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, ++running);
      await Bun.sleep(20);
      running--;
      return [];
    };
    await searchBranches({ keyword: slow, vector: slow }, query);
    expect(most).toBe(2);
  });

  test("skips a branch with k 0", async () => {
    const { fused } = await searchBranches({ ...works, vector: fails }, { ...query, kVector: 0 });
    expect(fused.map((f) => f.articleId)).toEqual([1]);
    const other = await searchBranches({ ...works, keyword: fails }, { ...query, kKeyword: 0 });
    expect(other.fused.map((f) => f.articleId)).toEqual([2, 1]);
  });

  test("serves one branch when the other fails, and says so", async () => {
    const noVector = await searchBranches({ ...works, vector: fails }, query);
    expect(noVector.fused.map((f) => f.articleId)).toEqual([1]);
    expect(noVector.vectorError).toEqual(new Error("away"));
    const noKeyword = await searchBranches({ ...works, keyword: fails }, query);
    expect(noKeyword.fused.map((f) => f.articleId)).toEqual([2, 1]);
    expect(noKeyword.keywordError).toEqual(new Error("away"));
  });

  test("rejects when all that was asked fails", async () => {
    expect(searchBranches({ keyword: fails, vector: fails }, query)).rejects.toThrow("away");
    expect(searchBranches({ ...works, vector: fails }, { ...query, kKeyword: 0 })).rejects.toThrow("away");
    expect(searchBranches({ ...works, keyword: fails }, { ...query, kVector: 0 })).rejects.toThrow("away");
  });

  test("a vector branch that does not answer counts as failed", async () => {
    const hangs: Branches["vector"] = (_text, _k, _filters, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const result = await searchBranches({ ...works, vector: hangs }, query, { vectorMs: 20 });
    expect(result.fused.map((f) => f.articleId)).toEqual([1]);
    expect(result.vectorError).toBeInstanceOf(Error);
  });

  test("rejects with the caller's reason when the caller goes away", async () => {
    const controller = new AbortController();
    controller.abort(new Error("gone"));
    expect(searchBranches(works, query, { signal: controller.signal })).rejects.toThrow("gone");
  });
});
