import { describe, expect, test } from "bun:test";
import { codePointLength, MAX_CHUNK_UNITS, queryTerms } from "@isnad/lib/text";
import { passageOf } from "./passage.ts";

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
