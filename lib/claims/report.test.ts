import { expect, test } from "bun:test";
import type { ListedClaim } from "../store/mod.ts";
import { claimsByTopic, reportCsv, reportMarkdown } from "./report.ts";

let serial = 0;
const claim = (over: Partial<ListedClaim> = {}): ListedClaim => ({
  ...{
    claimId: ++serial,
    text: `Claim ${serial}`,
    lang: "en",
    score: 0.5,
    start: 0,
    end: 5,
    speaker: null,
    articleId: 1,
  },
  ...{ title: "Title", url: "https://a.example/1", sourceId: "s", publishedAt: null, categoryId: "economy" },
  ...{ withdrawn: false, articles: 1, sources: 1, firstAt: "2024-05-06T07:08:09.000Z", reviews: [], value: "1" },
  ...over,
});

test("claims stand by topic, the most repeated first", () => {
  const [a, b, c] = [claim(), claim({ articles: 3 }), claim({ categoryId: null, articles: 9 })];
  expect(claimsByTopic([a, b, c])).toEqual([
    { topic: "other", claims: [c] },
    { topic: "economy", claims: [b, a] },
  ]);
});

test("the report in Markdown shows texts as texts", () => {
  const speaker = { name: "Sara *", start: 0, end: 4 };
  const review = {
    reviewId: 1,
    rating: 1,
    ratingText: null,
    publisher: "<b>Desk</b>",
    url: "https://r.example/1",
    similarity: 1,
  };
  const odd = claim({
    text: "[x](javascript:1)\n# <script>",
    title: "A | B",
    speaker,
    articles: 2,
    reviews: [review],
    withdrawn: true,
  });
  const text = reportMarkdown("2024-05-06", claimsByTopic([odd]));
  expect(text).toStartWith("# Claims of 2024-05-06\n\n1 claim.\n\n## economy\n");
  expect(text).toContain("- **\\[x\\](javascript:1) \\# \\<script\\>**");
  expect(text).toContain("said by Sara \\* · 2 articles of 1 source, first 2024-05-06 07:08 · score 0.50 · withdrawn");
  expect(text).toContain("Checked by \\<b\\>Desk\\</b\\>: False <https://r.example/1>");
});

test("the report as a table has no formulas, and quotes what it must", () => {
  const rows = [claim({ text: '=HYPERLINK("x")' }), claim({ text: 'He said "5, 6"' }), claim({ title: "@cmd" })];
  const [head = "", first = "", second = "", third = ""] = reportCsv(claimsByTopic(rows)).split("\r\n");
  expect(head).toStartWith("\ufefftopic,claim_id,claim,");
  expect(first).toContain(`"'=HYPERLINK(""x"")"`);
  expect(second).toContain('"He said ""5, 6"""');
  expect(third).toContain(",'@cmd,");
});
