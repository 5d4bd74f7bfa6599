import { expect, test } from "bun:test";
import { holdsEveryWord } from "./every-word.ts";

test.each([
  ["Minister opens the harbour", "harbour minister"],
  ["Minister opens the harbour", "the ministers"],
  ["وزير النقل يفتتح الميناء", "الوزير يفتتح"],
  ["وزير النقل يفتتح الميناء", "ميناء"],
])("%s holds every word of %s", (title, query) => {
  expect(holdsEveryWord(title, query)).toBe(true);
});

test.each([
  ["Minister opens the harbour", "harbour minister resigns"],
  ["وزير النقل يفتتح الميناء", "وزير المالية"],
  ["", "harbour"],
  ["Minister opens the harbour", ""],
  ["Minister opens the harbour", "؟!"],
])("%s does not hold every word of %s", (title, query) => {
  expect(holdsEveryWord(title, query)).toBe(false);
});
