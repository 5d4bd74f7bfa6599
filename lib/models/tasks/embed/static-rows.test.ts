import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbedder } from "./embedder.ts";
import { openRegistry } from "../../cards/registry.ts";
import { createTextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { readStaticRows } from "./static-rows.ts";

const registry = openRegistry();
const dir = registry.dir("static-ar-en-256");
const bytes = readFileSync(join(dir, "model.onnx"));

test("the rows of a word's tokens, added up, are the vector that the embedding gives it", async () => {
  const rows = readStaticRows(bytes, registry.card("static-ar-en-256"));
  const tokenizer = createTextTokenizer(JSON.parse(readFileSync(join(dir, "tokenizer.json"), "utf8")));
  const embedder = await createEmbedder({ registry, model: "static-ar-en-256" });
  for (const word of ["government", "الحكومة"]) {
    const ids: number[] = [];
    tokenizer.eachId(word, (id) => ids.push(id));
    const found = rows.rowsOf(ids);
    const sum = Array.from({ length: rows.width }, (_, i) =>
      ids.reduce((total, _, place) => total + (found[place * rows.width + i] ?? 0), 0),
    );
    const norm = Math.hypot(...sum);
    const [vector = new Float32Array()] = await embedder.embed([word], "passage");
    const unlike = sum.map((value, i) => Math.abs(value / norm - (vector[i] ?? 0)));
    expect(Math.max(...unlike)).toBeLessThan(5e-3);
  }
  await embedder.close();
});

test("says so when the card names no rows, or the file is cut off", () => {
  const card = registry.card("static-ar-en-256");
  expect(() => readStaticRows(bytes, {})).toThrow("no packed rows");
  expect(() => readStaticRows(bytes.subarray(0, 5000), card)).toThrow("no step for each");
});
