import { describe, expect, test } from "bun:test";
import { at } from "../../std/mod.ts";
import {
  documentsEntitled,
  documentsTitled,
  matched,
  type QueryWord,
  shareWithin,
  withExactness,
} from "./exact-match.ts";
import { wordsOf } from "./query.ts";
import { type TextDocument, TextIndex } from "./testing/memory.ts";
import { randomNumbers } from "./testing/random.ts";

/** The words of a query, each worth 1 where some document has its stem. */
function wordsIn({ words }: TextIndex, text: string): QueryWord[] {
  return wordsOf(text).map((word) => {
    const stem = words.term(word.stems[0] ?? "");
    return { form: words.form(word), stem, weight: stem === 0 ? 0 : 1 };
  });
}

const BOTH = { title: true, content: true };

/** Returns what a document gains for standing there as a query has it; it is the last one of its index. */
function gain(
  text: string,
  document: Omit<TextDocument, "id">,
  searched = BOTH,
  change = (words: QueryWord[]) => words,
) {
  const index = new TextIndex([
    { id: 1, title: text, content: text },
    { id: 2, ...document },
  ]);
  const [segment] = index.projection.segments;
  if (segment === undefined) throw new Error("the index has no segment");
  const words = change(wordsIn(index, text));
  return withExactness(words, index.projection, searched, (gainOf) => gainOf(segment, 1));
}

