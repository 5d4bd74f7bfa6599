import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelCard, openRegistry } from "../../cards/registry.ts";
import { filesOfCard } from "../../cards/testing.ts";
import { copyOfModel, cosine, EMBED_MODEL } from "../../testing.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";
import { createTextTokenizer, type TextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { createBagger, type EmbedModel, loadEmbedModel, readBagRows, readStaticRows } from "./embed-model.ts";
import { createEmbedder } from "./embedder.ts";

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

describe("bag", () => {
  /** Digits are ids, everything else is unknown. */
  const digits: TextTokenizer = {
    vocabularySize: 10,
    eachId(text, take) {
      for (const letter of text) if (letter >= "0" && letter <= "9") take(Number(letter));
    },
  };

  test("an id stands once, weighed by a power of its count", () => {
    const { ids, weights } = createBagger(digits, 0.5)("7 3 7 7 7");
    expect([...ids]).toEqual([7, 3]);
    expect([...weights]).toEqual([2, 1]);
  });

  test("a text without a known token is the unknown token", () => {
    expect([...createBagger(digits, 0.5)("abc").ids]).toEqual([0]);
  });

  test("one text leaves nothing behind for the next", () => {
    const bag = createBagger(digits, 0.5);
    bag("1234567890");
    expect([...bag("5").weights]).toEqual([1]);
  });

  const WIDTH = 256;
  const STEPS = WIDTH / 32;

  /** Two rows: of the first every number is 7, of the second every other one is 7 and -8; steps of 1. */
  function model(): Uint8Array {
    const packed = new Uint8Array(WIDTH).fill(0xff, 0, WIDTH / 2);
    for (let i = WIDTH / 2; i < WIDTH; i++) packed[i] = i % 2 === 0 ? 0xff : 0x00;
    const steps = new Uint8Array(new Uint16Array(2 * STEPS).fill(0x3c00).buffer);
    return Uint8Array.from([...packed, ...steps]);
  }
  const constants = { packed: { offset: 0, bytes: WIDTH }, steps: { offset: WIDTH, bytes: 4 * STEPS } };
  const bag = (ids: number[], weights: number[]) => ({
    ids: Int32Array.from(ids),
    weights: Float32Array.from(weights),
  });

  test("the rows of a bag are summed by their weights, to unit length, where they are asked for", () => {
    const rows = readBagRows(model(), { constants });
    const out = new Float32Array(2 * WIDTH);
    rows.embed(bag([0, 1], [1, 3]), out, WIDTH);
    // In 127 levels of 8, 7 is 111 of them.
    const level = (111 * 8) / 127;
    const [even, odd] = [7 + 3 * level, 7 - 3 * 8];
    const length = Math.hypot(even, odd) * Math.sqrt(WIDTH / 2);
    expect([...out.slice(0, WIDTH)]).toEqual(new Array(WIDTH).fill(0));
    expect([out[WIDTH], out[WIDTH + 1]]).toEqual([expect.closeTo(even / length, 6), expect.closeTo(odd / length, 6)]);
    expect(Math.hypot(...out)).toBeCloseTo(1, 6);
  });

  test("a bag that weighs nothing is all zeros", () => {
    const out = new Float32Array(WIDTH).fill(1);
    readBagRows(model(), { constants }).embed(bag([0], [0]), out, 0);
    expect(out.every((value) => value === 0)).toBe(true);
  });
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
});
