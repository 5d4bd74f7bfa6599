import { expect, test } from "bun:test";
import { parsePage } from "../../page/dom.ts";
import { cutBlocks } from "../blocks.ts";
import { gatherFacts } from "../facts.ts";
import { blockModel } from "../body.ts";
import { tabulate } from "./tabulate.ts";

const sentence = "The ministry said on Monday that the work in the flooded cities went on, and that more was needed.";
const html = `<body><nav><a href="/">Home</a><a href="/s">Sport</a></nav><article><h1>Floods</h1><div class="article-body">
${`<p>${sentence}</p>`.repeat(5)}</div></article><aside class="related"><a href="/2">Another story</a></aside><footer>© 2025</footer></body>`;
const table = (source: string) => tabulate(gatherFacts(cutBlocks(parsePage(source)), "Floods"));
const column = (source: string, name: string) => {
  const { names, values } = table(source);
  const at = names.indexOf(name);
  return Array.from({ length: values.length / names.length }, (_, row) => values[row * names.length + at]);
};

test("the columns are those that the shipped model was trained on, in their order", () => {
  expect(table(html).names).toEqual(blockModel().features);
  expect(new Set(table(html).names).size).toBe(table(html).names.length);
});

test("every value is a number, for pages of any shape", () => {
  for (const source of [
    html,
    "<p>x</p>",
    "<body></body>",
    "<h1>Floods</h1>",
    `<ul>${"<li>".repeat(50)}a</ul>`,
    "plain text",
  ]) {
    expect(table(source).values.every(Number.isFinite)).toBe(true);
  }
});

test("a row says what its block is like", () => {
  expect(column(html, "words").slice(-3)).toEqual([19, 2, 2]);
  const links = column(html, "link-share");
  expect(links[0]).toBe(1);
  expect(links[3]).toBe(0);
});

const long = "The ministry said on Monday that work in the flooded cities went on, and that more was needed.";
/** A page with a menu, an article of two scripts with a list, a box of other articles and a footer: twelve blocks. */
const PAGE = `<body><nav class="menu"><a href="/">Home</a> <a href="/s">Sport</a></nav>
<main><article><h1>Floods in the north</h1><p class="byline">By A. Writer, 3 May 2025</p>
<div class="article-body"><p>${long} <a href="/x">Read the whole report</a></p>
<p>«قال الوزير إن العمل في المدن مستمر، وإن المزيد مطلوب».</p><h2>What comes next</h2>
<p>${long} It is <b>not</b> over: 12% of homes are without power.</p><ul><li>One</li><li>Two</li></ul></div>
<h3>Related articles</h3><div class="related"><a href="/2">Another story of the day</a><br>Sport</div></article></main>
<footer>© 2025 All rights reserved</footer></body>`;

/**
 * The features of its blocks, to three places. The shipped model was trained on features computed so: where a number
 * here changes, the model has to be trained again. Columns that are 99 (absent) for every block are left out.
 */
