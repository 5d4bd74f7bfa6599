import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { isSiteName, withoutSite } from "./site-name.ts";
import { chooseTitle } from "./title.ts";
import { titleHints } from "./title-hints.ts";

const choose = (html: string, stated: { og?: string; headline?: string; sites?: string[] } = {}) =>
  chooseTitle(
    titleHints(parsePage(html), {
      openGraph: stated.og ?? "",
      headline: stated.headline ?? "",
      siteNames: stated.sites ?? ["News Example"],
    }),
  );

test("the heading that agrees with the stated title wins over others", () => {
  const html =
    "<title>Floods in the north - News Example</title><h1>News Example</h1><h1>Floods in the North</h1><h1>More</h1>";
  expect(choose(html, { og: "Floods in the north" })).toBe("Floods in the North");
});

test("without a heading the stated title goes without the name of the site", () => {
  expect(choose("<title>Floods in the north | News Example</title>")).toBe("Floods in the north");
  expect(choose("<p>x</p>", { headline: "Floods" })).toBe("Floods");
  expect(choose("<p>x</p>")).toBe("");
});

test("the one heading of a page without metadata is its title, a short one is not", () => {
  expect(choose("<title>Home</title><h1>Floods cut off the north</h1>")).toBe("Floods cut off the north");
  expect(choose("<title>Floods cut off the north</title><h1>World</h1>")).toBe("Floods cut off the north");
});

test.each([
  ["Floods in the north (example.com) 87", "Floods in the north"],
  ["14 May 2025 Floods in the north", "Floods in the north"],
  ["Floods in the north Posted on May 14, 2025 by admin", "Floods in the north"],
  ["Blog: Floods in the north", "Floods in the north"],
  ["Floods in the north and the south", "Floods in the north and the south"],
  ["Why Floods in the north", "Why Floods in the north"],
])("what was added to a heading goes, what belongs to it stays: %s", (heading, title) => {
  expect(choose(`<title>x</title><h1>${heading}</h1>`, { og: "Floods in the north" })).toBe(title);
});

test("a heading of replies, and one as long as a paragraph, is no title", () => {
  expect(choose("<h2>15 Replies to “Floods in the north”</h2>", { og: "Floods in the north" })).toBe(
    "Floods in the north",
  );
  expect(choose(`<h1>${"Floods in the north are long. ".repeat(10)}</h1>`, { og: "Floods in the north" })).toBe(
    "Floods in the north",
  );
});

test("an entity that was escaped twice is decoded", () => {
  expect(choose("<h1>A &amp;#x26; B of the north</h1>")).toBe("A & B of the north");
});

test("a name of the site is told, however it is written", () => {
  expect(isSiteName("newsexample", ["News Example"])).toBe(true);
  expect(isSiteName("Example News", ["News Example"])).toBe(true);
  expect(isSiteName("Floods", ["News Example"])).toBe(false);
  expect(isSiteName("", ["News Example"])).toBe(false);
});

test.each([
  ["Floods - News Example", "Floods"],
  ["News Example: Floods in the north", "Floods in the north"],
  ["أخبار اليوم من الشمال | موقع آخر", "أخبار اليوم من الشمال"],
  ["Floods: what we know", "Floods: what we know"],
  ["One - Two", "One - Two"],
])("%s without its site is %s", (title, rest) => {
  expect(withoutSite(title, ["News Example"])).toBe(rest);
});

test("a heading goes without the name of the site, too", () => {
  const html = "<title>Floods cut off the north - News Example</title><h1>Floods cut off the north – News Example</h1>";
  expect(choose(html)).toBe("Floods cut off the north");
});

test("a title given as the name of the site is a title", () => {
  const title = "Floods cut off the north | Example";
  expect(choose(`<title>${title}</title><h1>Floods cut off the north</h1>`, { og: title, sites: [title] })).toBe(
    "Floods cut off the north",
  );
});

test("what a heading says behind a colon stays, although the site is named after it", () => {
  const html = "<title>Business guide: Cyber Security</title><h1>Business guide: Cyber Security</h1>";
  expect(choose(html, { sites: ["Cyber Security Centre"] })).toBe("Business guide: Cyber Security");
});
