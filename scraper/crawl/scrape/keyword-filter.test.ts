import { expect, test } from "bun:test";
import { keywordFilter } from "./keyword-filter.ts";

test.each([
  ["مصر", "القمة في مِصْر", true],
  ["الاحمد", "قال الأحمدُ إن الاجتماع", true],
  ["bridge", "Two bridges were closed", true],
  ["bridge closed", "closed: the old BRIDGE", true],
  ["art", "the party", false],
  ["bridge volcano", "Two bridges were closed", false],
  ["the", "nothing of the kind", true],
])("%j in %j: %p", (query, text, passes) => {
  expect(keywordFilter(query)(text, "")).toBe(passes);
  expect(keywordFilter(query)("", text)).toBe(passes);
});

test("words may stand in title and content apart", () => {
  expect(keywordFilter("bridge minister")("The bridge", "said the minister")).toBe(true);
});

test("a query without words lets everything pass", () => {
  expect(keywordFilter(" ?! ")("anything", "")).toBe(true);
});
