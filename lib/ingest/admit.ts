import { setTimeout as sleep } from "node:timers/promises";
import { URL } from "node:url";
import type { IngestResult } from "../contract/mod.ts";
import { itemError } from "../contract/problem.ts";
import type { Logger } from "../service/process/mod.ts";
import { openThreads, type ThreadsLogger, type ThreadsState } from "../service/threads/mod.ts";
import type { AdmissionContext, AdmissionOutcome, AdmissionResult, Source, SourceInput, Store } from "../store/mod.ts";
import type { Queues } from "../work/queue/open.ts";
import type { start } from "./check-worker.ts";
import type { CheckedItem } from "./check.ts";
import { type OpmlFeed, type OpmlInput, writeOpml } from "../web/feeds/mod.ts";

/** Writes the sources that have a feed as OPML. */
export function opmlOfSources(sources: readonly Source[]): { opml: string; feeds: number } {
  const feeds = sources.flatMap((source) => outlineOf(source) ?? []);
  return { opml: writeOpml({ title: "Isnad sources", createdAt: new Date(), feeds }), feeds: feeds.length };
}

function outlineOf(source: Source): OpmlInput["feeds"][number] | undefined {
  const { key, name, feedUrl, homepage, language, tier, provider, active } = source;
  if (feedUrl === null) return undefined;
  return {
    title: name,
    xmlUrl: feedUrl,
    htmlUrl: homepage,
    language,
    extra: { source_id: key, tier: String(tier), active: String(active), ...(provider !== null && { provider }) },
  };
}

/**
 * Returns the sources to make or change: each feed under the key of the file, of the source that has its address, or a
 * new one.
 */
export function sourcesOfOpml(feeds: readonly OpmlFeed[], known: readonly Source[], active: boolean): SourceInput[] {
  const taken = new Set(known.map(({ key }) => key));
  const byAddress = new Map(known.flatMap(({ feedUrl, key }) => (feedUrl === null ? [] : [[feedUrl, key]])));
  const inputs = new Map<string, SourceInput>();
  for (const feed of feeds) {
    const { title, xmlUrl, htmlUrl, language, extra } = feed;
    const key = byAddress.get(xmlUrl) ?? extra.source_id ?? feedKey(xmlUrl, (free) => !taken.has(free));
    const isNew = !taken.has(key);
    taken.add(key);
    inputs.set(key, {
      key,
      feedUrl: xmlUrl,
      ...(title !== "" && { name: title }),
      ...(htmlUrl !== null && { homepage: htmlUrl }),
      ...(language !== null && { language }),
      ...(/^[123]$/.test(extra.tier ?? "") && { tier: Number(extra.tier) }),
      ...(isNew && { provider: extra.provider ?? "rss", active: active && extra.active !== "false" }),
    });
  }
  return [...inputs.values()];
}

/**
 * Returns a key for a feed that has none: its host, then host and path, then with a number, whichever `isFree` first.
 * The same feed gets the same key as long as the others stay.
 */
export function feedKey(address: string, isFree: (key: string) => boolean): string {
  const url = new URL(address);
  const host = url.hostname.replace(/^(www|feeds?|rss)\./, "");
  const path = slug(`${url.pathname} ${url.search}`);
  const long = (path === "" ? host : `${host}-${path}`).slice(0, 120);
  for (const key of [host.slice(0, 120), long]) if (isFree(key)) return key;
  for (let n = 2; ; n++) if (isFree(`${long}-${n}`)) return `${long}-${n}`;
}

/** Words that say nothing but that it is a feed. */
const FEED_WORDS: ReadonlySet<string> = new Set(["rss", "xml", "atom", "rdf", "feed", "feeds", "index", "php", "aspx"]);

function slug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !FEED_WORDS.has(word)).join("-");
}

/**
 * Decides over the valid ones among checked entries, and stores what is accepted. Nothing is to be decided, and nothing
 * kept, of entries without a valid one and without an idempotency key.
 */
