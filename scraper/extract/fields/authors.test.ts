import { expect, test } from "bun:test";
import { gatherFacts } from "../body/facts.ts";
import { cutBlocks } from "../body/blocks.ts";
import { parsePage } from "../page/dom.ts";
import { readLinkedData } from "../page/jsonld.ts";
import { readMeta } from "../page/meta.ts";
import { findAuthors, namesIn } from "./authors.ts";

const find = (html: string) => {
  const document = parsePage(html);
  const facts = gatherFacts(cutBlocks(document), "Floods in the north");
  const linked = readLinkedData(document);
  return findAuthors({ document, linked, meta: readMeta(document), facts, siteNames: ["News Example"] });
};
const heading = "<h1>Floods in the north</h1>";
const linked = (name: string) =>
  `<script type="application/ld+json">{"@type":"Article","headline":"x","author":{"name":"${name}"}}</script>`;

test.each([
  [["By Layla Haddad and Omar Said"], ["Layla Haddad", "Omar Said"]],
  [["بقلم: ليلى حداد، عمر سعيد"], ["ليلى حداد", "عمر سعيد"]],
  [["Layla Haddad (layla@a.example)", "Layla Haddad"], ["Layla Haddad"]],
  [
    ["Theresa May", "Jan June"],
    ["Theresa May", "Jan June"],
  ],
  [["https://facebook.com/x", "admin", "", "a@b.example", "1234"], []],
])("%p are %p", (bylines, names) => {
  expect(namesIn(bylines)).toEqual(names);
});

test("people count before the site itself, metadata before what stands on the page", () => {
  expect(find(`${linked("Layla Haddad")}${heading}<p>By Omar Said</p>`)).toEqual(["Layla Haddad"]);
  expect(find(`${linked("News Example")}${heading}<p>By Omar Said</p>`)).toEqual(["Omar Said"]);
  expect(find(`${linked("News Example")}${heading}`)).toEqual(["News Example"]);
});

test("an account that posted is no author where somebody signed", () => {
  expect(find(`<meta name="author" content="katies">${heading}<p>by Aoife O'Riordan Oct 22, 2025</p>`)).toEqual([
    "Aoife O'Riordan",
  ]);
  expect(find(`<meta name="author" content="katies">${heading}`)).toEqual(["katies"]);
});

test("a byline ends at its date, even grown together with it", () => {
  expect(find(`${heading}<p>By Layla Haddad<span>November 20, 2007</span></p>`)).toEqual(["Layla Haddad"]);
  expect(find(`${heading}<p>By Theresa May | Sept. 4</p>`)).toEqual(["Theresa May"]);
});

test("a team or one word signs only after an explicit by", () => {
  expect(find(`${heading}<p>By The Currency editors 12.12.2025</p>`)).toEqual(["The Currency editors"]);
  expect(find(`${heading}<p>by ibby</p>`)).toEqual(["ibby"]);
  expect(find(`${heading}<p class="byline">Technology</p>`)).toEqual([]);
});
