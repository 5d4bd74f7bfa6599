import { type ClaimReviewView, NewReview } from "../contract/mod.ts";
import { scriptLanguage } from "../models/mod.ts";
import { isObject } from "../std/mod.ts";
import type { Review, ReviewInput, ReviewItem } from "../store/mod.ts";

/** Words of the ratings 1 to 5, where a review gives none. */
const RATING_WORDS: Record<"ar" | "en", readonly string[]> = {
  ar: ["كاذب", "كاذب في معظمه", "مختلط", "صحيح في معظمه", "صحيح"],
  en: ["False", "Mostly false", "Mixture", "Mostly true", "True"],
};
const UNRATED = { ar: "غير مصنف", en: "Unrated" };

/** Returns what a review finds, in its own words or else in those of its rating. */
export function verdictOf({ rating, ratingText }: Pick<Review, "rating" | "ratingText">, lang: string): string {
  const language = lang === "ar" ? "ar" : "en";
  const word = rating === null ? undefined : RATING_WORDS[language][rating - 1];
  return ratingText ?? word ?? UNRATED[language];
}

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
  const { claimText, lang, rating, url, publisher, publishedAt, createdAt, item } = review;
  const appearances = [...(item?.appearances ?? []).map((each): Appearance => ({ url: each })), ...articles].map(
    (appearance) => ({ "@type": "CreativeWork" as const, ...appearance }),
  );
  return {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "@id": home,
    url: url ?? home,
    claimReviewed: claimText,
    inLanguage: lang === "ar" ? "ar" : "en",
    datePublished: (publishedAt ?? createdAt).slice(0, 10),
    author: { "@type": "Organization", name: publisher },
    reviewRating: {
      "@type": "Rating",
      ...(rating !== null && { ratingValue: rating, ...SCALE }),
      alternateName: verdictOf(review, lang),
    },
    itemReviewed: {
      "@type": "Claim",
      ...(item?.name !== undefined && { author: { "@type": "Thing", name: item.name } }),
      ...(item?.date !== undefined && { datePublished: item.date }),
      ...(appearances.length > 0 && { appearance: appearances }),
    },
  };
}

/** Reviews of one document, and objects that are looked at for them. */
const MAX_REVIEWS = 100_000;
const MAX_OBJECTS = 1_000_000;
/** Levels of nesting at which a ClaimReview is looked for: feed, element, item, graph. */
const MAX_DEPTH = 8;

/**
 * Returns the ClaimReviews of a JSON-LD document: one by itself, in a list, in a graph, or in a data feed as Google's
 * Data Commons has it. What is larger or deeper than such documents are is not looked at.
 */
export function claimReviewsIn(document: unknown, { most = MAX_REVIEWS } = {}): Record<string, unknown>[] {
  const reviews: Record<string, unknown>[] = [];
  const open: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }];
  for (let looked = 0; open.length > 0 && looked < MAX_OBJECTS && reviews.length < most; looked++) {
    const { value, depth } = open.pop() ?? { value: undefined, depth: 0 };
    if (depth > MAX_DEPTH) continue;
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) open.push({ value: value[i], depth: depth + 1 });
    } else if (isObject(value)) {
      if (hasType(value, "ClaimReview")) reviews.push(value);
      else
        for (const key of ["review", "hasPart", "mainEntity", "item", "dataFeedElement", "@graph"])
          if (value[key] !== undefined) open.push({ value: value[key], depth: depth + 1 });
    }
  }
  return reviews;
}

