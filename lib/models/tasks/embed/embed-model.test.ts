import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadEmbedModel } from "./embed-model.ts";
import { openRegistry } from "../../cards/registry.ts";
import { copyOfModel, cosine, EMBED_MODEL } from "../../testing.ts";

const registry = openRegistry();
const dir = registry.dir(EMBED_MODEL);
const card = registry.card(EMBED_MODEL);
const dims = card.dims ?? 0;

test("the vectors are those of the model in training", async () => {
  const reference: { text: string; cosine: number }[] = JSON.parse(readFileSync(join(dir, "reference.json"), "utf8"));
  const model = await loadEmbedModel(dir, card, 1);
  const flat = await model.embed(reference.map((row) => row.text));
  const vectors = reference.map((_, i) => flat.slice(i * dims, (i + 1) * dims));
  for (const [i, row] of reference.entries()) expect(cosine(vectors[i], vectors[0])).toBeCloseTo(row.cosine, 3);
  await model.release();
});

test("a card with other dimensions than the model's is refused, not cut to fit", async () => {
  const other = { ...card, dims: dims / 2 };
  await expect(loadEmbedModel(dir, other, 1)).rejects.toMatchObject({ code: "model-invalid" });
});

test("a model of another task is refused", async () => {
  await expect(loadEmbedModel(dir, { ...card, task: "rerank" }, 1)).rejects.toMatchObject({ code: "model-invalid" });
});

test("a file that is no model is refused by name, though its checksum fits", async () => {
  const copy = copyOfModel();
  try {
    const bytes = Buffer.from("no model at all");
    writeFileSync(join(copy.dir, "model.onnx"), bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const wrong = { ...card, files: { ...card.files, "model.onnx": { sha256, bytes: bytes.length } } };
    await expect(loadEmbedModel(copy.dir, wrong, 1)).rejects.toMatchObject({ code: "model-invalid" });
  } finally {
    copy.remove();
  }
});
