import { expect, test } from "bun:test";
import { isoLocalTime, isoTime } from "../../text/dates/mod.ts";
import { cutBlocks } from "../body/blocks.ts";
import { gatherFacts } from "../body/facts.ts";
import { parsePage } from "../page/dom.ts";
import { readLinkedData, readMeta } from "../page/metadata.ts";
import { findTimes } from "./published.ts";

const NOW = Date.UTC(2025, 4, 14, 15, 20);
const find = (body: string, url = "https://a.example/news/1", options = {}) => {
  const html = `<html><head></head><body>${body}</body></html>`;
  const document = parsePage(html);
  const facts = gatherFacts(cutBlocks(document), "Floods in the north");
  const [linked, meta] = [readLinkedData(document), readMeta(document)];
  return findTimes({ document, html, linked, meta, facts, url, options, now: NOW });
};
const day = (body: string, url?: string, options = {}) =>
  isoTime(find(body, url, options).published)?.slice(0, 10) ?? null;
const heading = "<h1>Floods in the north</h1>";
const modified = (content: string) => `<meta property="article:modified_time" content="${content}">`;
const published = (content: string) => `<meta property="article:published_time" content="${content}">`;

test("metadata count before a date beside the title, be it today's, that of a teaser or of an update", () => {
  const head = `${published("2025-05-14T10:00:00Z")}${modified("2025-06-01T10:00:00Z")}`;
  for (const shown of ["15 May 2025", "2 June 2025", "1 May 2025", "Updated 2 June 2025", "الأحد 2 يونيو 2025"]) {
    expect(day(`${head}${heading}<p>${shown}</p>`)).toBe("2025-05-14");
  }
});

test("a day that the page calls that of publication, or marks and that lies before metadata of a mere saving, counts before them", () => {
  const saved = `${published("2025-05-14T10:00:00Z")}${modified("2025-05-14T10:05:00Z")}`;
  expect(day(`${published("2025-05-14T10:00:00Z")}${heading}<p>Published 2 June 2025</p>`)).toBe("2025-06-02");
  expect(day(`${saved}${heading}<p class="date">2 March 2019</p>`)).toBe("2019-03-02");
  expect(day(`${saved}${heading}<p>2 March 2019</p>`)).toBe("2025-05-14");
  expect(day(`${saved}${heading}<p class="date">2 June 2025</p>`)).toBe("2025-05-14");
});

test("a day that is still to come is none of publication", () => {
  const options = { notAfter: Date.UTC(2025, 5, 1), dayFirst: true };
  const head = published("2031-01-01");
  expect(day(`${head}${heading}<p>14 May 2025</p>`, undefined, options)).toBe("2025-05-14");
  expect(day(`${heading}<p>The summit opens on 9 September 2025</p>`, undefined, options)).toBeNull();
  expect(day(`${published("11/05/2025")}${heading}`, undefined, { ...options, dayFirst: false })).toBe("2025-05-11");
});

test("a date that may be read two ways is read as one on the page that may not", () => {
  const body = `${heading}<p>02-03-2025</p><footer>Last seen on February 3, 2025</footer>`;
  expect(day(body, undefined, { dayFirst: true })).toBe("2025-02-03");
});

test.each([
  ["١٢ رمضان ١٤٤٥ هـ", "2024-03-22"],
  ["الجمعة 12 رمضان 1445 هـ الموافق 22 مارس 2024 م", "2024-03-22"],
])("a Hijri date beside the title is read: %s", (shown, expected) => {
  expect(day(`${heading}<p>${shown}</p>`, undefined, { dayFirst: true })).toBe(expected);
});

test("of a date and that of an update in one line, the first is that of publication", () => {
  expect(day(`${heading}<p>December 3, 2025. <i>Updated: December 7, 2025</i></p>`)).toBe("2025-12-03");
  expect(day(`${heading}<p>News<span>DECEMBER 3, 2025</span><span>Updated: DECEMBER 7, 2025</span></p>`)).toBe(
    "2025-12-03",
  );
});

test("the one time element of a page counts before a date in its text", () => {
  const time = '<time datetime="2025-05-14">yesterday</time>';
  expect(day(`${heading}<p>The season ends on 15 April 2025.</p>${time}`)).toBe("2025-05-14");
});

test("a date in numbers agrees with the metadata in either order", () => {
  expect(day(`${published("2024-09-10T16:00:00Z")}${heading}<p>09.10.2024</p>`)).toBe("2024-09-10");
});

test("the publisher's own day is kept beside the moment", () => {
  const { published: found } = find(`${published("2020-04-12T18:00:00-07:00")}${heading}`);
  expect(isoTime(found)).toBe("2020-04-13T01:00:00Z");
  expect(isoLocalTime(found)).toBe("2020-04-12T18:00:00-07:00");
});

test.each([
  ["of the address", "", "https://a.example/2025/05/14/floods", "2025-05-14"],
  ["of the address, month in words", "<p>x 03/10/2023</p>", "https://a.example/2023/october/03/floods", "2023-10-03"],
  ["beside the title", `${heading}<p>نُشر في ١٤ مايو ٢٠٢٥</p>`, undefined, "2025-05-14"],
  [
    "that the text calls the first",
    `${heading}<p>This story was originally published on May 1, 2020.</p>`,
    undefined,
    "2020-05-01",
  ],
  ["of a time element", `<time datetime="2025-05-14T10:00:00Z">then</time>`, undefined, "2025-05-14"],
  ["in the page's scripts", `<script>var x = {"publishDate":"2025-05-14T10:00:00Z"}</script>`, undefined, "2025-05-14"],
  [
    "in escaped data",
    `<div data-x="{&quot;datePublished&quot;:&quot;2025-05-14&quot;}"></div>`,
    undefined,
    "2025-05-14",
  ],
  ["of the last change", `<meta property="article:modified_time" content="2025-05-14">`, undefined, "2025-05-14"],
])("without metadata the date %s counts", (_, body, url, expected) => {
  expect(day(body, url)).toBe(expected);
});

test("a page without a date has none; a date in running text is not the article's", () => {
  expect(day(heading)).toBeNull();
  expect(
    day(
      `${heading}${"<p>filler</p>".repeat(40)}<p>The war that began on 1 September 1939 had been expected for years by many who ${"wrote ".repeat(20)}.</p>`,
    ),
  ).toBeNull();
});

test("how long ago a line of the article's head says it was counts where nothing else says when", () => {
  const text =
    "<p>The council said on Tuesday that the work in the flooded cities of the north went on as planned.</p>";
  const time = (body: string) => isoTime(find(body).published);
  for (const line of ["<p>3 hours ago</p>", "<span>منذ 3 ساعات</span>", "<p>Layla Haddad · 3 hours ago</p>"]) {
    expect(time(`${heading}${line}${text}`)).toBe("2025-05-14T12:00:00Z");
  }
  expect(time(`${heading}${text}<p>3 hours ago</p>${text}`)).toBe("2025-05-14T12:00:00Z");
  expect(time(`${modified("2025-05-01T10:00:00Z")}${heading}<p>3 hours ago</p>${text}`)).toBe("2025-05-01T10:00:00Z");
  for (const other of [
    "<p>Updated 3 hours ago</p>",
    '<div class="related"><p>3 hours ago</p></div>',
    `${text}${text}<p>3 hours ago</p>`,
    "<p>It began 3 hours ago, said the council.</p>",
    '<p><a href="/2">The other story, 3 hours ago</a></p>',
  ]) {
    expect(time(`${heading}${other}${text}`)).toBeNull();
  }
});
