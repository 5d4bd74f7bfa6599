import { afterAll, beforeAll, expect, test } from "bun:test";
import { URL } from "node:url";
import { readFeed } from "@isnad/lib/web/feeds";
import { readNewsroom } from "./newsroom.ts";
import { type DemoSite, escaped, pathOf, scriptJson, startSite } from "./site.ts";

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
