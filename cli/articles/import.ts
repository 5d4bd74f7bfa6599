import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ArticleView } from "@isnad/lib/contract";
import {
  type ApiTarget,
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  findApi,
  writeJson,
} from "@isnad/lib/service/cli";
import { parseJson } from "@isnad/lib/std";
import {
  type FileReport,
  importFile,
  type ImportProgress,
  openState,
  reportJson,
  reportText,
  Sample,
} from "./import/import-file.ts";
import { FIELDS, type Mapping, readMapping } from "./import/map-row.ts";
import { fileFacts } from "./import/read-batches.ts";

const Answer = ArticleView.pick({ state: true });

type WaitOptions = {
  target: ApiTarget;
  /** Some of the accepted articles, the last one among them: these are looked up. */
  sample: readonly number[];
  signal: AbortSignal;
  /** Says how long nothing may move before the waiting is abandoned, in milliseconds. */
  patienceMs: number;
  onProgress?: (pending: number) => void;
  everyMs?: number;
};

/** The gauge of `GET /metrics` that counts articles not yet indexed or failed. */
const PENDING = /^articles_pending(?:\{[^}]{0,200}\})? ([0-9.e+]+)$/gm;

/**
 * Returns once no article waits for the queues any more and each of the sample is indexed, or failed for good: whether
 * an article is indexed is its state. Searches see what is indexed within a second. Throws CommandError when nothing
 * has moved for `patienceMs`.
 */
export async function waitUntilIndexed(options: WaitOptions): Promise<void> {
  const { onProgress } = options;
  await until("articles that wait for the queues", options, async () => {
    const pending = await pendingArticles(options);
    if (Number.isFinite(pending)) onProgress?.(pending);
    return pending;
  });
  const left = new Set(options.sample);
  await until("articles that are not indexed", options, async () => {
    for (const id of left) if (await isSettled(id, options)) left.delete(id);
    return left.size;
  });
}

/** Polls `count` until it is 0. */
async function until(what: string, options: WaitOptions, count: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  for (;;) {
    const now = await count();
    if (now === 0) return;
    if (now < least) movedAt = performance.now();
    least = Math.min(least, now);
    if (performance.now() - movedAt > options.patienceMs) {
      const seconds = Math.round(options.patienceMs / 1000);
      throw new CommandError(`${now} ${what}, and none fewer for ${seconds} s`);
    }
    await sleep(options.everyMs ?? 500, undefined, { signal: options.signal });
  }
}

async function pendingArticles({ target, signal }: WaitOptions): Promise<number> {
  const headers = target.metricsToken === undefined ? {} : { "x-metrics-token": target.metricsToken };
  const text = await get(`${target.url}/metrics`, headers, signal);
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const values = Array.from(text.matchAll(PENDING), ([, value]) => Number(value));
  if (values.length === 0) throw new CommandError("the API's metrics do not tell how many articles wait");
  return values.reduce((sum, value) => sum + value, 0);
}

/** Tells whether the article is indexed, or failed in the queues. */
async function isSettled(id: number, { target, signal }: WaitOptions): Promise<boolean> {
  const headers = target.publicKey === undefined ? {} : { "x-api-key": target.publicKey };
  const text = await get(`${target.url}/v1/articles/${id}`, headers, signal);
  const article = text === undefined ? undefined : Answer.safeParse(parseJson(text)).data;
  return article?.state === "indexed" || article?.state === "failed";
}

/** Returns the body of a 200; undefined for any other answer or none. */
async function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) });
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error) return undefined;
    throw error;
  }
}

const number = new Intl.NumberFormat("en-US");

