import { expect, test } from "bun:test";
import { Page, tokensOf, withinTokens } from "./page.ts";

test("a text is cut where its tokens are spent, never within a character", () => {
  for (const text of ["The harbour gets a new pier.", "يفتتح المجلس رصيفاً جديداً", "😀😀😀😀", "2026-01-05T08:00"]) {
    const half = withinTokens(text, tokensOf(text) / 2);
    expect(text.startsWith(half)).toBe(true);
    expect(half.isWellFormed()).toBe(true);
    expect(tokensOf(half)).toBeLessThanOrEqual(tokensOf(text) / 2);
    expect(withinTokens(text, tokensOf(text) + 0.01)).toBe(text);
  }
  expect(withinTokens("a", 0)).toBe("");
  expect(withinTokens("a", -5)).toBe("");
});

test("vowelled Arabic and numbers count for more than the same length of plain words", () => {
  const perCharacter = (text: string) => tokensOf(text) / [...text].length;
  expect(perCharacter("مُسْتَشْفَى")).toBeGreaterThan(perCharacter("مستشفى"));
  expect(perCharacter("مستشفى")).toBeGreaterThan(perCharacter("hospital"));
  expect(perCharacter("20260105")).toBeGreaterThan(perCharacter("hospital"));
});

test("a page of any text stays within 1,500 tokens with all that it says of its marks, and says that it was cut", () => {
  for (const text of ["word ".repeat(9_000), "مُدَرِّسَة ".repeat(3_000), "1 2 3 ".repeat(5_000)]) {
    const page = new Page();
    for (let i = 0; i < 9; i++) page.say(`article ${i} · source · https://news.example/${i}`);
    page.quote(text);
    page.say("more");
    expect(tokensOf(page.toString())).toBeWithin(1_350, 1_501);
    expect(page.toString()).toContain("[cut here");
  }
});

test.each([
  ["ascii", "aZ", 0.54],
  ["letter", "قé", 0.82],
  ["mark", "\u064e", 1.1],
  ["digit", "09", 1.3],
  ["space", " \n", 0.24],
  ["other", "٣😀.", 2.25],
])("a character of the kind %s costs its share", (_, text, tokens) => {
  expect(tokensOf(text)).toBeCloseTo(tokens, 10);
});

test("a blank text is shown as none, and is no cut", () => {
  const page = new Page();
  expect(page.quote("  \n")).toBe(true);
  expect(page.toString()).not.toContain("[cut here");
});

test("a full page takes no line more", () => {
  const page = new Page();
  page.quote("word ".repeat(9_000));
  expect([page.say("more ".repeat(40)), page.quote("more"), page.fitting("more")]).toEqual([false, false, ""]);
});

test("what is said alone comes without a word about marks", () => {
  const page = new Page();
  page.say("no stories");
  expect(page.toString()).toBe("no stories\n");
});

const inMarks = (page: Page) => /<(data-[0-9a-f]{8})>([^<]*)<\/\1>/.exec(page.toString())?.[2];

test.each([
  ["as it is", "whole", 5, "whole"],
  ["up to its characters", "whole text", 5, "whole…"],
  ["without the blanks around it", "  whole \n", 5, "whole"],
  ["with its last character, of two units", "ab😀", 4, "ab😀"],
  ["without half of a character, of two units", "ab😀", 3, "ab…"],
  ["without a piece of a family", "ab👨‍👩‍👧 c", 7, "ab…"],
  ["without a letter whose mark is left off", "abe\u0301f", 3, "ab…"],
  ["without a letter whose vowels are left off", "كَتَبَّ", 5, "كَتَ…"],
  ["through a pile of marks that never ends", `a${"\u0301".repeat(500)}`, 9, `a${"\u0301".repeat(8)}…`],
])("a text is quoted %s", (_, text, chars, shown) => {
  const page = new Page();
  expect(page.quote(text, { chars })).toBe(true);
  expect(inMarks(page)).toBe(shown);
});

test.each([
  ["short enough", 12, "short enough"],
  ["too long by one", 14, "too long by o…"],
  [" of   many\n\nblanks ", 14, "of many blanks"],
  ["flag 🇵🇸🇯🇴", 8, "flag …"],
])("%j stands within a line of %d characters", (text, chars, shown) => {
  const page = new Page();
  const inline = page.inline(text, chars);
  expect(inline).toMatch(/^<(data-[0-9a-f]{8})>.*<\/\1>$/);
  expect(inline.slice(inline.indexOf(">") + 1, inline.lastIndexOf("<"))).toBe(shown);
  expect(page.toString()).toContain("was written by others");
});

test("what a full page cuts is cut between what readers see as characters", () => {
  const page = new Page();
  page.quote("👨‍👩‍👧".repeat(2_000));
  expect(inMarks(page)).toMatch(/^(?:👨‍👩‍👧)+…$/);
});

test("what fits is what is quoted whole, and leaves room for what stands beside it", () => {
  const text = "word ".repeat(9_000);
  const page = new Page();
  const fitting = page.fitting(text);
  expect(tokensOf(fitting) - tokensOf(page.fitting(text, 100))).toBeWithin(99.5, 100.5);
  expect(page.quote(fitting)).toBe(true);
  expect(page.toString()).not.toContain("…");
});

test("a page that is asked for whole holds ten times as much", () => {
  const fit = (full: boolean) => tokensOf(new Page({ full }).fitting("word ".repeat(90_000)));
  expect(fit(true) - fit(false)).toBeWithin(13_490, 13_511);
});

test("two pages have marks of their own", () => {
  expect(new Page().inline("a")).not.toBe(new Page().inline("a"));
});
