import { expect, test } from "bun:test";
import { judgePage } from "./judge.ts";

const page = {
  title: "Pier opens",
  content: "The pier\n\nopens today. The pier closes at night.",
  authors: ["Layla Haddad", "Omar Said"],
  image: "https://a.example/pier.jpg",
  publishedLocal: "2026-10-24T01:00:00+03:00",
};
const missesOf = (...args: Parameters<typeof judgePage>) => judgePage(...args).map(({ key }) => key);

test("a reading that has all that is expected misses nothing", () => {
  const expected = {
    date: "2026-10-24",
    date_not: "2019",
    authors: ["Omar Said", "Layla Haddad"],
    authors_has: "Omar Said",
    content_has: ["pier opens  today"],
    content_not: ["Share"],
    content_once: ["opens today"],
    title_not: ["Exclusive"],
    image: true,
  };
  expect(judgePage(page, expected)).toEqual([]);
  expect(judgePage({ ...page, publishedLocal: null }, { date_not: "2019" })).toEqual([]);
});

test.each([
  ["date", { date: "2026-10-23" }],
  ["date_not", { date_not: "2026-10" }],
  ["authors", { authors: ["Omar Said"] }],
  ["authors_has", { authors_has: "Omar" }],
  ["content_has", { content_has: ["opens today", "tomorrow"] }],
  ["content_not", { content_not: ["closes at night"] }],
  ["content_once", { content_once: ["The pier"] }],
  ["title_not", { title_not: ["Pier opens"] }],
] as const)("what is wrong is named by its key: %s", (key, expected) => {
  expect(missesOf(page, JSON.parse(JSON.stringify(expected)))).toEqual([key]);
});

test("no date, no image and a placeholder are not what was expected", () => {
  expect(missesOf({ ...page, publishedLocal: null }, { date: "2026" })).toEqual(["date"]);
  for (const image of [null, "data:image/gif;base64,R0", "https://a.example/placeholder.png"]) {
    expect(missesOf({ ...page, image }, { image: true })).toEqual(["image"]);
  }
});
