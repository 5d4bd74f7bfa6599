import { describe, expect, test } from "bun:test";
import { isAttributed, isDateline } from "./attribution.ts";
import { mentionAt, wordsOf } from "./outlets.ts";

/** Returns whether the text says that it is from the first outlet that it names. */
const attributed = (text: string): boolean => {
  const words = wordsOf(text);
  for (const at of words.keys()) {
    const mention = mentionAt(text, words, at);
    if (mention !== undefined) return isAttributed(text, words, mention, 0);
  }
  throw new Error("no name is listed");
};

describe("a mark", () => {
  test.each([
    "LONDON (Reuters) - The bank said so.",
    "لندن - رويترز: قال البنك ذلك.",
    "The bank said so. (Reuters)",
    "The bank said so.\nReuters, agencies",
    "قال البنك ذلك.\nالمصدر: رويترز + وكالات",
    "Source: Reuters\nThe bank said so.",
  ])("says where a text is from: %p", (text) => {
    expect(attributed(text)).toBe(true);
  });

  test.each([
    "The bank (such as Reuters) was there, and many came.",
    "A man stands at the bank. (Jane Doe/Reuters)",
    "Image: Reuters\nThe bank was there.",
    "صورة رويترز في المكان",
    "The bank is opposite the Reuters building, in a street that leads to the river.",
  ])("is not what a picture, an example or a place has: %p", (text) => {
    expect(attributed(text)).toBe(false);
  });
});

describe("isDateline", () => {
  const ends = (text: string, name: string) => {
    const start = text.indexOf(name);
    return isDateline(text, { start, end: start + name.length });
  };

  test("stands in brackets between a place and a dash", () => {
    expect(ends("Kobani, Syria (Name) - It began.", "Name")).toBe(true);
    expect(ends("القاهرة (الاسم) – بدأ.", "الاسم")).toBe(true);
    expect(ends("Washington, D.C. (Name) — It began.", "Name")).toBe(true);
  });

  test("is early, and has a place before it and a dash behind it", () => {
    expect(ends(`${"word ".repeat(18)}(Name) - It began.`, "Name")).toBe(false);
    expect(ends("(Name) - It began.", "Name")).toBe(false);
    expect(ends("Kobani (Name) It began.", "Name")).toBe(false);
    expect(ends("Kobani (The Name) - It began.", "Name")).toBe(false);
  });
});

describe("a mark in brackets", () => {
  const inBrackets = (opening: string, closing: string) =>
    `The bank said so on Monday in the city. ${opening}Reuters${closing}`;

  test.each([
    ["a bracket of either kind", inBrackets("[", "]")],
    ["a bracket that closes otherwise", inBrackets("(", "]")],
    ["several names with a stroke", inBrackets("(AFP/", ")")],
  ])("is one with %s", (_, text) => {
    expect(attributed(text)).toBe(true);
  });

  test.each([
    [
      "a bracket that never closes",
      `${inBrackets("(", "")} building is beside the river, where everybody walks on Sundays`,
    ],
    [
      "another one that opens first",
      `The bank (Reuters (London) has many people) is beside the river, where everybody walks.`,
    ],
    [
      "a person beside it",
      "The bank stands there and many walk by. (John Smith/Reuters) More of it is on another page of ours.",
    ],
    ["what it is like", "Agencies (like Reuters) write much, and many people read what they have to say on Sundays."],
  ])("is none with %s", (_, text) => {
    expect(attributed(text)).toBe(false);
  });
});
