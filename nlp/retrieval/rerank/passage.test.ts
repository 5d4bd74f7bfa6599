import { describe, expect, test } from "bun:test";
import { codePointLength, MAX_CHUNK_UNITS, queryTerms } from "@isnad/lib/text";
import { passageOf, passagesOf } from "./rerank.ts";

const terms = queryTerms("harbour");
const article = (content: string) => ({
  articleId: 1,
  docId: "d",
  title: "A title",
  content,
  url: "https://news.example/1",
  sourceId: "s",
  lang: null,
  categoryId: null,
  publishedAt: null,
});
const near = (start: number, end: number) => ({ articleId: 1, score: 0.5, chunkNo: 0, start, end });

describe("passageOf()", () => {
  test("is the nearest chunk, or the one with the most words of the query", () => {
    const content = `${"Rain fell on the plain. ".repeat(60)}The harbour reopened. ${"Wind came. ".repeat(150)}`;
    expect(passageOf(article(content), terms, near(0, 23))).toBe("Rain fell on the plain.");
    expect(passageOf(article(content), terms, undefined)).toContain("The harbour reopened.");
  });

  test("is bounded, also where the index has the whole of a text without a break for one chunk", () => {
    const content = "😀x".repeat(100_000);
    for (const nearest of [undefined, near(0, 200_000), near(150_000, 200_000)]) {
      const passage = passageOf(article(content), terms, nearest);
      expect(codePointLength(passage)).toBeLessThanOrEqual(MAX_CHUNK_UNITS);
      expect(codePointLength(passage)).toBeGreaterThan(1_000);
      expect(passage.isWellFormed()).toBe(true);
    }
  });

  test("is never empty where there is text: of one without words it is the beginning, of an empty one the title", () => {
    const content = "!… ؟ 😀 ".repeat(100);
    for (const nearest of [undefined, near(0, 0)]) {
      expect(passageOf(article(content), terms, nearest)).toStartWith("!… ؟ 😀");
      expect(passageOf(article(""), terms, nearest)).toBe("A title");
    }
  });
});

describe("passagesOf()", () => {
  const filler = (word: string, count: number) => `${word} fell on the plain all day long. `.repeat(count);
  const content = `A lead of the day 🚆. ${filler("Rain", 60)}The harbour reopened. ${filler("Snow", 60)}A harbour closed, another harbour too. ${filler("Hail", 60)}`;
  const characters = [...content];

  test("are the beginning, the nearest in meaning, and those with words of the query, in their order", () => {
    const place = characters.join("").indexOf("Hail") + 200;
    const passages = passagesOf({ content }, terms, near(place, place + 100));
    const [first, ...rest] = passages;
    expect(first?.text).toStartWith("A lead of the day 🚆.");
    expect(rest.some(({ text }) => text.includes("another harbour too"))).toBe(true);
    expect(rest.at(-1)?.text).toContain("Hail");
    expect(passages.map(({ offsets }) => offsets.start)).toEqual(
      passages.map(({ offsets }) => offsets.start).toSorted((a, b) => a - b),
    );
    for (const { text, offsets } of passages) expect(characters.slice(offsets.start, offsets.end).join("")).toBe(text);
  });

  test("are no more than three, and none of an article without text", () => {
    expect(passagesOf({ content: filler("A harbour", 400) }, terms, undefined).length).toBe(3);
    expect(passagesOf({ content: "  " }, terms, undefined)).toEqual([]);
  });
});
