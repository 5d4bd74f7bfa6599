const SENTENCES = [
  "The ministry said on Monday that the work in the flooded cities went on.",
  "Officials had not answered questions about the cost by the evening.",
  "وقالت الوزارة في بيان إن الفرق الميدانية واصلت عملها في المدن المتضررة.",
  "وأضافت أن عدد المتضررين بلغ نحو ألفي شخص بحسب مصادر محلية.",
];

/** A news page of that many paragraphs and links in menus, teasers and footers, the same each time. */
export function newsPage({ paragraphs, links }: { readonly paragraphs: number; readonly links: number }): string {
  const range = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join("\n");
  const sentence = (i: number) => SENTENCES[i % SENTENCES.length] ?? "";
  const teaser = (i: number) =>
    `<li class="teaser card"><a href="/news/${i}"><img src="/img/${i}.jpg" alt=""><h3 class="headline">Story ${i}: ${sentence(i)}</h3></a><time datetime="2025-05-${10 + (i % 20)}T10:00:00Z">${10 + (i % 20)} May 2025</time></li>`;
  const body = range(
    paragraphs,
    (i) =>
      `<p class="body-text">${sentence(i)} <a href="/topic/${i}">${i} people</a> ${sentence(i + 1)} ${sentence(i + 2)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><title>Work in flooded cities goes on - News Example</title>
<meta property="og:title" content="Work in flooded cities goes on"><meta property="article:published_time" content="2025-05-14T10:00:00Z">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Work in flooded cities goes on","author":{"@type":"Person","name":"Layla Haddad"}}</script>
<style>${range(60, (i) => `.c${i} { margin: ${i}px; color: #123456; }`)}</style></head><body>
<nav><ul>${range(Math.floor(links / 3), (i) => `<li><a href="/section/${i}">Section ${i}</a></li>`)}</ul></nav>
<main><article><h1>Work in flooded cities goes on</h1><p class="byline">By Layla Haddad, 14 May 2025</p><div class="article-body">${body}</div></article>
<aside class="related"><h2>Related</h2><ul>${range(Math.floor(links / 3), teaser)}</ul></aside></main>
<footer><ul>${range(Math.floor(links / 3), (i) => `<li><a href="/about/${i}">About ${i}</a></li>`)}</ul></footer></body></html>`;
}
