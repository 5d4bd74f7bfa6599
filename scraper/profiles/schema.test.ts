import { describe, expect, test } from "bun:test";
import { profileFile } from "../testing/profiles.ts";
import { createProfileSchema } from "./schema.ts";

const schema = createProfileSchema(["politics", "sport"]);

/** What is complained of, as `path: message`. */
const complaints = (over: Record<string, unknown>): string[] => {
  const checked = schema.safeParse(profileFile(over));
  return checked.success ? [] : checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

describe("a profile", () => {
  test("needs little, and gets the rest by default", () => {
    expect(schema.parse(profileFile())).toMatchObject({
      enabled: true,
      timezone: "UTC",
      feeds: [{ url: "https://alpha.test/feed.xml" }],
      sitemaps: [],
      list_pages: [],
      category_map: {},
      politeness: { min_delay_ms: 1000, concurrency: 1, respect_robots: true },
      limits: { max_articles: 200, max_age_days: 7, revisited_articles: 50 },
      headers: {},
    });
  });

  test("may use every field", () => {
    const whole = profileFile({
      $schema: "./profile.schema.json",
      enabled: false,
      timezone: "Asia/Amman",
      sitemaps: [{ url: "https://alpha.test/news.xml", category: "sport" }],
      list_pages: [{ url: "https://alpha.test/list", link_selector: "main a.headline[href]", category: "Ball games" }],
      article: {
        title: "h1",
        content: "article > p",
        published_at: "time",
        author: ".by",
        image: "img",
        remove: [".ad"],
        next_page: "a.next",
        max_pages: 3,
      },
      article_versions: [{ until: "2024-05-31", content: ".story", remove: [] }],
      keep: ["/news/", "*.html$"],
      block: ["*/video/"],
      full_text: "page",
      auth: { env: "SCRAPER_AUTH_ALPHA", header: "X-Api-Key", hosts: ["api.alpha.test"] },
      category_map: { "Ball games": "sport", سياسة: "politics" },
      politeness: { min_delay_ms: 0, concurrency: 4, user_agent: "Robot/1.0 (+https://x.test)", respect_robots: false },
      limits: { max_articles: 10, max_age_days: 1, revisited_articles: 0 },
      headers: { "Accept-Language": "ar", Referer: "https://alpha.test/" },
    });
    expect(schema.parse(whole)).toEqual(expect.objectContaining(whole));
  });

  test.each([
    [{ scedule: "x" }, ': there is no field "scedule" here: did you mean "schedule"?'],
    [{ feeds: [{ uri: "x", url: "https://a.test/" }] }, 'feeds.0: there is no field "uri" here: did you mean "url"?'],
    [
      { limits: { pages: 3 } },
      'limits: there is no field "pages" here: the known ones are max_articles, max_age_days, revisited_articles',
    ],
  ])("with an unknown field %j is refused with a hint", (over, complaint) => {
    expect(complaints(over)).toContain(complaint);
  });

  test.each(["* * * *", "* * * * * *", "", "@daily", "60 * * * *", "a b c d e", "5/15 * * * *", "0 0 31 2 *"])(
    "with the schedule %j is refused",
    (schedule) => {
      expect(complaints({ schedule })).toEqual([
        expect.stringMatching(/^schedule: (must have five|is no cron|is never)/),
      ]);
    },
  );

  test.each(["0 6 * * MON-FRI", "*/5 8-20 1,15 JAN *", "0 0 29 2 *", "30 4 L * *"])(
    "with the schedule %j is taken",
    (schedule) => expect(complaints({ schedule })).toEqual([]),
  );

  test.each(["Asia/Nowhere", "+03:00", "", "Local"])("with the time zone %j is refused", (timezone) => {
    expect(complaints({ timezone })).toEqual(["timezone: must be an IANA time zone such as Asia/Amman"]);
  });

  test.each([
    "ftp://a.test/",
    "//a.test/feed",
    "https://user:pass@a.test/",
    "javascript:alert(1)",
    "https://a b.test/",
    "",
  ])("with the address %j is refused", (url) => {
    expect(complaints({ feeds: [{ url }] })).toEqual([
      "feeds.0.url: must be an http or https address without credentials",
    ]);
  });

  test.each(["p >", "a[href", ":nonsense(2)", "div:", "> p", "a, ", "  "])(
    "with the selector %j is refused",
    (selector) => {
      expect(complaints({ article: { content: selector } })).toEqual(["article.content: is no CSS selector"]);
      expect(complaints({ article: { remove: [".ok", selector] } })).toEqual(["article.remove.1: is no CSS selector"]);
      const list_pages = [{ url: "https://a.test/", link_selector: selector }];
      expect(complaints({ list_pages })).toEqual(["list_pages.0.link_selector: is no CSS selector"]);
    },
  );

  test.each([
    ["Host", "a.test", "is set by the client and cannot be changed"],
    ["content-length", "0", "is set by the client and cannot be changed"],
    ["If-None-Match", '"a"', "is set by the client and cannot be changed"],
    ["Transfer-Encoding", "chunked", "is set by the client and cannot be changed"],
    ["User-Agent", "me", "must be set as politeness.user_agent"],
    ["Authorization", "Bearer x", "is a credential, and profiles are shown in clear"],
    ["Cookie", "a=b", "is a credential, and profiles are shown in clear"],
    ["X-Api-Key", "k", "is a credential, and profiles are shown in clear"],
    ["X-A", "a\r\nHost: b", "must have a value of 1 to 512 visible ASCII characters"],
    ["X-A", "", "must have a value of 1 to 512 visible ASCII characters"],
    ["X-A", "مرحبا", "must have a value of 1 to 512 visible ASCII characters"],
    ["X A", "b", "is no name of a header"],
    ["X-A:\r\nB", "b", "is no name of a header"],
  ])("with the header %j: %j is refused", (name, value, reason) => {
    expect(complaints({ headers: { [name]: value } })).toEqual([`headers.${name}: ${reason}`]);
  });

  test("maps to canonical categories only, and names them", () => {
    expect(complaints({ category_map: { Ball: "balls" } })).toEqual([
      "category_map.Ball: must be one of politics, sport",
    ]);
    expect(complaints({ feeds: [{ url: "https://a.test/", category: "Ball" }] })).toEqual([
      'feeds.0.category: "Ball" is neither a canonical category nor a label of category_map',
    ]);
  });

  test("must find articles somewhere", () => {
    expect(complaints({ feeds: [] })).toEqual([": must have at least one of feeds, sitemaps and list_pages"]);
  });

  test.each([
    [{ name: "Alpha", provider: "alpha" }],
    [{ name: "../alpha", provider: "alpha" }],
    [{ provider: "a b" }],
    [{ language: "fr" }],
    [{ enabled: "yes" }],
    [{ source: { id: "a", name: "A", tier: 4, homepage: "https://a.test" } }],
    [{ politeness: { concurrency: 0 } }],
    [{ politeness: { min_delay_ms: -1 } }],
    [{ politeness: { user_agent: "a\nb" } }],
    [{ limits: { max_articles: 0 } }],
    [{ feeds: "https://a.test" }],
    [{ article: { max_pages: 0 } }],
    [{ article_versions: [{ content: ".story" }] }],
    [{ article_versions: [{ until: "May 2024" }] }],
    [{ keep: ["news/"] }],
    [{ keep: ["/news$/"] }],
    [{ block: ["/a b"] }],
    [{ full_text: "both" }],
    [{ auth: { env: "DATABASE_URL" } }],
    [{ auth: { env: "SCRAPER_AUTH_A", header: "Host" } }],
    [{ auth: { env: "SCRAPER_AUTH_A", hosts: ["https://a.test"] } }],
    [{ list_pages: [{ url: "https://a.test/", link_selector: "a", max_pages: 51 }] }],
  ])("with %j is refused", (over) => {
    expect(complaints(over)).toHaveLength(1);
  });
});
