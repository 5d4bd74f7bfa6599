import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { readManifest } from "./snapshot.ts";
import { randomVector, upsert } from "./testing.ts";
import { seeded } from "../../std/random.ts";
import { VectorThreadError } from "./start.ts";
import { openVectorThread, type VectorThread } from "./sink.ts";

const DIMS = 64;
const random = seeded(30);
const dir = mkdtempSync(join(tmpdir(), "isnad-thread-"));
const key = { modelId: "m@1", dims: DIMS };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("openVectorThread()", () => {
  let thread: VectorThread;
  beforeEach(() => {
    thread = openVectorThread({ dir });
  });
  afterEach(async () => {
    await thread.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const batch = (from: number, count: number) => ({
    changes: Array.from({ length: count }, (_, i) => upsert(from + i, randomVector(DIMS, random))),
    to: { seq: from + count, mark: "m" },
  });

  test("answers calls and gives errors back as what they were", async () => {
    expect(await thread.call("load", { key })).toEqual({});
    expect(await thread.call("apply", batch(1, 100))).toEqual({ skipped: 0 });
    const [hits, other] = await Promise.all([
      thread.call("search", { vector: randomVector(DIMS, random), k: 3, filters: {} }),
      thread.call("search", { vector: randomVector(DIMS, random), k: 5, filters: { lang: "en" } }),
    ]);
    expect([hits.articleIds.length, other.articleIds.length]).toEqual([3, 0]);
    const wrong = await failure(thread.call("search", { vector: new Float32Array(1), k: 1, filters: {} }));
    expect(wrong).toBeInstanceOf(RangeError);
    expect(await thread.call("save")).toEqual({ saved: true });
    expect(await thread.call("status")).toMatchObject({ articles: 100, chunks: 100, depth: null, recall: null });
  });

  test("links in the background without holding up searches or the main loop", async () => {
    await thread.close();
    thread = openVectorThread({ dir, scannedPerCandidate: 4 });
    await thread.call("load", { key });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    for (let i = 0; i < 12; i++) await thread.call("apply", batch(1 + i * 256, 256));
    let answeredMeanwhile = 0;
    for (;;) {
      const { articleIds } = await thread.call("search", { vector: randomVector(DIMS, random), k: 10, filters: {} });
      expect(articleIds.length).toBe(10);
      if ((await thread.call("status")).linked === 12 * 256) break;
      answeredMeanwhile++;
    }
    clearInterval(timer);
    expect(answeredMeanwhile).toBeGreaterThan(2);
    expect(ticks).toBeGreaterThan(2);
  });

  test("a change waits for a snapshot that is being written, a search does not", async () => {
    await thread.call("load", { key });
    await thread.call("apply", batch(1, 2000));
    const order: string[] = [];
    await Promise.all([
      thread.call("save").then(() => order.push("save")),
      thread.call("apply", batch(5000, 10)),
      thread.call("search", { vector: randomVector(DIMS, random), k: 1, filters: {} }).then(() => order.push("search")),
    ]);
    expect(order).toEqual(["search", "save"]);
    expect(await readManifest(dir)).toMatchObject({ seq: 2001, rows: 2000 });
    expect((await thread.call("status")).chunks).toBe(2010);
  });

  test("serves what it has after a restart, until it is told to serve the new", async () => {
    await thread.call("load", { key });
    const vector = randomVector(DIMS, random);
    await thread.call("apply", { changes: [upsert(1, vector)], to: { seq: 1, mark: "m" } });
    await thread.call("restart", { key });
    await thread.call("apply", { changes: [upsert(2, vector)], to: { seq: 2, mark: "n" } });
    const search = async () => [...((await thread.call("search", { vector, k: 9, filters: {} })).articleIds ?? [])];
    expect(await search()).toEqual([1]);
    expect(await thread.call("save")).toEqual({ saved: false });
    await thread.call("adopt");
    expect(await search()).toEqual([2]);
    expect(await thread.call("save")).toEqual({ saved: true });
  });

  test("ends cleanly in the middle of its work, again and again", async () => {
    for (let i = 0; i < 5; i++) {
      const short = openVectorThread({ dir });
      await short.call("load", { key });
      await short.call("apply", batch(1, 500));
      const save = short.call("save");
      await Promise.all([short.close(), short.close()]);
      const { saved } = await save;
      // Later ones are written when the background work got further than in the snapshot before.
      if (i === 0) expect(saved).toBe(true);
      expect(await failure(short.call("status"))).toBeInstanceOf(VectorThreadError);
    }
  });

  test("nothing can be asked before it is loaded, nor after it has ended until it is loaded again", async () => {
    expect(await failure(thread.call("status"))).toBeInstanceOf(VectorThreadError);
    const crashing = openVectorThread({ dir, worker: new URL("./testing-worker.ts", import.meta.url) });
    await crashing.call("load", { key });
    await crashing.call("apply", batch(1, 10));
    const search = (k: number) => crashing.call("search", { vector: randomVector(DIMS, random), k, filters: {} });
    const crash = await failure(search(13));
    expect(crash).toBeInstanceOf(VectorThreadError);
    expect(String(crash)).toContain("vector index: its thread has ended: exit code 7");
    expect(await failure(search(3))).toBeInstanceOf(VectorThreadError);
    await crashing.call("load", { key });
    expect((await search(3)).articleIds).toHaveLength(0);
    expect(crashing.state()).toMatchObject({ alive: 1, restarts: 1 });
    await crashing.close();
  });

  test("a thread that cannot start says why", async () => {
    const broken = openVectorThread({ dir, worker: new URL("./not-there.ts", import.meta.url) });
    const error = await failure(broken.call("load", { key }));
    expect(error).toBeInstanceOf(VectorThreadError);
    expect(String(error)).toContain("vector index: its thread could not start: ");
    expect(String(error)).toContain("not-there.ts");
    await broken.close();
  });
});