function hasType(value: Record<string, unknown>, type: string): boolean {
  const types = Array.isArray(value["@type"]) ? value["@type"].slice(0, 8) : [value["@type"]];
  return types.some((each) => typeof each === "string" && each.replace(/^https?:\/\/schema\.org\//, "") === type);
}

/** A review that was read, or what is wrong with it: field and rule. */
export type ReadReviewResult = { review: ReviewInput } | { problems: string[] };

/** Holds by which name a ClaimReview has each field of a review. */
const PLACES: Readonly<Record<string, string>> = {
  claim_text: "claimReviewed",
  lang: "inLanguage",
  rating: "reviewRating",
  rating_text: "reviewRating.alternateName",
  publisher: "author",
  published_at: "datePublished",
  claimant: "itemReviewed.author",
  claimed_at: "itemReviewed.datePublished",
  appearances: "itemReviewed.appearance",
};

/** Says what is wrong by the names that the writer of a ClaimReview knows. */
function placed(problem: string): string {
  const field = fieldOf(problem);
  return `${PLACES[field] ?? field}${problem.slice(field.length).replace(" without claim_id", "")}`;
}

const fieldOf = (problem: string): string => problem.replace(/[.:].*/s, "");

/** Fields that a review can do without. */
const OPTIONAL: ReadonlySet<string> = new Set(["rating_text", "published_at", "claimant", "claimed_at", "appearances"]);

/**
 * Reads a ClaimReview as a review. `home`: the page that it was met on, for one without an address; what is wrong there
 * is nobody's to mend, so a field that it can do without is left away.
 */
export function readClaimReview(value: Record<string, unknown>, { home }: { home?: string } = {}): ReadReviewResult {
  const item = firstObject(value.itemReviewed);
  const rating = firstObject(value.reviewRating);
  const alternate = textOf(rating?.alternateName) ?? textOf(rating?.ratingExplanation);
  const url = textOf(value.url) ?? textOf(value.mainEntityOfPage) ?? home;
  const appearances = [item?.appearance, item?.firstAppearance, item?.sameAs].flatMap(addressesOf);
  const fields = {
    claim_text: textOf(value.claimReviewed) ?? textOf(item?.name),
    lang: languageOf(textOf(value.inLanguage)),
    rating: ratingOf(rating, alternate),
    rating_text: alternate,
    url,
    publisher: nameOf(value.author) ?? nameOf(value.publisher) ?? nameOf(value.sdPublisher) ?? hostOf(url),
    published_at: textOf(value.datePublished),
    claimant: nameOf(item?.author),
    claimed_at: textOf(item?.datePublished),
    appearances: [...new Set(appearances)].slice(0, MAX_APPEARANCES),
  };
  const read = readReview(fields);
  if ("review" in read) return read;
  const wrong = new Set(read.problems.map(fieldOf));
  if (home === undefined || ![...wrong].every((field) => OPTIONAL.has(field))) {
    return { problems: read.problems.map(placed) };
  }
  return readReview(Object.fromEntries(Object.entries(fields).filter(([field]) => !wrong.has(field))));
}

/** Reads the fields of a review as `POST /v1/reviews` takes them; those that are undefined are not there. */
export function readReview(fields: Record<string, unknown>): ReadReviewResult {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const parsed = NewReview.safeParse(given);
  if (!parsed.success) {
    return { problems: parsed.error.issues.map(({ path, message }) => `${path.join(".") || "review"}: ${message}`) };
  }
  const {
    claim_id = null,
    claim_text = "",
    rating = null,
    rating_text = null,
    url = null,
    published_at = null,
  } = parsed.data;
  const { claimant, claimed_at, appearances } = parsed.data;
  const item: ReviewItem = { name: claimant ?? undefined, date: claimed_at ?? undefined, appearances };
  const claimText = claim_text.trim();
  return {
    review: {
      claimId: claim_id,
      claimText,
      lang: parsed.data.lang ?? scriptLanguage(claimText) ?? "en",
      rating,
      ratingText: rating_text,
      url,
      publisher: parsed.data.publisher.trim(),
      publishedAt: published_at,
      item: Object.values(item).every((value) => value === undefined) ? null : item,
    },
  };
}

const MAX_APPEARANCES = 25;

/** Ratings by their words, where a review has no number; the first that matches. */
const RATED: readonly [pattern: RegExp, rating: number][] = [
  [
    /^(?:mostly.false|mostly untrue|misleading|distorts|exaggerated|no evidence|unsupported|unproven claim|three pinocchios|مضلل|مضللة|كاذب في معظمه|خاطئ في معظمه|خطأ في معظمه|لا دليل)/iu,
    2,
  ],
  [/^(?:mostly.true|mostly correct|accurate with|صحيح في معظمه|صحيح غالبا)/iu, 4],
  [
    /^(?:half.?true|half.?false|mixture|mixed|partly|partially|missing context|cherry|صحيح جزئيا|خاطئ جزئيا|نصف حقيقة|مختلط|ناقص)/iu,
    3,
  ],
  [
    /^(?:false|fake|incorrect|inaccurate|wrong|untrue|pants.on.fire|hoax|fabricated|altered|doctored|manipulated|baseless|four pinocchios|not true|scam|كاذب|كذب|خطأ|خاطئ|زائف|مفبرك|غير صحيح|شائعة|ملفق|مزيف)/iu,
    1,
  ],
  [/^(?:true|correct|accurate|right|صحيح|حقيقي|صادق)/iu, 5],
];

/** Opens a rating in words: `This claim is false`. */
const VERDICT =
  /^(?:(?:this|it|the|our)\s(?:claim\s|post\s|video\s|image\s|photo\s|verdict\s|rating\s)?(?:is|was)\s(?:a\s)?|(?:verdict|rating|conclusion):\s?|(?:الحكم|التقييم|النتيجة):\s?|(?:هذا )?(?:الادعاء|الخبر)\s(?:هو\s)?)/iu;

/** Returns a rating on the scale of 1 to 5, whatever its own is; null where it has none. */
function ratingOf(rating: Record<string, unknown> | undefined, alternate: string | undefined): number | null {
  const value = numberIn(rating?.ratingValue);
  const [worst, best] = [numberIn(rating?.worstRating) ?? 1, numberIn(rating?.bestRating) ?? 5];
  if (value !== undefined && best !== worst && isBetween(value, worst, best)) {
    return Math.round(1 + (4 * (value - worst)) / (best - worst));
  }
  const words = (alternate ?? "").trim().replace(VERDICT, "");
  return RATED.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

const isBetween = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b);

function numberIn(value: unknown): number | undefined {
  const number =
    typeof value === "number" ? value : typeof value === "string" && value.length < 20 ? Number(value) : Number.NaN;
  return typeof value === "string" && value.trim() === "" ? undefined : Number.isFinite(number) ? number : undefined;
}

function textOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (isObject(first)) return textOf(first["@value"] ?? first["@id"] ?? first.url);
  return typeof first === "string" && first.trim() !== "" ? first.trim() : undefined;
}

function firstObject(value: unknown): Record<string, unknown> | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? first : undefined;
}

function nameOf(value: unknown): string | undefined {
  const thing = firstObject(value);
  return thing === undefined ? textOf(value) : (textOf(thing.name) ?? textOf(thing.url));
}

function addressesOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value.slice(0, MAX_APPEARANCES) : [value];
  return all.flatMap((each) => {
    const address = isObject(each) ? (textOf(each.url) ?? textOf(each["@id"])) : textOf(each);
    return address !== undefined && /^https?:\/\//i.test(address) ? [address] : [];
  });
}

function languageOf(tag: string | undefined): string | undefined {
  const language = tag?.slice(0, 2).toLowerCase();
  return language === "ar" || language === "en" ? language : undefined;
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.hostname.replace(/^www\./, "");
}
