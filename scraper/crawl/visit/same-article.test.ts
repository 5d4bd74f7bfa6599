import { expect, test } from "bun:test";
import { isPageOf } from "./same-article.ts";

const first = "https://www.a.example/news/bridge-1";

test.each([
  [first, "https://www.a.example/news/bridge-1/2", 2, true],
  [first, "https://www.a.example/news/bridge-1/2/", 2, true],
  [first, "https://a.example/news/bridge-1/page/2", 2, true],
  [first, "https://www.a.example/news/bridge-1?page=2", 2, true],
  ["https://a.example/bridge.html", "https://a.example/bridge-2.html", 2, true],
  ["https://a.example/bridge.html", "https://a.example/bridge_3.html", 3, true],
  ["https://a.example/?p=12", "https://a.example/?p=12&page=2", 2, true],
  [first, "https://www.a.example/news/bridge-1?page=3", 2, false],
  [first, "https://www.a.example/news/bridge-1?sort=2", 2, false],
  [first, "https://www.a.example/news/bridge-2", 2, false],
  [first, "https://www.a.example/news/flood", 2, false],
  ["https://a.example/?p=1", "https://a.example/?p=2", 2, false],
  ["https://a.example/news/bridge", "https://a.example/news/bridge-2", 2, false],
  ["https://a.example/2024/05/1", "https://a.example/2024/05/2", 2, false],
  [first, "https://b.example/news/bridge-1/2", 2, false],
  [first, "no address", 2, false],
])("%s goes on at %s as page %i: %p", (from, address, number, expected) => {
  expect(isPageOf(from, address, number)).toBe(expected);
});