const FEATURES: Readonly<Record<string, string>> = {
  words: "2 4 6 22 10 3 28 1 1 2 6 5",
  chars: "10 19 24 116 55 15 142 3 3 16 30 26",
  "link-share": "0.9 0 0 0.181 0 0 0 0 0 0 0.8 0",
  links: "2 0 0 1 0 0 0 0 0 0 1 0",
  "chars-a-word": "5 4.75 4 5.273 5.5 5 5.071 3 3 8 5 5.2",
  sentences: "0 0 1 1 1 0 2 0 0 0 0 0",
  "words-a-sentence": "4 8 6 22 10 6 14 2 2 4 12 10",
  ending: "0 0 0 0 1 0 1 0 0 0 0 0",
  beginning: "1 1 1 1 4 1 1 1 1 1 1 4",
  capitals: "0.222 0.063 0.333 0.032 0 0.077 0.028 0.333 0.333 0.067 0.08 0.059",
  digits: "0 0 0.208 0 0 0 0.014 0 0 0 0 0.154",
  letters: "0.9 0.842 0.5 0.802 0.764 0.867 0.761 1 1 0.938 0.833 0.654",
  "commas-a-word": "0 0 0.167 0.045 0.1 0 0.036 0 0 0 0 0",
  "furniture-words": "1 0 1 0 1 1 0 0 0 1 0 1",
  "rights-reserved": "0 0 0 0 0 0 0 0 0 0 0 1",
  address: "0 0 0 0 0 0 0 0 0 0 0 0",
  separator: "0 0 0 0 1 0 0 0 0 0 0 0",
  quotation: "0 0 0 0 1 0 0 0 0 0 0 0",
  emphasis: "0 0 0 0 0 0 0.021 0 0 0 0 0",
  lines: "0 0 0 0 0 0 0 0 0 0 1 0",
  date: "0 0 1 0 0 0 0 0 0 0 0 1",
  copies: "1 1 1 1 1 1 1 1 1 1 1 1",
  "title-likeness": "0 1 0 0.182 0 0 0.138 0 0 0 0.222 0",
  "closing-words": "0 0 0 0 1 0 0 0 0 1 0 0",
  tag: "19 7 0 0 0 3 0 1 1 4 8 20",
  depth: "2 4 4 5 5 5 5 6 6 4 4 2",
  "relative-depth": "0.333 0.667 0.667 0.833 0.833 0.833 0.833 1 1 0.667 0.667 0.333",
  "is-paragraph": "0 0 1 1 1 0 1 0 0 0 0 0",
  hidden: "0 0 0 0 0 0 0 0 0 0 0 0",
  "purpose-related": "99 99 99 99 99 99 99 99 99 99 0 99",
  "purpose-navigation": "0 99 99 99 99 99 99 99 99 99 99 99",
  "purpose-author": "99 99 0 99 99 99 99 99 99 99 99 99",
  "purpose-body": "99 99 99 1 1 1 1 2 2 99 99 99",
  "purpose-article-body": "99 99 99 1 1 1 1 2 2 99 99 99",
  "in-article": "99 1 1 2 2 2 2 3 3 1 1 99",
  "in-main": "99 2 2 3 3 3 3 4 4 2 2 99",
  "in-nav": "0 99 99 99 99 99 99 99 99 99 99 99",
  "in-footer": "99 99 99 99 99 99 99 99 99 99 99 0",
  "in-li": "99 99 99 99 99 99 99 0 0 99 99 99",
  "in-ul": "99 99 99 99 99 99 99 1 1 99 99 99",
  "up0-share": "0.022 0.044 0.067 0.244 0.111 0.033 0.311 0.011 0.011 0.022 0.067 0.056",
  "up0-link-share": "0.9 0 0 0.181 0 0 0 0 0 0 0.8 0",
  "up0-blocks": "1 1 1 1 1 1 1 1 1 1 1 1",
  "up0-words-a-block": "2 4 6 22 10 3 28 1 1 2 6 5",
  "up0-prose": "0 0 0 0.819 0 0 1 0 0 0 0 0",
  "up0-prose-share": "0 0 0 0.392 0 0 0.608 0 0 0 0 0",
  "up0-short": "1 1 0 0 0 1 0 1 1 1 0 0",
  "up0-children": "0 0 0 0 0 0 0 0 0 0 0 0",
  "up1-share": "1 0.922 0.922 0.722 0.722 0.722 0.722 0.022 0.022 0.922 0.922 1",
  "up1-link-share": "0.118 0.106 0.106 0.063 0.063 0.063 0.063 0 0 0.106 0.106 0.118",
  "up1-blocks": "12 10 10 6 6 6 6 2 2 10 10 12",
  "up1-words-a-block": "7.5 8.3 8.3 10.833 10.833 10.833 10.833 1 1 8.3 8.3 7.5",
  "up1-prose": "0.511 0.554 0.554 0.708 0.708 0.708 0.708 0 0 0.554 0.554 0.511",
  "up1-prose-share": "1 1 1 1 1 1 1 0 0 1 1 1",
  "up1-short": "0.5 0.5 0.5 0.5 0.5 0.5 0.5 1 1 0.5 0.5 0.5",
  "up1-children": "3 5 5 5 5 5 5 2 2 5 5 3",
  "up2-share": "1 0.922 0.922 0.922 0.922 0.922 0.922 0.722 0.722 0.922 0.922 1",
  "up2-link-share": "0.118 0.106 0.106 0.106 0.106 0.106 0.106 0.063 0.063 0.106 0.106 0.118",
  "up2-blocks": "12 10 10 10 10 10 10 6 6 10 10 12",
  "up2-words-a-block": "7.5 8.3 8.3 8.3 8.3 8.3 8.3 10.833 10.833 8.3 8.3 7.5",
  "up2-prose": "0.511 0.554 0.554 0.554 0.554 0.554 0.554 0.708 0.708 0.554 0.554 0.511",
  "up2-prose-share": "1 1 1 1 1 1 1 1 1 1 1 1",
  "up2-short": "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5",
  "up2-children": "1 1 1 5 5 5 5 5 5 1 1 1",
  "up3-share": "1 1 1 0.922 0.922 0.922 0.922 0.922 0.922 1 1 1",
  "up3-link-share": "0.118 0.118 0.118 0.106 0.106 0.106 0.106 0.106 0.106 0.118 0.118 0.118",
  "up3-blocks": "12 12 12 10 10 10 10 10 10 12 12 12",
  "up3-words-a-block": "7.5 7.5 7.5 8.3 8.3 8.3 8.3 8.3 8.3 7.5 7.5 7.5",
  "up3-prose": "0.511 0.511 0.511 0.554 0.554 0.554 0.554 0.554 0.554 0.511 0.511 0.511",
  "up3-prose-share": "1 1 1 1 1 1 1 1 1 1 1 1",
  "up3-short": "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5",
  "up3-children": "1 3 3 1 1 1 1 5 5 3 3 1",
  "up4-share": "1 1 1 1 1 1 1 0.922 0.922 1 1 1",
  "up4-link-share": "0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.106 0.106 0.118 0.118 0.118",
  "up4-blocks": "12 12 12 12 12 12 12 10 10 12 12 12",
  "up4-words-a-block": "7.5 7.5 7.5 7.5 7.5 7.5 7.5 8.3 8.3 7.5 7.5 7.5",
  "up4-prose": "0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.554 0.554 0.511 0.511 0.511",
  "up4-prose-share": "1 1 1 1 1 1 1 1 1 1 1 1",
  "up4-short": "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5",
  "up4-children": "1 1 1 3 3 3 3 1 1 1 1 1",
  "up5-share": "1 1 1 1 1 1 1 1 1 1 1 1",
  "up5-link-share": "0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118",
  "up5-blocks": "12 12 12 12 12 12 12 12 12 12 12 12",
  "up5-words-a-block": "7.5 7.5 7.5 7.5 7.5 7.5 7.5 7.5 7.5 7.5 7.5 7.5",
  "up5-prose": "0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511",
  "up5-prose-share": "1 1 1 1 1 1 1 1 1 1 1 1",
  "up5-short": "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5",
  "up5-children": "1 1 1 1 1 1 1 3 3 1 1 1",
  "top-up": "1 1 1 1 1 1 1 2 2 1 1 1",
  "top-down": "3 1 1 0 0 0 0 0 0 1 1 3",
  "top-common-share": "1 0.922 0.922 0.722 0.722 0.722 0.722 0.722 0.722 0.922 0.922 1",
  "top-outside": "-3 -2 -1 0 0 0 0 0 0 1 2 3",
  "top-inside": "-0.5 -0.333 -0.167 0 0.167 0.333 0.5 0.667 0.833 1 1.167 1.333",
  "core-up": "1 1 1 1 1 1 0 2 2 1 1 1",
  "core-down": "4 2 2 1 1 1 0 1 1 2 2 4",
  "core-outside": "-6 -5 -4 -3 -2 -1 0 1 2 3 4 5",
  "core-inside": "-6 -5 -4 -3 -2 -1 0 1 2 3 4 5",
  "run-start": "-3 -2 -1 0 1 2 3 4 5 6 7 8",
  "run-end": "6 5 4 3 2 1 0 -1 -2 -3 -4 -5",
  "in-run": "0 0 0 1 1 1 1 0 0 0 0 0",
  position: "0 0.083 0.167 0.25 0.333 0.417 0.5 0.583 0.667 0.75 0.833 0.917",
  "words-before": "0 0.022 0.067 0.133 0.378 0.489 0.522 0.833 0.844 0.856 0.878 0.944",
  "prose-before": "0 0 0 0 0.392 0.392 0.392 1 1 1 1 1",
  "prose-after": "1 1 1 0.608 0.608 0.608 0 0 0 0 0 0",
  "words-left": "88 84 78 56 46 43 15 14 13 11 5 0",
  "prose-words-before": "0 0 0 0 18.017 18.017 18.017 46.017 46.017 46.017 46.017 46.017",
  "prose-words-after": "46.017 46.017 46.017 28 28 28 0 0 0 0 0 0",
  "since-h1": "-1 0 1 2 3 4 5 6 7 8 9 10",
  "since-title": "-1 0 1 2 3 4 5 6 7 8 9 10",
  "has-title": "1 1 1 1 1 1 1 1 1 1 1 1",
  "words-since-title": "-2 0 4 10 32 42 45 73 74 75 77 83",
  "since-heading": "-1 0 1 2 3 0 1 2 3 0 1 2",
  "words-since-heading": "-1 0 4 10 32 0 3 31 32 0 2 8",
  "heading-closes": "0 0 0 0 0 0 0 0 0 1 1 1",
  "heading-level": "0 1 1 1 1 2 2 2 2 3 3 3",
  "section-closes": "0 0 0 0 0 0 0 0 0 1 1 1",
  "page-words": "90 90 90 90 90 90 90 90 90 90 90 90",
  "page-blocks": "12 12 12 12 12 12 12 12 12 12 12 12",
  "page-links": "0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118",
  "page-prose": "0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511 0.511",
  "-3-words": "-1 -1 -1 2 4 6 22 10 3 28 1 1",
  "-3-link-share": "-1 -1 -1 0.9 0 0 0.181 0 0 0 0 0",
  "-3-tag": "-1 -1 -1 19 7 0 0 0 3 0 1 1",
  "-3-sentences": "-1 -1 -1 0 0 1 1 1 0 2 0 0",
  "-2-words": "-1 -1 2 4 6 22 10 3 28 1 1 2",
  "-2-link-share": "-1 -1 0.9 0 0 0.181 0 0 0 0 0 0",
  "-2-tag": "-1 -1 19 7 0 0 0 3 0 1 1 4",
  "-2-sentences": "-1 -1 0 0 1 1 1 0 2 0 0 0",
  "-1-words": "-1 2 4 6 22 10 3 28 1 1 2 6",
  "-1-link-share": "-1 0.9 0 0 0.181 0 0 0 0 0 0 0.8",
  "-1-tag": "-1 19 7 0 0 0 3 0 1 1 4 8",
  "-1-sentences": "-1 0 0 1 1 1 0 2 0 0 0 0",
  "1-words": "4 6 22 10 3 28 1 1 2 6 5 -1",
  "1-link-share": "0 0 0.181 0 0 0 0 0 0 0.8 0 -1",
  "1-tag": "7 0 0 0 3 0 1 1 4 8 20 -1",
  "1-sentences": "0 1 1 1 0 2 0 0 0 0 0 -1",
  "2-words": "6 22 10 3 28 1 1 2 6 5 -1 -1",
  "2-link-share": "0 0.181 0 0 0 0 0 0 0.8 0 -1 -1",
  "2-tag": "0 0 0 3 0 1 1 4 8 20 -1 -1",
  "2-sentences": "1 1 1 0 2 0 0 0 0 0 -1 -1",
  "3-words": "22 10 3 28 1 1 2 6 5 -1 -1 -1",
  "3-link-share": "0.181 0 0 0 0 0 0 0.8 0 -1 -1 -1",
  "3-tag": "0 0 3 0 1 1 4 8 20 -1 -1 -1",
  "3-sentences": "1 1 0 2 0 0 0 0 0 -1 -1 -1",
  "-2-same-kind": "0 0 0 0 0 0 1 0 0 0 0 0",
  "-2-same-parent": "0 0 0 0 0 1 1 0 0 0 0 0",
  "-2-furniture-words": "0 0 1 0 1 0 1 1 0 0 0 1",
  "-1-same-kind": "0 0 0 0 1 0 0 0 1 0 0 0",
  "-1-same-parent": "0 0 1 0 1 1 1 0 1 0 1 0",
  "-1-furniture-words": "0 1 0 1 0 1 1 0 0 0 1 0",
  "1-same-kind": "0 0 0 1 0 0 0 1 0 0 0 0",
  "1-same-parent": "0 1 0 1 1 1 0 1 0 1 0 0",
  "1-furniture-words": "0 1 0 1 1 0 0 0 1 0 1 0",
  "2-same-kind": "0 0 0 0 1 0 0 0 0 0 0 0",
  "2-same-parent": "0 0 0 1 1 0 0 0 0 0 0 0",
  "2-furniture-words": "1 0 1 1 0 0 0 1 0 1 0 0",
  "window5-prose": "18.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017 28 28 28",
  "window5-link-share": "0.126 0.079 0.078 0.078 0.074 0.125 0.1 0.105 0.111 0.083 0.102 0.109",
  "window15-prose": "46.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017 46.017",
  "window15-link-share": "0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118 0.118",
  "prose-behind": "40 40 40 40 1 2 3 1 2 3 4 5",
  "prose-ahead": "3 2 1 3 2 1 40 40 40 40 40 40",
  "kind-blocks": "1 1 1 3 3 1 3 2 2 1 1 1",
  "kind-words": "2 4 6 20 20 3 20 1 1 2 6 5",
  "kind-link-share": "0.9 0 0 0.067 0.067 0 0.067 0 0 0 0.8 0",
  "kind-share": "0.022 0.044 0.067 0.667 0.667 0.033 0.667 0.022 0.022 0.022 0.067 0.056",
  "kind-prose": "0 0 0 0.767 0.767 0 0.767 0 0 0 0 0",
};

test("features are computed as they were for the training of the shipped model", () => {
  const { names, values } = tabulate(gatherFacts(cutBlocks(parsePage(PAGE)), "Floods in the north"));
  const blocks = values.length / names.length;
  const columns = names.map((name, column) => {
    const cells = Array.from({ length: blocks }, (_, row) =>
      Number((values[row * names.length + column] ?? 0).toFixed(3)),
    );
    return [name, cells.join(" ")] as const;
  });
  const absent = Array.from({ length: blocks }, () => 99).join(" ");
  expect(Object.fromEntries(columns.filter(([, cells]) => cells !== absent))).toEqual(FEATURES);
});
