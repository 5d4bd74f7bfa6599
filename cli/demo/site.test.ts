import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { readFeed } from "@isnad/lib/web/feeds";
import { type DemoSite, escaped, parseArticle, pathOf, readNewsroom, readWire, scriptJson, startSite } from "./site.ts";

const articles = readNewsroom();
const arabic = articles.filter(({ lang }) => lang === "ar");
let site: DemoSite;
beforeAll(async () => {
  site = await startSite(articles, 0);
});
afterAll(() => site.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(new URL(path, site.origin), { headers });

test("every article has a page with its title and all its paragraphs", async () => {
  for (const article of articles) {
    const html = await (await get(pathOf(article))).text();
    expect(html).toContain(`<h1>${escaped(article.title)}</h1>`);
    for (const paragraph of article.content.split(/\n\s*\n/)) expect(html).toContain(`<p>${escaped(paragraph)}</p>`);
  }
});

test("the Arabic feed lists the Arabic articles, newest first, at addresses of this site", async () => {
  const feed = readFeed(await (await get("/ar/feed.xml")).text(), { url: `${site.origin}/ar/feed.xml` });
  expect(feed.entries.map(({ title }) => title).sort()).toEqual(arabic.map(({ title }) => title).sort());
  const times = feed.entries.map(({ publishedAt }) => publishedAt ?? "");
  expect(times).toEqual([...times].sort().reverse());
  for (const { link } of feed.entries) expect(link).toStartWith(`${site.origin}/ar/2026/`);
});

test("the English news sitemap names every English article", async () => {
  const xml = await (await get("/en/news-sitemap.xml")).text();
  expect(xml.match(/<url>/g)?.length).toBe(articles.length - arabic.length);
});

test("what has not changed is answered with 304, what is not there with 404", async () => {
  const first = await get("/ar/feed.xml");
  const again = await get("/ar/feed.xml", { "if-none-match": first.headers.get("etag") ?? "" });
  expect([first.status, again.status, (await get("/ar/2026/absent")).status]).toEqual([200, 304, 404]);
});

test("a port in use is told by the name of its option", async () => {
  const port = Number(new URL(site.origin).port);
  const message = await startSite(articles, port).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(message).toContain("DEMO_SITE_PORT");
});

test("text cannot leave its place in the markup", () => {
  expect(escaped(`<b a="1">'&`)).toBe("&lt;b a=&quot;1&quot;&gt;&#39;&amp;");
  expect(scriptJson("</script>")).not.toContain("</");
});

test("the newsroom has about 40 articles, Arabic and English", () => {
  const arabic = articles.filter((article) => article.lang === "ar").length;
  expect(articles.length).toBeGreaterThanOrEqual(38);
  expect(arabic).toBeGreaterThanOrEqual(22);
  expect(articles.length - arabic).toBeGreaterThanOrEqual(14);
});

test.each(articles.map((article) => [article.slug, article] as const))(
  "%s keeps the limits of the ingest route with room to spare",
  (_slug, { title, content, publishedAt }) => {
    expect(Array.from(content.replace(/\s+/g, " ")).length).toBeWithin(500, 1200);
    expect(Array.from(title).length).toBeWithin(20, 120);
    expect(publishedAt).toMatch(/^2026-0[1-3]-\d\dT/);
  },
);

test("slugs, titles and texts are all different", () => {
  for (const key of ["slug", "title", "content"] as const) {
    expect(new Set(articles.map((article) => article[key])).size).toBe(articles.length);
  }
});

test("the profile maps every section to a category of the taxonomy, and at least eight categories occur", () => {
  const file = readFileSync(new URL("../../profiles/demo.json", import.meta.url), "utf8");
  const { category_map: map }: { category_map: Record<string, string> } = JSON.parse(file);
  const known = new Set(loadTaxonomy().categories);
  const categories = articles.map(({ section }) => map[section] ?? "");
  expect(categories.filter((category) => !known.has(category))).toEqual([]);
  expect(new Set(categories).size).toBeGreaterThanOrEqual(8);
});

test("Arabic texts are Arabic and carry diacritics, English texts are English", () => {
  for (const { lang, content } of articles) {
    const arabic = content.match(/\p{Script=Arabic}/gu)?.length ?? 0;
    expect(arabic / content.length > 0.5).toBe(lang === "ar");
    expect(lang === "en" || /[\u064B-\u0652]/.test(content)).toBe(true);
  }
});

test("a file without one of the header lines, or without text, is refused by name", () => {
  const whole = "title: t\ndate: 2026-01-01\nauthor: a\ncategory: c\n\nText.";
  expect(parseArticle(whole, "en", "x").content).toBe("Text.");
  for (const part of ["title: t\n", "author: a\n", "\n\nText."]) {
    expect(() => parseArticle(whole.replace(part, ""), "en", "x")).toThrow("en/x.md");
  }
});

test("reports of other papers are of three sources, in the order of their names", () => {
  expect(readWire().map(({ slug }) => slug)).toEqual(["coast-weekly", "sahlan-courier", "sahlan-news-agency"]);
});
