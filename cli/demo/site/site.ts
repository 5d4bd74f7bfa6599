import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { CommandError } from "@isnad/lib/service/cli";
import type { DemoArticle } from "../newsroom.ts";
import { newsSitemap, rssFeed } from "./feeds.ts";
import { articlePage, listPage, pathOf } from "./pages.ts";

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

/** Every page of the site by its path. */
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
