import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NormalizedItem, ScrapeResults } from "@isnad/lib/contract";
import type { ScrapedItem } from "@isnad/lib/store";
import { analyse, queryWords } from "@isnad/lib/text";
import { deliver } from "./deliver.ts";
import { type ListingMemory, scrapeSource, type SourceAnswer } from "./scrape-source.ts";
import type { CrawlParts, CrawlProfile, DeliveryCounts, ScrapeAnswer, ScrapeRequest } from "./types.ts";
import { runConcurrently } from "./visit-all.ts";

/**
 * A filter by keywords: a text passes when it has every word of the query, in whatever form. Words are compared as
 * searches compare them: Arabic letters folded, without clitics, by stem. A query without a word lets everything pass.
 */
export function keywordFilter(query: string): (title: string, content: string) => boolean {
  const required = queryWords(query).map(({ terms }) => terms.stems);
  if (required.length === 0) return () => true;
  return (title, content) => {
    const stems = new Set(analyse(`${title}\n${content}`).flatMap(({ terms }) => terms.stems));
    return required.every((forms) => forms.every((stem) => stems.has(stem)));
  };
}

/** Returns a kept article as the scraper hands it out. */
function toNormalized(item: ScrapedItem): NormalizedItem {
  return {
    id: item.id,
    title: item.title,
    content: item.content,
    url: item.url,
    published_at: item.publishedAt,
    source: item.sourceId,
    category: item.category ?? item.categoryLabel ?? "",
    language: item.language ?? "",
    canonical_url: item.canonicalUrl ?? item.url,
    authors: item.authors,
    images: item.images,
    provider: item.provider,
  };
}

const SETTLE_MS = 50;

/**
 * Appends objects as whole lines of JSON to the day's file in a folder, which is made when it is missing. All lines go
 * out in one write to a file opened for appending, so that lines of processes that write at once do not mix. A line
 * that a killed process left unfinished is closed first. Returns the file's name within the folder.
 */
export async function appendLines(folder: string, values: readonly object[], now: number): Promise<string> {
  const name = `scrape-${new Date(now).toISOString().slice(0, 10)}.jsonl`;
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, name), "a+", 0o640);
  try {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    if (lines === "") return name;
    const bytes = Buffer.from((await isTorn(file)) ? `\n${lines}` : lines);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    return name;
  } finally {
    await file.close();
  }
}

type File = Awaited<ReturnType<typeof open>>;

/** Tells whether the file ends within a line and nobody is writing it. */
async function isTorn(file: File): Promise<boolean> {
  const before = await endOf(file);
  if (before.closed) return false;
  await sleep(SETTLE_MS);
  const after = await endOf(file);
  return !after.closed && after.size === before.size;
}

async function endOf(file: File): Promise<{ size: number; closed: boolean }> {
  const { size } = await file.stat();
  if (size === 0) return { size, closed: true };
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return { size, closed: last[0] === 0x0a };
}

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
