import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "@isnad/lib/service/cli";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it stands between tags and in attributes, of HTML and of XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** JSON as it may stand in a script element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** Holds what the pages of each language say of the paper, and its reading direction. */
const PAPERS = {
  ar: { name: "المرسى", dir: "rtl", more: "اقرأ أيضًا", home: "الرئيسية", rights: "جميع الحقوق محفوظة" },
  en: { name: "Almarsa", dir: "ltr", more: "Read also", home: "Home", rights: "All rights reserved" },
} as const;

/** Returns the path of an article on the site. */
export function pathOf({ lang, slug }: Pick<DemoArticle, "lang" | "slug">): string {
  return `/${lang}/2026/${slug}`;
}

/** Returns the page of one article as papers make them: navigation and links around the text, the facts in JSON-LD. */
function articlePage(article: DemoArticle, others: readonly DemoArticle[], origin: string): string {
  const { lang, title, content, publishedAt, author, section } = article;
  const paper = PAPERS[lang];
  const address = origin + pathOf(article);
  const facts = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: title,
    datePublished: publishedAt,
    author: { "@type": "Person", name: author },
    articleSection: section,
    mainEntityOfPage: address,
    publisher: { "@type": "NewsMediaOrganization", name: paper.name },
  };
  const head = `<link rel="canonical" href="${escaped(address)}">
<meta property="og:type" content="article"><meta property="og:title" content="${escaped(title)}">
<script type="application/ld+json">${scriptJson(facts)}</script>`;
  const text = content
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escaped(paragraph)}</p>`)
    .join("\n");
  const day = publishedAt.slice(0, 10);
  return page(lang, `${title} | ${paper.name}`, head, [
    `<article><h1>${escaped(title)}</h1>
<p class="byline"><span class="author">${escaped(author)}</span> <time datetime="${publishedAt}">${day}</time></p>
<div class="body">${text}</div></article>
<aside><h2>${paper.more}</h2>${links(others)}</aside>`,
  ]);
}

/** Returns the list of all articles of one language. */
function listPage(lang: "ar" | "en", articles: readonly DemoArticle[]): string {
  const paper = PAPERS[lang];
  return page(lang, paper.name, "", [`<main><h1>${paper.name}</h1>${links(articles)}</main>`]);
}

function links(articles: readonly DemoArticle[]): string {
  const items = articles.map((article) => `<li><a href="${pathOf(article)}">${escaped(article.title)}</a></li>`);
  return `<ul>${items.join("")}</ul>`;
}

function page(lang: "ar" | "en", title: string, head: string, body: readonly string[]): string {
  const paper = PAPERS[lang];
  const feed = `<link rel="alternate" type="application/rss+xml" href="/${lang}/feed.xml">`;
  return `<!doctype html>
<html lang="${lang}" dir="${paper.dir}"><head><meta charset="utf-8"><title>${escaped(title)}</title>${feed}
${head}</head><body>
<header><a href="/${lang}/">${paper.name}</a><nav><a href="/${lang}/">${paper.home}</a> <a href="/ar/">عربي</a> <a href="/en/">English</a></nav></header>
${body.join("\n")}
<footer>© 2026 ${paper.name}. ${paper.rights}.</footer></body></html>`;
}

/** Returns the articles as an RSS 2.0 feed with the first paragraph of each. */
function rssFeed(lang: "ar" | "en", articles: readonly DemoArticle[], origin: string): string {
  const items = articles.map((article) => {
    const address = escaped(origin + pathOf(article));
    const [lead = ""] = article.content.split(/\n\s*\n/);
    return `<item><title>${escaped(article.title)}</title><link>${address}</link><guid>${address}</guid>
<pubDate>${new Date(article.publishedAt).toUTCString()}</pubDate><dc:creator>${escaped(article.author)}</dc:creator>
<category>${escaped(article.section)}</category><description>${escaped(lead)}</description></item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>${PAPERS[lang].name}</title><link>${escaped(origin)}/${lang}/</link><language>${lang}</language>
<description>${PAPERS[lang].name}</description>
${items.join("\n")}
</channel></rss>`;
}

/** Returns the articles as a sitemap for news. */
function newsSitemap(lang: "ar" | "en", articles: readonly DemoArticle[], origin: string): string {
  const entries = articles.map(
    (article) => `<url><loc>${escaped(origin + pathOf(article))}</loc><news:news>
