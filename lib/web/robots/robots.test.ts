import { expect, test } from "bun:test";
import { readRobots } from "./robots.ts";

const read = (text: string) => readRobots(text, "IsnadBot");

test("the longest matching rule decides, and allow wins a tie", () => {
  const rules = read("User-agent: *\nDisallow: /news\nAllow: /news/open\nDisallow: /a\nAllow: /a");
  expect(["/news/1", "/news/open/1", "/a", "/b"].map(rules.allows)).toEqual([false, true, true, true]);
});

test("a group that names the robot counts alone; several of them count together", () => {
  const rules = read(
    "User-agent: *\nDisallow: /\n\nUser-agent: isnadbot/2.0\nDisallow: /x\n\nUser-agent: IsnadBot\nDisallow: /y",
  );
  expect(["/", "/x", "/y"].map(rules.allows)).toEqual([true, false, false]);
});

test("a robot is not taken for another whose name begins alike", () => {
  expect(read("User-agent: IsnadBot-News\nDisallow: /").allows("/a")).toBe(true);
});

test("a robot with digits in its name is named by it", () => {
  const rules = (line: string) => readRobots(`User-agent: ${line}\nDisallow: /`, "News24Bot");
  expect(["News24Bot", "news24bot/1.0"].map((line) => rules(line).allows("/a"))).toEqual([false, false]);
  expect(["News24", "News", "News24Bot-Image"].map((line) => rules(line).allows("/a"))).toEqual([true, true, true]);
});

test("several robots may share a group", () => {
  expect(read("User-agent: other\nUser-agent: isnadbot\nDisallow: /a").allows("/a")).toBe(false);
});

test.each([
  ["/*.pdf$", "/a/b.pdf", false],
  ["/*.pdf$", "/a/b.pdf?x", true],
  ["/a*/c", "/abb/c/d", false],
  ["/a*/c", "/abb/d", true],
  ["/fish*", "/fish", false],
  ["/*", "/anything", false],
  ["/$", "/", false],
  ["/$", "/x", true],
  ["*a*b*", "/xaxxb", false],
  ["/a**b$", "/ab", false],
  ["/ab*b$", "/ab", true],
])("disallow %s on %s: allowed is %p", (pattern, path, allowed) => {
  expect(read(`User-agent: *\nDisallow: ${pattern}`).allows(path)).toBe(allowed);
});

test("encoded and plain forms of a path are the same", () => {
  const rules = read("User-agent: *\nDisallow: /أخبار\nDisallow: /%62ar");
  expect(rules.allows("/%D8%A3%D8%AE%D8%A8%D8%A7%D8%B1/1")).toBe(false);
  expect(rules.allows("/bar")).toBe(false);
  expect(rules.allows("/%d8%a3")).toBe(true);
});

test("an empty disallow allows everything, and the file itself is always allowed", () => {
  expect(read("User-agent: *\nDisallow:").allows("/a")).toBe(true);
  expect(read("User-agent: *\nDisallow: /").allows("/robots.txt")).toBe(true);
});

test("comments, case, blanks and a byte order mark do not disturb", () => {
  const rules = read(
    "\ufeffUSER-AGENT : * # all\r\nDisAllow:/private # no\r\nCRAWL-DELAY: 2.5\rSitemap: https://a.example/s.xml",
  );
  expect(rules.allows("/private/x")).toBe(false);
  expect(rules.crawlDelayS).toBe(2.5);
  expect(rules.sitemaps).toEqual(["https://a.example/s.xml"]);
});

test("an absurd delay is cut and a senseless one ignored", () => {
  expect(read("User-agent: *\nCrawl-delay: 99999").crawlDelayS).toBe(300);
  expect(read("User-agent: *\nCrawl-delay: soon").crawlDelayS).toBeUndefined();
});

test("rules before any robot, and files that are none, forbid nothing", () => {
  expect(read("Disallow: /").allows("/a")).toBe(true);
  expect(read("<html><body>Not found</body></html>").allows("/a")).toBe(true);
  expect(read("").allows("/a")).toBe(true);
});

test("a pattern made of asterisks does not take long", () => {
  const rules = read(`User-agent: *\nDisallow: /${"*a".repeat(900)}$`);
  // Backtracking would exceed the time limit of a test.
  expect(rules.allows(`/${"a".repeat(2000)}b`)).toBe(true);
});
