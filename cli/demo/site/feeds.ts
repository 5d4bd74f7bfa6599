import type { DemoArticle } from "../newsroom.ts";
import { escaped } from "./markup.ts";
import { PAPERS, pathOf } from "./pages.ts";

/** The articles as an RSS 2.0 feed with the first paragraph of each. */
export function rssFeed(lang: "ar" | "en", articles: readonly DemoArticle[], origin: string): string {
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

/** The articles as a sitemap for news. */
export function newsSitemap(lang: "ar" | "en", articles: readonly DemoArticle[], origin: string): string {
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