describe("what a document gains for words as written", () => {
  // A word is worth .4 in the title and .2 in the content, a pair .4 times both words, half in another form; a title
  // that begins with three words or more .4 times all; all that times the square of the share that is there.
  test.each<[string, string, Omit<TextDocument, "id">, number]>([
    ["a word in the title", "bells", { title: "bells" }, 0.4],
    ["a word in the content", "bells", { content: "bells" }, 0.2],
    ["a word in both, however often", "bells", { title: "bells bells", content: "bells and bells" }, 0.6],
    ["no word", "bells", { content: "fish" }, 0],
    ["a word in another form", "bells", { content: "bell" }, 0],
    ["half of the words", "bells toll", { content: "bells" }, 0.2 * 0.25],
    ["words apart", "bells toll", { content: "bells that toll" }, 0.4],
    ["words in another order", "bells toll", { content: "toll bells" }, 0.4],
    ["words one after another", "bells toll", { content: "bells toll" }, 0.4 + 0.8],
    ["a pair twice", "bells toll", { content: "bells toll bells toll" }, 0.4 + 0.8],
    ["a pair in the title and in the content", "bells toll", { title: "bells toll", content: "bells toll" }, 2.8],
    ["a pair over the end of the title", "bells toll", { title: "bells", content: "toll" }, 0.6],
    ["a pair whose second word has another form", "bells toll", { content: "bells tolled" }, (0.2 + 0.4) * 0.25],
    ["a pair whose first word has another form", "bells toll", { content: "bell toll" }, (0.2 + 0.4) * 0.25],
    [
      "three words in a row, of which the title begins",
      "old bells toll",
      { title: "old bells toll now" },
      1.2 + 1.6 + 1.2,
    ],
    ["three words in a row, later in the title", "old bells toll", { title: "now old bells toll" }, 1.2 + 1.6],
    ["two words of which the title begins", "bells toll", { title: "bells toll now" }, 0.8 + 0.8],
    ["a title that ends too soon", "old bells toll", { title: "old bells" }, (0.8 + 0.8) * (2 / 3) ** 2],
    ["a word that a query repeats", "bells bells", { title: "bells bells" }, (0.8 + 0.8) * 1],
  ])("%s", (_, text, document, expected) => {
    expect(gain(text, document)).toBeCloseTo(expected, 10);
  });

  test("counts in the fields that are searched alone", () => {
    const document = { title: "old bells toll", content: "bells" };
    expect(gain("bells", document, { title: true, content: false })).toBeCloseTo(0.4, 10);
    expect(gain("bells", document, { title: false, content: true })).toBeCloseTo(0.2, 10);
    expect(gain("bells", document, { title: false, content: false })).toBe(0);
    expect(gain("old bells toll", document, { title: false, content: true })).toBeCloseTo(0.2 / 9, 10);
  });

  test("is by how rare the words are", () => {
    const weigh = (words: QueryWord[]) => words.map((word, i) => ({ ...word, weight: 1 + 2 * i }));
    expect(gain("bells toll", { content: "toll" }, BOTH, weigh)).toBeCloseTo(0.2 * 3 * (3 / 4) ** 2, 10);
    expect(gain("bells toll", { content: "bells toll" }, BOTH, weigh)).toBeCloseTo(0.2 * 4 + 0.4 * 4, 10);
  });

  test("is nothing for a query of more than twelve words", () => {
    const words = Array.from({ length: 13 }, (_, i) => `word${"abcdefghijklm"[i]}`);
    expect(gain(words.slice(0, 12).join(" "), { title: words.join(" ") })).toBeGreaterThan(0);
    expect(gain(words.join(" "), { title: words.join(" ") })).toBe(0);
  });

  test("leaves nothing behind for the next query, even one whose measure failed", () => {
    const index = new TextIndex([
      { id: 1, title: "old bells toll" },
      { id: 2, title: "fish" },
    ]);
    const [segment] = index.projection.segments;
    const measured = (text: string) =>
      withExactness(wordsIn(index, text), index.projection, BOTH, (gainOf) => segment && gainOf(segment, 0));
    expect(() =>
      withExactness(wordsIn(index, "old bells toll"), index.projection, BOTH, () => {
        throw new RangeError("stopped");
      }),
    ).toThrow("stopped");
    expect(measured("fish")).toBe(0);
    expect(measured("old bells toll")).toBeCloseTo(1.2 + 1.6 + 1.2, 10);
    expect(measured("fish")).toBe(0);
  });

  test("of a word that may be one of several forms is as of each; a title that has all in order gains more", () => {
    const index = new TextIndex([
      { id: 1, title: "old tolls again bells" },
      { id: 2, title: "bells and old tolls" },
      { id: 3, title: "old toll bells" },
    ]);
    const [segment] = index.projection.segments;
    const [old, begun] = wordsIn(index, "old toll");
    const forms = ["tolls", "bells"].map((form) => index.words.form({ form }));
    if (old === undefined || begun === undefined || segment === undefined) throw new Error("no words");
    const query = [old, { ...begun, form: 0, forms }];
    const gains = withExactness(query, index.projection, BOTH, (gainOf) =>
      [0, 1, 2].map((doc) => gainOf(segment, doc)),
    );
    // In order and a pair; in order and a pair at the end; in order apart, with a word of the stem between.
    expect(gains[0]).toBeCloseTo(0.8 + 0.8 + 1.6, 10);
    expect(gains[1]).toBeCloseTo(0.8 + 0.8 + 1.6, 10);
    expect(gains[2]).toBeCloseTo(0.8 + 0.4 + 1.6, 10);
  });
});

