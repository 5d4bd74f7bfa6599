import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openRegistry, SHIPPED_MODELS } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createReader, type Reader } from "./reader.ts";

const NAME = "reader-ar-en";
const registry = openRegistry({ dirs: [SHIPPED_MODELS] });
let reader: Reader;
beforeAll(async () => {
  reader = await createReader({ registry });
}, 60_000);
afterAll(() => reader.close());

const reference = z.object({
  questions: z.array(z.string()),
  sentences: z.array(z.object({ title: z.string(), text: z.string() })),
  scores: z.array(z.array(z.number())),
});

test("gives the scores that its export gave for its reference", async () => {
  const { questions, sentences, scores } = reference.parse(
    JSON.parse(readFileSync(join(SHIPPED_MODELS, NAME, "reference.json"), "utf8")),
  );
  expect(questions.length).toBeGreaterThan(1);
  for (const [row, question] of questions.entries()) {
    const read = await reader.read(question, sentences);
    for (const [place, score] of read.entries()) expect(score).toBeCloseTo(scores[row]?.[place] ?? Number.NaN, 1);
  }
});

test("tells what answers from what is about the same, in both languages", async () => {
  const best = async (question: string, texts: string[]) => {
    const scores = await reader.read(
      question,
      texts.map((text) => ({ title: "The bridge of Sahlan", text })),
    );
    return scores.indexOf(Math.max(...scores));
  };
  const english = ["The bridge opened in 2019.", "It cost 38 million dinars.", "The mayor, Salma Haddad, opened it."];
  expect(await best("How much did the bridge cost?", english)).toBe(1);
  expect(await best("Who opened the bridge?", english)).toBe(2);
  const arabic = ["افتتح الجسر في عام 2019.", "وبلغت كلفة الجسر 38 مليون دينار.", "ويقع الجسر شمال المدينة."];
  expect(await best("كم بلغت كلفة الجسر؟", arabic)).toBe(1);
});

test("any texts have a finite score: none, emoji, 20,000 characters; of none asked there is none", async () => {
  const sentences = ["", "😀😀", "كلمة word ".repeat(2000)].map((text) => ({ title: text, text }));
  for (const score of await reader.read("why ".repeat(5_000), sentences)) expect(Number.isFinite(score)).toBe(true);
  expect(await reader.read("Why?", [])).toEqual([]);
});

test("over other lower layers than those that it was trained over it does not start", async () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-reader-"));
  try {
    for (const name of [NAME, "pieces-ar-en", "rerank-ar-en"]) {
      cpSync(join(SHIPPED_MODELS, name), join(dir, name), { recursive: true });
    }
    const path = join(dir, NAME, "model.json");
    const card = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...card, lower: { ...card.lower, weights: "0".repeat(64) } }));
    const error = await createReader({ registry: openRegistry({ dirs: [dir] }), model: NAME }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InferenceError);
    expect(error).toMatchObject({ code: "model-invalid" });
  } finally {
    rmSync(dir, { recursive: true });
  }
});
