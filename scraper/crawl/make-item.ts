import { isAuthor, LIMITS } from "@isnad/lib/contract";
import { createTaxonomy, type Taxonomy } from "@isnad/lib/service/config";
import { trimEnd } from "@isnad/lib/std";
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
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";
import { type ExtractedPage, type PageKind, sameSite } from "../../lib/extraction/extract.ts";
import type { Failure } from "./fetch.ts";
import type { CrawlProfile } from "./types.ts";

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

/** The text that an article is made of. */
interface ChosenText {
  readonly text: string;
  readonly from: "page" | "feed";
  /** 0 to 1: how sure it is the whole text of the article. */
  readonly quality: number;
}

/** The shortest text that the ingest route takes, in code points. */
const MIN_TEXT = 200;
/** A summary shorter than this is a teaser. */
const MIN_SUMMARY = 500;
const MIN_QUALITY = 0.5;
const FEED_QUALITY = 0.6;
const MUCH_LONGER = 1.5;
/** Says how feeds end a text that goes on elsewhere. */
const CUT = /(?:…|\.\.\.|\[\s*(?:…|\.\.\.|&hellip;)\s*\]|(?:read|continue|اقرأ|المزيد)[\s\p{L}.»>]{0,20})\s*$/iu;

/**
 * Chooses between the text of an article's page and the one that its feed gives: the page's, unless it cannot be had,
 * is no article, is too short, or is doubtful while the feed's is much longer. `only` leaves no choice: with `feed` the
 * feed's whole text goes however it ends. Null when there is none that will do.
 */
export function chooseText(
  page: ExtractedPage | null,
  entry: DiscoveredEntry,
  only?: ChosenText["from"],
): ChosenText | null {
  if (only === "feed") return wholeTextOfFeed(entry);
  const pageText =
    page !== null && page.kind === "article" && isLong(page.content)
      ? { text: page.content, from: "page" as const, quality: page.quality }
      : null;
  const feedText = only === "page" ? null : textOfFeed(entry);
  if (pageText === null || feedText === null) return pageText ?? feedText;
  if (page?.method === "profile" || pageText.quality >= MIN_QUALITY) return pageText;
  return feedText.text.length > pageText.text.length * MUCH_LONGER ? feedText : pageText;
}

/** Returns the longer of the texts that a feed gives of an article, null when that is too short. */
function wholeTextOfFeed({ content, summary }: DiscoveredEntry): ChosenText | null {
  const text = content.length >= summary.length ? content : summary;
  return isLong(text) ? { text, from: "feed", quality: FEED_QUALITY } : null;
}

/** Returns the text that a feed gives of an article, null when it is only a teaser. */
function textOfFeed({ content, summary }: DiscoveredEntry): ChosenText | null {
  for (const [text, least] of [
    [content, MIN_TEXT],
    [summary, MIN_SUMMARY],
  ] as const) {
    if (isLong(text, least) && !CUT.test(text.slice(-60))) return { text, from: "feed", quality: FEED_QUALITY };
  }
  return null;
}

function isLong(text: string, least = MIN_TEXT): boolean {
  return text.length >= 2 * least || codePointLength(text.replace(/\s+/g, " ").trim()) >= least;
}

const PAGE_PARAMETER = /^(?:page|p|pg|paged|pageno|pagenum|page_no)$/i;

/**
 * Tells whether an address is the page of that number of an article, as its address alone shows: `/news/1` goes on at
 * `/news/1/2`, `/news/1/page/2`, `/news/1-2.html` or `/news/1?page=2`.
 */
export function isPageOf(first: string, address: string, number: number): boolean {
  const [from, to] = [URL.parse(first), URL.parse(address)];
  if (from === null || to === null || !sameSite(first, address)) return false;
  if (stemOf(from.pathname) === stemOf(to.pathname)) {
    const added = [...to.searchParams].filter(([name, value]) => from.searchParams.get(name) !== value);
    const [[name = "", value = ""] = []] = added;
    const isNew = added.length === 1 && !from.searchParams.has(name);
    return isNew && PAGE_PARAMETER.test(name) && value === String(number);
  }
  if (to.search !== from.search || !stemOf(to.pathname).startsWith(stemOf(from.pathname))) return false;
  const suffix = stemOf(to.pathname).slice(stemOf(from.pathname).length).toLowerCase();
  // A name that ends in -2 without a file's ending is rather that of another article with the same title.
  const forms = ENDING.test(to.pathname) ? ["/", "/page/", "-", "_"] : ["/", "/page/", "/page-"];
  return forms.some((form) => suffix === form + number);
}

const ENDING = /\.(?:html?|php|aspx?)$/i;

/** Returns a path without what may end it. */
function stemOf(path: string): string {
  return trimEnd(path, /\//).replace(ENDING, "");
}

/** A page of an article and where it came from. */
interface ArticlePage {
  readonly page: ExtractedPage;
  readonly url: string;
}

/** Says how the pages of an article are gone through. */
interface FurtherPages {
  /** Fetches and extracts a page. */
  readonly read: (url: string) => Promise<ArticlePage | { readonly why: Failure }>;
  /**
   * True when the profile itself says where the link is; otherwise an address must look like one of the same article.
   */
  readonly isSelected: boolean;
  readonly maxPages: number;
}

/** An article put together from its pages. */
interface WholeArticle {
  readonly page: ExtractedPage;
  readonly pages: number;
  /** Why its next page could not be had; null when it goes on nowhere. */
  readonly cutOff: Failure | null;
}

/** Pages that stand in the way of the article. */
const NO_TEXT: ReadonlySet<PageKind> = new Set(["block-page", "consent-page", "error-page", "empty"]);
/** The longest text that is put together; the ingest route cuts at 200,000 code points. */
const MAX_CONTENT = 250_000;

/**
 * Follows an article from its first page on and joins the texts: each page once, paragraphs that an earlier page has
 * left out. It ends at a page that adds nothing. Rejects with what `read` rejects with.
 */
export async function withFurtherPages(first: ArticlePage, options: FurtherPages): Promise<WholeArticle> {
  const { read, isSelected, maxPages } = options;
  const paragraphs = new Set(first.page.content.split("\n\n"));
  const visited = new Set([first.url]);
  let content = first.page.content;
  let last = first.page;
  let pages = 1;
  let cutOff: Failure | null = null;
  while (pages < maxPages && content.length < MAX_CONTENT) {
    const next = last.nextPages.find(
      (address) => !visited.has(address) && (isSelected || isPageOf(first.url, address, pages + 1)),
    );
    if (next === undefined) break;
    visited.add(next);
    const further = await read(next);
    if ("why" in further) {
      cutOff = further.why;
      break;
    }
    if (NO_TEXT.has(further.page.kind)) break;
    const fresh = further.page.content.split("\n\n").filter((text) => text !== "" && !paragraphs.has(text));
    if (fresh.length === 0) break;
    visited.add(further.url);
    for (const paragraph of fresh) paragraphs.add(paragraph);
    content = [content, ...fresh].join("\n\n").slice(0, MAX_CONTENT).toWellFormed();
    last = further.page;
    pages++;
  }
  return { page: { ...first.page, content }, pages, cutOff };
}
