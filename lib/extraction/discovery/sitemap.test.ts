import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { gatherSitemaps, MAX_SITEMAP, readSitemap, type Sitemap, SitemapError, sitemapText } from "./sitemap.ts";

const url = "https://a.example/sitemaps/news.xml";

test("a news sitemap is read whole, whatever prefixes it uses", () => {
  const source = `<?xml version="1.0" encoding="UTF-8"?>
    <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"
      xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><s:url><s:loc> /news/1?a=1&amp;b=2 </s:loc>
      <s:lastmod>2025-05-14T22:40:00+03:00</s:lastmod><n:news><n:publication><n:name>أخبار</n:name><n:language>ar</n:language>
      </n:publication><n:publication_date>2025-05-14T22:30:00+03:00</n:publication_date><n:title>عنوان &amp; آخر</n:title>
      <n:keywords>world, sport،غزة</n:keywords></n:news><i:image><i:loc>https://img.example/1.jpg</i:loc></i:image></s:url></s:urlset>`;
  expect(readSitemap(source, { url })).toEqual({
    kind: "pages",
    truncated: false,
    pages: [
      {
        url: "https://a.example/news/1?a=1&b=2",
        modifiedAt: "2025-05-14T19:40:00Z",
        news: {
          title: "عنوان & آخر",
          publishedAt: "2025-05-14T19:30:00Z",
          publication: "أخبار",
          language: "ar",
          keywords: ["world", "sport", "غزة"],
        },
        image: "https://img.example/1.jpg",
      },
    ],
  });
});

test("prefixes that nobody declared mean what they usually mean, and bad addresses and copies are left out", () => {
  const read =
    readSitemap(`<urlset><url><loc>https://a.example/1</loc><news:news><news:title>One</news:title></news:news></url>
    <url><loc>https://a.example/1</loc></url><url><loc>javascript:alert(1)</loc></url><url/><url><loc>https://a.example/2</loc></url></urlset>`);
  expect(read).toMatchObject({
    pages: [
      { url: "https://a.example/1", news: { title: "One" } },
      { url: "https://a.example/2", news: null },
    ],
  });
});

test("an index names its files", () => {
  const source = `<sitemapindex xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://a.example/1.xml.gz</loc>
    <lastmod>2025-05-14</lastmod></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`;
  expect(readSitemap(source, { url })).toEqual({
    kind: "index",
    truncated: false,
    files: [
      { url: "https://a.example/1.xml.gz", modifiedAt: "2025-05-14T00:00:00Z" },
      { url: "https://a.example/2.xml", modifiedAt: null },
    ],
  });
});

test("a list of addresses is a sitemap too", () => {
  expect(readSitemap("\ufeffhttps://a.example/1\r\nno address\r\nhttps://a.example/2\n")).toMatchObject({
    pages: [{ url: "https://a.example/1" }, { url: "https://a.example/2" }],
  });
});

test("more pages than the bound are left out, and it says so", () => {
  const source = `<urlset>${Array.from({ length: 20_005 }, (_, i) => `<url><loc>https://a.example/${i}</loc></url>`).join("")}</urlset>`;
  const read = readSitemap(source);
  expect(read.kind === "pages" && read.pages.length).toBe(20_000);
  expect(read.truncated).toBe(true);
});

test.each([
  ["nothing", ""],
  ["an HTML page", "<html><body>not found</body></html>"],
  ["a feed", "<rss><channel/></rss>"],
  ["brackets", "<".repeat(2_000_000)],
  ["elements nested without end", "<a>".repeat(300_000)],
])("%s is no sitemap", (_, source) => {
  expect(() => readSitemap(source)).toThrow(SitemapError);
});

test("entities defined out of each other do not grow", () => {
  const levels = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};&e${i};&e${i};">`).join("");
  const source = `<!DOCTYPE urlset [<!ENTITY e0 "https://a.example/">${levels}]><urlset><url><loc>&e20;</loc></url><url><loc>&e0;</loc></url></urlset>`;
  expect(readSitemap(source)).toMatchObject({ pages: [{ url: "https://a.example/" }] });
});

test("a time without a zone is one of the zone that is given", () => {
  const source = "<urlset><url><loc>/1</loc><lastmod>2024-01-15T10:00:00</lastmod></url></urlset>";
  expect(readSitemap(source, { url, zone: "Asia/Riyadh" })).toMatchObject({
    pages: [{ modifiedAt: "2024-01-15T07:00:00Z" }],
  });
});

test("a sitemap that is made to be slow costs time in proportion", () => {
  const n = 500_000;
  const before = process.cpuUsage();
  readSitemap(
    `<urlset xmlns:a="${"#".repeat(n)}"><url><loc>x${" ".repeat(n)}x</loc><lastmod>${"1 ".repeat(n)}</lastmod></url></urlset>`,
  );
  readSitemap(`http://${" ".repeat(n)}x`);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});

const codeOf = (bytes: Uint8Array) => {
  try {
    sitemapText(bytes);
    return "read";
  } catch (error) {
    return error instanceof SitemapError ? error.code : error;
  }
};

