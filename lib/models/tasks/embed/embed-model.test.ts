import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelCard } from "../../cards/card.ts";
import { openRegistry } from "../../cards/registry.ts";
import { filesOfCard } from "../../cards/testing.ts";
import { copyOfModel, cosine, EMBED_MODEL } from "../../testing.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";
import { type EmbedModel, loadEmbedModel } from "./embed-model.ts";

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

type Fixture = { tokenizer: object; cases: { text: string; ids: number[]; mean: number[]; cls: number[] }[] };

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const root = mkdtempSync(join(tmpdir(), "isnad-encoder-"));
afterAll(() => rmSync(root, { recursive: true }));

function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8"));
}

/** A folder with the tiny encoder and a tokenizer, and the card of both. */
function folder(
  name: string,
  more: { dims?: number; pooling?: "mean" | "cls" } = {},
): { dir: string; card: ModelCard } {
  const dir = mkdtempSync(join(root, `${name}-`));
  cpSync(join(FIXTURES, "tiny-encoder.onnx"), join(dir, "model.onnx"));
  writeFileSync(join(dir, "tokenizer.json"), JSON.stringify(fixture(name).tokenizer));
  const files = filesOfCard(dir, ["model.onnx", "tokenizer.json"]);
  const card: ModelCard = {
    name,
    revision: "1",
    task: "embed",
    languages: ["ar"],
    description: "",
    licence: "MIT",
    architecture: "encoder",
    dims: 8,
    files,
    ...more,
  };
  return { dir, card };
}

/** Vectors of 8 numbers that lie one after the other. */
function split(vectors: Float32Array): number[][] {
  return Array.from({ length: vectors.length / 8 }, (_, i) => [...vectors.subarray(i * 8, (i + 1) * 8)]);
}

async function using<T>({ dir, card }: { dir: string; card: ModelCard }, use: (model: EmbedModel) => Promise<T>) {
  const model = await loadEmbedModel(dir, card, 1);
  try {
    return await use(model);
  } finally {
    await model.release();
  }
}

describe.each(["wordpiece", "unigram"])("%s", (name) => {
  const { tokenizer: json, cases } = fixture(name);

  test("every text has the token ids of the reference", () => {
    const tokenizer = createSequenceTokenizer(json);
    for (const { text, ids } of cases) expect(tokenizer.encode(text, 512)).toEqual(ids);
  });

  test.each(["mean", "cls"] as const)(
    "vectors by %s are those of the reference, whatever shares their batch",
    async (pooling) => {
      const vectors = await using(folder(name, { pooling }), (model) => model.embed(cases.map(({ text }) => text)));
      split(vectors).forEach((vector, i) => {
        const expected = cases[i]?.[pooling] ?? [];
        vector.forEach((x, at) => {
          expect(x).toBeCloseTo(expected[at] ?? Number.NaN, 4);
        });
      });
    },
  );
});

test("a text longer than the model reads is cut, its last special token kept", () => {
  const { tokenizer: json, cases } = fixture("wordpiece");
  const [first] = cases;
  const cut = createSequenceTokenizer(json).encode(first?.text ?? "", 5);
  expect(cut).toEqual([...(first?.ids.slice(0, 4) ?? []), first?.ids.at(-1) ?? 0]);
});

test("a model whose output has other dimensions than its card says is refused when it is loaded", async () => {
  const { dir, card } = folder("wordpiece", { dims: 16 });
  const failure = await loadEmbedModel(dir, card, 1).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "model-invalid", message: expect.stringContaining("length, 16]") });
});

test("a graph with an input that is not known is refused by its name when the model is loaded", async () => {
  const made = folder("wordpiece");
  cpSync(join(FIXTURES, "cross-encoder-unknown-input.onnx"), join(made.dir, "model.onnx"));
  const bytes = readFileSync(join(made.dir, "model.onnx"));
  made.card.files["model.onnx"] = {
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
  const failure = await loadEmbedModel(made.dir, made.card, 1).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "model-invalid", message: expect.stringContaining("the graph asks for") });
});

test("a tokenizer that is none is refused by the model's name", async () => {
  const made = folder("unigram");
  const bytes = Buffer.from("{}");
  writeFileSync(join(made.dir, "tokenizer.json"), bytes);
  made.card.files["tokenizer.json"] = {
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
  const failure = await loadEmbedModel(made.dir, made.card, 1).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "model-invalid", model: "unigram" });
});
