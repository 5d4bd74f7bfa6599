import type { DemoArticle } from "../newsroom.ts";
import { escaped, scriptJson } from "./markup.ts";

/** What the pages of each language say of the paper, and its reading direction. */
export const PAPERS = {
  ar: { name: "المرسى", dir: "rtl", more: "اقرأ أيضًا", home: "الرئيسية", rights: "جميع الحقوق محفوظة" },
  en: { name: "Almarsa", dir: "ltr", more: "Read also", home: "Home", rights: "All rights reserved" },
} as const;

/** The path of an article on the site. */
export function pathOf({ lang, slug }: Pick<DemoArticle, "lang" | "slug">): string {
  return `/${lang}/2026/${slug}`;
}

/** The page of one article as papers make them: navigation and links around the text, the facts in JSON-LD. */
export function articlePage(article: DemoArticle, others: readonly DemoArticle[], origin: string): string {
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

/** The list of all articles of one language. */
export function listPage(lang: "ar" | "en", articles: readonly DemoArticle[]): string {
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
