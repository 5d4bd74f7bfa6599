const many = (count: number, make: (i: number) => string, separator = ""): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(separator);
const article = (inside: string): string =>
  `<html><head><title>A title that says something</title></head><body><h1>A title that says something</h1>${inside}</body></html>`;
const linked = (json: string): string => article(`<script type="application/ld+json">${json}</script><p>Text.</p>`);

const sentence = (i: number): string =>
  `The authority said on day ${i} that the pier would open to ferries, and that it had been asked to say so.`;

/**
 * Pages made to be slow to parse or to read, by what is bad about them; each is built when it is asked for. For tests
 * and benches.
 */
export const HOSTILE_PAGES: Readonly<Record<string, () => string>> = {
  "20,000 nested elements": () => "<div>".repeat(20_000),
  "200,000 nested elements": () => "<div>".repeat(200_000),
  "two million brackets": () => "<".repeat(2_000_000),
  "100,000 attributes": () => `<div ${many(100_000, (i) => `a${i}="1"`, " ")}>x`,
  "300,000 line breaks": () => `<p>${"a<br>".repeat(300_000)}`,
  "50,000 siblings": () => article("<p>One <b>bold</b> word.</p>".repeat(50_000)),
  "one text of five million characters": () => article(`<p>${"word ".repeat(1_000_000)}</p>`),
  "one word of five million characters": () => article(`<p>${"w".repeat(5_000_000)}</p>`),
  "5,000 nested tables": () => "<table><tr><td>x".repeat(5000),
  "20,000 nested inline elements": () => article("<b><i><span>".repeat(7000)),
  "100,000 open links": () => article(many(100_000, (i) => `<a href="/${i}">link`)),
  "dates that nearly are": () => article(`<p>${many(1500, () => `<p>${"1 2 January 20 ".repeat(18)}</p>`)}</p>`),
  "times that nearly are": () => article(many(20_000, () => "<p>12:3 1-1-202 10:1010:10 2025-1-</p>")),
  "a date of spaces": () => article(`<p class="date">2025${" ".repeat(500_000)}January</p>`),
  "10,000 linked data scripts": () =>
    article(many(10_000, (i) => `<script type="application/ld+json">{"@type":"Article","headline":"${i}"}</script>`)),
  "linked data that never closes a string": () => linked(`{"@type":"Article","headline":"${'\\"a'.repeat(400_000)}`),
  "linked data nested without end": () => linked(`${'{"@graph":['.repeat(100_000)}`),
  "linked data of commas": () => linked(`{"@type":"Article",${", ".repeat(900_000)}}`),
  "linked data of spaces": () => linked(`${" ".repeat(1_900_000)}x`),
  "100,000 meta elements": () =>
    `<head>${many(100_000, (i) => `<meta name="a${i}" content="x">`)}</head>${article("")}`,
  "100,000 headings": () => article(many(100_000, (i) => `<h1>A title ${i}</h1>`)),
  "50,000 bylines": () => article(many(50_000, (i) => `<span class="author">by Author Number${i}</span>`)),
  "a title of five million characters": () => `<title>${"a - ".repeat(1_250_000)}</title><p>Text.</p>`,
  "an author of a million commas": () => `<meta name="author" content="${"a, ".repeat(330_000)}">${article("")}`,
  "a million entities": () => article(`<p>${"&amp;&lt;".repeat(500_000)}</p>`),
  "comments that never end": () => article("<!-- ".repeat(500_000)),
  "scripts that never end": () => article("<script>if (a < b) '</scr' ".repeat(100_000)),
  "two million quotes in a tag": () => `<a ${'"'.repeat(2_000_000)}>x`,
  "100,000 misnested elements": () => article("<b><p></b></p>".repeat(25_000)),
  "20,000 div elements": () => article(many(20_000, (i) => `<div class="c${i}" id="d${i}">Line ${i} of it.</div>`)),
  "20,000 nested articles": () => article("<article><figure>".repeat(10_000)),
  "20,000 nested boxes": () => article('<aside class="related comments"><div class="share">x'.repeat(10_000)),
  "7,000 nested superscripts": () => article(`x${"<sup>1".repeat(7000)}`),
  "200,000 superscripts in one line": () => article(`<p>${"x<sup>2</sup>".repeat(200_000)}</p>`),
  "20,000 dates": () => article(many(20_000, (i) => `<p>Posted 0${1 + (i % 9)}/0${1 + (i % 8)}/2025 10:10</p>`)),
  "20,000 times of other stories": () =>
    article(
      many(
        20_000,
        (i) =>
          `<li class="card"><a href="/${i}">Story ${i} of the day</a><time datetime="2025-05-01">1 May 2025</time></li>`,
      ),
    ),
  "100,000 times in one line": () =>
    article(`<p>${'<time datetime="2025-05-01">1 May 2025</time>'.repeat(100_000)}</p>`),
  "50,000 images": () =>
    article(`<article>${many(50_000, (i) => `<img data-src="/pixel.gif?${i}" srcset="/a 1x, /b 2x">`)}</article>`),
  "a picture of 50,000 sources": () =>
    article(`<article><picture>${'<source srcset="/blank.gif 1x"><img>'.repeat(50_000)}</picture></article>`),
  "20,000 headings of other articles": () => article("<h3>Related articles</h3><ul><li>x</li></ul>".repeat(20_000)),
  "20,000 paragraphs, each twice": () => article(many(20_000, (i) => `<p>${sentence(i % 10_000)}</p>`)),
  "20,000 quotations": () => article(many(20_000, (i) => `<blockquote>${sentence(i)}</blockquote>`)),
  "a class name of a million words": () => article(`<div class="${"post-date ".repeat(100_000)}">1 May 2025</div>`),
  "a line of closing words": () => article(`<p>${"share follow us on تابعونا على read more ".repeat(50_000)}</p>`),
};
