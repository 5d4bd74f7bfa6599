import { describe, expect, test } from "bun:test";
import { bagOf, hasWord, surest, topicsOf, wordsIn } from "./reading.ts";

const topics = (question: string) =>
  topicsOf(wordsIn(question)).map(({ words, isName, isKind }) => {
    return [words.map(({ text }) => text).join(" "), isName ? "name" : isKind ? "kind" : "word"];
  });

describe("what a question is about", () => {
  test("is its telling words, without those that only ask", () => {
    expect(topics("What is the name of the ferry?")).toEqual([["ferry", "word"]]);
    expect(topics("كم عدد ركاب العبارة؟")).toEqual([
      ["ركاب", "word"],
      ["العبارة", "word"],
    ]);
  });

  test("is no verb that only says that something is so, or came to be", () => {
    expect(topics("كم أصبح سعر الفائدة؟")).toEqual(topics("كم سعر الفائدة؟"));
    expect(topics("إلى كم وصل سعر الفائدة وباتت؟")).toEqual(topics("كم سعر الفائدة؟"));
    expect(topics("What happened when the ferry became old?")).toEqual(topics("When ferry?"));
  });

  test("takes the words of a name as one, and knows what says the kind of answer", () => {
    expect(topics("What share did Salma Haddad sell to Omar Nasr?")).toEqual([
      ["share", "kind"],
      ["Salma Haddad", "name"],
      ["sell", "word"],
      ["Omar Nasr", "name"],
    ]);
  });

  test("is all there is where nothing tells more, each once", () => {
    expect(topics("name")).toEqual([["name", "word"]]);
    expect(topics("Ferry, ferry and ferries")).toHaveLength(1);
  });
});

describe("a word is in a text", () => {
  const has = (word: string, text: string) => {
    const [first] = wordsIn(word);
    return first === undefined ? 0 : hasWord(first, bagOf(wordsIn(text)));
  };

  test("by its stem", () => {
    expect(has("bridges", "The bridge opened.")).toBe(1);
    expect(has("الجسور", "افتتح الجسر")).toBe(1);
    expect(has("ferry", "The bridge opened.")).toBe(0);
  });

  test("by a translation", () => {
    expect(has("السفينة", "The ship sank.")).toBeGreaterThan(0.7);
    expect(has("volcano", "ثار البركان أمس")).toBeGreaterThan(0.7);
    expect(has("السفينة", "The bridge opened.")).toBe(0);
    expect(has("سن", "She is old.")).toBe(0);
  });

  test("by its sound in the other script", () => {
    expect(has("لوكاكو", "Romelu Lukaku scored.")).toBeGreaterThan(0.7);
    expect(has("Lukaku", "سجل روميلو لوكاكو هدفا")).toBeGreaterThan(0.7);
    expect(has("لوكاكو", "The bridge opened.")).toBe(0);
    expect(has("لوكاكو", "لوكاس سجل هدفا")).toBe(0);
  });
});

test("the last word of a name is enough, another is not quite", () => {
  const [topic] = topicsOf(wordsIn("Did Salma Haddad come?"));
  if (topic === undefined) throw new Error("no topic");
  expect(surest(topic, ({ text }) => (text === "Haddad" ? 1 : 0))).toBe(1);
  expect(surest(topic, ({ text }) => (text === "Salma" ? 1 : 0))).toBeCloseTo(0.6);
  expect(surest(topic, () => 0.5)).toBe(0.5);
});