<news:publication><news:name>${PAPERS[lang].name}</news:name><news:language>${lang}</news:language></news:publication>
<news:publication_date>${article.publishedAt}</news:publication_date><news:title>${escaped(article.title)}</news:title>
</news:news></url>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
${entries.join("\n")}
</urlset>`;
}

/** A running site of the demo newsroom. */
export type DemoSite = { origin: string; close(): Promise<void> };

type Page = { type: string; body: string };

/** Links to other articles on an article's page. */
const LINKS = 5;

/**
 * Serves the newsroom on loopback as papers do: lists, article pages, a feed in Arabic, a news sitemap in English,
 * robots.txt, and 304 for what has not changed. `port` 0 takes any free one. Throws CommandError when the port is in
 * use.
 */
export async function startSite(articles: readonly DemoArticle[], port: number): Promise<DemoSite> {
  let pages: ReadonlyMap<string, Page> = new Map();
  const server = createServer((request, response) => answer(pages, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new CommandError(`the demo's site cannot listen on 127.0.0.1:${port} (DEMO_SITE_PORT): ${cause.message}`)),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`;
  pages = pagesOf(articles, origin);
  return {
    origin,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns every page of the site by its path. */
function pagesOf(articles: readonly DemoArticle[], origin: string): Map<string, Page> {
  const html = "text/html; charset=utf-8";
  const xml = "application/xml; charset=utf-8";
  const pages = new Map<string, Page>([
    ["/robots.txt", { type: "text/plain; charset=utf-8", body: "User-agent: *\nDisallow: /drafts/\n" }],
  ]);
  for (const lang of ["ar", "en"] as const) {
    const own = articles
      .filter((article) => article.lang === lang)
      .sort((a, b) => b.publishedAt.localeCompare(a.publishedAt));
    pages.set(`/${lang}/`, { type: html, body: listPage(lang, own) });
    pages.set(`/${lang}/feed.xml`, { type: xml, body: rssFeed(lang, own, origin) });
    pages.set(`/${lang}/news-sitemap.xml`, { type: xml, body: newsSitemap(lang, own, origin) });
    own.forEach((article, i) => {
      const others = [...own.slice(i + 1), ...own.slice(0, i)].slice(0, LINKS);
      pages.set(pathOf(article), { type: html, body: articlePage(article, others, origin) });
    });
  }
  pages.set("/", pages.get("/ar/") ?? { type: html, body: "" });
  return pages;
}

function answer(pages: ReadonlyMap<string, Page>, request: IncomingMessage, response: ServerResponse): void {
  const page = pages.get(new URL(request.url ?? "/", "http://site").pathname);
  if (page === undefined) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("404\n");
    return;
  }
  const etag = `"${createHash("sha256").update(page.body).digest("base64url").slice(0, 16)}"`;
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  response.writeHead(200, { "content-type": page.type, etag }).end(request.method === "HEAD" ? undefined : page.body);
}

/** An article of the demo newsroom. */
export type DemoArticle = {
  /** Unique in the newsroom; the last part of its address. */
  slug: string;
  lang: "ar" | "en";
  title: string;
  /** Paragraphs, an empty line between them. */
  content: string;
  /** ISO 8601 UTC. */
  publishedAt: string;
  author: string;
  /** The newsroom's own name of the section. */
  section: string;
};

const HEADER = ["title", "date", "author", "category"] as const;

/** Reads the demo newsroom: one file an article, `articles/<language>/<slug>.md`. Throws when a file is malformed. */
export function readNewsroom(): DemoArticle[] {
  const dir = fileURLToPath(new URL("articles", import.meta.url).href);
  return (["ar", "en"] as const).flatMap((lang) =>
    readdirSync(join(dir, lang))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => parseArticle(readFileSync(join(dir, lang, name), "utf8"), lang, name.slice(0, -3))),
  );
}

/** Reads the reports of other papers, which are pushed: the slug of each is its source. */
export function readWire(): DemoArticle[] {
  const dir = fileURLToPath(new URL("articles/wire", import.meta.url).href);
  return readdirSync(dir)
    .sort()
    .map((name) => parseArticle(readFileSync(join(dir, name), "utf8"), "en", name.slice(0, -3)));
}

/** Reads one article: header lines `key: value`, a blank line, the text. Throws when a header line is missing. */
export function parseArticle(source: string, lang: "ar" | "en", slug: string): DemoArticle {
  const end = source.indexOf("\n\n");
  const header = new Map(
    source
      .slice(0, end)
      .split("\n")
      .map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2).trim()] as const;
      }),
  );
  const [title = "", date = "", author = "", section = ""] = HEADER.map((key) => header.get(key));
  const content = source.slice(end + 2).trim();
  if (end < 0 || content === "" || !title || !date || !author || !section) {
    throw new Error(`${lang}/${slug}.md: expected the lines ${HEADER.join(", ")}, a blank line and a text`);
  }
  return { slug, lang, title, content, publishedAt: new Date(date).toISOString(), author, section };
}
