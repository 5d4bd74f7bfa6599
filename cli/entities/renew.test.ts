import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics, metricsPublisher } from "@isnad/lib/service/process";
import { modelId, openRegistry, SHIPPED_MODELS } from "@isnad/lib/models";
import { indexedArticles, testStage } from "@isnad/lib/store/testing";
import { entityModelMetrics } from "../../workers/telemetry.ts";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { entitiesRenew, renewEntities } from "./renew.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json, dir } = bench;
const registry = openRegistry();
const stage = testStage(store, "entities");
const inUse = modelId(registry.card(registry.default("tag")));

beforeEach(async () => {
  await store.articles.removeBefore("9999-01-01T00:00:00Z");
});
afterAll(() => bench.close());

async function foundBy(count: number, model: string): Promise<number[]> {
  const ids = await indexedArticles(store, count);
  await put(ids, model);
  return ids;
}

const put = (ids: readonly number[], model: string) =>
  store.entities.put(
    ids.map((articleId) => ({ articleId, entities: [] })),
    { modelId: model, step: stage.step("o") },
  );

/** Finds, as a worker would, until nothing waits. */
async function work(model: string): Promise<number> {
  const taken = await stage.claim({ owner: "o", limit: 1_000, leaseS: 3_600 });
  await put(
    taken.map(({ articleId }) => articleId),
    model,
  );
  return taken.length;
}

test("what another model found is put back to work once, and is done when the model in use has found it", async () => {
  await foundBy(3, "tagger-old@1");
  await foundBy(2, inUse);
  expect((await json(entitiesRenew, ["--dry-run"])).data).toEqual({
    model: inUse,
    found_by: [
      { model: "tagger-old@1", articles: 3 },
      { model: inUse, articles: 2 },
    ],
    to_do: 3,
    renewed: 0,
    waiting: 0,
    given_up: 0,
  });
  expect((await json(entitiesRenew, [])).data).toMatchObject({ to_do: 3, renewed: 3, waiting: 3 });
  expect((await json(entitiesRenew, [])).data).toMatchObject({ to_do: 0, renewed: 0, waiting: 3 });
  expect(await work(inUse)).toBe(3);
  expect((await json(entitiesRenew, [])).data).toMatchObject({ to_do: 0, renewed: 0, waiting: 0 });
});

test("--model takes a name or a name with revision; --all takes those of the model in use too", async () => {
  await foundBy(1, "a@1");
  await foundBy(2, "a@2");
  await foundBy(4, "ab@1");
  await foundBy(8, inUse);
  const dry = async (...argv: string[]) => (await json(entitiesRenew, [...argv, "--dry-run"])).data;
  expect(await dry("--model", "a")).toMatchObject({ to_do: 3 });
  expect(await dry("--model", "a@2", "--model", "ab")).toMatchObject({ to_do: 6 });
  expect(await dry("--model", inUse)).toMatchObject({ to_do: 8 });
  expect(await dry("--all")).toMatchObject({ to_do: 15 });
  expect((await json(entitiesRenew, ["--all"])).data).toMatchObject({ renewed: 15 });
});

test("a model that found nothing is said, with those that did; --all and --model together are wrong usage", async () => {
  await foundBy(1, "a@1");
  const none = await run(entitiesRenew, ["--model", "b"]);
  expect(none.code).toBe(1);
  expect(none.err).toContain("no article has entities found by b; Entities were found in 1 by a@1");
  expect((await run(entitiesRenew, ["--model", "a", "--all"])).code).toBe(2);
});

test("the text tells how many there were, how many were put back and how many wait", async () => {
  await foundBy(2, "old@1");
  const { code, out } = await run(entitiesRenew, []);
  expect(code).toBe(0);
  expect(out).toBe(
    `Entities were found in 2 by old@1\nIn use: ${inUse}; to be found again: 2 articles, 2 put back to work\n` +
      "2 articles wait, 0 were given up\n",
  );
});

test("--wait returns when the workers are done, and gives up when nothing moves", async () => {
  const ids = await foundBy(3, "old@1");
  const waits = json(entitiesRenew, ["--wait"]);
  let done = 0;
  while (done < ids.length) done += await work(inUse);
  expect(await waits).toMatchObject({ code: 0, data: { renewed: 3, waiting: 0, waited_s: expect.any(Number) } });
  await foundBy(1, "old@1");
  const stuck = await run(entitiesRenew, ["--wait", "--patience=1"]);
  expect(stuck.code).toBe(1);
  expect(stuck.err).toContain("1 articles wait for their entities, and none fewer for 1 s");
});

test("--wait is exit code 1 when articles were given up", async () => {
  await foundBy(1, "old@1");
  await run(entitiesRenew, []);
  const [{ articleId } = { articleId: 0 }] = await stage.claim({ owner: "o", limit: 1, leaseS: 3_600 });
  await store.work.fail(stage.step("o"), [{ articleId, reason: "odd", delayS: 0 }], { maxAttempts: 1 });
  expect(await json(entitiesRenew, ["--dry-run", "--wait"])).toMatchObject({ code: 1, data: { given_up: 1 } });
});

test("while a worker still runs another model nothing is marked, and the worker is named", async () => {
  await foundBy(1, "old@1");
  const metrics = createMetrics();
  entityModelMetrics(metrics, "old@1");
  await metricsPublisher(store.workerMetrics, "host:7", metrics)();
  const refused = await run(entitiesRenew, []);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(
    `restart the workers first: ${inUse} is the model in use, but there runs host:7 with old@1`,
  );
  expect(await stage.backlog()).toEqual({ waiting: 0, setAside: 0 });
  const restarted = createMetrics();
  entityModelMetrics(restarted, inUse);
  await metricsPublisher(store.workerMetrics, "host:7", restarted)();
  expect((await run(entitiesRenew, [])).code).toBe(0);
});

test("another revision under the data folder, or the model that models use chose, is the model in use", async () => {
  await foundBy(2, inUse);
  const models = join(dir, "models");
  const [name = ""] = inUse.split("@");
  mkdirSync(models, { recursive: true });
  cpSync(join(SHIPPED_MODELS, name), join(models, name), { recursive: true });
  const card: object = JSON.parse(readFileSync(join(models, name, "model.json"), "utf8"));
  writeFileSync(join(models, name, "model.json"), JSON.stringify({ ...card, revision: "newer" }));
  expect((await json(entitiesRenew, ["--dry-run"])).data).toMatchObject({ model: `${name}@newer`, to_do: 2 });
  rmSync(models, { recursive: true });
});

test("where no model can be used, that is the answer", async () => {
  const { code, err } = await run(entitiesRenew, [], { TAG_MODEL: "nowhere" });
  expect([code, err]).toEqual([1, expect.stringContaining("no model finds entities: no model named nowhere")]);
});

test("marking that was cut short goes on where it stopped", async () => {
  const ids = await foundBy(5, "old@1");
  const abort = new AbortController();
  const options = { store, modelIds: ["old@1"], stretch: 2 };
  const cut = renewEntities({ ...options, signal: abort.signal, onProgress: (done) => done >= 2 && abort.abort() });
  await expect(cut).rejects.toThrow();
  expect(await stage.backlog()).toEqual({ waiting: 2, setAside: 0 });
  expect(await renewEntities({ ...options, signal: new AbortController().signal })).toBe(3);
  expect(await stage.backlog()).toEqual({ waiting: ids.length, setAside: 0 });
});
