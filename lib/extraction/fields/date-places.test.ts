import { expect, test } from "bun:test";
import { extractPage } from "../extract.ts";

const NOW = Date.UTC(2026, 10, 28);
const URL = "https://n.example/news/1";
const PROSE = [
  "The water board said on Monday that the old reservoir would be emptied before the winter, after three years of leaks.",
  "Workers closed the upper valve on Friday and found no damage, according to a note that was read to the town council.",
  "Farmers below the dam have asked for a warning, because they fear that the stream will flood their lower fields.",
];
const [FIRST, SECOND, THIRD] = PROSE.map((text) => `<p>${text}</p>`);

/** A page with something near the title, and something in the middle of the text. */
function page({ head = "", near = "", within = "", after = "" }): string {
  return `<html lang="en"><head><title>Reservoir to be emptied - Valley News</title>${head}</head><body><main><article>
    <h1>Reservoir to be emptied</h1>${near}${FIRST}${SECOND}${within}${THIRD}${after}</article></main></body></html>`;
}
const day = (parts: Parameters<typeof page>[0]) =>
  extractPage({ html: page(parts), url: URL, now: NOW }).publishedAt?.slice(0, 10) ?? null;

const SAVED = `<meta property="article:published_time" content="2026-11-20T07:00:00Z"><meta property="article:modified_time" content="2026-11-20T07:05:00Z">`;

/** What has a day of its own, but not the article's. */
const OTHERS: readonly (readonly [name: string, html: string])[] = [
  [
    "a tweet",
    '<blockquote class="twitter-tweet"><p>Empty.</p>— V (@v) <a href="https://x.com/v/status/1">July 9, 2018</a></blockquote>',
  ],
  ["a tweet as text", "<p>— Valley Water (@valleywater) July 9, 2018</p>"],
  [
    "a post of Instagram",
    '<blockquote class="instagram-media"><p>A post shared by V (@v) on <time datetime="2018-07-09T10:00:00Z">Jul 9, 2018</time></p></blockquote>',
  ],
  [
    "a message of Telegram",
    '<div class="tgme_widget_message_wrap"><a href="https://t.me/v/9"><time datetime="2018-07-09T10:00:00Z">10:00</time></a></div>',
  ],
  [
    "a post of Facebook",
    '<div class="fb-post" data-href="x"><blockquote>Empty. Posted by V on <a href="#">Monday, July 9, 2018</a></blockquote></div>',
  ],
  ["a caption", '<figure><img src="/a.jpg"><figcaption>The reservoir, 9 July 2018</figcaption></figure>'],
  ["a caption that is no figure", '<div class="wp-caption-text">The reservoir on 9 July 2018 (AFP)</div>'],
  ["a picture's line", "<p>Archive photo, 9 July 2018</p>"],
  ["an Arabic picture's line", "<p>صورة من الأرشيف، 9 يوليو 2018</p>"],
  [
    "a comment",
    '<div class="comment-list"><b>Sam</b> <time datetime="2018-07-09">9 July 2018</time><p>I saw it as well.</p></div>',
  ],
  [
    "a card",
    '<div class="story-card"><a href="/old"><h3>Old reservoir leaks</h3></a><span class="date">9 July 2018</span></div>',
  ],
  [
    "a card without a name",
    '<div><a href="/news/old"><h4>Old reservoir leaks</h4></a><time datetime="2018-07-09">9 July 2018</time></div>',
  ],
  ["a link to another story", '<p><a href="/news/old">Read: Old reservoir leaks again</a> 9 July 2018</p>'],
  [
    "a list of stories",
    '<ul class="list"><li><a href="/1">Old reservoir leaks again</a> <span class="post-date">9 July 2018</span></li></ul>',
  ],
  ["a box beside", '<aside><h4>Also</h4><ul><li><a href="/1">Leak</a> <time>9 July 2018</time></li></ul></aside>'],
  ["a sentence", "<p>The contract was signed on 9 July 2018.</p>"],
  ["a sentence without its end", "<p>Work on the dam began on 9 July 2018</p>"],
  ["an Arabic sentence", "<p>بدأت الأعمال في 9 يوليو 2018.</p>"],
  ["a birth", "<p>Born 9 July 2018</p>"],
  ["an issue", '<p class="issue">Issue 1520, 9 July 2018</p>'],
  ["a number of the paper", "<p>العدد 1520 - 9 يوليو 2018</p>"],
  ["a chronology", '<div class="timeline"><div class="date">9 July 2018</div><p>The first leak.</p></div>'],
  ["a copyright", "<footer>© 9 July 2018 Valley News</footer>"],
  ["a quotation", "<blockquote>We will repair it.<br>Letter of 9 July 2018</blockquote>"],
];

