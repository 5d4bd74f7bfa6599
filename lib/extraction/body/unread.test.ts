import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { cutBlocks } from "./blocks.ts";
import { gatherFacts } from "./facts.ts";
import { withoutUnread } from "./unread.ts";

const TITLE = "Floods in the north";
const sentence = (i: number) =>
  `The ministry said on day ${i} that the work in the ${["flooded", "rebuilt", "northern"][i % 3]} cities went on as it had been planned.`;
const paragraphs = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `<p>${sentence(from + i)}</p>`).join("");
const links = (count: number) =>
  Array.from({ length: count }, (_, i) => `<li><a href="/${i}">A story with number ${i}</a></li>`).join("");
const ARTICLE = `<article><h1>${TITLE}</h1>${paragraphs(8)}</article>`;

/** The text of a page without what nobody reads. */
function read(body: string, title = TITLE): string {
  const tree = cutBlocks(parsePage(`<html><body>${body}</body></html>`));
  return withoutUnread(tree, gatherFacts(tree, title))
    .blocks.map(({ text }) => text)
    .join("\n");
}

const ALL = read(ARTICLE);

test.each([
  ["hidden", `<div hidden><p>${sentence(90)}</p></div>`],
  ["not displayed", `<div style="color: red; display:none"><p>${sentence(90)}</p></div>`],
  ["hidden from assistive tools", `<div aria-hidden="true"><p>${sentence(90)}</p></div>`],
  ["for screen readers", `<p class="visually-hidden">${sentence(90)}</p>`],
  ["an aside", `<aside><p>${sentence(90)}</p></aside>`],
  ["complementary", `<div role="complementary"><p>${sentence(90)}</p></div>`],
  ["microdata", `<div itemscope><div itemprop="dateModified">2026-11-20T10:00:00Z</div></div>`],
  ["a box with a number in its name", `<div id="sidebar2"><p>${sentence(90)}</p></div>`],
  ["a list with its heading on the first line", `<p>Most read<br><a href="/1">${sentence(90)}</a></p>`],
  [
    "headlines with a line below each, in a table",
    `<table><tr><th>Most read</th></tr>${[90, 91, 92].map((i) => `<tr><td><a href="/${i}">${sentence(i)}</a><br>${sentence(i)}</td></tr>`).join("")}</table>`,
  ],
  ["comments", `<section id="comments"><p>${sentence(90)}</p></section>`],
  ["comments by their class in capitals", `<div class="CommentsSection"><p>${sentence(90)}</p></div>`],
  ["related", `<div class="widget related-posts"><h4>${sentence(90)}</h4></div>`],
  ["the most read", `<div class="most-read"><ol>${links(5)}</ol></div>`],
  ["a ticker", `<div class="news-ticker"><span>${sentence(90)}</span></div>`],
  ["a newsletter", `<div class="newsletter-box"><p>${sentence(90)}</p></div>`],
  ["buttons to share", `<div class="share-buttons"><span>Facebook</span></div>`],
  ["a notice of cookies", `<div id="cookie-banner"><p>${sentence(90)}</p></div>`],
  ["a dialog", `<div role="dialog"><p>${sentence(90)}</p></div>`],
  ["under a heading of comments", `<div><h3>التعليقات (5)</h3><div><p>${sentence(90)}</p></div></div>`],
  ["under a heading of other articles", `<div><h4>موضوعات ذات صلة</h4><ul>${links(4)}</ul></div>`],
  ["under a heading that is no heading", `<div class="x"><div>الأكثر قراءة</div>${links(6)}</div>`],
  ["a line that links elsewhere", `<p><a href="/9">اقرأ أيضا: ${TITLE}</a></p>`],
  ["an invitation", "<p>اشترك في نشرتنا البريدية ليصلك كل صباح أهم ما نشره الموقع</p>"],
])("what is %s is left out, behind the article and within it", (_, box) => {
  expect(read(`${ARTICLE}${box}`)).toBe(ALL);
  expect(read(ARTICLE.replace("</article>", `${box}</article>`))).toBe(ALL);
});

