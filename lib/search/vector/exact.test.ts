import { describe, expect, test } from "bun:test";
import { ArticleTable } from "./articles.ts";
import { exactSearch, Floor } from "./exact.ts";
import { quantizeQuery } from "./codes.ts";
import { RowTable } from "./rows.ts";
import { bruteForce, clusteredVectors, randomVector, upsert } from "./testing.ts";
import { seeded } from "../../std/random.ts";

const DIMS = 48;

function tables(chunks: readonly { articleId: number; vector: Float32Array }[]) {
  const articles = new ArticleTable();
  const rows = new RowTable(DIMS);
  chunks.forEach(({ articleId, vector }, no) => {
    rows.add(articles.put(articleId, upsert(articleId, vector)), { no, start: 0, end: 1 }, vector);
  });
  return { articles, rows };
}

function search(built: ReturnType<typeof tables>, query: Float32Array, k: number) {
  const quantized = quantizeQuery(query);
  if (quantized === undefined) throw new Error("a query without direction");
  return exactSearch(built, [{ from: 0, to: built.rows.capacity }], quantized, k).map(({ ordinal, score }) => ({
    articleId: built.articles.articleId(ordinal),
    score,
  }));
}

/** The same articles in the same order; scores equal to single precision, within which ties may stand either way. */
function expectSame(found: { articleId: number; score: number }[], wanted: { articleId: number; score: number }[]) {
  expect(found).toHaveLength(wanted.length);
  found.forEach((hit, i) => {
    expect(Math.abs(hit.score - (wanted[i]?.score ?? 0))).toBeLessThan(1e-6);
  });
  const firmly = wanted.filter((hit) => hit.score > (wanted.at(-1)?.score ?? 0) + 1e-6).map((hit) => hit.articleId);
  const ids = new Set(found.map((hit) => hit.articleId));
  expect(firmly.filter((id) => !ids.has(id))).toEqual([]);
}

describe("exactSearch()", () => {
  test.each([
    ["spread vectors", (random: () => number) => Array.from({ length: 2000 }, () => randomVector(DIMS, random))],
    ["clusters with near copies", (random: () => number) => clusteredVectors(2000, DIMS, random)],
  ])("finds what brute force finds among %s", (_name, make) => {
    const random = seeded(9);
    const chunks = make(random).map((vector) => ({ articleId: 1 + Math.floor(random() * 800), vector }));
    const built = tables(chunks);
    for (const k of [1, 10, 100, 799, 5000]) {
      for (let i = 0; i < 8; i++) {
        const query = i % 2 === 0 ? randomVector(DIMS, random) : (chunks[i * 100]?.vector ?? new Float32Array(DIMS));
        expectSame(search(built, query, k), bruteForce(chunks, query, k));
      }
    }
  });

  test("gives an article with many near chunks once, by the best of them", () => {
    const random = seeded(10);
    const query = randomVector(DIMS, random);
    const near = (distance: number) => query.map((component) => component + distance * (random() - 0.5));
    const chunks = [
      ...Array.from({ length: 300 }, () => ({ articleId: 1, vector: near(0.01) })),
      ...Array.from({ length: 20 }, (_, i) => ({ articleId: i + 2, vector: near(0.3) })),
    ];
    const found = search(tables(chunks), query, 10);
    expect(found).toHaveLength(10);
    expect(found[0]?.articleId).toBe(1);
    expectSame(found, bruteForce(chunks, query, 10));
  });

  test("orders equal scores by article id, whatever the order they came in", () => {
    const vector = randomVector(DIMS, seeded(11));
    const chunks = [5, 3, 9, 1].map((articleId) => ({ articleId, vector }));
    expect(search(tables(chunks), vector, 3).map((hit) => hit.articleId)).toEqual([1, 3, 5]);
  });

  test("names the earlier of two equal chunks", () => {
    const vector = randomVector(DIMS, seeded(12));
    const built = tables([
      { articleId: 1, vector: randomVector(DIMS, seeded(13)) },
      { articleId: 1, vector },
      { articleId: 1, vector },
    ]);
    const query = quantizeQuery(vector);
    const [found] = query === undefined ? [] : exactSearch(built, [built.rows.list()], query, 1);
    expect(built.rows.chunk(found?.row ?? -1).no).toBe(1);
  });

  test("finds nothing among no rows", () => {
    expect(search(tables([]), randomVector(DIMS, seeded(14)), 10)).toEqual([]);
  });

  test.each(["as they come", "the best ones last", "the best ones first"] as const)(
    "gives to the last bit what arithmetic over all rows gives, by article and by row, %s",
    (sorted) => {
      const random = seeded(15);
      const query = randomVector(DIMS, random);
      const chunks = clusteredVectors(3000, DIMS, random)
        .map((vector) => ({ vector, near: vector.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0) }))
        .sort((a, b) =>
          sorted === "as they come" ? 0 : (a.near - b.near) * (sorted === "the best ones last" ? 1 : -1),
        )
        .map(({ vector }) => ({ articleId: 1 + Math.floor(random() * 1200), vector }));
      const built = tables(chunks);
      for (let row = 0; row < 3000; row += 7) built.rows.remove(row);
      const quantized = quantizeQuery(query);
      if (quantized === undefined) throw new Error("a query without direction");
      const all = built.rows.list().slice();
      const cosines = new Float64Array(all.length);
      built.rows.cosines(all, all.length, quantized.unit, cosines);
      const best = [...all]
        .map((row, i) => ({ ordinal: built.rows.article(row), row, score: cosines[i] ?? 0 }))
        .sort((a, b) => b.score - a.score);
      const byArticle = [...new Map(best.toReversed().map((hit) => [hit.ordinal, hit])).values()].sort(
        (a, b) => b.score - a.score,
      );
      const halves = [all.slice(0, 1001), all.slice(1001)];
      for (const k of [1, 10, 200, 1000]) {
        for (const among of [[{ from: 0, to: 3000 }], halves]) {
          expect(exactSearch(built, among, quantized, k)).toEqual(byArticle.slice(0, k));
          expect(exactSearch(built, among, quantized, k, "row")).toEqual(best.slice(0, k));
        }
      }
    },
  );
});

