import { expect, test } from "bun:test";
import { isAsked, PAGE_SIZE, readSearch, searchAddress } from "./search-query.ts";

const read = (query: string) => readSearch(new URLSearchParams(query));

test("a search is what its address says; blanks and what is no parameter of a search are left out", () => {
  expect(read("q=%20ميناء%20&lang=ar&source=&page=3&offset=40")).toEqual({
    ...{ q: "ميناء", values: { q: "ميناء", lang: "ar" }, offset: 40 },
  });
  expect(read("")).toEqual({ q: "", values: {}, offset: 0 });
});

test.each([
  ["20", 20],
  ["980", 980],
  ["981", 0],
  ["1000000", 0],
  ["-20", 0],
  ["0.5", 0],
  ["ten", 0],
  ["", 0],
  ["1e2", 100],
  ["Infinity", 0],
])("offset %p is read as %p", (written, offset) => {
  expect(read(`q=a&offset=${written}`).offset).toBe(offset);
  expect(offset + PAGE_SIZE).toBeLessThanOrEqual(1_000);
});

test("another filter begins anew at the first page, and an empty one is taken away", () => {
  const search = read("q=a&lang=ar&source=s&offset=40");
  expect(searchAddress(search)).toBe("/search?q=a&lang=ar&source=s");
  expect(searchAddress(search, { lang: "", source: "t" })).toBe("/search?q=a&source=t");
  expect(searchAddress(search, { offset: 60 }, "/more")).toBe("/more?q=a&lang=ar&source=s&offset=60");
});

test("words or a filter ask for something; how hits are sorted does not", () => {
  for (const query of ["q=a", "lang=ar", "from=2024-01-01", "entity=7", "story=x"])
    expect([query, isAsked(read(query))]).toEqual([query, true]);
  for (const query of ["", "q=%20", "sort=date", "mode=vector&group=story", "offset=20"])
    expect([query, isAsked(read(query))]).toEqual([query, false]);
});
