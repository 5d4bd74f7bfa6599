import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openRegistry } from "../../cards/registry.ts";
import { flipBit } from "../../testing.ts";
import { createReranker, type Reranker } from "./reranker.ts";
import { CROSS_ENCODED, crossEncoderFolder } from "./testing.ts";

const made = crossEncoderFolder("wordpiece");
const registry = openRegistry({ dirs: [made.root] });
const passage = (text: string, title = "") => ({ title, text });
const RATES = passage("The central bank raised interest rates on Monday.");
const PRICES = passage("Prices rose, and the minister resigned");
const failure = (error: unknown) => error;

let reranker: Reranker;
beforeAll(async () => {
  reranker = await createReranker({ registry });
});
afterAll(async () => {
  await reranker.close();
  made.remove();
});

describe("rerank() with a cross-encoder", () => {
  test("its id carries the revision", () => {
    expect(reranker.modelId).toBe("tiny@1");
  });

  test("gives every passage the score of the reference, in the order of the passages", async () => {
    for (const asked of new Set(CROSS_ENCODED.cases.map(({ query }) => query))) {
      const cases = CROSS_ENCODED.cases.filter(({ query }) => query === asked);
      const scores = await reranker.rerank(
        asked,
        cases.map((each) => passage(each.passage)),
      );
      for (const [i, { scores: expected }] of cases.entries()) expect(scores[i]).toBeCloseTo(expected.wordpiece, 5);
    }
  });

  test("more passages than a run holds keep their places", async () => {
    const passages = Array.from({ length: 50 }, (_, i) => passage("bank rates ".repeat((i * 7) % 23)));
    const together = await reranker.rerank("interest rates", passages);
    for (const [i, one] of passages.entries()) {
      const [alone = Number.NaN] = await reranker.rerank("interest rates", [one]);
      expect(together[i]).toBeCloseTo(alone, 5);
    }
  });

  test("reads the title before the text; vectors do not count", async () => {
    const [titled, written, scored] = await reranker.rerank("rates", [
      passage("Prices rose", "Monday"),
      passage("Monday Prices rose"),
      { ...passage("Monday Prices rose"), vectors: Int8Array.of(1) },
    ]);
    expect(titled).toBe(written ?? Number.NaN);
    expect(scored).toBe(written ?? Number.NaN);
    expect(titled).not.toBe((await reranker.rerank("rates", [passage("Prices rose")]))[0] ?? Number.NaN);
  });

  test("scores do not depend on what is asked at the same time", async () => {
    const alone = await reranker.rerank("interest rates", [RATES, PRICES]);
    const together = await Promise.all(
      Array.from({ length: 20 }, (_, i) => reranker.rerank(i % 2 ? "interest rates" : "أمطار", [RATES, PRICES])),
    );
    for (const [i, scores] of together.entries()) {
      if (i % 2) for (const [place, score] of scores.entries()) expect(score).toBeCloseTo(alone[place] ?? 0, 5);
    }
  });

  test("no passage is no score", async () => {
    expect(await reranker.rerank("x", [])).toHaveLength(0);
  });

  test("a caller who goes away gets his reason, and the next one is answered", async () => {
    const abort = new AbortController();
    const answer = reranker.rerank("x", new Array(200).fill(RATES), { signal: abort.signal }).catch(failure);
    abort.abort(new Error("gone"));
    expect(await answer).toMatchObject({ message: "gone" });
    expect(await reranker.rerank("x", [RATES])).toHaveLength(1);
  });

  test("a full queue and a closed model refuse by name", async () => {
    const small = await createReranker({ registry, maxQueue: 10 });
    const first = small.rerank("x", new Array(40).fill(RATES));
    expect(await small.rerank("x", [RATES]).catch(failure)).toMatchObject({ code: "queue-full", model: "tiny" });
    const closed = small.close();
    expect(await small.rerank("x", [RATES]).catch(failure)).toMatchObject({ code: "closed" });
    expect(await first).toHaveLength(40);
    await closed;
  });
});

const damages = {
  missing: ["model-missing", (path: string) => rmSync(path)],
  truncated: ["model-altered", (path: string) => truncateSync(path, 1000)],
  altered: ["model-altered", flipBit],
} satisfies Record<string, [string, (path: string) => void]>;

for (const [kind, [code, harm]] of Object.entries(damages)) {
  for (const file of ["model.onnx", "tokenizer.json"]) {
    test(`a ${file} that is ${kind} is named`, async () => {
      const damaged = crossEncoderFolder("wordpiece");
      harm(join(damaged.dir, file));
      const starting = createReranker({ registry: openRegistry({ dirs: [damaged.root] }) });
      const message = expect.stringContaining(`tiny: ${file} `);
      expect(await starting.catch(failure)).toMatchObject({ code, model: "tiny", message });
      damaged.remove();
    });
  }
}

test("a graph that asks for what nobody knows is refused with its name, through the thread", async () => {
  const odd = crossEncoderFolder("unknown-input");
  const refused = await createReranker({ registry: openRegistry({ dirs: [odd.root] }) }).catch(failure);
  expect(refused).toMatchObject({ code: "model-invalid", message: expect.stringContaining("position_ids") });
  odd.remove();
});

test("a cross-encoder for another task is no reranker", async () => {
  const other = crossEncoderFolder("wordpiece", { task: "classify" });
  const starting = createReranker({ registry: openRegistry({ dirs: [other.root] }), model: "tiny" });
  expect(await starting.catch(failure)).toMatchObject({ code: "model-invalid" });
  other.remove();
});
