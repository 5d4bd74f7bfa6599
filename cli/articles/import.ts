import { join } from "node:path";
import {
  type CommandContext,
  CommandError,
  createProgress,
  defineCommand,
  findApi,
  writeJson,
} from "@isnad/lib/service/cli";
import { type ImportProgress, importFile } from "./import/import-file.ts";
import { FIELDS } from "./import/item.ts";
import { fileFacts } from "./import/lines.ts";
import { type Mapping, readMapping } from "./import/mapping.ts";
import { type FileReport, reportJson, reportText } from "./import/report.ts";
import { Sample } from "./import/sample.ts";
import { openState } from "./import/state.ts";
import { waitUntilIndexed } from "./import/wait.ts";

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
