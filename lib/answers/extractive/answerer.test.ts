import { describe, expect, test } from "bun:test";
import { type ChatMessage, type ChatPart, NO_ANSWER, type Question, type Source } from "../tasks.ts";
import { chooseSentences, extractiveAnswerer, quotedOf } from "./answerer.ts";
import type { RankedSentence, SentenceModels } from "./sentences.ts";

const COST = "The bridge of Sahlan cost 38 million dinars.";
const LENGTH = "The bridge of Sahlan is 900 metres long.";

/** Returns models that score texts by a table, all else low; every text has its own direction. */
function modelsOf(scores: Readonly<Record<string, number>>): SentenceModels {
  const directions = new Map<string, number>();
  const vectorOf = (text: string) => {
    if (!directions.has(text)) directions.set(text, directions.size);
    const vector = new Float32Array(256);
    vector[directions.get(text) ?? 0] = 1;
    return vector;
  };
  const judge = (passages: readonly { text: string }[]) => passages.map(({ text }) => scores[text] ?? -9);
  return {
    embedder: { embed: async (texts) => texts.map(vectorOf) },
    reader: { read: async (_, passages) => judge(passages) },
    reranker: { rerank: async (_, passages) => Float32Array.from(judge(passages)) },
  };
}

const source = (n: number, text: string): Source => ({
  ...{ n, articleId: n, title: "", url: "u" },
  passages: [{ text, start: 10 }],
});

async function ask(over: Partial<Question>, models = modelsOf({ [COST]: 8, [LENGTH]: -9 })) {
  const parts: ChatPart[] = [];
  const conversation: ChatMessage[] = [{ role: "user", content: "How much did the bridge of Sahlan cost?" }];
  const question: Question = {
    ...{
      conversation,
      query: "How much did the bridge of Sahlan cost?",
      sources: [source(1, LENGTH), source(2, COST)],
    },
    ...{ lang: "en", maxTokens: 100, live: true, signal: new AbortController().signal },
    ...over,
  };
  for await (const part of extractiveAnswerer(models).answer(question)) parts.push(part);
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  const end = parts.at(-1);
  return { text, end: end?.kind === "end" ? end : undefined };
}

test("an answer quotes the sentence that answers, with its source and its place", async () => {
  const { text, end } = await ask({});
  expect(text).toBe(`${COST} [2]`);
  expect(end).toMatchObject({
    finishReason: "stop",
    citations: [{ n: 2, quote: COST, offsets: { start: 10, end: 10 + COST.length } }],
    usage: { completion_tokens: 8 },
  });
});

test("a sentence that leans on the one before it is quoted behind that one, both with their places", async () => {
  const [named, leaning] = ["The bridge of Sahlan opened on Tuesday.", "It cost 38 million dinars."];
  const whole = `Nobody swam. ${named} ${leaning}`;
  const models = modelsOf({ [leaning]: 8, [named]: -9 });
  const { text, end } = await ask({ sources: [source(1, whole)] }, models);
  expect(text).toBe(`${named} ${leaning} [1]`);
  const placeOf = (quote: string) => ({
    start: 10 + whole.indexOf(quote),
    end: 10 + whole.indexOf(quote) + quote.length,
  });
  expect(end?.citations).toEqual([leaning, named].map((quote) => ({ n: 1, quote, offsets: placeOf(quote) })));
  expect(end?.usage?.completion_tokens).toBe(12);
  const short = await ask({ sources: [source(1, whole)], maxTokens: 11 }, models);
  expect(short.text).toBe(`${leaning} [1]`);
  expect(short.end?.citations).toHaveLength(1);
  // Neither one that leans itself, nor one from elsewhere in the article, nor a long one names anything for it.
  for (const passages of [
    [{ text: `It opened on Tuesday. ${leaning}`, start: 0 }],
    [
      { text: named, start: 0 },
      { text: leaning, start: 90 },
    ],
    [{ text: `The bridge ${"of Sahlan ".repeat(20)}opened. ${leaning}`, start: 0 }],
  ]) {
    const alone = await ask({ sources: [{ ...source(1, ""), passages }] }, models);
    expect(alone.text).toBe(`${leaning} [1]`);
  }
});