/** `articles:import`: posts files of articles to the ingest route. */
export const articlesImport = defineCommand({
  name: "articles:import",
  summary: "Imports articles from JSON-lines or CSV files (plain or gzip) through the ingest route.",
  positionals: { usage: "FILE…", min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    batch: { kind: "number", value: "N", help: "articles in one request", default: 100, min: 1, max: 10_000 },
    "max-bytes": {
      kind: "number",
      value: "N",
      help: "bytes in one request",
      default: 1_490_000,
      min: 10_000,
      max: 1e9,
    },
    "in-flight": { kind: "number", value: "N", help: "requests at a time", default: 4, min: 1, max: 64 },
    map: { kind: "list", value: "FIELD=COLUMN", help: "take a field from this column" },
    set: { kind: "list", value: "FIELD=VALUE", help: "give every article this value" },
    "as-is": { kind: "flag", help: "fill in nothing that is missing" },
    restart: { kind: "flag", help: "begin at the first line after an import that was cut short" },
    wait: { kind: "flag", help: "wait until the articles are indexed" },
    strict: { kind: "flag", help: "exit with 1 when any article failed or was in conflict" },
    patience: {
      kind: "number",
      value: "S",
      help: "seconds to wait for an API that is away",
      default: 120,
      min: 0,
      max: 86_400,
    },
  },
  details: `
Each line is one JSON object; a file that is called .csv or .tsv (or that and .gz) has a head of columns and a row for
each article, with semicolons between authors and spaces between images. The usual column names are known (id, source, title, text, url, published, author,
category, lang, …); --map and --set name others, for these fields:
  ${FIELDS.slice(0, 7).join(", ")},
  ${FIELDS.slice(7).join(", ")}.
Three gaps are filled, and counted, unless --as-is is given: no URL (a stable one under .invalid), no title (the first
sentence), a text under 200 characters (its lead is put before it). Everything else is for the ingest route to judge.

An import that is cut short goes on where it stopped when it is started again. Importing a file again does no harm:
everything is a duplicate then. A file of which every article failed is not done: exit code 1 without --strict, too.`,
  async run({ values, positionals }, context) {
    const mapping = readMapping(values.map, values.set);
    for (const path of positionals) await fileFacts(path);
    const accepted = new Sample();
    const settings = {
      mapping,
      derive: !values["as-is"],
      limits: { maxItems: values.batch, maxBytes: values["max-bytes"] },
      inFlight: values["in-flight"],
      restart: values.restart,
      patienceMs: values.patience * 1000,
      variant: JSON.stringify([values.map, values.set, values["as-is"]]),
      accepted,
    };
    const reports: FileReport[] = [];
    try {
      for (const path of positionals) reports.push(await importOne(path, settings, context));
    } catch (error) {
      if (context.signal.aborted) throw new CommandError("interrupted; start it again to go on where it stopped");
      throw error;
    }
    if (!context.json) context.stdout.write(reportText(reports));
    const waitedS = values.wait ? await wait(accepted, settings.patienceMs, context) : undefined;
    if (context.json) writeJson(context.stdout, { ...reportJson(reports), ...(values.wait && { waited_s: waitedS }) });
    else if (waitedS !== undefined) context.stdout.write(`Indexed after another ${waitedS} s\n`);
    const notDone = ({ tally: { received, failed, conflict } }: FileReport): boolean =>
      values.strict ? failed + conflict > 0 : received > 0 && failed === received;
    return reports.some(notDone) ? 1 : 0;
  },
});

type Settings = {
  mapping: Mapping;
  derive: boolean;
  limits: { maxItems: number; maxBytes: number };
  inFlight: number;
  restart: boolean;
  patienceMs: number;
  variant: string;
  accepted: Sample;
};

async function importOne(path: string, settings: Settings, context: CommandContext): Promise<FileReport> {
  const { env, signal, stderr } = context;
  const { url: api, dataDir } = await findApi(env);
  const facts = await fileFacts(path);
  const state = openState(join(dataDir, "imports"), { file: path, ...facts, api, variant: settings.variant });
  const progress = createProgress(stderr);
  const start = performance.now();
  let away = false;
  try {
    const result = await importFile({
      ...settings,
      path,
      state,
      send: {
        signal,
        patienceMs: settings.patienceMs,
        async endpoint() {
          const { url, ingestToken } = await findApi(env);
          return { url, token: ingestToken };
        },
        onRetry(why) {
          progress.clear();
          if (!away) stderr.write(`${why}; trying again\n`);
          away = true;
        },
      },
      onProgress(now) {
        away = false;
        settings.accepted.add(now.outcomes);
        progress.update(now.bytesRead, facts.size, words(now, start));
      },
    });
    return { file: path, seconds: (performance.now() - start) / 1000, ...result };
  } finally {
    progress.clear();
  }
}

function words({ tally }: ImportProgress, start: number): string {
  const rate = Math.round(tally.received / ((performance.now() - start) / 1000));
  return `${number.format(tally.received)} articles, ${rate}/s, ${number.format(tally.failed + tally.conflict)} failed`;
}

async function wait(accepted: Sample, patienceMs: number, context: CommandContext): Promise<number> {
  const progress = createProgress(context.stderr);
  const start = performance.now();
  let most = 0;
  try {
    await waitUntilIndexed({
      target: await findApi(context.env),
      sample: accepted.ids(),
      signal: context.signal,
      patienceMs,
      onProgress(pending) {
        most = Math.max(most, pending);
        progress.update(most - pending, most, `${number.format(pending)} articles still to be indexed`);
      },
    });
  } finally {
    progress.clear();
  }
  return Number(((performance.now() - start) / 1000).toFixed(1));
}
