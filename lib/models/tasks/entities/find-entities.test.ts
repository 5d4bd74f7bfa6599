import { describe, expect, test } from "bun:test";
import { codePointSlice } from "../../../text/mod.ts";
import { tokenise } from "../../../text/sentences.ts";
import { type DocumentSentence, findEntities, procliticOf, sentenceTokens, spreadNames } from "./find-entities.ts";
import { spansOf } from "./spans.ts";

describe("find entities", () => {
  const rank = new Map(["فرنسا", "السعوديه"].map((word, i) => [word, i]));
  const find = (text: string, start: number, end: number, type = "LOC") =>
    findEntities(text, [{ tokens: tokenise(text), spans: [{ type, start, end, probability: 0.75 }] }], rank);

  test("offsets count code points, beyond emoji too", () => {
    const text = "😀😀 in New York 😀";
    const [entity] = find(text, 3, 5);
    expect(entity).toEqual({ type: "LOC", text: "New York", name: "New York", start: 6, end: 14, confidence: 0.75 });
    expect(codePointSlice(text, 6, 14)).toBe("New York");
  });

  test("a conjunction written onto a name is not part of it, whatever diacritics it has", () => {
    expect(find("قال وَفرنسا", 1, 2)).toMatchObject([{ text: "فرنسا", name: "فرنسا", start: 6, end: 11 }]);
  });

  test("the ل of لل stays in the text and not in the name", () => {
    expect(find("سافر للسعودية", 1, 2)).toMatchObject([{ text: "للسعودية", name: "السعوديه", start: 5, end: 13 }]);
  });

  test("a span without letters is no entity", () => {
    expect(find("a … b", 1, 2)).toEqual([]);
  });

  function sentence(text: string, tags: string, probability = 0.95): DocumentSentence {
    const tokens = text.split(" ");
    const row = tags.split(" ");
    const spans = spansOf(row).map((span) => ({ ...span, probability }));
    return { tokens, words: tokens.map((token) => token.toLowerCase()), tagged: { tags: row, spans } };
  }

  test("a name that is sure in one sentence is known in the others, and a person by the last name", () => {
    const [, second] = spreadNames([
      sentence("Barack Obama visited Oslo", "B-PER I-PER O B-LOC"),
      sentence("In Oslo Obama spoke", "O O O O"),
    ]);
    expect(second?.tags).toEqual(["O", "B-LOC", "B-PER", "O"]);
    expect(second?.spans).toMatchObject([
      { type: "LOC", start: 1, end: 2 },
      { type: "PER", start: 2, end: 3 },
    ]);
  });

  test("the longest name wins, and the type that was found most often", () => {
    const [, , , last] = spreadNames([
      sentence("New York", "B-LOC I-LOC"),
      sentence("New York Times", "B-ORG I-ORG I-ORG"),
      sentence("York York", "B-LOC B-ORG"),
      sentence("The New York Times of York", "O O O O O O"),
    ]);
    expect(last?.tags.slice(0, 5)).toEqual(["O", "B-ORG", "I-ORG", "I-ORG", "O"]);
  });

  test("what a sentence says by itself stays; words in small letters are no names; unsure names do not count", () => {
    const found = spreadNames([
      sentence("Reading is a town", "B-LOC O O O"),
      sentence("I was reading", "O O O"),
      sentence("Reading FC", "B-ORG I-ORG"),
      sentence("Perhaps Bath", "O B-LOC", 0.5),
      sentence("Bath time", "O O"),
    ]);
    expect(found.map(({ tags }) => tags.join(" "))).toEqual(["B-LOC O O O", "O O O", "B-ORG I-ORG", "O B-LOC", "O O"]);
  });

  test("an empty document and sentences without tokens stay as they are", () => {
    expect(spreadNames([])).toEqual([]);
    expect(spreadNames([{ tokens: [], words: [], tagged: { tags: [], spans: [] } }])).toEqual([
      { tags: [], spans: [] },
    ]);
  });
});

describe("tokens", () => {
  const rank = new Map(["فرنسا", "العراق", "السعوديه", "لبنان", "بغداد", "بنان", "وليد"].map((word, i) => [word, i]));

  test("conjunction and preposition are found where the rest is known and more frequent", () => {
    expect(procliticOf("وفرنسا", rank)).toEqual({ letters: 1, rest: "فرنسا" });
    expect(procliticOf("بالعراق", rank)).toEqual({ letters: 1, rest: "العراق" });
    expect(procliticOf("وبفرنسا", rank)).toEqual({ letters: 2, rest: "فرنسا" });
  });

  test("لل gives the article its alef back", () => {
    expect(procliticOf("للسعوديه", rank)).toEqual({ letters: 1, rest: "السعوديه" });
    expect(procliticOf("للبنان", rank)).toEqual({ letters: 1, rest: "لبنان" });
  });

  test("a letter that belongs to the name stays", () => {
    expect(procliticOf("بغداد", rank)).toBeUndefined();
    expect(procliticOf("لبنان", rank)).toBeUndefined();
    expect(procliticOf("وليد", rank)).toBeUndefined();
    expect(procliticOf("London", rank)).toBeUndefined();
  });

  test("a word that is not far more frequent than the name it ends is no name", () => {
    const words = new Map([
      ["يصل", 1_000],
      ["يلي", 3_000],
      ["فيصل", 5_800],
      ["ليلي", 6_500],
      ["محمد", 50],
      ["ومحمد", 600],
    ]);
    expect(procliticOf("فيصل", words)).toBeUndefined();
    expect(procliticOf("ليلي", words)).toBeUndefined();
    expect(procliticOf("ومحمد", words)).toEqual({ letters: 1, rest: "محمد" });
  });

  test("a hashtag is read as the words it is made of, where they stand", () => {
    const text = "قال #عاصي_الحلاني إن #Beirut جميلة";
    const tokens = sentenceTokens(text).flat();
    expect(tokens.map((token) => token.text)).toEqual(["قال", "عاصي", "الحلاني", "إن", "Beirut", "جميلة"]);
    for (const { text: word, start, end } of tokens) expect(text.slice(start, end)).toBe(word);
  });
});
