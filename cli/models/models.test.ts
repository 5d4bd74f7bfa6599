import { afterEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { imitateHub } from "../../lib/models/cards/testing.ts";
import { openRegistry } from "../../lib/models/cards/registry.ts";
import { createReranker } from "../../lib/models/tasks/rerank/reranker.ts";
import { CROSS_ENCODED, crossEncoderFolder } from "../../lib/models/tasks/rerank/testing.ts";
import { EMBED_MODEL } from "../../lib/models/testing.ts";
import { models } from "./models.ts";

const dataDir = mkdtempSync(join(tmpdir(), "isnad-data-"));
afterEach(() => rmSync(join(dataDir, "models"), { recursive: true, force: true }));

/** Puts a model into DATA_DIR/models whose only file is not as its card says. */
function damagedModel(): void {
  const dir = join(dataDir, "models", "damaged");
  mkdirSync(dir, { recursive: true });
  const files = { "model.onnx": { sha256: "0".repeat(64), bytes: 3 } };
  const card = {
    name: "damaged",
    revision: "1",
    task: "rerank",
    languages: ["ar"],
    description: "",
    licence: "MIT",
    files,
  };
  writeFileSync(join(dir, "model.json"), JSON.stringify(card));
  writeFileSync(join(dir, "model.onnx"), "abc");
}

test("list shows the shipped model with task, revision and licence", async () => {
  const { io, out } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["list"], io)).toBe(0);
  expect(out()).toContain(EMBED_MODEL);
  expect(out()).toMatch(/embed +[0-9a-f]{8} +ar,en +\d+ +\d+\.\d +Apache-2\.0/);
});

test("list --json gives the cards", async () => {
  const { io, out } = captureIo({ DATA_DIR: dataDir });
  await runCommand(models, ["list", "--json"], io);
  const { models: found } = JSON.parse(out());
  expect(found.find((model: { name: string }) => model.name === EMBED_MODEL)).toMatchObject({ task: "embed" });
});

test("list tells what is wrong with a card and exits with 1", async () => {
  mkdirSync(join(dataDir, "models", "odd"), { recursive: true });
  writeFileSync(join(dataDir, "models", "odd", "model.json"), "{}");
  const { io, out } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["list"], io)).toBe(1);
  expect(out()).toContain("odd: model.json: ");
});

test("verify passes over the shipped models", async () => {
  const { io, out } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["verify"], io)).toBe(0);
  expect(out()).toContain(`${EMBED_MODEL}: every file is as its card says`);
});

test("verify names the damaged file, and exits with 1", async () => {
  damagedModel();
  const { io, err } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["verify", "damaged"], io)).toBe(1);
  expect(err()).toContain("damaged: model.onnx");
});

test("verify --json reports every model", async () => {
  damagedModel();
  const { io, out } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["verify", "--json"], io)).toBe(1);
  const { results } = JSON.parse(out());
  expect(results).toContainEqual({ name: EMBED_MODEL, ok: true });
  expect(results).toContainEqual(expect.objectContaining({ name: "damaged", ok: false }));
});

test("an unknown model is no model that verifies", async () => {
  const { io, err } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["verify", "nobody"], io)).toBe(1);
  expect(err()).toContain("nobody");
});

test("another word than list or verify is wrong usage", async () => {
  for (const argv of [[], ["paint"], ["list", "x"]]) {
    expect(await runCommand(models, argv, captureIo({ DATA_DIR: dataDir }).io)).toBe(2);
  }
});

test("list --available names what can be pulled", async () => {
  const { io, out } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["list", "--available"], io)).toBe(0);
  expect(out()).toMatch(/multilingual-e5-small +embed +to pull/);
});

test("pull brings a model of the catalogue from the configured hub, and use makes it the one for its task", async () => {
  const paths = { model: "onnx/model_quantized.onnx", tokenizer: "tokenizer.json" };
  const hub = await imitateHub("Xenova/multilingual-e5-small", paths);
  const env = { DATA_DIR: dataDir, MODELS_HUB_URL: hub.url };
  const run = async (...argv: string[]) => {
    const { io, out, err } = captureIo(env);
    return { code: await runCommand(models, argv, io), out: out(), err: err() };
  };
  expect(await run("pull", "multilingual-e5-small")).toMatchObject({ code: 0 });
  expect(openRegistry({ dataDir }).default("embed")).toBe(EMBED_MODEL);
  // the imitation's model gives 8 numbers, not as many as the catalogue says
  const refused = await run("use", "multilingual-e5-small");
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("length, 384]") });
  const cardFile = join(dataDir, "models", "multilingual-e5-small", "model.json");
  writeFileSync(cardFile, JSON.stringify({ ...JSON.parse(readFileSync(cardFile, "utf8")), dims: 8 }));
  const used = await run("use", "multilingual-e5-small");
  expect(used.out).toContain("search:reindex");
  expect(openRegistry({ dataDir }).default("embed")).toBe("multilingual-e5-small");
  expect((await run("use", EMBED_MODEL)).code).toBe(0);
  expect(openRegistry({ dataDir }).default("embed")).toBe(EMBED_MODEL);
  await hub.close();
  const failed = await run("pull", "multilingual-e5-small");
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.err).toContain("multilingual-e5-small: ");
});