export async function admitChecked(
  store: Pick<Store, "admission">,
  checked: readonly CheckedItem[],
  context: AdmissionContext,
): Promise<AdmissionOutcome> {
  const items = checked.flatMap((entry) => ("item" in entry ? [entry.item] : []));
  if (items.length > 0 || context.idempotency !== undefined) return await store.admission.admit(items, context);
  return { kind: "decided", conflict: false, results: [] };
}

/**
 * Describes what is known of an item before the admission decides over it: by what it is called, or what is wrong with
 * it.
 */
type Submitted =
  | { externalId: string; sourceId: string }
  | { externalId: string | null; error: NonNullable<IngestResult["error"]> };

/** Returns what is to be kept of checked items for the answer. */
export function submittedOf(checked: readonly CheckedItem[]): Submitted[] {
  return checked.map((entry) =>
    "item" in entry ? { externalId: entry.externalId, sourceId: entry.item.sourceId } : entry,
  );
}

/** Puts the verdicts of the admission, which saw the valid items only, back into the order of the request. */
export function mergeResults(submitted: readonly Submitted[], verdicts: readonly AdmissionResult[]): IngestResult[] {
  let next = 0;
  return submitted.map((entry) => {
    if ("error" in entry) return { external_id: entry.externalId, status: "failed", error: entry.error };
    const verdict = verdicts[next++];
    if (verdict === undefined) throw new Error("the admission left out an item");
    return resultOf(entry, verdict);
  });
}

function resultOf(
  { externalId, sourceId }: { externalId: string; sourceId: string },
  verdict: AdmissionResult,
): IngestResult {
  const { status } = verdict;
  if (status === "failed") {
    return {
      external_id: externalId,
      status,
      error: itemError("unknown-source", `source_id ${sourceId} is not registered`),
    };
  }
  const shown = status === "conflict" ? undefined : verdict.articleId;
  return { external_id: externalId, status, ...(shown !== undefined && { article_id: shown }) };
}

/** Returns the articles that were accepted: those that need an `ingestion` job. */
export function acceptedIds(results: readonly IngestResult[]): number[] {
  return results.flatMap(({ status, article_id }) =>
    status === "accepted" && article_id !== undefined ? [article_id] : [],
  );
}

/** Pause between two calls, in milliseconds: articles that arrive meanwhile are in one call together. */
const REST_MS = 50;

/** Calls the workers for accepted articles, in the background: their work is queued with them already. */
export type Enqueuer = {
  /** Returns at once. A call that cannot be made costs seconds: the workers look for work by the clock, too. */
  enqueue(articleIds: readonly number[]): void;
  /** Resolves when every article so far has been queued, or could not be. */
  settled(): Promise<void>;
};

/**
 * Makes an enqueuer. While a call is made, the articles of further requests are collected for the next one, so that
 * many small requests cost few round trips.
 */
export function createEnqueuer(queues: Pick<Queues, "add">, logger: Logger): Enqueuer {
  let collected: number[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (collected.length > 0) {
      const articleIds = collected;
      collected = [];
      try {
        await queues.add("ingestion", { id: `articles-${articleIds[0]}`, data: { articleIds } });
      } catch (error) {
        logger.warn({ err: error, articles: articleIds.length }, "the workers were not called");
      }
      await sleep(REST_MS);
    }
  };
  return {
    enqueue(articleIds) {
      if (articleIds.length === 0) return;
      collected.push(...articleIds);
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    settled: () => running ?? Promise.resolve(),
  };
}

/** A thread that checks items whose texts are so long that the event loop would stand still meanwhile. */
export type CheckThread = {
  /** Checks an entry as `checkItem` does. Rejects with ThreadError when the thread has ended. */
  check(entry: unknown): Promise<CheckedItem>;
  /** Returns how the thread stands. */
  threads(): ThreadsState;
  /** Checks what it was given, then ends the thread. */
  close(): Promise<void>;
};

/** Makes the thread. It starts with the first entry, and again with the next one after it has ended. */
export function createCheckThread({ logger }: { logger?: ThreadsLogger } = {}): CheckThread {
  const url = new URL("./check-worker.ts", import.meta.url);
  const threads = openThreads<typeof start>({ name: "item check", url, logger });
  return {
    check: (entry) => threads.call("check", entry),
    threads: () => threads.state(),
    close: () => threads.close(),
  };
}
