import { describe, expect, test } from "bun:test";
import { mentionAt, wordsOf } from "./outlets.ts";
import { longerInQuotes, unlistedAt } from "./unlisted.ts";

/** Outlets that are on no list, by where in a text their names stand. */
const unlisted = (text: string) => {
  const words = wordsOf(text);
  return words.flatMap((_, at) => {
    const mention = unlistedAt(text, words, at);
    return mention === undefined ? [] : [{ ...mention, written: text.slice(mention.start, mention.end) }];
  });
};
const written = (text: string): string =>
  unlisted(text)
    .map((mention) => mention.written)
    .join(", ");

describe("a name that is on no list", () => {
  test.each([
    ["in quotes behind its kind", 'قالت صحيفة "نجمة الشمال" إن', "نجمة الشمال"],
    ["in brackets behind its kind", "قالت قناة (نجمة الشمال) إن", "نجمة الشمال"],
    ["behind an adjective of its kind", 'قالت صحيفة الشمالية "نجمة الصبح" إن', "نجمة الصبح"],
    ["between its kind and its country", "قالت صحيفة نجمة الإسرائيلية إن", "نجمة"],
    ["in Latin letters behind its kind", "نقل موقع Kwyjibo عنه", "Kwyjibo"],
    ["in a line of its own", "نص الخبر\nنقلا عن نجمة الشمال\n", "نجمة الشمال"],
  ])("is found %s", (_, text, name) => {
    expect(written(text)).toBe(name);
  });

  test.each([
    ["a sentence that is quoted", 'قالت الصحيفة "هذا لن يحدث" في مقال'],
    ["five words in quotes", 'قالت صحيفة "نجمة الشمال في كل صباح" إن'],
    ["what a network of another kind has in brackets", "كانت شبكة (نجمة الشمال) بطيئة"],
    ["an agency that brings no news", 'قالت وكالة "ناسا" إن'],
    ["the country of a network", "قالت شبكة الاتصالات المصرية إن"],
    ["a word that is not rare behind its kind", "قرأ صحيفة قديمة في بيته"],
    [
      "an undecided number of papers",
      "Some newspaper reports said so. Several newspapers denied it. Both newspaper groups",
    ],
    ["the words behind a source that is named within a sentence", "وذكر ذلك نقلا عن نجمة الشمال في بيان"],
  ])("is not %s", (_, text) => {
    expect(written(text)).toBe("");
  });

  test("is weak in quotes, and not where it is signed", () => {
    expect(unlisted('قالت صحيفة "نجمة الشمال" إن')).toMatchObject([{ isWeak: true, isListed: false }]);
    expect(unlisted("نص\nنقلا عن نجمة الشمال\n")).toMatchObject([{ isWeak: false, isListed: false }]);
  });

  test("has no stretched letters, and its ending in small ones", () => {
    expect(unlisted('قالت صحيفة "نجـــمة الشمال" إن')[0]?.name).toBe("نجمة الشمال");
  });
});

describe("a listed name that goes on in quotes", () => {
  const longer = (text: string): string | undefined => {
    const words = wordsOf(text);
    for (const at of words.keys()) {
      const listed = mentionAt(text, words, at);
      if (listed !== undefined) return longerInQuotes(text, words, listed)?.name;
    }
    throw new Error("no name is listed");
  };

  test("is all that the quotes hold, unless that says nothing new", () => {
    expect(longer('قالت صحيفة "الأهرام الصغير" إن')).toBe("الأهرام الصغير");
    expect(longer('قالت صحيفة "الأهرام المصرية" إن')).toBe("Al-Ahram");
    expect(longer('قالت صحيفة "الأهرام نت" إن')).toBe("Al-Ahram");
  });

  test("is none without quotes, or where the quotes end with it", () => {
    expect(longer("قالت صحيفة الأهرام الصغير إن")).toBeUndefined();
    expect(longer('قالت صحيفة "الأهرام" إن')).toBeUndefined();
  });
});
