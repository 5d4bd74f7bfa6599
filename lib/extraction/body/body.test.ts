import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { findBody, joinBlocks } from "./body.ts";
import { cutBlocks } from "./blocks.ts";
import { gatherFacts } from "./facts.ts";

const find = (html: string, title: string) => {
  const tree = cutBlocks(parsePage(html));
  return findBody(tree, gatherFacts(tree, title));
};

test("items of a list stand on lines of their own, paragraphs apart", () => {
  const tree = cutBlocks(parsePage("<body><p>one</p><ul><li>a</li><li>b</li></ul><p>two</p></body>"));
  expect(joinBlocks(tree.blocks, tree)).toBe("one\n\na\nb\n\ntwo");
});

test("the text is found between menus and footers, with how sure that is", () => {
  const sentence = (i: number) =>
    `The ministry said on day ${i} that the work in the flooded cities went on as planned.`;
  const paragraphs = Array.from({ length: 8 }, (_, i) => `<p>${sentence(i)} ${sentence(i + 20)}</p>`).join("");
  const links = Array.from({ length: 30 }, (_, i) => `<li><a href="/${i}">Section ${i}</a></li>`).join("");
  const body = find(
    `<body><nav><ul>${links}</ul></nav><article><h1>Floods in the north</h1>${paragraphs}</article><footer><ul>${links}</ul></footer></body>`,
    "Floods in the north",
  );
  expect(body.text).toContain(sentence(0));
  expect(body.text).toContain(sentence(27));
  expect(body.text).not.toContain("Section");
  expect(body.confidence).toBeGreaterThan(0.5);
  expect(body.confidence).toBeLessThanOrEqual(1);
});

test("a page without text has no body", () => {
  expect(find("<body></body>", "")).toEqual({
    text: "",
    words: 0,
    running: 0,
    confidence: 0,
    lastAt: -1,
    element: null,
  });
});

test("the title is no part of the text", () => {
  const sentences = Array.from({ length: 8 }, (_, i) => `<p>The council said on day ${i} that the work went on.</p>`);
  const title = "The council goes on with its work in the harbour";
  const { text } = find(`<body><div class="article-body"><p>${title}</p>${sentences.join("")}</div></body>`, title);
  expect(text).toStartWith("The council said on day 0");
});

test("a line above the text that says when or by whom is no part of it, so that tomorrow's page has the same text", () => {
  const sentences = Array.from({ length: 8 }, (_, i) => `<p>The council said on day ${i} that the work went on.</p>`);
  const title = "The council goes on with its work in the harbour";
  for (const line of [
    "<time>20 Nov</time>",
    "<p>3 hours ago</p>",
    "<span>نُشر في 20 نوفمبر 2026</span>",
    "<p>By Layla Haddad</p>",
  ]) {
    const { text } = find(`<body><article><h1>${title}</h1>${line}${sentences.join("")}</article></body>`, title);
    expect(text).toStartWith("The council said on day 0");
  }
  const [first = "", ...rest] = sentences;
  const diary = `<body><article><h1>${title}</h1>${first}<h3>20 Nov 2026</h3>${rest.join("")}</article></body>`;
  expect(find(diary, title).text).toContain("20 Nov 2026");
});
