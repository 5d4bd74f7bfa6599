import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexedArticles, testStore } from "../../store/testing.ts";
import { openKeywordIndex } from "../keyword/open.ts";
import { createVectorIndex } from "../vector/vector-index.ts";
import { followKeyword } from "./sync.ts";

setDefaultTimeout(300_000);

const MODEL = "test@1";
const DIMS = 4;
const KILLS = 3;
const { store, url, close } = await testStore();
const dir = mkdtempSync(join(tmpdir(), "isnad-kill-"));
afterAll(async () => {
  await close();
  rmSync(dir, { recursive: true, force: true });
});

test("a process that is killed at any moment leaves indexes that go on, lose nothing and hold nothing that is gone", async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dirname, "testing-follower.ts"), url, dir, MODEL, String(DIMS)],
      { stdout: "pipe", stderr: "inherit" },
    );
    const ready = child.stdout.getReader().read();
    // Every second one is killed while it starts, the others while they follow.
    if (kill % 2 === 0) await ready;
    const ids = await indexedArticles(store, 40, MODEL);
    for (const id of ids.slice(0, 5)) await store.articles.remove(id);
    await Bun.sleep(Math.random() * 300);
    child.kill("SIGKILL");
    await child.exited;
  }
  const wanted = await store.log.keys(0, 10_000);
  expect(wanted).toHaveLength(KILLS * 35);
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (_: object, message: string) => void warnings.push(message) };
  const keyword = await openKeywordIndex({ dir: join(dir, "keyword"), logger });
  const follower = followKeyword({ store, keyword, logger });
  const vectors = await createVectorIndex({ store, dir: join(dir, "vectors"), modelId: MODEL, dims: DIMS, logger });
  await Promise.all([follower.whenCaughtUp(), vectors.whenReady()]);
  expect(await keyword.ids(0, 10_000)).toEqual(wanted);
  const near = await vectors.search(new Float32Array([1, 0, 0, 0]), 10_000, {});
  expect([...near.articleIds].sort((a, b) => a - b)).toEqual(wanted);
  // They went on from where they were, and were not made again.
  expect(warnings).toEqual([]);
  expect(follower.status().resets).toBe(0);
  expect(vectors.follower.status().resets).toBe(0);
  await follower.close();
  await keyword.close();
  await vectors.close();
});
