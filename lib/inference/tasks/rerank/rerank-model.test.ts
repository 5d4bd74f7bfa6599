import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { InferenceError } from "../../runtime/errors.ts";
import { openRegistry } from "../../models/registry.ts";
import { flipBit } from "../../testing.ts";
import { loadRerankModel, type RerankModel } from "./rerank-model.ts";

const registry = openRegistry();
const name = "rerank-ar-en";
const dir = registry.dir(name);
const card = registry.card(name);
let model: RerankModel;
beforeAll(async () => {
  model = await loadRerankModel(dir, card, 1);
}, 60_000);
afterAll(() => model.release());

const reference = z.array(z.object({ query: z.string(), passages: z.array(z.string()), scores: z.array(z.number()) }));

test("gives the scores that training gave for its reference", async () => {
  const entries = reference.parse(JSON.parse(readFileSync(join(dir, "reference.json"), "utf8")));
  expect(entries.length).toBeGreaterThan(2);
  for (const { query, passages, scores } of entries) {
    const found = await model.scores({ query, passages: passages.map((text) => ({ title: "", text })) });
    scores.forEach((score, i) => {
      expect(Math.abs((found[i] ?? Number.NaN) - score)).toBeLessThan(0.02);
    });
  }
});

test("a list of one and a list of a hundred, of texts of any length, have a score a passage", async () => {
  for (const count of [1, 100]) {
    const texts = Array.from({ length: count }, (_, i) => "bridge river كلمة ".repeat(i * 3));
    const passages = texts.map((text) => ({ title: "عنوان", text }));
    const scores = await model.scores({ query: "the bridge over the river", passages });
    expect(scores).toHaveLength(count);
    expect(scores.every(Number.isFinite)).toBe(true);
  }
});

test("what it shares with other models may be beside it or shipped, and must be whole", async () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-rerank-"));
  const found: unknown[] = [];
  const load = () =>
    loadRerankModel(join(root, name), card, 1).then(
      (loaded) => loaded.release(),
      (error: unknown) => (error instanceof InferenceError ? error.code : error),
    );
  const copy = (other: string) => cpSync(registry.dir(other), join(root, other), { recursive: true });
  copy(name);
  found.push(await load());
  copy("static-ar-en-256");
  copy("pieces-ar-en");
  flipBit(join(root, "pieces-ar-en", "rows.bin"));
  found.push(await load());
  copy("pieces-ar-en");
  flipBit(join(root, "static-ar-en-256", "model.onnx"));
  found.push(await load());
  rmSync(root, { recursive: true });
  expect(found).toEqual([undefined, "model-altered", "model-altered"]);
});