test("gzip is recognised by its bytes, and the charset by what the file says", () => {
  const source = '<?xml version="1.0" encoding="windows-1256"?><urlset>\u0645</urlset>';
  const bytes = Uint8Array.from(source, (character) => (character === "\u0645" ? 0xe3 : character.charCodeAt(0)));
  expect(sitemapText(gzipSync(bytes))).toBe(source);
  expect(sitemapText(bytes)).toBe(source);
});

test("a file that inflates without end, is cut short, or is too large is refused by name", () => {
  expect(codeOf(gzipSync(new Uint8Array(MAX_SITEMAP + 1)))).toBe("too-large");
  expect(codeOf(gzipSync(new Uint8Array(1000).fill(65)).subarray(0, 20))).toBe("not-a-sitemap");
  expect(codeOf(new Uint8Array(MAX_SITEMAP + 1).fill(65))).toBe("too-large");
});

const root = "https://a.example/sitemap.xml";
const index = (...files: [url: string, modifiedAt?: string][]): Sitemap => ({
  kind: "index",
  truncated: false,
  files: files.map(([url, modifiedAt = null]) => ({ url, modifiedAt })),
});
const pages = (...urls: [url: string, modifiedAt?: string][]): Sitemap => ({
  kind: "pages",
  truncated: false,
  pages: urls.map(([url, modifiedAt = null]) => ({ url, modifiedAt, news: null, image: null })),
});

/** Reads from a table and notes what was asked for. */
function reader(table: Record<string, Sitemap | null>) {
  const asked: string[] = [];
  return {
    asked,
    read: async (url: string) => {
      asked.push(url);
      const sitemap = table[url];
      if (sitemap === undefined) throw new Error("not found");
      return sitemap;
    },
  };
}

test("the files of an index are read, the latest first, a failing one named", async () => {
  const { asked, read } = reader({
    [root]: index(
      ["https://a.example/old.xml", "2025-01-01T00:00:00Z"],
      ["https://a.example/gone.xml"],
      ["https://www.a.example/new.xml", "2025-05-01T00:00:00Z"],
    ),
    "https://a.example/old.xml": pages(["https://a.example/1"]),
    "https://www.a.example/new.xml": pages(["https://a.example/2"], ["https://a.example/1"]),
  });
  const gathered = await gatherSitemaps(root, { read });
  expect(asked).toEqual([
    root,
    "https://www.a.example/new.xml",
    "https://a.example/old.xml",
    "https://a.example/gone.xml",
  ]);
  expect(gathered.pages.map(({ url }) => url)).toEqual(["https://a.example/2", "https://a.example/1"]);
  expect(gathered.problems.map(({ url }) => url)).toEqual(["https://a.example/gone.xml"]);
});

test("files and pages of other sites, and those from before the time, are passed over", async () => {
  const { asked, read } = reader({
    [root]: index(
      ["https://evil.example.org/x.xml"],
      ["https://a.example/old.xml", "2024-01-01T00:00:00Z"],
      ["https://a.example/1.xml"],
    ),
    "https://a.example/1.xml": pages(
      ["https://other.example.org/1"],
      ["https://a.example/old", "2024-01-01T00:00:00Z"],
      ["https://a.example/new", "2025-05-01T00:00:00Z"],
    ),
  });
  const gathered = await gatherSitemaps(root, { read, since: "2025-01-01T00:00:00Z" });
  expect(asked).toEqual([root, "https://a.example/1.xml"]);
  expect(gathered.pages.map(({ url }) => url)).toEqual(["https://a.example/new"]);
});

test("an index that names itself, or others without end, ends", async () => {
  let made = 0;
  const endless = async () => index([root], [`https://a.example/${++made}.xml`], [`https://a.example/${++made}.xml`]);
  const deep = await gatherSitemaps(root, { read: endless, maxDepth: 1, maxFiles: 100 });
  expect(deep).toEqual({ pages: [], problems: [] });
  expect(made).toBe(6);
  made = 0;
  await gatherSitemaps(root, { read: endless, maxDepth: 100, maxFiles: 10 });
  expect(made).toBe(20);
});

test("no more pages come back than asked for; a file that has not changed brings none", async () => {
  const { read } = reader({
    [root]: pages(["https://a.example/1"], ["https://a.example/2"]),
    "https://a.example/same.xml": null,
  });
  expect((await gatherSitemaps(root, { read, maxPages: 1 })).pages).toHaveLength(1);
  expect(await gatherSitemaps("https://a.example/same.xml", { read })).toEqual({ pages: [], problems: [] });
});

test("it stops when its signal aborts", async () => {
  const abort = new AbortController();
  const read = async () => {
    abort.abort(new Error("enough"));
    return index(["https://a.example/1.xml"]);
  };
  const outcome = await gatherSitemaps(root, { read, signal: abort.signal }).catch((error: unknown) => error);
  expect(outcome).toEqual(new Error("enough"));
});
