import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { readMeta } from "../page/meta.ts";
import { findLanguage } from "./language.ts";

const arabic =
  "وقالت الوزارة في بيان صدر مساء الاثنين إن الفرق الميدانية واصلت عملها في المدن المتضررة من الفيضانات. ".repeat(3);
const english =
  "The ministry said on Monday that the work in the flooded cities went on, and that more was needed. ".repeat(3);
const french =
  "Le ministère a déclaré lundi que les travaux se poursuivaient dans les villes inondées du nord du pays. ".repeat(3);
const find = (html: string, text: string) => {
  const document = parsePage(html);
  return findLanguage(document, null, readMeta(document), text);
};

test("what the text is written in counts before what the theme declares", () => {
  expect(find('<html lang="en-US"><body></body></html>', arabic)).toBe("ar");
  expect(find('<html lang="ar"><body></body></html>', english)).toBe("en");
});

test("another language is what the page declares", () => {
  expect(find('<html lang="fr-FR"><body></body></html>', french)).toBe("fr");
  expect(find('<html><head><meta property="og:locale" content="fa_IR"></head></html>', "")).toBe("fa");
});

test("a page that says nothing has no language", () => {
  expect(find("<html><body></body></html>", "")).toBeNull();
  expect(find('<html lang="english please"><body></body></html>', "123")).toBeNull();
});
