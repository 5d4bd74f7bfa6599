import { isAuthor, LIMITS } from "@isnad/lib/contract";
import { createTaxonomy, type Taxonomy } from "@isnad/lib/service/config";
import type { ScrapedItem } from "@isnad/lib/store";
import {
  cleanText,
  codePointLength,
  codePointSlice,
  contentHash,
  detectLanguage,
  fold,
  withoutMarks,
} from "@isnad/lib/text";
import type { ExtractedPage } from "../../lib/extraction/mod.ts";
import type { ChosenText } from "./page-text.ts";
import type { CrawlProfile } from "./types.ts";
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";

const DAY_MS = 86_400_000;
const MIN_CONFIDENCE = 0.5;
/** A title so much shorter than the listing's is only a piece of it. */
const FRAGMENT = 0.5;

/** Holds what an article is made of. */
export interface ItemParts {
  readonly profile: CrawlProfile;
  readonly entry: DiscoveredEntry;
  readonly page: ExtractedPage | null;
  readonly chosen: ChosenText;
  readonly id: string;
  /** Says where it was fetched from, else the listed address. */
  readonly url: string;
  readonly canonicalUrl: string;
  readonly category: Category;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Puts an article together from its page and what its listing says of it. */
export function makeItem(parts: ItemParts): ScrapedItem {
  const { profile, entry, page, chosen, id, url, canonicalUrl, category, now } = parts;
  const title = chooseTitle(profile, page, entry);
  const whole = withoutTitle(chosen.text, title);
  const text = whole.length <= LIMITS.contentMax ? whole : codePointSlice(whole, 0, LIMITS.contentMax);
  return {
    id,
    sourceId: profile.source.id,
    source: profile.source.id,
    url,
    canonicalUrl,
    title: codePointLength(title) <= LIMITS.title ? title : codePointSlice(title, 0, LIMITS.title),
    content: text,
    publishedAt: publicationOf(profile, page, entry, now).at,
    language: languageOf(`${title}\n${text}`, page, chosen, profile),
    category: category.canonical,
    categoryLabel: category.label,
    provider: profile.provider,
    authors: authorsOf(page, entry).filter(isAuthor).slice(0, LIMITS.authors),
    images: [...new Set([page?.image ?? null, entry.image].filter(isWebAddress))].slice(0, LIMITS.images),
    details: {
      profile: profile.name,
      text: {
        from: chosen.from,
        method: chosen.from === "page" ? (page?.method ?? null) : null,
        quality: chosen.quality,
      },
      ...(chosen.from === "page" && page?.paywalled === true && { paywalled: true }),
      ...(page?.claimReviews !== undefined && { claim_reviews: [...page.claimReviews] }),
      updated_at: page?.modifiedAt ?? entry.updatedAt,
    },
  };
}

/**
 * Names the content of an article by the rule of the ingest route, which decides by it what is new and what has
 * changed.
 */
export function hashOf({ title, content }: Pick<ScrapedItem, "title" | "content">): string {
  const clean = cleanText(content);
  return contentHash(
    cleanText(title),
    clean.length <= LIMITS.contentMax ? clean : codePointSlice(clean, 0, LIMITS.contentMax),
  );
}

/**
 * Returns the page's title, unless it only adds the name of the site to the listing's, is a mere piece of that, or is
 * missing.
 */
function chooseTitle(profile: CrawlProfile, page: ExtractedPage | null, entry: DiscoveredEntry): string {
  const [own, listed] = [cleanText(page?.title ?? ""), withoutMarks(cleanText(entry.title))];
  if (own === "" || page === null) return listed;
  if (profile.article?.title !== undefined || listed === "") return own;
  const isPart = own.length < listed.length * FRAGMENT && listed.includes(own) && !/(?:…|\.\.\.)$/.test(listed);
  return isPart || (own.startsWith(listed) && /^\s*[|\-–—:·•]/u.test(own.slice(listed.length))) ? listed : own;
}

/** Returns a text without a first paragraph that only repeats the title. */
function withoutTitle(text: string, title: string): string {
  const end = text.indexOf("\n");
  return end > 0 && fold(text.slice(0, end)) === fold(title) ? text.slice(end).trimStart() : text;
}

/** Says when an article was published, ISO 8601 in UTC, and what says so. */
export interface Publication {
  readonly at: string | null;
  readonly from: "listing" | ExtractedPage["publishedFrom"];
}

/**
 * Returns the time that the profile selects on the page, else the listing's, which has a zone, else the page's, else
 * that of a change; none that is still to come.
 */
export function publicationOf(
  profile: CrawlProfile,
  page: ExtractedPage | null,
  entry: DiscoveredEntry,
  now: number,
): Publication {
  const own: Publication = { at: page?.publishedAt ?? null, from: page?.publishedFrom ?? "none" };
  const listed: Publication = { at: entry.publishedAt, from: "listing" };
  const changes = [entry.updatedAt, page?.modifiedAt ?? null].map((at): Publication => ({ at, from: "modified" }));
  const times = [...(profile.article?.published_at === undefined ? [listed, own] : [own, listed]), ...changes];
  return times.find(({ at }) => at !== null && Date.parse(at) <= now + DAY_MS) ?? { at: null, from: "none" };
}

/**
 * Returns the language of the text where that is clear, whatever the page declares; else as declared, else as the
 * profile says.
 */
function languageOf(text: string, page: ExtractedPage | null, chosen: ChosenText, profile: CrawlProfile): string {
  const detected = detectLanguage(text);
  const declared = chosen.from === "page" ? page?.language : null;
  if (detected.confidence < MIN_CONFIDENCE) return declared ?? profile.language;
  if (detected.lang !== "other") return detected.lang;
  return declared === "ar" || declared === "en" ? "other" : (declared ?? "other");
}

function authorsOf(page: ExtractedPage | null, entry: DiscoveredEntry): string[] {
  if (page !== null && page.authors.length > 0) return [...page.authors];
  return withoutMarks(entry.author)
    .split(/[,،;]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function isWebAddress(address: string | null): address is string {
  return address !== null && address.length <= LIMITS.url && /^https?:\/\//i.test(address) && URL.canParse(address);
}

/**
 * Holds what an article is about: the canonical category, null where no map knows the label, and the source's own
 * label.
 */
export interface Category {
  readonly canonical: string | null;
  readonly label: string | null;
}

/**
 * Finds the category that the labels of an article stand for, the first known one first: by the profile's own map, then
 * by the platform's for the provider, then as a canonical name. Without any, the first label is kept as it is.
 */
export function createCategorizer(
  profile: Pick<CrawlProfile, "provider" | "category_map">,
  taxonomy: Taxonomy,
): (labels: readonly (string | null)[]) => Category {
  const { provider, category_map: map = {} } = profile;
  const { version, categories } = taxonomy;
  const canonical = Object.fromEntries(Object.entries(map).filter(([, category]) => categories.includes(category)));
  const own = createTaxonomy({ version, categories, labels: { [provider]: canonical } });
  return (labels) => {
    const given = labels.map((label) => label?.trim() ?? "").filter((label) => label !== "");
    for (const map of [own, taxonomy]) {
      for (const label of given) {
        const mapped = map.mapLabel(provider, label);
        if (mapped !== null) return { canonical: mapped.categoryId, label };
      }
    }
    return { canonical: null, label: given[0] ?? null };
  };
}
