import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { at } from "../../std/mod.ts";
import { VectorEngine } from "./engine.ts";
import { bruteForce, clusteredVectors, randomVector, upsert } from "./testing.ts";
import { seeded } from "../../std/random.ts";

setDefaultTimeout(300_000);

const DIMS = 48;
/** Enough rows, and few enough to a candidate, for a search by the graph. */
const ROWS = 5000;
const SCANNED = 4;

type Chunk = { articleId: number; vector: Float32Array };

function filled(
  chunks: readonly Chunk[],
  fields: (chunk: Chunk, i: number) => object = () => ({}),
  scanned = SCANNED,
): VectorEngine {
  const engine = new VectorEngine(DIMS, undefined, scanned);
  engine.apply(
    chunks.map((chunk, i) => upsert(chunk.articleId, chunk.vector, { chunkNo: i, start: i, ...fields(chunk, i) })),
    chunks.length,
  );
  return engine;
}

function settle(engine: VectorEngine): void {
  while (engine.link(1000) || engine.calibration.step());
}

function recall(engine: VectorEngine, chunks: readonly Chunk[], queries: readonly Float32Array[]): number {
  let hits = 0;
  let wanted = 0;
  for (const query of queries) {
    const found = new Set(engine.search(query, 10, {}).articleIds);
    for (const { articleId } of bruteForce(chunks, query, 10)) {
      wanted++;
      if (found.has(articleId)) hits++;
    }
  }
  return hits / wanted;
}