test("an answer has no more words than were asked for, and says that it was cut", async () => {
  const { text, end } = await ask({ maxTokens: 4 });
  expect(text).toBe("The bridge of Sahlan… [2]");
  expect(end).toMatchObject({ finishReason: "length", citations: [{ quote: COST }] });
});

describe("what nothing answers is declined, in the language of the question", () => {
  test.each([
    ["en", "Nothing in the available articles"],
    ["ar", "لا يوجد في المقالات المتاحة"],
  ] as const)("%s", async (lang, phrase) => {
    const { text, end } = await ask({ lang }, modelsOf({}));
    expect(text).toStartWith(phrase);
    expect(end).toMatchObject({ finishReason: NO_ANSWER, citations: [] });
  });
});

test("small talk is answered without a model", async () => {
  const { text, end } = await ask({ smallTalk: "thanks", lang: "ar" }, modelsOf({}));
  expect(text).toBe("على الرحب والسعة.");
  expect(end?.finishReason).toBe("stop");
});

test("without sources the conversation is quoted, and cited nowhere", async () => {
  const conversation: ChatMessage[] = [
    { role: "assistant", content: `${LENGTH} ${COST}` },
    { role: "user", content: "How much did the bridge of Sahlan cost?" },
  ];
  const { text, end } = await ask({ conversation, sources: undefined });
  expect(text).toBe(COST);
  expect(end?.citations).toEqual([]);
  const [alone] = conversation.slice(1);
  const none = await ask({ conversation: alone === undefined ? [] : [alone], sources: undefined });
  expect(none.text).toContain("holds no text to quote");
});

describe("of the ranked sentences", () => {
  const ranked = (text: string, score: number, direction: number, support = 1): RankedSentence => {
    const vector = new Float32Array(8);
    vector[direction] = 1;
    return { source: source(1, text), text, offsets: null, score, support, vector };
  };
  const textsOf = (all: readonly RankedSentence[]) => chooseSentences(all).map(({ text }) => text);

  test("those near to the best are quoted, four at the most", () => {
    expect(textsOf([ranked("a", 3, 0), ranked("b", 2, 1), ranked("c", 0, 2)])).toEqual(["a", "b"]);
    expect(textsOf(Array.from("abcdef", (text, i) => ranked(text, 3, i)))).toEqual(["a", "b", "c", "d"]);
  });

  test("one that says the same again is left out, and so is one that makes the answer long", () => {
    expect(textsOf([ranked("a", 3, 0), ranked("b", 3, 0), ranked("c", 3, 1)])).toEqual(["a", "c"]);
    expect(textsOf([ranked("a b", 3, 0), ranked("b", 3, 1)])).toEqual(["a b"]);
    expect(textsOf([ranked("a", 3, 0), ranked("w ".repeat(90), 3, 1), ranked("c", 3, 2)])).toEqual(["a", "c"]);
  });

  test("what names something is quoted once", () => {
    const naming = ranked("n", 3, 0);
    const leaning = { ...ranked("b", 2, 1), naming };
    expect(chooseSentences([ranked("a", 3, 2), leaning, naming]).map(quotedOf)).toEqual([
      [ranked("a", 3, 2)],
      [naming, leaning],
    ]);
    const [, second] = chooseSentences([naming, leaning]);
    expect(second).toEqual({ ...leaning, naming: undefined });
    const other = { ...ranked("c", 2, 3), naming };
    expect(chooseSentences([leaning, other]).map(({ text, naming: own }) => [text, own?.text])).toEqual([
      ["b", "n"],
      ["c", undefined],
    ]);
  });

  test("none is where the best has no support", () => {
    expect(textsOf([ranked("a", 3, 0, -0.1), ranked("b", 3, 1)])).toEqual([]);
    expect(textsOf([])).toEqual([]);
  });
});