test.each(OTHERS)("the day of %s is not the article's, which states none", (_, html) => {
  expect(day({ within: html })).toBeNull();
  expect(day({ near: `<p class="date">3 hours ago</p>${html}` })).toBe("2026-11-27");
});

test.each(OTHERS)("metadata count before the day of %s, be they of a mere saving", (_, html) => {
  expect(day({ head: SAVED, within: html })).toBe("2026-11-20");
  for (const shown of ["3 hours ago", "منذ 3 ساعات", "قبل يومين", "أمس", "yesterday", "Today, 10:00"]) {
    expect(day({ head: SAVED, near: `<p class="date">${shown}</p>${html}` })).toBe("2026-11-20");
  }
});

test("a list of days, or a heading that is a day, is no date of the article", () => {
  const list = "<h3>How it came</h3><p>9 July 2018</p><p>A leak.</p><p>2 May 2020</p><p>Another.</p>";
  expect(day({ after: list })).toBeNull();
  expect(day({ head: SAVED, near: "<h2>9 July 2018</h2>" })).toBe("2026-11-20");
  expect(day({ head: SAVED, near: "<h2>Founded 9 July 2018, the board has grown</h2>" })).toBe("2026-11-20");
});

test.each([
  ["a class", '<div class="post-date">19 November 2026</div>'],
  ["a class in one word", '<span class="articleDate">19 November 2026</span>'],
  ["a time element", "<p><time>19 November 2026</time></p>"],
  ["a property", '<span itemprop="datePublished">19 November 2026</span>'],
  ["a label", "<p>Published: 19 November 2026</p>"],
  ["an Arabic label", "<p>تاريخ النشر: 19 نوفمبر 2026</p>"],
  ["a link to the page itself", '<p class="meta"><a href="/news/1">19 November 2026</a></p>'],
  ["a link to the archive of its day", '<p class="meta"><a href="/2026/11/19/">19 November 2026</a></p>'],
  ["its byline", "<p>By Layla Haddad</p><p>19 November 2026</p>"],
  ["a byline in one line", "<p>Layla Haddad | 19 November 2026 | 3 min read</p>"],
  ["a line of its own", "<p>19 November 2026</p>"],
  ["a place before it", "<p>Beirut, 19 November 2026</p>"],
])("a day near the title that is marked by %s is the article's", (_, near) => {
  expect(day({ near })).toBe("2026-11-19");
  expect(day({ near, within: OTHERS.map(([, html]) => html).join("") })).toBe("2026-11-19");
});

test("a day that the page marks as its own replaces metadata of a later saving, an unmarked one does not", () => {
  expect(day({ head: SAVED, near: '<p class="entry-date">2 March 2019</p>' })).toBe("2019-03-02");
  expect(day({ head: SAVED, near: "<p>2 March 2019</p>" })).toBe("2026-11-20");
  expect(day({ head: SAVED, after: '<div class="published">Published 2 March 2019</div>' })).toBe("2019-03-02");
});

test("the only day of a page, in a line below its text, is the article's", () => {
  expect(day({ after: "<p>19 November 2026</p>" })).toBe("2026-11-19");
});

test("a great many dates and boxes are placed in passing", () => {
  const deep = `${"<div>".repeat(300)}${"<p>9 July 2018</p>".repeat(3000)}${"</div>".repeat(300)}`;
  const wide = `<span class="date">${"<a href='/x'>old story of the dam</a> 9 July 2018 ".repeat(3000)}</span>`;
  const before = process.cpuUsage();
  day({ within: deep });
  day({ within: wide });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
