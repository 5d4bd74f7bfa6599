import { describe, expect, test } from "bun:test";
import { claimReviewsIn, readClaimReview, readReview } from "./claim-review.ts";

const review = (over: Record<string, unknown> = {}) => ({
  "@type": "ClaimReview",
  claimReviewed: "The price fell to 5.",
  url: "https://check.example/1",
  author: { "@type": "Organization", name: "Desk" },
  datePublished: "2024-05-06",
  reviewRating: { "@type": "Rating", ratingValue: 1, worstRating: 1, bestRating: 5, alternateName: "False" },
  itemReviewed: {
    "@type": "Claim",
    author: { name: "Sara" },
    datePublished: "2024-05-01",
    appearance: [{ url: "https://a.example/1" }, "https://a.example/2", { url: "javascript:1" }],
  },
  ...over,
});
const ratingOf = (reviewRating: Record<string, unknown>) => {
  const read = readClaimReview(review({ reviewRating }));
  return "review" in read ? read.review.rating : read.problems;
};

describe("ClaimReviews", () => {
  test("are found by themselves, in lists, graphs, feeds and pages, and nowhere else", () => {
    const one = review();
    const feed = { "@type": "DataFeed", dataFeedElement: [{ "@type": "DataFeedItem", item: [one, review()] }] };
    expect(claimReviewsIn(one)).toEqual([one]);
    expect(claimReviewsIn([one, { "@graph": [one] }])).toHaveLength(2);
    expect(claimReviewsIn(feed)).toHaveLength(2);
    expect(claimReviewsIn({ "@type": "NewsArticle", review: one })).toHaveLength(1);
    expect(claimReviewsIn(review({ "@type": ["https://schema.org/ClaimReview"] }))).toHaveLength(1);
    expect(claimReviewsIn({ "@type": "Review", text: one })).toEqual([]);
    for (const odd of [null, 5, "ClaimReview", [], {}, undefined]) expect(claimReviewsIn(odd)).toEqual([]);
  });

  test("that are hostile are bounded", () => {
    let deep: unknown = review();
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(claimReviewsIn(deep)).toEqual([]);
    expect(claimReviewsIn(new Array(500).fill(review()), { most: 20 })).toHaveLength(20);
  });

  test("are read with who claimed it, when and where", () => {
    expect(readClaimReview(review())).toEqual({
      review: {
        ...{ claimId: null, claimText: "The price fell to 5.", lang: "en", rating: 1, ratingText: "False" },
        ...{ url: "https://check.example/1", publisher: "Desk", publishedAt: "2024-05-06" },
        item: { name: "Sara", date: "2024-05-01", appearances: ["https://a.example/1", "https://a.example/2"] },
      },
    });
  });

  test("without an author or an address take those of their page", () => {
    const read = readClaimReview(review({ author: undefined, url: undefined }), {
      home: "https://www.check.example/2",
    });
    expect(read).toMatchObject({ review: { publisher: "check.example", url: "https://www.check.example/2" } });
  });

  test.each([
    [{ ratingValue: 1, worstRating: 1, bestRating: 5 }, 1],
    [{ ratingValue: "4", bestRating: "7", worstRating: "1" }, 3],
    [{ ratingValue: 10, worstRating: 0, bestRating: 10 }, 5],
    [{ ratingValue: -1, alternateName: "Unproven" }, null],
    [{ ratingValue: 9, bestRating: 5, alternateName: "زائف" }, 1],
    [{ alternateName: "Mostly False" }, 2],
    [{ alternateName: "صحيح" }, 5],
    [{ alternateName: "Not rated" }, null],
    [{}, null],
  ])("rated %j are rated on our scale", (rating, expected) => {
    expect(ratingOf(rating)).toBe(expected);
  });

  test("that are wrong are told by field and rule", () => {
    const problems = (over: Record<string, unknown>) => {
      const read = readClaimReview(review(over));
      return "problems" in read ? read.problems : [];
    };
    expect(problems({ claimReviewed: undefined })).toEqual(["claim_text: is required without claim_id"]);
    expect(problems({ url: "ftp://x" })).toEqual(["url: must be an absolute http or https URL"]);
    expect(problems({ datePublished: "soon" })).toEqual(["published_at: must be an ISO 8601 date or timestamp"]);
    expect(readReview({ publisher: "P", claim_text: "x", rating: "six" })).toEqual({
      problems: [expect.stringMatching(/^rating: /)],
    });
  });
});