describe("VectorEngine", () => {
  test("finds a chunk at once, before it is linked, and knows its place", () => {
    const random = seeded(16);
    const vector = randomVector(DIMS, random);
    const engine = filled([{ articleId: 7, vector }]);
    const hits = engine.search(vector, 5, {});
    expect([...hits.articleIds]).toEqual([7]);
    expect([...hits.chunks]).toEqual([0, 0, 100]);
    expect(engine.waiting).toBe(1);
    expect(engine.seq).toBe(1);
  });

  test("a search for chunks is exact, gives several of one article, and keeps conditions before it counts", () => {
    const random = seeded(23);
    const chunks = clusteredVectors(2000, DIMS, random).map((vector, i) => ({ articleId: 1 + (i >> 2), vector }));
    const engine = filled(chunks, ({ articleId }, i) => ({ chunkNo: i & 3, lang: articleId % 20 === 0 ? "en" : "ar" }));
    settle(engine);
    const english = [{ field: "lang", is: "in", values: ["en"] }] as const;
    for (let round = 0; round < 10; round++) {
      const query = randomVector(DIMS, random);
      for (const [conditions, among] of [
        [[], chunks],
        [english, chunks.filter(({ articleId }) => articleId % 20 === 0)],
      ] as const) {
        // As articles of their own, brute force counts chunks.
        const wanted = bruteForce(
          among.map(({ vector }, articleId) => ({ articleId, vector })),
          query,
          30,
        );
        const found = engine.searchChunks(query, 30, conditions);
        expect(found.articleIds).toHaveLength(30);
        found.scores.forEach((score, i) => {
          expect(Math.abs(score - (wanted[i]?.score ?? 0))).toBeLessThan(1e-6);
        });
        expect(found.articleIds.every((id) => conditions.length === 0 || id % 20 === 0)).toBe(true);
      }
    }
    const own = chunks[41]?.vector ?? new Float32Array();
    const { articleIds, chunks: places } = engine.searchChunks(own, 1, []);
    expect([articleIds[0], places[0]]).toEqual([11, 1]);
  });

  test("filtered search is exact", () => {
    const random = seeded(17);
    const chunks = clusteredVectors(3000, DIMS, random).map((vector, i) => ({ articleId: 1 + (i >> 1), vector }));
    const lang = (chunk: Chunk) => (chunk.articleId % 10 === 0 ? "en" : "ar");
    const engine = filled(chunks, (chunk) => ({ lang: lang(chunk), publishedAt: chunk.articleId }));
    settle(engine);
    for (const filters of [{ lang: "en" }, { lang: "ar" }, { from: 300, to: 310 }, { lang: "fr" }]) {
      const passing = chunks.filter((chunk) =>
        "from" in filters ? chunk.articleId >= 300 && chunk.articleId <= 310 : lang(chunk) === filters.lang,
      );
      for (let i = 0; i < 10; i++) {
        const query = randomVector(DIMS, random);
        const found = engine.search(query, 10, filters);
        const wanted = bruteForce(passing, query, 10);
        expect([...found.articleIds]).toEqual(wanted.map((hit) => hit.articleId));
        wanted.forEach((hit, j) => {
          expect(found.scores[j]).toBeCloseTo(hit.score, 5);
        });
      }
    }
  });

  test("recall@10 is at least .99 of the exact scan, on clusters, in the order of their topics", () => {
    const random = seeded(18);
    const chunks = clusteredVectors(ROWS, DIMS, random).map((vector, i) => ({ articleId: 1 + i, vector }));
    const engine = filled(chunks);
    settle(engine);
    expect(engine.calibration.depth).toBeDefined();
    expect(engine.calibration.recall).toBeGreaterThanOrEqual(0.99);
    const queries = Array.from({ length: 50 }, (_, i) => {
      const other = randomVector(DIMS, random);
      return (chunks[i * 100]?.vector ?? other).map((component, j) => component + 0.5 * (other[j] ?? 0));
    });
    expect(recall(engine, chunks, queries)).toBeGreaterThanOrEqual(0.99);
  });

  test("a scan by sketches misses none of the first, and hardly any of all that are asked for", () => {
    const random = seeded(24);
    const dims = 64;
    const vectors = clusteredVectors(14_000, dims, random);
    const chunks = vectors.map((vector, i) => ({ articleId: 1 + (i >> 1), vector }));
    const engine = new VectorEngine(dims);
    engine.apply(
      chunks.map(({ articleId, vector }, i) => upsert(articleId, vector, { chunkNo: i & 1 })),
      1,
    );
    expect(engine.rows.sketches).toBeDefined();
    let [common, all] = [0, 0];
    for (let i = 0; i < 20; i++) {
      const query = i % 2 === 0 ? randomVector(dims, random) : at(vectors, i * 100);
      const wanted = bruteForce(chunks, query, 200).map(({ articleId }) => articleId);
      const found = [...engine.search(query, 200, {}).articleIds];
      expect(found.slice(0, 10)).toEqual(wanted.slice(0, 10));
      expect(found).toHaveLength(200);
      common += wanted.filter((articleId) => found.includes(articleId)).length;
      all += wanted.length;
    }
    expect(common / all).toBeGreaterThan(0.995);
  });

  test("links nothing while there are too few rows for the graph, and all of them from then on", () => {
    const random = seeded(26);
    const least = SCANNED * 512;
    let chunks = clusteredVectors(least - 1, DIMS, random).map((vector, i) => ({ articleId: 1 + i, vector }));
    const engine = filled(chunks);
    const isExact = () => {
      const query = randomVector(DIMS, random);
      const wanted = bruteForce(chunks, query, 10).map(({ articleId }) => articleId);
      expect([...engine.search(query, 10, {}).articleIds]).toEqual(wanted);
    };
    for (let again = 0; again < 3; again++) engine.apply([upsert(1, randomVector(DIMS, random))], 2);
    engine.apply([upsert(1, chunks[0]?.vector ?? new Float32Array())], 3);
    expect([engine.link(1000), engine.graph.size, engine.waiting]).toEqual([false, 0, least - 1]);
    isExact();
    const one = { articleId: least, vector: randomVector(DIMS, random) };
    chunks = [...chunks, one];
    engine.apply([upsert(one.articleId, one.vector)], 4);
    expect([engine.link(0), engine.waiting]).toEqual([true, least]);
    isExact();
    while (engine.link(1));
    expect([engine.graph.size, engine.waiting, engine.calibration.depth]).toEqual([least, 0, undefined]);
    isExact();
    settle(engine);
    expect(engine.calibration.recall).toBeGreaterThanOrEqual(0.99);
    expect(recall(engine, chunks, [randomVector(DIMS, random)])).toBeGreaterThanOrEqual(0.9);
    engine.apply([{ kind: "delete", articleId: 2 }, upsert(least + 1, randomVector(DIMS, random))], 5);
    settle(engine);
    expect([engine.graph.size, engine.waiting]).toEqual([least, 0]);
  });

  test("keeps its recall when a third of the articles came and went", () => {
    const random = seeded(19);
    let chunks = clusteredVectors(ROWS, DIMS, random).map((vector, i) => ({ articleId: 1 + i, vector }));
    const engine = filled(chunks);
    settle(engine);
    for (let round = 0; round < 3; round++) {
      const gone = new Set(chunks.filter(() => random() < 0.12).map((chunk) => chunk.articleId));
      engine.apply(
        [...gone].map((articleId) => ({ kind: "delete", articleId })),
        1,
      );
      const fresh = clusteredVectors(gone.size, DIMS, random).map((vector, i) => ({
        articleId: 100_000 * (round + 1) + i,
        vector,
      }));
      engine.apply(
        fresh.map((chunk) => upsert(chunk.articleId, chunk.vector)),
        2,
      );
      settle(engine);
      chunks = [...chunks.filter((chunk) => !gone.has(chunk.articleId)), ...fresh];
    }
    expect(engine.rows.capacity).toBe(ROWS);
    expect(engine.rows.size).toBe(chunks.length);
    expect(engine.graph.size).toBe(chunks.length);
    expect(engine.calibration.depth).toBeDefined();
    const queries = Array.from({ length: 40 }, (_, i) => chunks[i * 120]?.vector ?? randomVector(DIMS, random));
    expect(recall(engine, chunks, queries)).toBeGreaterThanOrEqual(0.99);
  });

  test("a chunk that comes again takes the place of the one before, linked or not", () => {
    const random = seeded(20);
    const [first, second, third] = [randomVector(DIMS, random), randomVector(DIMS, random), randomVector(DIMS, random)];
    const engine = filled([{ articleId: 1, vector: first }], undefined, 0);
    engine.apply([upsert(1, second)], 2);
    expect(engine.rows.size).toBe(1);
    expect(engine.search(second, 1, {}).scores[0]).toBeCloseTo(1, 3);
    settle(engine);
    engine.apply([upsert(1, third)], 3);
    settle(engine);
    expect([engine.rows.size, engine.graph.size, engine.waiting]).toEqual([1, 1, 0]);
    expect(engine.search(third, 1, {}).scores[0]).toBeCloseTo(1, 3);
  });

  test("a removed article is gone at once, linked or not, and a later one takes its place", () => {
    const random = seeded(21);
    const vectors = Array.from({ length: 4 }, () => randomVector(DIMS, random));
    const engine = filled(
      vectors.map((vector, i) => ({ articleId: 1 + (i >> 1), vector })),
      undefined,
      0,
    );
    engine.apply([{ kind: "delete", articleId: 1 }], 5);
    expect([...engine.search(vectors[0] ?? new Float32Array(), 9, {}).articleIds]).toEqual([2]);
    settle(engine);
    engine.apply([{ kind: "delete", articleId: 2 }], 6);
    engine.apply([{ kind: "delete", articleId: 404 }], 7);
    expect(engine.search(vectors[2] ?? new Float32Array(), 9, {}).articleIds).toHaveLength(0);
    engine.apply([upsert(3, randomVector(DIMS, random))], 8);
    settle(engine);
    expect([engine.articles.size, engine.rows.size, engine.graph.size]).toEqual([1, 1, 1]);
  });

  test("a vector that is not finite, without direction or of other dimensions is left out and never ranks", () => {
    const random = seeded(22);
    const engine = filled([{ articleId: 1, vector: randomVector(DIMS, random) }]);
    const bad = [Number.NaN, Number.POSITIVE_INFINITY, 0].map((value) => new Float32Array(DIMS).fill(value));
    const { skipped } = engine.apply(
      [...bad, new Float32Array(DIMS + 1).fill(1)].map((vector, i) => upsert(10 + i, vector)),
      2,
    );
    settle(engine);
    expect(skipped).toBe(4);
    expect([...engine.search(randomVector(DIMS, random), 10, {}).articleIds]).toEqual([1]);
  });

  test("refuses a query of other dimensions or not finite, and finds nothing for zeros or for k 0", () => {
    const engine = filled([{ articleId: 1, vector: randomVector(DIMS, seeded(23)) }]);
    expect(() => engine.search(new Float32Array(3), 1, {})).toThrow(RangeError);
    expect(() => engine.search(new Float32Array(DIMS).fill(Number.NaN), 1, {})).toThrow(RangeError);
    expect(engine.search(new Float32Array(DIMS), 1, {}).articleIds).toHaveLength(0);
    expect(engine.search(new Float32Array(DIMS).fill(1), 0, {}).articleIds).toHaveLength(0);
  });

  test("goes on until it has k articles, though the nearest chunks belong to few", () => {
    const random = seeded(24);
    const centre = randomVector(DIMS, random);
    const near = () => centre.map((component) => component + 0.02 * (random() - 0.5));
    const chunks = [
      ...Array.from({ length: ROWS / 2 }, (_, i) => ({ articleId: 1 + (i % 3), vector: near() })),
      ...Array.from({ length: ROWS / 2 }, (_, i) => ({ articleId: 10 + i, vector: randomVector(DIMS, random) })),
    ];
    const engine = filled(chunks);
    settle(engine);
    const found = engine.search(centre, 10, {});
    expect([...found.articleIds]).toEqual(bruteForce(chunks, centre, 10).map((hit) => hit.articleId));
  });

  test("says how much memory it takes", () => {
    const count = 2100;
    const engine = filled(clusteredVectors(count, DIMS, seeded(25)).map((vector, i) => ({ articleId: i + 1, vector })));
    settle(engine);
    const { tables, graph } = engine.bytes();
    expect(tables).toBeGreaterThan(count * 3 * DIMS);
    expect(graph).toBeGreaterThan(count * DIMS);
  });
});
