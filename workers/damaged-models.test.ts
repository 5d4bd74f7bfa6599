import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelId, openRegistry, SHIPPED_MODELS, type Task, vectorsId } from "@isnad/lib/models";
import { openKeywordIndex } from "@isnad/lib/search";
import { articleIdOfKey, openStore } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem, testStage } from "@isnad/lib/store/testing";
import { followKeyword } from "@isnad/lib/search/sync";
import { startWorkers } from "./testing/process.ts";
import { until } from "./testing/until.ts";

setDefaultTimeout(60_000);

const database = await testDatabase();
const store = openStore(database.url, { max: 2 });
const dir = mkdtempSync(join(tmpdir(), "isnad-damaged-"));
const models = join(dir, "models");
const env = { DATA_DIR: dir, DATABASE_URL: database.url };
const shipped = openRegistry();

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await store.close();
  await database.drop();
});

/** One damage each: the model registry's own tests try every one. */
const damages = {
  missing: (path: string) => rmSync(path),
  altered: flip,
};

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(path, bytes);
}

function damage(task: Task, harm: (path: string) => void): string {
  const name = shipped.default(task);
  mkdirSync(models, { recursive: true });
  cpSync(join(SHIPPED_MODELS, name), join(models, name), { recursive: true });
  harm(join(models, name, "model.onnx"));
  return name;
}

const CONTENT = `Angela Merkel met Emmanuel Macron in Paris on Tuesday. ${"The talks about trade went on for hours. ".repeat(6)}`;
let serial = 0;

/** An article that waits to be taken up, as after a lost wake-up call. */
async function post(): Promise<number> {
  const [id = 0] = await admitItems(store, [testItem({ title: "Talks in Paris", content: CONTENT + serial++ })]);
  return id;
}

const article = async (id: number) => await store.articles.get(id);
const lacking = async () => {
  const model = modelId(shipped.card(shipped.default("embed")));
  return await store.chunks.lacking(model, { afterId: 0, limit: 10 });
};

test("entities, the model altered: said at the start; articles are indexed and wait for their entities", async () => {
  const name = damage("tag", damages.altered);
  const id = await post();
  const workers = await startWorkers(env);
  expect(workers.lines.filter(({ task }) => task !== undefined)).toMatchObject([
    { task: "entities", model: name, reason: expect.stringContaining("model.onnx") },
  ]);
  expect(await workers.health()).toMatchObject({ status: "degraded", deps: { entities: "fail", embedding: "ok" } });
  await workers.wake([id]);
  await until("it is indexed", async () => (await article(id))?.state === "indexed");
  expect((await article(id))?.entities).toEqual([]);
  expect(await testStage(store, "entities").backlog()).toEqual({ waiting: 1, setAside: 0 });
  expect(await lacking()).toEqual([]);
  expect(await workers.end()).toBe(0);
  rmSync(models, { recursive: true });

  const whole = await startWorkers(env);
  await until("its entities are found", async () => ((await article(id))?.entities.length ?? 0) > 0);
  expect(await whole.health()).toMatchObject({ status: "ok" });
  expect(await whole.end()).toBe(0);
});

test("embedding, the model missing: said at the start; articles are found by word, and get passages later", async () => {
  const name = damage("embed", damages.missing);
  const id = await post();
  const workers = await startWorkers(env);
  expect(workers.lines.filter(({ task }) => task !== undefined)).toMatchObject([
    { task: "embedding", model: name, reason: expect.stringContaining("model.onnx") },
  ]);
  expect(await workers.health()).toMatchObject({ status: "degraded", deps: { embedding: "fail", entities: "ok" } });
  await workers.wake([id]);
  await until("it is indexed", async () => (await article(id))?.state === "indexed");
  await until("its entities are found", async () => ((await article(id))?.entities.length ?? 0) > 0);
  expect(await lacking()).toEqual([id]);
  expect(await workers.end()).toBe(0);
  rmSync(models, { recursive: true });
  const logger = { info() {}, warn() {}, error() {} };
  const keyword = await openKeywordIndex({ dir: join(dir, "keyword") });
  const follower = followKeyword({ store, keyword, logger, pollMs: 20 });
  const hits = () =>
    keyword.search({ text: "trade talks", limit: 10 }).then(
      ({ hits }) => hits,
      () => [],
    );
  await until("it is found by word", async () =>
    (await hits()).some(({ articleId }) => articleIdOfKey(articleId) === id),
  );
  await follower.close();
  await keyword.close();

  const whole = await startWorkers(env);
  await until("it has passages", async () => (await lacking()).length === 0);
  expect(await whole.end()).toBe(0);
});

test("reranking, the model altered: said at the start; articles are indexed, and read once it is whole", async () => {
  const name = damage("rerank", damages.altered);
  const id = await post();
  const read = async () =>
    await store.rerank.vectorsOf([id], { modelId: vectorsId(shipped.card(shipped.default("rerank"))) });
  const workers = await startWorkers(env);
  expect(workers.lines.filter(({ task }) => task !== undefined)).toMatchObject([
    { task: "rerank", model: name, reason: expect.stringContaining("model.onnx") },
  ]);
  expect(await workers.health()).toMatchObject({ status: "degraded", deps: { rerank: "fail", entities: "ok" } });
  await workers.wake([id]);
  await until("it is indexed", async () => (await article(id))?.state === "indexed");
  expect((await testStage(store, "rerank").backlog()).waiting).toBeGreaterThan(0);
  expect(await read()).toEqual(new Map());
  expect(await workers.end()).toBe(0);
  rmSync(models, { recursive: true });

  const off = await startWorkers({ ...env, RERANK_VECTORS: "false" });
  expect(Object.keys(Object(Object(await off.health()).deps))).not.toContain("rerank");
  expect(await off.end()).toBe(0);

  const whole = await startWorkers(env);
  await until("it is read", async () => (await read()).size === 1);
  expect(await whole.health()).toMatchObject({ status: "ok", deps: { rerank: "ok" } });
  expect((await read()).get(id)?.length).toBe(384);
  expect(await whole.end()).toBe(0);
});
