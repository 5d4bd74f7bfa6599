import { expect, test } from "bun:test";
import { findSentence, glossaryAnswer, openShippedCorpus } from "./answer.ts";
import { createDialectCorpus } from "./corpus.ts";
import type { CorpusToken } from "./glossary.ts";

const corpus = openShippedCorpus();
const TEXT = "بقديش كيلو البندورة اليوم يا معلم؟";

test("a sentence is found by its text however it is marked, by its number, and by a part of it", () => {
  const exact = corpus.byText("بَقديش كيلو البندوره اليوم يا معلم", { fuzzy: false });
  expect(exact).toMatchObject({ text: TEXT, match_type: "exact", match_score: 1, dialect: "syrian" });
  expect(corpus.byId(exact?.sentence_id ?? -1)?.text).toBe(TEXT);
  const part = corpus.byText("كيلو البندورة اليوم", { fuzzy: false });
  expect(part).toMatchObject({ text: TEXT, match_type: "substring" });
  expect(part?.match_score).toBeLessThan(1);
});

test("only a fuzzy search finds what is written otherwise, and never below 0.65", () => {
  const changed = "بقديش كيلو البندورة اليوم يا معلمي";
  expect(corpus.byText(changed, { fuzzy: false })).toBeUndefined();
  const fuzzy = corpus.byText(changed, { fuzzy: true });
  expect(fuzzy).toMatchObject({ text: TEXT, match_type: "fuzzy" });
  expect(fuzzy?.match_score).toBeGreaterThanOrEqual(0.65);
  expect(corpus.byText("لا علاقة لهذا بذاك مطلقا", { fuzzy: true })).toBeUndefined();
});

test("number and text of two sentences conflict; what nothing is like has the closest one", () => {
  const id = corpus.byText(TEXT, { fuzzy: false })?.sentence_id;
  expect(findSentence(corpus, { id, text: TEXT, fuzzy: false })).toMatchObject({
    is: "match",
    match: { match_type: "id" },
  });
  const other = corpus.closest("شو عم تطبخي اليوم")?.sentence.text;
  expect(findSentence(corpus, { id, text: other, fuzzy: false })).toEqual({ is: "conflict" });
  expect(findSentence(corpus, { text: "بندورة خيار جزر", fuzzy: true })).toMatchObject({
    is: "none",
    closest: { text: expect.any(String), match_score: expect.any(Number) },
  });
  expect(findSentence(corpus, { id: 1, fuzzy: false })).toMatchObject({ is: "none", closest: { match_score: 0 } });
  expect(findSentence(corpus, { text: "xyz", fuzzy: true })).toMatchObject({ is: "none", closest: { match_score: 0 } });
});

test("the glossary gives each word, trimmed, its meanings, best first, none below the threshold", async () => {
  const tokens = await glossaryAnswer(corpus, { text: "«البندورة»، بقديش؟", topK: 2, threshold: 0.65 });
  expect(tokens.map(({ token, start, end }) => [token, start, end])).toEqual([
    ["البندورة", 1, 9],
    ["بقديش", 12, 17],
  ]);
  expect(tokens[0]?.matches[0]).toMatchObject({
    gloss: "tomatoes",
    lemma_msa: "طماطم",
    lemma_dialect: "بندورة",
    score: 1,
  });
  for (const { matches } of tokens) {
    expect(matches.length).toBeLessThanOrEqual(2);
    const scores = matches.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.65);
  }
});

test("of sentences with one text the first answers, either is right beside its number, and the shortest holder wins", () => {
  const sentence = (sentence_id: number, text: string) => ({ sentence_id, text, dialect: "syrian", tokens: [] });
  const texts = ["كيفك اليوم يا خال", "كيفك اليوم", "كيفك اليوم!", "ككيفك اليومم"];
  const sentences = { size: texts.length, at: (place: number) => sentence(place + 1, texts[place] ?? "") };
  const twins = createDialectCorpus(sentences, "twins");
  expect(twins.byText("كيفك اليوم", { fuzzy: false })).toMatchObject({ sentence_id: 2, match_type: "exact" });
  expect(findSentence(twins, { id: 3, text: "كيفك اليوم", fuzzy: false })).toMatchObject({ is: "match" });
  expect(findSentence(twins, { id: 1, text: "اليوم", fuzzy: false })).toMatchObject({ is: "match" });
  expect(findSentence(twins, { id: 2, text: "يا خال", fuzzy: false })).toEqual({ is: "conflict" });
  expect(twins.byText("اليوم", { fuzzy: false })).toMatchObject({ sentence_id: 2, match_type: "substring" });
  expect(twins.byText("يومم", { fuzzy: false })).toMatchObject({ sentence_id: 4, match_type: "substring" });
  expect(twins.byText("وم", { fuzzy: false })).toBeUndefined();
});

test("the glossary prefers what is written so, and of that what is said most", () => {
  const word = (token: string, gloss: string, facts: Partial<CorpusToken> = {}): CorpusToken => ({
    ...{ token, coda: token, segmentation: [token], lemma_msa: "أين", lemma_dialect: "وين", pos: "ADV", gloss },
    ...facts,
  });
  const tokens = [
    word("وينك", "where are you", { segmentation: ["وين", "ك"] }),
    word("وين", "where to"),
    word("وين", "where"),
    word("وين", "where"),
  ];
  const sentence = { sentence_id: 1, text: "وينك وين", dialect: "syrian", tokens };
  const words = createDialectCorpus({ size: 1, at: () => sentence }, "words");
  const found = words.glossary("وين", { topK: 3, threshold: 0.65 });
  expect(found.map(({ gloss, score }) => [gloss, score])).toEqual([
    ["where", 1],
    ["where to", 1],
  ]);
  expect(words.glossary("وينك", { topK: 1, threshold: 0.65 })).toMatchObject([{ gloss: "where are you", score: 1 }]);
  expect(words.glossary("وينكن", { topK: 1, threshold: 0.65 })).toMatchObject([{ gloss: "where" }]);
});

test("the glossary hears a word under another spelling, and knows its stem with other clitics, persons and numbers", () => {
  const best = (word: string, threshold = 0.65) => corpus.glossary(word, { topK: 1, threshold })[0];
  expect(best("كثير")).toMatchObject({ lemma_dialect: "كثير", score: 1 });
  expect(best("سيارا")).toMatchObject({ lemma_msa: "سيارة", score: 0.95 });
  expect(best("وبندورتنا")).toMatchObject({ lemma_msa: "طماطم", score: 0.9 });
  expect(best("عالبندورة")).toMatchObject({ lemma_msa: "طماطم", score: 0.9 });
  expect(best("للبندورات")).toMatchObject({ lemma_msa: "طماطم", score: 0.8 });
  expect(best("بنرفعوا")).toMatchObject({ lemma_msa: "رفع", pos: "VERB", score: 0.8 });
  // An article stands before no verb.
  expect(best("اليقولوا", 0.8)).toBeUndefined();
  expect(best("وبندورتنا", 0.95)).toBeUndefined();
  expect(best("،")).toBeUndefined();
  expect(best("ب")?.score ?? 0).toBeLessThanOrEqual(1);
});
