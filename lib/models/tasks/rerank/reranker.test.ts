import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegistry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { flipBit } from "../../testing.ts";
import type { Passage } from "./passage.ts";
import { createPassageReader } from "./passage-reader.ts";
import { createReranker, type Reranker } from "./reranker.ts";

const registry = openRegistry();
let reranker: Reranker;
beforeAll(async () => {
  reranker = await createReranker({ registry, timeoutMs: 60_000 });
}, 60_000);
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
}, 20_000);
