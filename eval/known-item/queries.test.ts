import { expect, test } from "bun:test";
import { misspelt, QUERIES } from "./queries.ts";

const article = {
  title: "الصفاقسي يبحث عن اربعة نقاط لضمان التأهل",
  text: "يخوض النادي الصفاقسي مساء اليوم مباراة حاسمة في كأس الاتحاد.",
};

test("an article is asked for by its headline, the first words of it, and those of its text", () => {
  expect(QUERIES.title(article)).toBe(article.title);
  expect(QUERIES["five words"](article)).toBe("الصفاقسي يبحث عن اربعة نقاط");
  expect(QUERIES.lead(article)).toBe("يخوض النادي الصفاقسي مساء اليوم");
});

test("a headline shorter than five words is asked for whole", () => {
  expect(QUERIES["five words"]({ ...article, title: "قراءات" })).toBe("قراءات");
});

test("one word is misspelt, the longest, and the same way every time", () => {
  const before = QUERIES["five words"](article).split(" ");
  const after = QUERIES.misspelt(article).split(" ");
  expect(after).toHaveLength(before.length);
  const changed = before.flatMap((word, i) => (word === after[i] ? [] : [word]));
  expect(changed).toEqual(["الصفاقسي"]);
  expect(QUERIES.misspelt(article)).toBe(QUERIES.misspelt(article));
});

test.each([
  ["the storm hit Galveston", "the storm hit Galvyston"],
  ["a storm hit Galveston", "a storm hit Galvston"],
  ["two storms hit Galveston", "two storms hit Galevston"],
  ["no storm hit Galveston", "no storm hit Galveeston"],
])("%s becomes %s", (text, wrong) => {
  expect(misspelt(text)).toBe(wrong);
});

test("words of fewer than four letters stay as they are", () => {
  expect(misspelt("oil up 3%")).toBe("oil up 3%");
});
