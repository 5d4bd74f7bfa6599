import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import type { Feed } from "@isnad/lib/web/feeds";
import type { ExtractedPage, PageInput } from "../../lib/extraction/extract.ts";
import { ReaderError, ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { runConcurrently } from "../../scraper/crawl/visit-all.ts";
import { pageHints } from "../../scraper/crawl/visit.ts";
import { TimeZone } from "../../scraper/profiles/fields.ts";
import { profileNamed } from "../profiles/check.ts";
import { isWebAddress, readDocument } from "./pages.ts";
import { createMemoryLeaseStore, EgressError } from "@isnad/lib/web/egress";
import { createClients } from "../../scraper/crawl/create-crawler.ts";

/** A page or feed and the address that it came from; empty for a file without one. */
interface Source {
  readonly text: string;
  readonly url: string;
}

interface SourceOptions {
  readonly env: Record<string, string | undefined>;
  readonly signal: AbortSignal;
  /** Fetches what the site's robots.txt forbids. */
  readonly ignoreRobots: boolean;
}

/**
 * Reads a file, or fetches an address as the crawler does: robots.txt obeyed, tried again after passing failures.
 * Throws CommandError.
 */
async function readSource(from: string, { env, signal, ignoreRobots }: SourceOptions): Promise<Source> {
  if (!isWebAddress(from)) return { text: readDocument(from).text, url: "" };
  const fetch = createClients({ config: loadConfig(env), leases: createMemoryLeaseStore() })();
  try {
    const answer = await fetch(from, { signal, respectRobots: !ignoreRobots, minDelayMs: 0, cookies: true });
    if (!answer.ok) throw new CommandError(`${answer.url} answered ${answer.status}`);
    return { text: answer.text().text, url: answer.url };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const hint = error.code === "robots-denied" ? "; --ignore-robots fetches it all the same" : "";
    throw new CommandError(`${error.message}${hint}`, { cause: error });
  }
}

/** Holds what the commands that fetch say of the flag. */
const IGNORE_ROBOTS = { kind: "flag", help: "fetch an address that the site's robots.txt forbids" } as const;

/** Holds what `scraper:extract` prints of a page. */
interface ArticleLine {
  /** As given, or where the page came from; null when a line of a list names none. */
  readonly id: unknown;
  readonly title: string;
  readonly content: string;
  /** Names joined with a comma. */
  readonly author: string | null;
  /** ISO 8601 in UTC, as the articles of the pipeline have it. */
  readonly published_at: string | null;
  readonly canonical_url: string | null;
  readonly image: string | null;
  readonly language: string | null;
  /** True when only subscribers may read the whole of it; left out for others. */
  readonly paywalled?: true;
  /** Milliseconds that extraction took. */
  readonly ms: number;
  /** Why there is no article: the kind of page, the reader's error code, or what is wrong with the line. */
  readonly error?: string;
  /** The same in words, where there is more to say. */
  readonly detail?: string;
}

const REFUSED = new Set(["block-page", "consent-page", "error-page", "empty"]);

/** Extracts a page into a line. A page that cannot be read, or is no article, gives a line with `error`. */
async function articleLine(pool: ReaderPool, id: unknown, input: PageInput): Promise<ArticleLine> {
  const start = performance.now();
  let page: ExtractedPage | undefined;
  let refusal: Refusal | undefined;
  try {
    page = await pool.extract(input);
    if (REFUSED.has(page.kind)) refusal = { error: page.kind };
  } catch (cause) {
    if (!(cause instanceof ReaderError)) throw cause;
    refusal = { error: cause.code, detail: cause.message };
  }
  return lineOf(id, page, performance.now() - start, refusal);
}

/** Returns a line for what could not even be tried. */
function failedLine(id: unknown, error: string): ArticleLine {
  return lineOf(id, undefined, 0, { error });
}

type Refusal = Pick<ArticleLine, "detail"> & Required<Pick<ArticleLine, "error">>;

function lineOf(id: unknown, page: ExtractedPage | undefined, ms: number, refusal: Refusal | undefined): ArticleLine {
  return {
    id,
    title: page?.title ?? "",
    content: page?.content ?? "",
    author: page?.authors.join(", ") || null,
    published_at: page?.publishedAt ?? null,
    canonical_url: page?.canonicalUrl ?? null,
    image: page?.image ?? null,
    language: page?.language ?? null,
    ...(page?.paywalled === true && { paywalled: true as const }),
    ms: Math.round(ms * 10) / 10,
    ...refusal,
  };
}

/** A batch to extract. */
interface Batch {
  /** File with a line `{id, url, html_path}` a page. */
  readonly input: string;
  /** Says where the lines go, one for each line of the input that is not blank, in its order. */
  readonly out: string;
  readonly hints: Pick<PageInput, "selectors" | "otherSelectors" | "zone">;
  /** Pages that are extracted at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
}

/**
 * Extracts the pages of a list, as many at once as `jobs` says; memory does not grow with the list. A line that cannot
 * be read, or whose page cannot, gives a line with an `error`. A relative `html_path` is below the working directory,
 * else beside the list. Returns how many could not be tried. Throws CommandError when one of the two files cannot be
 * opened.
 */
async function extractBatch(pool: ReaderPool, { input, out, hints, jobs, signal }: Batch): Promise<number> {
  await using source = await opened(input, "r");
  await using output = await opened(out, "w");
  // The first pages would pay for the start of the threads.
  await Promise.all(Array.from({ length: jobs }, () => pool.extract({ html: "", url: "" })));
  const lines = source.readLines({ autoClose: false })[Symbol.asyncIterator]();
  const write = inOrder((text) => output.write(text));
  let unreadable = 0;
  let taken = 0;
  await runConcurrently(jobs, async () => {
    signal.throwIfAborted();
    const { value: line = "", done: isEnd } = await lines.next();
    if (isEnd === true) return false;
    if (line.trim() === "") return true;
    const place = taken++;
    const { done, failed } = await extractOne(pool, line, dirname(input), hints);
    if (failed) unreadable++;
    await write(place, `${JSON.stringify(done)}\n`);
    return true;
  });
  return unreadable;
}

/** Makes a writer of texts that come in any order, each with its place from 0 on: they go out in that order. */
function inOrder(write: (text: string) => Promise<unknown>): (place: number, text: string) => Promise<unknown> {
  const waiting = new Map<number, string>();
  let next = 0;
  let writing: Promise<unknown> = Promise.resolve();
  return (place, text) => {
    waiting.set(place, text);
    let due = "";
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next++);
      due += ready;
    }
    if (due !== "") writing = writing.then(() => write(due));
    return writing;
  };
}

