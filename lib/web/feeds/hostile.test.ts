import { expect, test } from "bun:test";
import { readRobots } from "../robots/robots.ts";
import { readFeed } from "./feed.ts";
import { readOpml } from "./opml.ts";

const N = 500_000;
const item = (inner: string) => `<rss><channel><item>${inner}</item></channel></rss>`;

test.each([
  ["a namespace of number signs", `<rss xmlns:a="${"#".repeat(2_000_000)}">`],
  ["a namespace of slashes and a letter", `<rss xmlns:a="http:${"/".repeat(N)}${"#".repeat(N)}x">`],
  ["a title of spaces", item(`<title>${" ".repeat(N)}x</title>`)],
  ["an address of spaces", item(`<link>x${" ".repeat(N)}x</link><guid>${" ".repeat(N)}x</guid>`)],
  ["an author of spaces", item(`<author>a${" ".repeat(N)}@${" ".repeat(N)}</author>`)],
  ["a date of numbers", item(`<pubDate>${"1 ".repeat(N)}</pubDate>`)],
  ["a date of direction marks", item(`<pubDate>${"\u200f4".repeat(N)}</pubDate>`)],
  [
    "a language of spaces",
    `<rss xml:lang="${" ".repeat(N)}x"><channel><language>${" ".repeat(N)}x</language></channel></rss>`,
  ],
  ["a text of line breaks", item(`<description>${" \n".repeat(N)}x</description>`)],
  ["a text of open tags", item(`<description><![CDATA[${"<a ".repeat(N)}]]></description>`)],
  ["a text of open comments", item(`<description><![CDATA[${"<!--".repeat(N)}]]></description>`)],
  ["a text of escaped tags", item(`<description>${"&lt;a ".repeat(N)}</description>`)],
  ["an entity of spaces", `<!DOCTYPE r [<!ENTITY ${" ".repeat(N)}x><!ENTITY ${"a".repeat(N)} "x">]><rss/>`],
  ["keywords of spaces", item(`<category>${" ".repeat(N)}x</category><keywords>${" ".repeat(N)}x</keywords>`)],
  ["open sections", `<rss>${"<![CDATA[".repeat(N)}`],
  ["a JSON Feed of backslashes", `{"items":[{"id":"${'\\"'.repeat(N)}","content_html":"${"<a ".repeat(N)}"}]}`],
])("a feed with %s costs time in proportion", (_, source) => {
  const before = process.cpuUsage();
  readFeed(source);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});

test("lists of feeds and rules for robots cost time in proportion", () => {
  const before = process.cpuUsage();
  readOpml(
    `<opml><body><outline xmlUrl="https://a.example/" category="${"/".repeat(N)}x" text="${" ".repeat(N)}x"/></body></opml>`,
  );
  const rules = readRobots(
    `user-agent: *\ndisallow: ${"*".repeat(N)}$\n${" ".repeat(N)}x\nallow${" ".repeat(N)}x`,
    "IsnadBot",
  );
  rules.allows(`/${"a".repeat(2000)}`);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
