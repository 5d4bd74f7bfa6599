import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openRegistry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { flipBit } from "../../testing.ts";
import { type DualEncoderModel, loadDualEncoder } from "./dual-encoder-model.ts";

const registry = openRegistry();
const name = "rerank-ar-en";
const dir = registry.dir(name);
const card = registry.card(name);
let model: DualEncoderModel;
beforeAll(async () => {
  model = await loadDualEncoder(dir, card, 1);
}, 300_000);
afterAll(() => model.release());

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const reference = z.object({
  queries: z.array(z.string()),
  passages: z.array(z.string()),
  cosines: z.array(z.array(z.number())),
});

test("gives the cosines that its export gave for its reference", async () => {
  const { queries, passages, cosines } = reference.parse(JSON.parse(readFileSync(join(dir, "reference.json"), "utf8")));
  expect(queries.length).toBeGreaterThan(2);
  const read = [];
  for (const text of passages) read.push(await model.vector({ kind: "passage", text }));
  for (const [row, text] of queries.entries()) {
    const asked = await model.vector({ kind: "query", text });
    for (const [column, vector] of read.entries()) {
      expect(Math.abs(cosine(asked, vector) - (cosines[row]?.[column] ?? Number.NaN))).toBeLessThan(0.01);
    }
  }
});

test("any text has a vector of unit length: none, one letter, emoji, marks, other scripts, 20,000 characters", async () => {
  for (const text of ["", "x", "😀😀", "‏‎", "漢字かな交じり文", "\u0000\u0007", "كلمة word ".repeat(2000)]) {
    for (const kind of ["query", "passage"] as const) {
      const vector = await model.vector({ kind, text });
      expect(vector).toHaveLength(384);
      expect(cosine(vector, vector)).toBeCloseTo(1, 4);
    }
  }
});

test("a query and a passage are read as such, and no further than is asked for", async () => {
  const text = "the bridge over the river ".repeat(10);
  const whole = await model.vector({ kind: "passage", text });
  expect(cosine(whole, await model.vector({ kind: "query", text }))).toBeLessThan(0.99);
  const short = await model.vector({ kind: "passage", text, longest: 16 });
  expect(short).toEqual(await model.vector({ kind: "passage", text: `${text} and on`, longest: 16 }));
  expect(short).not.toEqual(whole);
});

test("what it is made of must be whole, and its pieces may be beside it or shipped", async () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-rerank-"));
  const found: unknown[] = [];
  const load = () =>
    loadDualEncoder(join(root, name), card, 1).then(
      (loaded) => loaded.release(),
      (error: unknown) => (error instanceof InferenceError ? error.code : error),
    );
  const copy = (other: string) => cpSync(registry.dir(other), join(root, other), { recursive: true });
  copy(name);
  found.push(await load());
  copy("pieces-ar-en");
  flipBit(join(root, "pieces-ar-en", "rows.bin"));
  found.push(await load());
  copy("pieces-ar-en");
  flipBit(join(root, name, "weights.bin"));
  found.push(await load());
  rmSync(root, { recursive: true });
  expect(found).toEqual([undefined, "model-altered", "model-altered"]);
});

test("weights that are fewer than the card says are refused, though their checksum is right", async () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-rerank-"));
  cpSync(dir, join(root, name), { recursive: true });
  const half = readFileSync(join(dir, "weights.bin")).subarray(0, 18 * 100_000);
  writeFileSync(join(root, name, "weights.bin"), half);
  const checked = { sha256: createHash("sha256").update(half).digest("hex"), bytes: half.length };
  const loading = loadDualEncoder(join(root, name), { ...card, files: { ...card.files, "weights.bin": checked } }, 1);
  const error = await loading.catch((reason: unknown) => reason);
  rmSync(root, { recursive: true });
  expect(error instanceof InferenceError ? String(error.cause) : error).toContain("weights.bin does not hold");
});
