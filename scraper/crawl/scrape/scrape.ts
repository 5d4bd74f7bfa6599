import type { ScrapeResults } from "@isnad/lib/contract";
import type { ScrapedItem } from "@isnad/lib/store";
import { deliver } from "../deliver/deliver.ts";
import type { CrawlParts } from "../parts.ts";
import { runConcurrently } from "../run-concurrently.ts";
import type { CrawlProfile, DeliveryCounts, ScrapeAnswer, ScrapeRequest } from "../types.ts";
import { keywordFilter } from "./keyword-filter.ts";
import type { ListingMemory } from "./listing-memory.ts";
import { toNormalized } from "./normalized.ts";
import { appendLines } from "./output-file.ts";
import { type SourceAnswer, scrapeSource } from "./scrape-source.ts";

const DEFAULT_LIMIT = 200;
/** Sources that are scraped at once. */
const SOURCES_AT_ONCE = 4;

/**
 * Scrapes sources on demand and hands the articles out, or writes them to disk; sends them to the platform when that is
 * asked for, and what cannot be sent now is sent later. One source that fails does not fail the rest. Rejects when the
 * database fails or the signal aborts.
 */
export async function scrape(
  parts: CrawlParts,
  memory: ListingMemory,
  { profiles, request }: { profiles: readonly CrawlProfile[]; request: ScrapeRequest },
  { signal, requestId }: { readonly signal: AbortSignal; readonly requestId?: string },
): Promise<ScrapeAnswer> {
  const start = performance.now();
  const answers = new Map<string, SourceAnswer>();
  const queue = profiles.values();
  const filter = filterOf(request);
  await runConcurrently(Math.min(SOURCES_AT_ONCE, profiles.length), async () => {
    const { value: profile } = queue.next();
    if (profile === undefined) return false;
    const limit = request.limit ?? profile.limits?.max_articles ?? DEFAULT_LIMIT;
    const answer = await scrapeSource(parts, memory, profile, { ...filter, limit, deliver: request.sendToApi, signal });
    answers.set(profile.name, answer);
    return true;
  });
  const inOrder = profiles.flatMap(({ name }) => answers.get(name) ?? []);
  const items = inOrder.flatMap((answer) => answer.items.map(toNormalized));
  const delivery = request.sendToApi ? await deliverAll(parts, profiles, { signal, requestId }) : undefined;
  const written = request.writeToDisk ? await appendLines(parts.outputDir, items, parts.now()) : undefined;
  const errors = Object.fromEntries(
    [...answers].flatMap(([name, { problems }]) => (problems.length === 0 ? [] : [[name, problems.join("; ")]])),
  );
  const at = new Date(parts.now()).toISOString();
  const metadata = {
    total_articles: items.length,
    sources_processed: profiles.map(({ name }) => name),
    processing_time_ms: Math.round(performance.now() - start),
    ...(Object.keys(errors).length > 0 && { errors }),
    ...(delivery !== undefined && { delivery }),
  };
  const details = { metadata, errors: [...answers].flatMap(([name, answer]) => errorsOf(name, answer, at)) };
  return written === undefined ? { results: items, ...details } : { file: written, lines: items.length, ...details };
}

function errorsOf(profile: string, { details: { feeds, errors } }: SourceAnswer, at: string): ScrapeResults["errors"] {
  return [
    ...feeds.flatMap(({ url, error }) => (error === null ? [] : [{ profile, url, reason: error, at }])),
    ...errors.map(({ url, reason, at }) => ({ profile, url, reason, at })),
  ];
}

function filterOf({ query = "", categories = [] }: ScrapeRequest) {
  const hasWords = keywordFilter(query);
  const names = new Set(categories.map((name) => name.trim().toLowerCase()));
  const isNamed = (category: string | null) => category !== null && names.has(category.toLowerCase());
  return {
    accepts: ({ title, content, category, categoryLabel }: ScrapedItem) =>
      (names.size === 0 || isNamed(category) || isNamed(categoryLabel)) && hasWords(title, content),
    mayAccept: (category: string | null) => names.size === 0 || category === null || isNamed(category),
  };
}

async function deliverAll(
  parts: CrawlParts,
  profiles: readonly CrawlProfile[],
  { signal, requestId }: { signal: AbortSignal; requestId?: string | undefined },
): Promise<Omit<DeliveryCounts, "error">> {
  const total = { accepted: 0, duplicate: 0, conflict: 0, failed: 0, pending: 0 };
  for (const { name } of profiles) {
    const { error, ...counts } = await deliver(parts, { signal, requestId, profileId: name });
    for (const [key, count] of Object.entries(counts)) if (isCount(key, total)) total[key] += count;
    // The others are sent when the API is back.
    if (error !== null) break;
  }
  return total;
}

function isCount<T extends object>(key: string, counts: T): key is Extract<keyof T, string> {
  return Object.hasOwn(counts, key);
}
