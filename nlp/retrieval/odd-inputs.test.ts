import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { CheckResponse } from "./routes/check-worthiness.ts";
import { RetrieveResponse } from "./routes/retrieve.ts";
import { prepareData, startRetrieval } from "./testing-process.ts";

setDefaultTimeout(300_000);

const TITLES = ["The harbour reopens", "الميناء يعود إلى العمل", "Rates rise", "Rain and wheat", "A striker signs"];

const data = await prepareData(TITLES);
const service = await startRetrieval(data.env);
await service.loaded();
afterAll(async () => {
  await service.end();
  await data.remove();
});

/** A text; whether it finds hits and the sentences it has (422: refused). */
type Case = { text: string; hits: "some" | "none" | "refused"; sentences: number; asSentence?: 422 };

const cases: Record<string, Case> = {
  "an empty text": { text: "", hits: "refused", sentences: 422 },
  "white space": { text: " \n\t", hits: "none", sentences: 0 },
  "one character": { text: "a", hits: "some", sentences: 1 },
  "one Arabic character": { text: "ب", hits: "some", sentences: 1 },
  "2,000 characters without a space": { text: "x".repeat(2_000), hits: "some", sentences: 1 },
  "2,000 characters of words": { text: "harbour storm ".repeat(142).trim(), hits: "some", sentences: 1 },
  "20,000 characters without a space": { text: "x".repeat(20_000), hits: "refused", sentences: 1, asSentence: 422 },
  "20,000 characters of words": { text: "harbour ".repeat(2_500), hits: "refused", sentences: 1, asSentence: 422 },
  "20,001 characters": { text: "x".repeat(20_001), hits: "refused", sentences: 422, asSentence: 422 },
  emoji: { text: "😀👨‍👩‍👧🏳️‍🌈", hits: "none", sentences: 0 },
  "2,000 emoji": { text: "😀".repeat(2_000), hits: "none", sentences: 0 },
  "mixed scripts": { text: "قمة G20 في 東京 сегодня", hits: "some", sentences: 1 },
  "right-to-left marks around a word": { text: "\u200f\u202bميناء\u202c\u200e", hits: "some", sentences: 1 },
  "right-to-left marks alone": { text: "\u200f\u202b\u202c", hits: "none", sentences: 0 },
  "control characters around a word": { text: "\u0000\u0007\u001b[31m harbour", hits: "some", sentences: 1 },
  "control characters alone": { text: "\u0001\u0002", hits: "none", sentences: 0 },
  "an unknown language": { text: "Das Wetter ist heute schön geworden.", hits: "some", sentences: 1 },
  "an unknown script": { text: "今日は天気がいい", hits: "some", sentences: 1 },
  "half of a surrogate pair": { text: "harbour \ud800", hits: "some", sentences: 1 },
};

const given = Object.entries(cases).map(([kind, rest]) => ({ kind, ...rest }));

test.each(given)("reranking for $kind has its answer", async ({ text, hits }) => {
  const { status, body } = await service.ask("/retrieve", { query: text, rerank: true });
  if (hits === "refused") return expect([status, Object.keys(Object(body.errors))]).toEqual([422, ["query"]]);
  expect(status).toBe(200);
  const { results, degraded } = RetrieveResponse.parse(body);
  expect([results.length > 0, degraded]).toEqual([hits === "some", false]);
  for (const { rerank_score } of results) expect(Number.isFinite(rerank_score)).toBe(true);
});

test.each(given)("check-worthiness of $kind has its answer, as a text and as a sentence", async (one) => {
  for (const path of ["/s1/check-worthiness", "/s1/score"]) {
    const whole = await service.ask(path, { text: one.text });
    if (one.sentences === 422) expect([whole.status, Object.keys(Object(whole.body.errors))]).toEqual([422, ["text"]]);
    else expect(CheckResponse.parse(whole.body).results).toHaveLength(one.sentences);
    const alone = await service.ask(path, { sentences: [one.text] });
    if (one.asSentence === 422) {
      expect([alone.status, Object.keys(Object(alone.body.errors))]).toEqual([422, ["sentences.0"]]);
    } else {
      const [result] = CheckResponse.parse(alone.body).results;
      if (one.sentences === 1) expect(result?.score).toBeGreaterThan(0);
      else expect(result?.score).toBe(0);
    }
  }
});

test("what was asked before changes no answer: the service is healthy and answers as at first", async () => {
  expect((await service.ask("/health")).body).toMatchObject({ status: "ok" });
  expect(service.lines.filter(({ level }) => level === "error")).toEqual([]);
});
