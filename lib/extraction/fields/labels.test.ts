import { expect, test } from "bun:test";
import { cutBlocks } from "../body/blocks.ts";
import { parsePage } from "../page/dom.ts";
import { readLinkedData, readMeta } from "../page/metadata.ts";
import { findCategory, findLanguage, isPaywalled } from "./labels.ts";

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

function paywalled(body: string, head = ""): boolean {
  const document = parsePage(`<html><head>${head}</head><body><h1>Floods</h1><p>It rained.</p>${body}</body></html>`);
  const tree = cutBlocks(document);
  const linked = readLinkedData(document);
  return isPaywalled({ linked, meta: readMeta(document), tree, titleAt: 0, lastAt: 1 });
}
const article = (more: string) => `<script type="application/ld+json">{"@type":"NewsArticle",${more}}</script>`;

test.each([
  ["that it is not free", article('"isAccessibleForFree":false')],
  ["the same as a word", article('"isAccessibleForFree":"False"')],
  ["the same as an address", article('"isAccessibleForFree":"http://schema.org/False"')],
  [
    "that a part of it is not free",
    article(
      '"isAccessibleForFree":true,"hasPart":{"@type":"WebPageElement","isAccessibleForFree":"False","cssSelector":".x"}',
    ),
  ],
  ["that one of several parts is not free", article('"hasPart":[{"name":"x"},{"isAccessibleForFree":false}]')],
  ["a locked tier", '<meta property="article:content_tier" content="locked">'],
  ["a metered tier", '<meta property="article:content_tier" content="metered">'],
  ["so in its microdata", '<meta itemprop="isAccessibleForFree" content="false">'],
])("a publisher declares %s", (_, head) => {
  expect(paywalled("", head)).toBe(true);
});

test.each([
  '<div class="paywall"><p>Subscribe for one euro a month.</p></div>',
  '<section class="article__body subscriber-only">The council met again today.</section>',
  '<div class="c-paywall__box">Three free articles are left.</div>',
  '<div id="regwall-container">Register now and go on.</div>',
  "<div>To continue reading, please log in.</div>",
  "<div>This article is for our subscribers only.</div>",
  "<div>You've reached your limit of free articles.</div>",
  "<div>هذا المحتوى متاح للمشتركين</div>",
  "<p>هذا المقال للمشتركين فقط</p>",
  "<div>اشترك الآن لمواصلة القراءة</div>",
  "<div>لقراءة المقال كاملا</div><div>لمتابعة القراءة يرجى تسجيل الدخول</div>",
])("%s is a paywall, unless the article is declared free", (body) => {
  expect(paywalled(body)).toBe(true);
  expect(paywalled(body, article('"isAccessibleForFree":"True"'))).toBe(false);
  expect(paywalled(body, '<meta property="article:content_tier" content="free">')).toBe(false);
});

test.each([
  ["an empty element of that name", '<div class="paywall"></div><div id="paywall-root"> </div>'],
  ["one that is not shown", '<div class="paywall" style="display:none">Subscribe for one euro a month.</div>'],
  ["a button in the menu", '<nav class="stat-paywall-login">Log in for more</nav>'],
  ["a label of another article", "<ul><li>Elections (للمشتركين فقط)</li></ul>"],
  ["a phrase far below the text", `${"<p>x</p>".repeat(12)}<p>Subscribe to continue reading</p>`],
  ["a newsletter", "<div>Subscribe to our newsletter. Already a subscriber? Log in.</div>"],
  [
    "an article about them",
    `<p>${"The paper tells its readers to subscribe to continue reading, as others do. ".repeat(8)}</p>`,
  ],
  ["another article's data", article('"headline":"x"') + article('"isAccessibleForFree":true')],
])("%s is none", (_, body) => {
  expect(paywalled(body)).toBe(false);
});

test("the section is what the publisher calls it, on one line", () => {
  const categoryOf = (head: string) => {
    const document = parsePage(`<html><head>${head}</head><body></body></html>`);
    return findCategory(readLinkedData(document), readMeta(document));
  };
  expect(categoryOf('<meta property="article:section" content=" Middle  East ">')).toBe("Middle East");
  expect(categoryOf(article('"articleSection":"World"'))).toBe("World");
  expect(categoryOf(`<meta name="section" content="">${article('"articleSection":"World"')}`)).toBe("World");
  expect(categoryOf('<meta name="category" content="رياضة"><meta name="article:section" content="محليات">')).toBe(
    "محليات",
  );
  expect(categoryOf("")).toBe("");
});

test.each([
  ["LOCKED", true],
  ["premium", true],
  ["subscriber", true],
  ["subscribers", true],
  ["free", false],
  ["unlocked", false],
])("a content tier of %s", (tier, is) => {
  expect(paywalled("", `<meta property="article:content_tier" content="${tier}">`)).toBe(is);
});

test("that the publisher says it is not free counts before an open tier", () => {
  const open = '<meta property="article:content_tier" content="free">';
  expect(paywalled("", open + article('"isAccessibleForFree":false'))).toBe(true);
});

test("an element that is called a paywall is one from three words on", () => {
  expect(paywalled('<div class="paywall">Subscribe now</div>')).toBe(false);
  expect(paywalled('<div class="paywall">Subscribe right now</div>')).toBe(true);
  expect(paywalled('<div class="paywall"><p>One</p><p>two</p><p>three</p></div>')).toBe(true);
  expect(paywalled('<div class="no-paywall-here">Subscribe right now</div>')).toBe(false);
});

test("an invitation to read on counts in the six blocks behind the text, and no further", () => {
  const far = (blocks: number) => `${"<p>x</p>".repeat(blocks)}<p>Subscribe to continue reading</p>`;
  expect([paywalled(far(5)), paywalled(far(6))]).toEqual([true, false]);
});

test("a paragraph of more than sixty words that says so is of the article", () => {
  const long = (words: number) => `<p>Subscribe to continue reading ${"word ".repeat(words - 4)}</p>`;
  expect([paywalled(long(60)), paywalled(long(61))]).toEqual([true, false]);
});

test.each([
  ["en_US", "en"],
  ["AR", "ar"],
  [" fr ", "fr"],
  ["fil", null],
  ["", null],
  ["x", null],
])("a declared language of %p is %p", (declared, lang) => {
  expect(find(`<html lang="${declared}"><body></body></html>`, "")).toBe(lang);
});
