import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder, type Embedder } from "./embedder.ts";
import { filesOfCard } from "../../cards/testing.ts";
import { openRegistry } from "../../cards/registry.ts";
import { copyOfModel, flipBit, EMBED_MODEL, modelFolder } from "../../testing.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const registry = openRegistry();
let embedder: Embedder;
let other: Embedder;
beforeAll(async () => {
  [embedder, other] = await Promise.all([createEmbedder({ registry, inCaller: true }), createEmbedder({ registry })]);
});
afterAll(async () => {
  await Promise.all([embedder.close(), other.close()]);
});

test("short texts are embedded without a thread, long ones in one, with the same vectors as by another embedder", async () => {
  const short = ["رفع البنك المركزي أسعار الفائدة", "", "interest rates"];
  expect(await embedder.embed(short, "query")).toEqual(await other.embed(short, "query"));
  expect(await embedder.embed([], "query")).toEqual([]);
  expect(embedder.threads()).toMatchObject({ alive: 0, failing: 0 });
  const long = ["الحكومة ".repeat(1200), ...short];
  expect(await embedder.embed(long, "query")).toEqual(await other.embed(long, "query"));
  expect(embedder.threads()).toMatchObject({ alive: 1, failing: 0 });
});

test("an aborted call rejects with its reason", async () => {
  await expect(embedder.embed(["a"], "query", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});

test("close() finishes what was accepted, here and in the thread, and refuses what comes later", async () => {
  const closing = await createEmbedder({ registry, inCaller: true });
  const accepted = [closing.embed(["a"], "query"), closing.embed(["word ".repeat(500)], "query")];
  const closed = closing.close();
  await expect(closing.embed(["late"], "query")).rejects.toMatchObject({ code: "closed" });
  expect((await Promise.all(accepted)).map((vectors) => vectors.length)).toEqual([1, 1]);
  await closed;
});

test("a damaged model is named as by any other embedder", async () => {
  const copy = copyOfModel();
  try {
    flipBit(join(copy.dir, "model.onnx"));
    const starting = createEmbedder({ registry: openRegistry({ dirs: [copy.root] }), inCaller: true });
    await expect(starting).rejects.toMatchObject({ code: "model-altered", model: EMBED_MODEL });
  } finally {
    copy.remove();
  }
});

test("a contextual model has its thread for short texts too", async () => {
  const { root, dir } = modelFolder("tiny", "");
  try {
    cpSync(join(FIXTURES, "tiny-encoder.onnx"), join(dir, "model.onnx"));
    const { tokenizer } = await Bun.file(join(FIXTURES, "wordpiece.json")).json();
    writeFileSync(join(dir, "tokenizer.json"), JSON.stringify(tokenizer));
    const files = filesOfCard(dir, ["model.onnx", "tokenizer.json"]);
    const card = { name: "tiny", revision: "1", task: "embed", languages: ["ar"], description: "", licence: "MIT" };
    writeFileSync(join(dir, "model.json"), JSON.stringify({ ...card, architecture: "encoder", dims: 8, files }));
    const tiny = await createEmbedder({ registry: openRegistry({ dirs: [root] }), inCaller: true });
    expect(await tiny.embed(["a"], "query")).toHaveLength(1);
    expect(tiny.threads()).toMatchObject({ alive: 1 });
    await tiny.close();
  } finally {
    rmSync(root, { recursive: true });
  }
});
