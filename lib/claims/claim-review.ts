import type { ClaimReviewView } from "../contract/mod.ts";
import type { Review } from "../store/mod.ts";

/** Words of the ratings 1 to 5, where a review gives none. */
const RATING_WORDS: Record<"ar" | "en", readonly string[]> = {
  ar: ["كاذب", "كاذب في معظمه", "مختلط", "صحيح في معظمه", "صحيح"],
  en: ["False", "Mostly false", "Mixture", "Mostly true", "True"],
};
const UNRATED = { ar: "غير مصنف", en: "Unrated" };

/** Holds what a rating goes from and to. */
const SCALE = { worstRating: 1, bestRating: 5 };

/** Says where a claim appeared. */
type Appearance = { url: string; name?: string; datePublished?: string };

/**
 * Returns a review as a ClaimReview of schema.org, with what Google requires of one. `home`: the address of the review
 * itself, for one without another; `articles`: where the claim appeared in this archive.
 */
export function claimReview(
  review: Review,
  { home, articles }: { home: string; articles: readonly Appearance[] },
): ClaimReviewView {
  const { claimText, lang, rating, ratingText, url, publisher, publishedAt, createdAt, item } = review;
  const language = lang === "ar" ? "ar" : "en";
  const word = rating === null ? UNRATED[language] : RATING_WORDS[language][rating - 1];
  const appearances = [...(item?.appearances ?? []).map((each): Appearance => ({ url: each })), ...articles].map(
    (appearance) => ({ "@type": "CreativeWork" as const, ...appearance }),
  );
  return {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "@id": home,
    url: url ?? home,
    claimReviewed: claimText,
    inLanguage: language,
    datePublished: (publishedAt ?? createdAt).slice(0, 10),
    author: { "@type": "Organization", name: publisher },
    reviewRating: {
      "@type": "Rating",
      ...(rating !== null && { ratingValue: rating, ...SCALE }),
      alternateName: ratingText ?? word ?? UNRATED[language],
    },
    itemReviewed: {
      "@type": "Claim",
      ...(item?.name !== undefined && { author: { "@type": "Thing", name: item.name } }),
      ...(item?.date !== undefined && { datePublished: item.date }),
      ...(appearances.length > 0 && { appearance: appearances }),
    },
  };
}
