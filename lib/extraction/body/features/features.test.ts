import { expect, test } from "bun:test";
import { parsePage } from "../../page/dom.ts";
import { cutBlocks } from "../blocks.ts";
import { gatherFacts } from "../facts.ts";
import { blockModel } from "../forest.ts";
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
