import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { claimsReport, reviewsImport } from "./claims.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
afterAll(() => bench.close());

let serial = 0;
function file(name: string, content: string | Uint8Array): string {
  const path = join(bench.dir, `${++serial}-${name}`);
  writeFileSync(path, content);
  return path;
}
const stored = async () => (await bench.store.reviews.list({ limit: 100 })).map(({ claimText }) => claimText);
const claimReview = (claimReviewed: unknown, n: number) => ({
  ...{ "@type": "ClaimReview", claimReviewed, url: `https://check.example/${n}`, author: { name: "Desk" } },
  reviewRating: { ratingValue: 1, bestRating: 5, worstRating: 1 },
});

describe("reviews:import", () => {
  test("stores the reviews of a feed once, and names what is wrong with the others", async () => {
    const items = [claimReview("It fell", 1), claimReview(undefined, 2), claimReview("It rose", 3)];
    const feed = { "@type": "DataFeed", dataFeedElement: items.map((item) => ({ "@type": "DataFeedItem", item })) };
    const path = file("feed.json.gz", gzipSync(JSON.stringify(feed)));
    const first = await bench.run(reviewsImport, [path]);
    expect(first).toMatchObject({ code: 1, out: "3 reviews read: 2 stored, 0 were there, 1 wrong\n" });
    expect(first.err).toContain(`${path}: row 2: claimReviewed: is required`);
    expect(first.err).not.toContain(`claim_id`);
    expect((await bench.json(reviewsImport, [path])).data).toEqual({ read: 3, created: 0, existing: 2, failed: 1 });
    expect(await stored()).toEqual(["It rose", "It fell"]);
  });

  test("reads tables by the names of their columns, and tells wrong rows by the numbers that a spreadsheet shows", async () => {
    const table = file(
      "reviews.csv",
      '\ufeffClaim;Rating;Verdict;URL;Date\r\n"هبط; كثيرا";2;مضلل;https://check.example/9;2024-05-06\r\n\r\nX;six;;https://check.example/10;\r\n',
    );
    const { code, out, err } = await bench.run(reviewsImport, [table, "--publisher", "المكتب"]);
    expect([code, out]).toEqual([1, "2 reviews read: 1 stored, 0 were there, 1 wrong\n"]);
    expect(err).toContain("row 4: rating: ");
    expect((await bench.store.reviews.list({ limit: 1 }))[0]).toMatchObject({
      ...{ claimText: "هبط; كثيرا", lang: "ar", rating: 2, ratingText: "مضلل", publisher: "المكتب", origin: "import" },
    });
  });

  test("stores nothing in a dry run, and refuses what it cannot read", async () => {
    const before = await stored();
    const path = file("one.json", JSON.stringify(claimReview("Never", 77)));
    expect((await bench.run(reviewsImport, [path, "--dry-run"])).out).toContain("nothing was stored");
    for (const [name, content, why] of [
      ["a.json", "{", "is no JSON"],
      ["b.json", "{}", "holds no ClaimReview"],
      ["c.csv", "a,b\n1,2\n", "has no column claim_text"],
      ["d.csv", 'claim\n"x\n', "never closed"],
    ] as const) {
      expect((await bench.run(reviewsImport, [file(name, content)])).err).toContain(why);
    }
    expect((await bench.run(reviewsImport, [join(bench.dir, "none")])).err).toContain("cannot be read");
    expect(await stored()).toEqual(before);
  });
});

describe("claims:report", () => {
  test("writes the claims of a day, as Markdown or as a table", async () => {
    const [articleId = 0] = await admitItems(bench.store, [testItem({ content: "=The price fell to 5." })]);
    const mention = { start: 0, end: 21, score: 0.9, lang: "en", speaker: undefined, claim: { place: 0 } };
    const claim = {
      text: "=The price",
      lang: "en",
      terms: [],
      names: [],
      reviews: [],
      vector: new Int8Array(64).fill(1),
    };
    await bench.store.claims.put(
      { articles: [{ articleId, mentions: [mention] }], claims: [claim] },
      { embedder: "test@1", classifier: "check@1", after: 0 },
    );
    const markdown = await bench.run(claimsReport, ["--day", "2024-05-06"]);
    expect(markdown.out).toContain("# Claims of 2024-05-06\n\n1 claim.\n\n## other\n\n- **=The price fell to 5.**");
    const path = join(bench.dir, "report.csv");
    expect((await bench.json(claimsReport, ["--day", "2024-05-06", "--out", path])).data).toEqual({
      ...{ day: "2024-05-06", claims: 1, topics: 1 },
    });
    expect(readFileSync(path, "utf8")).toContain(",'=The price fell to 5.,en,0.9000,");
    expect((await bench.run(claimsReport, ["--day", "2024-05-07"])).out).toContain("0 claims.");
    expect((await bench.run(claimsReport, ["--day", "2024-05-06", "--lang", "ar"])).out).toContain("0 claims.");
    for (const wrong of [
      ["--day", "2024-02-30"],
      ["--day", "today"],
      ["--lang", "fr"],
      ["--format", "pdf"],
    ]) {
      expect((await bench.run(claimsReport, wrong)).code).not.toBe(0);
    }
  });
});
