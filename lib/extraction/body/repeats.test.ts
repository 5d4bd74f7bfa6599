import { expect, test } from "bun:test";
import { extractPage } from "../extract.ts";
import { parsePage } from "../page/dom.ts";
import { cutBlocks } from "./blocks.ts";
import { withoutRepeats } from "./repeats.ts";

const SENTENCES = [
  "The harbour authority said on Tuesday that the new pier would open to ferries before the end of the month.",
  "Engineers finished the last inspection of the concrete piles on Sunday and reported no cracks at all.",
  "Fishermen who work from the old quay have asked for a separate landing place in the narrow channel.",
  "The council will vote on their request next week, and the mayor has promised to publish the report.",
  "A ferry line from the islands has already sold the tickets for its first three sailings in spring.",
  "وطالب الصيادون الذين يعملون من الرصيف القديم بمكان منفصل لإنزال الأسماك قبل افتتاح الرصيف الجديد.",
];
const [first = "", second = ""] = SENTENCES;
const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${text}</p>`).join("");
const ALL = paragraphs(SENTENCES);

const read = (html: string) => {
  const tree = cutBlocks(parsePage(`<html><body>${html}</body></html>`));
  return withoutRepeats(tree.blocks, tree).map(({ text }) => text);
};

test.each([
  ["a copy for small screens", `<div class="d-none d-md-block">${ALL}</div><div class="d-md-none">${ALL}</div>`],
  ["a copy for print in one block", `<div>${ALL}</div><div class="print">${SENTENCES.join("<br>")}</div>`],
  ["a copy for print in one paragraph", `<div>${ALL}</div><div class="print"><p>${SENTENCES.join(" ")}</p></div>`],
  [
    "a copy for machines, in which headings have grown together with sentences",
    `<div>${ALL}</div><div>${SENTENCES.map((text, i) => `${i === 2 ? "A heading of the page " : ""}${text}`).join(" ")}</div>`,
  ],
  ["a copy of most of it", `<div>${ALL}</div><section>${paragraphs(SENTENCES.slice(1, 5))}</section>`],
  ["an introduction repeated", `<p class="lead">${first}</p>${ALL}`],
  [
    "a first paragraph that goes on",
    `<p class="sapo">${first}</p>${ALL.replace("month.", "month, it hopes.")}`.replace("month, it hopes.", "month."),
  ],
  ["an introduction that is cut off", `<div>${first.slice(0, 80).replace(/ \S*$/, "")} …</div>${ALL}`],
  ["a pulled quotation behind its paragraph", `${ALL}<aside><p>“reported no cracks at all”</p></aside>`],
  [
    "a pulled quotation before it",
    ALL.replace(`<p>${second}`, `<blockquote>concrete piles on Sunday and reported no cracks</blockquote><p>${second}`),
  ],
  [
    "a quotation by its class",
    `${ALL}<div class="pullquote-box"><span>the new pier would open to ferries</span></div>`,
  ],
])("%s is read once", (_, html) => {
  expect(read(html)).toEqual(SENTENCES);
});

test("of a copy in paragraphs of its own, the first version stays", () => {
  const whole = SENTENCES.join(" ");
  expect(read(`<div>${whole}</div>${ALL}`)).toEqual([whole]);
});

test("subheadings and lines go with the copy that they stand in, and stay without one", () => {
  const titled = ALL.replace(`<p>${second}`, `<h2>No cracks</h2><p>${second}`);
  expect(read(`<div>${titled}</div><div>${titled}</div>`)).toEqual([first, "No cracks", ...SENTENCES.slice(1)]);
  expect(
    read(`${titled}<h2>No cracks</h2><p>Something else was said of the piles of the new pier by the builders.</p>`),
  ).toContain("Something else was said of the piles of the new pier by the builders.");
});

test.each([
  ["a refrain", `${ALL}<p>${first}</p><p>The last boat left at noon, and nobody on the quay looked back at it.</p>`],
  [
    "steps that come again",
    `${ALL}<ul>${"<li>Walk easily for ten minutes, then run for one minute at an even pace.</li>".repeat(3)}</ul>`,
  ],
  ["one paragraph again and again", `<p>${first}</p>`.repeat(5)],
  ["a short answer", `${ALL}<p>Yes.</p><p>Yes.</p>`],
  ["a quotation that stands nowhere else", `${ALL}<blockquote>We have waited for this pier for ten years</blockquote>`],
  ["a subheading with words of its paragraph", `${ALL}<h3>The council will vote on their request</h3>`],
  [
    "a table with equal cells",
    `${ALL}<table>${"<tr><td>Sold out</td><td>Monday to Friday</td></tr>".repeat(6)}</table>`,
  ],
])("%s stays", (_, html) => {
  const tree = cutBlocks(parsePage(`<html><body>${html}</body></html>`));
  expect(read(html)).toEqual(tree.blocks.map(({ text }) => text));
});

test("the article of a page with a copy for small screens is extracted once", () => {
  const html = `<html><head><title>Pier to open</title></head><body><main><h1>Pier to open</h1><div class="hidden-xs">${ALL}</div><div class="visible-xs">${ALL}</div></main></body></html>`;
  const { content } = extractPage({ html, url: "https://n.example/1" });
  expect(content).toBe(SENTENCES.join("\n\n"));
  const selected = extractPage({ html, url: "https://n.example/1", selectors: { content: "main", remove: ["h1"] } });
  expect(selected.content).toBe(SENTENCES.join("\n\n"));
});
