const many = (count: number, make: (i: number) => string, separator = ""): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(separator);
const article = (inside: string): string =>
  `<html><head><title>A title that says something</title></head><body><h1>A title that says something</h1>${inside}</body></html>`;
const linked = (json: string): string => article(`<script type="application/ld+json">${json}</script><p>Text.</p>`);

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
};
