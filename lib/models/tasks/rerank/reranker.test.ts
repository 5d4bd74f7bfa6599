import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegistry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { flipBit } from "../../testing.ts";
import { createPassageReader, type Passage } from "./passage.ts";
import { createReranker, type Reranker } from "./reranker.ts";
import { CROSS_ENCODED, crossEncoderFolder } from "./testing.ts";

describe("reranker", () => {
  const registry = openRegistry();
  let reranker: Reranker;
  beforeAll(async () => {
    reranker = await createReranker({ registry, timeoutMs: 60_000 });
  }, 300_000);
  afterAll(() => reranker.close());

  const passage = (text: string): Passage => ({ title: "", text });
  const best = async (query: string, passages: readonly Passage[]) => {
    const scores = [...(await reranker.rerank(query, passages))];
    return scores.indexOf(Math.max(...scores));
  };
  const failure = (error: unknown) => (error instanceof InferenceError ? error.code : error);

  const FOOTBALL = passage("The striker scored two goals and the team won the cup final.");
  const RATES = passage("The central bank raised interest rates to slow inflation in the country.");
  const RAIN = passage("هطلت أمطار غزيرة على شمال البلاد وغمرت المياه الشوارع.");

  test("likeness() tells what a passage is about from what it is not, in both languages, read beforehand or not", async () => {
    const passages = [FOOTBALL, RATES, RAIN];
    const likeness = async (query: string, all = passages) => (await reranker.likeness?.(query, all)) ?? [];
    for (const [query, about] of [
      ["football", 0],
      ["سعر الفائدة", 1],
      ["flooded roads", 2],
    ] as const) {
      const found = await likeness(query);
      for (const [place, value] of found.entries()) {
        if (place === about) expect([query, value > 0.2]).toEqual([query, true]);
        else expect([query, value < 0.15]).toEqual([query, true]);
      }
    }
    const [first = new Float32Array()] = (await reranker.encoder?.read([{ kind: "passage", text: RATES.text }])) ?? [];
    const vectors = Int8Array.from([...first, ...first], (value) => Math.round(value * 500));
    const [read = 0] = await likeness("سعر الفائدة", [{ title: "", text: "", vectors }]);
    expect(read).toBeCloseTo((await likeness("سعر الفائدة"))[1] ?? Number.NaN, 1);
  });

  describe("rerank()", () => {
    test("puts the passage that speaks of the query first, in both languages, by other words too", async () => {
      const passages = [FOOTBALL, RATES, RAIN];
      expect(await best("interest rates of the central bank", passages)).toBe(1);
      expect(await best("football match result", [RATES, FOOTBALL, RAIN])).toBe(1);
      expect(await best("الأمطار الغزيرة في الشمال", [FOOTBALL, RATES, RAIN])).toBe(2);
    });

    test("of passages that are the same, the one found first stays first", async () => {
      const scores = await reranker.rerank("interest rates", [RATES, RATES, RATES]);
      expect([...scores]).toEqual([...scores].sort((a, b) => b - a));
    });

    test("a keyword score that none comes near puts a passage first, whatever its scale; two that are level do not", async () => {
      const scored = (scores: readonly (number | undefined)[]) =>
        [RATES, FOOTBALL, RAIN].map((found, i) => ({ ...found, keywordScore: scores[i] }));
      const query = "interest rates of the central bank";
      expect(await best(query, scored([undefined, undefined, undefined]))).toBe(0);
      expect(await best(query, scored([1, 40, undefined]))).toBe(1);
      expect(await best(query, scored([0.01, 0.4, 0.02]))).toBe(1);
      expect(await best(query, scored([39, 40, 39]))).toBe(0);
      expect(await best(query, scored([0, 0, 0]))).toBe(0);
      const plain = await reranker.rerank(query, scored([undefined, undefined, undefined]));
      expect(await reranker.rerank(query, scored([undefined, 40, 40]))).toEqual(plain);
    });

    test("a passage that alone has any of many words goes first by its meaning, not by that one word", async () => {
      const alone = [RATES, FOOTBALL, RAIN].map((found, i) => ({ ...found, ...(i === 1 && { keywordScore: 1.2 }) }));
      expect(await best("price of borrowing money up again, twice since prices climbed", alone)).toBe(0);
      expect(await best("borrowing", alone)).toBe(1);
    });

    test("a passage is judged by its vectors where it has some, and by the best of them", async () => {
      const reader = await createPassageReader({ registry });
      const [rates = [], football = []] = (await reader?.read([RATES.text, FOOTBALL.text])) ?? [];
      await reader?.close();
      const both = Int8Array.from([...football, ...rates]);
      const judged = (vectors: ArrayLike<number>) => ({
        title: "",
        text: "nothing of it",
        vectors: Int8Array.from(vectors),
      });
      expect(await best("interest rates of the central bank", [judged(football), judged(rates)])).toBe(1);
      expect(await best("interest rates of the central bank", [judged(football), judged(both)])).toBe(1);
      const [read = 0] = await reranker.rerank("interest rates", [RATES]);
      const [given = 0] = await reranker.rerank("interest rates", [judged(both)]);
      expect(Math.abs(read - given)).toBeLessThan(0.5);
    });

    test("of a passage without a vector, as one whose article has no text, nothing is good", async () => {
      const scores = await reranker.rerank("interest rates", [{ ...RATES, vectors: new Int8Array() }, FOOTBALL]);
      expect(Number.isFinite(scores[0])).toBe(true);
      expect(scores[0]).toBeLessThan(scores[1] ?? 0);
    });

    test("scores do not depend on what is asked at the same time", async () => {
      const alone = await reranker.rerank("interest rates", [FOOTBALL, RATES]);
      const together = await Promise.all(
        Array.from({ length: 20 }, (_, i) => reranker.rerank(i % 2 ? "interest rates" : "أمطار", [FOOTBALL, RATES])),
      );
      for (const [i, scores] of together.entries()) if (i % 2) expect([...scores]).toEqual([...alone]);
    });

    test("any text has a finite score: empty, one letter, emoji, marks, other scripts, 20,000 characters", async () => {
      const texts = ["", "x", "😀😀", "‏‎", "漢字かな交じり文", "\u0000\u0007", "كلمة word ".repeat(2000)];
      for (const query of texts) {
        const scores = await reranker.rerank(query, texts.map(passage));
        expect(scores).toHaveLength(texts.length);
        expect([...scores].every(Number.isFinite)).toBe(true);
      }
    });

    test("of calls at once those that would have to wait longer than they may are refused at once", async () => {
      const hurried = await createReranker({ registry, timeoutMs: 1_000 });
      const passages = Array.from({ length: 30 }, () => RATES);
      const calls = Array.from({ length: 4 }, () => hurried.rerank("interest rates", passages).then(() => "", failure));
      expect((await Promise.all(calls)).slice(1)).toEqual(["queue-full", "queue-full", "queue-full"]);
      await hurried.close();
    });

    test("no passage is no score; a caller who went away gets his reason", async () => {
      expect(await reranker.rerank("x", [])).toHaveLength(0);
      const gone = AbortSignal.abort(new Error("gone"));
      const error = await reranker.rerank("x", [RATES], { signal: gone }).catch((reason: unknown) => reason);
      expect(String(error)).toContain("gone");
    });
  });

  describe("createReranker()", () => {
    test("says which file is missing, truncated or altered", async () => {
      const dir = mkdtempSync(join(tmpdir(), "isnad-rerank-"));
      const name = registry.default("rerank");
      const problems: unknown[] = [];
      for (const harm of [
        (file: string) => rmSync(file),
        (file: string) => truncateSync(file, 1000),
        (file: string) => flipBit(file),
      ]) {
        const copy = join(dir, name);
        cpSync(registry.dir(name), copy, { recursive: true });
        harm(join(copy, "model.onnx"));
        problems.push(await createReranker({ registry: openRegistry({ dirs: [dir] }) }).catch(failure));
        rmSync(copy, { recursive: true });
      }
      problems.push(await createReranker({ registry: openRegistry({ dirs: [dir] }) }).catch(failure));
      rmSync(dir, { recursive: true });
      expect(problems).toEqual(["model-missing", "model-altered", "model-altered", "model-unknown"]);
    });

    test("refuses a model of another task", async () => {
      const error = await createReranker({ registry, model: registry.default("embed") }).catch(failure);
      expect(error).toBe("model-invalid");
    });
  });

  test("a query whose passages have vectors does not wait for the passages of another one to be read", async () => {
    const own = await createReranker({ registry: openRegistry(), timeoutMs: 60_000 });
    const order: string[] = [];
    const unread = Array.from({ length: 40 }, (_, i) => ({ title: `${i}`, text: "a storm hit the coast ".repeat(9) }));
    const long = own.rerank("storm", unread).then(() => order.push("long"));
    await Bun.sleep(0);
    const read = [{ title: "a", text: "b", vectors: new Int8Array(own.dims).fill(1) }];
    await Promise.all([long, own.rerank("coast", read).then(() => order.push("short"))]);
    await own.close();
    expect(order).toEqual(["short", "long"]);
  }, 300_000);
});

describe("cross encoder", () => {
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
});
