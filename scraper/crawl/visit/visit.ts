import type { FrontierRow, ScrapedItem, StoredItem, Validators } from "@isnad/lib/store";
import type { ExtractedPage } from "../../extract/index.ts";
import { ReaderError, type ReaderErrorCode } from "../../reader/index.ts";
import { fromDiscovery } from "../discover/entry.ts";
import { fetchFor, validatorsOf } from "../fetch.ts";
import type { CrawlParts } from "../parts.ts";
import type { CrawlProfile } from "../types.ts";
import { canonicalOf, itemId } from "./canonical.ts";
import type { Category } from "./category.ts";
import { chooseText } from "./choose-text.ts";
import { type Failure, failure, failureOf, failureOfStatus } from "./failure.ts";
import { hashOf, makeItem } from "./make-item.ts";
import { pageHints } from "./page-hints.ts";

/** What the visit of an article came to. */
export type Visit =
  | {
      readonly kind: "item";
      readonly item: ScrapedItem;
      readonly contentHash: string;
      /** What the page says of itself, to be kept after the item; null when the text is the feed's. */
      readonly seen: Validators | null;
      /** Whether its page was had. */
      readonly fetched: boolean;
    }
  /** The page says that it is what it was when the item was kept. */
  | { readonly kind: "unchanged"; readonly known: StoredItem }
  | { readonly kind: "none"; readonly why: Failure; readonly fetched: boolean };

/** What is needed to visit the articles of a profile. */
export interface VisitContext {
  readonly parts: CrawlParts;
  readonly profile: CrawlProfile;
  readonly categorize: (labels: readonly (string | null)[]) => Category;
  readonly signal: AbortSignal;
  /** The longest wait for a host's turn, in milliseconds. */
  readonly maxTurnMs: number;
}

/** An article to visit. `lastTry`: a passing failure counts as final, so that the feed's text may stand in. */
export interface VisitInput {
  readonly row: Pick<FrontierRow, "url" | "entry" | "category">;
  readonly lastTry: boolean;
}

/**
 * Fetches an article's page, conditionally where it is known, extracts it and puts it together with what its listing says.
 * Rejects only when the database fails or the signal aborts.
 */
export async function visitArticle(context: VisitContext, { row, lastTry }: VisitInput): Promise<Visit> {
  const { parts, profile } = context;
  const entry = fromDiscovery(row.url, row.entry);
  const known = await parts.store.items.get(profile.name, row.url);
  const seen = known === undefined ? undefined : await parts.store.validators.get(profile.name, row.url);
  const result = await readPage(context, entry.url, seen);
  if ("unchanged" in result && known !== undefined) return { kind: "unchanged", known };
  const why = "why" in result ? result.why : null;
  if (why !== null && (!why.feedMayServe || (why.state === "retry" && !lastTry)))
    return { kind: "none", why, fetched: false };
  const page = "page" in result ? result.page : null;
  const fetched = page !== null;
  const chosen = chooseText(page, entry);
  if (chosen === null) return { kind: "none", why: why ?? reasonAgainst(page), fetched };
  // A feed's text must not take the place of the page's, only because that cannot be had today.
  if (known !== undefined && why !== null) return { kind: "unchanged", known };
  const url = "page" in result ? result.url : entry.url;
  const canonicalUrl =
    known?.item.canonicalUrl ??
    canonicalOf({ listed: row.url, fetched: "page" in result ? url : null, declared: page?.canonicalUrl ?? null });
  const category = context.categorize([row.category, ...entry.categories, page?.category ?? null]);
  const id = known?.item.id ?? itemId(profile.source.id, canonicalUrl);
  const item = makeItem({ profile, entry, page, chosen, id, url, canonicalUrl, category, now: parts.now() });
  const refusal = refusalOf(item, profile, parts.now());
  if (refusal !== null) return { kind: "none", why: refusal, fetched };
  const isOwn = chosen.from === "page" && "page" in result;
  return { kind: "item", item, contentHash: hashOf(item), seen: isOwn ? result.seen : null, fetched };
}

type PageResult =
  | { readonly page: ExtractedPage; readonly url: string; readonly seen: Validators }
  | { readonly unchanged: true }
  | { readonly why: Failure };

async function readPage(
  { parts, profile, signal, maxTurnMs }: VisitContext,
  url: string,
  seen: Validators | undefined,
): Promise<PageResult> {
  try {
    const answer = await fetchFor(parts, profile, { url, seen, signal, maxTurnMs });
    if (answer.notModified) return { unchanged: true };
    if (!answer.ok) return { why: failureOfStatus(answer.status, answer.retryAfterMs) };
    const type = answer.contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (type !== "" && !/html|xml|^text\/plain$/.test(type)) {
      return { why: failure({ state: "skipped", reason: `not-html: ${type}` }) };
    }
    const page = await parts.reader.extract({
      html: answer.text().text,
      url: answer.url,
      ...pageHints(profile),
    });
    return { page, url: answer.url, seen: validatorsOf(answer, null) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ReaderError)) return { why: failureOf(error) };
    if (error.code === "closed") throw error;
    return { why: failure({ state: STATE_OF[error.code] ?? "skipped", reason: error.code }) };
  }
}

/** A page may be too slow because the machine is busy: that is no reason to give it up at once. */
const STATE_OF: Partial<Record<ReaderErrorCode, Failure["state"]>> = {
  "bad-selector": "failed",
  "too-slow": "retry",
  "worker-failed": "retry",
};

function reasonAgainst(page: ExtractedPage | null): Failure {
  const reason = page === null || page.kind === "article" ? "content-too-short" : page.kind;
  return failure({ state: reason === "block-page" ? "retry" : "skipped", reason });
}

const DAY_MS = 86_400_000;

/** Why an article is not wanted although it can be had. */
function refusalOf({ title, language, publishedAt }: ScrapedItem, profile: CrawlProfile, now: number): Failure | null {
  if (title === "") return failure({ state: "skipped", reason: "no-title" });
  if (language !== "ar" && language !== "en") {
    return failure({ state: "skipped", reason: `unsupported-language: ${language ?? "unknown"}` });
  }
  const maxAge = profile.limits?.max_age_days;
  if (maxAge !== undefined && publishedAt !== null && now - Date.parse(publishedAt) > maxAge * DAY_MS) {
    return failure({ state: "skipped", reason: "too-old" });
  }
  return null;
}
