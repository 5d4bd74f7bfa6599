import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { headingText } from "./heading-text.ts";

const read = (html: string, ...stated: string[]) => {
  const heading = parsePage(`<h1>${html}</h1>`).querySelector("h1");
  return heading === null ? "" : headingText(heading, stated);
};

test.each([
  ['<span class="kicker">Exclusive</span><span>Pier to open to ferries</span>', "Pier to open to ferries"],
  ["Pier to open to ferries<small>Fishermen protest</small>", "Pier to open to ferries"],
  ["<a>News</a><span><span>Pier to open</span> to ferries</span>", "Pier to open to ferries"],
  ["<strong>EXCLUSIVE</strong>Pier to open to ferries<time>5 May</time>", "Pier to open to ferries"],
])("of parts that grow together, those are the title that the page calls so: %s", (html, title) => {
  expect(read(html, "Pier to open to ferries - Harbour News")).toBe(title);
});

test.each([
  ['<span class="kicker">Exclusive</span><span>Pier to open</span>', "Exclusive Pier to open"],
  ['<span class="kicker">exclusive</span>pier to open', "exclusive pier to open"],
  ["Pier to open<small>fishermen protest</small>", "Pier to open fishermen protest"],
  ["<span>خاص</span><span>الرصيف يفتح أمام العبارات</span>", "خاص الرصيف يفتح أمام العبارات"],
  ["<strong>Opinion:</strong><a>Why the pier matters</a>", "Opinion: Why the pier matters"],
  ["<span>Pier </span><span>to open</span>", "Pier to open"],
])("without a title of the page they stand apart: %s", (html, title) => {
  expect(read(html)).toBe(title);
});

test.each([
  ["<span>P</span>ier to open", "Pier to open"],
  ["<span>P</span>IER TO OPEN", "PIER TO OPEN"],
  ["Har<b>bour</b> and <em>R</em>AF", "Harbour and RAF"],
  ["<span>Pier</span>, <span>quay</span>: open", "Pier, quay: open"],
  ["“<span>Pier</span>” to open", "“Pier” to open"],
])("a word that is dressed in parts stays whole: %s", (html, title) => {
  expect(read(html)).toBe(title);
});

test("a name with a capital in it stays one where the page calls it so", () => {
  expect(read("<span>You</span>Tube opens a pier", "YouTube opens a pier | Harbour News")).toBe("YouTube opens a pier");
});

test("a title of the page that has but a small part of the heading says nothing of it", () => {
  expect(read("<span>Pier to open to ferries</span><span>Fishermen of the old quay protest</span>", "To open")).toBe(
    "Pier to open to ferries Fishermen of the old quay protest",
  );
});

test("elements within elements by the thousand cost no more than their text", () => {
  expect(read(`${"<span>".repeat(20_000)}Pier`)).toBe("Pier");
});