test("what is hidden in a line is left out of it", () => {
  expect(read(ARTICLE.replace("</h1>", '<span class="sr-only"> heading</span></h1>'))).toBe(ALL);
});

test("a box with most of the page's text stays, whatever it is called", () => {
  for (const box of ['div style="display:none"', "aside", 'div class="modal-body"', 'div aria-hidden="true"']) {
    expect(read(`<${box}><h1>${TITLE}</h1>${paragraphs(8)}</${box.split(" ")[0]}>`)).toBe(ALL);
  }
});

test("comments that are longer than the article go, if an article is left", () => {
  expect(read(`${ARTICLE}<div id="comments">${paragraphs(60, 100)}</div>`)).toBe(ALL);
  expect(read(`<div id="comments"><h1>${TITLE}</h1>${paragraphs(8)}</div>`)).toBe(ALL);
});

test("a panel that a control before it opens is of the page", () => {
  const panel = `<h3><button aria-expanded="false">Why?</button></h3><div hidden><p>${sentence(90)}</p></div>`;
  expect(read(`${ARTICLE}${panel}`)).toContain(sentence(90));
});

test("an aside of running text amid the paragraphs is the model's to judge", () => {
  const note = `<aside><p>${sentence(90)} ${sentence(91)}</p></aside>`;
  const within = ARTICLE.replace(`<p>${sentence(3)}</p>`, `${note}<p>${sentence(3)}</p>`);
  expect(read(within)).toContain(sentence(91));
});

test("a heading of other articles on top of the article's own box heads only their list", () => {
  const story = `<h1>${TITLE}</h1><div class="story"><div><h5>مقالات أخرى</h5><ul>${links(3)}</ul></div>${paragraphs(4)}</div>`;
  const text = read(`${story}<div>${paragraphs(30, 200)}</div>`);
  for (let i = 0; i < 4; i++) expect(text).toContain(sentence(i));
  expect(text).not.toContain("A story with number");
});

test("blocks keep their places in the whole page", () => {
  const tree = cutBlocks(parsePage(`<html><body><nav>Menu</nav>${ARTICLE}</body></html>`));
  const kept = withoutUnread(tree, gatherFacts(tree, TITLE));
  expect([...kept.at].map((place) => tree.blocks[place]?.text)).toEqual(kept.blocks.map(({ text }) => text));
  for (const [i, { container }] of kept.blocks.entries()) {
    const { first = 0, last = 0 } = kept.containers[container] ?? {};
    expect(first <= i && i < last).toBe(true);
  }
});

test.each([
  ["a paragraph that is a link to another article", `<p><b><a href="/2">The other story of the floods</a></b></p>`],
  ["the credit of a picture", "<p>The bridge after the flood (Image: GETTY )</p>"],
  ["an agency's picture", "<p>عمال في الموقع صباح اليوم (أ ف ب)</p>"],
  ["see more", `<p>SEE MORE: <a href="/2">Floods: all that has been said</a></p>`],
])("amid the text, %s goes", (_, html) => {
  expect(read(`<article><h1>${TITLE}</h1>${paragraphs(4)}${html}${paragraphs(4, 4)}</article>`)).toBe(ALL);
});

test.each([
  ["a paragraph with a link", `<p>As <a href="/2">the other story of the floods</a> said.</p>`],
  ["an agency at the end of a paragraph", `<p>${sentence(90)} It was a long night for all of them (AFP)</p>`],
  ["a linked heading", `<h2><a href="/2">The other story of the floods</a></h2>`],
])("amid the text, %s stays", (_, html) => {
  expect(read(`<article><h1>${TITLE}</h1>${paragraphs(4)}${html}${paragraphs(4, 4)}</article>`)).not.toBe(ALL);
});

