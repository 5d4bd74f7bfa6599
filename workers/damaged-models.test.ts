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
import { until } from "@isnad/lib/std/testing-until";

setDefaultTimeout(300_000);

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
const ids: number[] = [];

/** An article that waits to be taken up, as after a lost wake-up call. */
async function post(): Promise<number> {
  const [id = 0] = await admitItems(store, [testItem({ title: "Talks in Paris", content: CONTENT + ids.length })]);
  ids.push(id);
  return id;
}

const article = async (id: number) => await store.articles.get(id);
const vectorsOf = async (id: number) =>
  (await store.rerank.vectorsOf([id], { modelId: vectorsId(shipped.card(shipped.default("rerank"))) })).get(id);
const lacking = async () => {
  const model = modelId(shipped.card(shipped.default("embed")));
  return await store.chunks.lacking(model, { afterId: 0, limit: 10 });
};

test("entities and reranking, the models altered: said at the start; articles are indexed and wait for both", async () => {
  const names = { entities: damage("tag", damages.altered), rerank: damage("rerank", damages.altered) };
  const id = await post();
  const workers = await startWorkers(env);
  const said = workers.lines.filter(({ task }) => task !== undefined);
  expect(said.toSorted((a, b) => String(a.task).localeCompare(String(b.task)))).toMatchObject([
    { task: "entities", model: names.entities, reason: expect.stringContaining("model.onnx") },
    { task: "rerank", model: names.rerank, reason: expect.stringContaining("model.onnx") },
  ]);
  const deps = { entities: "fail", rerank: "fail", embedding: "ok" };
  expect(await workers.health()).toMatchObject({ status: "degraded", deps });
  await workers.wake([id]);
  await until("it is indexed", async () => (await article(id))?.state === "indexed");
  expect((await article(id))?.entities).toEqual([]);
  expect(await testStage(store, "entities").backlog()).toEqual({ waiting: 1, setAside: 0 });
  expect(await testStage(store, "rerank").backlog()).toEqual({ waiting: 1, setAside: 0 });
  expect(await vectorsOf(id)).toBeUndefined();
  expect(await lacking()).toEqual([]);
  expect(await workers.end()).toBe(0);
  rmSync(models, { recursive: true });
});

test("embedding, the model missing, no reranking: said at the start; articles are found by word, and get all of it once it is whole", async () => {
  const name = damage("embed", damages.missing);
  const id = await post();
  const workers = await startWorkers({ ...env, RERANK_VECTORS: "false" });
  expect(workers.lines.filter(({ task }) => task !== undefined)).toMatchObject([
    { task: "embedding", model: name, reason: expect.stringContaining("model.onnx") },
  ]);
  const health = await workers.health();
  expect(health).toMatchObject({ status: "degraded", deps: { embedding: "fail", entities: "ok" } });
  expect(Object.keys(Object(Object(health).deps))).not.toContain("rerank");
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
  for (const each of ids) {
    await until("its entities are found", async () => ((await article(each))?.entities.length ?? 0) > 0);
    await until("it is read", async () => (await vectorsOf(each)) !== undefined);
    expect((await vectorsOf(each))?.length).toBe(384);
  }
  await until("they are well", async () => Object(await whole.health()).status === "ok");
  expect(await whole.health()).toMatchObject({ deps: { entities: "ok", embedding: "ok", rerank: "ok" } });
  expect(await whole.end()).toBe(0);
});
