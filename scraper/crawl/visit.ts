import { createHash } from "node:crypto";
import type { FrontierRow, ScrapedItem, StoredItem, Validators } from "@isnad/lib/store";
import type { ExtractedPage, PageInput, PageSelectors } from "../../lib/extraction/extract.ts";
import { sameSite } from "../../lib/extraction/page/addresses.ts";
import { ReaderError, type ReaderErrorCode } from "../../lib/extraction/reader/pool.ts";
import { ageCutoff, canonicalOrNull, fromDiscovery } from "./discover.ts";
import { type Failure, failure, failureOf, failureOfStatus, fetchFor } from "./fetch.ts";
import {
  type Category,
  chooseText,
  hashOf,
  makeItem,
  type Publication,
  publicationOf,
  withFurtherPages,
} from "./make-item.ts";
import type { RunReport } from "./run-report.ts";
import type { ArticleSelectors, CrawlParts, CrawlProfile } from "./types.ts";
import { createUrlFilter, type DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";
import type { EgressResponse } from "@isnad/lib/web/egress";

/** Returns what an answer says of itself, for the next conditional request. `contentHash` names its body. */
function validatorsOf(answer: EgressResponse, contentHash: string | null): Validators {
  return { etag: answer.etag ?? null, lastModified: answer.lastModified ?? null, contentHash };
}

/** The addresses that an article is known by. */
interface ArticleAddresses {
  /** As the listing gives it. */
  readonly listed: string;
  /** Says where it was answered from, after redirects; null when it was not fetched. */
  readonly fetched: string | null;
  /** Holds what the page itself calls its canonical address. */
  readonly declared: string | null;
}

/**
 * Returns the canonical address of an article: the one that its page declares where that can be the article's own (on
 * the same site, neither a front page nor a section), else the one that it was fetched from, else the listed one.
 */
export function canonicalOf({ listed, fetched, declared }: ArticleAddresses): string {
  const base = canonicalOrNull(fetched ?? listed) ?? listed;
  const own = declared === null ? null : canonicalOrNull(declared);
  return own !== null && isPlausible(own, base) ? own : base;
}

/** Returns the id of an article, stable for its source and canonical address: 32 hexadecimal digits. */
export function itemId(sourceId: string, canonical: string): string {
  return createHash("sha256").update(`${sourceId}\n${canonical}`).digest("hex").slice(0, 32);
}

/**
 * Many sites declare their front page or a section as the canonical address of every article: these would all be one.
 */
function isPlausible(declared: string, base: string): boolean {
  if (!sameSite(declared, base)) return false;
  const [to, from] = [new URL(declared), new URL(base)].map(({ pathname, search }) => ({
    last: pathname.split("/").at(-1) ?? "",
    search,
  }));
  if (to === undefined || from === undefined) return false;
  return /\d/.test(to.last + to.search) || to.last.length >= 12 || (to.last !== "" && to.last === from.last);
}

/**
 * Returns what a profile knows of its source's pages, for the extractor: first the selectors of the design that the day
 * of publication (ISO 8601, null for an unknown one) falls in, then those of the others, the latest first.
 */
export function pageHints(
  { article = {}, article_versions = [], timezone }: CrawlProfile,
  publishedAt: string | null = null,
): Pick<PageInput, "selectors" | "otherSelectors" | "zone"> {
  const latestFirst = article_versions.toSorted((a, b) => b.until.localeCompare(a.until));
  const day = publishedAt?.slice(0, 10) ?? "";
  const own = day === "" ? undefined : latestFirst.findLast(({ until }) => day <= until);
  const [first, ...others] = [
    ...(own === undefined ? [] : [own]),
    article,
    ...latestFirst.filter((one) => one !== own),
  ];
  return {
    selectors: selectorsOf(first ?? {}),
    otherSelectors: others.map(selectorsOf),
    ...(timezone !== undefined && { zone: timezone }),
  };
}

function selectorsOf(given: ArticleSelectors): PageSelectors {
  const { title, content, published_at, author, image, remove, next_page } = given;
  const named = { title, content, published_at, author, image, remove, next_page };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** The outcome of a visit. */
export type Visit =
  | {
      readonly kind: "item";
      readonly item: ScrapedItem;
      readonly contentHash: string;
      /** Validators of the page, to be stored after the item; null when the text is the feed's. */
      readonly validators: Validators | null;
      /** True when the page was fetched. */
      readonly fetched: boolean;
    }
  /** The page has not changed since the item was stored. */
  | { readonly kind: "unchanged"; readonly stored: StoredItem }
  | { readonly kind: "none"; readonly why: Failure; readonly fetched: boolean };

/** Holds what is needed to visit the articles of a profile. */
export interface VisitContext {
  readonly parts: CrawlParts;
  readonly profile: CrawlProfile;
  readonly categorize: (labels: readonly (string | null)[]) => Category;
  readonly signal: AbortSignal;
  /** Longest wait for the rate limit of a host, in milliseconds. */
  readonly maxTurnMs: number;
  /** Records which of the profile's selectors matched on each page. */
  readonly report: RunReport;
}

/** An article to visit. `lastTry`: a temporary failure counts as final, so that the feed's text can be used. */
interface VisitInput {
  readonly row: Pick<FrontierRow, "url" | "entry" | "category">;
  readonly lastTry: boolean;
}

/**
 * Fetches an article's page (conditionally if it was fetched before), extracts it, and combines it with the fields of
 * its listing. Rejects only when the database fails or the signal aborts.
 */
export async function visitArticle(context: VisitContext, { row, lastTry }: VisitInput): Promise<Visit> {
  const { parts, profile } = context;
  const entry = fromDiscovery(row.url, row.entry);
  const stored = await parts.store.items.get(profile.name, row.url);
  const validators = stored === undefined ? undefined : await parts.store.validators.get(profile.name, row.url);
  const result = profile.full_text === "feed" ? NO_PAGE : await readPage(context, { entry, validators, lastTry });
  if ("unchanged" in result && stored !== undefined) return { kind: "unchanged", stored };
  const why = "why" in result ? result.why : null;
  if (why !== null && (!why.feedMayServe || (why.state === "retry" && !lastTry)))
    return { kind: "none", why, fetched: false };
  const page = "page" in result ? result.page : null;
  const fetched = page !== null;
  if (page?.kind === "article") context.report.page(page.selectors);
  if ("page" in result && !createUrlFilter({ block: profile.block })(result.url)) {
    return { kind: "none", why: failure({ state: "skipped", reason: "blocked" }), fetched };
  }
  const chosen = chooseText(page, entry, profile.full_text);
  if (chosen === null) return { kind: "none", why: why ?? reasonAgainst(page), fetched };
  // The feed's text must not replace the stored text of the page just because the page cannot be fetched today.
  if (stored !== undefined && why !== null) return { kind: "unchanged", stored };
  const url = "page" in result ? result.url : entry.url;
  const canonicalUrl =
    stored?.item.canonicalUrl ??
    canonicalOf({ listed: row.url, fetched: "page" in result ? url : null, declared: page?.canonicalUrl ?? null });
  const category = context.categorize([row.category, ...entry.categories, page?.category ?? null]);
  const id = stored?.item.id ?? itemId(profile.source.id, canonicalUrl);
  const item = makeItem({ profile, entry, page, chosen, id, url, canonicalUrl, category, now: parts.now() });
  const refusal = refusalOf(item);
  if (refusal !== null) return { kind: "none", why: refusal, fetched };
  const published = publicationOf(profile, page, entry, parts.now());
  if (isTooOld(published, profile, parts.now())) {
    context.report.tooOld(published.from);
    return { kind: "none", why: failure({ state: "skipped", reason: `too-old: ${published.from}` }), fetched };
  }
  const isOwn = chosen.from === "page" && "page" in result;
  return { kind: "item", item, contentHash: hashOf(item), validators: isOwn ? result.validators : null, fetched };
}

type PageResult =
  | { readonly page: ExtractedPage; readonly url: string; readonly validators: Validators | null }
  | { readonly unchanged: true }
  | { readonly why: Failure }
  | typeof NO_PAGE;

/** The page was not requested. */
const NO_PAGE = { unasked: true } as const;

async function readPage(
  context: VisitContext,
  { entry, validators, lastTry }: { entry: DiscoveredEntry; validators: Validators | undefined; lastTry: boolean },
): Promise<PageResult> {
  const { profile } = context;
  const first = await fetchPage(context, entry, { url: entry.url, validators });
  if (!("page" in first)) return first;
  const { page, pages, cutOff } = await withFurtherPages(first, {
    async read(url) {
      const further = await fetchPage(context, entry, { url, validators: undefined });
      return "unchanged" in further ? { why: failure({ state: "failed", reason: "http-304" }) } : further;
    },
    isSelected: profile.article?.next_page !== undefined,
    maxPages: profile.article?.max_pages ?? MAX_PAGES,
  });
  if (cutOff?.state === "retry" && !lastTry) return { why: cutOff };
  // The validators of the first page say nothing about the others.
  return { page, url: first.url, validators: pages > 1 ? null : first.validators };
}

/** Most pages of one article, unless its profile says otherwise. */
const MAX_PAGES = 10;

async function fetchPage(
  { parts, profile, signal, maxTurnMs }: VisitContext,
  { publishedAt }: DiscoveredEntry,
  { url, validators }: { url: string; validators: Validators | undefined },
): Promise<{ page: ExtractedPage; url: string; validators: Validators } | { unchanged: true } | { why: Failure }> {
  try {
    const answer = await fetchFor(parts, profile, { url, validators, signal, maxTurnMs });
    if (answer.notModified) return { unchanged: true };
    if (!answer.ok) return { why: failureOfStatus(answer.status, answer.retryAfterMs) };
    const type = answer.contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (type !== "" && !/html|xml|^text\/plain$/.test(type)) {
      return { why: failure({ state: "skipped", reason: `not-html: ${type}` }) };
    }
    const hints = pageHints(profile, publishedAt);
    const page = await parts.reader.extract({ html: answer.text().text, url: answer.url, ...hints });
    return { page, url: answer.url, validators: validatorsOf(answer, null) };
  } catch (error) {
    signal.throwIfAborted();
    return { why: failureOfRead(error) };
  }
}

/**
 * Returns the failure that an error of the client or the reader means. Throws other errors, and that of a closed
 * reader.
 */
function failureOfRead(error: unknown): Failure {
  if (!(error instanceof ReaderError)) return failureOf(error);
  if (error.code === "closed") throw error;
  return failure({ state: STATE_OF[error.code] ?? "skipped", reason: `${error.code}: ${error.message}` });
}

/** States other than `skipped`. A page can be too slow because the machine is busy, so it is retried. */
const STATE_OF: Partial<Record<ReaderErrorCode, Failure["state"]>> = {
  "bad-selector": "failed",
  "too-slow": "retry",
  "worker-failed": "retry",
};

function reasonAgainst(page: ExtractedPage | null): Failure {
  const reason = page === null || page.kind === "article" ? "content-too-short" : page.kind;
  return failure({ state: reason === "block-page" ? "retry" : "skipped", reason });
}

/** Returns why an article that was extracted is skipped; null when it is not. */
function refusalOf({ title, language }: ScrapedItem): Failure | null {
  if (title === "") return failure({ state: "skipped", reason: "no-title" });
  if (language !== "ar" && language !== "en") {
    return failure({ state: "skipped", reason: `unsupported-language: ${language ?? "unknown"}` });
  }
  return null;
}

/** Returns whether an article is too old for its profile by a date that is surely its own. */
function isTooOld({ at, from }: Publication, profile: CrawlProfile, now: number): boolean {
  return at !== null && !UNSURE_ORIGINS.has(from) && Date.parse(at) < Date.parse(ageCutoff(profile, now));
}

/** A line of the page may be of something else, and an article may be older or younger than its last change. */
const UNSURE_ORIGINS: ReadonlySet<Publication["from"]> = new Set(["line", "modified", "none"]);