test("running news below the article's own box goes", () => {
  const strip = `<div><span>عاجل</span><span> | ${sentence(90)}</span></div>`;
  expect(read(`<main>${ARTICLE}</main>${strip}`)).toBe(ALL);
});

test("what opens over the text while the pointer rests on a word is not read with it", () => {
  const popup = `<a href="/p">A. Writer</a><span class="rollover-people-block"><a href="/9">Another story</a></span>`;
  const text = read(`<article><h1>${TITLE}</h1><p>${popup} said that all went well.</p>${paragraphs(8)}</article>`);
  expect(text).toContain("A. Writer said that");
});

/** A line of so many words. */
const line = (words: number): string => Array.from({ length: words }, (_, i) => `word${i}`).join(" ");

test("three links make a list of other articles that may be longer than the text, two do not", () => {
  const teasers = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `<div><a href="/${i}">A story with number ${i}</a><p>${line(55)}</p></div>`,
    ).join("");
  const short = `<article><h1>${TITLE}</h1>${paragraphs(4)}</article>`;
  const related = (count: number) => read(`${short}<div class="related-posts">${teasers(count)}</div>`);
  expect(related(3)).toBe(read(short));
  expect(related(2)).toBe(`${read(short)}\n${read(`<div>${teasers(2)}</div>`)}`);
});

test("an aside amid the paragraphs that is longer than a quotation is the model's to judge", () => {
  const aside = (words: number) => `<aside><p>${line(words)}.</p></aside>`;
  const within = (box: string) => read(`<article><h1>${TITLE}</h1>${paragraphs(4)}${box}${paragraphs(4, 4)}</article>`);
  expect(within(aside(30))).toContain(line(30));
  expect(within(aside(29))).toBe(ALL);
  expect(read(`<article><h1>${TITLE}</h1>${aside(30)}${paragraphs(8)}</article>`)).toBe(ALL);
});

test("a line of up to fifty words may lead elsewhere, a longer one is a paragraph", () => {
  const invitation = (words: number) => `<p>Follow us on ${line(words - 3)}</p>`;
  const within = (words: number) => read(ARTICLE.replace("</article>", `${invitation(words)}</article>`));
  expect(within(50)).toBe(ALL);
  expect(within(51)).not.toBe(ALL);
});

test("a heading of six words may head a box of others, one of seven is the article's", () => {
  const within = (heading: string) =>
    read(ARTICLE.replace("</article>", `<h3>${heading}</h3><ul>${links(4)}</ul></article>`));
  expect(within("Related articles")).toBe(ALL);
  expect(within("The related articles of our own paper")).toContain("A story with number 1");
});

test("a cross-reference of four words that is all link goes; one of three, or with a word beside it, stays", () => {
  const within = (html: string) =>
    read(`<article><h1>${TITLE}</h1>${paragraphs(4)}${html}${paragraphs(4, 4)}</article>`);
  expect(within('<p><a href="/2">The other old story</a></p>')).toBe(ALL);
  expect(within('<p><a href="/2">The other story</a></p>')).not.toBe(ALL);
  expect(within('<p>See <a href="/2">the other old story</a></p>')).not.toBe(ALL);
  expect(within('<p><a href="/2">The other old</a> <a href="/3">story of it</a></p>')).not.toBe(ALL);
});

test("what is hidden is one box, however many are hidden in it, and goes by its own text", () => {
  const hidden = (inside: string) => `<div hidden>${inside}</div>`;
  expect(read(`${ARTICLE}${hidden(sentence(90))}`)).toBe(ALL);
  expect(read(`${ARTICLE}${hidden(`${sentence(90)}<div hidden>${sentence(91)}</div>`)}`)).toBe(ALL);
  // Boxes that hide more than half of the text together hide the article: all of them stay.
  const half = (from: number) => hidden(`<div hidden>${paragraphs(3, from)}</div>`);
  expect(read(`<h1>${TITLE}</h1>${half(0)}${half(3)}<p>${sentence(90)}</p>`)).toContain(sentence(0));
});
