import { afterAll, expect, test } from "bun:test";
import { createEmbedder, createReader, createReranker, openRegistry, type Passage } from "../../models/mod.ts";
import { rankSentences } from "./sentences.ts";

const registry = openRegistry();
const embedder = await createEmbedder({ registry, timeoutMs: 240_000 });
const reader = await createReader({ registry, timeoutMs: 240_000 });
const reranker = await createReranker({ registry, timeoutMs: 240_000 });
afterAll(async () => {
  await reader.close();
  await reranker.close();
  await embedder.close();
});
const { signal } = new AbortController();

const source = (n: number, text: string) => ({ n, articleId: n, title: "", url: "", passages: [{ text, start: 0 }] });
const ANSWER = "The bridge of Sahlan cost 38 million dinars.";

test("of many sentences the reader judges the nearest ones, in the order of the sources and their texts", async () => {
  const asked: (readonly Passage[])[] = [];
  const watched = {
    read: (question: string, passages: readonly Passage[]) => {
      asked.push(passages);
      return reader.read(question, passages, { signal });
    },
  };
  const filler = Array.from({ length: 80 }, (_, i) => `Visitor number ${i} liked the olives and went home.`);
  const texts = [...filler.slice(0, 70), ANSWER, ...filler.slice(70)];
  const sources = [source(1, texts.slice(0, 40).join(" ")), source(2, texts.slice(40).join(" "))];
  const ranked = await rankSentences(
    "How much did the bridge cost?",
    sources,
    { embedder, reader: watched, reranker },
    signal,
  );
  const places = asked[0]?.map(({ text }) => texts.indexOf(text)) ?? [];
  expect(places).toContain(70);
  expect(places.length).toBeLessThan(texts.length);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
  expect(ranked[0]).toMatchObject({ text: ANSWER, source: { n: 2 } });
});

test("without a sentence nothing is asked", async () => {
  expect(await rankSentences("Why?", [source(1, " … ")], { embedder, reader, reranker }, signal)).toEqual([]);
});

test("bylines, and datelines of sentences, are not judged; what is left says where it stands", async () => {
  const text = `By Salma Haddad, Sahlan\nSAHLAN, March 3 (Reuters) - ${ANSWER}`;
  const ranked = await rankSentences(
    "How much did the bridge cost?",
    [source(1, text)],
    { embedder, reader, reranker },
    signal,
  );
  expect(ranked.map((each) => each.text)).toEqual([ANSWER]);
  const { start = 0, end = 0 } = ranked[0]?.offsets ?? {};
  expect(text.slice(start, end)).toBe(ANSWER);
});

test("what is asked for decides between sentences about the same, and what nobody says is not supported", async () => {
  const texts = [
    "The bridge of Sahlan was opened by Salma Haddad on Tuesday.",
    "The bridge of Sahlan is 900 metres long and has four lanes.",
    ANSWER,
    "Opponents of the bridge of Sahlan want the money for the hospital.",
  ];
  const best = async (question: string, over = {}) => {
    const models = { embedder, reader, reranker, ...over };
    const ranked = await rankSentences(question, [source(1, texts.join(" "))], models, signal);
    return { place: texts.indexOf(ranked[0]?.text ?? ""), support: ranked[0]?.support ?? 0 };
  };
  expect((await best("Who opened the bridge of Sahlan?")).place).toBe(0);
  expect((await best("How long is the bridge of Sahlan?")).place).toBe(1);
  expect((await best("How much did the bridge of Sahlan cost?")).place).toBe(2);
  const said = await best("How much did the bridge of Sahlan cost?");
  const unsaid = await best("Which referee whistled the match between Noma and Kinshasa?");
  expect(said.support).toBeGreaterThan(0);
  expect(unsaid.support).toBeLessThan(0);
  // Words alone, where the vector of one costs as much as that of a sentence.
  const words = await best("How long is the bridge of Sahlan?", { embedder: { embed: embedder.embed } });
  expect(words.place).toBe(1);
});

test("what the reader is sure that no sentence answers is not supported, whatever else speaks for it", async () => {
  const none = { read: async (_: string, passages: readonly Passage[]) => passages.map(() => -5) };
  const models = { embedder, reranker, reader: none };
  const ranked = await rankSentences("How much did the bridge of Sahlan cost?", [source(1, ANSWER)], models, signal);
  expect(ranked.map(({ support }) => support)).toEqual([Number.NEGATIVE_INFINITY]);
});

test("a sentence that the reader is sure does not answer is not supported, where it doubts of another", async () => {
  const doubts = {
    read: async (_: string, passages: readonly Passage[]) => passages.map(({ text }) => (text === ANSWER ? -5 : -4)),
  };
  const models = { embedder, reranker, reader: doubts };
  const sources = [source(1, `${ANSWER} The bridge is old.`)];
  const ranked = await rankSentences("How much did the bridge of Sahlan cost?", sources, models, signal);
  const supports = new Map(ranked.map(({ text, support }) => [text, support]));
  expect(supports.get(ANSWER)).toBe(Number.NEGATIVE_INFINITY);
  expect([...supports.values()].some(Number.isFinite)).toBe(true);
});