test("a model that is not at hand, or whose files are damaged, is not taken into use", async () => {
  damagedModel();
  for (const name of ["absent", "damaged"]) {
    const { io } = captureIo({ DATA_DIR: dataDir });
    expect(await runCommand(models, ["use", name], io)).toBe(1);
  }
  expect(() => openRegistry({ dataDir }).default("rerank")).not.toThrow();
});

test("a model that this version cannot run is not taken into use", async () => {
  damagedModel();
  const { io, err } = captureIo({ DATA_DIR: dataDir });
  expect(await runCommand(models, ["use", "damaged"], io)).toBe(1);
  expect(err()).toContain("cannot run it yet");
});

/** Runs a command of `models` over the data folder. */
const runWith =
  (env: Record<string, string>) =>
  async (...argv: string[]) => {
    const { io, out, err } = captureIo({ DATA_DIR: dataDir, ...env });
    return { code: await runCommand(models, argv, io), out: out(), err: err() };
  };

test("a cross-encoder is pulled, shown as one that runs, taken into use, and reranks", async () => {
  const repo = "onnx-community/bge-reranker-v2-m3-ONNX";
  const paths = { model: "onnx/model_quantized.onnx", tokenizer: "tokenizer.json" };
  const hub = await imitateHub(repo, paths, { graph: "cross-encoder-unigram" });
  const run = runWith({ MODELS_HUB_URL: hub.url });
  expect(await run("pull", "bge-reranker-v2-m3")).toMatchObject({
    code: 0,
    out: expect.stringContaining("models use bge-reranker-v2-m3"),
  });
  await hub.close();
  expect((await run("list")).out).toMatch(/bge-reranker-v2-m3 +rerank +1f1f1f1f1f1f .* yes\n/);
  expect(await run("use", "bge-reranker-v2-m3")).toMatchObject({ code: 0 });
  const registry = openRegistry({ dataDir });
  expect(registry.default("rerank")).toBe("bge-reranker-v2-m3");
  const reranker = await createReranker({ registry });
  // the longer pairs are cut by the reference, not by the 512 tokens of this card
  const cases = CROSS_ENCODED.cases.filter(({ tokens }) => tokens.unigram < CROSS_ENCODED.longest);
  for (const { query, passage, scores } of cases) {
    const [score] = await reranker.rerank(query, [{ title: "", text: passage }]);
    expect(score).toBeCloseTo(scores.unigram, 5);
  }
  await reranker.close();
});

test("a pulled cross-encoder whose graph asks for what nobody knows is not taken into use, and why", async () => {
  const made = crossEncoderFolder("unknown-input");
  cpSync(made.dir, join(dataDir, "models", "tiny"), { recursive: true });
  made.remove();
  const { code, err } = await runWith({})("use", "tiny");
  expect(code).toBe(1);
  expect(err).toContain("tiny");
  expect(err).toContain("the graph asks for position_ids");
  expect(openRegistry({ dataDir }).default("rerank")).not.toBe("tiny");
});

test("list says of every model whether this version runs it", async () => {
  const { out } = await runWith({})("list", "--available", "--json");
  const { models: here, available } = JSON.parse(out);
  const runs = new Map([...here, ...available].map(({ name, runs }: { name: string; runs: boolean }) => [name, runs]));
  expect(runs.get(EMBED_MODEL)).toBe(true);
  expect(runs.get("bge-reranker-v2-m3")).toBe(true);
  expect(runs.get("opus-mt-ar-en")).toBe(true);
  expect(runs.get("whisper-base")).toBe(true);
  for (const { name, task, runs } of here) expect([name, runs]).toEqual([name, task !== "pieces"]);
});

test("a model that the linguistic service uses by name cannot be chosen, and that is said", async () => {
  const { code, err } = await runWith({})("use", "morph-ar");
  expect(code).toBe(1);
  expect(err).toContain("none to choose");
});