describe("titles", () => {
  const index = new TextIndex([
    { id: 1, title: "Harbour reopens", content: "boats" },
    { id: 2, title: "Harbour reopens today", content: "boats" },
    { id: 3, title: "Reopens harbour" },
    { id: 4, title: "Harbour", content: "reopens" },
    { id: 5, title: "HARBOUR, reopens!", content: "harbours" },
    { id: 6, title: "" },
  ]);
  const { words, projection } = index;
  const stem = (text: string) => words.term(wordsOf(text)[0]?.stems[0] ?? "");

  test("are found that are these words and nothing else", () => {
    const entitled = (text: string) => {
      const forms = wordsOf(text).map((word) => words.form(word));
      return index.idsOf((segment) => documentsEntitled(forms, segment, projection.scratch));
    };
    expect(entitled("harbour REOPENS")).toEqual([1, 5]);
    expect(entitled("reopens harbour")).toEqual([3]);
    for (const none of ["harbours reopens", "reopens", "harbour zzzz", ""]) expect(entitled(none)).toEqual([]);
  });

  test("with all of some stems are found that have one of others too", () => {
    const titled = (stems: string[], others: string[]) =>
      index.idsOf((segment) => documentsTitled(segment, stems.map(stem), others.map(stem)));
    expect(titled(["harbour"], ["reopen"])).toEqual([1, 2, 3, 5]);
    expect(titled(["harbour"], ["today", "zzzz"])).toEqual([2]);
    expect(titled(["harbour", "reopen"], ["harbour"])).toEqual([1, 2, 3, 5]);
    expect(titled(["harbour", "today"], ["reopen", "today"])).toEqual([2]);
    // What stands in the content is no part of a title.
    expect(titled(["harbour"], ["boats"])).toEqual([]);
    for (const none of [titled([], ["harbour"]), titled(["harbour"], []), titled(["zzzz"], ["harbour"])]) {
      expect(none).toEqual([]);
    }
    index.remove(1);
    expect(titled(["harbour"], ["reopen"])).toEqual([2, 3, 5]);
  });

  test.each([
    [400, 1],
    [401, 0],
  ])("%d of them with a stem tell %d documents apart", (count, told) => {
    const { projection, words } = new TextIndex(
      Array.from({ length: count }, (_, i) => ({ id: i + 1, title: i === 7 ? "bells toll" : "bells" })),
    );
    const [bells, toll] = [words.term("bell"), words.term("toll")];
    expect(projection.segments.flatMap((segment) => documentsTitled(segment, [bells], [toll]))).toHaveLength(told);
  });
});

describe("how much of a query a document holds", () => {
  const index = new TextIndex([
    {
      ...{ id: 1, title: "Four lighthouses rescued" },
      content: "Rescued by boats: the lighthouses, of old stone and more stone, were four",
    },
  ]);
  const holds = (text: string, change = (words: QueryWord[]) => words) => {
    const [segment] = index.projection.segments;
    return segment && matched(change(wordsIn(index, text)), index.projection, segment, 0);
  };

  test.each([
    // Three words lie between them in the content, and only two may.
    ["lighthouse rescue", { title: 1, passage: 0.5, opening: 0, known: 1 }],
    ["boats lighthouses", { title: 0.5, passage: 1, opening: 0, known: 1 }],
    ["lighthouses four", { title: 1, passage: 0.5, opening: 0, known: 1 }],
    ["four lighthouses rescued", { title: 1, passage: 2 / 3, opening: 1, known: 1 }],
    ["rescued by boats zzzz", { title: 1 / 3, passage: 1, opening: 0.75, known: 0.75 }],
    ["rescued by", { title: 0.5, passage: 1, opening: 0, known: 1 }],
    ["zzzz", { title: 0, passage: 0, opening: 0, known: 0 }],
    ["", { title: 0, passage: 0, opening: 0, known: 0 }],
  ])("%s", (text, expected) => {
    const held = holds(text);
    for (const name of ["title", "passage", "opening", "known"] as const) {
      expect([name, held?.[name]]).toEqual([name, expect.closeTo(expected[name], 10)]);
    }
  });

  test("counts what a word was misspelt for as the word", () => {
    const meant = (words: QueryWord[]) => words.map((word) => ({ ...word, stems: [index.words.term("lighthous")] }));
    expect(holds("stone", meant)?.title).toBe(1);
    expect(holds("stone")?.title).toBe(0);
  });
});

test("the best share of weights within a width is that of a plain look at every window", () => {
  const random = randomNumbers(29);
  for (let round = 0; round < 200; round++) {
    const stems = Array.from({ length: 1 + random(25) }, () => random(7));
    const weights = new Map(Array.from({ length: random(6) }, (_, i) => [i + 1, 1 + random(9)]));
    const from = random(stems.length);
    const to = from + random(stems.length - from + 1);
    const width = 1 + random(8);
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const shares = Array.from({ length: to - from }, (_, i) => {
      const window = new Set(stems.slice(Math.max(from, from + i - width + 1), from + i + 1));
      return [...window].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0) / total;
    });
    const best = total === 0 ? 0 : Math.max(0, ...shares);
    expect(shareWithin(weights, (place) => at(stems, place), { from, to, width })).toBeCloseTo(best, 10);
  }
});
