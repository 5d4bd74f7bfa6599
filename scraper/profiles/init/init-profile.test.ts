import { afterAll, beforeEach, expect, test } from "bun:test";
import { createTaxonomy, loadConfig } from "@isnad/lib/service/config";
import { createMemoryLeaseStore } from "@isnad/lib/web/egress";
import { feedOf, startSite, storyPage, storyText, type TestSite } from "../../crawl/testing.ts";
import { ReaderPool } from "../../../lib/extraction/reader/pool.ts";
import { createProfileSchema } from "../schema.ts";
import { InitError, type InitOptions, initProfile } from "./init-profile.ts";
import { createClients } from "../../crawl/create-crawler.ts";

const reader = new ReaderPool();
const now = Date.UTC(2026, 0, 15, 12);
let site: TestSite;
beforeEach(async () => {
  await site?.stop();
  site = await startSite();
});
afterAll(async () => {
  await Promise.all([site.stop(), reader.close()]);
});

const { signal } = new AbortController();
const taxonomy = createTaxonomy({
  version: "1",
  categories: ["politics", "sport"],
  labels: { "*": { رياضة: "sport" } },
});
const config = loadConfig({ SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1" });

/** Each with a client of its own, which knows no robots.txt yet. */
function init(path = "/", over: Partial<InitOptions> = {}) {
  const client = createClients({ config, leases: createMemoryLeaseStore() })();
  const options = {
    url: site.url + path,
    articles: 3,
    minDelayMs: 0,
    taxonomy,
    now,
    signal,
    ...over,
  };
  return initProfile({ client, product: "IsnadBot", reader }, options);
}

const ARABIC =
  "قررت بلدية المدينة القديمة يوم الاثنين أن تغلق الجسر الذي يعبر النهر، وقال المهندسون إن أعمال الإصلاح تستمر ثلاثة أشهر على الأقل، فيما طالب السكان بعبّارة مجانية إلى أن تنتهي.";

function arabicPage(title: string, design: (text: string) => string): string {
  const text = Array.from({ length: 6 }, (_, i) => `<p>${ARABIC} وهذه فقرة ${title} رقم ${i}.</p>`).join("\n");
  return `<html lang="ar"><head><title>${title} | الورق</title></head><body>${design(text)}</body></html>`;
}

function putSite({ design = (text: string) => `<article><h1>T</h1>${text}</article>`, home = "" } = {}): void {
  site.set("/", {
    body: `<html lang="ar"><head><title>الرئيسية | الورق</title><meta property="og:site_name" content="الورق">
      <meta property="og:locale" content="ar_EG">${home}</head><body>${[1, 2, 3].map((n) => `<a href="/news/${n}">x</a>`).join("")}</body></html>`,
  });
  const entries = [1, 2, 3].map((n) => {
    site.set(`/news/${n}`, { body: arabicPage(`خبر ${n}`, design) });
    return { url: `${site.url}/news/${n}`, title: `خبر ${n}`, published: `Thu, 15 Jan 2026 0${n}:00:00 +0200` };
  });
  site.set("/rss/all.xml", { type: "text/xml", body: feedOf(entries) });
  site.set("/rss/sport.xml", {
    type: "text/xml",
    body: feedOf([
      {
        url: `${site.url}/news/9`,
        title: "المباراة",
        published: "Thu, 15 Jan 2026 01:00:00 +0200",
        more: "<category>رياضة</category><category>ملاعب</category>",
      },
    ]),
  });
}

const LINK = '<link rel="alternate" type="application/rss+xml" title="الورق" href="/rss/all.xml">';

test("a site's own words make a profile that is valid: feeds, news sitemap, language, zone, name", async () => {
  const comments = '<link rel="alternate" type="application/rss+xml" title="تعليقات" href="/comments/feed">';
  putSite({ home: `${LINK}${comments}<link rel="alternate" type="application/rss+xml" href="/rss/sport.xml">` });
  site.set("/robots.txt", { type: "text/plain", body: `Sitemap: ${site.url}/maps.xml` });
  site.set("/maps.xml", {
    type: "text/xml",
    body: `<sitemapindex><sitemap><loc>${site.url}/pages.xml</loc></sitemap><sitemap><loc>${site.url}/news.xml</loc></sitemap></sitemapindex>`,
  });
  site.set("/news.xml", {
    type: "text/xml",
    body: `<urlset xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>${site.url}/news/1</loc><news:news><news:title>خبر</news:title></news:news></url></urlset>`,
  });
  const { profile, report } = await init();
  expect(profile).toEqual({
    $schema: "./profile.schema.json",
    name: "127-0-0-1-ar",
    provider: "127-0-0-1-ar",
    enabled: false,
    language: "ar",
    schedule: "7 * * * *",
    timezone: "Africa/Cairo",
    source: { id: "127-0-0-1-ar", name: "الورق", tier: 3, homepage: `${site.url}/` },
    feeds: [{ url: `${site.url}/rss/all.xml` }, { url: `${site.url}/rss/sport.xml`, category: "sport" }],
    sitemaps: [{ url: `${site.url}/news.xml` }],
    politeness: { min_delay_ms: 2000, concurrency: 1 },
  });
  expect(() => createProfileSchema(["politics", "sport"]).parse(profile)).not.toThrow();
  expect(report).toMatchObject({
    zone: { isSure: true },
    sitemap: { isNews: true, pages: 1 },
    articles: [
      { isReadWell: true },
      { url: `${site.url}/news/2`, isReadWell: true },
      { isReadWell: true },
      { why: "answers 404" },
    ],
    proposals: [],
    labels: [
      { label: "رياضة", count: 1, category: "sport" },
      { label: "ملاعب", count: 1, category: null },
    ],
  });
  expect(site.paths()).not.toContain("/comments/feed");
});

test("a feed in a usual place is found where the page names none, and a feed's own address leads to its site", async () => {
  putSite();
  site.set("/feed/", { type: "text/xml", body: feedOf([{ url: `${site.url}/news/1`, title: "خبر 1" }]) });
  expect((await init()).profile).toMatchObject({ feeds: [{ url: `${site.url}/feed/` }], language: "ar" });
  site.set("/own.xml", {
    type: "text/xml",
    body: feedOf([{ url: `${site.url}/news/1`, title: "خبر 1" }]).replace("<item>", `<link>${site.url}/</link><item>`),
  });
  const { profile } = await init("/own.xml", { name: "paper" });
  expect(profile).toMatchObject({
    name: "paper",
    feeds: [{ url: `${site.url}/own.xml` }],
    source: { homepage: `${site.url}/` },
  });
});

test("a selector is proposed where articles are not read well, and it helps", async () => {
  // Lines of three words in boxes, below a long list of links, look like a list.
  const links = Array.from({ length: 80 }, (_, i) => `<li><a href="/x/${i}">${ARABIC.slice(0, 60)} ${i}</a></li>`).join(
    "",
  );
  const design = (text: string) => {
    const words = text
      .replace(/<[^>]*>/g, " ")
      .split(/\s+/)
      .slice(0, 110);
    const lines = Array.from({ length: 36 }, (_, i) => `<div>${words.slice(i * 3, i * 3 + 3).join(" ")}</div>`);
    return `<ul>${links}</ul><div class="newstext">${lines.join("")}</div>`;
  };
  putSite({ design, home: LINK });
  const { profile, report } = await init();
  expect(report.articles.filter(({ isReadWell }) => isReadWell)).toEqual([]);
  expect(report.proposals).toContainEqual({ field: "content", selector: ".newstext", pages: 3 });
  expect(profile).toMatchObject({ article: { content: ".newstext" } });
});

test("without feed and sitemap the front page's links are taken, with a note", async () => {
  const titles = Array.from({ length: 8 }, (_, i) => `The council met again for the ${i}th time`);
  const items = titles.map((title, i) => `<li><h3><a href="/story-about-the-council-${i}">${title}</a></h3></li>`);
  const nav = '<nav><a href="/about">About</a><a href="/contact">Contact us now please</a></nav>';
  site.set("/", {
    body: `<html lang="en"><title>The Paper</title><body>${nav}<ul>${items.join("")}</ul></body></html>`,
  });
  for (const [i, title] of titles.entries()) {
    site.set(`/story-about-the-council-${i}`, { body: storyPage(title, storyText(`council ${i}`)) });
  }
  const { profile, report } = await init();
  expect(profile).toMatchObject({
    name: "127-0-0-1-en",
    source: { name: "The Paper" },
    list_pages: [{ url: `${site.url}/`, link_selector: "h3 a" }],
  });
  expect(report.notes.join()).toContain("no feed and no sitemap");
});

test("whole texts of a feed are taken where its pages cannot be read", async () => {
  putSite({ home: LINK });
  const entries = [1, 2].map((n) => {
    site.set(`/paid/${n}`, { status: 403 });
    const more = `<content:encoded><![CDATA[<p>${ARABIC.repeat(8)}</p>]]></content:encoded>`;
    return { url: `${site.url}/paid/${n}`, title: `خبر ${n}`, more };
  });
  site.set("/rss/all.xml", { type: "text/xml", body: feedOf(entries) });
  const { profile, report } = await init();
  expect(profile).toMatchObject({ full_text: "feed", language: "ar" });
  expect(report.notes.join()).toContain("answers 403");
});

test("robots.txt is obeyed, and a site that shows nothing is refused with the reason", async () => {
  putSite({ home: LINK });
  site.set("/robots.txt", { type: "text/plain", body: "User-agent: *\nDisallow: /rss/\nDisallow: /news/" });
  await expect(init()).rejects.toThrow(InitError);
  expect(site.paths().filter((path) => /^\/(?:rss|news)\//.test(path))).toEqual([]);
  await expect(init("/gone")).rejects.toThrow("/gone cannot be had: answers 404");
});

test("a private address is not asked", async () => {
  const client = createClients({ config: loadConfig({}), leases: createMemoryLeaseStore() })();
  const options = { url: site.url, articles: 1, minDelayMs: 0, taxonomy, now, signal };
  await expect(initProfile({ client, product: "IsnadBot", reader }, options)).rejects.toThrow("private-address");
  expect(site.seen).toEqual([]);
});
