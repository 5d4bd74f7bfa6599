import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { chooseTitle, headingText, isSiteName, titleHints, withoutSite } from "./title.ts";

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

test.each([
  ["four words behind a dash go", "Floods cut off the north - The Daily Harbour Post", "Floods cut off the north"],
  [
    "five words behind a dash stay",
    "Floods cut off the north - The New Daily Harbour Post",
    "Floods cut off the north - The New Daily Harbour Post",
  ],
  ["behind three words nothing goes", "Floods cut north - Harbour Post", "Floods cut north - Harbour Post"],
  [
    "of several parts the last goes",
    "Floods cut off the north | World | Harbour Post",
    "Floods cut off the north | World",
  ],
  ["a hyphen in a word parts nothing", "Floods cut off the north-east coast", "Floods cut off the north-east coast"],
  ["a colon parts only what is short behind it", "Floods cut off the north: News Example", "Floods cut off the north"],
  ["Arabic guillemets part, too", "أخبار اليوم من شمال البلاد » موقع آخر", "أخبار اليوم من شمال البلاد"],
  ["a title that is nothing but the site stays", "News Example", "News Example"],
  ["the site on both sides goes", "News Example | Floods | News Example", "Floods"],
  [
    "a title that is too long is left alone",
    `${"Floods rise. ".repeat(80)}| News Example`,
    `${"Floods rise. ".repeat(80)}| News Example`,
  ],
])("%s", (_, title, rest) => {
  expect(withoutSite(title, ["News Example"])).toBe(rest);
});

test("of headings that agree as well the first counts, and one that agrees more later on wins", () => {
  const og = "Floods cut off the north of the country";
  expect(choose(`<h1>${og}</h1><h1>${og} again</h1>`, { og })).toBe(og);
  expect(choose(`<h1>Floods in the country</h1><h1>${og}</h1>`, { og })).toBe(og);
  expect(choose("<h1>Storms in another land</h1><h2>Storms</h2>", { og })).toBe(og);
});

test("a subheading is the title where it says nearly all of it, and no heading does", () => {
  const og = "Floods cut off the north";
  expect(choose(`<h1>World today</h1><h2>${og}</h2>`, { og })).toBe(og);
  expect(choose("<h1>World today</h1><h2>Floods cut off the whole country</h2>", { og })).toBe(og);
});

test("a heading alone is the title from fifteen letters on", () => {
  expect(choose("<title>x y z</title><h1>Fifteen letters</h1>")).toBe("Fifteen letters");
  expect(choose("<title>Some of the page</title><h1>Fourteen lettr</h1>")).toBe("Some of the page");
  expect(choose("<title>x y z</title><h1>Fifteen letters</h1><h1>Another heading</h1>")).toBe("x y z");
});

test("of twelve headings each may be the title, of more only the first twelve", () => {
  const others = (count: number) => Array.from({ length: count }, (_, n) => `<h1>Other ${n}</h1>`).join("");
  const title = "FLOODS cut off the north";
  expect(choose(`${others(11)}<h1>${title}</h1>`, { og: "Floods cut off the north" })).toBe(title);
  expect(choose(`${others(12)}<h1>${title}</h1>`, { og: "Floods cut off the north" })).toBe("Floods cut off the north");
});

test("a title is cut after three hundred characters, and marks of direction are no part of it", () => {
  expect(choose("<p>x</p>", { headline: "word ".repeat(100) })).toHaveLength(300);
  expect(choose("<h1>\u200fفيضانات\u200e في \u202bشمال\u202c البلاد</h1>")).toBe("فيضانات في شمال البلاد");
});
