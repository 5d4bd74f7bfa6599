import { hostname } from "node:os";
import { createCheckThread, createEnqueuer } from "@isnad/lib/ingest";
import {
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  findScraper,
  UsageError,
  writeJson,
} from "@isnad/lib/service/cli";
import { type Env, loadTaxonomy } from "@isnad/lib/service/config";
import { createLogger } from "@isnad/lib/service/process";
import type { PullCounts, PullOptions, Source, Store } from "@isnad/lib/store";
import { openQueues } from "@isnad/lib/work/queue";
import { adapterFor, type Adapters, UnsupportedProviderError } from "../../workers/pull/adapter.ts";
import { openAdapters, type ScraperAddress } from "../../workers/pull/puller.ts";
import { type PullDeps, type PullOutcome, runPull } from "../../workers/pull/run-pull.ts";
import { openCommandStore, type OpenStore, requireOn } from "../open-store.ts";
import { sourceFields, type SourceFlags, sourceKey } from "./list.ts";

/** The database and the adapters, and what pulls within this process need. */
type OpenPulls = OpenStore & {
  adapters: Adapters;
  /** Opens the queues too, so that jobs are queued for what is pulled here. */
  pulling(): Promise<PullDeps>;
};

/** Opens what pulls need (store, queues, adapters), with the settings of `env`. */
async function openPulls(env: Env, { creates }: { creates: boolean }): Promise<OpenPulls> {
  await using opened = new AsyncDisposableStack();
  const base = opened.use(await openCommandStore(env, { creates }));
  const { config, store, databaseUrl } = base;
  const taxonomy = loadTaxonomy(config.taxonomyFile);
  const { adapters, close } = openAdapters({
    config,
    store,
    taxonomy,
    scraper: await scraperOf(env, config.scraperUrl),
  });
  opened.defer(close);
  // What there is to say is in the outcome of the pull: a command prints no log.
  const logger = createLogger({ service: "command", level: "silent" });
  const inner = new AsyncDisposableStack();
  opened.use(inner);
  const kept = opened.move();
  return {
    config,
    store,
    databaseUrl,
    adapters,
    async pulling() {
      const queues = await openQueues({ databaseUrl, redisUrl: config.redisUrl, logger });
      inner.defer(() => queues.close());
      const enqueuer = createEnqueuer(queues, logger);
      inner.defer(() => enqueuer.settled());
      const thread = createCheckThread();
      inner.defer(() => thread.close());
      return {
        store,
        adapters,
        thread,
        enqueuer,
        logger,
        instance: `${hostname()}:${process.pid}`,
        leaseS: config.pull.leaseS,
        requireKnownSource: config.ingest.requireKnownSource,
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Only sources of the scraper need its token: without one it is for the scraper to refuse. */
async function scraperOf(env: Env, url: string): Promise<ScraperAddress> {
  try {
    return await findScraper(env);
  } catch (error) {
    if (error instanceof CommandError) return { url, token: undefined };
    throw error;
  }
}

/**
 * Pulls a source within the command, with progress on a terminal, prints what came of it, and returns the exit code.
 */
async function pullNow(
  source: Source,
  deps: PullDeps,
  options: PullOptions,
  { json, signal, stdout, stderr }: CommandContext,
): Promise<number> {
  const progress = createProgress(stderr);
  const max = typeof options.max === "number" ? options.max : undefined;
  let outcome: PullOutcome;
  try {
    outcome = await runPull(source, deps, {
      options,
      signal,
      onProgress: (counts) => progress.update(counts.discovered, max, `${source.key}: ${wordsOf(counts)}`),
    });
  } finally {
    progress.clear();
  }
  const { runId, status, counts, error } = outcome;
  if (json) {
    const { key, provider } = source;
    writeJson(stdout, { source: key, provider, run_id: runId, status, counts, error: error ?? null });
  } else {
    stdout.write(`${source.key}: ${status}, ${wordsOf(counts)}\n`);
    if (error !== undefined) stderr.write(`${source.key}: ${error}\n`);
  }
  return outcome.complete && status !== "failed" ? 0 : 1;
}

function wordsOf({ discovered, accepted, duplicate, conflict, failed }: Readonly<PullCounts>): string {
  return `${discovered} items: ${accepted} new, ${duplicate} known, ${conflict} changed at the source, ${failed} refused`;
}

/** `crawl:source`: has a source pulled, by the workers or at once. */
export const crawlSource = defineCommand({
  name: "crawl:source",
  summary: "Pulls the articles of a source.",
  positionals: { usage: "KEY", min: 1, max: 1 },
  options: {
    create: { kind: "flag", help: "register the source first, or change what is given of it" },
    force: { kind: "flag", help: "pull it although somebody switched it off" },
    sync: { kind: "flag", help: "pull at once, in this process, and report what came" },
    provider: { kind: "text", value: "NAME", help: "with --create: rss, newsdata, scraper or scraper-push" },
    name: { kind: "text", value: "TEXT", help: "with --create: the name to show" },
    "feed-url": { kind: "text", value: "URL", help: "with --create: the feed's address (provider rss)" },
    homepage: { kind: "text", value: "URL", help: "with --create: the source's own page" },
    language: { kind: "text", value: "CODE", help: "with --create: the language it writes in" },
    tier: { kind: "text", value: "1|2|3", help: "with --create: 1 most trusted, 3 least" },
  },
  details: `
Without --sync the pull is kept in the database until a worker takes it, also across restarts; asking again while it
waits changes nothing. A source is never pulled twice at once. One that is switched off is not pulled without --force.`,
  async run({ values, positionals }, context) {
    const { create, force, sync, ...flags } = values;
    const key = sourceKey(positionals[0] ?? "");
    const fields = sourceFields(flags);
    if (!create && Object.keys(fields).length > 0) throw new UsageError("the fields of a source go with --create");
    const { env, json, stdout } = context;
    await using pulls = await openPulls(env, { creates: create });
    const { store, adapters } = pulls;
    const source = create ? await register(store, adapters, key, flags) : await store.sources.get(key);
    if (source === undefined) throw new CommandError(`there is no source "${key}"; --create registers it`);
    if (!force) requireOn(key, source.offSince === null ? undefined : "switched off");
    adapterFor(source, adapters);
    if (sync) return await pullNow(source, await pulls.pulling(), {}, context);
    const { run, fresh } = await store.pulls.request({ sourceKey: key, provider: source.provider, trigger: "cli" });
    if (json) writeJson(stdout, { source: key, provider: source.provider, run_id: run.runId, status: run.status });
    else stdout.write(`${key}: ${fresh ? "queued" : "is queued already"} (run ${run.runId})\n`);
    return 0;
  },
});

/** Makes or changes the source, when its provider is one that can be pulled. */
async function register(
  store: Store,
  adapters: Adapters,
  key: string,
  flags: SourceFlags,
): Promise<Source | undefined> {
  const source = await store.sources.get(key);
  const fields = sourceFields(flags);
  const feedUrl = fields.feedUrl ?? source?.feedUrl ?? null;
  const provider = fields.provider ?? source?.provider ?? (feedUrl === null ? null : "rss");
  if (provider === null) throw new UsageError("--create needs --provider, or --feed-url for a feed");
  adapterFor({ key, provider }, adapters);
  if (provider === "rss" && feedUrl === null) throw new UsageError("a source of provider rss needs --feed-url");
  const [made] = await store.sources.upsert([{ ...fields, key, provider, active: true }]);
  return made;
}

/** Providers of news that can be asked for more than the regular pull brings. */
const NEWS_PROVIDERS = ["newsdata"];

/** Request options that are passed on as they are typed. */
const FILTERS = ["query", "language", "country", "category", "from", "to"] as const;

/** `news:pull`: takes latest or archived items of a news provider in, at once. */
export const newsPull = defineCommand({
  name: "news:pull",
  summary: "Pulls latest or archived articles from a news provider.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    provider: { kind: "text", value: "NAME", help: "the provider", default: "newsdata" },
    mode: { kind: "text", value: "latest|archive", help: "what to ask for", default: "latest" },
    query: { kind: "text", value: "TEXT", help: "words to search for, in the provider's syntax" },
    language: { kind: "text", value: "CODES", help: "languages, comma-separated: ar,en" },
    country: { kind: "text", value: "CODES", help: "countries, comma-separated: eg,jo" },
    category: { kind: "text", value: "NAMES", help: "the provider's categories, comma-separated" },
    from: { kind: "text", value: "DATE", help: "archive: first day, YYYY-MM-DD" },
    to: { kind: "text", value: "DATE", help: "archive: last day, YYYY-MM-DD" },
    max: { kind: "number", value: "N", help: "articles at most", default: 100, min: 1, max: 1_000_000 },
    source: { kind: "text", value: "KEY", help: "the source that they belong to (default: the provider's name)" },
  },
  details: `
newsdata.io: set NEWSDATA_API_KEY. A page of results costs a credit of your plan; the archive needs a paid one. The source is
registered when it is not there, and is not pulled regularly until it is made active.`,
  async run({ values }, context) {
    const { provider, mode, max } = values;
    const key = sourceKey(values.source ?? provider);
    if (!NEWS_PROVIDERS.includes(provider)) throw new UnsupportedProviderError({ key, provider }, NEWS_PROVIDERS);
    if (mode !== "latest" && mode !== "archive") throw new UsageError("--mode takes latest or archive");
    const options: PullOptions = { mode, max };
    for (const name of FILTERS) if (values[name] !== undefined) options[name] = values[name];
    checkDates(values.from, values.to, mode);
    if (mode === "archive" && !["query", "language", "country", "category"].some((name) => name in options)) {
      throw new UsageError("--mode archive needs --query, --language, --country or --category");
    }
    await using pulls = await openPulls(context.env, { creates: true });
    const source = await sourceFor(pulls.store, key, provider);
    return await pullNow(source, await pulls.pulling(), options, context);
  },
});

async function sourceFor(store: Store, key: string, provider: string): Promise<Source> {
  const source = await store.sources.get(key);
  if (source?.provider === provider) return source;
  if (source?.provider != null) {
    throw new CommandError(`source "${key}" is of provider "${source.provider}": name another with --source`);
  }
  const fresh = source === undefined ? { name: provider, active: false } : {};
  const [made] = await store.sources.upsert([{ key, provider, ...fresh }]);
  if (made === undefined) throw new Error("the source was not registered");
  return made;
}

function checkDates(from: string | undefined, to: string | undefined, mode: string): void {
  for (const [option, date] of [
    ["--from", from],
    ["--to", to],
  ] as const) {
    if (date === undefined) continue;
    if (mode !== "archive") throw new UsageError(`${option} goes with --mode archive`);
    const day = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00:00Z`) : undefined;
    if (day === undefined || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) {
      throw new UsageError(`${option} takes a day as YYYY-MM-DD`);
    }
  }
  if (from !== undefined && to !== undefined && from > to) throw new UsageError("--from is after --to");
}
