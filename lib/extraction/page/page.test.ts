import { expect, test } from "bun:test";
import { defuse, oneLine, overlap, parsePage, plainText, wordsOf } from "./dom.ts";
import { firstMeta, readMeta, statedTitle } from "./metadata.ts";
import { sameSite, siteOf } from "./addresses.ts";

test("only what would make the parser slow is taken out of a page", () => {
  const usual = `<p class="a">1 < 2 and 3 <4</p><a ${'x="y" '.repeat(100)}>`;
  expect(defuse(usual)).toBe(usual);
  expect(defuse(`${"<".repeat(2000)}p>x`)).not.toContain("<<");
  const attributes = Array.from({ length: 10_000 }, (_, i) => `a${i}="1"`).join(" ");
  expect(defuse(`<div ${attributes}>x</div>`)).toBe("<div>x</div>");
  const image = `<img src="data:image/png;base64,${"A".repeat(50_000)}">`;
  expect(defuse(image)).toBe(image);
});

test("a fragment is parsed as the body of a page", () => {
  const document = parsePage("<p>one</p>two");
  expect(document.querySelector("body > p")?.textContent).toBe("one");
  expect(parsePage("").querySelector("p")).toBeNull();
});

test("meta elements are found by name, property or itemprop, the first of the names asked for", () => {
  const meta = readMeta(
    parsePage(`<head><meta name="Author" content=" A  B "><meta property="og:title article:title" content="T"><meta property="og:title" content="U">
    <meta itemprop="datePublished" content="2025"><meta name="empty" content=" "></head>`),
  );
  expect(meta.get("og:title")).toEqual(["T", "U"]);
  expect(firstMeta(meta, ["nothing", "empty", "author"])).toBe("A B");
  expect(firstMeta(meta, ["datepublished"])).toBe("2025");
  expect(firstMeta(meta, ["nothing"])).toBe("");
});

test("words do not grow together across elements", () => {
  const text = (html: string) => plainText(parsePage(html).documentElement ?? never());
  expect(oneLine(text("<body><p>one<br>two</p><p>thr<b>ee</b></p><script>x</script></body>"))).toBe("one two three");
});

test("the stated title is that of Open Graph, else the document's", () => {
  expect(statedTitle(parsePage(`<head><title>D</title><meta property="og:title" content=" O  G "></head>`))).toBe(
    "O G",
  );
  expect(statedTitle(parsePage("<head><title>D\n E</title></head>"))).toBe("D E");
  expect(statedTitle(parsePage("<p>x</p>"))).toBe("");
});

test("words are letters, marks and digits; their overlap is that of sets", () => {
  expect(wordsOf("Al-Quds: مُحَمَّد 2025!")).toEqual(["al", "quds", "مُحَمَّد", "2025"]);
  expect(overlap(new Set(["a", "b"]), new Set(["b", "c"]))).toBe(0.5);
  expect(overlap(new Set(), new Set(["a"]))).toBe(0);
});

test.each([
  ["www.bbc.co.uk", "bbc.co.uk"],
  ["news.example.com", "example.com"],
  ["EXAMPLE.com.", "example.com"],
  ["a.b.com.sa", "b.com.sa"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "[::1]"],
  ["localhost", "localhost"],
])("the site of %s is %s", (host, site) => {
  expect(siteOf(host)).toBe(site);
});

test("two addresses are of one site, or one of them is no address", () => {
  expect(sameSite("https://a.example.com/1", "http://www.example.com/")).toBe(true);
  expect(sameSite("https://example.com/", "https://example.org/")).toBe(false);
  expect(sameSite("/relative", "https://example.org/")).toBe(false);
});

function never(): never {
  throw new Error("the page has no element");
}
