import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ModelCard } from "../../cards/card.ts";
import { type CrossEncoderModel, loadCrossEncoder } from "./cross-encoder-model.ts";
import { CROSS_ENCODED, crossEncoderFolder, type TinyCrossEncoder } from "./testing.ts";

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
