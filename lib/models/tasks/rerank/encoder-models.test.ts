import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type ModelCard, openRegistry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { flipBit } from "../../testing.ts";
import {
  type CrossEncoderModel,
  type DualEncoderModel,
  loadCrossEncoder,
  loadDualEncoder,
  logitsIn,
  readPairGraph,
} from "./encoder-models.ts";
import { CROSS_ENCODED, crossEncoderFolder, type TinyCrossEncoder } from "./testing.ts";

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

const refusal = async (graph: TinyCrossEncoder, changes: Partial<ModelCard> = {}): Promise<unknown> => {
  const made = crossEncoderFolder(graph, changes);
  try {
    return await loadCrossEncoder(made.dir, made.card, 1).catch((error: unknown) => error);
  } finally {
    made.remove();
  }
};

describe.each(["wordpiece", "unigram"] as const)("%s", (graph) => {
  const made = crossEncoderFolder(graph);
  let model: CrossEncoderModel;
  beforeAll(async () => {
    model = await loadCrossEncoder(made.dir, made.card, 1);
  });
  afterAll(async () => {
    await model.release();
    made.remove();
  });

  for (const { query, passage, scores } of CROSS_ENCODED.cases) {
    const name = [query, passage].map((text) => `${JSON.stringify(text.slice(0, 24))} (${text.length})`).join(" and ");
    test(`${name} have the score of the reference`, async () => {
      const [score = Number.NaN] = await model.scores([{ query, passage }]);
      expect(score).toBeCloseTo(scores[graph], 5);
    });
  }

  test("all pairs at once have the same scores, in their order", async () => {
    const found = await model.scores(CROSS_ENCODED.cases);
    expect(found).toHaveLength(CROSS_ENCODED.cases.length);
    for (const [i, { scores }] of CROSS_ENCODED.cases.entries()) expect(found[i]).toBeCloseTo(scores[graph], 5);
  });

  test("no pairs have no scores", async () => {
    expect(await model.scores([])).toHaveLength(0);
  });

  test("lone surrogates and 100,000 blanks have a score too", async () => {
    const found = await model.scores([
      { query: "\ud800", passage: "\udfff word" },
      { query: " ".repeat(100_000), passage: "\n".repeat(100_000) },
    ]);
    for (const score of found) expect(score).toBeWithin(0, 1);
  });
});

describe("loadCrossEncoder() refuses, and says what of the model is not so,", () => {
  test("a graph that asks for an input nobody knows", async () => {
    expect(await refusal("unknown-input")).toMatchObject({
      code: "model-invalid",
      model: "tiny",
      message: expect.stringContaining("the graph asks for position_ids"),
    });
  });

  test("logits for three labels", async () => {
    expect(await refusal("three-labels")).toMatchObject({
      code: "model-invalid",
      message: expect.stringMatching(/logits is of shape \[.*3\], not \[pairs, 1\] or \[pairs, 2\]/),
    });
  });

  test("outputs of which none is named logits", async () => {
    expect(await refusal("two-outputs")).toMatchObject({
      code: "model-invalid",
      message: expect.stringContaining("scores, states"),
    });
  });

  test("a graph that cannot be run over as many tokens as its card says", async () => {
    expect(await refusal("wordpiece", { max_tokens: CROSS_ENCODED.longest + 1 })).toMatchObject({
      code: "model-invalid",
      message: expect.stringContaining(`cannot be run over ${CROSS_ENCODED.longest + 1} tokens`),
    });
  });

  test("a card that leaves no room for a pair", async () => {
    expect(await refusal("wordpiece", { max_tokens: 3 })).toMatchObject({
      code: "model-invalid",
      message: expect.stringContaining("no room for a pair"),
    });
  });
});

type Metadata = Parameters<typeof readPairGraph>[0]["inputMetadata"];
type Declared = Extract<Metadata[number], { isTensor: true }>;
const tensor = (name: string, type: Declared["type"] = "int64", shape: Declared["shape"] = []): Declared => ({
  name,
  isTensor: true,
  type,
  shape,
});
const USUAL = [tensor("input_ids"), tensor("attention_mask")];
const LOGITS = tensor("logits", "float32", ["batch", 1]);
const read = (inputs: Metadata, outputs: Metadata) => () =>
  readPairGraph({ inputMetadata: inputs, outputMetadata: outputs });

test("inputs keep the integers that the graph declares; types are given where it has them", () => {
  const types = tensor("token_type_ids", "int32");
  expect(read([...USUAL, types], [LOGITS])().inputs).toEqual([
    { name: "input_ids", type: "int64" },
    { name: "attention_mask", type: "int64" },
    { name: "token_type_ids", type: "int32" },
  ]);
});

test("the output named logits is taken, else the only one", () => {
  expect(read(USUAL, [tensor("pooled", "float32"), LOGITS])().output).toBe("logits");
  expect(read(USUAL, [tensor("scores", "float32", ["batch", "labels"])])().output).toBe("scores");
});

const refused: [string, Metadata, Metadata, string][] = [
  [
    "inputs nobody knows, all of them",
    [...USUAL, tensor("position_ids"), tensor("pixels")],
    [LOGITS],
    "position_ids, pixels",
  ],
  [
    "an input in other numbers",
    [tensor("input_ids", "float32"), tensor("attention_mask")],
    [LOGITS],
    "input_ids as float32",
  ],
  ["a missing mask", [tensor("input_ids")], [LOGITS], "no input attention_mask"],
  ["an input that is no tensor", [{ name: "input_ids", isTensor: false }], [LOGITS], "no tensor"],
  ["outputs without logits", USUAL, [tensor("a"), tensor("b")], "a, b"],
  ["logits in other numbers", USUAL, [tensor("logits", "float16")], "float16"],
  ["logits of three labels", USUAL, [tensor("logits", "float32", ["batch", 3])], "[batch, 3]"],
  ["logits a token", USUAL, [tensor("logits", "float32", ["batch", "length", 1])], "[batch, length, 1]"],
  ["no output", USUAL, [], "none of them"],
];
for (const [what, inputs, outputs, said] of refused) {
  test(`${what}: refused by name`, () => {
    expect(read(inputs, outputs)).toThrow(said);
  });
}

test("one logit is taken as it is, of two the second less the first", () => {
  expect(logitsIn("logits", { data: Float32Array.of(1, -2), dims: [2, 1] }, 2)).toEqual([1, -2]);
  expect(logitsIn("logits", { data: Float32Array.of(1, 4, 3, 1), dims: [2, 2] }, 2)).toEqual([3, -2]);
});

test("other shapes are refused, whatever the graph declared", () => {
  const shapes = [[2], [2, 3], [1, 2], [2, 1, 1], []];
  for (const dims of shapes) {
    const data = new Float32Array(dims.reduce((product, each) => product * each, 1));
    expect(() => logitsIn("logits", { data, dims }, 2)).toThrow("not [pairs, 1] or [pairs, 2]");
  }
  expect(() => logitsIn("logits", undefined, 2)).toThrow("not [pairs, 1]");
});
