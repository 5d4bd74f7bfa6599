import { describe, expect, test } from "bun:test";
import type { Review } from "../store/mod.ts";
import { claimReview, claimReviewsIn, readClaimReview, readReview } from "./claim-review.ts";

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
    [{ ratingValue: 5, worstRating: 5, bestRating: 1 }, 1],
    [{ ratingValue: 2, worstRating: 2, bestRating: 2, alternateName: "True" }, 5],
    [{ alternateName: "This claim is false." }, 1],
    [{ alternateName: "Verdict: Mostly-True" }, 4],
    [{ alternateName: "Four Pinocchios" }, 1],
    [{ alternateName: "الحكم: مضلل" }, 2],
    [{ alternateName: "الخبر زائف" }, 1],
    [{ alternateName: "It is raining" }, null],
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
    expect(problems({ claimReviewed: undefined })).toEqual(["claimReviewed: is required"]);
    expect(problems({ url: "ftp://x" })).toEqual(["url: must be an absolute http or https URL"]);
    expect(problems({ datePublished: "soon" })).toEqual(["datePublished: must be an ISO 8601 date or timestamp"]);
    expect(readReview({ publisher: "P", claim_text: "x", rating: "six" })).toEqual({
      problems: [expect.stringMatching(/^rating: /)],
    });
  });
});

describe("a ClaimReview that was met on a page", () => {
  const home = "https://check.example/3";

  test("is read without what is wrong in it and not needed", () => {
    const odd = { datePublished: "soon", itemReviewed: { author: { name: "x".repeat(5_000) }, datePublished: 5 } };
    expect(readClaimReview(review(odd), { home })).toMatchObject({ review: { publishedAt: null, rating: 1 } });
  });

  test("is refused for what is wrong and needed, there as well", () => {
    for (const odd of [{ claimReviewed: 7 }, { claimReviewed: "x".repeat(100_000) }, { url: "javascript:1" }]) {
      expect(readClaimReview(review(odd), { home })).toHaveProperty("problems");
    }
  });
});

describe("a review as a ClaimReview", () => {
  const stored: Review = {
    ...{
      reviewId: 4,
      claimId: null,
      claimText: "هبط السعر إلى 5.",
      lang: "ar",
      rating: 2,
      ratingText: null,
      url: null,
    },
    ...{ publisher: "المكتب", publishedAt: null, item: null, origin: "desk" },
    ...{ createdAt: "2024-05-06T07:08:09.000Z", updatedAt: "2024-05-06T07:08:09.000Z" },
  };
  const home = "https://desk.example/v1/reviews/4";
  const shown = (over: Partial<Review> = {}, articles: { url: string }[] = []) =>
    claimReview({ ...stored, ...over }, { home, articles });

  test("has all that is required of one, and what a rating says in its language", () => {
    expect(shown()).toEqual({
      "@context": "https://schema.org",
      "@type": "ClaimReview",
      "@id": home,
      url: home,
      claimReviewed: "هبط السعر إلى 5.",
      inLanguage: "ar",
      datePublished: "2024-05-06",
      author: { "@type": "Organization", name: "المكتب" },
      reviewRating: {
        ...{ "@type": "Rating", ratingValue: 2, worstRating: 1, bestRating: 5 },
        alternateName: "كاذب في معظمه",
      },
      itemReviewed: { "@type": "Claim" },
    });
  });

  test("without a rating has its words alone, and never a number", () => {
    for (const [lang, words] of [
      ["ar", "غير مصنف"],
      ["en", "Unrated"],
    ] as const) {
      expect(shown({ rating: null, lang }).reviewRating).toEqual({ "@type": "Rating", alternateName: words });
    }
    expect(shown({ ratingText: "Satire" }).reviewRating.alternateName).toBe("Satire");
  });

  test("says who claimed it, when, and where it appeared: at the publisher's and in this archive", () => {
    const item = { name: "Sara", date: "2024-05-01", appearances: ["https://a.example/1"] };
    expect(shown({ item }, [{ url: "https://b.example/2" }]).itemReviewed).toEqual({
      "@type": "Claim",
      author: { "@type": "Thing", name: "Sara" },
      datePublished: "2024-05-01",
      appearance: ["https://a.example/1", "https://b.example/2"].map((url) => ({ "@type": "CreativeWork", url })),
    });
  });

  test("is read again as the review that it was", () => {
    const full = {
      ...stored,
      rating: 4,
      url: "https://check.example/9",
      item: { name: "Sara", appearances: ["https://a.example/1"] },
    };
    const again = readClaimReview({ ...claimReview(full, { home, articles: [] }) });
    expect(again).toMatchObject({
      review: { claimText: full.claimText, rating: 4, lang: "ar", url: full.url, publisher: "المكتب", item: full.item },
    });
  });
});