async function opened(path: string, flags: "r" | "w"): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (cause) {
    throw new CommandError(`cannot ${flags === "r" ? "read" : "write"} ${path}`, { cause });
  }
}

async function extractOne(
  pool: ReaderPool,
  line: string,
  folder: string,
  hints: Batch["hints"],
): Promise<{ done: ArticleLine; failed: boolean }> {
  const entry = readEntry(line);
  if ("error" in entry) return { done: failedLine(idOf(line), entry.error), failed: true };
  const { id, url, path } = entry;
  try {
    const beside = resolve(folder, path);
    const html = readDocument(existsSync(path) || !existsSync(beside) ? path : beside).text;
    return { done: await articleLine(pool, id, { html, url, ...hints }), failed: false };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { done: failedLine(id, error.message), failed: true };
  }
}

function readEntry(line: string): { id: unknown; url: string; path: string } | { error: string } {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return { error: "the line is not JSON" };
  }
  if (typeof entry !== "object" || entry === null) return { error: "the line is not a JSON object" };
  const { id = null, url = "", html_path: path }: { id?: unknown; url?: unknown; html_path?: unknown } = entry;
  if (typeof path !== "string" || path === "") return { error: "html_path is missing" };
  return typeof url === "string" || url === null ? { id, url: url ?? "", path } : { error: "url is not a text" };
}

/** Returns the id of a line that is not JSON, where one can be made out. */
function idOf(line: string): unknown {
  const written = /"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})/.exec(line)?.[1];
  return written === undefined ? null : JSON.parse(written.replace(/\\(?!["\\/bfnrtu])/g, "\\\\"));
}

/** `scraper:extract`: prints the article of a page, or of many pages from a list. */
export const scraperExtract = defineCommand({
  name: "scraper:extract",
  summary: "Extracts the article of a page and prints it as JSON.",
  positionals: { usage: "[FILE|URL]", min: 0, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    profile: { kind: "text", value: "NAME", help: "use the selectors and the time zone of this profile" },
    batch: { kind: "text", value: "IN.jsonl", help: "lines {id, url, html_path}, pages plain or .gz" },
    out: { kind: "text", value: "OUT.jsonl", help: "where the lines of --batch go" },
    jobs: { kind: "number", value: "N", help: "pages of --batch at once; 0: one a core", default: 0, min: 0, max: 256 },
    "ignore-robots": IGNORE_ROBOTS,
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const hints = values.profile === undefined ? {} : pageHints(await profileNamed(values.profile, loadConfig(env)));
    const jobs = values.batch === undefined ? 1 : values.jobs || availableParallelism();
    const pool = new ReaderPool({ workers: jobs });
    try {
      if (values.batch !== undefined) {
        if (values.out === undefined) throw new UsageError("--batch needs --out");
        const unreadable = await extractBatch(pool, { input: values.batch, out: values.out, hints, jobs, signal });
        return unreadable === 0 ? 0 : 1;
      }
      const [from] = positionals;
      if (from === undefined) throw new UsageError("name a file or an address, or use --batch");
      const source = await readSource(from, { env, signal, ignoreRobots: values["ignore-robots"] });
      const line = await articleLine(pool, from, { html: source.text, url: values.url ?? source.url, ...hints });
      writeJson(stdout, line);
      return line.error === undefined ? 0 : 1;
    } finally {
      await pool.close();
    }
  },
});

/** `scraper:feed`: prints a feed as JSON. */
export const scraperFeed = defineCommand({
  name: "scraper:feed",
  summary: "Reads a feed and prints it as JSON.",
  positionals: { usage: "FILE|URL", min: 1, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    zone: { kind: "text", value: "ZONE", help: "the time zone of times that name none", default: "UTC" },
    "ignore-robots": IGNORE_ROBOTS,
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const { zone } = values;
    if (!TimeZone.safeParse(zone).success) throw new UsageError(`${zone} is no IANA time zone such as Asia/Amman`);
    const source = await readSource(positionals[0] ?? "", { env, signal, ignoreRobots: values["ignore-robots"] });
    const pool = new ReaderPool();
    try {
      writeJson(stdout, printed(await pool.feed({ text: source.text, url: values.url ?? source.url, zone })));
      return 0;
    } catch (error) {
      if (error instanceof ReaderError) throw new CommandError(error.message, { cause: error });
      throw error;
    } finally {
      await pool.close();
    }
  },
});

function printed(feed: Feed) {
  return {
    feed: { title: feed.title, link: feed.link, language: feed.language },
    entries: feed.entries.map((entry) => ({
      id: entry.id,
      title: entry.title,
      link: entry.link,
      published_at: entry.publishedAt,
      updated_at: entry.updatedAt,
      author: entry.author,
      content_text: entry.contentText,
      summary_text: entry.summaryText,
      categories: entry.categories,
      enclosures: entry.enclosures,
    })),
  };
}
