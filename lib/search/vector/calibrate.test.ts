import { beforeAll, describe, expect, test } from "bun:test";
import { ArticleTable } from "./articles.ts";
import { VectorEngine } from "./engine.ts";
import { Graph } from "./graph.ts";
import { RowTable } from "./rows.ts";
import { bruteForce, clusteredVectors, randomVector, upsert } from "./testing.ts";
import { seeded } from "../../std/random.ts";

const DIMS = 16;
/** Small enough that the graph is asked for candidates among 5,000 rows. */
const SCANNED = 8;

/** A graph that hides most of what it holds. */
class BlindGraph extends Graph {
  override search(codes: Int8Array, depth: number): Uint32Array {
    return super.search(codes, depth).filter((row) => row % 3 === 0);
  }
}

function engineOver(graph: Graph, count: number) {
  const engine = new VectorEngine(DIMS, { articles: new ArticleTable(), rows: new RowTable(DIMS), graph }, SCANNED);
  const vectors = clusteredVectors(count, DIMS, seeded(26));
  engine.apply(
    vectors.map((vector, i) => upsert(i + 1, vector)),
    count,
  );
  while (engine.link(1000) || engine.calibration.step());
  return { engine, chunks: vectors.map((vector, i) => ({ articleId: i + 1, vector })) };
}

describe("Calibration", () => {
  /** An engine that has measured its graph; nothing is added to it. */
  let engine: VectorEngine;
  beforeAll(() => {
    ({ engine } = engineOver(new Graph(DIMS), 5000));
  });

  test("chooses a depth for a graph that finds what it should", () => {
    expect([512, 1024, 2048]).toContain(engine.calibration.depth ?? 0);
    expect(engine.calibration.recall).toBeGreaterThanOrEqual(0.99);
  });

  test("leaves a bad graph unused: the index scans, and is right", () => {
    const { engine: blind, chunks } = engineOver(new BlindGraph(DIMS), 5000);
    expect(blind.calibration.depth).toBeUndefined();
    expect(blind.calibration.recall).toBeLessThan(0.9);
    const query = randomVector(DIMS, seeded(27));
    const found = blind.search(query, 10, {});
    expect([...found.articleIds]).toEqual(bruteForce(chunks, query, 10).map((hit) => hit.articleId));
  });

  test("does not measure a small index: scanning it is as quick", () => {
    const { engine: small } = engineOver(new Graph(DIMS), 500);
    expect(small.calibration.depth).toBeUndefined();
    expect(small.calibration.recall).toBeNaN();
  });

  test("measures again after much has changed, in steps, and not before", () => {
    expect(engine.calibration.step()).toBe(false);
    engine.calibration.changed(1100);
    expect(engine.calibration.step()).toBe(false);
    engine.calibration.changed(300);
    let steps = 0;
    while (engine.calibration.step()) steps++;
    expect(steps).toBeGreaterThan(40);
  });

  test("measures what came linked and unmeasured from a snapshot, but not what came measured", () => {
    const loaded = () => new VectorEngine(DIMS, engine, SCANNED);
    expect(loaded().calibration.step()).toBe(true);
    const measured = loaded();
    measured.calibration.restore(1024, 0.996, 5000);
    expect(measured.calibration.step()).toBe(false);
  });

  test("counts what was asked of late among the samples", () => {
    for (let i = 0; i < 100; i++) engine.search(randomVector(DIMS, seeded(i)), 3, {});
    engine.calibration.changed(5000);
    let steps = 0;
    while (engine.calibration.step()) steps++;
    expect(steps).toBe((160 + 32) * 4 + 1);
  });
});