/** The k-th best of the articles, each by its best row. */
function kth(least: Float64Array, articles: Uint32Array, k: number): number {
  const best = new Map<number, number>();
  least.forEach((value, i) => {
    const article = articles[i] ?? 0;
    best.set(article, Math.max(value, best.get(article) ?? Number.NEGATIVE_INFINITY));
  });
  return [...best.values()].sort((a, b) => b - a)[k - 1] ?? Number.NEGATIVE_INFINITY;
}

test("Floor is at most what k articles reach, and little less, search after search", () => {
  const random = seeded(32);
  const floor = new Floor();
  for (let round = 0; round < 200; round++) {
    const size = 1 + Math.floor(random() * 400);
    const articles = Uint32Array.from({ length: size }, () => random() * 150);
    const least = Float64Array.from({ length: size }, () => (random() < 0.1 ? 1 : random() * 2 - 1));
    const rows = Uint32Array.from({ length: size }, (_, row) => row);
    const k = 1 + Math.floor(random() * 60);
    floor.begin(k, 150);
    for (let from = 0; from < size; from += 64) {
      floor.raise(least, from, Math.min(size, from + 64), rows, articles);
      const wanted = kth(least.subarray(0, Math.min(size, from + 64)), articles, k);
      expect(floor.value).toBeLessThanOrEqual(wanted);
      expect(floor.value === wanted || wanted - floor.value < 0.0006).toBe(true);
    }
    floor.forget(rows, size, articles);
  }
});

test("Floor counts rows where it is told of no articles", () => {
  const floor = new Floor();
  floor.begin(3, 0);
  floor.raise(Float64Array.of(0.25, 0.5), 0, 2);
  expect(floor.value).toBe(Number.NEGATIVE_INFINITY);
  floor.raise(Float64Array.of(0.5, -0.5, 0.75), 0, 3);
  expect(floor.value).toBe(0.5);
});

test("Floor stays below rows that reach no cosine at all, and above 1 counts as 1", () => {
  const floor = new Floor();
  floor.begin(2, 0);
  floor.raise(Float64Array.of(-1.01, -1.5, 0.5), 0, 3);
  expect(floor.value).toBe(Number.NEGATIVE_INFINITY);
  floor.raise(Float64Array.of(1.5, 9), 0, 2);
  expect(floor.value).toBe(1);
});
