import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { cutBlocks } from "./blocks.ts";
import { findBody, joinBlocks, predict, readForest } from "./body.ts";
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

const COUNCIL = (i: number) =>
  `The council said on day ${i} of the works that the harbour would be open again by spring.`;
const TITLE = "The council goes on with its work in the harbour";

test("the first lines of a text that is one block with line breaks are facts of the article where they say when or by whom", () => {
  const lines = Array.from({ length: 6 }, (_, i) => COUNCIL(i)).join("<br>\n");
  for (const head of [
    "<small>14 March 2026 - 09:30</small><br><b>Layla Haddad:</b>",
    "<small>منذ 3 ساعات</small><br>بقلم: ليلى حداد",
    "Layla Haddad · 14 March 2026",
  ]) {
    const { text } = find(`<body><div><h2>${TITLE}</h2>${head}<br>${lines}<br></div></body>`, TITLE);
    expect(text).toStartWith("The council said on day 0");
    expect(text).toContain("The council said on day 5");
  }
});

test("what the model takes in a column beside the article's is no part of it", () => {
  const texts = Array.from({ length: 8 }, (_, i) => `<p>${COUNCIL(i)}</p>`).join("");
  const other =
    "<div><p>The ferry line said it would add a second sailing on Sundays, if the weather lets it.</p></div>";
  const article = `<div class="main"><h1>${TITLE}</h1><div class="text">${texts}</div></div>`;
  for (const body of [`${other}${article}`, `${article}${other}`]) {
    const { text } = find(`<body><div class="row">${body}</div></body>`, TITLE);
    expect(text).toContain("on day 7");
    expect(text).not.toContain("ferry");
  }
});

test("the time of day above an entry of a live blog is left out, that of a programme stays", () => {
  const entries = Array.from({ length: 8 }, (_, i) => `<div><time>1${i}:45</time><p>${COUNCIL(i)}</p></div>`).join("");
  const { text } = find(`<body><main><h1>${TITLE}</h1>${entries}</main></body>`, TITLE);
  expect(text).toContain("on day 7");
  expect(text).not.toContain("13:45");
});

/** Two trees over two features: the first splits on feature 1 at 0.5, the second is one leaf. */
function forestBytes(): Uint8Array {
  const parts = [
    new Uint32Array([0x31465349, 2, 2, 1, 3]),
    new Int32Array([0, -3]),
    new Int32Array([-1]),
    new Int32Array([-2]),
    new Float32Array([0.5]),
    new Float32Array([-2, 3, 1]),
    new Uint16Array([1]),
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer)));
}

test("a row goes left where its value is at most the threshold; leaves add up to a logit", () => {
  const probabilities = predict(readForest(forestBytes()), new Float32Array([9, 0.5, 9, 0.6]));
  const logistic = (x: number) => 1 / (1 + Math.exp(-x));
  expect(probabilities[0]).toBeCloseTo(logistic(-1), 6);
  expect(probabilities[1]).toBeCloseTo(logistic(4), 6);
});

test("bytes at any offset of their buffer are read", () => {
  const shifted = new Uint8Array(forestBytes().length + 3);
  shifted.set(forestBytes(), 3);
  expect(readForest(shifted.subarray(3)).features).toBe(2);
});

/** The same with one of its numbers changed; `place` counts in 32-bit words, of which the lower half is set. */
function withNumber(place: number, value: number): Uint8Array {
  const bytes = forestBytes();
  new DataView(bytes.buffer, bytes.byteOffset).setInt16(place * 4, value, true);
  return bytes;
}

test.each([
  ["names a node that it lacks", withNumber(5, 1)],
  ["names a leaf that it lacks", withNumber(7, -4)],
  ["names a feature that it lacks", withNumber(13, 2)],
])("a file that %s is refused", (_, bytes) => {
  expect(() => readForest(bytes)).toThrow("that it lacks");
});

test.each([
  ["empty", new Uint8Array()],
  ["cut short", forestBytes().subarray(0, 40)],
  ["too long", new Uint8Array([...forestBytes(), 0])],
  ["of another kind", new Uint8Array(60)],
])("a file that is %s is refused", (_, bytes) => {
  expect(() => readForest(bytes)).toThrow(RangeError);
});
